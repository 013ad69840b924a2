"""What the paper leaves to further work: the best threshold of risk, the end of the game, more players, how far the
programs are from optimal play, what exact tables gain, and what it is worth to begin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np

import hazard
from hazard.arena.statistics.intervals import Z95, wilson
from hazard.games.pickomino.players.programs import PROGRAMS, Program, near_end
from hazard.games.pickomino.rules import FACES, ROLL, State, left
from hazard.games.pickomino.turn.states import faces_of
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.pickomino.game import SEED, make
from hazard.studies.pickomino.matches import CLOSE, Counts, meet, told
from hazard.studies.pickomino.risk import said
from hazard.studies.pickomino.sweep import duel, steps, sweep
from hazard.studies.report import NOT_REPRODUCED, REPRODUCED, Finding, Progress, Table
from hazard.studies.scores import z_score

TURN, MASTER = "turn", "master"
FIRST_OF = 30_000  # "Experimental results (out of 30'000 matches) show that the first player wins 50.6 %"
STOPS, TEN = Program(trees=0), Program(trees=0, risk=100)
MANY = (TURN, "mc4c-exact", "mcp10-exact", "s3", "s2")
GRADED = (TURN, "mc4c-exact", "mcp10-exact", "mc-exact", "mcp50-exact", "s3", "s2", "s1", "random")
SMALL = (4, 5)  # tiles of games that are solved


# --- who begins ------------------------------------------------------------------------------------------------------
def mirrored(game: Game, agent: str, full: bool) -> Counts:
    """An agent against itself."""
    slow = agent in (TURN, MASTER)
    return meet(game, agent, agent, (20_000 if full else 4_000) if slow else (200_000 if full else 30_000))


def first_finding(game: Game) -> Finding:
    """The three simple programs, which are those that the section is about, 10,000 matches each."""
    total = Counts(0, 0, 0, 0)
    for agent in ("s1", "s2", "s3"):
        total = total.plus(meet(game, agent, agent, FIRST_OF // 3))
    points = total.first + total.ties / 2
    value = said("section III.C")
    z = z_score(round(points), total.games, round(float(value.rstrip("%")) / 100 * FIRST_OF), FIRST_OF)
    low, high = wilson(round(points), total.games)
    ours = f"{points / total.games:.2%} of {total.games:,} ({100 * low:.1f} to {100 * high:.1f})"
    verdict = REPRODUCED if abs(z) <= CLOSE else NOT_REPRODUCED
    note = f"z {z:+.1f}; read as S1, S2 and S3 against themselves, 10,000 matches each"
    return Finding("section III.C", "wins of the first player", value, ours, verdict, note)


def first_table(game: Game, full: bool, say: Progress) -> Table:
    """Every program that differs from the others, against itself."""
    kinds = {PROGRAMS[name]: name for name in reversed(PROGRAMS) if not game.agents[name].slow}
    rows = []
    for agent in [*reversed(kinds.values()), *(name for name in (TURN, MASTER) if name in game.agents)]:
        say(f"who begins: {agent} against itself")
        found = mirrored(game, agent, full)
        points = found.first + found.ties / 2
        low, high = wilson(round(points), found.games)
        rows.append((agent, f"{found.games:,}", f"{points / found.games:.2%}", f"{low:.2%} to {high:.2%}", found.ties))
    note = "Ties, in which nobody has a tile at the end, count by half. 95 % intervals."
    columns = ("program", "matches", "the first player wins", "interval", "ties")
    return Table("What it is worth to begin", columns, rows, note)


# --- the threshold ---------------------------------------------------------------------------------------------------
def thresholds(game: Game, full: bool, say: Progress) -> dict[str, list[tuple[float, float]]]:
    """Win rates of all programs MCPx that differ, against three others."""
    games = 1_000_000 if full else 50_000
    settings, found = [x for _, x in steps()], {}
    for name, other in (("MC", STOPS), ("MCP10", TEN), ("MCP25", TEN._replace(risk=250))):
        say(f"thresholds of risk against {name}")
        found[name] = sweep(game, other, games, settings)
    return found


def threshold_table(found: dict[str, list[tuple[float, float]]], full: bool) -> Table:
    names = [text for text, _ in steps()]
    rows = []
    for n, name in enumerate(names):
        until = names[n + 1] if n + 1 < len(names) else ""
        shown = f"{name} up to {until}" if until and n else f"below {until}" if until else f"from {name}"
        rows.append(
            (shown, *(f"{mean:.2%} ± {Z95 * error:.2%}" for mean, error in (some[n] for some in found.values())))
        )
    note = (
        f"{'1,000,000' if full else '50,000'} matches each, ± half a 95 % interval. A program rolls on while formula "
        f"(3) is at most its threshold; the formula takes {len(names) - 1} values, so there are {len(names)} programs "
        f"and no more: 5 % and 10 % are one. Against MC the best have a threshold {_best(names, found['MC'])}: "
        "those whose interval reaches the best mean."
    )
    return Table("Win rates by the threshold of risk", ("threshold", *(f"against {x}" for x in found)), rows, note)


def _best(names: Sequence[str], means: Sequence[tuple[float, float]]) -> str:
    """The thresholds whose interval reaches up to the best mean, from the lowest to the highest."""
    most = max(mean for mean, _ in means)
    near = [n for n, (mean, error) in enumerate(means) if mean + Z95 * error >= most]
    until = names[near[-1] + 1] if near[-1] + 1 < len(names) else names[-1]
    return f"from {names[near[0]] if near[0] else '0 %'} to {until}"


# --- the end ---------------------------------------------------------------------------------------------------------
def end_table(game: Game, full: bool, say: Progress) -> Table:
    """MCP10 with another threshold near the end, against MCP10."""
    games = 2_000_000 if full else 200_000
    say("thresholds near the end")
    some = [("stops", -1), *(s for s in steps()[1:])]
    settings = [0 if x < 0 else x for _, x in some]  # 0 stops; -1 would be no rule of its own
    means = sweep(game, TEN, games, settings, at_end=True)
    rows = [
        (
            name,
            f"{mean:.2%} ± {Z95 * error:.2%}",
            "MC4" if x == 250 else "MC4Pr100" if x == 1000 else "MCP10" if x == 38 else "",
        )
        for (name, x), (mean, error) in zip(some, means, strict=True)
    ]
    note = (
        f"{games:,} matches each, ± half a 95 % interval. Near the end: an even number of tiles in the centre, at most "
        "three, all of them little (21 to 26), which is two."
    )
    columns = ("threshold near the end, from", "against MCP10", "published as")
    return Table("What another risk near the end gains over MCP10", columns, rows, note)


def turn_table(game: Game, full: bool, say: Progress) -> Table:
    """How often the player of exact turns rolls on, by formula (3), near the end and before."""
    games = 20_000 if full else 2_000
    say("what turn does near the end")
    found = once("stops", game, [SEED, TURN, games], lambda: watched(game, games), [__file__])
    rows = []
    for name, x in steps()[1:]:
        near, far = [found[k].get(str(x), [0, 0]) for k in ("near", "far")]
        rows.append(
            (name, *(_rolled(*some) for some in (near, far)), *("rolls" if x <= y else "stops" for y in (100, 250)))
        )
    note = (
        f"{games:,} matches of turn against itself; only decisions between stopping for a tile and rolling on, by the "
        "chance that the next roll fails at once. Where the published programs look at that chance alone, turn weighs "
        "what stopping brings, what more could, and the own tile at stake."
    )
    columns = ("formula (3)", "turn near the end", "turn before", "MCP10", "MC4 near the end")
    return Table("Rolling on: the player of exact turns and the published rule", columns, rows, note)


def _rolled(times: int, rolled: int) -> str:
    if not times:
        return "never came up"
    low, high = wilson(rolled, times)
    return f"{rolled / times:.0%} of {times:,} ({low:.0%} to {high:.0%})"


def watched(game: Game, games: int) -> dict[str, dict[str, list[int]]]:
    """Decisions to stop or roll on: by risk, how many there were and how often the player rolled."""
    from hazard.arena.play.compiled import line_up

    _, log = line_up(game, [TURN, TURN], SEED, shared=False).play_and_record(0, games)
    settings = [x for _, x in steps()[1:]]
    counts: dict[str, dict[str, list[int]]] = {"near": {}, "far": {}}
    for m, *fields in log[(log[:, 1 + State._fields.index("rolled")] == 0)].tolist():
        s = State(*fields)
        if dice := left(game.g, s):
            faces = faces_of(s.kept).bit_count()
            risk = next(x for x in settings if 1000 * faces**dice <= x * FACES**dice)
            one = counts["near" if near_end(s) else "far"].setdefault(str(risk), [0, 0])
            one[0] += 1
            one[1] += m == ROLL
    return counts


def gain_table(game: Game, full: bool, say: Progress) -> Table:
    """MC4 and the players beyond the paper, each against what it improves on."""
    say("step by step")
    games = 2_000_000 if full else 200_000
    mean, error = duel(game, TEN._replace(end_risk=250), TEN, games)
    slow = 20_000 if full else 4_000
    rows = [("MC4", "MCP10", f"{games:,}", f"{mean:.2%} ± {Z95 * error:.2%}")]
    for one, other in ((TURN, "mc4c-exact"), (MASTER, "mc4c-exact"), (MASTER, TURN)):
        if one in game.agents:
            rows.append((one, other, f"{slow:,}", told(meet(game, one, other, slow))))
    return Table("Step by step", ("program", "against", "matches", "wins"), rows, "± half a 95 % interval.")


# --- more players ----------------------------------------------------------------------------------------------------
def many_tables(full: bool, say: Progress) -> list[Table]:
    """Every line-up of some agents at tables of three, four and five."""
    return [_many(players, full, say) for players in (3, 4, 5)]


def _many(players: int, full: bool, say: Progress) -> Table:
    game = make(players=players)
    agents = [*((MASTER,) if MASTER in game.agents else ()), *MANY]
    line_ups, games = list(combinations(agents, players)), (6_000 if full else 300) * players
    paid: dict[str, list[tuple[float, float]]] = {name: [] for name in agents}
    for seats in line_ups:
        say(f"{players} players: {', '.join(seats)}")
        for name, result in zip(seats, _seated(game, seats, games), strict=True):
            paid[name].append(result)
    rows = []
    for name, some in sorted(paid.items(), key=lambda item: -np.mean([m for m, _ in item[1]])):
        mean, error = float(np.mean([m for m, _ in some])), sqrt(sum(e * e for _, e in some)) / len(some)
        rows.append((name, f"{mean:.3f} ± {Z95 * error:.3f}", f"{mean * players:.2f}"))
    note = f"All {len(line_ups)} line-ups, {games:,} games each, seats rotated; ± half a 95 % interval."
    columns = ("agent", "share of wins", "of an even share")
    return Table(f"Games of {players}", columns, rows, note)


def _seated(game: Game, seats: Sequence[str], games: int) -> list[tuple[float, float]]:
    def work() -> list[list[float]]:
        found = hazard.match(game, *seats, games=games, seed=SEED)
        return [[mean, error or 0.0] for mean, error in found.payoffs]

    return [(mean, error) for mean, error in once("many", game, [SEED, list(seats), games], work)]


# --- how far from optimal --------------------------------------------------------------------------------------------
def distance_table(full: bool, say: Progress) -> Table:
    """Programs graded on small games that are solved."""
    rows: list[tuple[object, ...]] = []
    note = (
        "Games against the optimal player with tiles 21 to 20 + n, every decision priced with the solution; "
        "± half a 95 % interval. Small games are ends of games: few tiles, all of them little."
    )
    for tiles in SMALL:
        game = make(tiles=tiles)
        for agent in GRADED:
            say(f"{agent} against optimal play with {tiles} tiles")
            rows.append((tiles, agent, *_graded(game, agent, 20_000 if full else 1_000)))
    columns = ("tiles", "program", "games", "loss per game", "loss per choice", "errors")
    return Table("How far programs are from optimal play", columns, rows, note)


def _graded(game: Game, agent: str, games: int) -> list[str]:
    def work() -> list[list[float]]:
        found = hazard.grade(game, agent, games=games, shown=0)
        figures = (found.sampled_loss_per_game, found.loss_per_choice, found.error_rate)
        return [[x.mean, (x.high - x.low) / 2 if x.high is not None and x.low is not None else 0.0] for x in figures]

    loss, choice, errors = once("grade", game, [SEED, agent, games], work)
    shown = [f"{x:.4f} ± {e:.4f}" for x, e in (loss, choice)]
    return [f"{games:,}", *shown, f"{errors[0]:.1%}"]


# --- simulated trees -------------------------------------------------------------------------------------------------
def trees_table(game: Game, full: bool, say: Progress) -> Table:
    """What exact expectations gain over so many trees."""
    rows: list[tuple[Any, ...]] = []
    for name, quick, more in (("mc100it", 2_000, 20_000), ("mc", 500, 4_000), ("mc1000it", 250, 2_000)):
        say(f"{name} against exact tables")
        rows.append((PROGRAMS[name].trees, name, told(meet(game, name, "mc-exact", more if full else quick))))
    note = (
        "Wins against the same program by exact expectation, with 95 % intervals. Published: 100 trees win 48.3 % "
        "against 500, 1,000 trees 50.4 %."
    )
    return Table("What exact tables gain", ("trees", "program", "wins against mc-exact"), rows, note)

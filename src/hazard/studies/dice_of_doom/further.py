"""What the thesis leaves to further work: why greedy fails with two dice, what it is worth to place one's own dice and
to move first, how far strategies are from optimal play, and games of three and four."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import hazard
from hazard.dice import battle
from hazard.rulebook import Game
from hazard.studies.cache import known, once
from hazard.studies.dice_of_doom.chances import Chances
from hazard.studies.dice_of_doom.games import boards_of, make, solve_report
from hazard.studies.dice_of_doom.jacobi import declined
from hazard.studies.dice_of_doom.matches import Task, play_all
from hazard.studies.matches import SEED
from hazard.studies.report import Progress, Table

TOLERANCE = 1e-6
MARGIN = 1e-5  # smaller losses are not counted; more than the error of two values
GREEDY_BOARDS = (("2x2", 2), ("2x3", 2), ("3x3", 2), ("2x2", 5), ("2x3", 5))
REINFORCEMENTS = ("deterministic", "random", "weighted", "chosen")
CHOICE_BOARDS = (("1x2", 2), ("1x2", 5), ("2x2", 2), ("2x2", 5), ("2x3", 2), ("2x3", 3))
DICE = (2, 3, 4, 5, 6)
BOARDS = ("1x2", "2x2", "2x3", "2x4", "3x3", "3x4", "4x4")
SECONDS, MINUTES = 2_000_000, 150_000_000  # boards that a quick and a full run solve
LARGE = {("3x3", 3), ("3x3", 4), ("3x3", 5), ("2x4", 5), ("3x4", 3), ("4x4", 2)}  # shown even if not solved
CHEAP = ("greedy", "expansion", "return-zero", "random")
MANY = (*CHEAP, "expectimax")
SEARCHED = {"4x4": 1_200, "5x5": 240}  # games of three and four with expectimax in a full run


# --- greedy with two dice --------------------------------------------------------------------------------------------
def score_table() -> Table:
    """The arithmetic of an attack that takes one tile and joins it to the largest territory."""
    rows = []
    for a, b in ((2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5)):
        p = float(battle(a, b, 6))
        rows.append((a, b, f"{p:.4f}", f"{p:+.4f}", f"{-(1 - p) * (a - 1):+.4f}", f"{p - (1 - p) * (a - 1):+.4f}"))
    note = (
        "Greedy counts a new tile as one point, the reinforcement it brings, and each lost die as one. With two dice a "
        "tile, nearly every border is 2 against 2: the attack scores below zero, so greedy ends its turn, unless the "
        "tile joins two territories. The score sees neither that a lost die may come back at the end of the turn "
        "nor that a captured tile is the other's loss; the next table counts what declining costs."
    )
    columns = ("attacker's dice", "defender's dice", "wins", "for the tile", "for dice lost", "score")
    return Table("Greedy's score of an attack that enlarges its territory by one", columns, rows, note)


def declined_table(say: Progress) -> Table:
    """How often greedy ends its turn where attacking is better, and what that costs, over all positions of a board."""
    rows = []
    for board, dice in GREEDY_BOARDS:
        say(f"what greedy declines on {board} with {dice} dice")
        places, ends, wrong, lost, rash, burnt = _declined(board, dice)
        shares = f"{ends / places:.1%}", f"{wrong / max(ends, 1):.1%}", f"{lost / max(wrong, 1):.4f}"
        losses = f"{lost / places:.4f}", f"{rash / places:.1%}", f"{burnt / places:.4f}"
        rows.append((board, dice, f"{places:,.0f}", *shares, *losses))
    note = (
        "All positions in which a turn may be ended and an attack is left, each counted once; values are those of "
        f"optimal play (zero-sum), certified to within {TOLERANCE:g}."
    )
    columns = (
        "board", "dice", "positions", "greedy ends", "of these better to attack", "lost each time", "lost per position",
        "attacks, better to end", "lost by that per position",
    )  # fmt: skip
    return Table("Attacks that greedy declines and optimal play makes", columns, rows, note)


def zero_sum(board: str, dice: int) -> Chances:
    """The table of optimal play: wins are values, losses are 1 less these."""
    from hazard.solving.solution import solved

    values = np.asarray(solved(make(board, dice)).tables()["values"], np.float64)
    table = Chances(make(board, dice))
    table.read(values, 1.0 - values)
    return table


def _declined(board: str, dice: int) -> list[float]:
    def work() -> list[float]:
        table = zero_sum(board, dice)
        return [float(sum(column)) for column in zip(*table.each(declined, table.table, MARGIN), strict=True)]

    return once("declined", make(board, dice), [MARGIN], work)


# --- reinforcement by choice -----------------------------------------------------------------------------------------
def choice_table(say: Progress) -> Table:
    """The mover's mean value by the way new dice come, and what it gains to be the only one who places them."""
    rows = []
    for board, dice in CHOICE_BOARDS:
        say(f"dice placed by choice on {board} with {dice} dice")
        games = [make(board, dice, reinforcement=how) for how in REINFORCEMENTS]
        means = [solve_report(game, TOLERANCE)["mean_first_attack"] for game in games]
        gains = _gains(board, dice)
        rows.append((board, dice, *(f"{m:.4f}" for m in means), *(f"{round(g, 4) + 0.0:+.4f}" for g in gains)))
    note = (
        "Means over all boards at the start of a turn. Where both players' dice come in the same way, it changes only "
        "what the first move is worth. The last columns say what it is worth to be the only one who chooses: the mean "
        "value of a player who does against one who does not, less 1/2, averaged over who moves first; optimal play "
        "of both, swept until no value changes by more than 1e-9."
    )
    ways = [f"chooser against {how}" for how in REINFORCEMENTS[:3]]
    return Table("What it is worth to place one's own dice", ("board", "dice", *REINFORCEMENTS, *ways), rows, note)


def _gains(board: str, dice: int) -> list[float]:
    game = make(board, dice, reinforcement="chosen", turns=0)
    return once("choice", game, [], lambda: [chooser_gain(board, dice, how) for how in REINFORCEMENTS[:3]])


def chooser_gain(board: str, dice: int, how: str) -> float:
    """The mean value of a player who places dice by choice against one whose dice come as `how` says, less 1/2."""
    from hazard.games.dice_of_doom.solver.value_table import table_of

    one, other = (table_of(make(board, dice, reinforcement=way, turns=0), whole=True) for way in ("chosen", how))
    change = 1.0
    while change > 1e-9:
        change = max(one.bound(other.values, 0.0), other.bound(one.values, 0.0))
    return float(one.values.mean() + 1.0 - other.values.mean()) / 2 - 0.5


# --- the first move --------------------------------------------------------------------------------------------------
def first_move_table(full: bool, say: Progress) -> Table:
    """What it is worth to move first, by board and dice limit."""
    rows = []
    for board in BOARDS:
        for dice in DICE:
            if row := first_move(board, dice, full, say):
                rows.append(row)
    note = (
        "The mover's mean value at the start of a turn, P(win) + P(tie) / 2 under optimal play of both, deterministic "
        "reinforcement; over all boards, and over those dealt with equally many tiles (or one more). The worth of "
        "the first move is what exceeds 1/2."
    )
    columns = ("board", "dice", "boards", "mean value", "worth", "worth, equal deal", "certified to")
    return Table("What the first move is worth", columns, rows, note)


def first_move(board: str, dice: int, full: bool, say: Progress) -> tuple[object, ...] | None:
    """The row of a board; None for one that is neither solved nor worth a line."""
    game = make(board, dice, turns=0)
    if boards_of(board, dice) <= (MINUTES if full else SECONDS) or known("first", game) is not None:
        say(f"the first move on {board} with {dice} dice")
        means = once("first", game, [], lambda: _proven_means(board, dice))
        return _first_row(board, dice, means, "not proven: stand-offs last too long")
    if (board, dice) not in LARGE:
        return None
    command = f"hazard solve dice-of-doom -p board={board} -p max_dice={dice}"
    return _first_row(board, dice, _stored_means(game), f"not solved yet: {command} --tolerance 1e-3")


def _first_row(board: str, dice: int, means: Sequence[float], otherwise: str) -> tuple[object, ...]:
    where = board, dice, f"{boards_of(board, dice):,}"
    if not means:
        return *where, otherwise, "", "", ""
    mean, equal, error = means
    return *where, f"{mean:.6f}", f"{mean - 0.5:+.4f}", f"{equal - 0.5:+.4f}", f"{error:.0e}"


def _stored_means(game: Game) -> list[float]:
    """The means of a board that takes long, if somebody has solved it."""
    from hazard.solving.solution import load, stored_at

    if not stored_at(game).exists():
        return []
    return once("first", game, [], lambda: list(_read_means(load(stored_at(game)))))


def _proven_means(board: str, dice: int) -> list[float]:
    """The means, or nothing if the solver cannot prove its values."""
    from hazard.solving.certify import NotProven
    from hazard.solving.solution import solved

    try:
        return list(_read_means(solved(make(board, dice))))
    except NotProven:
        return []


def _read_means(solution: Any) -> Iterator[float]:
    """The mean at the start of a turn over all boards, over equally dealt ones, and the error of a value."""
    starts, tiles = solution.tables()["values"][0], solution.game.table.tiles
    means = np.array([float(np.mean(starts[mask], dtype=np.float64)) for mask in range(1 << tiles)])
    held = np.array([mask.bit_count() for mask in range(1 << tiles)])
    yield float(means.mean())
    yield float(np.mean([means[held == k].mean() for k in {tiles // 2, (tiles + 1) // 2}]))
    yield float(solution.error)


# --- how far from optimal --------------------------------------------------------------------------------------------
def distance_table(full: bool, say: Progress) -> Table:
    """Every strategy graded against optimal play on solved boards."""
    rows: list[tuple[object, ...]] = []
    for board, dice in (("2x2", 5), ("2x3", 5), ("2x3", 2), ("3x3", 2)):
        for agent in (*MANY, "monte-carlo", "mcts", "chance-mcts"):
            slow = agent not in MANY
            games = (2_000 if slow else 100_000) if full else (60 if slow else 4_000)
            say(f"{agent} against optimal play on {board} with {dice} dice")
            *losses, errors = _graded(board, dice, agent, games)
            lost = (f"{mean:.4f} ± {half:.4f}" for mean, half in losses)
            rows.append((board, dice, agent, f"{games:,}", *lost, f"{errors[0]:.1%}"))
    note = (
        "Games against the optimal player, boards dealt at random, every move priced with the solution: what is lost "
        "in a game and at a decision with a choice, and how many of these decisions lose anything; ± half a 95 % "
        "interval."
    )
    columns = ("board", "dice", "strategy", "games", "loss per game", "loss per choice", "errors")
    return Table("How far each strategy is from optimal play", columns, rows, note)


def _graded(board: str, dice: int, agent: str, games: int) -> list[list[float]]:
    game = make(board, dice, turns=0)

    def work() -> list[list[float]]:
        grade = hazard.grade(game, agent, games=games, shown=0)
        figures = (grade.sampled_loss_per_game, grade.loss_per_choice, grade.error_rate)
        return [[x.mean, (x.high - x.low) / 2 if x.high is not None and x.low is not None else 0.0] for x in figures]

    return once("grade", game, [agent, games], work)


# --- games of three and four -----------------------------------------------------------------------------------------
def multi_player_tables(full: bool, say: Progress) -> list[Table]:
    """One player of each kind among two or three of another."""
    tables = []
    for players in (3, 4):
        for board in ("4x4", "5x5"):
            rows = []
            for agent in MANY:
                say(f"{players} players on {board}: {agent}")
                rows.append((agent, *(_among(board, players, agent, other, full) for other in MANY)))
            title = f"Games of {players} on {board}: mean payoff of one among {players - 1} of another kind"
            note = f"5 dice, deterministic reinforcement, random deal; ± one standard error. Even: {1 / players:.3f}."
            tables.append(Table(title, ("one", *(f"among {other}" for other in MANY)), rows, note))
    return tables


def _among(board: str, players: int, agent: str, other: str, full: bool) -> str:
    if agent == other:
        return ""
    slow = "expectimax" in (agent, other)
    games = (SEARCHED[board] if slow else 60_000) if full else (24 if slow else 1_200)
    game = make(board, 5, players=players)

    def work() -> list[float]:
        payoff, error = hazard.match(game, agent, *[other] * (players - 1), games=games, seed=SEED).payoffs[0]
        return [payoff, error or 0.0]

    mean, error = once("many", game, [agent, other, games], work, solves=False)
    return f"{mean:.3f} ± {error:.3f}"


# --- strategy against strategy ---------------------------------------------------------------------------------------
HEAT = ("random", "return-zero", "expansion", "greedy", "expectimax", "monte-carlo", "chance-mcts", "mcts")
SLOW = ("monte-carlo", "chance-mcts", "mcts")


def heat(dice: int, full: bool, say: Progress) -> tuple[Sequence[str], np.ndarray]:
    """Mean payoffs of strategy against strategy on 3x3; the optimal player too with two dice."""
    names = (*HEAT, "optimal") if dice == 2 else HEAT
    tasks = {(a, b): _meeting(a, b, dice, full) for i, a in enumerate(names) for b in names[:i]}

    def count(done: int, total: int) -> None:
        say(f"strategies on 3x3 with {dice} dice: meeting {done} of {total}")

    counts = play_all(list(tasks.values()), count)
    payoffs = np.full((len(names), len(names)), 0.5)
    for (a, b), task in tasks.items():
        i, j = names.index(a), names.index(b)
        payoffs[i, j] = counts[task].share
        payoffs[j, i] = 1 - payoffs[i, j]
    return names, payoffs


def _meeting(a: str, b: str, dice: int, full: bool) -> Task:
    searching = sum(name in SLOW for name in (a, b))
    games = (10_000, 400, 400)[searching] if full else (2_000, 60, 30)[searching]
    return Task("3x3", dice, "random", "deterministic", (a, b), 0, games)

"""Commands about one line-up, and about one agent: match, test, grade, check-bot."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Unpack

import click

from hazard.cli import bots, options
from hazard.cli.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from hazard.arena.match import Match


WITH_WINS = ["agent", "wins", "mean", "95 % interval", "wins by seat"]


@click.command()
@options.game
@click.argument("agents", nargs=-1, required=True, shell_complete=options.complete_agent)
@click.option("--games", "count", type=int, default=10_000, show_default=True, help="How many games to play.")
@options.secret_seed
@options.sampling
@options.isolation
@options.as_json
def match(
    name: str,
    agents: tuple[str, ...],
    parameters: tuple[str, ...],
    count: int,
    seed: int | None,
    independent: bool,
    luck: bool,
    reads: tuple[str, ...],
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Play many games between AGENTS, one for each seat; the seats rotate.

    Games that differ only in who sits where share their dice. An agent may be a bot: a command such as ./mybot.py.
    """
    from hazard.arena.match import match as play_match

    game = options.chosen_game(name, parameters)
    limits, seed = bots.chosen_limits(agents, reads, trust_bots), bots.chosen_seed(agents, seed)
    shared = not independent
    with progress_bar(f"playing {name}") as progress:
        result = play_match(
            game, *agents, games=count, seed=seed, shared=shared, luck=luck, limits=limits, progress=progress
        )
    if as_json:
        about = {"game": name, "parameters": game.parameters, "rules": game.version}
        return print_json(about | asdict(result) | {"games_per_second": result.games_per_second})
    columns = ["agent", "mean", "95 % interval"] if game.seats == 1 else WITH_WINS
    columns = columns + ["less luck"] * luck
    print_table(f"{count} games of {game.describe()}, seed {seed}", columns, _match_rows(result))
    return click.echo(", ".join(_match_notes(result)))


def _match_rows(result: Match) -> list[list[str]]:
    rows = []
    for a, agent in enumerate(result.agents):
        low, high = result.intervals[a]
        row = [f"{result.payoffs[a][0]:.4f}", f"{low:.4f} to {high:.4f}"]
        if len(result.agents) > 1:
            row = [str(result.wins[a]), *row, " ".join(str(n) for n in result.wins_by_seat[a])]
        row = [agent, *row]
        rows.append(row + ([_plus_minus(*result.adjusted[a])] if result.adjusted else []))
    return rows


def _match_notes(result: Match) -> list[str]:
    notes = [f"ties {result.ties}"] if len(result.agents) > 1 else []
    notes += [f"{result.cut} cut off"] if result.cut else []
    notes += [f"shared dice are worth {result.shared_dice:.3g} times the games"] if result.shared_dice else []
    if result.less_luck:
        saved = round(result.games * (result.less_luck - 1))
        notes.append(f"subtracting luck is worth {result.less_luck:.4g} times the games and saves {saved:,}")
    notes += [f"{fault} {times} times" for fault, times in result.faults.items()]
    return [*notes, f"{result.games_per_second:,.0f} games a second"]


def _plus_minus(mean: float, error: float | None) -> str:
    return f"{mean:.5f}" + (f" ± {1.96 * error:.5f}" if error is not None else "")


@click.command()
@options.game
@click.argument("a", shell_complete=options.complete_agent)
@click.argument("b", shell_complete=options.complete_agent)
@click.option("--elo0", type=float, default=0.0, show_default=True, help="H0: A is at most this much better.")
@click.option("--elo1", type=float, default=5.0, show_default=True, help="H1: A is at least this much better.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often H1 may be accepted wrongly.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often H0 may be accepted wrongly.")
@click.option("--most", type=int, default=10_000_000, show_default=True, help="Games after which to give up.")
@options.secret_seed
@options.workers
@options.isolation
@options.as_json
def test(
    name: str,
    a: str,
    b: str,
    parameters: tuple[str, ...],
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    most: int,
    seed: int | None,
    processes: int | None,
    cluster: str | None,
    reads: tuple[str, ...],
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Is A better than B? Plays pairs of games until that is decided: a sequential probability ratio test."""
    from hazard.arena.statistics.sequential import Sequential
    from hazard.arena.statistics.trial import trial

    game = options.chosen_game(name, parameters)
    rule = Sequential(elo0, elo1, alpha, beta)
    limits, seed = bots.chosen_limits([a, b], reads, trust_bots), bots.chosen_seed([a, b], seed)
    with progress_bar(f"{a} against {b}") as progress:
        result = trial(
            game,
            a,
            b,
            rule,
            most=most,
            seed=seed,
            limits=limits,
            processes=options.worker_count(processes),
            cluster=cluster,
            progress=lambda now: progress(2 * now.pairs, most),
        )
    if as_json:
        return print_json(result)
    click.echo(result["sentence"])
    low, high = result["bounds"]
    elo = [f"{x:+.2f}" if x is not None else "unbounded" for x in (result["elo"], *result["elo_interval"])]
    rows = [
        ["log-likelihood ratio", f"{result['llr']:.3f} (H0 at {low:.3f}, H1 at {high:.3f})"],
        ["pairs with 0, 1/2, 1, 3/2, 2 points", " ".join(f"{n:,}" for n in result["counts"])],
        ["Elo, 95 %", f"{elo[0]} ({elo[1]} to {elo[2]})"],
        *([["seed", str(seed)]] if bots.among([a, b]) else []),
    ]
    print_table("", ["", ""], rows)
    return click.echo(result["note"])


# --- judging one agent ---------------------------------------------------------------------------------------------
@click.command()
@options.game
@click.argument("agent", shell_complete=options.complete_agent)
@click.option(
    "--games", "count", type=int, help="Games in which its decisions are watched.  [default: 100000, 200 for a bot]"
)
@click.option("--worst", type=int, default=10, show_default=True, help="How many of its worst positions to list.")
@options.secret_seed
@options.isolation
@options.as_json
def grade(
    name: str,
    agent: str,
    parameters: tuple[str, ...],
    count: int | None,
    worst: int,
    seed: int | None,
    reads: tuple[str, ...],
    trust_bots: bool,
    as_json: bool,
) -> None:
    """What AGENT's decisions lose against optimal play, and what a best response wins from it."""
    from hazard.arena.grading.bot import grade_bot
    from hazard.arena.grading.grade import grade as grade_agent
    from hazard.arena.grading.report import rows as tables
    from hazard.arena.play.seated import check_agents

    game = options.chosen_game(name, parameters)
    check_agents(game, [agent])
    limits, seed = bots.chosen_limits([agent], reads, trust_bots), bots.chosen_seed([agent], seed)
    with progress_bar(f"grading {agent}") as progress:
        if agent in game.agents:
            result = grade_agent(game, agent, 100_000 if count is None else count, seed, worst, progress)
        else:
            result = grade_bot(game, agent, 200 if count is None else count, seed, worst, limits, progress)
    if as_json:
        return print_json(asdict(result))
    for title, columns, rows in tables(result):
        print_table(title, columns, rows)
        click.echo()
    return click.echo(f"seed {seed}") if bots.among([agent]) else None


@click.command("check-bot")
@options.game
@click.argument("command")
@options.limits
@options.as_json
def check_bot(
    name: str, command: str, parameters: tuple[str, ...], as_json: bool, **limits: Unpack[options.LimitOptions]
) -> None:
    """Run the protocol's cases against a bot and say which it fails; exit code 1 if it fails any."""
    from hazard.arena.bots.check import check_bot as check

    game = options.chosen_game(name, parameters)
    cases = check(game, command, bots.chosen_limits([command], **limits))
    passed = all(case.passed for case in cases)
    if as_json:
        print_json({"game": name, "bot": command, "passed": passed, "cases": [asdict(case) for case in cases]})
    else:
        rows = [["passed" if case.passed else "FAILED", case.name, case.detail] for case in cases]
        print_table(f"{command} as a bot for {game.describe()}", ["", "case", ""], rows)
    sys.exit(0 if passed else 1)

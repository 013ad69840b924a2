"""Commands about one line-up, and about one agent: match, test, grade, check-bot."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from hazard.cli.options import (
    agents_argument,
    chosen_game,
    cluster_option,
    complete_agent,
    game_argument,
    json_option,
    limits,
    make_limits,
    parameter_option,
    processes_option,
    seed_option,
    worker_count,
)
from hazard.cli.output import print_json, print_table, progress_bar


@click.command()
@game_argument
@agents_argument
@parameter_option
@click.option("--games", "count", type=int, default=10_000, show_default=True, help="How many games to play.")
@seed_option
@click.option("--independent", is_flag=True, help="Every game has its own dice.")
@click.option("--luck", is_flag=True, help="Also take off what chance gave; solves the game first.")
@json_option
def match(
    name: str,
    agents: tuple[str, ...],
    parameters: tuple[str, ...],
    count: int,
    seed: int,
    independent: bool,
    luck: bool,
    as_json: bool,
) -> None:
    """Play many games between AGENTS, one for each seat; the seats rotate.

    Games that differ only in who sits where share their dice. An agent may be a bot: a command such as ./mybot.py.
    """
    from hazard.arena.match import match as play_match

    game = chosen_game(name, parameters)
    with progress_bar(f"playing {name}") as progress:
        found = play_match(game, *agents, games=count, seed=seed, shared=not independent, luck=luck, progress=progress)
    if as_json:
        about = {"game": name, "parameters": game.parameters, "rules": game.version}
        return print_json(about | asdict(found) | {"games_per_second": found.games_per_second})
    columns = ["agent", "wins", "mean", "95 % interval", "wins by seat"] + ["less luck"] * luck
    rows = []
    for a, agent in enumerate(found.agents):
        low, high = found.intervals[a]
        row = [agent, str(found.wins[a]), f"{found.payoffs[a][0]:.4f}", f"{low:.4f} to {high:.4f}"]
        row.append(" ".join(str(n) for n in found.wins_by_seat[a]))
        rows.append(row + ([_plus_minus(*found.adjusted[a])] if found.adjusted else []))
    print_table(f"{count} games of {game.describe()}, seed {seed}", columns, rows)
    notes = [f"ties {found.ties}" + (f" ({found.cut} cut off)" if found.cut else "")]
    notes += [f"shared dice are worth {found.shared_dice:.3g} times the games"] if found.shared_dice else []
    if found.less_luck:
        saved = round(count * (found.less_luck - 1))
        notes.append(f"taking luck off is worth {found.less_luck:.4g} times the games and saves {saved:,}")
    notes += [f"{fault} {times} times" for fault, times in found.faults.items()]
    click.echo(", ".join([*notes, f"{found.games_per_second:,.0f} games a second"]))
    return None


def _plus_minus(mean: float, error: float | None) -> str:
    return f"{mean:.5f}" + (f" ± {1.96 * error:.5f}" if error is not None else "")


@click.command()
@game_argument
@click.argument("a", shell_complete=complete_agent)
@click.argument("b", shell_complete=complete_agent)
@parameter_option
@click.option("--elo0", type=float, default=0.0, show_default=True, help="A is no better than this, or ...")
@click.option("--elo1", type=float, default=5.0, show_default=True, help="... A is this much better.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often the second may be said wrongly.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often the first may be said wrongly.")
@click.option("--most", type=int, default=10_000_000, show_default=True, help="Games after which to give up.")
@seed_option
@processes_option
@cluster_option
@json_option
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
    seed: int,
    processes: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Is A better than B? Plays pairs of games until that is decided: a sequential probability ratio test."""
    from hazard.arena.statistics.sequential import Sequential
    from hazard.arena.statistics.trial import trial

    game = chosen_game(name, parameters)
    rule = Sequential(elo0, elo1, alpha, beta)
    with progress_bar(f"{a} against {b}") as progress:
        found = trial(
            game,
            a,
            b,
            rule,
            most=most,
            seed=seed,
            processes=worker_count(processes),
            cluster=cluster,
            progress=lambda now: progress(2 * now.pairs, most),
        )
    if as_json:
        return print_json(found)
    click.echo(found["sentence"])
    shown = [f"{x:+.2f}" if x is not None else "unbounded" for x in (found["elo"], *found["elo_interval"])]
    rows = [
        [
            "log-likelihood ratio",
            f"{found['llr']:.3f} (H0 at {found['bounds'][0]:.3f}, H1 at {found['bounds'][1]:.3f})",
        ],
        ["pairs with 0, 1/2, 1, 3/2, 2 points", " ".join(f"{n:,}" for n in found["counts"])],
        ["Elo, 95 %", f"{shown[0]} ({shown[1]} to {shown[2]})"],
    ]
    print_table("", ["", ""], rows)
    return click.echo(found["note"])


# --- judging one agent ---------------------------------------------------------------------------------------------
@click.command()
@game_argument
@click.argument("agent", shell_complete=complete_agent)
@parameter_option
@click.option("--games", "count", type=int, help="Games in which its decisions are watched.")
@click.option("--worst", type=int, default=10, show_default=True, help="How many of its worst positions to list.")
@seed_option
@json_option
def grade(
    name: str, agent: str, parameters: tuple[str, ...], count: int | None, worst: int, seed: int, as_json: bool
) -> None:
    """What AGENT's decisions give away against optimal play, and what a best response wins from it."""
    from hazard.arena.grading.bot import grade_bot
    from hazard.arena.grading.grade import grade as find_grade
    from hazard.arena.grading.report import rows as tables
    from hazard.arena.play.table import check_agents

    game = chosen_game(name, parameters)
    check_agents(game, [agent])
    with progress_bar(f"grading {agent}") as progress:
        if agent in game.agents:
            found = find_grade(game, agent, 100_000 if count is None else count, seed, worst, progress)
        else:
            found = grade_bot(game, agent, 200 if count is None else count, seed, worst, progress=progress)
    if as_json:
        return print_json(asdict(found))
    for title, columns, rows in tables(found):
        print_table(title, columns, rows)
        click.echo()
    return None


@click.command("check-bot")
@game_argument
@click.argument("command")
@parameter_option
@limits
@json_option
def check_bot(
    name: str,
    command: str,
    parameters: tuple[str, ...],
    bank: float,
    increment: float,
    memory: int,
    fallback: str,
    as_json: bool,
) -> None:
    """Run the protocol's cases against a bot and say what it fails; exit code 1 if it fails any."""
    from hazard.arena.bots.check import check_bot as check

    game = chosen_game(name, parameters)
    found = check(game, command, make_limits(bank, increment, memory, fallback))
    passed = all(case.passed for case in found)
    if as_json:
        print_json({"game": name, "bot": command, "passed": passed, "cases": [asdict(case) for case in found]})
    else:
        rows = [["passed" if case.passed else "FAILED", case.name, case.detail] for case in found]
        print_table(f"{command} as a bot for {game.describe()}", ["", "case", ""], rows)
    sys.exit(0 if passed else 1)

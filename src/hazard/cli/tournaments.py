"""Commands about tournaments: play one, go on with it, look into it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli.options import (
    chosen_game,
    cluster_option,
    complete_agent,
    folder_argument,
    game_argument,
    json_option,
    limits,
    make_limits,
    parameter_option,
    processes_option,
    seed_option,
    worker_count,
)
from hazard.cli.output import playing_bar, print_json, print_table
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.arena.tournament.setting import Setting


@click.command()
@game_argument
@click.argument("agents", nargs=-1, shell_complete=complete_agent)
@parameter_option
@click.option("--games", "count", type=int, default=10_000, show_default=True, help="Games for each line-up.")
@seed_option
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the results.")
@click.option(
    "--gauntlet", metavar="AGENT", help="Only line-ups in which this agent sits.", shell_complete=complete_agent
)
@click.option("--lineups", type=click.Path(path_type=Path), help="A file of line-ups: one a line, an agent a seat.")
@click.option("--independent", is_flag=True, help="Every game has its own dice.")
@click.option("--luck", is_flag=True, help="Also take off what chance gave; solves the game first.")
@click.option("--record", type=click.Choice(["moves"]), help="Keep every decision too.")
@click.option("--batch", type=int, help="Games in a batch.  [default: a 128th of all]")
@limits
@processes_option
@cluster_option
@json_option
def tournament(
    name: str,
    agents: tuple[str, ...],
    parameters: tuple[str, ...],
    count: int,
    seed: int,
    out: Path,
    gauntlet: str | None,
    lineups: Path | None,
    independent: bool,
    luck: bool,
    record: str | None,
    batch: int | None,
    bank: float,
    increment: float,
    memory: int,
    fallback: str,
    processes: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play every line-up of AGENTS in all seats; may be killed at any time and resumed.

    Agents are the game's own or bots: commands such as ./mybot.py. Without --lineups every combination of as many
    agents as there are seats plays, and in every line-up each agent sits in every seat equally often.
    """
    from hazard.arena.tournament.setting import read_line_ups, round_robin, settle

    game = chosen_game(name, parameters)
    if lineups is not None:
        if agents or gauntlet:
            raise BadInput("--lineups names the agents; name no others and no --gauntlet")
        named = read_line_ups(lineups, game.seats)
        agents = tuple(dict.fromkeys(agent for some in named for agent in some))
        line_ups = [[agents.index(agent) for agent in some] for some in named]
    else:
        line_ups = round_robin(agents, game.seats, gauntlet)
    setting = settle(
        game,
        agents,
        line_ups,
        games=count,
        seed=seed,
        shared=not independent,
        luck=luck,
        record=record == "moves",
        limits=make_limits(bank, increment, memory, fallback),
        batch=batch,
    )
    _play(out, setting, processes, cluster, as_json)


@click.command()
@folder_argument
@click.option("--games", "count", type=int, help="Go on to this many games for each line-up.")
@processes_option
@cluster_option
@json_option
def resume(folder: Path, count: int | None, processes: int | None, cluster: str | None, as_json: bool) -> None:
    """Go on with the tournament in DIR, or extend it; the end is the same as without a break."""
    import msgspec

    from hazard.arena.tournament.store import read_setting

    setting = read_setting(folder)
    if count is not None:
        setting = msgspec.structs.replace(setting, games=count)
    _play(folder, setting, processes, cluster, as_json)


def _play(out: Path, setting: Setting, processes: int | None, cluster: str | None, as_json: bool) -> None:
    from hazard.arena.tournament.run import run

    words = ["hazard", "resume", str(out), *(["--processes", str(processes)] if processes else [])]
    again = shlex.join([*words, *(["--cluster", cluster] if cluster else [])])
    try:
        with playing_bar(f"playing {setting.game}", again) as progress:
            found = run(out, setting, worker_count(processes), cluster, progress)
    except (KeyboardInterrupt, OSError) as problem:
        why = "interrupted" if isinstance(problem, KeyboardInterrupt) else str(problem)
        click.echo(f"hazard: {why}; nothing that was complete is lost. To go on:\n{again}", err=True)
        sys.exit(130 if isinstance(problem, KeyboardInterrupt) else 2)
    report = str(out / "report.html")
    if as_json:
        return print_json({"folder": str(out), "report": report, "resume": again, **found})
    return _show(found, report)


def _show(found: dict[str, Any], report: str) -> None:
    from hazard.arena.tournament.summary import tables

    for title, columns, rows in tables(found):
        print_table(title, columns, rows)
        click.echo()
    for fault in found["faults"]:
        words = f": {fault['words'].strip().splitlines()[-1]}" if fault["words"].strip() else ""
        click.echo(f"{fault['agent']}: {fault['reason']} {fault['count']} times{words}")
    click.echo(f"tables and pictures: {report}")


@click.command()
@folder_argument
@click.argument("game_id", type=int)
@json_option
def replay(folder: Path, game_id: int, as_json: bool) -> None:
    """Show game GAME_ID of the tournament in DIR move by move."""
    from hazard.arena.tournament.replay import lines
    from hazard.arena.tournament.replay import replay as play_again

    found = play_again(folder, game_id)
    if as_json:
        return print_json(found)
    return click.echo("\n".join(lines(found)))


@click.command()
@folder_argument
@click.option("--sql", default="from games limit 20", show_default=True, help="A query in DuckDB's SQL.")
@json_option
def results(folder: Path, sql: str, as_json: bool) -> None:
    """Query the tournament in DIR.

    \b
    Tables: games (a row for each game), results (a row for each agent in each game), line_ups,
    and moves (a row for each decision, after --record moves).
    """
    from hazard.arena.tournament.query import query

    columns, rows = query(folder, sql)
    if as_json:
        return print_json({"columns": columns, "rows": [[_plain(value) for value in row] for row in rows]})
    return print_table("", columns, [["" if value is None else str(value) for value in row] for row in rows])


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)

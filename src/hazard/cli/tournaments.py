"""Commands about tournaments: play one, resume it, replay its games, query its results."""

from __future__ import annotations

import shlex
import sys
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from hazard.cli import bots, options
from hazard.cli.output import playing_bar, print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.arena.tournament.setting import Setting


@click.command()
@options.game
@click.argument("agents", nargs=-1, shell_complete=options.complete_agent)
@click.option("--games", "count", type=int, default=10_000, show_default=True, help="Games for each line-up.")
@options.secret_seed
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the results.")
@click.option(
    "--gauntlet", metavar="AGENT", help="Only line-ups in which this agent sits.", shell_complete=options.complete_agent
)
@click.option("--lineups", type=click.Path(path_type=Path), help="A file with a line-up on each line, seat by seat.")
@options.sampling
@click.option("--record", type=click.Choice(["moves"]), help="Also store every decision.")
@click.option("--batch", type=int, help="Games in a batch.  [default: a 128th of all]")
@options.limits
@options.workers
@options.as_json
def tournament(
    name: str,
    agents: tuple[str, ...],
    parameters: tuple[str, ...],
    count: int,
    seed: int | None,
    out: Path,
    gauntlet: str | None,
    lineups: Path | None,
    independent: bool,
    luck: bool,
    record: str | None,
    batch: int | None,
    processes: int | None,
    cluster: str | None,
    as_json: bool,
    **limits: Unpack[options.LimitOptions],
) -> None:
    """Play every line-up of AGENTS in all seats. It can be killed at any time and resumed.

    Agents are the game's own or bots: commands such as ./mybot.py. Without --lineups, every combination of agents that
    fills the seats plays. In every line-up each agent sits in every seat equally often.
    """
    from hazard.arena.tournament.setting import read_line_ups, round_robin, settle

    game = options.chosen_game(name, parameters)
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
        seed=bots.chosen_seed(agents, seed, _seed_in(out)),
        shared=not independent,
        luck=luck,
        record=record == "moves",
        limits=bots.chosen_limits(agents, **limits),
        batch=batch,
    )
    _play(out, setting, processes, cluster, as_json)


def _seed_in(folder: Path) -> int | None:
    """The seed of a tournament that was begun; to give the same command again is to go on with it."""
    from hazard.arena.tournament.store import SETTING, read_setting

    return read_setting(folder).seed if (folder / SETTING).exists() else None


@click.command()
@options.folder
@click.option("--games", "count", type=int, help="Play up to this many games for each line-up.")
@click.option("--repair", "mend", is_flag=True, help="First play damaged batches again; they come out as they were.")
@options.workers
@options.as_json
def resume(
    folder: Path, count: int | None, mend: bool, processes: int | None, cluster: str | None, as_json: bool
) -> None:
    """Resume the tournament in DIR, or extend it; the results are the same as without a break."""
    import msgspec

    from hazard.arena.tournament.store import read_setting

    setting = read_setting(folder)
    bots.tell_isolation(setting.agents, setting.limits)
    if mend:
        _mend(folder, setting, processes, cluster)
    if count is not None:
        setting = msgspec.structs.replace(setting, games=count)
    _play(folder, setting, processes, cluster, as_json)


def _mend(folder: Path, setting: Setting, processes: int | None, cluster: str | None) -> None:
    from hazard.arena.tournament.repair import repair

    with progress_bar("repairing") as progress:
        mended = repair(folder, setting, options.worker_count(processes), cluster, progress)
    for why in mended:
        click.echo(f"repaired: {why}", err=True)
    if not mended:
        click.echo("nothing is damaged", err=True)


def _play(out: Path, setting: Setting, processes: int | None, cluster: str | None, as_json: bool) -> None:
    from hazard.arena.tournament.run import run

    words = ["hazard", "resume", str(out), *(["--processes", str(processes)] if processes else [])]
    again = shlex.join([*words, *(["--cluster", cluster] if cluster else [])])
    try:
        with playing_bar(f"playing {setting.game}", again) as progress:
            summary = run(out, setting, options.worker_count(processes), cluster, progress)
    except (KeyboardInterrupt, OSError) as problem:
        why = "interrupted" if isinstance(problem, KeyboardInterrupt) else str(problem)
        click.echo(f"hazard: {why}; nothing that was complete is lost. To resume:\n{again}", err=True)
        sys.exit(130 if isinstance(problem, KeyboardInterrupt) else 2)
    report = str(out / "report.html")
    if as_json:
        return print_json({"folder": str(out), "report": report, "resume": again, **summary})
    return _show(summary, report)


def _show(summary: dict[str, Any], report: str) -> None:
    from hazard.arena.tournament.summary import tables

    for title, columns, rows in tables(summary):
        print_table(title, columns, rows)
        click.echo()
    for fault in summary["faults"]:
        words = f": {fault['words'].strip().splitlines()[-1]}" if fault["words"].strip() else ""
        click.echo(f"{fault['agent']}: {fault['reason']} {fault['count']} times{words}")
    if summary["bots"]:
        click.echo(f"seed, which was kept from the bots: {summary['seed']}")
    click.echo(f"tables and pictures: {report}")


@click.command()
@options.folder
@click.argument("game_id", type=int)
@options.as_json
def replay(folder: Path, game_id: int, as_json: bool) -> None:
    """Show game GAME_ID of the tournament in DIR move by move."""
    from hazard.arena.tournament.replay import lines
    from hazard.arena.tournament.replay import replay as play_again

    record = play_again(folder, game_id)
    return print_json(record) if as_json else click.echo("\n".join(lines(record)))


@click.command()
@options.folder
@click.option("--sql", default="from games limit 20", show_default=True, help="A query in DuckDB's SQL.")
@options.as_json
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
    """A value as JSON has it, at any depth."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


# --- verifying -----------------------------------------------------------------------------------------------------
def verify_folder(folder: Path, count: int | None, seed: int | None, processes: int | None, as_json: bool) -> bool:
    """Compare a tournament's files with their checksums, and games with their seed; whether all are right."""
    from hazard.arena.tournament.verify import verify

    with progress_bar("playing again") as progress:
        found = verify(folder, count, seed, options.worker_count(processes), progress)
    if as_json:
        print_json(found)
    else:
        rows = [["passed" if row["passed"] else "FAILED", row["what"], row["detail"]] for row in found["checks"]]
        print_table(f"{folder}: a tournament", ["", "", ""], rows)
        for note in found["notes"]:
            click.echo(f"note: {note}")
    return found["passed"]

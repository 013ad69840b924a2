"""Commands for designers of games: sweep, picture."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.analysis.sweep import Row
    from hazard.rulebook import Game

PICTURES = (".svg", ".png", ".pdf")


@click.command()
@click.argument("name", metavar="GAME", shell_complete=options.complete_game)
@click.argument("ranges", metavar="KEY=RANGE...", nargs=-1, required=True)
@options.parameters
@click.option("--agent", default="", help="Play by this agent; nothing is solved.")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="To solve one row; 0 solves nothing.")
@click.option("--games", type=click.IntRange(2, 10_000_000), help="Of each row.  [default: 2000, or 200 by search]")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.csv", help="Also write the rows, as they come.")
@options.as_json
def sweep(
    name: str,
    ranges: tuple[str, ...],
    parameters: tuple[str, ...],
    agent: str,
    seconds: float,
    games: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """What a change of the rules does: a table of GAME over parameters.

    A RANGE is 10..100, 10..100:10 with a step, or a list such as 10,20,50; of several, all combinations are tried. The
    value is that of the first seat: exact where the game can be solved, otherwise from games between equal agents.
    Solutions are kept, so a sweep that was stopped goes on quickly.
    """
    from hazard.analysis.sweep import grid
    from hazard.analysis.sweep import sweep as rows_of
    from hazard.declaration import opened

    if out:
        options.check_file("--out", out)
    fixed = options.parse_parameters(parameters)
    asked = options.parse_parameters(ranges)
    if both := sorted(set(fixed) & set(asked)):
        raise BadInput(f"{both[0]}: is swept over and set with -p; leave one out")
    rows, found = grid(opened(name), asked), []

    def make(some: dict[str, Any]) -> Game:
        return options.chosen_game(name, tuple(f"{key}={value}" for key, value in {**fixed, **some}.items()))

    with progress_bar(f"sweeping {name}") as tell, _written(out, list(asked)) as write:
        for row in rows_of(make, rows, seconds, agent, games, tell):
            found.append(row)
            write(row)
    if as_json:
        return print_json({"game": name, "parameters": fixed, "rows": [asdict(row) for row in found]})
    return _print_rows(name, list(asked), found)


@contextmanager
def _written(out: Path | None, keys: list[str]) -> Iterator[Any]:
    """Writes rows to a file as they come, if there is one."""
    if out is None:
        yield lambda row: None
        return
    from hazard.analysis.sweep import Row

    with out.open("w", newline="", encoding="utf-8") as file:
        lines, names = csv.writer(file), [column.name for column in fields(Row) if column.name != "parameters"]
        lines.writerow([*keys, *names])

        def write(row: Row) -> None:
            told = {key: row.parameters[key] for key in keys} | {name: getattr(row, name) for name in names}
            lines.writerow(["" if value is None else value for value in told.values()])
            file.flush()

        yield write


def _print_rows(name: str, keys: list[str], rows: list[Row]) -> None:
    alone = all(row.draws is None for row in rows)
    columns = [*keys, "value", "+-", "known", "moves", *["draws"] * (not alone), "positions", "games", "by"]
    print_table(f"{name}: what the first seat gets", columns, [_cells(row, keys, alone) for row in rows])
    for remark in dict.fromkeys(row.remark for row in rows if row.remark):
        click.echo(f"not solved: {remark}")
    if cut := sum(row.cut for row in rows):
        click.echo(f"{cut} games did not end and were cut off")


def _cells(row: Row, keys: list[str], alone: bool) -> list[str]:
    told = [str(row.parameters[key]) for key in keys]
    told += [f"{row.value:.6f}", f"{row.margin:.1g}", row.known, f"{row.length:.1f} +- {row.length_margin:.1g}"]
    told += [] if alone else ["" if row.draws is None else f"{100 * row.draws:.1f} %"]
    return [*told, f"{row.positions:,}" if row.positions else "", str(row.games), row.agent]


@click.command()
@options.game
@click.option("--x", "across", metavar="FIELD", required=True, help="A field of the position, or FIELD=LOW..HIGH.")
@click.option("--y", "up", metavar="FIELD", required=True, help="Another one.")
@click.option(
    "--at", "fixed", multiple=True, metavar="FIELD=VALUE", help="The value of another field; repeat for more."
)
@click.option("--agent", default="", shell_complete=options.complete_agent, help="Show its moves, not the best ones.")
@options.tolerance
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="An .svg, .png or .pdf.")
def picture(
    name: str,
    parameters: tuple[str, ...],
    across: str,
    up: str,
    fixed: tuple[str, ...],
    agent: str,
    tolerance: float,
    out: Path,
) -> None:
    """Draw the best move of GAME over two fields of the position.

    The other fields are as they are at the start, unless --at says otherwise. This solves the game first.
    """
    from hazard.analysis.players import check_known
    from hazard.analysis.policy import policy
    from hazard.drawing.policies import draw_policy
    from hazard.solving.solution import solved

    if out.suffix.lower() not in PICTURES:
        raise BadInput(f"--out {out}: a picture ends in {', '.join(PICTURES)}")
    options.check_file("--out", out)
    game = options.chosen_game(name, parameters)
    if agent:
        check_known(game, agent)
    with progress_bar(f"solving {name}") as progress:
        solution = None if agent else solved(game, tolerance, progress)
    found = policy(solution.game if solution else game, across, up, _numbers(fixed), solution, agent or "best moves")
    draw_policy(found, out)
    click.echo(f"{out}: {', '.join(found.names[:10])}")


def _numbers(fixed: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for text in fixed:
        key, equals, value = text.partition("=")
        try:
            found[key] = int(value if equals else "")
        except ValueError:
            raise BadInput(f"--at {text}: write it as FIELD=VALUE with a whole number, e.g. --at pot=20") from None
    return found

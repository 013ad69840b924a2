"""The command about the atlas: famous games, solved from their rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, status_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hazard.atlas.records import Line


def complete_name(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.declaration import atlas_names

    return [name for name in sorted(atlas_names()) if name.startswith(begun)]


@click.command()
@click.argument("names", metavar="[GAME]...", nargs=-1, shell_complete=complete_name)
@options.parameters
@click.option("--solve", is_flag=True, help="Solve the lines that are not, and record what comes out.")
@click.option("--again", is_flag=True, help="With --solve: also those that are.")
@options.tolerance
@click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of records to read and write.  [default: in the cache, and the package's own]",
)
@click.option("--page", type=click.Path(path_type=Path), metavar="FILE.md", help="Also write the page for the docs.")
@options.as_json
def atlas(
    names: tuple[str, ...],
    parameters: tuple[str, ...],
    solve: bool,
    again: bool,
    tolerance: float,
    records: Path | None,
    page: Path | None,
    as_json: bool,
) -> None:
    """Famous dice games, each solved from its rules alone: certified values beside what was published.

    All games of the atlas are shown, or the GAMEs named; -p keeps the lines with that parameter. A line that was solved
    with other rules than the file has now is not shown as certified.
    """
    from hazard.atlas.page import page as whole_page
    from hazard.atlas.records import lines
    from hazard.atlas.table import COLUMNS, rows, texts
    from hazard.files import write_whole

    chosen = lines(names, options.parse_parameters(parameters))
    if page:
        options.check_file("--page", page)
    if solve:
        _solve(chosen, again, tolerance, records)
    found = rows(chosen, records)
    if page:
        write_whole(page, whole_page(chosen, found).encode())
    if as_json:
        return print_json({"atlas": found})
    return print_table("", list(COLUMNS), [texts(row) for row in found])


def _solve(chosen: Sequence[Line], again: bool, tolerance: float, folder: Path | None) -> None:
    """Solve what is not, and say as it goes what was solved and what was not."""
    from hazard.atlas.records import Record, holds, own_folder, record_of, solve_lines
    from hazard.atlas.table import duration, shown

    wanted = [line for line in chosen if again or not holds(record_of(line, folder), line)]
    with status_line() as say:
        say(f"solving {wanted[0].game.describe()}" if wanted else "")
        for n, (line, found) in enumerate(solve_lines(wanted, tolerance, folder or own_folder()), 1):
            told = f"{shown(found, line)} in {duration(found.seconds)}" if isinstance(found, Record) else found
            click.echo(f"{line.game.describe()}: {told}", err=True)
            say(f"solving {wanted[n].game.describe()}" if n < len(wanted) else "")

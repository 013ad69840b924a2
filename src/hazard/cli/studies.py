"""The command that makes papers' tables again."""

from __future__ import annotations

from pathlib import Path

import click

from hazard.cli.options import json_option
from hazard.cli.output import print_json, print_table, saying

STUDIES = ("dice-of-doom", "dice-wars", "great-rolled-ones", "pickomino", "risk")


@click.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...")
@click.option("--full", is_flag=True, help="As many games and as large tables as the paper, or more.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the page and its pictures.",
)
@json_option
def reproduce(studies: tuple[str, ...], full: bool, out: Path, as_json: bool) -> None:
    """Make a paper's tables and figures again: published, ours, verdict. Without STUDY, all of them."""
    from dataclasses import asdict

    from hazard.files import check_folder
    from hazard.studies import report

    names = studies or STUDIES
    check_folder(out, report.SIGN)
    with saying() as say:
        found = [report.load(name, STUDIES).study(full, say) for name in names]
        place = report.write(found, out, say)
    if as_json:
        columns = ("where", "quantity", "published", "ours", "verdict", "note")
        rows = [{"study": s.name} | {c: asdict(f)[c] for c in columns} for s in found for f in s.findings]
        return print_json({"studies": [s.name for s in found], "findings": rows, "page": str(place)})
    for s in found:
        if len(s.findings) > report.MANY:
            print_table(s.title, *report.counted(s.findings))
        else:
            shown = ["where", "quantity", "published", "ours", "verdict"]
            print_table(s.title, shown, [[f.where, f.quantity, f.published, f.ours, f.verdict] for f in s.findings])
        click.echo()
    click.echo(f"tables and pictures: {place}")
    return None

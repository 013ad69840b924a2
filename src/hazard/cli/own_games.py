"""Commands for authors of games: new, check."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table
from hazard.errors import BadInput


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def new(file: Path) -> None:
    """Write a small game to FILE, to start from. What is there already is never overwritten."""
    from hazard.declaration import installed_names, name_in
    from hazard.fingerprint import PACKAGE

    if file.suffix != ".py":
        raise BadInput(f"{file}: a game is a file that ends in .py, e.g. {file.with_suffix('.py')}")
    if name_in(str(file)) in installed_names():
        raise BadInput(f"{file}: there is a game {name_in(str(file))!r} already; give the file another name")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write((PACKAGE / "own_games" / "starter.txt").read_text(encoding="utf-8"))
    except FileExistsError:
        raise BadInput(f"{file}: is there already; name another file") from None
    shown = file if len(file.parts) > 1 else f"./{file}"
    click.echo(f"{file} is a game. Check it with `hazard check {shown}`, play it with `hazard play {shown}`.")


@click.command()
@options.game
@click.option("--positions", type=click.IntRange(10), default=4000, show_default=True, help="How many to look at.")
@options.as_json
def check(name: str, parameters: tuple[str, ...], positions: int, as_json: bool) -> None:
    """Say what is wrong with GAME, each with a position that shows it; exit code 1 if something is."""
    from hazard.checking.check import check as check_game

    game = options.chosen_game(name, parameters)
    report = check_game(game, positions)
    findings = [{"wrong": f.wrong, "what": f.what, "position": f.position} for f in report.findings]
    if as_json:
        about = {"game": game.name, "parameters": game.parameters, "passed": report.passed}
        print_json(about | {"positions": report.positions, "all": report.all, "findings": findings})
    else:
        rows = [["WRONG" if f.wrong else "note", f.what, f.position] for f in report.findings]
        seen = f"all {report.positions:,}" if report.all else f"{report.positions:,}"
        if rows:
            print_table("", ["", "what", "shown by"], rows)
        click.echo(
            f"{game.describe()}: {seen} positions looked at, {'nothing' if report.passed else 'something'} is wrong"
        )
    sys.exit(0 if report.passed else 1)

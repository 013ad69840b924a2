"""Commands for authors of games: new, check, check-certificate."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, progress_bar
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


@click.command("check-certificate")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@options.game
@click.option("--all", "every", is_flag=True, help="Check every position, however many there are.")
@click.option(
    "--sample", type=click.IntRange(1), default=10_000, show_default=True, help="Otherwise so many, drawn at random."
)
@options.seed
@options.as_json
def check_certificate(
    file: Path, name: str, parameters: tuple[str, ...], every: bool, sample: int, seed: int, as_json: bool
) -> None:
    """Prove the certificate in FILE again, by the rules of GAME alone and without the solver.

    A table of no more positions than a sample is checked whole. Parameters are those of the certificate unless given.
    The exit code is 1 if a position fails.
    """
    from hazard.checking.certificate import check_certificate, head_of

    mine = parameters or tuple(f"{key}={value}" for key, value in head_of(file)["parameters"].items())
    game = options.chosen_game(name, mine)
    with progress_bar("checking") as progress:
        report = check_certificate(file, game, every, sample, seed, progress)
    if as_json:
        print_json(report)
    else:
        print_table(report.pop("game"), ["", ""], [[key, _words(value)] for key, value in report.items()])
    sys.exit(1 if report["verdict"] == "refused" else 0)


def _words(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={each!r}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)

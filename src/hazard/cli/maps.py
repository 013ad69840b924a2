"""The command that draws and saves maps, for games that are played on maps of their own."""

from __future__ import annotations

from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json
from hazard.errors import BadInput


@click.command(name="map")
@options.game
@click.argument("number", type=int)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="FILE.svg for a picture, FILE.json for a map to play on with -p map=FILE.json.",
)
@options.as_json
def draw_map(name: str, number: int, parameters: tuple[str, ...], out: Path, as_json: bool) -> None:
    """Draw or save the map of that NUMBER."""
    from hazard.declaration import declared

    write_map = declared(name).map
    if write_map is None:
        raise BadInput(f"{name} is not played on maps; {options.games_with('map')} is")
    game = options.chosen_game(name, (*parameters, f"map={number}"))
    if out.suffix.lower() not in (".svg", ".json"):
        raise BadInput(f"--out {out}: name a file that ends in .svg for a picture, or in .json for a map to play on")
    options.check_file("--out", out)
    sizes = write_map(game, number, out)
    if as_json:
        return print_json({"game": game.describe(), "map": number, **sizes, "file": str(out)})
    return click.echo(f"map {number}: {sizes['territories']} territories, {sizes['borders']} borders: {out}")

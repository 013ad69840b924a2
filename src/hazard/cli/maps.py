"""The command that draws and saves maps, for games that are played on maps of their own."""

from __future__ import annotations

from pathlib import Path

import click

from hazard.cli.options import chosen_game, game_argument, json_option, parameter_option
from hazard.cli.output import print_json
from hazard.errors import BadInput


@click.command(name="map")
@game_argument
@click.argument("number", type=int)
@parameter_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="FILE.svg for a picture, FILE.json for a map to play on with -p map=FILE.json.",
)
@json_option
def draw_map(name: str, number: int, parameters: tuple[str, ...], out: Path, as_json: bool) -> None:
    """Draw or save the map of that NUMBER."""
    from hazard.rulebook import declared, game_names

    write_map = declared(name).map
    if write_map is None:
        able = ", ".join(other for other in game_names() if declared(other).map)
        raise BadInput(f"{name} is not played on maps; {able} is")
    game = chosen_game(name, (*parameters, f"map={number}"))
    if out.suffix.lower() not in (".svg", ".json"):
        raise BadInput(f"--out {out}: name a file that ends in .svg for a picture, or in .json for a map to play on")
    if out.is_dir() or not out.parent.is_dir():
        raise BadInput(f"--out {out}: cannot write there; name a file in a folder that exists")
    found = write_map(game, number, out)
    if as_json:
        return print_json({"game": game.describe(), "map": number, **found, "file": str(out)})
    return click.echo(f"map {number}: {found['territories']} territories, {found['borders']} borders: {out}")

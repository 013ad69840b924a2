"""The command that makes puzzles."""

from __future__ import annotations

from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json, progress_bar
from hazard.errors import BadInput


@click.command()
@options.game
@click.option("--count", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="Puzzles to make.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the games they are taken from.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for them.  [default: where the lab finds them]",
)
@options.as_json
def puzzles(name: str, parameters: tuple[str, ...], count: int, seed: int, out: Path | None, as_json: bool) -> None:
    """Make puzzles of GAME: positions in which one move is clearly the best, graded by difficulty.

    Without -p they are made for the game as the lab offers it first. The lab's page Learn has them at once.
    """
    from collections import Counter

    from hazard.analysis.puzzles import folder, make_puzzles, save
    from hazard.declaration import opened

    usual = opened(name).lab.parameters
    wanted = parameters or tuple(f"{key}={value}" for key, value in usual.items())
    game = options.chosen_game(name, wanted)
    path = out or folder() / f"{game.name}.json"
    with progress_bar(f"puzzles of {name}") as progress:
        made = make_puzzles(game, count, seed, progress)
    if not made.puzzles:
        raise BadInput(f"{game.describe()}: no position was found in which one move is clearly the best")
    save(made, path)
    levels = Counter(puzzle.level for puzzle in made.puzzles)
    traps = sum(bool(puzzle.fooled) for puzzle in made.puzzles)
    if as_json:
        report = {"game": game.name, "parameters": game.parameters, "known": made.known, "file": str(path)}
        return print_json(report | {"puzzles": len(made.puzzles), "levels": dict(levels), "traps": traps})
    shown = ", ".join(f"{levels[level]} of level {level}" for level in sorted(levels))
    click.echo(f"{len(made.puzzles)} puzzles, {made.known}: {shown}; in {traps} the obvious move is wrong")
    return click.echo(f"kept in {path}")

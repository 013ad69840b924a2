"""The command that learns a game by self-play."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.learning.course import Course, Point

MINUTES = 30.0


@click.command()
@options.game
@click.option(
    "--minutes",
    type=float,
    help=f"Minutes in all.  [default: {MINUTES:g}, or as --rounds says]",
)
@click.option("--rounds", type=int, help="Rounds in all; the same seed then always gives the same weights.")
@options.seed
@click.option("--games", type=int, default=2000, show_default=True, help="Games against each rival at a measurement.")
@click.option("--every", type=int, default=20, show_default=True, help="Rounds between two measurements.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for weights, curve and checkpoint.")
@options.as_json
def learn(
    name: str,
    parameters: tuple[str, ...],
    minutes: float | None,
    rounds: int | None,
    seed: int,
    games: int,
    every: int,
    out: Path,
    as_json: bool,
) -> None:
    """Learn to play GAME by self-play. It can be killed at any time; the same command resumes it.

    The folder gets weights.bin, whose first line says where the weights come from, and the curve of strength over time
    against fixed rivals as curve.json, curve.svg and curve.png.
    """
    minutes = MINUTES if minutes is None and rounds is None else minutes
    for option, value in (("--minutes", minutes), ("--rounds", rounds), ("--games", games), ("--every", every)):
        if value is not None and value <= 0:
            raise BadInput(f"{option} {value:g}: must be more than 0")
    if not 0 <= seed < 2**63:
        raise BadInput(f"--seed {seed}: must be from 0 to 2^63 - 1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order, whatever the number of cores
    command = _command(name, parameters, minutes, rounds, seed, games, every, out)
    course = _begin(name, parameters, seed, out, command)
    _learn(course, minutes, rounds, every, games)
    _report(course, as_json)


def _command(name: str, parameters: tuple[str, ...], *values: Any) -> str:
    """The command as it was given, with its defaults."""
    words = ["hazard", "learn", name, *(word for text in parameters for word in ("-p", text))]
    for option, value in zip(("minutes", "rounds", "seed", "games", "every", "out"), values, strict=True):
        words += [] if value is None else [f"--{option}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def _begin(name: str, parameters: tuple[str, ...], seed: int, out: Path, command: str) -> Course:
    from hazard.learning.course import Course

    game = options.chosen_game(name, parameters)
    if (learn := game.declaration.learn) is None:
        raise BadInput(f"{name} cannot be learnt; {options.games_with('learn')} can")
    return Course(game, learn(game), seed, out, command)


def _learn(course: Course, minutes: float | None, rounds: int | None, every: int, games: int) -> None:
    click.echo(f"if this is stopped, go on with:\n{course.command}", err=True)
    with progress_bar(f"learning {course.game.name}") as bar:

        def say(course: Course, point: Point | None) -> None:
            if point:
                click.echo(_line(point), err=True)
            if rounds is not None:
                bar(course.rounds, rounds)
            elif minutes is not None:
                bar(min(int(course.seconds), int(60 * minutes)), int(60 * minutes))

        try:
            course.learn(minutes, rounds, every, games, say)
        except KeyboardInterrupt:
            click.echo(f"hazard: interrupted; to go on from the last checkpoint:\n{course.command}", err=True)
            sys.exit(130)


def _line(point: Point) -> str:
    strength = [f"{s.mean:.3f} ({s.low:.3f} to {s.high:.3f}) against {s.rival}" for s in point.strength]
    return f"round {point.round}, {point.minutes:.1f} minutes: {', '.join(strength)}"


def _report(course: Course, as_json: bool) -> None:
    import msgspec

    from hazard.learning import curve
    from hazard.learning.course import WEIGHTS

    pictures = curve.draw(course.folder, course.title, course.points)
    note = msgspec.to_builtins(course.note)
    if as_json:
        return print_json(note | {"weights": str(course.folder / WEIGHTS), "curve": [str(path) for path in pictures]})
    shown = ("rounds", "games", "positions", "minutes")
    print_table(course.title, ["", ""], [[key, str(note[key])] for key in shown])
    for strength in course.points[-1].strength:
        interval = f"{strength.low:.4f} to {strength.high:.4f}"
        click.echo(f"{strength.mean:.4f} ({interval}) in {strength.games} games against {strength.rival}")
    return click.echo(f"weights: {course.folder / WEIGHTS}; curve: {pictures[0]}")

"""The command that learns a game by self-play."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli.options import chosen_game, game_argument, json_option, parameter_option, seed_option
from hazard.cli.output import print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.learning.course import Course, Point

MINUTES = 30.0


@click.command()
@game_argument
@parameter_option
@click.option("--minutes", type=float, help=f"Learn for so long in all.  [default: {MINUTES:g}, or as --rounds says]")
@click.option("--rounds", type=int, help="Stop after so many rounds: with the same seed, always at the same weights.")
@seed_option
@click.option("--games", type=int, default=2000, show_default=True, help="Games with each rival to measure strength.")
@click.option("--every", type=int, default=20, show_default=True, help="Rounds between two measurements.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for weights, curve and checkpoint.")
@json_option
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
    """Learn to play GAME by self-play; may be killed at any time, and the same command goes on.

    DIR gets weights.bin, with a first line that says where they come from, and the curve of strength over time
    against fixed rivals as curve.json, curve.svg and curve.png.
    """
    minutes = MINUTES if minutes is None and rounds is None else minutes
    for option, value in (("--minutes", minutes), ("--rounds", rounds), ("--games", games), ("--every", every)):
        if value is not None and value <= 0:
            raise BadInput(f"{option} {value:g}: must be more than 0")
    if not 0 <= seed < 2**63:
        raise BadInput(f"--seed {seed}: must be from 0 to 2^63 - 1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order, whatever the number of cores
    course = _begin(name, parameters, seed, out, _again(name, parameters, minutes, rounds, seed, games, every, out))
    _learn(course, minutes, rounds, every, games)
    _report(course, as_json)


def _again(name: str, parameters: tuple[str, ...], *options: Any) -> str:
    """The command as it was given, with its defaults."""
    words = ["hazard", "learn", name, *(word for text in parameters for word in ("-p", text))]
    for option, value in zip(("minutes", "rounds", "seed", "games", "every", "out"), options, strict=True):
        words += [] if value is None else [f"--{option}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def _begin(name: str, parameters: tuple[str, ...], seed: int, out: Path, command: str) -> Course:
    from hazard.learning.course import Course
    from hazard.rulebook import declared, game_names

    game = chosen_game(name, parameters)
    if (learn := game.declaration.learn) is None:
        able = [other for other in game_names() if declared(other).learn]
        raise BadInput(f"{name} cannot be learnt; {', '.join(able)} can")
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
    found = [f"{s.mean:.3f} ({s.low:.3f} to {s.high:.3f}) against {s.rival}" for s in point.strength]
    return f"round {point.round}, {point.minutes:.1f} minutes: {', '.join(found)}"


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

"""The command for a class: a folder of bots in, a page out."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli import bots, options
from hazard.cli.output import playing_bar, print_json
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.arena.classroom.play import Class
    from hazard.rulebook import Game


@click.command("class")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--game", "name", required=True, metavar="GAME", help="What they play.", shell_complete=options.complete_game
)
@options.parameters
@click.option("--games", "count", type=int, default=40, show_default=True, help="Games for each line-up.")
@click.option(
    "--against",
    multiple=True,
    metavar="AGENT",
    help="An agent of the game that plays along; repeatable.  [default: random]",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: DIR-results]")
@click.option("--seed", type=int, help="Give the dice.  [default: a secret seed, told at the end]")
@options.bot_limits
@options.reads
@click.option("--processes", type=int, help="Worker processes.  [default: one for each core]")
@options.as_json
def play_class(
    folder: Path,
    name: str,
    parameters: tuple[str, ...],
    count: int,
    against: tuple[str, ...],
    out: Path | None,
    seed: int | None,
    processes: int | None,
    as_json: bool,
    **limits: Any,
) -> None:
    """Check the bots in DIR, let all that pass play each other, and make a page for the class and for each pupil.

    \b
    DIR holds a program for each pupil, or a folder with one that is named bot, such as bot.py:
      hazard class ./handed-in --game pig --games 100
    Bots are copied first, and run isolated: this needs Linux. It can be stopped at any time;
    the same command goes on. Then open index.html in the folder of results.
    """
    from hazard.arena.classroom.page import write_pages
    from hazard.arena.classroom.play import play_class as play

    game = options.chosen_game(name, parameters)
    out = out or folder.resolve().with_name(f"{folder.resolve().name}-results")
    wanted = _wanted(game, count, against, bots.chosen_seed(["./bot"], seed, _seed_in(out)), limits)
    words = ["hazard", *(word for word in sys.argv[1:] if word != "--debug")]
    say = _quiet if as_json else click.echo
    try:
        with playing_bar(f"playing {game.name}", shlex.join(words)) as progress:
            found = play(folder, out, wanted, game, options.worker_count(processes), say, progress)
    except KeyboardInterrupt:
        click.echo(f"hazard: interrupted; nothing that was complete is lost. To resume:\n{shlex.join(words)}", err=True)
        sys.exit(130)
    page = write_pages(out, found)
    passed = [entry.name for entry in found.of.entries if all(case.passed for case in found.checks[entry.slug])]
    if as_json:
        entries = [entry.name for entry in found.of.entries]
        return print_json({"page": str(page), "bots": entries, "passed": passed, "tournament": found.summary})
    failed = len(found.of.entries) - len(passed)
    return click.echo(f"{len(passed)} bots passed, {failed} failed a check; open {page}")


def _seed_in(out: Path) -> int | None:
    """The seed of a class that was begun."""
    from hazard.arena.classroom.play import SIGN, read_class

    return read_class(out).seed if (out / SIGN).exists() else None


def _quiet(line: str) -> None:
    """Where standard output is for one JSON object."""
    click.echo(line, err=True)


def _wanted(game: Game, count: int, against: tuple[str, ...], seed: int, limits: dict[str, Any]) -> Class:
    from hazard.arena.bots.isolation import check_reads
    from hazard.arena.bots.limits import Limits
    from hazard.arena.classroom.play import Class
    from hazard.errors import unknown

    uniform = [name for name, agent in game.agents.items() if agent.uniform]
    for name in against:
        if name not in game.agents:
            raise unknown(f"agent of {game.name}", name, game.agents)
    if count < game.seats:
        raise BadInput(f"--games {count}: must be {game.seats} or more, so that everybody sits in every seat")
    given = Limits(**{**limits, "reads": check_reads(limits["reads"]), "insist": True})
    return Class(
        game=game.source,
        parameters=game.parameters,
        games=count,
        against=list(against or uniform[:1]),
        limits=given,
        seed=seed,
    )

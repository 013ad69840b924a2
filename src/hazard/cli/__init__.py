"""The command line: one command, `hazard`. It prints tables, or with --json one JSON object."""

from __future__ import annotations

import sys
import traceback
from typing import NoReturn

import click

from hazard import __version__
from hazard.cli import (
    arena,
    atlas,
    classes,
    designing,
    games,
    learning,
    maps,
    own_games,
    puzzles,
    serving,
    studies,
    tournaments,
)
from hazard.errors import BadInput


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hazard")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where in the program an error came up.")
def cli() -> None:
    """A laboratory for dice games: exact optimal play, agents, matches, and the papers' tables.

    \b
    Start with:
      hazard games                                   what there is
      hazard solve pig                               exact values with certified bounds
      hazard advise great-rolled-ones "p1 32:41 k7 o1"
      hazard play pig human optimal                  play in the terminal
      hazard match pig optimal hold-at-20            who wins how often
      hazard tournament pig optimal hold-at-20 hold-at-25 --out cup
      hazard class ./handed-in --game pig            a class's bots: checked, isolated, ranked
      hazard grade pig hold-at-20                    what its decisions lose
      hazard learn pickomino --out lessons           learn by self-play
      hazard puzzles pig                             positions to find the best move in
      hazard reproduce risk --out results            a paper's tables and pictures
      hazard atlas                                   famous games, solved from their rules alone
      hazard lab                                     the lab in the browser
      hazard serve                                   rooms for people, agents and bots
    \b
    A game of your own is one file, and GAME may be one wherever a game is asked for:
      hazard new mygame.py                           a small game to start from
      hazard check mygame.py                         what is wrong with it, in words
      hazard match ./mygame.py mcts random
      hazard sweep ./mygame.py goal=20..100:20       what a change of the rules does
    """


for command in (
    games.games,
    games.agents,
    games.warm,
    games.solve,
    games.advise,
    games.play,
    arena.match,
    tournaments.tournament,
    tournaments.resume,
    tournaments.replay,
    tournaments.results,
    classes.play_class,
    arena.test,
    arena.grade,
    arena.check_bot,
    own_games.new,
    own_games.check,
    own_games.check_certificate,
    atlas.atlas,
    designing.sweep,
    designing.picture,
    maps.draw_map,
    learning.learn,
    puzzles.puzzles,
    studies.reproduce,
    serving.lab,
    serving.serve,
    serving.join,
    serving.verify,
    serving.backup,
):
    cli.add_command(command)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands, games and agents in your SHELL.

    \b
    For bash, for example:  eval "$(hazard completion bash)"
    """
    from click.shell_completion import get_completion_class

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    click.echo(completion_class(cli, {}, "hazard", "_HAZARD_COMPLETE").source())


def _fail(message: str, code: int) -> NoReturn:
    if "--debug" in sys.argv:
        traceback.print_exc()
    click.echo(f"hazard: {' '.join(message.split())}", err=True)
    sys.exit(code)


def _explained(problem: Exception) -> str:
    """One line about an error that comes from a user's game; any other is raised again."""
    from hazard.declaration import opened_files

    if paths := opened_files():
        from hazard.own_games.faults import explain

        if said := explain(problem, paths):
            return said
    raise problem


def main() -> None:
    """Run the command line; bad input ends with one line and exit code 2, Ctrl-C with 130."""
    words = [word for word in sys.argv[1:] if word != "--debug"]  # which may stand anywhere
    try:
        code = cli(words, prog_name="hazard", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as problem:
        click.echo(problem.format_message())
        sys.exit(0)
    except click.UsageError as problem:
        hint = f" (see `{problem.ctx.command_path} --help`)" if problem.ctx else ""
        _fail(problem.format_message() + hint, 2)
    except BadInput as problem:
        _fail(str(problem), 2)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as problem:
        _fail(f"{problem.filename or 'input or output'}: {problem.strerror}", 2)
    except MemoryError:
        _fail("not enough memory for this; take a smaller game", 2)
    except Exception as problem:
        _fail(_explained(problem), 2)
    sys.exit(code if isinstance(code, int) else 0)

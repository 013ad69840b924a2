"""Arguments and options that several commands share, with completion of names."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

import click

from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.rulebook import Game

Decorator = Callable[[Callable], Callable]


def together(*decorators: Decorator) -> Decorator:
    """Several arguments or options as one decorator."""
    return lambda command: reduce(lambda wrapped, decorate: decorate(wrapped), reversed(decorators), command)


# --- names -----------------------------------------------------------------------------------------------------------
def complete_game(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.declaration import all_names

    return [name for name in all_names() if name.startswith(begun)]


def complete_agent(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.rulebook import game

    try:
        names = ["human", *game(context.params.get("name", "")).agents]
    except BadInput:
        return []
    return [name for name in names if name.startswith(begun)]


def complete_study(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.studies import study_names

    return [name for name in study_names() if name.startswith(begun)]


# --- the game --------------------------------------------------------------------------------------------------------
parameters = click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a parameter of the game; repeat for more.",
)
game = together(click.argument("name", metavar="GAME", shell_complete=complete_game), parameters)


def parse_parameters(texts: tuple[str, ...]) -> dict[str, str]:
    parameters = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise BadInput(f"-p {text}: write it as KEY=VALUE, e.g. -p goal=50")
        parameters[key] = value
    return parameters


def chosen_game(name: str, texts: tuple[str, ...], position: str | None = None) -> Game:
    """The game of that name; where the game can, with parameters that go with a position."""
    from hazard import jit
    from hazard.cli.output import tell_compiling
    from hazard.declaration import opened
    from hazard.rulebook import open_game

    jit.on_compile = tell_compiling
    parameters = parse_parameters(texts)
    fit = opened(name).fit
    if fit and position is not None:
        parameters = fit(parameters, position)
    return open_game(name, parameters)


def games_with(part: str) -> str:
    """The games that declare some part, e.g. "picture", for an error message."""
    from hazard.declaration import declared, game_names

    return ", ".join(name for name in game_names() if getattr(declared(name), part))


# --- what is printed and written -------------------------------------------------------------------------------------
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def check_file(option: str, path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done."""
    if path.is_dir() or not path.parent.is_dir():
        raise BadInput(f"{option} {path}: cannot write there; name a file in a folder that exists")


# --- solving and playing ---------------------------------------------------------------------------------------------
tolerance = click.option(
    "--tolerance", type=float, default=1e-9, show_default=True, help="The largest certified error that is allowed."
)
seed = click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
secret_seed = click.option(
    "--seed",
    type=int,
    show_default="1; with bots a secret one, told at the end",
    help="The same seed gives the same games.",
)
sampling = together(
    click.option("--independent", is_flag=True, help="Give every game its own dice."),
    click.option("--luck", is_flag=True, help="Also subtract what the dice gave; this solves the game first."),
)
folder = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
workers = together(
    click.option("--processes", type=int, help="Worker processes.  [default: one for each core]"),
    click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, e.g. tcp://127.0.0.1:8786."),
)


def worker_count(processes: int | None) -> int:
    from hazard.arena.tournament.runner import cores

    return cores() if processes is None else processes


class LimitOptions(TypedDict):
    """What bots may use, as given on the command line."""

    bank: float
    increment: float
    memory: int
    fallback: Literal["forfeit", "random"]
    reads: tuple[str, ...]
    trust_bots: bool


reads = click.option(
    "--reads", multiple=True, metavar="PATH", help="Let bots read this file or folder, too; repeatable."
)
isolation = together(
    reads,
    click.option("--trust-bots", is_flag=True, help="Run bots without isolation: with the network and all your files."),
)
bot_limits = together(
    click.option("--bank", type=float, default=10.0, show_default=True, help="Seconds that a bot has for a game."),
    click.option("--increment", type=float, default=0.1, show_default=True, help="Seconds added for each move."),
    click.option("--memory", type=int, default=512, show_default=True, help="Megabytes that a bot may use."),
    click.option(
        "--fallback",
        type=click.Choice(["forfeit", "random"]),
        default="forfeit",
        show_default=True,
        help="What a bot's fault costs: the game, or a random move.",
    ),
)
limits = together(bot_limits, isolation)

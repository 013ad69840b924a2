"""Arguments and options that several commands share, with completion of names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.arena.bots.limits import Limits
    from hazard.rulebook import Game


def complete_game(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.rulebook import game_names

    return [name for name in game_names() if name.startswith(begun)]


def complete_agent(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.rulebook import game

    try:
        names = ["human", *game(context.params.get("name", "")).agents]
    except BadInput:
        return []
    return [name for name in names if name.startswith(begun)]


game_argument = click.argument("name", metavar="GAME", shell_complete=complete_game)
parameter_option = click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a parameter of the game; repeat for more.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
seed_option = click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
tolerance_option = click.option(
    "--tolerance", type=float, default=1e-9, show_default=True, help="The certified error asked for."
)


def parse_parameters(texts: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise BadInput(f"-p {text}: write it as KEY=VALUE, e.g. -p goal=50")
        found[key] = value
    return found


def chosen_game(name: str, texts: tuple[str, ...], position: str | None = None) -> Game:
    """The game of that name; where the notation can, with room for a position."""
    from hazard.rulebook import declared, make_game

    parameters = parse_parameters(texts)
    fit = declared(name).fit
    if fit and position is not None:
        parameters = fit(parameters, position)
    return make_game(name, parameters)


# --- of the arena ---------------------------------------------------------------------------------------------------
agents_argument = click.argument("agents", nargs=-1, required=True, shell_complete=complete_agent)
folder_argument = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
processes_option = click.option("--processes", type=int, help="Worker processes.  [default: one for each core]")
cluster_option = click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, e.g. tcp://127.0.0.1:8786.")
limit_options = (
    click.option("--bank", type=float, default=10.0, show_default=True, help="Seconds a bot has for a game."),
    click.option("--increment", type=float, default=0.1, show_default=True, help="Seconds it gets for each move."),
    click.option("--memory", type=int, default=512, show_default=True, help="Megabytes a bot may use."),
    click.option(
        "--fallback",
        type=click.Choice(["forfeit", "random"]),
        default="forfeit",
        show_default=True,
        help="What a bot's fault costs: the game, or a random move.",
    ),
)


def limits(command: Callable) -> Callable:
    """Options for what bots may use."""
    for option in reversed(limit_options):
        command = option(command)
    return command


def make_limits(bank: float, increment: float, memory: int, fallback: Any) -> Limits:
    from hazard.arena.bots.limits import Limits

    return Limits(bank=bank, increment=increment, memory=memory, fallback=fallback)


def worker_count(processes: int | None) -> int:
    from hazard.arena.tournament.runner import cores

    return cores() if processes is None else processes

"""Commands about one game: what there is, values, advice, and play in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli.options import (
    chosen_game,
    complete_agent,
    complete_game,
    game_argument,
    json_option,
    parameter_option,
    tolerance_option,
)
from hazard.cli.output import print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.rulebook import Game


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games with their parameters and defaults."""
    from hazard.rulebook import declared, game_names

    found = {name: declared(name) for name in game_names()}
    if as_json:
        listed = {
            name: {
                "title": n.title,
                "summary": n.summary,
                "position": n.notation.EXAMPLE,
                "parameters": [
                    {"name": p.name, "default": p.default, "range": p.range, "help": p.help} for p in n.parameters
                ],
            }
            for name, n in found.items()
        }
        return print_json({"games": listed})
    for name, n in found.items():
        click.echo(f"{name}: {n.summary}")
        click.echo(f"  a position looks like: {n.notation.EXAMPLE}")
        print_table(
            "",
            ["  parameter", "default", "values", "meaning"],
            [[f"  {p.name}", str(p.default), p.range, p.help] for p in n.parameters],
        )
        click.echo()
    return None


@click.command()
@game_argument
@json_option
def agents(name: str, as_json: bool) -> None:
    """List the agents that play GAME."""
    from hazard.rulebook import game

    found = game(name).agents
    if as_json:
        return print_json({"game": name, "agents": {key: agent.summary for key, agent in found.items()}})
    return print_table("", ["agent", "what it does"], [[key, agent.summary] for key, agent in found.items()])


@click.command()
@game_argument
@parameter_option
@tolerance_option
@click.option("--exact", is_flag=True, help="Exact fractions, for small games of two players.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep the solution in this folder instead of the cache.")
@json_option
def solve(
    name: str, parameters: tuple[str, ...], tolerance: float, exact: bool, out: Path | None, as_json: bool
) -> None:
    """Solve GAME: values of optimal play with certified lower and upper bounds."""
    from hazard.solving.report import exact_report, solve_report

    game = chosen_game(name, parameters)
    with progress_bar(f"solving {name}") as progress:
        found = exact_report(game) if exact else solve_report(game, tolerance, out, progress)
    if as_json:
        return print_json(found)
    return print_table(found["game"], ["", ""], [[key, _shown(value)] for key, value in found.items() if key != "game"])


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, dict):
        return " ".join(f"{k}={_shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "  ".join(_shown(v) for v in value)
    return str(value)


@click.command()
@game_argument
@click.argument("position")
@parameter_option
@tolerance_option
@click.option("--rollouts", type=int, help="Do not solve: play this many games on from each move.")
@click.option("--agent", help="Who plays the rollouts.  [default: random]", shell_complete=complete_agent)
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE.svg", help="Also draw the position.")
@json_option
def advise(
    name: str,
    position: str,
    parameters: tuple[str, ...],
    tolerance: float,
    rollouts: int | None,
    agent: str | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Every legal move in POSITION with its value, best first, and how it is known."""
    from hazard.analysis.advice import advise_report

    game = chosen_game(name, parameters, position)
    if picture:
        _check_picture(game, picture)
    with progress_bar(f"solving {name}") as progress:
        found = advise_report(game, position, tolerance, rollouts, agent, progress)
    if picture:
        found["picture"] = _draw(game, found, picture)
    if as_json:
        return print_json(found)
    return _print_advice(game, found)


def _print_advice(game: Game, found: dict[str, Any]) -> None:
    """Moves as a table, with the columns that the game adds and its remark."""
    title, show = f"{found['position']}: {found['mover']} to move", game.declaration.show_advice
    remark, more = show(found) if show else ("", {})
    rows = [
        [row["move"], f"{row['value']:.6f}", f"{row['cost']:.6f}", _known(row), *(more[name][n] for name in more)]
        for n, row in enumerate(found["moves"])
    ]
    print_table(f"{title}\n{remark}" if remark else title, ["move", "value", "costs", "known", *more], rows)


def _check_picture(game: Game, path: Path) -> None:
    """Refuse what cannot be drawn or written, before anything is solved."""
    from hazard.rulebook import declared, game_names

    if game.declaration.picture is None:
        drawn = ", ".join(name for name in game_names() if declared(name).picture)
        raise BadInput(f"--picture {path}: there are no pictures of {game.name}, only of {drawn}")
    if path.suffix.lower() != ".svg":
        raise BadInput(f"--picture {path}: pictures are SVG; name the file {path.with_suffix('.svg').name}")
    if path.is_dir() or not path.parent.is_dir():
        raise BadInput(f"--picture {path}: cannot write there; name a file in a folder that exists")


def _draw(game: Game, found: dict[str, Any], path: Path) -> str:
    """Draw a position with its advice; the path is returned."""
    from hazard.files import write_whole
    from hazard.solving.solution import Advice

    assert game.declaration.picture
    advice = [Advice(*(row[name] for name in Advice._fields)) for row in found["moves"]]
    text = game.declaration.picture(game, game.parse(found["position"]), advice)
    try:
        write_whole(path, text.encode())
    except OSError as problem:
        raise BadInput(f"--picture {path}: cannot write there ({problem.strerror})") from None
    return str(path)


def _known(row: dict[str, Any]) -> str:
    if row["lower"] is None:
        return row["known"]
    spread = (row["upper"] - row["lower"]) / 2
    return f"{row['known']} +- {spread:.1g}"


@click.command()
@click.argument("name", metavar="GAME", required=False, shell_complete=complete_game)
@click.argument("seats", nargs=-1, shell_complete=complete_agent)
@parameter_option
@click.option("--seed", type=int, help="Replay the dice of an earlier game.  [default: random]")
@click.option("--room", metavar="URL", help="Sit at this room of a server instead.")
@click.option("--seat", type=int, help="With --room: counted from 0.  [default: the first that is open]")
@click.option("--name", "called", default="", help="With --room: how you are called there.")
@click.option("--token", envvar="HAZARD_TOKEN", default="", help="With --room: go back to a seat that you hold.")
@click.option("--watch", is_flag=True, help="With --room: only look on.")
def play(
    name: str | None,
    seats: tuple[str, ...],
    parameters: tuple[str, ...],
    seed: int | None,
    room: str | None,
    seat: int | None,
    called: str,
    token: str,
    watch: bool,
) -> None:
    """Play GAME in the terminal. SEATS are `human` or agents; by default you against the best that plays at once.

    Type a move, the beginning of one, or its number. `?` shows what each move is worth and how that is known, `back`
    takes back, `luck` tells what the dice gave and what choices gave away, `quit` ends.
    """
    if room:
        if name or parameters or seed is not None:
            raise BadInput(f"--room {room}: the room says which game is played; leave out GAME, SEATS, -p and --seed")
        from hazard.terminal.room import play_in_room

        return play_in_room(room, seat, called, token, watch)
    if name is None:
        raise click.UsageError("Missing argument 'GAME'.")
    from hazard.terminal.table import Table

    return Table(chosen_game(name, parameters), seats, seed).play()

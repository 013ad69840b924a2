"""Commands about one game: what there is, values, advice, and play in the terminal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, progress_bar
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.declaration import Declaration
    from hazard.rulebook import Game


@click.command()
@click.argument("names", metavar="[GAME]...", nargs=-1, shell_complete=options.complete_game)
@options.as_json
def games(names: tuple[str, ...], as_json: bool) -> None:
    """List the games, or those named, with their parameters and defaults."""
    from hazard.declaration import declarations, opened

    known = {name: opened(name) for name in names} if names else declarations()
    if as_json:
        return print_json({"games": {name: _described(game) for name, game in known.items()}})
    for name, game in known.items():
        click.echo(f"{name}: {game.summary}")
        click.echo(f"  a position looks like: {game.notation.EXAMPLE}")
        rows = [[f"  {p.name}", str(p.default), p.range, p.help] for p in game.parameters]
        print_table("", ["  parameter", "default", "values", "meaning"], rows)
        click.echo()
    return None


def _described(game: Declaration) -> dict[str, Any]:
    about = {"title": game.title, "summary": game.summary, "position": game.notation.EXAMPLE}
    parameters = [{"name": p.name, "default": p.default, "range": p.range, "help": p.help} for p in game.parameters]
    return about | {"parameters": parameters}


@click.command()
@click.argument("names", metavar="[GAME]...", nargs=-1, shell_complete=options.complete_game)
def warm(names: tuple[str, ...]) -> None:
    """Compile what the lab, advice and matches of each GAME need, or of all games.

    Without this, the first work of a kind is done in plain Python, or waits for its code to be compiled. Compiled code
    is kept from then on.
    """
    from hazard.analysis.warming import warm
    from hazard.declaration import game_names, opened

    for name in names or game_names():
        parameters = opened(name).lab.parameters
        game = options.chosen_game(name, tuple(f"{key}={value}" for key, value in parameters.items()))
        warm(game, partial(_tell_warming, name))


def _tell_warming(name: str, title: str) -> None:
    click.echo(f"{name}: {title}")


@click.command()
@click.argument("name", metavar="GAME", shell_complete=options.complete_game)
@options.as_json
def agents(name: str, as_json: bool) -> None:
    """List the agents that play GAME."""
    from hazard.rulebook import game

    summaries = {key: agent.summary for key, agent in game(name).agents.items()}
    if as_json:
        return print_json({"game": name, "agents": summaries})
    return print_table("", ["agent", "what it does"], [list(row) for row in summaries.items()])


@click.command()
@options.game
@options.tolerance
@click.option("--exact", is_flag=True, help="Solve in exact fractions; for small games of two players.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the solution.  [default: in the cache]")
@click.option("--again", is_flag=True, help="Solve it even if a solution as exact is kept.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a certificate that `hazard check-certificate` proves again.",
)
@options.as_json
def solve(
    name: str,
    parameters: tuple[str, ...],
    tolerance: float,
    exact: bool,
    out: Path | None,
    again: bool,
    certificate: Path | None,
    as_json: bool,
) -> None:
    """Solve GAME: the value of optimal play with certified lower and upper bounds.

    A solution that is kept from before, or ships with the package, is shown at once if it is as exact as asked for.
    """
    from hazard.solving.report import exact_report, kept_report, solve_report

    if certificate:
        options.check_file("--certificate", certificate)
    if certificate and exact:
        raise BadInput("--certificate: solutions in exact fractions have none; leave out --exact")
    game = options.chosen_game(name, parameters)
    report = None if exact or out or again or certificate else kept_report(game, tolerance)
    if report and "solution" in report:
        click.echo("hazard: this was solved before; --again solves it anew", err=True)
    with progress_bar(f"solving {name}") as progress:
        if report is None:
            report = exact_report(game) if exact else solve_report(game, tolerance, out, progress, certificate)
    if as_json:
        return print_json(report)
    title = report.pop("game")
    return print_table(title, ["", ""], [[key, _text(value)] for key, value in report.items()])


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, dict):
        return " ".join(f"{k}={_text(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "  ".join(_text(v) for v in value)
    return str(value)


@click.command()
@options.game
@click.argument("position")
@options.tolerance
@click.option("--rollouts", type=int, help="Estimate by this many games played out from each move.  [default: 20000]")
@click.option(
    "--agent",
    shell_complete=options.complete_agent,
    help="Estimate by rollouts that this agent plays.  [default: the game's rollout agent]",
)
@click.option("--why", is_flag=True, help="Also say, in words, why each move is worth what it is.")
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE.svg", help="Also draw the position.")
@options.as_json
def advise(
    name: str,
    position: str,
    parameters: tuple[str, ...],
    tolerance: float,
    rollouts: int | None,
    agent: str | None,
    why: bool,
    picture: Path | None,
    as_json: bool,
) -> None:
    """List every legal move in POSITION with its value, best first, and how the value is known.

    Without --rollouts and --agent the answer is that of the lab: exact where the game can be solved, otherwise by a
    network if the game has one, or by rollouts.
    """
    from hazard.analysis.advice import advise_report

    game = options.chosen_game(name, parameters, position)
    if picture:
        _check_picture(game, picture)
    with progress_bar(f"solving {name}") as progress:
        report = advise_report(game, position, tolerance, rollouts, agent, progress, why)
    if picture:
        report["picture"] = _draw(game, report, picture)
    return print_json(report) if as_json else _print_advice(game, report)


def _print_advice(game: Game, report: dict[str, Any]) -> None:
    """Moves as a table, with the columns that the game adds and its remark."""
    title, show = f"{report['position']}: {report['mover']} to move", game.declaration.show_advice
    remark, more = show(report) if show else ("", {})
    rows = [
        [row["move"], f"{row['value']:.6f}", f"{row['cost']:.6f}", _known(row), *(more[name][n] for name in more)]
        for n, row in enumerate(report["moves"])
    ]
    print_table(f"{title}\n{remark}" if remark else title, ["move", "value", "costs", "known", *more], rows)
    for row in report["moves"]:
        if row.get("why"):
            click.echo(f"{row['move']}: {row['why']}")
    if note := report.get("note"):
        click.echo(f"hazard: {note}", err=True)


def _check_picture(game: Game, path: Path) -> None:
    """Refuse what cannot be drawn or written, before anything is solved."""
    if game.declaration.picture is None:
        able = options.games_with("picture")
        raise BadInput(f"--picture {path}: there are no pictures of {game.name}, only of {able}")
    if path.suffix.lower() != ".svg":
        raise BadInput(f"--picture {path}: pictures are SVG; name the file {path.with_suffix('.svg').name}")
    options.check_file("--picture", path)


def _draw(game: Game, report: dict[str, Any], path: Path) -> str:
    """Draw a position with its advice; the path is returned."""
    from hazard.files import write_whole
    from hazard.solving.solution import Advice

    assert game.declaration.picture
    advice = [Advice(*(row[name] for name in Advice._fields)) for row in report["moves"]]
    text = game.declaration.picture(game, game.parse(report["position"]), advice)
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
@click.argument("name", metavar="GAME", required=False, shell_complete=options.complete_game)
@click.argument("seats", nargs=-1, shell_complete=options.complete_agent)
@options.parameters
@click.option("--seed", type=int, help="Replay the dice of an earlier game.  [default: random]")
@click.option("--room", metavar="URL", help="Take a seat in this room of a server instead.")
@click.option("--seat", type=int, help="With --room: the seat, counted from 0.  [default: the first open one]")
@click.option("--name", "called", default="", help="With --room: the name that others see.")
@click.option("--token", envvar="HAZARD_TOKEN", default="", help="With --room: return to a seat that you hold.")
@click.option("--watch", is_flag=True, help="With --room: only watch.")
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
    """Play GAME in the terminal. SEATS are `human` or agents; by default you play the strongest quick agent.

    Type a move, the beginning of one, or its number. `?` shows what each move is worth and how that is known, `back`
    takes a move back, `luck` shows what the dice gave and what decisions lost, `quit` ends.
    """
    if room:
        if name or parameters or seed is not None:
            raise BadInput(f"--room {room}: the room says which game is played; leave out GAME, SEATS, -p and --seed")
        from hazard.terminal.room import play_in_room

        return play_in_room(room, seat, called, token, watch)
    if name is None:
        raise click.UsageError("Missing argument 'GAME'.")
    from hazard.terminal.game import TerminalGame

    return TerminalGame(options.chosen_game(name, parameters), seats, seed).play()

"""The command line: one command, `hazard`. Figures come as tables, or with --json as one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hazard import __version__
from hazard.errors import BadInput

if TYPE_CHECKING:
    from hazard.rulebook import Game

STUDIES = ("great-rolled-ones", "risk")


# --- names that can be completed -----------------------------------------------------------------------------------
def _complete_game(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.rulebook import game_names

    return [name for name in game_names() if name.startswith(begun)]


def _complete_agent(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from hazard.rulebook import game

    try:
        names = ["human", *game(context.params.get("name", "")).agents]
    except BadInput:
        return []
    return [name for name in names if name.startswith(begun)]


game_argument = click.argument("name", metavar="GAME", shell_complete=_complete_game)
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
    from hazard.rulebook import make_game, notation_of

    parameters = parse_parameters(texts)
    fit = getattr(notation_of(name), "fit", None)
    if fit and position is not None:
        parameters = fit(parameters, position)
    return make_game(name, parameters)


# --- output --------------------------------------------------------------------------------------------------------
def print_json(data: object) -> None:
    click.echo(json.dumps(data))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 140, highlight=False, markup=False).print(table)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error if that is a terminal; otherwise nothing is shown."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# --- commands ------------------------------------------------------------------------------------------------------
@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hazard")
def cli() -> None:
    """A laboratory for dice games: exact optimal play, agents, matches, and the papers' tables.

    \b
    Start with:
      hazard games                                   what there is
      hazard solve pig                               exact values with certified bounds
      hazard advise great-rolled-ones "p1 32:41 k7 o1"
      hazard play pig human optimal                  play in the terminal
      hazard match pig optimal hold-at-20            who wins how often
      hazard reproduce risk --out results            a paper's tables and pictures
    """


@cli.command()
@json_option
def games(as_json: bool) -> None:
    """List the games with their parameters and defaults."""
    from hazard.rulebook import game_names, notation_of

    found = {name: notation_of(name) for name in game_names()}
    if as_json:
        listed = {
            name: {
                "title": n.TITLE,
                "summary": n.SUMMARY,
                "position": n.EXAMPLE,
                "parameters": [
                    {"name": p.name, "default": p.default, "range": p.range, "help": p.help} for p in n.PARAMETERS
                ],
            }
            for name, n in found.items()
        }
        return print_json({"games": listed})
    for name, n in found.items():
        click.echo(f"{name}: {n.SUMMARY}")
        click.echo(f"  a position looks like: {n.EXAMPLE}")
        print_table(
            "",
            ["  parameter", "default", "values", "meaning"],
            [[f"  {p.name}", str(p.default), p.range, p.help] for p in n.PARAMETERS],
        )
        click.echo()
    return None


@cli.command()
@game_argument
@json_option
def agents(name: str, as_json: bool) -> None:
    """List the agents that play GAME."""
    from hazard.rulebook import game

    found = game(name).agents
    if as_json:
        return print_json({"game": name, "agents": {key: agent.summary for key, agent in found.items()}})
    return print_table("", ["agent", "what it does"], [[key, agent.summary] for key, agent in found.items()])


@cli.command()
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


@cli.command()
@game_argument
@click.argument("position")
@parameter_option
@tolerance_option
@click.option("--rollouts", type=int, help="Do not solve: play this many games on from each move.")
@click.option("--agent", help="Who plays the rollouts.  [default: random]", shell_complete=_complete_agent)
@json_option
def advise(
    name: str,
    position: str,
    parameters: tuple[str, ...],
    tolerance: float,
    rollouts: int | None,
    agent: str | None,
    as_json: bool,
) -> None:
    """Every legal move in POSITION with its value, best first, and how it is known."""
    from hazard.solving.report import advise_report

    game = chosen_game(name, parameters, position)
    with progress_bar(f"solving {name}") as progress:
        found = advise_report(game, position, tolerance, rollouts, agent, progress)
    if as_json:
        return print_json(found)
    rows = [[row["move"], f"{row['value']:.6f}", f"{row['cost']:.6f}", _known(row)] for row in found["moves"]]
    return print_table(f"{found['position']}: {found['mover']} to move", ["move", "value", "costs", "known"], rows)


def _known(row: dict[str, Any]) -> str:
    spread = (row["upper"] - row["lower"]) / 2
    return f"{row['known']} +- {spread:.1g}"


@cli.command()
@game_argument
@click.argument("seats", nargs=-1, shell_complete=_complete_agent)
@parameter_option
@click.option("--seed", type=int, help="Replay the dice of an earlier game.  [default: random]")
def play(name: str, seats: tuple[str, ...], parameters: tuple[str, ...], seed: int | None) -> None:
    """Play GAME in the terminal. SEATS are `human` or agents; by default you against `optimal`."""
    from hazard.terminal import play_in_terminal

    play_in_terminal(chosen_game(name, parameters), seats, seed)


@cli.command()
@game_argument
@click.argument("agents", nargs=-1, required=True, shell_complete=_complete_agent)
@parameter_option
@click.option("--games", "count", type=int, default=10_000, show_default=True, help="How many games to play.")
@seed_option
@json_option
def match(
    name: str, agents: tuple[str, ...], parameters: tuple[str, ...], count: int, seed: int, as_json: bool
) -> None:
    """Play many games between AGENTS, one for each seat; the seats rotate."""
    from hazard.arena.match import match as play_match

    game = chosen_game(name, parameters)
    with progress_bar(f"playing {name}") as progress:
        found = play_match(game, *agents, games=count, seed=seed, progress=progress)
    if as_json:
        from dataclasses import asdict

        return print_json(
            {"game": name, "parameters": game.parameters, "rules": game.version}
            | asdict(found)
            | {"games_per_second": found.games_per_second}
        )
    rows = []
    for a, agent in enumerate(found.agents):
        low, high = found.intervals[a]
        by_seat = " ".join(str(n) for n in found.wins_by_seat[a])
        rows.append([agent, str(found.wins[a]), f"{found.wins[a] / count:.4f}", f"{low:.4f} to {high:.4f}", by_seat])
    print_table(
        f"{count} games of {game.describe()}, seed {seed}",
        ["agent", "wins", "share", "95 % interval", "wins by seat"],
        rows,
    )
    click.echo(
        f"ties {found.ties}"
        + (f" ({found.cut} cut off)" if found.cut else "")
        + f", {found.games_per_second:,.0f} games a second"
    )
    return None


@cli.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...")
@click.option("--full", is_flag=True, help="As many games and as large tables as the paper, or more.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the page and its pictures.",
)
@json_option
def reproduce(studies: tuple[str, ...], full: bool, out: Path, as_json: bool) -> None:
    """Make a paper's tables and figures again: published, ours, verdict. Without STUDY, all of them."""
    from dataclasses import asdict

    from hazard.files import check_folder
    from hazard.studies import report

    names = studies or STUDIES
    check_folder(out, report.SIGN)
    with _saying() as say:
        found = [report.load(name, STUDIES).study(full, say) for name in names]
        place = report.write(found, out, say)
    if as_json:
        columns = ("where", "quantity", "published", "ours", "verdict", "note")
        rows = [{"study": s.name} | {c: asdict(f)[c] for c in columns} for s in found for f in s.findings]
        return print_json({"studies": [s.name for s in found], "findings": rows, "page": str(place)})
    for s in found:
        print_table(
            s.title,
            ["where", "quantity", "published", "ours", "verdict"],
            [[f.where, f.quantity, f.published, f.ours, f.verdict] for f in s.findings],
        )
        click.echo()
    click.echo(f"tables and pictures: {place}")
    return None


@contextmanager
def _saying() -> Iterator[Callable[[str], None]]:
    """One line on standard error that says what is being done, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield lambda text: status.update(text)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands, games and agents in your SHELL.

    \b
    For bash, for example:  eval "$(hazard completion bash)"
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "hazard", "_HAZARD_COMPLETE").source())


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"hazard: {' '.join(message.split())}", err=True)
    sys.exit(code)


def main() -> None:
    """Run the command line; bad input ends with one line and exit code 2, Ctrl-C with 130."""
    try:
        code = cli(prog_name="hazard", standalone_mode=False)
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
    sys.exit(code if isinstance(code, int) else 0)

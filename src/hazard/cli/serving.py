"""Commands about the live server: lab, serve, join, verify."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from threading import Thread
from typing import TypedDict, Unpack

import click

from hazard.cli.options import json_option
from hazard.cli.output import print_json, print_table


class Serving(TypedDict):
    """What `serve` and `lab` are told alike."""

    host: str
    port: int
    data: Path | None
    tournaments: Path | None
    results: Path
    names: tuple[str, ...]
    settings: tuple[str, ...]


OPTIONS = (
    click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on."),
    click.option("--port", type=int, default=8000, show_default=True, help="0 takes any that is free."),
    click.option("--data", type=click.Path(path_type=Path), help="Where games are kept.  [default: your data folder]"),
    click.option("--tournaments", type=click.Path(path_type=Path), help="Tournaments to show.  [default: in --data]"),
    click.option(
        "--results",
        type=click.Path(path_type=Path),
        default=Path("results"),
        show_default=True,
        help="Studies to show.",
    ),
    click.option("--name", "names", multiple=True, metavar="HOST", help="A host name that the server is known by."),
    click.option(
        "--limit",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a limit, e.g. rooms=100; docs/server.md lists them.",
    ),
)


def serving_options(command: Callable[..., None]) -> Callable[..., None]:
    return reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), command)


@click.command()
@serving_options
def serve(**told: Unpack[Serving]) -> None:
    """Serve rooms in which people, agents and bots play each other; stop it with Ctrl-C."""
    _serve(told, "serving on {}; games are kept in {}")


@click.command()
@serving_options
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def lab(no_browser: bool, **told: Unpack[Serving]) -> None:
    """Open the lab in the browser: play, watch, understand; stop it with Ctrl-C."""
    _serve(told, "the lab is open at {}; games are kept in {}; Ctrl-C stops it", None if no_browser else open_browser)


def _serve(told: Serving, words: str, then: Callable[[str], object] | None = None) -> None:
    from hazard.server.limits import limits_of
    from hazard.server.run import data_home
    from hazard.server.run import serve as run

    def ready(url: str) -> None:
        click.echo(words.format(url, folder))
        sys.stdout.flush()
        if then:
            then(url)

    limits, folder = limits_of(told["settings"]), told["data"] or data_home()
    where = (told["host"], told["port"], folder)
    try:
        run(*where, limits, told["names"], told["tournaments"], ready, told["results"])
    except KeyboardInterrupt:
        click.echo("stopped; all games are kept")


def open_browser(url: str) -> Thread | None:
    """Open the address, where there are windows: a browser in the terminal would take the terminal from the server."""
    windows = sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    here = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    if not windows:
        return None
    opening = Thread(target=webbrowser.open, args=(here,), daemon=True)
    opening.start()
    return opening


@click.command()
@click.argument("url")
@click.argument("agent")
@click.option("--seat", type=int, help="Counted from 0.  [default: the first that is open]")
@click.option("--name", default="", help="How the seat is called.  [default: the agent]")
@click.option("--words", default="", help="Your part in the dice, see docs/protocol.md.")
@click.option("--token", envvar="HAZARD_TOKEN", help="Go on in a seat that you hold.  [env: HAZARD_TOKEN]")
@json_option
def join(url: str, agent: str, seat: int | None, name: str, words: str, token: str | None, as_json: bool) -> None:
    """Seat AGENT in the room at URL: an agent of the game, or a bot such as ./mybot.py."""
    from hazard.server.guest.agent import join_room

    found = join_room(url, agent, seat=seat, name=name or agent, words=words, token=token or "")
    if as_json:
        return print_json(found)
    shown = ", ".join(f"{payoff:g}" for payoff in found["payoffs"])
    return click.echo(f"the game has ended ({found['reason']}); payoffs by seat: {shown}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Check every move and roll of a game FILE against the rules and the seed; exit code 1 if one is wrong."""
    import msgspec

    from hazard.errors import BadInput
    from hazard.server.rooms.game_file import read_file, summary_of, verified

    try:
        game = read_file(file.read_bytes())
    except BadInput as problem:
        raise BadInput(f"{file}: {problem}") from None
    checks = verified(game)
    passed = all(check.passed for check in checks)
    if as_json:
        print_json({"passed": passed, **summary_of(game), "checks": msgspec.to_builtins(checks)})
    else:
        rows = [["passed" if check.passed else "FAILED", check.what, check.detail] for check in checks]
        print_table(f"{file}: a game of {game.game}", ["", "", ""], rows)
    sys.exit(0 if passed else 1)

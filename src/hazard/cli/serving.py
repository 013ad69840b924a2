"""Commands about the live server: lab, serve, join, verify."""

from __future__ import annotations

import os
import secrets
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from hazard.cli import bots, options
from hazard.cli.output import print_json, print_table

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

PASSWORD = "HAZARD_PASSWORD"
SIGNED = "the file carries a signature; only the server that played the game can check it: load the file there"
NOT_SIGNED = "the file is not signed: the checks say that it fits together, not who played it"


class Serving(TypedDict):
    """The options that `serve` and `lab` share."""

    host: str
    port: int
    data: Path | None
    tournaments: Path | None
    results: Path
    names: tuple[str, ...]
    settings: tuple[str, ...]
    files: tuple[str, ...]
    proxies: tuple[str, ...]
    password: str | None


serving_options = options.together(
    click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on."),
    click.option(
        "--port", type=int, default=8000, show_default=True, help="The port to listen on; 0 for any free one."
    ),
    click.option("--data", type=click.Path(path_type=Path), help="Folder for games.  [default: your data folder]"),
    click.option("--tournaments", type=click.Path(path_type=Path), help="Tournaments to show.  [default: in --data]"),
    click.option(
        "--results",
        type=click.Path(path_type=Path),
        default=Path("results"),
        show_default=True,
        help="Studies to show.",
    ),
    click.option(
        "--name", "names", multiple=True, metavar="HOST", help="A host name by which clients reach the server."
    ),
    click.option(
        "--limit",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a limit, e.g. rooms=100; docs/server.md lists them.",
    ),
    click.option(
        "--trusted-proxy",
        "proxies",
        multiple=True,
        metavar="ADDRESS",
        help="A proxy, or a network of them, that is believed when it says for whom it asks.",
    ),
    click.option(
        "--password",
        envvar=PASSWORD,
        show_envvar=True,
        help="The owner's password, 8 characters or more.  [default: a new one, printed at the start]",
    ),
    click.option(
        "--game", "files", multiple=True, metavar="FILE", help="Offer the game in this file too; repeat for more."
    ),
)


@click.command()
@serving_options
def serve(**given: Unpack[Serving]) -> None:
    """Serve rooms in which people, agents and bots play each other; stop it with Ctrl-C."""
    _serve(given, "serving on {}; games are kept in {}", tell_password)


@click.command()
@click.argument("more", metavar="[FILE]...", nargs=-1)
@serving_options
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--reproduce", is_flag=True, help="Make the quick studies that --results does not hold, while the lab is open."
)
@click.option("--warm", is_flag=True, help="Compile what all games need, as `hazard warm` does, while the lab is open.")
def lab(no_browser: bool, reproduce: bool, warm: bool, more: tuple[str, ...], **given: Unpack[Serving]) -> None:
    """Open the lab in the browser: play, watch, understand; stop it with Ctrl-C.

    Games of your own in FILEs are offered there too.
    """
    given["files"] += more
    words = "the lab is open at {}; games are kept in {}; Ctrl-C stops it"

    def then(url: str, server: LabServer, password: str) -> None:
        if warm:
            from hazard.background import start

            start(warm_behind)
        tell_password(url, server, password)
        if not no_browser:
            open_browser(f"{url}/#owner={server.owner.link()}")

    _serve(given, words, then, reproduce)


def warm_behind() -> None:
    """Compile what the lab's games need, giving way to all other work."""
    from hazard.analysis.warming import warm
    from hazard.declaration import declared, game_names
    from hazard.rulebook import make_game

    os.nice(10)
    for name in sorted(game_names(), key=lambda name: declared(name).lab.place):
        warm(make_game(name, declared(name).lab.parameters), lambda title: None)


def tell_password(url: str, server: LabServer, password: str) -> None:
    """Print the password that was made; one that was given is known."""
    if password:
        click.echo(f"owner's password: {password}  (for tournaments and to remove rooms; press Sign in)")
        sys.stdout.flush()


def _serve(given: Serving, words: str, then: Callable[[str, LabServer, str], object], reproduce: bool = False) -> None:
    from hazard.declaration import make_known
    from hazard.server.limits import limits_of
    from hazard.server.run import Address, data_home
    from hazard.server.run import serve as run

    def ready(url: str, server: LabServer) -> None:
        click.echo(words.format(url, folder))
        sys.stdout.flush()
        then(url, server, made)

    make_known(given["files"])
    os.environ.pop(PASSWORD, None)  # no other process needs to know it
    limits, folder = limits_of(given["settings"]), given["data"] or data_home()
    made = "" if given["password"] else secrets.token_urlsafe(12)
    address = Address(given["host"], given["port"], given["names"], given["proxies"])
    places = (given["tournaments"], ready, given["results"])
    try:
        run(address, folder, limits, *places, reproduce, given["password"] or made)
    except KeyboardInterrupt:
        click.echo("stopped; all games are kept")


def open_browser(url: str) -> Thread | None:
    """Open the address, if there are windows: a browser in the terminal would take the terminal from the server."""
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
@click.option("--seat", type=int, help="The seat, counted from 0.  [default: the first open one]")
@click.option("--name", default="", help="The name that others see.  [default: the agent]")
@click.option("--token", envvar="HAZARD_TOKEN", help="Return to a seat that you hold.  [env: HAZARD_TOKEN]")
@options.isolation
@options.as_json
def join(
    url: str,
    agent: str,
    seat: int | None,
    name: str,
    token: str | None,
    reads: tuple[str, ...],
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Seat AGENT in the room at URL: an agent of the game, or a bot such as ./mybot.py."""
    from hazard.server.guest.agent import join_room

    limits = bots.chosen_limits([agent], reads, trust_bots)
    result = join_room(url, agent, seat=seat, name=name or agent, token=token or "", limits=limits)
    if as_json:
        return print_json(result)
    payoffs = ", ".join(f"{payoff:g}" for payoff in result["payoffs"])
    return click.echo(f"the game has ended ({result['reason']}); payoffs by seat: {payoffs}")


@click.command()
@click.argument("file", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--games", "count", type=int, default=1000, show_default=True, help="Of a tournament: games to check.")
@click.option("--all", "every", is_flag=True, help="Of a tournament: check all of its games.")
@click.option("--seed", type=int, help="Of a tournament: draw the same games again.  [default: any]")
@click.option("--processes", type=int, help="Of a tournament: worker processes.  [default: one for each core]")
@options.as_json
def verify(file: Path, count: int, every: bool, seed: int | None, processes: int | None, as_json: bool) -> None:
    """Check that games are what their seeds give; exit code 1 if one is not.

    Of a game FILE of the server, every move and roll is checked against the rules and the seed. Of a tournament's
    folder DIR, files are compared with their checksums, and games, drawn at random, are played again and compared.
    """
    import msgspec

    from hazard.cli.tournaments import verify_folder
    from hazard.errors import BadInput
    from hazard.server.rooms.checks import verified
    from hazard.server.rooms.game_file import read_file, summary_of

    if file.is_dir():
        sys.exit(0 if verify_folder(file, None if every else count, seed, processes, as_json) else 1)
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
        click.echo(SIGNED if game.signature else NOT_SIGNED)
    sys.exit(0 if passed else 1)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="Folder of a server.  [default: your data folder]")
@options.as_json
def backup(out: Path, data: Path | None, as_json: bool) -> None:
    """Copy all games of a server to the folder OUT, while it runs; serve the copy with --data OUT."""
    from hazard.server.rooms.integrity import back_up
    from hazard.server.run import data_home

    rooms = back_up(data or data_home(), out)
    if as_json:
        return print_json({"rooms": rooms, "folder": str(out)})
    return click.echo(f"{rooms} rooms copied to {out}; `hazard serve --data {out}` serves them")

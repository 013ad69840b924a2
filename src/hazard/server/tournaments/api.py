"""Tournaments over HTTP: those in the server's folder, their results so far, and any of their games in a room.

The lab draws these results in the browser from JSON. `hazard tournament` writes a page of its own
(hazard.arena.tournament.page), because that file must show everything without a server and without scripts.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from hazard.analysis.players import check_agent
from hazard.arena.tournament.setting import Setting, round_robin, settle
from hazard.arena.tournament.store import LEDGER, SETTING, Store, at_work, read_setting
from hazard.declaration import known_as
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, make_game
from hazard.server.commands.process import output_of
from hazard.server.http.requests import number, number_in, read_body
from hazard.server.protocol import Parameters, Refusal, Short
from hazard.server.rooms.game_file import GameFile
from hazard.server.rooms.setting import TournamentSource
from hazard.server.rooms.tournament_game import events_of
from hazard.server.tournaments import queries
from hazard.server.tournaments.runner import TournamentRunner

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
STEPS = 10  # batches of each line-up, so that progress can be seen
SEARCHING = 100  # how many times fewer games there may be with agents that search
SUMMARIES = 50  # that are remembered
MOST = 1000  # tournaments in the folder, beyond which none is started


class TournamentState:
    """What the server knows of tournaments besides their folders."""

    def __init__(self, memory: int = 0) -> None:
        self.runner = TournamentRunner(memory)
        self.summing, self.replaying = asyncio.Lock(), asyncio.Lock()  # one question at a time
        self.summaries: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {}  # by name, with the times of its files


class TournamentRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A tournament to start."""

    name: Short
    game: Short
    agents: Annotated[list[Short], Meta(max_length=20)]
    parameters: Parameters = {}
    games: Annotated[int, Meta(ge=1, lt=2**31)] = 200  # for each line-up
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 1


# --- all tournaments --------------------------------------------------------------------------------------------------
def _names(server: LabServer) -> list[str]:
    if not server.tournaments_folder.is_dir():
        return []
    return sorted(place.name for place in server.tournaments_folder.iterdir() if (place / SETTING).is_file())


def _folder(server: LabServer, request: Request) -> Path:
    name = request.path_params["name"]
    if name not in _names(server):
        raise Refusal("unknown", f"there is no tournament {name[:64]!r} here")
    return server.tournaments_folder / name


def _row(server: LabServer, folder: Path, setting: Setting) -> dict[str, Any]:
    """A row in the list of tournaments."""
    runner, total, played = server.tournament_state.runner, setting.games * len(setting.line_ups), 0
    problem, here = runner.problems.get(folder.name, ""), runner.name == folder.name
    try:
        played = Store(folder, setting).games
    except BadInput as damage:
        problem = str(damage)
    finished = played >= total and (folder / "summary.json").is_file()
    status = "finished" if finished and not here else "playing" if here or at_work(folder) else "stopped"
    row: dict[str, Any] = {"name": folder.name, "game": known_as(setting.game), "parameters": setting.parameters}
    problem = server.without_paths(problem)
    row |= {"agents": setting.agents, "games": setting.games, "seed": setting.seed, "total": total, "played": played}
    changed = max(path.stat().st_mtime for path in (folder / SETTING, folder / LEDGER) if path.exists())
    return row | {"finished": finished, "status": status, "here": here, "problem": problem, "changed": changed}


def _rows(server: LabServer) -> list[dict[str, Any]]:
    rows = []
    for name in _names(server):
        try:
            rows.append(_row(server, server.tournaments_folder / name, read_setting(server.tournaments_folder / name)))
        except (BadInput, OSError):
            continue
    return sorted(rows, key=lambda row: -row["changed"])


async def tournaments(server: LabServer, request: Request) -> Any:
    """The tournaments in the server's folder, the latest first, and the most games of one that is started here."""
    rows = await asyncio.to_thread(_rows, server)
    most = {"games": server.limits.tournament, "searching": server.limits.tournament // SEARCHING}
    playing = server.tournament_state.runner.name
    return {"tournaments": rows, "folder": server.tournaments_folder.name, "playing": playing, "most": most}


# --- one of them ------------------------------------------------------------------------------------------------------
async def tournament(server: LabServer, request: Request) -> Any:
    """The summary of one tournament, of the games so far if it is not finished; its name is that of its folder."""
    folder = _folder(server, request)
    async with server.tournament_state.summing:
        return await asyncio.to_thread(_summary, server, folder)


def _summary(server: LabServer, folder: Path) -> dict[str, Any]:
    """The summary of its files; the last one is remembered until they change."""
    setting = read_setting(folder)
    row = _row(server, folder, setting)
    files = (folder / LEDGER, folder / "summary.json", folder / SETTING)
    changed = tuple(path.stat().st_mtime_ns for path in files if path.exists())
    known = server.tournament_state.summaries
    while len(known) >= SUMMARIES:
        known.pop(next(iter(known)))
    if folder.name not in known or known[folder.name][0] != changed:
        known[folder.name] = changed, _summed(folder, setting, row["finished"]) if row["played"] else {}
    return known[folder.name][1] | row


def _summed(folder: Path, setting: Setting, finished: bool) -> dict[str, Any]:
    from hazard.arena.tournament.run import summed_up, tallies

    by_seat = {"by_seat": queries.by_seat(folder, len(setting.line_ups[0]))}
    if finished:
        return json.loads((folder / "summary.json").read_text()) | by_seat
    game = make_game(known_as(setting.game), setting.parameters)
    return summed_up(setting, tallies(Store(folder, setting), game, {})) | by_seat


# --- its games --------------------------------------------------------------------------------------------------------
async def games(server: LabServer, request: Request) -> Any:
    """Some games of a tournament, page by page."""
    folder = _folder(server, request)
    wanted = {key: request.query_params.get(key, "") for key in ("agent", "against", "result", "order")}
    page = int(number(request, "page", 0, 1e9))
    async with server.tournament_state.summing:
        return await asyncio.to_thread(queries.page_of_games, folder, page, **wanted)


async def show_game(server: LabServer, request: Request) -> Any:
    """A room that shows a game of a tournament; the same room each time."""
    folder, game_id = _folder(server, request), number_in(request, "game")
    source = f"{folder.name} {game_id} ".encode() + (folder / SETTING).read_bytes()
    room = hashlib.sha256(source).hexdigest()[:16]
    async with server.tournament_state.replaying:
        if await server.store.load(room) is None:
            await server.rooms.upload(await _file(folder, game_id), room, "tournament")
    return {"room": room}


async def _file(folder: Path, game_id: int) -> GameFile:
    """A game of a tournament, replayed from its seed."""
    setting = read_setting(folder)
    line_up, count = setting.find(game_id)
    try:
        replay = json.loads(await output_of("replay", str(folder), str(game_id), "--json"))
    except BadInput as problem:
        raise BadInput(str(problem).replace(f"{folder.parent}/", "")) from None
    game = make_game(known_as(setting.game), setting.parameters)
    source = TournamentSource(folder.name, game_id, setting.seed, setting.names(line_up), count, setting.shared)
    return GameFile(
        game=game.name,
        parameters=setting.parameters,
        rules=setting.rules,
        tournament=source,
        commitment="",
        events=events_of(game, replay),
    )


# --- starting and ending ----------------------------------------------------------------------------------------------
async def start(server: LabServer, request: Request) -> Any:
    """Start a small tournament."""
    server.owner.check(request)
    wanted = await read_body(server, request, TournamentRequest)
    await server.workers.look(wanted.game, wanted.parameters, "")  # whether the game can be made at all
    setting = await asyncio.to_thread(_checked, server, wanted)
    folder = server.tournaments_folder / wanted.name
    if server.tournament_state.runner.name:
        await server.tournament_state.runner.play(folder)  # which refuses, and says why
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BadInput(f"name: there is a tournament {wanted.name!r} already; choose another name") from None
    Store(folder, setting).extend(setting)
    await server.tournament_state.runner.play(folder)
    return {"name": wanted.name}


def _checked(server: LabServer, wanted: TournamentRequest) -> Setting:
    """The setting of the tournament, if it is allowed."""
    if not NAME.fullmatch(wanted.name):
        raise BadInput(f"name: {wanted.name!r} must be 1 to 40 letters, digits, - and _, with a letter or digit first")
    if len(_names(server)) >= MOST:
        raise Refusal("full", f"there are {MOST} tournaments in {server.tournaments_folder}; remove some")
    game = make_game(wanted.game, wanted.parameters)
    for name in wanted.agents:
        if name not in game.agents:  # bots are programs, and no page may start one
            raise unknown(f"agent of {game.name}", name, game.agents)
        check_agent(game, name)
    line_ups = round_robin(wanted.agents, game.seats)
    _check_size(server, game, wanted, len(line_ups))
    batch = max(game.seats, wanted.games // STEPS)
    return settle(game, wanted.agents, line_ups, games=wanted.games, seed=wanted.seed, batch=batch)


def _check_size(server: LabServer, game: Game, wanted: TournamentRequest, line_ups: int) -> None:
    slow = [name for name in wanted.agents if game.agents[name].slow]
    most = max(1, server.limits.tournament // (SEARCHING if slow else 1))
    if wanted.games * line_ups > most:
        why = f", because {', '.join(slow)} think long" if slow else ""
        count = f"{wanted.games} for each of {line_ups} line-ups are {wanted.games * line_ups:,}"
        raise BadInput(
            f"games: {count}, but from a page at most {most:,} can be played{why}. "
            "Take fewer games or agents, or use `hazard tournament`"
        )


async def resume(server: LabServer, request: Request) -> Any:
    """Resume a tournament that was stopped, if only agents of the game take part."""
    server.owner.check(request)
    folder = _folder(server, request)
    await asyncio.to_thread(_check_resumable, folder)
    await server.tournament_state.runner.play(folder)
    return {"name": folder.name}


def _check_resumable(folder: Path) -> None:
    """Refuse tournaments of programs, and those of games that take long to solve: nothing is run for a page that its
    owner has not started from the command line."""
    setting = read_setting(folder)
    game = make_game(known_as(setting.game), setting.parameters)
    for name in setting.agents:
        if name not in game.agents:
            raise BadInput(f"{name[:80]!r} is a program, and no page may start one; run `hazard resume` there")
        check_agent(game, name)


async def cancel(server: LabServer, request: Request) -> Any:
    """Stop the tournament that is being played; its complete games stay."""
    server.owner.check(request)
    folder = _folder(server, request)
    await server.tournament_state.runner.cancel(folder.name)
    return {"name": folder.name}


ROUTES = (
    ("/api/tournaments", "GET", tournaments),
    ("/api/tournaments", "POST", start),
    ("/api/tournaments/{name}", "GET", tournament),
    ("/api/tournaments/{name}/games", "GET", games),
    ("/api/tournaments/{name}/games/{game}", "POST", show_game),
    ("/api/tournaments/{name}/resume", "POST", resume),
    ("/api/tournaments/{name}/cancel", "POST", cancel),
)

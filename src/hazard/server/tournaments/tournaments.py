"""Tournaments: those in the server's folder and what their games say, while they are played too; any game in a room."""

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

from hazard.arena.tournament.setting import Setting, round_robin, settle
from hazard.arena.tournament.store import LEDGER, SETTING, Store, at_work, read_setting
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, make_game
from hazard.server.http.requests import number, wish
from hazard.server.protocol import Refusal, Short
from hazard.server.rooms import tournament_game as drawn
from hazard.server.rooms.game_file import GameFile
from hazard.server.rooms.setting import Drawn
from hazard.server.tournaments import games as contest_games
from hazard.server.tournaments.running import Player, told

if TYPE_CHECKING:
    from hazard.server.http.app import Lab

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
STEPS = 10  # batches of each line-up, so that one can see them fill
SEARCHING = 100  # how many times fewer games there may be with agents that search
MOST = 1000  # tournaments in the folder, beyond which none is started


class Contests:
    """What the server knows of tournaments beside their folder."""

    def __init__(self) -> None:
        self.player = Player()
        self.summing, self.replaying = asyncio.Lock(), asyncio.Lock()  # one question at a time
        self.summaries: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {}  # by name, with how its files stood


class NewTournament(msgspec.Struct, forbid_unknown_fields=True):
    """A wish for a tournament."""

    name: Short
    game: Short
    agents: Annotated[list[Short], Meta(max_length=20)]
    parameters: dict[str, int | str] = {}
    games: Annotated[int, Meta(ge=1, lt=2**31)] = 200  # for each line-up
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 1


# --- which there are --------------------------------------------------------------------------------------------------
def _names(lab: Lab) -> list[str]:
    if not lab.tournaments.is_dir():
        return []
    return sorted(place.name for place in lab.tournaments.iterdir() if (place / SETTING).is_file())


def _folder(lab: Lab, request: Request) -> Path:
    name = request.path_params["name"]
    if name not in _names(lab):
        raise Refusal("unknown", f"there is no tournament {name[:64]!r} here")
    return lab.tournaments / name


def _row(lab: Lab, folder: Path, setting: Setting) -> dict[str, Any]:
    """A line in the list of tournaments."""
    total, problem, played = setting.games * len(setting.line_ups), lab.contests.player.problems.get(folder.name, ""), 0
    try:
        played = Store(folder, setting).games
    except BadInput as damage:
        problem = str(damage)
    finished = played >= total and (folder / "summary.json").is_file()
    here = lab.contests.player.name == folder.name
    status = "finished" if finished and not here else "playing" if here or at_work(folder) else "stopped"
    told: dict[str, Any] = {"name": folder.name, "game": setting.game, "parameters": setting.parameters}
    told |= {"agents": setting.agents, "games": setting.games, "seed": setting.seed, "total": total, "played": played}
    changed = max(path.stat().st_mtime for path in (folder / SETTING, folder / LEDGER) if path.exists())
    return told | {"finished": finished, "status": status, "here": here, "problem": problem, "changed": changed}


def _rows(lab: Lab) -> list[dict[str, Any]]:
    found = []
    for name in _names(lab):
        try:
            found.append(_row(lab, lab.tournaments / name, read_setting(lab.tournaments / name)))
        except (BadInput, OSError):
            continue
    return sorted(found, key=lambda row: -row["changed"])


async def tournaments(lab: Lab, request: Request) -> Any:
    """The tournaments in the server's folder, the latest first, and how large one may be that is started here."""
    rows = await asyncio.to_thread(_rows, lab)
    most = {"games": lab.limits.tournament, "searching": lab.limits.tournament // SEARCHING}
    return {"tournaments": rows, "folder": str(lab.tournaments), "playing": lab.contests.player.name, "most": most}


# --- one of them ------------------------------------------------------------------------------------------------------
async def tournament(lab: Lab, request: Request) -> Any:
    """The summary of one, of the games so far if it is not finished; its name is that of its folder."""
    folder = _folder(lab, request)
    async with lab.contests.summing:
        return await asyncio.to_thread(_summary, lab, folder)


def _summary(lab: Lab, folder: Path) -> dict[str, Any]:
    """What the files say; the last answer is kept for as long as they stay the same."""
    setting = read_setting(folder)
    row = _row(lab, folder, setting)
    files = (folder / LEDGER, folder / "summary.json", folder / SETTING)
    stood = tuple(path.stat().st_mtime_ns for path in files if path.exists())
    if folder.name not in lab.contests.summaries or lab.contests.summaries[folder.name][0] != stood:
        found = _summed(folder, setting, row["finished"]) if row["played"] else {}
        lab.contests.summaries[folder.name] = stood, found
    return lab.contests.summaries[folder.name][1] | row


def _summed(folder: Path, setting: Setting, finished: bool) -> dict[str, Any]:
    from hazard.arena.tournament.run import summed_up, tallies

    by_seat = {"by_seat": contest_games.by_seat(folder, len(setting.line_ups[0]))}
    if finished:
        return json.loads((folder / "summary.json").read_text()) | by_seat
    game = make_game(setting.game, setting.parameters)
    return summed_up(setting, tallies(Store(folder, setting), game, {})) | by_seat


# --- its games --------------------------------------------------------------------------------------------------------
async def games(lab: Lab, request: Request) -> Any:
    """Some games of a tournament, page by page."""
    folder = _folder(lab, request)
    wanted = {key: request.query_params.get(key, "") for key in ("agent", "against", "result", "order")}
    page = int(number(request, "page", 0, 1e9))
    async with lab.contests.summing:
        return await asyncio.to_thread(contest_games.chosen, folder, page, **wanted)


async def look(lab: Lab, request: Request) -> Any:
    """A room in which a game of a tournament can be looked at; the same each time."""
    folder, game_id = _folder(lab, request), request.path_params["game"]
    asked = f"{folder.name} {game_id} ".encode() + (folder / SETTING).read_bytes()
    room = hashlib.sha256(asked).hexdigest()[:16]
    async with lab.contests.replaying:
        if await lab.store.load(room) is None:
            await lab.rooms.upload(await _file(folder, game_id), room, "tournament")
    return {"room": room}


async def _file(folder: Path, game_id: int) -> GameFile:
    """A game of a tournament, played again from its seed."""
    setting = read_setting(folder)
    line_up, count = setting.find(game_id)
    try:
        found = json.loads(await told("replay", str(folder), str(game_id), "--json"))
    except BadInput as problem:
        raise BadInput(str(problem).replace(f"{folder.parent}/", "")) from None
    game = make_game(setting.game, setting.parameters)
    source = Drawn(folder.name, game_id, setting.seed, setting.names(line_up), count, setting.shared)
    return GameFile(
        game=setting.game,
        parameters=setting.parameters,
        rules=setting.rules,
        drawn=source,
        commitment="",
        events=drawn.events_of(game, found),
    )


# --- starting and ending ----------------------------------------------------------------------------------------------
async def start(lab: Lab, request: Request) -> Any:
    """Start a small tournament."""
    asked = await wish(lab, request, NewTournament)
    setting = await asyncio.to_thread(_settled, lab, asked)
    folder = lab.tournaments / asked.name
    if lab.contests.player.name:
        await lab.contests.player.play(folder)  # which refuses, and says why
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BadInput(f"name: there is a tournament {asked.name!r} already; choose another name") from None
    Store(folder, setting).extend(setting)
    await lab.contests.player.play(folder)
    return {"name": asked.name}


def _settled(lab: Lab, asked: NewTournament) -> Setting:
    """The tournament that is wished for, if it may be."""
    if not NAME.fullmatch(asked.name):
        raise BadInput(f"name: {asked.name!r} must be 1 to 40 letters, digits, - and _, with a letter or digit first")
    if len(_names(lab)) >= MOST:
        raise Refusal("full", f"there are {MOST} tournaments in {lab.tournaments}; remove some")
    game = make_game(asked.game, asked.parameters)
    for name in asked.agents:
        if name not in game.agents:  # bots are programs, and no page may start one
            raise unknown(f"agent of {game.name}", name, game.agents)
    line_ups = round_robin(asked.agents, game.seats)
    _check_size(lab, game, asked, len(line_ups))
    batch = max(game.seats, asked.games // STEPS)
    return settle(game, asked.agents, line_ups, games=asked.games, seed=asked.seed, batch=batch)


def _check_size(lab: Lab, game: Game, asked: NewTournament, line_ups: int) -> None:
    slow = [name for name in asked.agents if game.agents[name].slow]
    most = max(1, lab.limits.tournament // (SEARCHING if slow else 1))
    if asked.games * line_ups > most:
        why = f", because {', '.join(slow)} think long" if slow else ""
        told = f"{asked.games} for each of {line_ups} line-ups are {asked.games * line_ups:,}"
        raise BadInput(
            f"games: {told}, but from a page at most {most:,} can be played{why}. "
            "Take fewer games or agents, or use `hazard tournament`"
        )


async def resume(lab: Lab, request: Request) -> Any:
    """Go on with a tournament that was stopped."""
    folder = _folder(lab, request)
    await lab.contests.player.play(folder)
    return {"name": folder.name}


async def cancel(lab: Lab, request: Request) -> Any:
    """Stop the tournament that is being played; its complete games stay."""
    folder = _folder(lab, request)
    await lab.contests.player.cancel(folder.name)
    return {"name": folder.name}


ROUTES = (
    ("/api/tournaments", "GET", tournaments),
    ("/api/tournaments", "POST", start),
    ("/api/tournaments/{name}", "GET", tournament),
    ("/api/tournaments/{name}/games", "GET", games),
    ("/api/tournaments/{name}/games/{game:int}", "POST", look),
    ("/api/tournaments/{name}/resume", "POST", resume),
    ("/api/tournaments/{name}/cancel", "POST", cancel),
)

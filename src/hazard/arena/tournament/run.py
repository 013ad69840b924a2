"""Plays a tournament into a folder, from wherever an earlier run left off, and sums it up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hazard.arena.bots.command import fingerprint
from hazard.arena.bots.isolation import hiding
from hazard.arena.bots.limits import Fault
from hazard.arena.match import empty_tally, tally_of
from hazard.arena.play.compiled import Games
from hazard.arena.play.seated import Played, seat
from hazard.arena.play.steps import place_at
from hazard.arena.statistics.intervals import Tally
from hazard.arena.tournament.batch import all_read, join, other_reading
from hazard.arena.tournament.runner import Expelled, played, workers
from hazard.arena.tournament.schedule import Batch, Work, left_to_play, schedule
from hazard.arena.tournament.setting import Setting
from hazard.arena.tournament.store import Store, opened
from hazard.errors import BadInput
from hazard.files import write_whole
from hazard.rulebook import Game

SUSPENSIONS = 3  # batches in which a bot is suspended, after which it forfeits all further games at once
BEHIND = 8  # batches after which suspensions count, so that it does not matter how many workers there are
Progress = Callable[[int, int], None]  # told how many games are done, of how many


def run(
    folder: Path, setting: Setting, processes: int = 1, cluster: str | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Play what is missing; the summary is returned and written to the folder with its page."""
    game = ready(setting, processes)
    with opened(folder, setting) as store:
        work = list(left_to_play(store.setting, store.done))
        known: dict[Batch, Tally] = {}
        if work:
            prepare(game, store.setting)
            settle_reads(store, game)
            known = _play(store, work, 1 if len(work) == 1 else processes, cluster, progress)
        return _sum_up(store, tallies(store, game, known))


def ready(setting: Setting, processes: int) -> Game:
    """The game, if it can be played as the tournament was begun."""
    if processes < 1:
        raise BadInput(f"processes={processes}: must be 1 or more")
    game = setting.made()
    setting.check_versions()
    _check_bots(setting)
    return game


def settle_reads(store: Store, game: Game) -> None:
    """Write down what agents read; refuse to go on with anything else."""
    old, new = store.setting.reads, all_read(store.setting, game)
    if other := sorted(name for name in old if new.get(name) != old[name]):
        raise BadInput(f"{store.folder}: {other_reading(other[0])}")
    store.extend(msgspec.structs.replace(store.setting, reads=new))


def expelling(store: Store) -> Expelled:
    """Which bots may not play in a batch: those suspended too often; only batches so far back count that no worker may
    still be playing them."""
    if not store.setting.bots:
        return lambda batch: []
    order = {(batch.line_up, batch.first): n for n, batch in enumerate(schedule(store.setting))}

    def expelled(batch: Batch) -> list[str]:
        times = store.suspensions(order.get((batch.line_up, batch.first), 0) - BEHIND)
        return [name for name, count in times.items() if count >= SUSPENSIONS]

    return expelled


def prepare(game: Game, setting: Setting) -> None:
    """Solve and compile once, so that workers find both in the cache."""
    for name in setting.agents:
        if name in game.agents and game.agents[name].solved:
            seat(game, [name] * game.seats, 0)
    if any(name in game.agents for name in setting.agents):
        known = next(name for name in setting.agents if name in game.agents)
        seat(game, [known] * game.seats, 0, company=setting.agents).play(0, 0)


def _play(
    store: Store, work: list[Work], processes: int, cluster: str | None, progress: Progress | None
) -> dict[Batch, Tally]:
    """Play and keep all batches; what was counted on the way is returned."""
    setting = store.setting
    known: dict[Batch, Tally] = {}
    total, expelled = setting.games * len(setting.line_ups), expelling(store)
    with workers(processes, cluster) as crew:
        crew.ahead = min(crew.ahead, BEHIND) if setting.bots else crew.ahead
        for task, found in played(apart(setting, store.folder), work, crew, expelled):
            files = found.files
            if task.played is not None:
                old = {kind: store.path(kind, task.played).read_bytes() for kind in files}
                files = {kind: join(old[kind], files[kind]) for kind in files}
            store.keep(task.batch, files, found.suspended, instead_of=task.played)
            if task.played is None and found.tally is not None:
                known[task.batch] = found.tally
            if progress:
                progress(store.games, total)
    return known


def apart(setting: Setting, folder: Path) -> Setting:
    """The tournament as workers are told of it: bots see nothing of each other, nor of what is in the folder."""
    return msgspec.structs.replace(setting, limits=hiding(setting.limits, setting.bots, folder))


def _check_bots(setting: Setting) -> None:
    for name, known in setting.bots.items():
        if fingerprint(name) != known:
            raise BadInput(f"{name!r} has changed since its games were played; play it in a tournament of its own")


def tallies(store: Store, game: Game, known: dict[Batch, Tally]) -> list[Tally]:
    """What the games of every line-up say, added up in the same order whatever the run.

    Batches whose tally is not known, because an earlier run played them, are read.
    """
    found = [empty_tally(game) for _ in store.setting.line_ups]
    for batch in store.batches:
        found[batch.line_up].merge(known[batch] if batch in known else _read(store, game, batch))
    return found


def _read(store: Store, game: Game, batch: Batch) -> Tally:
    table = store.read("games", batch)

    def columns(name: str) -> np.ndarray:
        some = [table[column].to_numpy() for column in table.column_names if column.startswith(name)]
        return np.column_stack(some) if some else np.zeros((len(table), 0))

    faults = None
    if "faults" in table.column_names:
        rows = enumerate(table["faults"].to_pylist(), batch.first)
        faults = [[_fault(game, number, f) for f in some or []] for number, some in rows]
    games = Games(columns("payoff_"), table["length"].to_numpy(), table["cut"].to_numpy(), columns("luck_"))
    return tally_of(game, batch.first, Played(games, faults=faults))


def _fault(game: Game, number: int, row: dict[str, Any]) -> Fault:
    seat = row["seat"] - 1
    return Fault(seat, place_at(seat, number, game.seats), row["reason"], row["words"], row["detail"])


def summed_up(setting: Setting, counted: list[Tally]) -> dict[str, Any]:
    """What the games so far say, as one plain dictionary."""
    from hazard.arena.tournament.summary import summarise

    shown = msgspec.to_builtins(setting)
    settled = {key: shown[key] for key in ("game", "parameters", "rules", "code", "seed", "games", "shared", "bots")}
    settled["command"] = "hazard resume DIR --games N"
    if setting.bots and sum(tally.games for tally in counted) < setting.games * len(setting.line_ups):
        settled["seed"] = None  # until no dice are left that could be computed from it
    return summarise(settled, setting.agents, setting.line_ups, counted)


def _sum_up(store: Store, counted: list[Tally]) -> dict[str, Any]:
    from hazard.arena.tournament.page import write_page

    summary = summed_up(store.setting, counted)
    write_whole(store.folder / "summary.json", json.dumps(summary, indent=1).encode() + b"\n")
    write_page(store.folder / "report.html", summary)
    return summary

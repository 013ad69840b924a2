"""Whether a tournament's results are what its seed gives: files are compared with checksums, games are played again.

A sample is drawn at random, so that nobody knows beforehand which games will be looked at. What programs chose cannot
be played again: it is taken from the record, and the dice, the rules and the moves of built-in agents are checked.
"""

from __future__ import annotations

import random
import secrets
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hazard.arena.tournament.batch import all_read, other_reading, play_tables, seated
from hazard.arena.tournament.replay import told
from hazard.arena.tournament.run import Progress
from hazard.arena.tournament.runner import workers
from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import code_version
from hazard.arena.tournament.store import Store, read_setting
from hazard.errors import BadInput
from hazard.rulebook import Game

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE = 1000  # games
SURE = 0.95  # how surely a share of wrong games is found
SHOWN = 5  # games that are named


class Check(NamedTuple):
    """One thing that was looked at."""

    what: str
    passed: bool
    detail: str


class Wrong(NamedTuple):
    """A game that is not what its seed gives."""

    game: int
    why: str


def verify(
    folder: Path,
    games: int | None = SAMPLE,
    seed: int | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play some games again, or all if no number is given, and compare them with what is recorded."""
    if games is not None and games < 1:
        raise BadInput(f"--games {games}: must be 1 or more")
    setting = read_setting(folder)
    store, game = Store(folder, setting), setting.game_of_rules()
    damaged = store.damaged()
    left = [batch for batch in store.batches if batch not in {entry.batch for entry, _ in damaged}]
    seed = secrets.randbits(32) if seed is None else seed
    chosen = _drawn(left, games, seed)
    count, wrong = sum(last - first for some in chosen.values() for first, last in some), list[Wrong]()
    for done, found in _looked_at(folder, chosen, processes) if chosen else ():
        wrong += found
        if progress:
            progress(done, count)
    checks = [_files(store, [why for _, why in damaged]), _games(store, count, seed, wrong), *_programs(store, chosen)]
    return {
        "folder": str(folder),
        "passed": all(check.passed for check in checks),
        "games": store.games,
        "checked": count,
        "wrong": [found._asdict() for found in wrong],
        "damaged": [why for _, why in damaged],
        "seed": seed,
        "most_wrong": _most_wrong(count, store.games) if not wrong else None,
        "sure": SURE,
        "notes": _differences(store, game),
        "checks": [check._asdict() for check in checks],
    }


# --- which games ---------------------------------------------------------------------------------------------------
Span = tuple[int, int]  # games from one number to before another
Spans = dict[Batch, list[Span]]


def _drawn(batches: Sequence[Batch], games: int | None, seed: int) -> Spans:
    """So many games of these batches, each as likely as the others; all if no number is given."""
    total = sum(batch.last - batch.first for batch in batches)
    if games is None or games >= total:
        return {batch: [(batch.first, batch.last)] for batch in batches}
    chosen, found, before = sorted(random.Random(seed).sample(range(total), games)), defaultdict(list), 0
    places = iter([*chosen, total])
    place = next(places)
    for batch in batches:
        size = batch.last - batch.first
        while place < before + size:
            number = batch.first + place - before
            found[batch].append((number, number + 1))
            place = next(places)
        before += size
    return dict(found)


def _most_wrong(checked: int, games: int) -> float:
    """If more than this share of all games were wrong, a sample of so many would have shown one, as surely as SURE."""
    return 0.0 if checked >= games else 1 - (1 - SURE) ** (1 / checked) if checked else 1.0


# --- playing them again --------------------------------------------------------------------------------------------
def _looked_at(folder: Path, chosen: Spans, processes: int) -> Iterator[tuple[int, list[Wrong]]]:
    """How many games were looked at so far, and those among the last that are wrong."""
    stamp = secrets.token_hex(8)
    done, asked = 0, [(str(folder), stamp, batch, spans) for batch, spans in chosen.items()]
    with workers(min(processes, len(asked)) or 1, None) as crew:
        apart = processes > 1 and len(asked) > 1
        found = crew.executor.map(wrong_games, *zip(*asked, strict=True)) if apart else starmap(wrong_games, asked)
        for (*_, spans), some in zip(asked, found, strict=True):
            done += sum(last - first for first, last in spans)
            yield done, some


def wrong_games(folder: str, stamp: str, batch: Batch, spans: Sequence[Span]) -> list[Wrong]:
    """The games of a batch, among some of them, that are not what their seed gives."""
    store, game = _opened(folder, stamp)
    games = store.read("games", batch)
    moves = store.read("moves", batch) if store.setting.record else None
    found = []
    for first, last in spans:
        part = Batch(batch.line_up, first, last)
        rows = games.slice(first - batch.first, last - first)
        if store.setting.has_bot(batch.line_up):
            found += _told_again(store, game, part, rows)
        else:
            found += _played_again(store, game, part, rows, moves)
    return found


@lru_cache(maxsize=1)
def _opened(folder: str, stamp: str) -> tuple[Store, Game]:
    """What a process has read of a folder, once for all that is asked with the same stamp."""
    setting = read_setting(Path(folder))
    return Store(Path(folder), setting), setting.game_of_rules()


def _told_again(store: Store, game: Game, part: Batch, rows: pa.Table) -> list[Wrong]:
    """Games in which programs play, by the record of their moves."""
    found = []
    for number, row in enumerate(rows.to_pylist(), part.first):
        game_id = store.setting.game_id(part.line_up, number)
        try:
            _, why = told(store.setting, game, game_id, row)
        except BadInput as problem:
            why = str(problem)
        found += [Wrong(game_id, why)] if why else []
    return found


def _played_again(store: Store, game: Game, part: Batch, rows: pa.Table, moves: pa.Table | None) -> list[Wrong]:
    """Games of built-in agents: every figure must be the same, and every move where moves are kept."""
    setting = store.setting
    _, tables = play_tables(setting, game, seated(setting, game, part.line_up), part)
    ids = [setting.game_id(part.line_up, number) for number in range(part.first, part.last)]
    found = {}
    if not tables["games"].equals(rows):
        again = zip(ids, rows.to_pylist(), tables["games"].to_pylist(), strict=True)
        found = {game_id: _first_difference(old, new) for game_id, old, new in again if old != new}
    if moves is not None:
        found |= dict.fromkeys(_other_moves(moves, tables["moves"], ids), "other moves are recorded")
    return [Wrong(game_id, why) for game_id, why in found.items()]


def _first_difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    name = next(name for name in new if old.get(name) != new[name])
    return f"{name} is {new[name]}, but {old.get(name)} is recorded"


def _other_moves(old: pa.Table, new: pa.Table, ids: list[int]) -> list[int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if old.equals(new):
        return []
    old = old.filter(pc.is_in(old["game"], pa.array(ids)))
    apart = [(game_id, pc.field("game") == game_id) for game_id in ids]
    return [game_id for game_id, alone in apart if not old.filter(alone).equals(new.filter(alone))]


# --- what is said --------------------------------------------------------------------------------------------------
def _files(store: Store, damaged: list[str]) -> Check:
    count, bad = len(store.batches), len(damaged)
    said = f"{damaged[0]}; {bad} of {count} batches are damaged" if bad else f"{count} batches match their checksums"
    return Check("files", not bad, said)


def _games(store: Store, count: int, seed: int, wrong: list[Wrong]) -> Check:
    every = count >= store.games
    what = f"all {count:,} games" if every else f"{count:,} of {store.games:,} games, drawn with seed {seed},"
    if wrong:
        some = "; ".join(f"game {found.game}: {found.why}" for found in wrong[:SHOWN])
        return Check("games", False, f"{what} were played again, and {len(wrong):,} differ: {some}")
    said = f"{what} were played again, and are the same"
    if not every:
        said += f": at most {_most_wrong(count, store.games):.2%} of all differ, with {SURE:.0%} confidence"
    return Check("games", count > 0, said if count else "there is no game to play again")


def _programs(store: Store, chosen: Spans) -> list[Check]:
    spans = [span for batch, some in chosen.items() if store.setting.has_bot(batch.line_up) for span in some]
    if not spans:
        return []
    count = sum(last - first for first, last in spans)
    said = f"in {count:,} of them programs play: what these chose is taken from the record, and the rest is checked"
    return [Check("programs", True, said)]


def _differences(store: Store, game: Game) -> list[str]:
    """What is not as it was when the tournament was played; it may be the reason for a difference."""
    setting, found = store.setting, []
    if (code := code_version(game)) != setting.code:
        found.append(f"the tournament was played with code {setting.code}, but this is {code}")
    if why := setting.other_version():
        found.append(why)
    here = all_read(setting, game)
    found += [other_reading(name) for name, known in setting.reads.items() if here.get(name) != known]
    return found

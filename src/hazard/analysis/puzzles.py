"""Puzzles: positions in which one choice is clearly the best, and the obvious one is often wrong.

They are met in games that the game's own quick players play, with some random moves among theirs. Each keeps what every
move costs, and why, so that a page can show it without solving anything. A collection names the rules and parameters
that it was made for, and is not used with others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hazard import dice
from hazard.analysis.answers import Analysis, Known
from hazard.analysis.players import decision
from hazard.analysis.positions import known_at_once
from hazard.analysis.why import explained
from hazard.errors import BadInput
from hazard.files import write_whole
from hazard.fingerprint import PACKAGE
from hazard.jit import cache_home
from hazard.rulebook import Game, Position, make_game
from hazard.solving.solution import solved, within_reach

FORMAT = 1
LEVELS = 5
LEAST_COST = 0.0075  # of the range of payoffs: what the second best choice must cost
SAME = 0.001  # of that range: choices that cost less than this are as good as the best
OPEN = 0.05, 0.95  # of that range: outside of it a game is decided
STRAY = 0.15  # of the moves on the way are random
TRIES = 200  # decisions that are looked at for each puzzle that is wanted
PLAIN = 0.25  # of the puzzles fool nobody
EXPLAINED = 6  # choices whose reasons are kept, besides the traps


class Choice(msgspec.Struct, frozen=True, array_like=True):
    """A move, what it costs against the best, and why."""

    move: str
    cost: float
    why: str = ""


class Puzzle(msgspec.Struct, frozen=True):
    """A position to find the best move in."""

    id: str
    position: str
    value: float  # of the best move to the mover
    level: int  # from 1, the easiest
    choices: list[Choice]  # all legal moves, the best first
    fooled: list[str]  # the game's players that go wrong here


class Collection(msgspec.Struct, frozen=True):
    """The puzzles of a game."""

    game: str
    parameters: dict[str, int | str]
    rules: str
    known: Known
    seed: int
    puzzles: list[Puzzle]
    format: int = FORMAT


# --- making ----------------------------------------------------------------------------------------------------------
def make_puzzles(game: Game, count: int, seed: int, progress: Any = None) -> Collection:
    """So many puzzles, or as many as are found; those of all levels in equal parts where there are enough."""
    with np.errstate(over="ignore"):  # streams of dice in plain Python wrap at 64 bits
        return _made(game, count, seed, progress)


def _made(game: Game, count: int, seed: int, progress: Any) -> Collection:
    if within_reach(game):
        solved(game)
    first = next(_decisions(game, seed), None)
    known = known_at_once(first) if first else None
    if known is None:
        raise BadInput(
            f"{game.describe()}: puzzles need values, and it is neither solved nor judged by a network; "
            f"run `hazard solve {game.describe()}` first, or take smaller parameters"
        )
    found: dict[str, Puzzle] = {}
    traps = 0
    for n, position in enumerate(_decisions(game, seed)):
        if n >= TRIES * count or traps >= count:
            break
        puzzle = _puzzle(position, known_at_once(position))
        if puzzle and puzzle.id not in found and (puzzle.fooled or len(found) - traps < count):
            found[puzzle.id] = puzzle
            traps += bool(puzzle.fooled)
        if progress and n % 16 == 0:
            progress(max(traps * TRIES, n), TRIES * count)
    return Collection(game.name, game.parameters, game.version, known.known, seed, _chosen(list(found.values()), count))


def _players(game: Game) -> list[str]:
    """Those of the game's agents that answer at once and follow a thought."""
    named = {**dict.fromkeys((*game.declaration.lab.opponents, *game.declaration.lab.watch)), **game.agents}
    wanted = [name for name in named if name in game.agents]
    quick = [n for n in wanted if not (game.agents[n].slow or game.agents[n].solved or game.agents[n].uniform)]
    return quick[:6]


def _decisions(game: Game, seed: int) -> Iterator[Position]:
    """Positions with a choice, from one game after the other."""
    players, number = _players(game) or ["random"], 0
    while number < 100_000:
        rng = dice.stream(seed, number, dice.DICE)
        position = game.deal(dice.stream(seed, number, dice.BOARD))
        yield from _of_one_game(game, position, rng, players)
        number += 1


def _of_one_game(game: Game, position: Position, rng: np.ndarray, players: Sequence[str]) -> Iterator[Position]:
    seated = [players[dice.below(rng, len(players))] for _ in range(game.seats)]
    for step in range(2_000):
        if position.over:
            return
        if position.rolling:
            position = position.roll(rng).position
            continue
        moves = position.moves
        if len(moves) > 1:
            yield position
        stray = len(moves) == 1 or dice.below(rng, 1000) < 1000 * STRAY
        picked = moves[dice.below(rng, len(moves))]
        position = position.move(picked if stray else decision(position, seated[position.mover], 0, step).move())


def _puzzle(position: Position, found: Analysis | None) -> Puzzle | None:
    """The puzzle of a position, if it makes one: the game is open, and a choice is clearly the best."""
    if found is None or len(found.moves) < 2:
        return None
    low, high = position.game.payoff_range or (0.0, 1.0)
    span, best = high - low, found.moves[0]
    wrong = [row.cost for row in found.moves if row.cost > SAME * span]
    if not wrong or min(wrong) < LEAST_COST * span or not OPEN[0] <= (best.value - low) / span <= OPEN[1]:
        return None
    right = {row.move for row in found.moves if row.cost <= SAME * span}
    asked = _players(position.game)
    answers = {name: decision(position, name, 0, 0).move() for name in asked}
    fooled = [name for name in asked if answers[name] not in right]
    told = explained(position, found).moves
    traps = {answers[name] for name in fooled}
    choices = [
        Choice(row.move, round(row.cost, 6), row.why if n < EXPLAINED or row.move in traps else "")
        for n, row in enumerate(told)
    ]
    share = len(fooled) / len(asked) if asked else 0.0
    level = _level(share, min(wrong) / span, len(choices))
    name = hashlib.sha256(str(position).encode()).hexdigest()[:8]
    return Puzzle(name, str(position), round(best.value, 6), level, choices, fooled)


def _level(fooled: float, gap: float, choices: int) -> int:
    """Harder where more of the game's players go wrong, where less hangs on it, and among many moves."""
    points = 2.2 * fooled + (gap < 0.06) + 0.6 * (gap < 0.025) + 0.6 * (choices > 5)
    return min(LEVELS, 1 + int(points))


def _chosen(puzzles: list[Puzzle], count: int) -> list[Puzzle]:
    """In turns one of each level; most of them fool somebody, where there are as many."""
    traps, plain = ([p for p in sorted(puzzles, key=lambda p: p.id) if bool(p.fooled) == f] for f in (True, False))
    plain = plain[: max(int(PLAIN * count), count - len(traps))]
    shelves = [[p for p in traps + plain if p.level == level] for level in range(1, LEVELS + 1)]
    kept: list[Puzzle] = []
    while len(kept) < count and any(shelves):
        for shelf in shelves:
            if shelf and len(kept) < count:
                kept.append(shelf.pop(0))
    return sorted(kept, key=lambda p: (p.level, p.id))


# --- keeping ---------------------------------------------------------------------------------------------------------
def folder() -> Path:
    """Where puzzles that were made on this machine are kept."""
    return cache_home() / "puzzles"


def save(collection: Collection, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.encode(collection))


def shipped_at(name: str) -> Path:
    """Where the package has the puzzles of one of its games."""
    return PACKAGE / "games" / name.replace("-", "_") / "puzzles.json"


def collection_of(name: str) -> Collection | None:
    """The puzzles of a game that were made here, or else those of the package, if they go with the rules of today."""
    for path in (folder() / f"{name}.json", shipped_at(name)):
        found = load(path)
        if found and found.game == name and found.rules == make_game(name, found.parameters).version:
            return found
    return None


def load(path: Path) -> Collection | None:
    """A collection; None if there is none, or it is none."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Collection)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if found.format == FORMAT and found.puzzles else None

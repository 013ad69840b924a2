"""Games solved from their rules against a fixed opponent, and the same processes solved by Storm's sound methods.

Seat 1 has one move in every position, so what is left is a Markov decision process. Hazard finds its positions and
solves it from the rules; Storm is given it as arrays, so that finding positions costs it nothing. Its states are ours,
positions with dice in the air, and besides one for every different choice that dice may lead to. Both use one thread
and are asked for 1e-8; Storm's fastest method counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import hazard
from benchmarks import rivals
from benchmarks.enumerated import ByRules, check
from benchmarks.row import Row, Sample, race, timed
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.enumerated.run import Found, Run
from hazard.solving.enumerated.search import N_NODES, N_SENT, SENT_COMPONENTS
from hazard.solving.enumerated.solver import Enumerated

TOLERANCE, REPEATS, FASTER = 1e-8, 2, 5.0
UR = Path(__file__).parents[1] / "examples" / "games" / "ur.py"
WIN, LOSE, ENDS = 0, 1, 3  # as in `doom_mdp`; state 2 is not used here
LEGAL = """
def legal(g, s, moves):
    count = legal_of(g, s, moves)
    if s.mover == 1:
        moves[0] = decide_of(g, s, moves, moves, moves)
        return 1
    return count
"""


@rule
def rolls_first(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The first of the legal moves, which are there already."""
    return moves[0]


def against(game: Game, decide: Callable) -> Game:
    """The game with moves of seat 1 that are given."""
    scope: dict[str, Any] = {"legal_of": game.rules.legal, "decide_of": decide}
    exec(LEGAL, scope)
    scope["legal"].__module__, scope["legal"].source = __name__, LEGAL
    names = {**vars(game.rules), "legal": rule(scope["legal"])}
    own = replace(game.declaration, rules=SimpleNamespace(**names), solver=Enumerated(), name="")
    return ByRules(f"{game.name}-response", game.parameters, own=own)


# --- the process as arrays -------------------------------------------------------------------------------------------
class Recorded(Run):
    """A run that keeps all rows."""

    def __init__(self, game: Game, tolerance: float) -> None:
        self.rows: list[tuple[np.ndarray, ...]] = []
        super().__init__(game, tolerance)

    def solve_stream(self) -> None:
        x, n = self.space.x, self.space.n
        count = int(n[N_SENT])
        if count:
            first, begin = x.stream.first[: count + 1].copy(), x.stream.begin[: count + 1].copy()
            component = np.searchsorted(x.components[: int(n[SENT_COMPONENTS]) + 1], np.arange(count), "right") - 1
            target = x.stream.target[: begin[-1]].astype(np.int64)
            start = x.components[component].repeat(np.diff(begin))
            inside = target < 0
            target[inside] = x.sent[start[inside] + ~target[inside]]
            of = first[-1]
            parts = x.sent[:count], first, x.stream.weight[:of], np.abs(x.stream.options[:of]), target
            self.rows.append(tuple(part.copy() for part in parts))
        super().solve_stream()


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers that look random."""
    with np.errstate(over="ignore"):
        found = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return found ^ (found >> np.uint64(27))


def export(game: Game, path: Path) -> None:
    """Write the process for Storm; see `doom_mdp`."""
    run = Recorded(game, TOLERANCE)
    worth = None

    def keep() -> Found:
        nonlocal worth
        worth = run.space.x.value[: int(run.space.n[N_NODES]), 0].copy(), run.space.x.place.copy()
        return original()

    original, run._found = run._found, keep  # type: ignore[method-assign]
    run.run(None)
    assert worth
    value, place = worth
    ends = place[: len(value)] == -3
    names = np.where(ends, np.where(value == 1.0, WIN, LOSE), 0)
    names[~ends] = ENDS + np.arange((~ends).sum())
    _write(path, run.rows, names, ENDS + int((~ends).sum()))


def _write(path: Path, parts: list[tuple[np.ndarray, ...]], names: np.ndarray, states: int) -> None:
    nodes = np.concatenate([part[0] for part in parts])
    ways = np.concatenate([np.diff(part[1]) for part in parts])
    weight, options, target = (np.concatenate([part[n] for part in parts]) for n in (2, 3, 4))
    target, begin = names[target], np.concatenate([[0], np.cumsum(options)])
    prints = np.add.reduceat(mixed(target), begin[:-1])
    several = options > 1
    _, example, same = np.unique(prints[several], return_index=True, return_inverse=True)
    leads = np.empty(len(options), np.int64)
    leads[~several] = target[begin[:-1][~several]]
    leads[several] = states + same
    source = names[nodes].repeat(ways)
    total = np.zeros(states)
    np.add.at(total, source, weight)
    pairs, where = np.unique(source * (states + len(example)) + leads, return_inverse=True)
    odds = np.bincount(where, weight / total[source])
    rows = np.arange(states), pairs // (states + len(example))
    counts = np.bincount(rows[1], minlength=states)
    counts[:ENDS], places = 1, pairs % (states + len(example))
    chosen = np.flatnonzero(several)[example]
    picks = np.concatenate([np.unique(target[begin[o] : begin[o + 1]]) for o in chosen])
    each = np.array([len(np.unique(target[begin[o] : begin[o + 1]])) for o in chosen])
    choices = np.concatenate([np.ones(states, np.int64), each])
    np.savez(
        path,
        choices=np.concatenate([[0], np.cumsum(choices)]),
        ways=np.concatenate([[0], np.cumsum(np.concatenate([counts, np.ones(len(picks), np.int64)]))]),
        places=np.concatenate([np.arange(ENDS), places, picks]),
        odds=np.concatenate([np.ones(ENDS), odds, np.ones(len(picks))]),
    )


# --- both sides ------------------------------------------------------------------------------------------------------
def ours(game: Game) -> Sample:
    run = Run(game, TOLERANCE)
    run._compile()
    return timed(lambda: run.run(None))


def theirs(folder: Path) -> Sample:
    found = rivals.ask("storm_doom.py", folder / "mdp.npz", folder / "values.npz")
    return min(found["seconds"].values()) + found["building"], found


def compare(title: str, game: Game) -> Row:
    ours(game)  # compiles
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export(game, folder / "mdp.npz")
        (seconds, found), (rival, storm) = race(lambda: ours(game), lambda: theirs(folder), repeats=REPEATS)
        with np.load(folder / "values.npz") as values:
            for method in values.files:
                check(game, found, float(values[method][ENDS]), TOLERANCE)
    notes = {"afterstates": len(found.key), "afterstates a second": len(found.key) / seconds, "Storm": storm}
    return Row(f"{title}, best response", "Storm", seconds, rival, "s", FASTER, notes)


def run() -> Iterator[Row]:
    for title, name, agent in (
        ("Pig to 100", "pig", "hold-at-20"),
        ("Great Rolled Ones", "great-rolled-ones", "fixed-hold-at"),
    ):
        game = hazard.game(name)
        yield compare(title, against(game, game.agents[agent].decide))
    yield compare("Ur with 3 pieces", against(hazard.game(str(UR), pieces=3), rolls_first))

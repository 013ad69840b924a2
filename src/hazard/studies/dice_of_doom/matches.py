"""The thesis' tables of matches, played again: every row with our share, its interval, and how far apart they are.

Rows are played in parts by two processes. A part that is complete is kept in the cache, so that a run that is stopped
goes on where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from hazard.arena.statistics.intervals import wilson
from hazard.rulebook import Game
from hazard.studies.cache import keep, known
from hazard.studies.dice_of_doom.solved import make
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, Finding, published
from hazard.studies.scores import z_score

SEED = 1
QUICK, FULL = 2_000, 100_000  # games a row; the thesis wanted 100,000 and cut rows down for time
PART = 2_000  # games of a slow agent that are kept at once
CLOSE_TO_OPTIMAL = "close-to-optimal"  # the thesis' table, read by the agent `optimal`
AGENTS = {"return_zero": "return-zero", "monte_carlo": "monte-carlo", "optimal": CLOSE_TO_OPTIMAL}
FEWER = {("monte-carlo", 6): 400, ("monte-carlo", 9): 100, ("mcts", 4): 400}  # games of a quick run, by tiles
MISLABELLED = ("B.1.3", "B.1.6")  # with 2 dice their columns "random" and "weighted" are of deterministic runs
LEVEL = 0.05  # of all comparisons together


class Counts(NamedTuple):
    """What came of some games."""

    wins: int
    losses: int
    ties: int

    @property
    def games(self) -> int:
        return sum(self)

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


class Task(NamedTuple):
    """Some games of one row."""

    board: str
    dice: int
    initialisation: str
    reinforcement: str
    agents: tuple[str, str]
    first: int
    games: int

    @property
    def game(self) -> Game:
        return make(self.board, self.dice, initialisation=self.initialisation, reinforcement=self.reinforcement)


# --- playing ---------------------------------------------------------------------------------------------------------
def kept(task: Task) -> Counts | None:
    """What is known of a part."""
    found = known("match", task.game, _details(task), solves="optimal" in task.agents)
    return Counts(*found) if found else None


def _details(task: Task) -> list[object]:
    return [list(task.agents), SEED, task.first, task.games]


def play(task: Task, memory: np.ndarray | None = None) -> Counts:
    """Play a part and keep it; games are independent, and seats alternate."""
    found = count(task, memory)
    keep("match", task.game, _details(task), found, solves="optimal" in task.agents)
    return found


def count(task: Task, memory: np.ndarray | None) -> Counts:
    """Play the games of a task; `memory` is what the first agent reads, where that is not its game's own."""
    from hazard.agents.seating import as_memory, line_up_seed, padded, seat_agents
    from hazard.arena.play.compiled import LineUp

    game, own = task.game, [name for name in task.agents if name != CLOSE_TO_OPTIMAL]
    numbers, memories = seat_agents(game, own)
    if CLOSE_TO_OPTIMAL in task.agents:
        assert memory is not None
        numbers, memories = [list(game.agents).index("optimal"), *numbers], [as_memory(memory), *memories]
    seed = line_up_seed(SEED, task.agents)
    table = LineUp(game, np.array(numbers), padded(memories), seed, False, np.zeros((0, 1)))
    found = table.play(task.first, task.games).payoffs
    seats = (task.first + np.arange(task.games)) % 2
    mine = found[np.arange(task.games), seats]
    return Counts(int((mine == 1).sum()), int((mine == 0).sum()), int((mine == 0.5).sum()))


def play_all(tasks: Sequence[Task], say: Callable[[int, int], None]) -> dict[Task, Counts]:
    """All parts, from the cache or played by local processes; `say` is told how many are done of how many."""
    from hazard.arena.tournament.runner import cores, workers

    found = {task: known for task in tasks if (known := kept(task))}
    left = [task for task in tasks if task not in found]
    say(len(found), len(tasks))
    if not left:
        return found
    count(left[0]._replace(games=0), None)  # compiles once, so that the processes find it done
    flying: deque = deque()
    with workers(min(cores(), len(left)), None) as crew:
        for task in left:
            flying.append((task, crew.executor.submit(play, task)))
            if len(flying) >= crew.ahead:
                _land(flying, found, len(tasks), say)
        while flying:
            _land(flying, found, len(tasks), say)
    return found


def _land(flying: deque, found: dict[Task, Counts], total: int, say: Callable[[int, int], None]) -> None:
    task, future = flying.popleft()
    found[task] = future.result()
    say(len(found), total)


# --- rows ------------------------------------------------------------------------------------------------------------
def agents_of(row: dict[str, str]) -> tuple[str, str]:
    a, b = (AGENTS.get(row[name], row[name]) for name in ("strategy_a", "strategy_b"))
    return a, b


def board_of(row: dict[str, str]) -> str:
    """The tables of matches write columns x rows."""
    columns, _, rows = row["board"].partition("x")
    return f"{rows}x{columns}" if row["board"] == "2x3" else row["board"]


def games_of(row: dict[str, str], full: bool) -> int:
    if full:
        return FULL
    columns, _, rows = row["board"].partition("x")
    return FEWER.get((agents_of(row)[0], int(columns) * int(rows)), QUICK)


def parts_of(row: dict[str, str], games: int) -> Iterator[Task]:
    """A row's games, in one part or, where agents search, in several."""
    agents = agents_of(row)
    part = PART if agents[0] in ("monte-carlo", "mcts") else games
    for first in range(0, games, part):
        more = min(part, games - first)
        yield Task(
            board_of(row), int(row["max_dice"]), row["initialisation"], row["reinforcement"], agents, first, more
        )


def play_rows(
    rows: Sequence[dict[str, str]], full: bool, say: Callable[[int, int], None], games: int | None = None
) -> list[Counts]:
    """Our counts of every row."""
    parts = [list(parts_of(row, games or games_of(row, full))) for row in rows]
    slow_first = sorted(
        (task for part in parts for task in part), key=lambda t: t.agents[0] not in ("monte-carlo", "mcts")
    )
    found = play_all(slow_first, say)
    totals = []
    for part in parts:
        total = Counts(0, 0, 0)
        for task in part:
            total = total.plus(found[task])
        totals.append(total)
    return totals


# --- verdicts --------------------------------------------------------------------------------------------------------
def z_scores(ours: Counts, theirs: Counts) -> tuple[float, ...]:
    return tuple(z_score(a, ours.games, b, theirs.games) for a, b in zip(ours, theirs, strict=True))


def limit(rows: int) -> float:
    """The |z| that the largest of all differences exceeds with a chance of 5 %, if nothing differs (Bonferroni)."""
    return NormalDist().inv_cdf(1 - LEVEL / (2 * 3 * rows))


def published_counts(row: dict[str, str]) -> Counts:
    return Counts(*(int(row[name]) for name in ("wins_a", "wins_b", "ties")))


def key_of(row: dict[str, str], reinforcement: str | None = None) -> tuple[str, ...]:
    names = ("table", "strategy_a", "board", "max_dice", "initialisation")
    return *(row[name] for name in names), reinforcement or row["reinforcement"]


def is_mislabelled(row: dict[str, str]) -> bool:
    return row["table"] in MISLABELLED and row["max_dice"] == "2" and row["reinforcement"] != "deterministic"


def judge_row(row: dict[str, str], ours: Counts, deterministic: Counts | None, most: float, cut: bool) -> Finding:
    """One row: its largest |z| against the limit for all rows together."""
    theirs = published_counts(row)
    z = z_scores(ours, theirs)
    verdict = REPRODUCED if max(map(abs, z)) <= most else NOT_REPRODUCED
    note = f"z {shown(z)}"
    if is_mislabelled(row) and deterministic:
        other = z_scores(deterministic, theirs)
        note += f"; against our deterministic run z {shown(other)}"
        if verdict == NOT_REPRODUCED and max(map(abs, other)) <= most:
            verdict, note = PUBLISHED_IN_ERROR, f"{note}: the column repeats a deterministic run"
    note += f"; fewer than {QUICK:,} games in a quick run" if cut else ""
    where = f"{row['table']} {row['strategy_a'].replace('_', ' ')} against {row['strategy_b']}"
    what = f"{row['board']}, {row['max_dice']} dice, {row['initialisation']} deal, {row['reinforcement']}"
    return Finding(where, what, told(theirs), f"{told(ours)} {interval(ours)}", verdict, note)


def shown(z: Sequence[float]) -> str:
    return " ".join(f"{x:+.1f}" for x in z)


def told(counts: Counts) -> str:
    """Wins, losses and ties in percent."""
    return " / ".join(f"{100 * n / counts.games:.2f}" for n in counts) + f" % of {counts.games:,}"


def interval(counts: Counts) -> str:
    low, high = wilson(counts.wins, counts.games)
    return f"(wins {100 * low:.1f} to {100 * high:.1f})"


def match_rows() -> list[dict[str, str]]:
    return published("dice_of_doom_matches.csv")


def findings(rows: Sequence[dict[str, str]], counts: Sequence[Counts], full: bool) -> list[Finding]:
    """Every row judged."""
    known = {key_of(row): found for row, found in zip(rows, counts, strict=True)}
    most = limit(len(match_rows()))
    return [
        judge_row(row, ours, known.get(key_of(row, "deterministic")), most, not full and ours.games < QUICK)
        for row, ours in zip(rows, counts, strict=True)
    ]

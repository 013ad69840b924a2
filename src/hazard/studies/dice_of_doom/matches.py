"""The thesis' tables of matches, played again: every row with our share, its interval, and how far apart they are.

Rows are played in parts, by a process for each core. A part that is complete is cached, so a run that was stopped can
go on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from hazard.arena.statistics.intervals import wilson
from hazard.rulebook import Game
from hazard.studies import matches
from hazard.studies.cache import keep, known
from hazard.studies.dice_of_doom.games import make
from hazard.studies.matches import SEED, Counts
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, Finding, published
from hazard.studies.scores import limit, z_score

QUICK, FULL = 2_000, 100_000  # games a row; the thesis wanted 100,000 and cut rows down for time
PART = 2_000  # games of a slow agent that are cached together
CLOSE_TO_OPTIMAL = "close-to-optimal"  # the thesis' table, read by the agent `optimal`
AGENTS = {"return_zero": "return-zero", "monte_carlo": "monte-carlo", "optimal": CLOSE_TO_OPTIMAL}
FEWER = {("monte-carlo", 6): 400, ("monte-carlo", 9): 100, ("mcts", 4): 400}  # games of a quick run, by tiles
MISLABELLED = ("B.1.3", "B.1.6")  # with 2 dice their columns "random" and "weighted" are of deterministic runs


class Task(NamedTuple):
    """Some games of one row."""

    board: str
    dice: int
    initialisation: str
    reinforcement: str
    agents: tuple[str, str]
    first: int  # number of the first game
    games: int

    @property
    def game(self) -> Game:
        return make(self.board, self.dice, initialisation=self.initialisation, reinforcement=self.reinforcement)


# --- playing ---------------------------------------------------------------------------------------------------------
def cached(task: Task) -> Counts | None:
    """The counts of a part that was played before."""
    counts = known("match", task.game, _details(task), solves="optimal" in task.agents)
    return Counts(*counts) if counts else None


def _details(task: Task) -> list[object]:
    return [list(task.agents), SEED, task.first, task.games]


def play(task: Task, memory: np.ndarray | None = None) -> Counts:
    """Play a part and cache it; games are independent, and seats alternate."""
    counts = count(task, memory)
    keep("match", task.game, _details(task), counts, solves="optimal" in task.agents)
    return counts


def count(task: Task, memory: np.ndarray | None) -> Counts:
    """Play the games of a task; `memory` is the table that the close-to-optimal strategy plays by."""
    own = None
    if CLOSE_TO_OPTIMAL in task.agents:
        assert memory is not None
        own = "optimal", memory
    return matches.count(matches.independent(task.game, task.agents, own), task.first, task.games)


def play_all(tasks: Sequence[Task], say: Callable[[int, int], None]) -> dict[Task, Counts]:
    """All parts, from the cache or played by local processes; `say` hears how many are done of how many."""
    from hazard.arena.tournament.runner import cores, workers

    done = {task: counts for task in tasks if (counts := cached(task))}
    left = [task for task in tasks if task not in done]
    say(len(done), len(tasks))
    if not left:
        return done
    count(left[0]._replace(games=0), None)  # compiles once; the processes load the compiled code
    processes = min(cores(), len(left))
    with workers(processes, None) as crew:
        results = crew.executor.map(play, left) if processes > 1 else map(play, left)
        for task, counts in zip(left, results, strict=True):
            done[task] = counts
            say(len(done), len(tasks))
    return done


# --- rows ------------------------------------------------------------------------------------------------------------
def agents_of(row: dict[str, str]) -> tuple[str, str]:
    a, b = (AGENTS.get(row[name], row[name]) for name in ("strategy_a", "strategy_b"))
    return a, b


def board_of(row: dict[str, str]) -> str:
    """The board as the game names it: the tables of matches write columns x rows."""
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
        setup = board_of(row), int(row["max_dice"]), row["initialisation"], row["reinforcement"]
        yield Task(*setup, agents, first, more)


def play_rows(
    rows: Sequence[dict[str, str]], full: bool, say: Callable[[int, int], None], games: int | None = None
) -> list[Counts]:
    """Our counts of every row."""
    parts = [list(parts_of(row, games or games_of(row, full))) for row in rows]
    slow_first = sorted(
        (task for part in parts for task in part), key=lambda t: t.agents[0] not in ("monte-carlo", "mcts")
    )
    counts = play_all(slow_first, say)
    return [reduce(Counts.plus, (counts[task] for task in part)) for part in parts]


# --- verdicts --------------------------------------------------------------------------------------------------------
def z_scores(ours: Counts, theirs: Counts) -> tuple[float, ...]:
    return tuple(z_score(a, ours.games, b, theirs.games) for a, b in zip(ours[:3], theirs[:3], strict=True))


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
    note = f"z {signed(z)}"
    if is_mislabelled(row) and deterministic:
        other = z_scores(deterministic, theirs)
        note += f"; against our deterministic run z {signed(other)}"
        if verdict == NOT_REPRODUCED and max(map(abs, other)) <= most:
            verdict, note = PUBLISHED_IN_ERROR, f"{note}: the column repeats a deterministic run"
    note += f"; fewer than {QUICK:,} games in a quick run" if cut else ""
    return Finding(*place_of(row), percent(theirs), f"{percent(ours)} {interval(ours)}", verdict, note)


def place_of(row: dict[str, str]) -> tuple[str, str]:
    """The table of a row, and what the row is about."""
    where = f"{row['table']} {row['strategy_a'].replace('_', ' ')} against {row['strategy_b']}"
    return where, f"{row['board']}, {row['max_dice']} dice, {row['initialisation']} deal, {row['reinforcement']}"


def signed(z: Sequence[float]) -> str:
    return " ".join(f"{x:+.1f}" for x in z)


def percent(counts: Counts) -> str:
    """Wins, losses and ties in percent."""
    return " / ".join(f"{100 * n / counts.games:.2f}" for n in counts[:3]) + f" % of {counts.games:,}"


def interval(counts: Counts) -> str:
    low, high = wilson(counts.wins, counts.games)
    return f"(wins {100 * low:.1f} to {100 * high:.1f})"


def match_rows() -> list[dict[str, str]]:
    return published("dice_of_doom_matches.csv")


def comparisons() -> int:
    """Wins, losses and ties of every row are compared."""
    return 3 * len(match_rows())


def findings(rows: Sequence[dict[str, str]], counts: Sequence[Counts], full: bool) -> list[Finding]:
    """Every row judged."""
    known = {key_of(row): ours for row, ours in zip(rows, counts, strict=True)}
    most = limit(comparisons())
    return [
        judge_row(row, ours, known.get(key_of(row, "deterministic")), most, not full and ours.games < QUICK)
        for row, ours in zip(rows, counts, strict=True)
    ]

"""Great Rolled Ones with compensation points, other goals, other dice, three players, and tables that end too soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import Any

import hazard
from hazard.rulebook import Game
from hazard.solving.numbered.solver import solve
from hazard.solving.solution import Solution, solved
from hazard.studies.report import Table

GAME = "great-rolled-ones"
GOALS = (10, 25, 50, 75, 100)
DICE = ((4, 3, 6), (5, 2, 6), (6, 3, 6), (5, 3, 8))  # dice, ones that bust, sides
ENDS = (60, 68, 69, 73, 74, 82)  # totals of player 1 at which a table might end


@dataclass(frozen=True)
class Komi:
    """The game started with compensation points: another opening of the same solution."""

    solution: Solution
    base: int = 0  # scores are counted from here: the game to goal - base

    @cached_property
    def rates(self) -> list[float]:
        """rates[c]: how often player 1 wins if it starts with c points."""
        game, b = self.solution.game, self.base
        places = (game.parse(f"p1 {b + c}:{b} k0 o0") for c in range(game.table.goal - b))
        return [self.solution.value(place)[0] for place in places]

    @property
    def fairest(self) -> int:
        return min(range(len(self.rates)), key=lambda c: abs(2 * self.rates[c] - 1))

    @property
    def summary(self) -> tuple[str, int, str]:
        """The win rate of player 1, the fairest compensation, and the win rate with it."""
        return f"{self.rates[0]:.7f}", self.fairest, f"{self.rates[self.fairest]:.7f}"


def every_goal(highest: int) -> list[Komi]:
    """The games to 1, 2, ... up to the highest goal, all out of one solution."""
    solution = solve(hazard.game(GAME, goal=highest))
    return [Komi(solution, base) for base in range(highest - 1, -1, -1)]


@dataclass(frozen=True)
class Shortened(Game):
    """The game with a table that ends at a total of player 1, who must hold there."""

    end: int = 0

    @cached_property
    def g(self) -> Any:
        return self.declaration.make(self.parameters)._replace(ceiling=self.end)


def shortened(end: int) -> Komi:
    whole = hazard.game(GAME)
    return Komi(solve(Shortened(whole.name, whole.parameters, end=end)))


def other_dice(kind: tuple[int, int, int]) -> Komi:
    dice, bust, sides = kind
    return Komi(solve(hazard.game(GAME, dice=dice, bust=bust, sides=sides)))


def three_players(goal: int, stop: Event) -> Solution:
    """Each does its best. The solution is cached, since it takes long; setting `stop` ends the work early."""

    def watch(done: int, total: int) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    return solved(hazard.game(GAME, players=3, goal=goal), progress=watch)


# --- tables ----------------------------------------------------------------------------------------------------------
def komi_table(fair: Komi) -> Table:
    rows = [(c, f"{p:.10f}", f"{1 - p:.10f}", f"{abs(2 * p - 1):.4%}") for c, p in enumerate(fair.rates)]
    certain = f"No value is off by more than {fair.solution.error:.0e}."
    note = f"The fairest start gives player 1 {fair.fairest} points. {certain}"
    return Table("Compensation points for player 1", ("points", "player 1 wins", "player 2 wins", "gap"), rows, note)


def goal_table(goals: Sequence[Komi]) -> Table:
    rows = [(goal, *goals[goal - 1].summary) for goal in GOALS]
    note = (
        "All rows come out of one solution, since only the points still needed matter: the game to 25 is the game to "
        "50 from 25 points each."
    )
    return Table("Other goals", ("goal", "player 1 wins", "fairest compensation", "player 1 then wins"), rows, note)


def dice_table(fair: Komi, others: Sequence[Komi]) -> Table:
    columns = ("dice", "ones that bust", "sides", "player 1 wins", "fairest compensation", "player 1 then wins")
    games = [(komi, komi.solution.game.table) for komi in (fair, *others)]
    rows = [(g.dice, g.bust, g.sides, *komi.summary) for komi, g in games]
    return Table(f"Other dice, goal {fair.solution.game.table.goal}", columns, rows)


def end_table(fair: Komi, ends: Sequence[Komi]) -> Table:
    columns = ("table ends at", "player 1 wins", "with 3 points")
    rows = [(k.solution.game.table.ceiling, f"{k.rates[0]:.8f}", f"{k.rates[3]:.8f}") for k in (*ends, fair)]
    note = (
        "Player 1 may roll on past the goal, so a table of its totals must end somewhere; player 1 must hold there. "
        "One that ends too soon costs player 1 a little."
    )
    return Table("A table of player 1's totals that ends too soon", columns, rows, note)


def three_table(solution: Solution) -> Table:
    game, goal = solution.game, solution.game.table.goal
    rows = []
    for to in sorted({max(1, goal * part // 5) for part in range(1, 6)}):
        b = goal - to
        values = solution.value(game.parse(f"p1 {b}:{b}:{b} k0 o0"))
        rows.append((to, *(f"{v:.7f}" for v in values)))
    columns = ("goal", "player 1 wins", "player 2 wins", "player 3 wins")
    return Table("Three players", columns, rows, _three_note(solution))


def _three_note(solution: Solution) -> str:
    unsettled, regret = solution.meta["unsettled"], solution.meta["regret"]
    rule = (
        "Every player maximises its own chance to win, whatever that does to the others (max^n), and rolls if both "
        "moves are worth the same. Best responses to best responses are taken until they settle. "
    )
    if not unsettled:
        return rule + "They settled at all scores."
    return rule + (
        f"At {len(unsettled)} of {solution.game.table.goal**3:,} score triples they went round in circles: "
        f"{', '.join(unsettled)}. There a player keeps its move unless another gains more than a threshold, which "
        f"grows until play settles; no player can gain more than {regret:.1e} by a single change of move."
    )

"""Luck and skill of a game: what the dice gave in each turn, and what the choices gave away.

Each step changes the chances of the seats. What a roll changes is luck, what a move changes is the mover's doing, and
since every change is counted once, start + luck - lost + given = result for each seat; where a player wants as little
as it can get, start + luck + lost = result. What was scored on the way is part of all of these. Exact values know the
best move, so that a choice never gains; by rollouts a choice is measured against how the agent would have played on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

import numpy as np

from hazard.analysis.answers import Known, Review, SeatSum, Step, Tally, Turn
from hazard.analysis.players import decision
from hazard.analysis.positions import rollouts_of
from hazard.analysis.rollouts import blank, interval, least, means, play_more
from hazard.analysis.sources import Chances, judge_of
from hazard.errors import BadInput
from hazard.rulebook import Position
from hazard.solving.solution import at_hand, solved

STEPS = (20, 100, 500, 2_000, 8_000, 32_000)  # games from every point
MOST_STEPS = 20_000


class Trail:
    """A game as it was: positions, and the moves and rolls between them.

    Positions that must be worth the same share a point: one with a single legal move and the one after it. If an agent
    that draws no random numbers plays on, the move it would make itself leads to the same games, too.
    """

    def __init__(self, start: Position, steps: Sequence[str], agent: str = "") -> None:
        if len(steps) > MOST_STEPS:
            raise BadInput(f"{len(steps)} moves and rolls: a game of at most {MOST_STEPS} can be reviewed")
        self.positions, self.texts = [start], list(steps)
        self.place = [0]  # the point of each position
        for number, text in enumerate(steps):
            now = self.positions[-1]
            self.positions.append(follow(now, text, number))
            self.place.append(self.place[-1] + (0 if _same(now, text, agent) else 1))

    @property
    def points(self) -> list[Position]:
        """The last position of each point."""
        ahead = [*self.place[1:], -1]
        return [p for p, here, there in zip(self.positions, self.place, ahead, strict=True) if here != there]

    @property
    def scored(self) -> np.ndarray:
        """What each seat has scored before each point, which is no longer to come."""
        made = [now.scored(text) for now, text in zip(self.positions, self.texts, strict=False)]
        so_far = np.vstack([np.zeros(self.last.game.seats), np.cumsum(np.reshape(made, (-1, self.last.game.seats)), 0)])
        ahead = [*self.place[1:], -1]
        return so_far[[here != there for here, there in zip(self.place, ahead, strict=True)]]

    @property
    def last(self) -> Position:
        return self.positions[-1]


def follow(position: Position, text: str, number: int) -> Position:
    """The position after a move or a roll given as text."""
    if not position.rolling:
        return position.move(text)
    game, s = position.game, position.state
    for way in range(int(game.ask("chance", s))):
        if game.notation.outcome_text(game.table, s, way) == text:
            return Position(game, game.ask("land", s, way))
    raise BadInput(f"step {number + 1}, {text!r}: the dice cannot land so in {str(position)!r}")


def _same(position: Position, text: str, agent: str) -> bool:
    """Whether a step changes nothing: there was no choice, or an agent would always make it."""
    if position.rolling:
        return False
    if len(position.legal()) == 1:
        return True
    return bool(agent) and not position.game.agents[agent].draws and decision(position, agent, 0, 0).move() == text


@lru_cache(maxsize=8)
def _trail(start: Position, steps: tuple[str, ...], agent: str = "") -> Trail:
    """A trail; those asked for lately are kept, since a review comes in many parts."""
    with np.errstate(over="ignore"):
        return Trail(start, steps, agent)


def review(
    start: Position, steps: Sequence[str], before: Tally | None = None, seconds: float = 1.0
) -> tuple[Review | None, Tally]:
    """Luck and skill of a game so far, after about this many more seconds; None while there are too few rollouts."""
    if at_hand(start.game):
        return _judged(_trail(start, tuple(steps)), "exact", solved(start.game).value), Tally([], [], [])
    if judge := judge_of(start.game):
        return _judged(_trail(start, tuple(steps)), "network", judge), Tally([], [], [])
    return _rolled_out(_trail(start, tuple(steps), start.game.declaration.rollout), before, seconds)


def _judged(trail: Trail, known: Known, judge: Chances) -> Review:
    chances = np.array([judge(point) for point in trail.points])
    return _told(trail, known, chances, np.zeros(len(chances)))


def _rolled_out(trail: Trail, before: Tally | None, seconds: float) -> tuple[Review | None, Tally]:
    from msgspec.structs import replace

    points = trail.points
    rollouts = rollouts_of(points[0].game)
    tally = before or blank(len(points), rollouts.game.seats)
    play_more(rollouts, points, range(1, 1 + len(points)), tally, STEPS, seconds)
    games = least(tally)
    if games < STEPS[0]:
        return None, tally
    chances = np.array([means(tally, n) for n in range(len(points))])
    spreads = np.array([_spread(point, tally, n) for n, point in enumerate(points)])
    found = _told(trail, "rollout", chances, spreads)
    return replace(found, games=games, agent=rollouts.player.name, final=games >= STEPS[-1]), tally


def _spread(point: Position, tally: Tally, n: int) -> float:
    """Half the width of the widest interval of a seat's chances."""
    ends = [interval(point, tally, n, seat) for seat in range(point.game.seats)]
    return max(high - low for low, high in ends) / 2


# --- telling -------------------------------------------------------------------------------------------------------
def _told(trail: Trail, known: Known, chances: np.ndarray, spreads: np.ndarray) -> Review:
    """The review of a game with the chances at every point; the errors of different points are independent."""
    steps, chances = [], chances + trail.scored
    for n, text in enumerate(trail.texts):
        p, (here, there) = trail.positions[n], trail.place[n : n + 2]
        change = (chances[there] - chances[here]).tolist()
        error = _error(trail, spreads, [n])
        steps.append(Step(p.mover, bool(p.rolling), text, chances[there].tolist(), change, error))
    turns = [_turn(trail, spreads, steps, numbers) for numbers in _runs(steps)]
    seats = [_seat_sum(trail, spreads, steps, seat, chances) for seat in range(trail.last.game.seats)]
    return Review(known, trail.last.over, chances[0].tolist(), steps, turns, seats)


def _error(trail: Trail, spreads: np.ndarray, numbers: Sequence[int]) -> float:
    """The error of what some steps changed together: a point that one step leads to and the next leaves drops out."""
    often: dict[int, int] = {}
    for n in numbers:
        here, there = trail.place[n : n + 2]
        often[there] = often.get(there, 0) + 1
        often[here] = often.get(here, 0) - 1
    return sqrt(sum((times * float(spreads[point])) ** 2 for point, times in often.items()))


def _runs(steps: list[Step]) -> list[list[int]]:
    """The numbers of the steps of each turn: runs of one seat."""
    found: list[list[int]] = []
    for n, step in enumerate(steps):
        if n == 0 or steps[n - 1].seat != step.seat:
            found.append([])
        found[-1].append(n)
    return found


def _turn(trail: Trail, spreads: np.ndarray, steps: list[Step], numbers: list[int]) -> Turn:
    luck, choices = ([n for n in numbers if steps[n].rolled == rolled] for rolled in (True, False))
    seats = range(trail.last.game.seats)
    sums = ([_sum(steps, some, seat) for seat in seats] for some in (luck, choices))
    errors = (_error(trail, spreads, some) for some in (luck, choices))
    gained, chosen = sums
    return Turn(steps[numbers[0]].seat, numbers[0], numbers[-1], gained, chosen, *errors)


def _sum(steps: list[Step], numbers: Sequence[int], seat: int) -> float:
    """What some steps changed for a seat."""
    return sum((steps[n].change[seat] for n in numbers), 0.0)


def _seat_sum(trail: Trail, spreads: np.ndarray, steps: list[Step], seat: int, chances: np.ndarray) -> SeatSum:
    every = range(len(steps))
    luck = [n for n in every if steps[n].rolled]
    own = [n for n in every if not steps[n].rolled and steps[n].seat == seat]
    others = [n for n in every if not steps[n].rolled and steps[n].seat != seat]
    errors = (_error(trail, spreads, some) for some in (luck, own, others))
    sign = 1.0 if trail.last.game.least else -1.0
    sums = _sum(steps, luck, seat), 0.0 + sign * _sum(steps, own, seat), _sum(steps, others, seat)
    return SeatSum(seat, float(chances[0, seat]), *sums, float(chances[-1, seat]), *errors)

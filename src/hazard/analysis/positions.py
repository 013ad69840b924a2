"""A position analysed: the chances of each seat, and every legal move with its value, or every way the dice can land.

By rollouts the answer gets better with every call: the tally of one call is handed to the next. The chances where
somebody is to move are those after the best move; where dice are in the air they are the mean over all ways to land.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import inf, sqrt
from typing import Any

from hazard.analysis.answers import Analysis, MoveValue, OutcomeValue, Tally
from hazard.analysis.players import player
from hazard.analysis.rollouts import STEPS, Rollouts, blank, interval, least, means, play_more
from hazard.analysis.sources import Chances, judge_of
from hazard.errors import BadInput
from hazard.rulebook import Game, Outcome, Position, plus
from hazard.solving.solution import Solution, at_hand, ranked, solved

FINE = tuple(n * 10**k for k in range(7) for n in (2, 5, 10))  # games after which a first answer is better
MOST_OUTCOMES = 300  # ways to land that are looked at one by one


def analyse(position: Position, before: Tally | None = None, seconds: float = 1.0) -> tuple[Analysis | None, Tally]:
    """What is known of a position after about this many more seconds; None while there are too few rollouts."""
    found = known_at_once(position) or (at_a_glance(position) if before is None else None)
    return (found, Tally([], [], [])) if found else _rolled_out(position, before, seconds)


def known_at_once(position: Position) -> Analysis | None:
    """What a solution or a network says of a position; None where neither is there, or not yet."""
    if position.over:
        paid = list(position.payoffs)
        return Analysis(str(position), position.mover, "exact", paid, paid, paid)
    if at_hand(position.game):
        return _exact(position, solved(position.game))
    judge = judge_of(position.game)
    return _judged(position, judge) if judge else None


def at_a_glance(position: Position) -> Analysis | None:
    """What a network says while rollouts are not compiled yet, and would take long; None where none does."""
    glance = position.game.declaration.glance
    if glance is None or rollouts_of(position.game).is_compiled:
        return None
    return _refined(_judged(position, glance), final=False)


def refine(position: Position, seconds: float = 1.0) -> Iterator[Analysis]:
    """Better and better answers, until there is no better one."""
    tally, final = None, False
    while not final:
        found, tally = analyse(position, tally, seconds)
        if found:
            yield found
            final = found.final


def rollouts_of(game: Game, agent: str | None = None) -> Rollouts:
    return Rollouts(game, player(game, agent or game.declaration.rollout))


def _refined(found: Analysis, **more: Any) -> Analysis:
    from msgspec.structs import replace

    return replace(found, **more)


def _rows(game: Game, rows: list[tuple[str, float, float, float]]) -> list[MoveValue]:
    """Moves with their values and bounds, best first."""
    return [MoveValue(row.move, row.value, row.lower, row.upper, row.cost) for row in ranked(rows, "", game.least)]


# --- exact, and by a network ---------------------------------------------------------------------------------------
def _outcomes(position: Position) -> list[Outcome]:
    """The ways the dice in the air can land, unless there are very many."""
    return position.outcomes() if position.ways <= MOST_OUTCOMES else []


def _mapped(position: Position, chances: Chances) -> list[OutcomeValue]:
    return [
        OutcomeValue(o.text, float(o.probability), list(chances(o.position)), position.faces(i))
        for i, o in enumerate(_outcomes(position))
    ]


def _exact(position: Position, solution: Solution) -> Analysis:
    lower, upper = solution.bounds(position)
    chances, moves, outcomes = list(solution.value(position)), [], []
    if position.rolling:
        outcomes = _mapped(position, solution.value)
    else:
        moves = [MoveValue(row.move, row.value, row.lower, row.upper, row.cost) for row in solution.advise(position)]
    return Analysis(str(position), position.mover, "exact", chances, list(lower), list(upper), moves, outcomes)


def _judged(position: Position, judge: Chances) -> Analysis:
    """A network gives no interval: the bounds are the value itself."""
    if position.rolling:
        chances = list(judge(position))
        outcomes = _mapped(position, judge)
        return Analysis(str(position), position.mover, "network", chances, chances, chances, [], outcomes)
    after = {name: plus(judge(position.move(name)), position.scored(name)) for name in position.moves}
    mine = {name: values[position.mover] for name, values in after.items()}
    moves = _rows(position.game, [(name, value, value, value) for name, value in mine.items()])
    chances = list(after[moves[0].move])
    return Analysis(str(position), position.mover, "network", chances, chances, chances, moves)


# --- by rollouts -----------------------------------------------------------------------------------------------------
def roll_out(position: Position, games: int, agent: str | None = None) -> Analysis:
    """Every legal move by this many games played on."""
    if games < 2:
        raise BadInput(f"{games} games: a rollout needs 2 or more")
    found, _ = _rolled_out(position, None, inf, (games,), agent)
    assert found
    return found


def roll_out_for(position: Position, seconds: float) -> Analysis:
    """Every legal move by as many games as some seconds of processor time allow, at least two."""
    end, answer, tally = time.process_time() + seconds, None, None
    while answer is None or time.process_time() < end:
        found, tally = _rolled_out(position, tally, seconds, FINE)
        if least(tally) == max(tally.games):
            answer = found
    return answer


def _rolled_out(
    position: Position, before: Tally | None, seconds: float, steps: Sequence[int] = STEPS, agent: str | None = None
) -> tuple[Analysis | None, Tally]:
    outcomes = _outcomes(position)
    names = position.moves
    points = [o.position for o in outcomes] or [position.move(name) for name in names] or [position]
    seeds = [1 + n for n in range(len(points))] if outcomes else [1] * len(points)
    tally = before if before and before.games else blank(len(points), position.game.seats)
    rollouts = rollouts_of(position.game, agent)
    play_more(rollouts, points, seeds, tally, steps, seconds)
    if least(tally) < steps[0]:
        return None, tally
    if names:
        chances, lower, upper, moves = _of_moves(position, names, points, tally)
        found = Analysis(str(position), position.mover, "rollout", chances, lower, upper, moves)
    else:
        chances, lower, upper, mapped = _of_landing(position, points, outcomes, tally)
        found = Analysis(str(position), position.mover, "rollout", chances, lower, upper, [], mapped)
    return _signed(found, rollouts.player.name, tally), tally


def _signed(found: Analysis, agent: str, tally: Tally) -> Analysis:
    return _refined(found, games=least(tally), agent=agent, final=least(tally) >= STEPS[-1])


Figures = tuple[list[float], list[float], list[float]]  # chances with lower and upper ends


def _figures(point: Position, tally: Tally, n: int) -> Figures:
    ends = [interval(point, tally, n, seat) for seat in range(point.game.seats)]
    return means(tally, n), [low for low, _ in ends], [high for _, high in ends]


def _moved(figures: Figures, scored: Sequence[float]) -> Figures:
    """The same with what was scored before."""
    means, low, high = figures
    return plus(means, scored), plus(low, scored), plus(high, scored)


def _of_moves(
    position: Position, names: list[str], points: list[Position], tally: Tally
) -> tuple[list[float], list[float], list[float], list[MoveValue]]:
    figures = [
        _moved(_figures(point, tally, n), position.scored(name))
        for n, (name, point) in enumerate(zip(names, points, strict=True))
    ]
    seat = position.mover
    mine = [(mean[seat], lower[seat], upper[seat]) for mean, lower, upper in figures]
    moves = _rows(position.game, [(name, *three) for name, three in zip(names, mine, strict=True)])
    return *figures[names.index(moves[0].move)], moves


def _of_landing(
    position: Position, points: list[Position], outcomes: list[Outcome], tally: Tally
) -> tuple[list[float], list[float], list[float], list[OutcomeValue]]:
    """The mean over all ways to land; errors of the ways are independent of each other."""
    if not outcomes:
        return *_figures(points[0], tally, 0), []
    figures = [_figures(point, tally, n) for n, point in enumerate(points)]
    shares = [float(o.probability) for o in outcomes]
    seats = range(points[0].game.seats)
    chances = [sum(p * found[0][seat] for p, found in zip(shares, figures, strict=True)) for seat in seats]
    spreads = [_joint(shares, [(found[2][seat] - found[1][seat]) / 2 for found in figures]) for seat in seats]
    lower = [value - spread for value, spread in zip(chances, spreads, strict=True)]
    upper = [value + spread for value, spread in zip(chances, spreads, strict=True)]
    mapped = [
        OutcomeValue(o.text, p, f[0], position.faces(i))
        for i, (o, p, f) in enumerate(zip(outcomes, shares, figures, strict=True))
    ]
    return chances, lower, upper, mapped


def _joint(shares: list[float], spreads: list[float]) -> float:
    return sqrt(sum((share * spread) ** 2 for share, spread in zip(shares, spreads, strict=True)))

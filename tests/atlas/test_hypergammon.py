"""Hypergammon against a second program of backgammon's rules."""

from random import Random

import numpy as np
import pytest

import hazard
from tests.atlas.iteration import iterate
from tests.atlas.solving import certified

Side = tuple[int, ...]  # places of checkers, sorted: 0 is off the board, 25 the bar
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def steps(me: Side, you: Side, die: int) -> set[tuple[Side, Side]]:
    """What one checker can do with one die."""
    found = set()
    for at in set(me) - {0}:
        if 25 in me and at != 25:
            continue
        to = at - die
        if to <= 0:
            if max(me) > 6 or (to < 0 and max(me) > at):
                continue
            to = 0
        theirs = [p for p in you if to and 25 - p == to]
        if len(theirs) > 1:
            continue
        mine = list(me)
        mine[mine.index(at)] = to
        hit = [25 if to and 25 - p == to else p for p in you]
        found.add((tuple(sorted(mine)), tuple(sorted(hit))))
    return found


def plays(me: Side, you: Side, roll: tuple[int, int]) -> set[tuple[Side, Side]]:
    """Whole plays: all sequences, of which those count that use the most dice, and the larger die if only one."""
    a, b = roll
    orders = [[a] * 4] if a == b else [[a, b], [b, a]]
    ends: list[tuple[int, int, tuple[Side, Side]]] = []  # dice played, the first of them, where it ends

    def go(state: tuple[Side, Side], dice: list[int], done: list[int]) -> None:
        after = steps(*state, dice[0]) if dice and any(state[0]) else set()
        if not any(state[0]):
            ends.append((9, 9, state))
        elif not after:
            ends.append((len(done), done[0] if len(done) == 1 and a != b else 9, state))
        for one in after:
            go(one, dice[1:], [*done, dice[0]])

    for order in orders:
        go((me, you), order, [])
    most = max(count for count, _, _ in ends if count < 9) if any(count < 9 for count, _, _ in ends) else 9
    kept = [end for end in ends if end[0] in (most, 9)]
    if most == 1:
        kept = [end for end in kept if end[1] == max(one for _, one, _ in kept if one < 9) or end[0] == 9]
    return {state for _, _, state in kept}


def first_player(checkers: int) -> float:
    """The winner of the opening roll has the first turn; a position is (mover, its side, the other's, opening)."""

    def row(position: tuple) -> tuple | float:
        mover, me, you, opening = position
        if not any(you):
            lost = 1 if 0 in me else 3 if max(me) > 18 else 2
            return float(lost if mover else -lost)
        rolls = [roll for roll in ROLLS if not opening or roll[0] != roll[1]]
        weights = [1 if a == b else 2 for a, b in rolls]
        ways = [[(1 - mover, two, one, False) for one, two in plays(me, you, roll)] for roll in rolls]
        return mover, [(weight / sum(weights), options) for weight, options in zip(weights, ways, strict=True)]

    side = tuple(range(25 - checkers, 25))
    return iterate((0, side, side, True), row)


def test_one_checker_agrees_with_value_iteration() -> None:
    low, high = certified("hypergammon", checkers=1)
    assert low - 1e-11 <= first_player(1) <= high + 1e-11


def packed(side: Side) -> int:
    high = sorted(side, reverse=True)
    return (high[0] * 32 + high[1]) * 32 + high[2]


@pytest.mark.parametrize("seed", range(4))
def test_plays_agree_on_random_positions(seed: int) -> None:
    """Every way to play every roll, with three checkers: blocked points, hits, the bar and bearing off."""
    game, rng, moves = hazard.game("hypergammon"), Random(seed), np.zeros(2000, np.int64)
    legal, State = game.plain(game.rules.legal), game.rules.State
    looked = 0
    while looked < 60:
        top = rng.choice((6, 12, 25))
        me, you = (tuple(sorted(rng.randint(0, top) for _ in range(3))) for _ in range(2))
        if not any(me) or not any(you) or any(25 - p in you for p in me if 0 < p < 25):
            continue
        looked += 1
        for n, roll in enumerate(ROLLS, 1):
            count = legal(game.table, State(0, packed(me), packed(you), n), moves)
            ours = {(int(m) >> 15, int(m) & 32767) for m in moves[:count]}
            assert len(ours) == count
            assert ours == {(packed(one), packed(two)) for one, two in plays(me, you, roll)}, (me, you, roll)


def test_prices_of_a_lost_game() -> None:
    """One point; two if no checker is off; three if one of these is still in the winner's home or on the bar."""
    game = hazard.game("hypergammon")
    for side, lost in (((0, 3, 20), 1), ((3, 5, 18), 2), ((3, 5, 19), 3), ((1, 1, 25), 3)):
        over = game.parse(f"mover=1 me={packed(side)} you=0 roll=0")
        assert (over.over, over.payoffs) == (True, (lost, -lost))

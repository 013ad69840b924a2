"""Expectimax: every move and every way the dice can land, some decisions ahead; then games played on at random.

It looks one decision ahead, then two, and so on for as long as the positions it may look at last. With more than two
players each is taken to do the best for itself. The search is a loop over levels, as compiled rules do not call
themselves.
"""

from typing import Any

from hazard.agents.search.playouts import clear, play_on
from hazard.agents.search.room import LEVELS
from hazard.contract import add_gain, chance, land, legal, move, over, sense, unpack, weight
from hazard.jit import large, rule

POSITIONS = 5_000  # that one decision may look at, beyond those of the first decision ahead
DEEPEST = 12  # decisions ahead
GAMES = 4  # played on from where it stops
WAYS, NEXT, COUNT, LEFT, BEST = (
    0,
    1,
    2,
    3,
    4,
)  # notes: ways to land (0 at a decision), children, decisions left


@rule
def set_level(g: Any, s: Any, level: int, left: int, x: Any) -> None:
    """Begin to look at a position."""
    for n in range(len(s)):
        x.states[level, n] = s[n]
    note = x.notes[level]
    note[WAYS] = chance(g, s)
    note[COUNT] = note[WAYS] if note[WAYS] > 0 else legal(g, s, x.moves[level])
    note[NEXT], note[LEFT], note[BEST] = 0, left, -1
    clear(x.sums[level])


@large
def judge(g: Any, s: Any, moves: Any, rng: Any, found: Any) -> None:
    """What a position is worth where the search stops."""
    clear(found)
    games = 1 if chance(g, s) == 0 and over(g, s) else GAMES
    for _ in range(games):
        play_on(g, s, moves, rng, found)
    for seat in range(found.size):
        found[seat] /= games


@rule
def take_in(g: Any, level: int, x: Any) -> None:
    """Let a position know what its latest child is worth, which stands one level below."""
    note, found = x.notes[level], x.values[level + 1]
    s, n = unpack(x.states[level]), note[NEXT] - 1
    if note[WAYS] > 0:
        share = float(weight(g, s, n))
        for seat in range(found.size):
            x.sums[level, seat] += share * found[seat]
        return
    add_gain(g, s, x.moves[level, n], found)
    if note[BEST] < 0 or sense(g) * (found[s.mover] - x.values[level, s.mover]) > 0:
        note[BEST] = n
        for seat in range(found.size):
            x.values[level, seat] = found[seat]


@rule
def settle(g: Any, level: int, x: Any) -> None:
    """All children are known: with dice in the air the value is their mean."""
    note = x.notes[level]
    if note[WAYS] > 0:
        s, total = unpack(x.states[level]), 0.0
        for i in range(note[WAYS]):
            total += weight(g, s, i)
        for seat in range(g.players):
            x.values[level, seat] = x.sums[level, seat] / total


@large
def look_ahead(g: Any, s: Any, depth: int, most: int, moves: Any, rng: Any) -> Any:
    """Search so many decisions ahead; how many positions that took, or -1 if there would be more than `most`."""
    x, level, seen = g.scratch, 0, 0
    set_level(g, s, 0, depth, x)
    while True:
        note = x.notes[level]
        if note[NEXT] == note[COUNT]:
            settle(g, level, x)
            if level == 0:
                return seen
            level -= 1
            take_in(g, level, x)
            continue
        here, n = unpack(x.states[level]), note[NEXT]
        after = land(g, here, n) if note[WAYS] > 0 else move(g, here, x.moves[level, n])
        left = note[LEFT] if note[WAYS] > 0 else note[LEFT] - 1
        note[NEXT] += 1
        seen += 1
        if seen > most:
            return -1
        if left == 0 or level == LEVELS - 2 or (chance(g, after) == 0 and over(g, after)):
            judge(g, after, moves, rng, x.values[level + 1])
            take_in(g, level, x)
        else:
            level += 1
            set_level(g, after, level, left, x)


@large
def expectimax(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The best move as far ahead as there is time for."""
    x = g.scratch
    count = legal(g, s, moves)
    chosen = moves[0]
    if count == 1:
        return chosen
    left = POSITIONS
    for depth in range(1, DEEPEST + 1):
        seen = look_ahead(g, s, depth, left if depth > 1 else count, moves, rng)
        if seen < 0:
            break
        chosen = x.moves[0, x.notes[0, BEST]]
        left -= seen
    return chosen

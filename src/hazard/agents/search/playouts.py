"""Games played on at random, and the agent that trusts them: it takes the move after which they paid best."""

from typing import Any

from hazard.contract import add_gain, add_payoffs, chance, land, legal, move, over, roll, sense
from hazard.dice import below
from hazard.jit import large, rule

LONG = 10_000  # decisions after which a game is cut off and counts as a tie
GAMES = 2_000  # for all moves of a decision together
FEWEST = 16  # for each


@large
def play_on(g: Any, s: Any, moves: Any, rng: Any, paid: Any) -> None:
    """Play on at random; adds what each seat gets in the end to `paid`."""
    for _ in range(LONG):
        while chance(g, s) > 0:
            s = land(g, s, roll(g, s, rng))
        if over(g, s):
            break
        count = legal(g, s, moves)
        m = moves[below(rng, count) if count > 1 else 0]
        add_gain(g, s, m, paid)
        s = move(g, s, m)
    add_payoffs(g, s, paid)


@rule
def clear(numbers: Any) -> None:
    for n in range(numbers.size):
        numbers[n] = 0


@large
def rollout(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The move after which random games paid best."""
    x = g.scratch
    count = legal(g, s, x.moves[0])
    best, most = 0, 0.0
    for n in range(count if count > 1 else 0):
        clear(x.paid)
        for _ in range(max(FEWEST, GAMES // count)):
            add_gain(g, s, x.moves[0, n], x.paid)
            play_on(g, move(g, s, x.moves[0, n]), moves, rng, x.paid)
        found = sense(g) * x.paid[s.mover]
        if n == 0 or found > most:
            best, most = n, found
    return x.moves[0, best]

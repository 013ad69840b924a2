"""Games played on at random, and the agent that trusts them: it takes the move after which they paid best."""

from typing import Any

from hazard.contract import chance, land, legal, move, over, payoff, purse, roll
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
        s = move(g, s, moves[below(rng, count) if count > 1 else 0])
    for seat in range(g.players):
        paid[seat] += payoff(g, s, seat) if over(g, s) else purse(g) / g.players


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
            play_on(g, move(g, s, x.moves[0, n]), moves, rng, x.paid)
        if n == 0 or x.paid[s.mover] > most:
            best, most = n, x.paid[s.mover]
    return x.moves[0, best]

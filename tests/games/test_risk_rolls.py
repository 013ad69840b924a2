"""Both sides' dice are drawn one after the other, with the same result as one draw from the list of all ways."""

from itertools import accumulate

import pytest

from hazard.analysis.positions import _outcomes
from hazard.dice import below, stream
from hazard.rulebook import Game, Outcome, Position, game, make_game
from hazard.server.workers.described import described

HUGE = {"rule": "classic", "attackers": 1000, "defenders": 1000, "sides": 10, "attack_dice": 6, "defend_dice": 6}


def generic(chosen: Game, position: Position, seed: int) -> int:
    """One mark on the list of all ways, one after the other."""
    weights = [int(chosen.ask("weight", position.state, i)) for i in range(position.ways)]
    mark = int(below(stream(seed), sum(weights)))
    return next(i for i, total in enumerate(accumulate(weights)) if mark < total)


@pytest.mark.parametrize("rule", ["dutch", "classic", "blind"])
@pytest.mark.parametrize(("attack", "defend", "sides"), [(1, 1, 2), (3, 2, 6), (2, 3, 4), (2, 2, 20), (4, 3, 3)])
def test_a_roll_is_the_one_that_the_list_of_all_ways_gives(rule: str, attack: int, defend: int, sides: int) -> None:
    chosen = game("risk", rule=rule, attack_dice=attack, defend_dice=defend, sides=sides, attackers=6, defenders=6)
    position, seen, rng = chosen.start(), 0, stream(5)
    while not position.over:
        while position.rolling:
            for seed in range(20):
                assert int(chosen.ask("roll", position.state, stream(seed))) == generic(chosen, position, seed)
                seen += 1
            position = position.roll(rng).position
        if not position.over:
            position = position.move(position.moves[0])
    assert seen >= 20


def test_millions_of_ways_are_counted_and_drawn_from_but_never_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(position: Position) -> list[Outcome]:
        raise AssertionError("all ways to land were built")

    monkeypatch.setattr(Position, "outcomes", build)
    chosen = make_game("risk", HUGE)
    position = chosen.parse("a1000 d1000 rolling")
    assert position.ways == 25_050_025
    assert described(position)["outcomes"] == []
    assert _outcomes(position) == []
    drawn = {int(chosen.ask("roll", position.state, stream(seed))) for seed in range(5)}
    assert len(drawn) == 5
    assert all(0 <= number < position.ways for number in drawn)

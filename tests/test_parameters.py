"""Every solvable game over a grid of parameters: solved to the default tolerance, or refused before the work."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

import hazard
from hazard import jit
from hazard.rulebook import Game, make_game
from hazard.solving.solution import solver_of

from .conftest import name_of

pytestmark = pytest.mark.skipif(not jit.enabled(), reason="too much for plain Python")

TOLERANCE = 1e-9
Case = tuple[str, dict[str, Any]]


def grid(name: str, **ranges: Any) -> list[Case]:
    """The game with every combination of values; a single value stands for itself."""
    values = [v if isinstance(v, list | tuple | range) else [v] for v in ranges.values()]
    return [(name, dict(zip(ranges, choice, strict=True))) for choice in product(*values)]


PIG = [
    *grid("pig", goal=(1, 2, 3, 10, 100)),
    *grid("pig", goal=(1, 2, 30), sides=(2, 3, 20, 100)),
]
ONES = [
    *grid("great-rolled-ones", goal=(1, 2, 3, 7, 24, 50, 100)),
    *grid("great-rolled-ones", goal=(1, 12), dice=range(1, 9), bust=range(1, 6)),
    *grid("great-rolled-ones", goal=12, dice=(1, 3, 5), bust=(1, 2), sides=(2, 20)),
    *grid("great-rolled-ones", goal=20, komi=("0", "3", "19", "0,19")),
    *grid("great-rolled-ones", goal=(1, 2, 8), players=3),
    *grid("great-rolled-ones", goal=1, players=(4, 5, 6)),
]
RISK = [
    *grid(
        "risk",
        attackers=12,
        defenders=9,
        rule=("dutch", "classic", "blind"),
        objective=("hold", "difference", "losses"),
        stop=("never", "optional"),
    ),
    *grid(
        "risk", attackers=7, defenders=6, attack_dice=range(1, 5), defend_dice=range(1, 4), rule=("dutch", "classic")
    ),
    *grid("risk", attackers=6, defenders=6, attack_dice=4, defend_dice=4, sides=(2, 10), rule=("dutch", "blind")),
    *grid("risk", attackers=300, defenders=300, rule="classic", objective=("hold", "difference")),
    *grid("risk", mode="stake", stake=(1, 2, 50)),
]
DOOM = [
    *grid("dice-of-doom", board=("2x2", "1x3", "triangle:2"), max_dice=(2, 3), objective=("zero-sum", "own-win")),
    *grid(
        "dice-of-doom",
        board=("2x2", "1x3"),
        max_dice=(2, 3),
        reinforcement=("random", "weighted", "chosen", "captured"),
        objective=("zero-sum", "own-win"),
    ),
    *grid("dice-of-doom", board="1x3", max_dice=(4, 5, 6, 7)),
    *grid("dice-of-doom", board="1x3", max_dice=(2, 3), sides=(2, 20)),
    *grid("dice-of-doom", board="1x3", max_dice=2, players=3),
]
PICKOMINO = [
    *grid("pickomino", tiles=(1, 2), dice=(5, 6), empty=("keep", "turn")),
    *grid("pickomino", tiles=1, dice=(1, 4, 8), empty=("keep", "turn")),
    *grid("pickomino", tiles=1, dice=5, players=3),
]
SLOW = [
    *grid("pig", goal=(200, 500, 1000)),
    *grid("great-rolled-ones", goal=range(1, 60)),
    *grid("great-rolled-ones", goal=(75, 99, 101, 150, 200)),
    *grid("great-rolled-ones", goal=50, dice=range(1, 9), bust=range(1, 6)),
    *grid("great-rolled-ones", goal=20, dice=range(1, 9), bust=range(1, 6), sides=(2, 3, 10, 20)),
    *grid("great-rolled-ones", goal=50, players=3),
    *grid("great-rolled-ones", goal=(2, 4), players=(4, 5)),
    *grid("risk", attackers=1000, defenders=1000, rule=("dutch", "classic"), objective=("hold", "difference")),
    *grid("risk", attackers=20, defenders=20, attack_dice=6, defend_dice=6, rule="classic"),
    *grid("dice-of-doom", board=("2x2", "triangle:2"), max_dice=(4, 5, 6), objective=("zero-sum", "own-win")),
    *grid("pickomino", tiles=(2, 3), dice=(5, 6, 7, 8), empty=("keep", "turn")),
]


def made(case: Case) -> Game | None:
    """The game, or nothing if its parameters do not go together, which is said at once."""
    try:
        return make_game(*case)
    except hazard.BadInput:
        return None


def check(case: Case) -> None:
    game = made(case)
    if game is None:
        return
    if why := solver_of(game).obstacle(game):
        with pytest.raises(hazard.BadInput, match=re.escape(why)):
            hazard.solve(game)
        return
    solution = hazard.solve(game)
    assert solution.error <= TOLERANCE
    start = solution.game.start()
    lower, upper = solution.bounds(start)
    for low, value, high in zip(lower, solution.value(start), upper, strict=True):
        assert low <= value <= high
        assert high - low <= 2 * TOLERANCE


@pytest.mark.parametrize("case", [*PIG, *ONES, *RISK, *DOOM, *PICKOMINO], ids=name_of)
def test_parameters(case: Case) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW, ids=name_of)
def test_more_parameters(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "case",
    [
        *grid("pig", goal=(2, 12, 100)),
        *grid("great-rolled-ones", goal=(5, 30)),
        *grid("great-rolled-ones", goal=6, players=3),
        *grid("great-rolled-ones", goal=12, dice=8, bust=1, sides=2),
        *grid("risk", attackers=30, defenders=30, objective=("hold", "difference"), rule=("dutch", "classic")),
        *grid("dice-of-doom", board="2x2", max_dice=3, objective=("zero-sum", "own-win")),
        *grid("dice-of-doom", board="1x3", max_dice=3, reinforcement="captured"),
        *grid("pickomino", tiles=1, dice=6),
    ],
    ids=name_of,
)
def test_a_tolerance_that_a_message_recommends_can_be_met(case: Case) -> None:
    game, tolerance = make_game(*case), 1e-15
    for _ in range(3):  # the first may be less than the solver takes at all
        try:
            assert hazard.solve(game, tolerance).error <= tolerance
        except hazard.BadInput as problem:
            tolerance = recommended(str(problem))
        else:
            return
    pytest.fail(f"{tolerance:g} is recommended, but cannot be met")


def recommended(message: str) -> float:
    """The least tolerance that a message names."""
    pattern = r"must be from (\S+) to|take (\S+) or more|leaves (\S+) here; ask|: (\S+) can be proven"
    named = re.search(pattern, message)
    assert named, message
    return float(next(text for text in named.groups() if text))


@pytest.mark.slow
def test_a_tolerance_that_is_recommended_can_be_had() -> None:
    """At this goal rounding leaves more than the default; what is said to be possible is."""
    game = make_game("great-rolled-ones", {"goal": 500})
    with pytest.raises(hazard.BadInput, match=r"rounding leaves an error of .* here; take \S+ or more") as said:
        hazard.solve(game)
    tolerance = float(re.findall(r"take (\S+) or more", str(said.value))[0])
    assert tolerance < 1e-8
    assert hazard.solve(game, tolerance=tolerance).error <= tolerance

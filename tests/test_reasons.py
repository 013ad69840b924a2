"""Reasons for moves: every number in a sentence is worked out again by other means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import hazard
from hazard import dice
from hazard.analysis.positions import analyse
from hazard.analysis.why import explained
from hazard.reasons import Case, leaves_of, often, percent, why
from hazard.rulebook import Game, Position
from hazard.solving.solution import solved

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # streams of dice in plain Python wrap at 64 bits

PLAYED = [
    ("pig", {"goal": 30}),
    ("pig", {"goal": 12, "sides": 2}),
    ("great-rolled-ones", {"goal": 12}),
    ("great-rolled-ones", {"goal": 8, "dice": 1, "bust": 1, "players": 3}),
    ("risk", {"attackers": 6, "defenders": 5, "stop": "optional"}),
    ("risk", {"attackers": 5, "defenders": 5, "rule": "blind", "objective": "losses"}),
    ("risk", {"attackers": 5, "defenders": 5, "rule": "classic"}),
    ("dice-of-doom", {"board": "2x3", "max_dice": 3}),
    ("dice-of-doom", {"board": "2x2", "max_dice": 3, "reinforcement": "captured"}),
    ("dice-of-doom", {"board": "2x3", "max_dice": 2, "players": 3, "reinforcement": "chosen"}),
    ("dice-wars", {"territories": "6", "grid": "14x14", "players": 3}),
    ("pickomino", {"tiles": 4}),
]


def decisions(game: Game, seed: int = 3, most: int = 40) -> Iterator[Position]:
    """Positions of a random game in which there is something to choose."""
    rng = dice.stream(seed, 0, dice.DICE)
    position = game.deal(dice.stream(seed, 0, dice.BOARD))
    for _ in range(400):
        if position.over:
            return
        if position.rolling:
            position = position.roll(rng).position
            continue
        moves = position.moves
        if len(moves) > 1 and most > 0:
            most -= 1
            yield position
        position = position.move(moves[dice.below(rng, len(moves))])


def number(text: str) -> float:
    """ "two", "12", "0.67" as a number."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return float(words.index(text.lower())) if text.lower() in words else float(text)


def chance(text: str) -> tuple[float, float]:
    """A chance as it is said, and how far that may be off."""
    if found := re.search(r"1 time in (\d+)", text):
        return 1 / int(found[1]), 1e-12
    if found := re.search(r"([\d.]+) %", text):
        return float(found[1]) / 100, 0.0051 if "." not in found[1] else 0.00051
    return (0.0, 0.0006) if "almost never" in text else (1.0, 0.0006)


@pytest.mark.parametrize(("name", "parameters"), PLAYED, ids=lambda x: str(x))
def test_every_move_of_a_game_can_be_explained(name: str, parameters: dict[str, Any]) -> None:
    """No position that play meets is refused; what is said is a sentence, and says nothing of other games' things."""
    game = hazard.game(name, **parameters)
    for position in decisions(game):
        for move in position.moves:
            said = why(Case(position, move))
            assert not said or (said[0].isupper() and said[-1] == "." and "nan" not in said and "  " not in said), said


def case_of(position: Position, move: str) -> Case:
    solution = solved(position.game)
    return Case(position, move, solution.value, True, solution.error)


@pytest.mark.parametrize("sides", [2, 4, 6])
def test_pig(sides: int) -> None:
    game = hazard.game("pig", goal=30, sides=sides)
    solution = solved(game)
    for position in decisions(game, seed=sides, most=15):
        s = position.state
        said = why(case_of(position, "roll"))
        assert abs(chance(said)[0] - 1 / sides) < 1e-12
        mean = Fraction(sum(range(2, sides + 1)), sides - 1)
        assert f"adds {float(mean):g} on average" in said
        if found := re.search(r"At (\d+) to (\d+), holding is best from a pot of (\d+) on", said):
            pot = int(found[3])
            assert (int(found[1]), int(found[2])) == (s.me, s.you)
            at = [Position(game, s._replace(pot=p)) for p in (pot - 1, pot)]
            assert solution.advise(at[1])[0].move == "hold"
            assert pot == 1 or solution.advise(at[0])[0].move == "roll"
        hold = why(case_of(position, "hold"))
        assert f"You bank {s.pot} and have {s.me + s.pot}" in hold or f"{s.me} and {s.pot} make 30" in hold


@pytest.mark.parametrize(("count", "bust"), [(5, 3), (3, 2), (2, 1)])
def test_great_rolled_ones(count: int, bust: int) -> None:
    game = hazard.game("great-rolled-ones", goal=10, dice=count, bust=bust)
    for position in decisions(game, seed=count, most=15):
        said, s = why(case_of(position, "roll")), position.state
        rolls = [roll.count(1) for roll in product(range(1, 7), repeat=count - s.ones)]
        kept = [n for n in rolls if s.ones + n < bust]
        if "cannot bust" in said or "for sure" in said:
            assert len(kept) in (0, len(rolls))
        else:
            told, off = chance(said)
            assert abs(told - (1 - len(kept) / len(rolls))) <= off, said
        if found := re.search(r"adds ([\d.]+) on average", said):
            mean = sum(count - s.ones - n for n in kept) / len(kept)
            assert abs(float(found[1]) - mean) <= 0.0501


@pytest.mark.parametrize("rule", ["dutch", "blind", "classic"])
def test_risk(rule: str) -> None:
    """Losses of every roll, counted over all dice."""
    game = hazard.game("risk", attackers=6, defenders=5, rule=rule, stop="optional")
    seen = 0
    for seed in range(4):
        for position in decisions(game, seed=seed):
            for move in position.moves:
                said = why(case_of(position, move))
                if found := re.search(r"you lose (\d+\.\d+) armies on average,? and the (\w+) (\d+\.\d+)", said):
                    lost, fallen = by_hand(position, move)
                    mine, others = (fallen, lost) if found[2] == "attacker" else (lost, fallen)
                    assert abs(float(found[1]) - mine) <= 0.00501, said
                    assert abs(float(found[3]) - others) <= 0.00501, said
                    seen += 1
    assert seen > 3


def by_hand(position: Position, move: str) -> tuple[float, float]:
    """What attacker and defender lose on average, over all ordered rolls."""
    s = position.state
    attack = min(s.attackers - 1, 3)
    defend = int(move[0]) if move[0].isdigit() else min(s.defenders, 2)
    shown = re.search(r"roll ([\d-]+)", str(position))
    thrown = [tuple(map(int, shown[1].split("-")))] if shown else list(product(range(1, 7), repeat=attack))
    lost = fallen = games = 0
    for a in thrown:
        for d in product(range(1, 7), repeat=defend):
            pairs = list(zip(sorted(a, reverse=True), sorted(d, reverse=True), strict=False))[: min(attack, defend)]
            held = sum(y >= x for x, y in pairs)
            lost, fallen, games = lost + held, fallen + len(pairs) - held, games + 1
    return lost / games, fallen / games


def battles(name: str, **parameters: Any) -> Iterator[tuple[Position, str, str]]:
    game = hazard.game(name, **parameters)
    for seed in range(3):
        for position in decisions(game, seed=seed, most=12):
            for move in position.moves:
                if "against" in (said := why(Case(position, move))):
                    yield position, move, said


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("dice-of-doom", {"board": "3x3", "max_dice": 4}),
        ("dice-wars", {"territories": "6", "grid": "14x14", "max_dice": 5}),
    ],
)
def test_attacks(name: str, parameters: dict[str, Any]) -> None:
    """Battles by all rolls of both sides; who may strike back by the attacks of the other side that are legal then."""
    seen = 0
    for position, move, said in battles(name, **parameters):
        dice_, against = re.match(r"(\w+) (?:die|dice) against (\d+)", said).groups()
        sums = [range(1, 7)] * int(number(dice_)), [range(1, 7)] * int(against)
        left, right = ([sum(roll) for roll in product(*side)] for side in sums)
        wins = sum(sum(y < x for y in right) for x in left) / (len(left) * len(right))
        told, off = (0.0, 0.0) if "cannot be won" in said else chance("nearly always" if "for sure" in said else said)
        assert abs(told - wins) <= off, said
        assert sum(leaf.probability for leaf in leaves_of(position.move(move), 10**6) or []) == 1
        seen += 1
    assert seen > 20


def test_pickomino_says_what_the_table_says() -> None:
    game = hazard.game("pickomino", tiles=4)
    from hazard.games.pickomino.solver.advice import advise

    seen = 0
    for position in decisions(game, most=6):
        rows = advise(position).moves
        for move in position.moves:
            said = why(Case(position, move))
            if found := re.search(r"fails ([\d.]+ %) of the time", said):
                told, off = chance(found[1])
                assert abs(told - rows[move]["endings"]["fail"]) <= off
                seen += 1
    assert seen


def test_any_game_is_explained_by_its_rules() -> None:
    """A game without sentences of its own: chances that the turn ends, and what that is worth, from the solution."""
    game = hazard.game("piglet", goal=4)
    position = Position(game, game.start().state._replace(turn=2, me=1))
    value = solved(game).value
    flip, bank = position.moves
    said = why(case_of(position, flip))
    outcomes = position.move(flip).outcomes()
    lost = [o for o in outcomes if o.position.mover != position.mover]
    assert chance(said)[0] == float(sum(o.probability for o in lost)) == 0.5
    then, if_not = (float(x) for x in re.findall(r"([\d.]+) %", said))
    assert abs(then / 100 - value(lost[0].position)[0]) < 0.006
    assert abs(if_not / 100 - value(next(o.position for o in outcomes if o not in lost))[0]) < 0.006
    assert why(case_of(position, bank)).startswith("It ends your turn. Player 2 is to move")
    found, _ = analyse(position, None, 0.1)
    assert found
    assert all(row.why for row in explained(position, found).moves)


def test_what_is_said_of_every_move_is_not_said() -> None:
    game = hazard.game("risk", attackers=3, defenders=2, stop="optional")
    position = game.start()
    found, _ = analyse(position, None, 0.1)
    assert found
    said = [row.why for row in explained(position, found).moves]
    assert len(set(said)) == len(said)


def test_words_of_chances() -> None:
    assert often(Fraction(1, 6)) == "1 time in 6"
    assert often(Fraction(2, 7)) == "29 % of the time"
    assert often(0.99999) == "nearly always"
    assert often(Fraction(1, 100_000)) == "almost never"
    assert percent(0.0534) == "5.3 %"
    assert percent(1.0) == "100 %"
    assert percent(0.5) == "50 %"

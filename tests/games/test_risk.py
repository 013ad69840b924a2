"""Risk: Koole's problem and whole battles against published values, plain enumeration, and each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import jit
from hazard.games.risk import rules
from hazard.games.risk.agents import AGENTS
from hazard.games.risk.exact import Battles, battles, koole_dice
from hazard.games.risk.koole import Problem, held
from hazard.solving.average import Option, Situation, gain_of, maximise
from hazard.solving.report import solve_report
from hazard.studies.parts import Parts
from hazard.studies.report import NOT_REPRODUCED, REPRODUCED, published
from hazard.studies.risk import study as study_of_risk

KOOLE = Problem()
DICE = [(3, 2, 6), (2, 2, 4), (1, 2, 6), (2, 3, 3), (3, 3, 4)]  # attack, defend, sides
compiled = pytest.mark.skipif(not jit.enabled(), reason="too much for plain Python")


# --- plain enumeration: every ordered roll, no shortcuts -------------------------------------------------------------
@cache
def falls(attack: tuple[int, ...], defend: int, sides: int) -> list[tuple[int, int, Fraction]]:
    """What the attacker and the defender lose when these dice meet so many, with probabilities."""
    found: Counter[tuple[int, int]] = Counter()
    for dice in product(range(1, sides + 1), repeat=defend):
        pairs = list(zip(sorted(attack, reverse=True), sorted(dice, reverse=True), strict=False))
        lost = sum(1 for a, d in pairs if d >= a)
        found[lost, len(pairs) - lost] += 1
    return [(a, d, Fraction(n, sides**defend)) for (a, d), n in found.items()]


def brute_stake(n: int, attack: int, defend: int, sides: int) -> Fraction:
    @cache
    def value(n: int) -> Fraction:
        if n == 0:
            return Fraction(0)
        throws = list(product(range(1, sides + 1), repeat=attack))
        best = [
            max(sum(p * (a + value(n - a - d)) for a, d, p in falls(t, j, sides)) for j in range(1, min(n, defend) + 1))
            for t in throws
        ]
        return sum(best) / Fraction(len(throws))

    return value(n)


Payoff = Callable[[int, int], int]
PAYOFFS: dict[str, Payoff] = {
    "hold": lambda a, d: int(d == 0),
    "difference": lambda a, d: a - d,
    "losses": lambda a, d: a,
}


def brute_battle(a: int, d: int, payoff: Payoff, dice: tuple[int, int, int], rule: Callable | None = None) -> Fraction:
    """What the attacker can expect; the defender does his best, or follows a rule."""
    attack, defend, sides = dice

    @cache
    def value(a: int, d: int) -> Fraction:
        if a == 1 or d == 0:
            return Fraction(payoff(a, d))
        throws = list(product(range(1, sides + 1), repeat=min(a - 1, attack)))
        return sum(answered(a, d, t) for t in throws) / Fraction(len(throws))

    def answered(a: int, d: int, throw: tuple[int, ...]) -> Fraction:
        options = [rule(throw, d)] if rule else range(1, min(d, defend) + 1)
        return min(sum(p * value(a - x, d - y) for x, y, p in falls(throw, j, sides)) for j in options)

    return value(a, d)


# --- Koole's problem -------------------------------------------------------------------------------------------------
def test_examples_of_the_article() -> None:
    """Koole 1994, section 3: R(53,43) = 1, R(31,62) = 2, R(64,5) = 0, and the losses against 5-3 and 6-5."""
    assert held((5, 3), (4, 3)) == 1
    assert held((3, 1), (6, 2)) == 2
    assert held((6, 4), (5,)) == 0
    losses = {roll.faces: roll.losses for roll in KOOLE.rolls}
    assert losses[5, 3] == (Fraction(1, 3), 1)
    assert losses[6, 5] == (Fraction(1, 6), Fraction(5, 12))
    assert sum(roll.probability for roll in KOOLE.rolls) == 1


def test_gains() -> None:
    """Koole 1994 prints 0.500257, 0.46 and 0.34; the fractions are ours, checked here by V_1 and by the equation."""
    assert KOOLE.limit.gain == Fraction(1945, 3888)
    assert KOOLE.always(2) == Fraction(2387, 5184)
    assert KOOLE.always(1) == KOOLE.stakes(1).value(1) == Fraction(49, 144)
    gain = KOOLE.limit.gain
    assert sum(r.probability * max(r.losses[0] - gain, r.losses[1] - 2 * gain) for r in KOOLE.rolls) == 0


def test_limit_policy() -> None:
    """Koole 1994, section 3: two dice only if the second die is 1, 2 or 3."""
    for roll, best in zip(KOOLE.rolls, KOOLE.limit_best, strict=True):
        assert best == ((2,) if roll.faces[1] <= 3 else (1,))
    margins = {roll.text: margin for roll, margin in zip(KOOLE.rolls, KOOLE.limit.margins, strict=True)}
    assert min(margins, key=margins.__getitem__) == "4-4"
    assert margins["4-4"] == Fraction(1, 3888)


def test_answers_settle_at_thirteen_not_five() -> None:
    stakes = KOOLE.stakes(200)
    assert [n for n in range(5, 201) if stakes.departures(n)] == [6, 8, 10, 12]
    assert all(stakes.departures(n) == {"4-4": (2,)} for n in (6, 8, 10, 12))
    settled = KOOLE.settled(60)
    assert (settled.since, settled.proven) == (13, 13)
    assert KOOLE.settled(12).since is None


def test_a_proof_is_only_claimed_where_nothing_changes_later() -> None:
    for attack, defend, sides in DICE:
        problem = Problem(attack, defend, sides)
        settled = problem.settled(40)
        if settled.proven is not None:
            stakes = problem.stakes(120)
            assert settled.last < settled.proven
            assert all(stakes.best_at(n) == problem.limit_best for n in range(settled.proven, 121))


@pytest.mark.parametrize("dice", DICE)
def test_stakes_against_enumeration(dice: tuple[int, int, int]) -> None:
    stakes = Problem(*dice).stakes(7)
    assert [stakes.value(n) for n in range(8)] == [brute_stake(n, *dice) for n in range(8)]


def test_costs_belong_to_the_best_answers() -> None:
    stakes = KOOLE.stakes(13)
    for n in (1, 2, 6, 13):
        for i, best in enumerate(stakes.best_at(n)):
            costs = stakes.costs(n, i)
            assert tuple(j for j, cost in enumerate(costs, 1) if cost == 0) == best
            assert min(costs) == 0


def test_a_large_stake_approaches_the_gain() -> None:
    stakes = KOOLE.stakes(1000)
    assert abs(stakes.value(1000) - stakes.value(999) - KOOLE.limit.gain) < Fraction(1, 10**200)


@compiled
@pytest.mark.parametrize(("n", "attack", "defend", "sides"), [(1, 3, 2, 6), (6, 3, 2, 6), (20, 3, 2, 6), (9, 2, 3, 3)])
def test_the_solver_agrees_on_stakes(n: int, attack: int, defend: int, sides: int) -> None:
    game = hazard.game("risk", mode="stake", stake=n, attack_dice=attack, defend_dice=defend, sides=sides)
    lower, upper = hazard.solve(game).bounds(game.start())
    left = game.g.attackers - Problem(attack, defend, sides).stakes(n).value(
        n
    )  # the payoff is the attacker's armies left
    assert lower[0] <= left <= upper[0]


@pytest.mark.parametrize("n", [1, 6, 10, 1000])
def test_what_solve_says_of_a_stake(n: int) -> None:
    """In the shape of all solutions: the attacker's armies left, in bounds of a rounding; then the fractions."""
    game = hazard.game("risk", mode="stake", stake=n)
    found = solve_report(game, 1e-9, None, None)
    assert [*found][3:9] == ["value", "lower", "upper", "error", "states", "seconds"]
    loss = KOOLE.stakes(n).value(n)
    assert (Fraction(found["fraction"]), found["loss"]) == (loss, float(loss))
    left = game.g.attackers - loss
    assert found["lower"][0] <= left <= found["upper"][0]
    assert found["lower"][1] <= -left <= found["upper"][1]
    assert found["value"] == [float(left), -float(left)]
    assert found["error"] <= np.spacing(float(left))
    assert found["limit"] == {"value": "1945/3888", "float": 1945 / 3888}
    assert found["always"] == {"1": "49/144", "2": "2387/5184"}
    assert found["differs_from_limit"] == {text: list(best) for text, best in KOOLE.stakes(n).departures(n).items()}
    assert found["settled_from"] == 13


# --- average reward --------------------------------------------------------------------------------------------------
def test_average_reward_against_every_policy() -> None:
    for problem in (Problem(3, 2, 3), Problem(2, 2, 3), Problem(1, 3, 4), Problem(3, 3, 2)):
        sizes = [range(len(s.options)) for s in problem.situations]
        gains = {policy: gain_of(problem.situations, policy) for policy in product(*sizes)}
        average = maximise(problem.situations)
        assert average.gain == max(gains.values()) == gains[average.policy]


def test_average_reward_of_a_tie_and_of_no_choice() -> None:
    tie = Situation(Fraction(1, 2), (Option(1, 1), Option(2, 2)))
    single = Situation(Fraction(1, 2), (Option(1, 1),))
    average = maximise([tie, single])
    assert (average.gain, average.policy, average.margins) == (1, (0, 0), (0, None))


def test_average_reward_refuses_bad_problems() -> None:
    with pytest.raises(ValueError, match="exactly 1"):
        maximise([Situation(Fraction(1, 3), (Option(1, 1),))])
    with pytest.raises(ValueError, match="situation 0"):
        maximise([Situation(Fraction(1), (Option(1, 0),))])


# --- the whole battle ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("objective", PAYOFFS)
@pytest.mark.parametrize("dice", DICE)
def test_battles_against_enumeration(objective: str, dice: tuple[int, int, int]) -> None:
    attack, defend, sides = dice
    solved = battles(5, 4, objective, attack, defend, sides)
    for a, d in product(range(1, 6), range(5)):
        assert solved.value(a, d) == brute_battle(a, d, PAYOFFS[objective], dice)


@compiled
@pytest.mark.parametrize("objective", PAYOFFS)
def test_the_solver_agrees_on_battles(objective: str) -> None:
    game = hazard.game("risk", attackers=15, defenders=15, objective=objective)
    solution, exact = hazard.solve(game), battles(15, 15, objective)
    for a, d in product(range(2, 16), range(1, 16)):
        lower, upper = solution.bounds(game.parse(f"a{a} d{d}"))
        assert lower[0] <= exact.value(a, d) <= upper[0]


@compiled
def test_advice_agrees_with_exact_costs() -> None:
    game = hazard.game("risk", attackers=10, defenders=8)
    solution, exact = hazard.solve(game), battles(10, 8)
    for text, faces in (("a10 d8 roll 5-4", (5, 4)), ("a4 d5 roll 4-4", (4, 4)), ("a3 d3 roll 5-3", (5, 3))):
        position = game.parse(text)
        a, d = position.state.attackers, position.state.defenders
        costs = dict(zip(("1 die", "2 dice"), exact.costs(a, d, faces), strict=True))
        for advice in solution.advise(position):
            assert advice.cost == pytest.approx(float(costs[advice.move]), abs=1e-12)


def test_exact_battles_of_fixed_defenders() -> None:
    for rule in (_koole, lambda t, d: 1):
        exact = battles(5, 4, answer=rule)
        assert exact.value(5, 4) == brute_battle(5, 4, PAYOFFS["hold"], (3, 2, 6), rule)
        assert all(best == (rule(faces, 3),) for faces, best in exact.answers(5, 3).items())


@compiled
def test_fixed_defenders_against_enumeration() -> None:
    game = hazard.game("risk", attackers=5, defenders=4)
    ways = {"koole": _koole, "one-die": lambda t, d: 1, "most-dice": lambda t, d: min(d, 2)}
    for name, rule in ways.items():
        lower, upper = hazard.evaluate(game, ["most-dice", name]).bounds(game.start())
        assert lower[0] <= brute_battle(5, 4, PAYOFFS["hold"], (3, 2, 6), rule) <= upper[0]


def _koole(throw: tuple[int, ...], defenders: int) -> int:
    return koole_dice(tuple(sorted(throw, reverse=True)), defenders)


@compiled
def test_classic_battles() -> None:
    """Osborne, Markov Chains for the RISK Board Game Revisited, 2003, table 3; his attackers leave no army behind."""
    game = hazard.game("risk", attackers=5, defenders=5, rule="classic")
    solution = hazard.solve(game)
    table = {(1, 1): 0.417, (1, 2): 0.106, (2, 2): 0.363, (3, 3): 0.470, (3, 5): 0.206, (4, 3): 0.642, (4, 4): 0.477}
    for (a, d), chance in table.items():
        assert round(solution.value(game.parse(f"a{a + 1} d{d}"))[0], 3) == chance


def test_the_agent_follows_the_rule() -> None:
    g = hazard.game("risk", attackers=6, defenders=4).g
    for a, d in product(range(2, 7), range(1, 5)):
        for roll in range(g.counts[rules.ATTACKER, min(a - 1, 3)]):
            s = rules.State(a, d, rules.ANSWER, roll, 0, rules.DEFENDER)
            faces = tuple(int(f) for f in g.faces[rules.ATTACKER, min(a - 1, 3), roll] if f)
            assert AGENTS["koole"].decide(g, s, np.zeros(2, np.int64), None, None) == koole_dice(faces, d)


@pytest.fixture(scope="module")
def thirty() -> Battles:
    return battles(30, 30)


def test_departures_from_the_rule(thirty: Battles) -> None:
    assert thirty.departures(10, 7) == {}
    assert thirty.departures(5, 20) == {(4, 4): (2,)}
    assert thirty.departures(30, 2) == {(6, 4): (2,), (5, 4): (2,)}
    assert thirty.departures(3, 10) == dict.fromkeys(((6, 3), (5, 3), (4, 3)), (1,))
    assert thirty.chance(3, thirty.departures(3, 10)) == Fraction(1, 6)


def test_costs_of_answers(thirty: Battles) -> None:
    for a, d in ((2, 5), (3, 3), (12, 1), (20, 17)):
        for faces, best in thirty.answers(a, d).items():
            assert tuple(j for j, cost in enumerate(thirty.costs(a, d, faces), 1) if cost == 0) == best


def test_exact_ties(thirty: Battles) -> None:
    """A lone die that shows a one cannot win: one die or two make no difference. There is no other tie."""
    found = {(a, d): thirty.ties(a, d) for a in range(2, 31) for d in range(1, 31)}
    assert {cell: ties for cell, ties in found.items() if ties} == {(2, d): [(1,)] for d in range(2, 31)}


def test_battles_refuse_an_unknown_objective() -> None:
    with pytest.raises(hazard.BadInput, match="'glory'"):
        battles(3, 3, "glory")


# --- the study -------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def study() -> study_of_risk.Study:
    progress = Parts()
    found = study_of_risk.study(progress=progress)
    assert progress.done + len(found.figures) == progress.planned  # pictures are drawn when it is written
    return found


@compiled
def test_every_published_figure_is_judged(study: study_of_risk.Study) -> None:
    rows = [(row["where"], row["quantity"], row["value"]) for row in published("risk.csv")]
    assert [(f.where, f.quantity, f.published) for f in study.findings] == rows
    verdicts = {f.quantity: f.verdict for f in study.findings}
    settles = "stake n from which the optimal actions no longer change"
    assert verdicts.pop(settles) == NOT_REPRODUCED
    assert set(verdicts.values()) == {REPRODUCED}
    found = next(f for f in study.findings if f.quantity == settles)
    assert found.ours == "13"
    assert "n = 6, 8, 10, 12" in found.note
    assert "1/3888 at 4-4" in found.note


@compiled
def test_tables_are_complete_and_pictures_are_drawn(study: study_of_risk.Study, tmp_path: Path) -> None:
    assert len(study.tables) == 6
    assert all(len(row) == len(table.columns) for table in study.tables for row in table.rows)
    for figure in study.figures:
        figure.draw(tmp_path / figure.file)
        assert (tmp_path / figure.file).read_text().startswith("<?xml")

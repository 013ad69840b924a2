"""The solvers against exact fractions, brute force and each other."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.agents.seating import padded
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.jit import bind, rule
from hazard.solving.fractions import solve_exactly
from hazard.solving.numbered import layers as layered
from hazard.solving.numbered import solver
from hazard.solving.numbered.solution import Players
from hazard.solving.numbered.turns import BEST, Play, find_layers, workspace
from hazard.solving.solution import load, save

from .conftest import VARIANTS, name_of


def value_iteration(game: hazard.Game, sweeps: int = 4000) -> float:
    """The first seat's value by plain value iteration over positions as Python sees them."""
    from .games.test_conformance import reachable

    positions = reachable(game)
    values = {p.state: p.payoffs[0] if p.over else 0.5 for p in positions}
    links = []
    for p in reversed(positions):
        if p.rolling:
            links.append((p.state, None, [(float(o.probability), o.position.state) for o in p.outcomes()]))
        elif not p.over:
            links.append((p.state, max if p.mover == 0 else min, [(1.0, p.move(m).state) for m in p.moves]))
    for _ in range(sweeps):
        change = 0.0
        for state, best, ways in links:
            new = best(values[t] for _, t in ways) if best else sum(q * values[t] for q, t in ways)
            change = max(change, abs(new - values[state]))
            values[state] = new
        if change < 1e-14:
            break
    return values[game.start().state]


TWO = [case for case in VARIANTS if case[1].get("players", 2) == 2]


@pytest.fixture(params=TWO, ids=name_of)
def two_player_game(request: pytest.FixtureRequest) -> hazard.Game:
    return hazard.game(request.param[0], **request.param[1])


def test_bounds_hold_the_exact_fraction(two_player_game: hazard.Game) -> None:
    game = two_player_game
    exact = solve_exactly(game)
    solution = hazard.solve(game, tolerance=1e-11)
    assert solution.error <= 1e-11
    for i, value in exact.values.items():
        position = hazard.Position(game, game.rules.state(game.table, i))
        if not position.over:
            lower, upper = solution.bounds(position)
            assert Fraction(lower[0]) <= value <= Fraction(upper[0])


def test_bounds_hold_the_exact_fraction_with_compensated_sums(two_player_game: hazard.Game) -> None:
    game = two_player_game
    players = Players(game, ("best", "best"), compensated=True)
    low = solver._solved(players, solver._order(game), 1e-11, None).low
    purse = Fraction(game.ask("purse"))
    for i, value in solve_exactly(game).values.items():
        mover = game.rules.state(game.table, i).mover
        first, second = low[i, mover], low[i, 1 - mover]
        assert Fraction(first) <= value <= purse - Fraction(second)
        assert purse - Fraction(first) - Fraction(second) <= Fraction(1, 10**11)


def pig_in_long_double(goal: int, sides: int = 6) -> dict[tuple[int, int], np.longdouble]:
    """The mover's chance to win at every pair of own and other score: written apart from the package, in 80 bits."""
    win = {(own, other): np.longdouble(0.5) for own in range(goal) for other in range(goal)}

    def turn(own: int, other: int) -> np.longdouble:
        most = goal - own
        value = np.ones(most + 1, np.longdouble)  # by points in the pot; the last one wins
        for pot in range(most - 1, -1, -1):
            after = value[np.minimum(pot + np.arange(2, sides + 1), most)]
            roll = (after.sum() + 1 - win[other, own]) / sides
            value[pot] = max(roll, 1 - win[other, own + pot]) if pot else roll
        return value[0]

    for own, other in sorted(win, key=lambda pair: -sum(pair)):
        change = np.longdouble(1)
        while change > 1e-19:
            before = win[own, other]
            win[own, other] = turn(own, other)
            win[other, own] = turn(other, own)
            change = abs(win[own, other] - before)
    return win


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 2e-19, reason="no longer numbers on this machine")
def test_bounds_hold_values_in_long_double() -> None:
    game = hazard.game("pig", goal=22)
    solution = hazard.solve(game)
    for (own, other), value in pig_in_long_double(22).items():
        lower, upper = solution.bounds(game.parse(f"p1 {own}:{other} pot 0"))
        assert lower[0] - 1e-18 <= value <= upper[0] + np.longdouble(1e-18)
        assert upper[0] - lower[0] < 1e-12


def test_plain_value_iteration_agrees(two_player_game: hazard.Game) -> None:
    solution = hazard.solve(two_player_game, tolerance=1e-11)
    assert solution.value(two_player_game.start())[0] == pytest.approx(value_iteration(two_player_game), abs=1e-10)


def some(game: hazard.Game) -> list[hazard.Position]:
    """A few hundred reachable positions, grouped by turn."""
    from .games.test_conformance import reachable

    positions = [p for p in reachable(game) if not p.over]
    positions.sort(key=lambda p: (game.rules.index(game.table, p.state), p.state))
    return [p for n, p in enumerate(positions) if n // 40 % max(1, len(positions) // 400) == 0]


def test_advice_is_the_value_of_what_follows(small_game: hazard.Game) -> None:
    solution = hazard.solve(small_game, tolerance=1e-12)
    for position in some(small_game):
        if position.moves:
            advice = solution.advise(position)
            assert sorted(a.move for a in advice) == sorted(position.moves)
            assert advice[0].value == pytest.approx(solution.value(position)[position.mover], abs=1e-12)
            for a in advice:
                after = solution.value(position.move(a.move))[position.mover]
                assert a.value == pytest.approx(after, abs=1e-12)
                assert a.lower <= a.value <= a.upper
                assert a.cost >= 0


def test_policy_table_is_the_advice(small_game: hazard.Game) -> None:
    solution = hazard.solve(small_game, tolerance=1e-12)
    g, rules = small_game.g, small_game.rules
    for position in some(small_game):
        if position.moves:
            number = solution.policy_table[rules.index(g, position.state), rules.step(g, position.state)]
            named = dict(zip(position.legal(), position.moves, strict=True))[int(number)]
            values = {a.move: a.value for a in solution.advise(position)}
            assert values[named] == pytest.approx(max(values.values()), abs=1e-12)


def test_fixed_agents_and_best_responses() -> None:
    game = hazard.game("pig", goal=12)
    best = hazard.solve(game, 1e-12).value(game.start())
    fixed = hazard.evaluate(game, ["hold-at-20", "random"], 1e-12).value(game.start())
    reply = hazard.best_response(game, ["hold-at-20", None], 1e-12).value(game.start())
    assert hazard.evaluate(game, ["optimal", "optimal"], 1e-12).value(game.start()) == pytest.approx(best, abs=1e-11)
    assert reply[1] >= best[1] - 1e-12  # the best reply does at least as well as against the best opponent
    assert reply[1] >= fixed[1] - 1e-12
    sampled = hazard.match(game, "hold-at-20", "random", games=200_000, seed=5)
    seat = sampled.wins_by_seat[0][0] / 100_000
    assert abs(seat - fixed[0]) < 4 * (fixed[0] * fixed[1] / 100_000) ** 0.5


def test_three_players_each_do_their_best() -> None:
    game = hazard.game("great-rolled-ones", goal=4, players=3)
    solution = hazard.solve(game, 1e-10)
    value = solution.value(game.start())
    assert sum(value) == pytest.approx(1, abs=1e-10)
    assert solution.meta["regret"] < 1e-9
    profile = hazard.evaluate(game, ["optimal"] * 3, 1e-10).value(game.start())
    assert profile == pytest.approx(value, abs=1e-9)
    for seat in range(3):
        agents: list[str | None] = ["optimal"] * 3
        agents[seat] = None
        assert hazard.best_response(game, agents, 1e-10).value(game.start())[seat] == pytest.approx(
            value[seat], abs=1e-9
        )


def test_a_wrong_claim_is_not_proven() -> None:
    """The proof has to fail where a value is raised above the truth."""
    game = hazard.game("pig", goal=12)
    solution = hazard.solve(game, 1e-12)
    order = np.arange(len(solution.low))
    play = Play(np.array([BEST, BEST]), False, padded([]), stream(0))
    for raised, proven in ((0.0, True), (1e-10, False)):
        low = np.array(solution.low)
        low[5] += raised
        work = workspace(game, low, order.copy())
        policies = np.zeros((len(order), len(work.policy)), np.uint8)
        assert game.compiled(layered.holds)(game.table, order, play, work, policies) is proven


def test_iterating_from_below_gives_the_same() -> None:
    """The way taken by layers too large for Newton's method, against the one taken by small ones."""
    game = hazard.game("pig", goal=12)
    solution = hazard.solve(game, 1e-12)
    order = np.arange(len(solution.low))
    play = Play(np.array([BEST, BEST]), False, padded([]), stream(0))
    work = workspace(game, np.zeros_like(solution.low), order.copy())
    policies = np.zeros((1, len(work.policy)), np.uint8)
    sweeps = game.compiled(layered.iterate)(game.table, order, play, 1e-11, work, policies)
    assert 1 < sweeps < 1_000
    assert np.abs(work.low - solution.low).max() < 1e-10
    assert (work.low.sum(axis=1) <= 1).all()


def test_solutions_are_kept_and_checked(tmp_path: Path) -> None:
    game = hazard.game("pig", goal=12)
    solution = hazard.solve(game)
    folder = save(solution, tmp_path / "pig")
    again = load(folder)
    assert isinstance(again.low, np.memmap)
    assert again.value(game.start()) == solution.value(game.start())
    save(solution, folder)  # replaces
    assert [p.name for p in tmp_path.iterdir()] == ["pig"]

    meta = json.loads((folder / "solution.json").read_text())
    (folder / "solution.json").write_text(json.dumps(meta | {"rules": "000000000000"}))
    with pytest.raises(BadInput, match="made with rules 000000000000"):
        load(folder)
    (folder / "solution.json").write_text(json.dumps(meta))
    data = bytearray((folder / "low.npy").read_bytes())
    data[-3] ^= 64
    (folder / "low.npy").write_bytes(bytes(data))
    with pytest.raises(BadInput, match="checksum"):
        load(folder)
    (folder / "low.npy").write_bytes(bytes(data[:200]))
    with pytest.raises(BadInput, match="damaged"):
        load(folder)
    (folder / "solution.json").write_text("{")
    with pytest.raises(BadInput, match="damaged"):
        load(folder)
    with pytest.raises(BadInput, match="no solution is stored"):
        load(tmp_path / "nothing")


def test_a_game_beyond_memory_is_refused() -> None:
    with pytest.raises(BadInput, match="GiB"):
        hazard.solve(hazard.game("great-rolled-ones", players=6))


def test_a_numbering_that_contradicts_itself_is_found() -> None:
    game = hazard.game("pig", goal=4)
    swapped = rule(lambda g, s: (s.mover * g.goal + s.you) * g.goal + s.me)
    layers = np.zeros(game.ask("size"), np.int64)
    assert bind(find_layers, "pig", game.contract, False)(game.table, layers) == -1
    assert bind(find_layers, "swapped", game.contract | {"index": swapped}, False)(game.table, layers) == 1


def test_known_values_of_pig() -> None:
    """Neller and Presser, "Optimal Play of the Dice Game Pig" (2004): the first player wins 53.06 % of games to 100."""
    game = hazard.game("pig")
    solution = hazard.solve(game, 1e-9)
    assert solution.value(game.start())[0] == pytest.approx(0.5306, abs=5e-5)
    assert solution.advise(game.parse("p1 0:0 pot 20"))[0].move == "roll"
    assert solution.advise(game.parse("p1 0:0 pot 21"))[0].move == "hold"

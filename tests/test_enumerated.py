"""The solver that needs only rules, against brute force, hand-made solvers, and games that should not be certified."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hazard
from hazard import contract, jit, rulebook
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game, Position
from hazard.solving.enumerated import large, space
from hazard.solving.enumerated.packing import TooWide, fields, first_layout, repacked, widened
from hazard.solving.enumerated.solver import Enumerated
from hazard.solving.optimal import best_valued_move
from hazard.solving.solution import load, save
from tests.games.test_conformance import reachable
from tests.rules_games import (
    Graph,
    Numbers,
    Pile,
    Race,
    Throw,
    best_of_throws,
    by_rules,
    changed,
    graph_game,
    iterate,
    many_moves,
    own_game,
    race,
    random_graph,
    take_away,
)


def solved(game: Game, tolerance: float = 1e-9) -> Any:
    return Enumerated().solve(game, tolerance, None, None)


# --- any graph -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(150))
def test_random_games_get_their_value_or_are_refused(seed: int) -> None:
    """Value iteration from below and from above differ where endless play matters: such a game has no certificate."""
    g = random_graph(seed, players=1 + seed % 4 // 3, back=(0.1, 0.3, 0.6)[seed % 3], dice=(0.3, 0.7)[seed % 2])
    least, most = iterate(g, 0.0)[0], iterate(g, 1.0)[0]
    try:
        solution = solved(graph_game(g))
    except BadInput as refusal:
        assert "never end" in str(refusal)
        assert stalls(g)
        return
    lower, upper = solution.bounds(solution.game.start())
    assert abs(most - least) < 1e-6
    assert lower[0] - 1e-7 <= least <= upper[0] + 1e-7
    assert upper[0] - lower[0] <= solution.error <= 1e-9


def stalls(g: Graph) -> bool:
    """Whether some choices keep play from ending, from anywhere that play comes to."""
    stay = np.flatnonzero(g.kind != 0).tolist()
    while True:
        kept = [n for n in stay if _stays(g, n, set(stay))]
        if len(kept) == len(stay):
            return bool(kept)
        stay = kept


def _stays(g: Graph, n: int, inside: set[int]) -> bool:
    part = slice(g.first[n], g.first[n + 1])
    to = [t for t, w in zip(g.links[part].tolist(), g.weights[part].tolist(), strict=True) if w or g.kind[n] != 1]
    return (all if g.kind[n] == 1 else any)(t in inside for t in to)


@pytest.mark.parametrize("seed", range(200, 260))
def test_random_games_of_one_player_with_gains(seed: int) -> None:
    g = random_graph(seed, players=1, gains=True, back=0.3, dice=0.8)
    if stalls(g):
        return
    solution = solved(graph_game(g))
    lower, upper = solution.bounds(solution.game.start())
    assert lower[0] - 1e-9 <= iterate(g, 0.0)[0] <= upper[0] + 1e-9


@pytest.mark.parametrize("seed", range(0, 150, 3))
def test_sweeps_agree_with_newton(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of large components, taken for small ones."""
    g = random_graph(seed, players=2, back=0.3, dice=0.7)
    try:
        expected = solved(graph_game(g))
    except BadInput:
        return
    monkeypatch.setattr("hazard.solving.enumerated.run.SMALL", 0)
    found = solved(graph_game(g))
    assert found.meta["components"]["newton"] == 0
    for node in range(len(found.pairs)):
        assert found.pairs[node, 0] <= expected.pairs[node, 1]
        assert found.pairs[node, 1] >= expected.pairs[node, 0]


# --- the package's games ---------------------------------------------------------------------------------------------
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"goal": 1}),
    ("pig", {"goal": 12, "sides": 2}),
    ("pig", {"goal": 25, "sides": 6}),
    ("pig", {"goal": 30, "sides": 100}),
    ("great-rolled-ones", {"goal": 1}),
    ("great-rolled-ones", {"goal": 12}),
    ("great-rolled-ones", {"goal": 5, "dice": 3, "bust": 2, "sides": 4, "komi": "2"}),
    *[
        ("risk", {"attackers": 6, "defenders": 5, "rule": rule, "objective": aim, "stop": stop})
        for rule in ("dutch", "classic", "blind")
        for aim, stop in (("hold", "never"), ("difference", "optional"), ("losses", "optional"))
    ],
    ("dice-of-doom", {"board": "2x2", "max_dice": 2, "turns": 0}),
    ("dice-of-doom", {"board": "2x2", "max_dice": 3, "turns": 0}),
    ("dice-of-doom", {"board": "2x2", "max_dice": 4, "turns": 0}),
    ("pickomino", {"tiles": 1, "dice": 5}),
    ("pickomino", {"tiles": 2, "dice": 5}),
    ("pickomino", {"tiles": 3, "dice": 5}),
]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=lambda x: str(x))
def test_rules_alone_give_what_hand_made_solvers_give(name: str, parameters: dict[str, Any]) -> None:
    by_hand, game = by_rules(name, **parameters)
    expected, found = hazard.solve(by_hand), solved(game)
    position, rng = by_hand.start(), stream(5)
    for _ in range(60):  # along one game, played at random
        (low, high), (least, most) = found.bounds(Position(game, position.state)), expected.bounds(position)
        for seat in range(2):
            assert low[seat] <= most[seat] + 1e-15
            assert least[seat] <= high[seat] + 1e-15
        if position.over:
            break
        if not position.rolling:
            advice = found.advise(Position(game, position.state))
            known = {row.move: row for row in expected.advise(position)}
            assert all(abs(row.value - known[row.move].value) <= found.error + expected.error for row in advice)
        moves = position.moves
        position = (
            position.roll(rng).position if position.rolling else position.move(moves[len(str(position)) % len(moves)])
        )


# --- games that lack something ---------------------------------------------------------------------------------------
def test_gains_of_one_player() -> None:
    """The best of up to three throws: 14/3, and what is paid at the end."""
    game = own_game("own-throws", best_of_throws, Numbers(1, 3, 10))
    solution = solved(game)
    assert solution.value(game.start()) == pytest.approx((10 + 14 / 3,), abs=1e-12)
    five = Position(game, Throw(2, 5, 0, 0))
    assert [row.move for row in solution.advise(five)] == ["0", "1"]
    assert solution.advise(five)[0].value == pytest.approx(15.0)


def test_decisions_without_dice() -> None:
    solution = solved(own_game("own-pile", take_away, Numbers(2, 21, 3)))
    game = solution.game
    assert solution.meta["states"] == 40
    assert solution.bounds(game.start()) == ((3.0, -3.0), (3.0, -3.0))
    assert solution.value(Position(game, Pile(20, 0, 1))) == (3.0, -3.0)
    assert solution.move(game.start()) == "1"


def test_seventy_thousand_moves_and_dice_after_dice() -> None:
    """Three coins add 1.5 points: the best number is lower by one or two, and no move is cut off at 255 or 65,535."""
    solution = solved(own_game("own-many", many_moves, Numbers(1, 70_000, 3)))
    game = solution.game
    best = solution.advise(game.start())
    assert {best[0].move, best[1].move} == {"61232", "61233"}
    assert best[0].value == pytest.approx(-0.75)
    assert best[-1].move == "0"
    assert solution.move(game.start()) in ("61232", "61233")


def test_stalling_that_gains_nothing_is_no_obstacle() -> None:
    """Both may pass for ever, but whoever throws is better off: payoffs of a million, proven to within their size."""
    solution = solved(own_game("own-race", race, Numbers(2, 6, 6)))
    game = solution.game
    values = plain_iteration(game)
    for position in reachable(game):
        lower, upper = solution.bounds(position)
        assert lower[0] - 1e-6 <= values[position.state] <= upper[0] + 1e-6
    assert solution.error <= 1e-3


def plain_iteration(game: Game, sweeps: int = 3000) -> dict[Any, float]:
    """What seat 0 gets, by value iteration over positions as Python sees them."""
    positions = reachable(game)
    values = {p.state: p.payoffs[0] if p.over else 0.0 for p in positions}
    rows = []
    for p in reversed(positions):
        if p.rolling:
            rows.append((p.state, None, [(float(o.probability), o.position.state) for o in p.outcomes()]))
        elif not p.over:
            rows.append((p.state, max if p.mover == 0 else min, [(1.0, p.move(m).state) for m in p.moves]))
    for _ in range(sweeps):
        change = 0.0
        for state, best, ways in rows:
            new = best(values[t] for _, t in ways) if best else sum(q * values[t] for q, t in ways)
            change, values[state] = max(change, abs(new - values[state])), new
        if change < 1e-9:
            break
    return values


@rule
def passes_only(g: Numbers, s: Race, moves: Any) -> int:
    moves[0] = 0
    return 1


@rule
def passes_late(g: Numbers, s: Race, moves: Any) -> int:
    """With five points there is nothing to do but pass."""
    moves[0], moves[1] = 0, 1
    return 1 if s.mine == 5 else 2


@rule
def hopeless(g: Numbers, s: Race, i: int) -> Race:
    """Whoever throws loses."""
    return Race(s.mine, g.a, 0, s.mover)


@pytest.mark.parametrize(
    ("name", "functions", "words"),
    [
        ("own-race-idle", {"legal": passes_only}, "mine=0 yours=0 rolling=0 mover="),
        ("own-race-late", {"legal": passes_late}, "mine="),
        ("own-race-lost", {"land": hopeless}, "mine=0 yours=0"),
    ],
)
def test_stalling_that_matters_is_refused_with_the_position(
    name: str, functions: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAZARD_JIT", "0")
    monkeypatch.setattr(large, "SWEEPS", 300)
    game = own_game(name, changed(race, **functions), Numbers(2, 6, 3))
    with pytest.raises(BadInput, match=rf"never end: from '{words}"):
        solved(game)


# --- what is declared is checked -------------------------------------------------------------------------------------
@rule
def sorted_scores(g: Numbers, s: Race) -> Race:
    """Wrong: who has which score matters."""
    return Race(min(s.mine, s.yours), max(s.mine, s.yours), s.rolling, s.mover)


@rule
def right_form(g: Numbers, s: Race) -> Race:
    """A throw with no points is worth the same as one with a point, if points are counted as `generous` does."""
    return Race(max(s.mine, 1), s.yours, s.rolling, s.mover) if s.rolling else s


@rule
def generous(g: Numbers, s: Race, i: int) -> Race:
    return Race(s.yours, min(max(s.mine, 1) + i, g.a), 0, 1 - s.mover)


@rule
def throws_only(g: Numbers, s: Race, moves: Any) -> int:
    moves[0] = 1
    return 1


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, where compiling would take longer; the search is the same code."""
    monkeypatch.setenv("HAZARD_JIT", "0")


def test_a_symmetry_saves_positions(plainly: None) -> None:
    plain = solved(own_game("own-generous", changed(race, land=generous), Numbers(2, 6, 4)))
    fewer = solved(own_game("own-generous-form", changed(race, land=generous, canonical=right_form), Numbers(2, 6, 4)))
    assert fewer.meta["states"] < plain.meta["states"]
    for position in reachable(plain.game):
        one, other = plain.value(position), fewer.value(Position(fewer.game, position.state))
        assert one == pytest.approx(other, abs=1e-3)


@pytest.mark.parametrize(("name", "form"), [("own-sorted", sorted_scores), ("own-form", right_form)])
def test_a_symmetry_that_is_none_is_refused(name: str, form: Any, plainly: None) -> None:
    functions = {"canonical": form, "legal": throws_only}
    with pytest.raises(
        BadInput,
        match=r"`canonical` takes '.*' for '.*', but (they are not worth|their moves)",
    ):
        solved(own_game(name, changed(race, **functions), Numbers(2, 6, 4)))


@rule
def points(g: Numbers, s: Race) -> int:
    return s.mine + s.yours


@rule
def no_moves(g: Numbers, s: Race, moves: Any) -> int:
    moves[0], moves[1] = 0, 1
    return 2 if s.mine < 3 else 0


@rule
def too_many(g: Numbers, s: Race, moves: Any) -> int:
    for i in range(4):
        moves[i] = i % 2
    return 4


@rule
def nothing_weighs(g: Numbers, s: Race, i: int) -> int:
    return 0


@rule
def negative(g: Numbers, s: Race, i: int) -> int:
    return 1 - i


@rule
def shared_out(g: Numbers, s: Race, seat: int) -> float:
    return float(s.yours + s.mine)


@rule
def no_number(g: Numbers, s: Race, seat: int) -> float:
    return np.nan


@rule
def half(g: Numbers) -> float:
    return 0.5


@rule
def third(g: Numbers, s: Race, i: int) -> Race:
    return Race(s.yours, s.mine + i, 0, 2 if i == 2 else 1 - s.mover)


@rule
def scored(g: Numbers, s: Race, m: int) -> float:
    return 1.0


@rule
def endless(g: Numbers, s: Race) -> bool:
    return False


@rule
def unbounded(g: Numbers, s: Race, i: int) -> Race:
    return Race(s.yours, s.mine + i + 1, 0, 1 - s.mover)


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "progress": ({"progress": points}, r"`progress` fell from \d+ to \d+ on the way from '.*' to '"),
    "moves": ({"legal": no_moves}, r"`legal` gives no move at 'mine=[345] "),
    "many": ({"legal": too_many}, r"`legal` gives 4 moves, but `fanout` is 2, at '"),
    "weights": ({"weight": nothing_weighs}, r"`weight` is 0 for every way that dice can land at '"),
    "negative": ({"weight": negative}, r"`weight` of way 2 at '.*': -1; must be"),
    "payoffs": ({"payoff": shared_out}, r"payoffs add up to \S+ at '.*', but to \S+ elsewhere"),
    "nan": ({"payoff": no_number}, r"`payoff` is \[nan, nan\] at '"),
    "purse": ({"purse": half}, r"payoffs add up to 0 at '.*', but to 0.5 elsewhere"),
    "mover": ({"land": third}, r"`mover` is 2 at '.* mover=2'; must be from 0 to 1"),
    "gain": ({"gain": scored}, r"`gain` is 1 at '.*', but is for games of one player"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faulty_rules_are_refused_with_the_position(name: str, plainly: None) -> None:
    functions, words = FAULTS[name]
    with pytest.raises(BadInput, match=words):
        solved(own_game(f"own-race-{name}", changed(race, **functions), Numbers(2, 6, 4)))


def test_a_score_without_end_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "MOST_BYTES", 100 << 20)
    functions = {"over": endless, "land": unbounded}
    with pytest.raises(BadInput, match=r"positions were found so far.*`mine` \(up to .*`yours`.* grow without end"):
        solved(own_game("own-race-unbounded", changed(race, **functions), Numbers(2, 6, 4)))


def test_three_players_are_refused() -> None:
    with pytest.raises(BadInput, match="games of 3 players are solved only where"):
        solved(by_rules("great-rolled-ones", players=3)[1])


def test_a_game_that_is_over_at_once() -> None:
    g = random_graph(0)
    solution = solved(graph_game(g._replace(kind=np.zeros_like(g.kind))))
    assert solution.bounds(solution.game.start()) == ((g.paid[0], 1 - g.paid[0]),) * 2


# --- compiled code, and the disk -------------------------------------------------------------------------------------
@pytest.fixture
def throws(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that is found by its name."""
    game = own_game("own-throws", best_of_throws, Numbers(1, 3, 10))
    monkeypatch.setattr(rulebook, "declared", lambda name: game.own)
    return game


def test_a_solution_is_kept_and_found_again(throws: Game, tmp_path: Any) -> None:
    made = solved(throws)
    save(made, tmp_path / "kept")
    found = load(tmp_path / "kept")
    assert found.error == made.error
    for place in (Throw(3, 0, 1, 0), Throw(1, 4, 0, 0), Throw(0, 2, 0, 0)):
        assert found.bounds(Position(throws, place)) == made.bounds(Position(throws, place))
    with pytest.raises(BadInput, match="never comes here"):
        found.bounds(Position(throws, Throw(9, 0, 1, 0)))


def test_compiled_code_looks_values_up() -> None:
    """Every decision is worth what the solution says, to both seats, and optimal play is that of the numbered game."""
    by_hand, game = by_rules("pig", goal=15)
    solution, expected = solved(game), hazard.solve(by_hand)
    worth = game.compiled(contract.worth)
    for position in reachable(by_hand):
        for seat in range(2):
            found = worth(game.table, position.state, seat, solution.values)
            assert found == pytest.approx(expected.value(position)[seat], abs=1e-9)
    assert np.isnan(worth(game.table, by_hand.rules.State(0, 0, 99, 1, 0), 0, solution.values))


def test_optimal_by_value_plays_best() -> None:
    by_hand, game = by_rules("pig", goal=15)
    solution, expected = solved(game), hazard.solve(by_hand)
    decide, moves = game.compiled(best_valued_move), np.zeros(2, np.int64)
    for position in reachable(by_hand):
        if not (position.over or position.rolling):
            m = int(decide(game.table, position.state, moves, solution.policy, stream(1)))
            name = by_hand.notation.move_text(by_hand.table, position.state, m)
            cost = {row.move: row.cost for row in expected.advise(position)}
            assert cost[name] <= 1e-9


# --- packing ---------------------------------------------------------------------------------------------------------
WHOLE = st.one_of(st.integers(-5, 300), st.integers(-(2**63), 2**63 - 1))


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(-5, 300), WHOLE, st.integers(-(2**20), 2**20), st.integers(0, 1)), min_size=1))
def test_positions_are_packed_and_unpacked(states: list[tuple[int, ...]]) -> None:
    """Ranges grow with every position, those met before keep their numbers, and different ones have different keys."""
    pack = jit.packer(Race)
    layout = first_layout(states[0])
    key = np.zeros((0, layout.words), np.int64)
    for state in states:
        wider = widened(layout, state)
        key = repacked(key, layout, wider)
        layout = wider
        a, b, spill = pack(Race(*state), *layout)
        assert spill == 0
        key = np.vstack([key, [(a, b)[: layout.words]]])
    assert fields(key, layout).tolist() == [list(state) for state in states]
    assert len({tuple(row) for row in key.tolist()}) == len(set(states))


def test_a_field_that_does_not_fit_is_noticed() -> None:
    layout = first_layout((0, 0, 0, 0))
    for n in range(4):
        for value in (-1, 2, 2**40, -(2**62)):
            state = [0, 0, 0, 0]
            state[n] = value
            assert jit.packer(Race)(Race(*state), *layout)[2] != 0
    with pytest.raises(TooWide):
        widened(layout, (2**62, -(2**62), 2**61, 0))

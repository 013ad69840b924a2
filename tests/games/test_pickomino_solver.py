"""Pickomino solved: a turn in fractions and floats, small games between turns, and what is kept of them."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.arena.grading.watch import watch
from hazard.arena.play.compiled import line_up
from hazard.games.pickomino import rules
from hazard.games.pickomino.notation import parse_dice, parse_kept
from hazard.games.pickomino.solver import arrangements
from hazard.games.pickomino.solver import prove as solver
from hazard.games.pickomino.turn import fractions as exact
from hazard.games.pickomino.turn.endings import Turn, ends_of
from hazard.games.pickomino.turn.fractions import Target, aside_of, risk_fractions, risk_table
from hazard.games.pickomino.turn.states import NEVER, state_of
from hazard.games.pickomino.turn.tables import scores_of, states_of, tables_of
from hazard.rulebook import Position
from hazard.solving import solution as stored
from hazard.solving.report import solve_report
from hazard.solving.solution import solved

AT_LEAST_21 = 0.893026737151  # the best chance, from an independent calculation


@pytest.fixture(autouse=True)
def wrapping() -> Iterator[None]:
    """Plain Python wraps 64-bit integers as compiled code does, but would warn each time."""
    with np.errstate(over="ignore"):
        yield


def pickomino(**parameters: int | str) -> hazard.Game:
    return hazard.game("pickomino", **parameters)


def solve(tmp_path: Path, **parameters: int | str) -> dict[str, Any]:
    return solve_report(pickomino(**parameters), 1e-9, tmp_path / "solution", None)


# --- one turn ----------------------------------------------------------------------------------------------------
def best_chance(**parameters: int | str) -> dict[str, Any]:
    return solve_report(pickomino(mode="turn", **parameters), 1e-9, None, None)


def in_floats(target: Target, kept: int) -> float:
    """The same chance by the compiled turns."""
    scores = scores_of(target.dice)
    stops = [1.0 if target.hit(score) else NEVER for score in range(scores)]
    turn = Turn(target.dice, np.array([*stops, *[NEVER] * scores, 0.0]))
    return turn.value(int(state_of(pickomino(dice=target.dice).g, kept)), False)


def test_the_best_chance_of_21() -> None:
    found = best_chance(target=21)
    assert found["value"] == pytest.approx([AT_LEAST_21], abs=1e-12)
    assert float(Fraction(found["fraction"])) == pytest.approx(AT_LEAST_21, abs=1e-12)
    assert found["states"] == 1939


@pytest.mark.parametrize("exactly", ["false", "true"])
@pytest.mark.parametrize("kept", ["-", "44w", "ww", "1", "5555", "345w", "1112345w"])
def test_floats_and_fractions_agree(exactly: str, kept: str) -> None:
    seen = set()
    for target in (21, 22, 23, 25, 28, 32, 36, 40):
        found = best_chance(target=target, exactly=exactly, kept=kept)
        chance = Fraction(found["fraction"])
        assert found["value"][0] == float(chance)
        assert in_floats(Target(8, target, exactly == "true"), parse_kept(kept, 8)) == pytest.approx(
            float(chance), abs=1e-13
        )
        seen.add(found["fraction"])
    assert len(seen) > 1


def test_the_answer_has_the_shape_of_all_solutions() -> None:
    """The same facts in the same order as for a game that is solved, then its own; bounds are rounded outward."""
    common = ["game", "parameters", "rules", "value", "lower", "upper", "error", "states", "seconds"]
    for parameters in ({"target": 21}, {"target": 25, "kept": "44w", "rolled": "12235"}, {"target": 5, "kept": "w"}):
        found = best_chance(**parameters)
        assert [*found][:9] == common
        (value,), (lower,), (upper,), chance = (
            found["value"],
            found["lower"],
            found["upper"],
            Fraction(found["fraction"]),
        )
        assert lower <= chance <= upper
        assert lower <= value <= upper
        assert np.nextafter(lower, 2) >= upper
        assert found["error"] == max(upper - value, value - lower) < 2e-16


def test_a_chance_by_hand() -> None:
    """A worm aside and two dice left; 11 points or more are wanted. The mark of a face is followed by what it needs."""
    at_once = Fraction(3, 36)  # 55, 44 or 33
    five = Fraction(10, 36) * Fraction(4, 6)  # with 1 to 4 or a worm: then 1 to 4
    four = Fraction(8, 36) * Fraction(3, 6)  # with 1 to 3 or a worm: then 2, 3 or 5
    three = Fraction(6, 36) * Fraction(2, 6)  # with 1, 2 or a worm: then 4 or 5
    two = Fraction(4, 36) * Fraction(2, 6)  # with 1 or a worm: then 4 or 5
    one = Fraction(2, 36) * Fraction(1, 6)  # with a worm: then 5
    chance = Target(3, 11, False).chance(aside_of(parse_kept("w", 3), 3))
    assert chance == at_once + five + four + three + two + one


def test_without_a_worm_nothing_counts() -> None:
    found = best_chance(target=5, kept="11112345")
    assert (found["value"], found["fraction"]) == ([0.0], "0")
    assert found["lower"] == found["upper"] == [0.0]


def test_after_a_roll_the_best_face_is_named() -> None:
    found = best_chance(target=25, kept="44w", rolled="12235")
    assert [row["move"] for row in found["choices"]] == ["keep 22", "keep 3", "keep 1", "keep 5"]
    assert found["best"] == "keep 22"
    assert found["fraction"] == found["choices"][0]["fraction"]
    kept, rolled = parse_kept("44w", 8), parse_dice("12235", "rolled", 8)
    for face, chance in Target(8, 25, False).choices(kept, rolled).items():
        aside = parse_kept("44w", 8) | rolled & 0xFF << 8 * face
        assert chance == Target(8, 25, False).chance(aside_of(aside, 8))
        assert in_floats(Target(8, 25, False), aside) == pytest.approx(float(chance), abs=1e-13)
    for row in found["choices"]:
        assert row["value"] == pytest.approx(float(Fraction(row["fraction"])), abs=1e-13)


def test_expected_tables_of_risk() -> None:
    """Rolls add up to the table that programs play by; from scratch, 21 to 26 have their share of the valid scores."""
    tables = tables_of(8)

    def aside(kept: str) -> tuple[int, int, int]:
        return aside_of(parse_kept(kept, 8), 8)

    for kept in ("-", "1", "5555", "www", "44w", "345w"):
        k, table = int(state_of(pickomino().g, parse_kept(kept, 8))), risk_table(aside(kept))
        assert table.shape == (exact.ROLLS + 1, exact.COLUMNS)
        assert table.sum(axis=0) == pytest.approx(tables.risk[k], abs=1e-12)
        assert [[float(x) for x in row] for row in risk_fractions(aside(kept))] == table.tolist()
    columns = risk_table(aside("-")).sum(axis=0)
    assert columns[:6].sum() / columns[:16].sum() == pytest.approx(0.8045444, abs=1e-7)  # printed as 80.45 %
    assert risk_fractions(aside("5555"))[1][4] == Fraction(4 * 125, 1296)  # a single worm; 193 of 500 in print
    assert risk_fractions(aside("wwww2"))[0][1] == 1  # 22, at once


def test_chances_of_endings() -> None:
    """They add up to 1, and are what the value gains by each ending."""
    dice, rng, states = 8, np.random.default_rng(1), len(states_of(8))
    for rolls in (True, False):
        for k in [states - 1] * rolls + [int(x) for x in rng.integers(states // 2, states - 1, 6)]:
            ends = np.where(rng.random(2 * (5 * dice + 1) + 1) < 0.7, rng.random(2 * (5 * dice + 1) + 1), NEVER)
            ends[-1] = 0.1
            turn = Turn(dice, ends)
            chances, value = turn.chances(k, rolls), turn.value(k, rolls)
            assert chances.sum() == pytest.approx(1, abs=1e-12)
            assert chances.min() >= 0
            met = chances > 0
            assert chances[met] @ ends[met] == pytest.approx(value, abs=1e-12)
            for end in np.flatnonzero(met)[::7]:
                more = ends.copy()
                more[end] += 1e-7
                assert (Turn(dice, more).value(k, rolls) - value) / 1e-7 == pytest.approx(chances[end], abs=1e-5)


# --- between turns -----------------------------------------------------------------------------------------------
class Graph:
    """All positions of a small game by the moves and rolls of the rules, and values by going over them again."""

    def __init__(self, game: hazard.Game) -> None:
        self.g = game.g
        first = game.start().state
        self.turns, waiting = {first: self.turn(first)}, [first]
        while waiting:
            for after in self.turns[waiting.pop()][1]:
                if after.centre and after not in self.turns:
                    self.turns[after] = self.turn(after)
                    waiting.append(after)

    def following(self, s: Any) -> list[tuple[float, Any]]:
        """What can come next, with chances for rolls and -1 for moves."""
        if s.rolling:
            weights = [int(rules.weight(self.g, s, i)) for i in range(rules.chance(self.g, s))]
            return [(w / sum(weights), rules.land(self.g, s, i)) for i, w in enumerate(weights)]
        moves = [0] * rules.fanout(self.g)
        return [(-1.0, rules.move(self.g, s, m)) for m in moves[: rules.legal(self.g, s, moves)]]

    def turn(self, first: Any) -> tuple[list[tuple[Any, list[tuple[float, Any]]]], set[Any]]:
        """The positions of a turn, each after all that can follow it, and those after the turn."""
        order: list[tuple[Any, list[tuple[float, Any]]]] = []
        seen, ends = {first}, set()

        def visit(s: Any) -> None:
            following = self.following(s)
            for _, after in following:
                if after.mover != first.mover:
                    ends.add(after)
                elif after not in seen:
                    seen.add(after)
                    visit(after)
            order.append((s, following))

        visit(first)
        return order, ends

    def sweep(self, worth: dict[Any, float]) -> float:
        """Go over all turns once, in place: the first player's chances; the greatest change."""
        change = 0.0
        for first, (order, ends) in reversed(self.turns.items()):
            known = {s: self.ended(s, worth) for s in ends}
            sign = 1 - 2 * first.mover  # the second player seeks what is least for the first
            for s, following in order:
                if s.rolling:
                    known[s] = sum(chance * known[after] for chance, after in following)
                else:
                    known[s] = sign * max(sign * known[after] for _, after in following)
            change = max(change, abs(known[first] - worth[first]))
            worth[first] = known[first]
        return change

    def ended(self, s: Any, worth: dict[Any, float]) -> float:
        return worth[s] if s.centre else rules.payoff(self.g, s, 0)


SMALL = [(1, 6, "keep"), (2, 6, "turn")]
LARGER = [(2, 6, "keep"), (3, 5, "turn")]


@pytest.mark.parametrize(
    ("tiles", "dice", "empty"), [*SMALL, *(pytest.param(*case, marks=pytest.mark.slow) for case in LARGER)]
)
def test_small_games_against_all_moves_and_rolls(tmp_path: Path, tiles: int, dice: int, empty: str) -> None:
    graph = Graph(pickomino(tiles=tiles, dice=dice, empty=empty))
    worth = dict.fromkeys(graph.turns, 0.5)
    while graph.sweep(worth) > 1e-9:
        pass
    found = solve(tmp_path, tiles=tiles, dice=dice, empty=empty)
    solution = stored.load(tmp_path / "solution")
    for s, value in worth.items():
        assert solution.value(Position(solution.game, s))[0] == pytest.approx(value, abs=1e-8)
    assert len({round(value, 6) for value in worth.values()}) > 1
    assert 0 < found["upper"][0] - found["lower"][0] <= 2.001 * found["error"] <= 1e-9


@pytest.mark.slow
def test_all_moves_and_rolls_leave_the_solution_as_it_is(tmp_path: Path) -> None:
    """Where games go round and round, values from scratch take long; but there is only one solution."""
    parameters: dict[str, int | str] = {"tiles": 3, "dice": 5, "empty": "keep"}
    graph, _ = Graph(pickomino(**parameters)), solve(tmp_path, **parameters)
    solution = stored.load(tmp_path / "solution")
    worth = {s: solution.value(Position(solution.game, s))[0] for s in graph.turns}
    assert len(worth) == 2 * 36  # with either player to move
    assert graph.sweep(worth) < 1e-11


def test_one_tile_by_hand(tmp_path: Path) -> None:
    """A failure ends it with nobody ahead, or passes the dice on."""
    p = AT_LEAST_21
    assert solve(tmp_path, tiles=1, empty="turn")["value"][0] == pytest.approx(p + (1 - p) / 2, abs=1e-11)
    assert solve(tmp_path, tiles=1, empty="keep")["value"][0] == pytest.approx(1 / (2 - p), abs=1e-11)


@pytest.mark.parametrize(
    ("empty", "counts"),
    [("keep", [1, 6, 36, 232, 1646]), ("turn", [1, 4, 29, 201, 1481])],  # the first line from an independent count
)
def test_positions_are_counted(empty: str, counts: list[int]) -> None:
    for tiles, count in enumerate(counts, 1):
        game = pickomino(tiles=tiles, empty=empty)
        found = arrangements.arrangements(game)
        first = int(np.searchsorted(found.keys, arrangements.key_of(game.start().state)))
        assert found.reachable(first) == count
        assert found.size == len(set(found.keys.tolist())) == arrangements.count_all(tiles)
        assert sorted(np.concatenate([x for layer in found.levels for x in layer])) == list(range(found.size))


def test_keys_stand_for_positions() -> None:
    game = pickomino(tiles=4)
    for key in arrangements.all_keys(4):
        s = arrangements.arranged(int(key))
        assert arrangements.key_of(s) == key
        text = str(Position(game, s))
        assert game.parse(text).state == s
        other = game.parse(text.replace("p1", "p2")).state
        swapped = " / ".join(reversed(text.split(" stacks ")[1].split(" turned ")[0].split(" / ")))
        mirrored = game.parse(
            text.split(" stacks ")[0].replace("p1", "p2") + f" stacks {swapped} turned" + text.split(" turned")[1]
        )
        assert arrangements.key_of(mirrored.state) == key
        assert arrangements.key_of(other) != key or text.count(" - / - ")


def test_bounds_are_closed(tmp_path: Path) -> None:
    """Each bound is no more than a turn makes of the bounds that follow: checked here with plain arithmetic."""
    solve(tmp_path, tiles=3)
    found = stored.load(tmp_path / "solution")
    g, last = found.game.g, len(states_of(8)) - 1
    for key, low, high in zip(found.keys, found.lower, found.upper, strict=True):
        s = arrangements.arranged(int(key))
        assert low <= Turn(g.dice, found.ends(s, True)).value(last, True)
        assert Turn(g.dice, found.ends(s, False)).value(last, True) <= high
        assert 0 < high - low <= 2 * found.error


def test_improving_ends_where_rounding_would_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 8 tiles one position kept gaining the last digit; what is proven does not depend on when that stops."""
    game = pickomino(tiles=3)
    work = solver.Solver(game, arrangements.arrangements(game))
    usual = solver.Solver(game, arrangements.arrangements(game)).solve()
    monkeypatch.setattr(solver, "MOST_ROUNDS", 40)
    work.small = -1.0, -1.0  # everything is always gained
    found = work.solve()
    assert np.abs(found.values - usual.values).max() <= found.error + usual.error
    assert found.error < 1e-10


def test_bounds_that_are_too_close_are_not_proven() -> None:
    game = pickomino(tiles=3)
    work = solver.Solver(game, arrangements.arrangements(game))
    width = work.solve().error
    some, eps = np.arange(work.found.size), solver.rounding(game.g)
    assert max(work.each(solver.beyond, some, some, width, eps)) <= 0
    work.board.known[solver.VALUES, 0] += 1e-6
    assert max(work.each(solver.beyond, some, some, 1e-12, eps)) > 0


def test_optimal_play_gets_what_the_solution_says() -> None:
    game = pickomino(tiles=3)
    paid = line_up(game, ["optimal", "optimal"], 5, shared=False).play(0, 20_000).payoffs
    assert paid[:, 0].mean() == pytest.approx(
        solved(game).value(game.start())[0], abs=4 * paid[:, 0].std() / 20_000**0.5
    )


@pytest.mark.parametrize(
    ("agent", "tiles", "games"),
    [
        ("s3", 3, 4_000),
        pytest.param("s3", 4, 10_000, marks=pytest.mark.slow),
        pytest.param("turn", 4, 10_000, marks=pytest.mark.slow),
    ],
)
def test_losses_add_up_to_what_is_lost(agent: str, tiles: int, games: int) -> None:
    """On average a game gives what its first position is worth, less what the agent's decisions gave away."""
    game = pickomino(tiles=tiles)
    solution, seated = solved(game), line_up(game, [agent, "optimal"], 4, shared=False)
    watched = watch(solution, seated, games, solution.error, None)
    firsts = np.array(solution.value(game.start()))[watched.seats]
    paid = seated.play(0, games).payoffs[np.arange(games), watched.seats]
    off = paid - (firsts - watched.sums[:, 0])
    assert abs(off.mean()) <= 4 * off.std() / games**0.5
    assert watched.sums[:, 0].mean() > 10 * off.std() / games**0.5  # else a loss of nothing would pass too


def test_optimal_play_gives_nothing_away() -> None:
    game = pickomino(tiles=4, empty="keep")
    found = hazard.grade(game, "optimal", games=500)
    assert found.choices_per_game > 1
    assert found.error_rate.mean == found.sampled_loss_per_game.mean == 0
    assert found.certified == solved(game).error < 1e-10


def test_a_position_is_worth_its_best_move() -> None:
    """With dice in the air the mean over rolls, else the most that moves give."""
    game = pickomino(tiles=3, dice=6)
    solution = solved(game)
    waiting, seen = [game.parse("p2 kept w rolling centre 21,23 stacks 22 / - turned -")], 0
    while waiting and seen < 60:
        position, seen = waiting.pop(0), seen + 1
        value = solution.value(position)
        assert sum(value) == pytest.approx(1)
        if outcomes := position.outcomes():
            mean = sum(float(o.probability) * solution.value(o.position)[0] for o in outcomes)
            assert value[0] == pytest.approx(mean, abs=1e-11)
            waiting += [o.position for o in outcomes[::40]]
        elif not position.over:
            values = [solution.value(position.move(m))[position.mover] for m in position.moves]
            assert value[position.mover] == pytest.approx(max(values), abs=1e-11)
            assert sorted((a.value for a in solution.advise(position)), reverse=True) == pytest.approx(
                sorted(values, reverse=True), abs=1e-11
            )
            waiting += [position.move(m) for m in position.moves]
    assert seen > 20


# --- kept --------------------------------------------------------------------------------------------------------
def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    found = solve(tmp_path, tiles=2)
    assert found["solution"] == str(tmp_path / "solution")
    assert {"value", "lower", "upper", "error", "states", "sweeps", "seconds"} <= set(found)
    solution = stored.load(tmp_path / "solution", pickomino(tiles=2, mode="turn", target=30))
    assert list(solution.value(solution.game.start())) == pytest.approx(found["value"], abs=1e-15)
    with pytest.raises(hazard.BadInput, match=r"solves pickomino .*tiles=2.*, but asked for is .*tiles=3"):
        stored.load(tmp_path / "solution", pickomino(tiles=3))


@pytest.mark.parametrize("how", ["rules", "format", "table", "short", "missing", "json"])
def test_damage_is_refused(tmp_path: Path, how: str) -> None:
    solve(tmp_path, tiles=2)
    folder = tmp_path / "solution"
    meta = json.loads((folder / "solution.json").read_text())
    said = "the solution is damaged"
    if how in ("rules", "format"):
        (folder / "solution.json").write_text(json.dumps(meta | {how: "other"}))
        said = "made with rules other" if how == "rules" else "format other, but this program reads format 3"
    elif how == "table":
        table = np.load(folder / "lower.npy")
        np.save(folder / "lower.npy", table + 0.01)
        said = "lower.npy does not match its checksum"
    elif how == "short":
        np.save(folder / "keys.npy", np.load(folder / "keys.npy")[1:])
        said = "keys.npy does not match its checksum"
    elif how == "missing":
        (folder / "upper.npy").unlink()
        said = "no upper.npy"
    else:
        (folder / "solution.json").write_text("{")
    with pytest.raises(hazard.BadInput, match="solve again") as caught:
        stored.load(folder)
    assert said in str(caught.value)


def test_what_can_be_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAZARD_CACHE", str(tmp_path))
    assert stored.within_reach(pickomino(tiles=5))
    assert stored.within_reach(pickomino(tiles=5, mode="turn"))
    for parameters in ({"tiles": 6}, {"tiles": 4, "players": 3}, {}, {"tiles": 5, "dice": 5, "empty": "keep"}):
        assert not stored.within_reach(pickomino(**parameters))
    assert stored.within_reach(pickomino(tiles=5, dice=5, empty="turn"))


def test_tables_of_another_size_are_refused() -> None:
    solution = solved(pickomino(tiles=2))
    with pytest.raises(ValueError, match="not those described"):
        solution.game.declaration.solver.load(pickomino(tiles=3), solution.meta, solution.tables())


def test_endings_of_a_turn() -> None:
    """Where a turn can lead is where the rules lead."""
    game = pickomino(players=3)
    s = game.parse("p2 kept - rolling centre 22-30,32-36 stacks 21 / 31 / - turned -").state
    ends = ends_of(game.g, s)
    assert sorted(ends.centre) == [*range(1, 10), *range(11, 16)]
    assert sorted(ends.stolen) == [0]
    assert str(Position(game, ends.failed)) == "p3 kept - rolling centre 22-35 stacks 21 / - / - turned 36"
    assert str(Position(game, ends.stolen[0])) == "p3 kept - rolling centre 22-30,32-36 stacks - / 31,21 / - turned -"
    chances = np.zeros(2 * 41 + 1)
    chances[[31, 35]], chances[41 + 21], chances[-1] = 0.25, 0.125, 0.375
    assert {t + 21: c for t, c in ends.by_tile(chances).items() if c} == {21: 0.125, 30: 0.25, 35: 0.25}

"""Chances, values of moves, luck and skill: exact where that can be, else by a network, else by rollouts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import hazard
from hazard import background, dice
from hazard.analysis.advice import advise_report
from hazard.analysis.answers import Analysis, Review, Tally
from hazard.analysis.players import decision
from hazard.analysis.positions import MOST_OUTCOMES, analyse, refine, rollouts_of
from hazard.analysis.review import review
from hazard.analysis.rollouts import STEPS
from hazard.declaration import game_names
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.solution import solved

PIG = hazard.game("pig", goal=12)
TURN = "p1 3:4 pot 5"
PATIENT = 600.0  # seconds: so that no answer is cut short


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing could be solved."""
    for module in ("positions", "review"):
        monkeypatch.setattr(f"hazard.analysis.{module}.at_hand", lambda game: False)


def random_game(game: Game, seed: int) -> list[str]:
    """The steps of a game in which everybody takes any move."""
    position, rng, steps = game.start(), dice.stream(seed), []
    for number in range(10_000):
        if position.over:
            return steps
        if position.rolling:
            text, _, position = position.roll(rng)
        else:
            text = decision(position, "random", seed, number).move()
            position = position.move(text)
        steps.append(text)
    raise AssertionError("the game does not end")


def now(position: Position, tally: Tally | None = None) -> Analysis:
    found, _ = analyse(position, tally, PATIENT)
    assert found
    return found


# --- positions -------------------------------------------------------------------------------------------------------
def test_an_exact_analysis_is_the_solution(small_game: Game) -> None:
    solution = solved(small_game)
    position = small_game.start()
    for _ in range(6):
        found = now(position)
        assert found.known == "exact"
        assert found.final
        assert found.chances == list(solution.value(position))
        assert all(a <= c <= b for a, c, b in zip(found.lower, found.chances, found.upper, strict=True))
        if position.rolling:
            check_map(position, found)
            position = position.outcomes()[-1].position
        else:
            assert [row.move for row in found.moves] == [row.move for row in solution.advise(position)]
            assert found.moves[0].value == pytest.approx(found.chances[position.mover], abs=1e-12)
            position = position.move(found.moves[0].move)
        if position.over:
            break


def check_map(position: Position, found: Analysis) -> None:
    """The next roll as a map: its mean is the value of the position."""
    assert found.moves == []
    assert [row.outcome for row in found.outcomes] == [outcome.text for outcome in position.outcomes()]
    assert sum(row.probability for row in found.outcomes) == pytest.approx(1)
    for seat, chances in enumerate(found.chances):
        assert sum(row.probability * row.chances[seat] for row in found.outcomes) == pytest.approx(chances)


def test_a_game_that_is_over_has_its_payoffs() -> None:
    found = now(PIG.parse("p1 3:12 pot 0"))
    assert (found.known, found.chances, found.moves, found.final) == ("exact", [0.0, 1.0], [], True)


@pytest.mark.parametrize("text", [TURN, f"{TURN} rolling"])
def test_rollouts_get_better_and_hold_the_truth(unsolved: None, text: str) -> None:
    game = hazard.game("pig", goal=30)
    position = game.parse(text.replace("5", "15"))
    truth = hazard.evaluate(game, ["hold-at-20"] * 2)
    answers = [found for found, _ in zip(refine(position, PATIENT), range(4), strict=False)]
    assert [found.games for found in answers] == list(STEPS[:4])
    widths = [found.upper[0] - found.lower[0] for found in answers]
    assert widths == sorted(widths, reverse=True)
    last = answers[-1]
    assert (last.known, last.agent, last.final) == ("rollout", "hold-at-20", False)
    if position.rolling:
        check_map(position, last)
        assert last.outcomes[0].chances[0] == pytest.approx(
            first_wins(truth, position.outcomes()[0].position), abs=0.03
        )
    else:
        hold = next(row for row in last.moves if row.move == "hold")
        assert hold.lower <= first_wins(truth, position.move("hold")) <= hold.upper
        assert last.chances[0] == last.moves[0].value
        assert last.moves[1].cost == last.moves[0].value - last.moves[1].value > 0


def first_wins(truth: Any, position: Position) -> float:
    """The chances of player 1 where a turn opens."""
    return truth.value(position)[0]


def test_rollouts_go_on_from_where_they_were(unsolved: None) -> None:
    position = PIG.parse(TURN)
    once, tally = analyse(position, None, PATIENT)
    again, more = analyse(position, msgspec.json.decode(msgspec.json.encode(tally), type=Tally), PATIENT)
    assert once
    assert again
    assert (once.games, again.games) == STEPS[:2]
    assert more.games == [STEPS[1]] * 2
    assert msgspec.json.decode(msgspec.json.encode(again), type=Analysis) == again


def test_a_little_time_gives_no_answer_yet(unsolved: None) -> None:
    found, tally = analyse(PIG.parse(TURN), None, 0.0)
    assert found is None
    assert sum(tally.games) == 0


def test_moves_that_end_the_game_are_certain(unsolved: None) -> None:
    found = now(PIG.parse("p1 3:4 pot 9"))
    assert [(row.move, row.lower, row.upper) for row in found.moves] == [("hold", 1.0, 1.0)]


def test_too_many_ways_to_land_are_not_listed(unsolved: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.analysis.positions.MOST_OUTCOMES", 5)
    found = now(PIG.parse(f"{TURN} rolling"))
    assert MOST_OUTCOMES > 252
    assert found.outcomes == []
    assert 0.7 < found.chances[0] < 0.95


def test_rollouts_are_played_by_quick_agents() -> None:
    for name in game_names():
        game = hazard.game(name)
        agent = game.declaration.rollout
        assert not game.agents[agent].slow
        assert len(game.agents) == 2 or agent != "random"


@pytest.mark.parametrize(
    ("name", "parameters", "known"),
    [
        ("pig", {"goal": 12}, "exact"),
        ("dice-of-doom", {"board": "2x2", "max_dice": 2}, "exact"),
        ("pickomino", {}, "network"),
        ("dice-of-doom", {"board": "4x4", "max_dice": 3}, "rollout"),
        ("dice-wars", {"territories": "5", "grid": "12x12"}, "rollout"),
    ],
)
def test_advice_is_what_the_lab_says(name: str, parameters: dict, known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same moves with the same values; by rollouts, of the same agent's games with the same dice."""
    monkeypatch.setattr(background, "compiled_only", True)
    game = hazard.game(name, **parameters)
    position = game.deal(dice.stream(2))
    while position.rolling:
        position = position.roll(dice.stream(3)).position
    if known == "rollout":
        rollouts_of(game).sample(position, 1, 0, 1)  # compiles
    said = advise_report(game, str(position), 1e-6, None, None, None)
    tally, found = None, None
    while found is None or found.games < said.get("rollouts", 0):
        found, tally = analyse(position, tally, PATIENT)
    assert {row["known"] for row in said["moves"]} == {found.known} == {known}
    assert [(row["move"], row["value"]) for row in said["moves"]] == [(row.move, row.value) for row in found.moves]
    assert said.get("agent", "") == found.agent == (game.declaration.rollout if known == "rollout" else "")


# --- while nothing is compiled ---------------------------------------------------------------------------------------
@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HAZARD_CACHE", str(tmp_path))
    monkeypatch.setattr(background, "_begun", {})
    monkeypatch.setattr(background, "PATIENCE", float("inf"))  # no work is long enough to be compiled
    return tmp_path


def test_the_first_answer_is_given_at_a_glance(empty_cache: Path) -> None:
    """Rollouts follow; by them it gets better."""
    game = hazard.game("dice-wars", territories="3", grid="9x9", max_dice=2, turns=6)
    position = game.deal(dice.stream(4))
    first, tally = analyse(position)
    assert first
    assert (first.known, first.final, first.games) == ("network", False, 0)
    assert sorted(row.move for row in first.moves) == sorted(position.moves)
    second = now(position, tally)
    assert (second.known, second.games) == ("rollout", STEPS[0])
    said = advise_report(game, str(position), 1e-6, None, None, None)
    assert [(row["move"], row["value"]) for row in said["moves"]] == [(row.move, row.value) for row in first.moves]
    assert "hazard warm dice-wars" in said["note"]
    assert not list(empty_cache.rglob("*.nbc"))


def test_first_advice_by_as_many_rollouts_as_soon_can_be_played(empty_cache: Path) -> None:
    """The same number of them gives it again."""
    game = hazard.game("dice-of-doom", board="3x3", max_dice=3)
    position = game.start()
    said = advise_report(game, str(position), 1e-6, None, None, None)
    assert {row["known"] for row in said["moves"]} == {"rollout"}
    assert "hazard warm dice-of-doom" in said.pop("note")
    assert said == advise_report(game, str(position), 1e-6, said["rollouts"], None, None)
    assert not list(empty_cache.rglob("*.nbc"))


# --- a network -------------------------------------------------------------------------------------------------------
@pytest.fixture
def network(unsolved: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in that knows what is known exactly, for small games only."""
    solution = solved(PIG)

    def value(position: Position) -> tuple[float, ...]:
        if position.game != PIG:
            raise BadInput(f"{position.game.describe()}: not trained for this")
        return solution.value(position)

    declared = replace(PIG.declaration, judge=value)
    monkeypatch.setattr(Game, "declaration", declared)


def test_a_network_judges_where_nothing_is_solved(network: None) -> None:
    solution, position = solved(PIG), PIG.parse(TURN)
    found = now(position)
    assert (found.known, found.final) == ("network", True)
    assert {row.move: row.value for row in found.moves} == pytest.approx(
        {row.move: row.value for row in solution.advise(position)}
    )
    rolling = now(PIG.parse(f"{TURN} rolling"))
    assert rolling.known == "network"
    check_map(PIG.parse(f"{TURN} rolling"), rolling)


def test_a_network_that_was_not_trained_for_it_is_not_asked(network: None) -> None:
    assert now(hazard.game("pig", goal=13).parse(TURN)).known == "rollout"


# --- luck and skill --------------------------------------------------------------------------------------------------
def check_sums(found: Review, payoffs: tuple[float, ...]) -> None:
    """Everything is counted once, by turn and by seat."""
    for row in found.seats:
        assert row.start + row.luck - row.lost + row.given == pytest.approx(row.result, abs=1e-12)
        assert row.result == payoffs[row.seat]
        assert row.luck == pytest.approx(sum(turn.luck[row.seat] for turn in found.turns))
        own = [turn.choices[row.seat] for turn in found.turns if turn.seat == row.seat]
        assert row.lost == pytest.approx(-sum(own))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found
    assert [n for turn in found.turns for n in range(turn.first, turn.last + 1)] == list(range(len(found.steps)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_luck_and_losses_add_up_exactly(small_game: Game, seed: int) -> None:
    steps = random_game(small_game, seed)
    found, _ = review(small_game.start(), steps)
    assert found
    assert (found.known, found.over, len(found.steps)) == ("exact", True, len(steps))
    position = small_game.start()
    for text in steps:
        position = step(position, text)
    check_sums(found, position.payoffs)
    error = solved(small_game).error + 1e-9
    for n, row in enumerate(found.steps):
        assert row.rolled or row.change[row.seat] <= error, f"step {n} gains by a choice"


def step(position: Position, text: str) -> Position:
    if not position.rolling:
        return position.move(text)
    return next(outcome.position for outcome in position.outcomes() if outcome.text == text)


def test_the_best_moves_give_nothing_away() -> None:
    position, rng, steps = PIG.start(), dice.stream(5), []
    while not position.over:
        if position.rolling:
            text, _, position = position.roll(rng)
        else:
            text = solved(PIG).move(position)
            position = position.move(text)
        steps.append(text)
    found, _ = review(PIG.start(), steps)
    assert found
    assert [row.lost for row in found.seats] == pytest.approx([0, 0], abs=1e-9)


def test_three_players_add_up_too() -> None:
    game = hazard.game("great-rolled-ones", goal=4, players=3)
    steps = random_game(game, 4)
    found, _ = review(game.start(), steps)
    assert found
    assert found.over
    for row in found.seats:
        assert row.start + row.luck - row.lost + row.given == pytest.approx(row.result, abs=1e-12)


def test_reviews_by_rollouts_have_intervals_that_hold_the_truth(unsolved: None) -> None:
    game = hazard.game("pig", goal=30)
    start, steps = game.parse("p1 20:25 pot 0"), ["roll", "2", "roll", "2", "hold", "roll", "1"]
    truth = hazard.evaluate(game, ["hold-at-20"] * 2)
    tally = None
    for _ in range(5):
        found, tally = review(start, steps, tally, PATIENT)
    assert found
    assert found.games == 8000
    assert (found.known, found.agent, found.over) == ("rollout", "hold-at-20", False)
    for n, row in enumerate(found.steps):
        idle = n in (0, 2, 5)  # there was no choice, or the agent would have done the same
        assert (row.change == [0, 0], row.error == 0) == (idle, idle)
    ends = [found.start[0], found.steps[4].chances[0], found.steps[6].chances[0]]
    true = [truth.value(p)[0] for p in (start, game.parse("p2 24:25 pot 0"), game.parse("p1 24:25 pot 0"))]
    assert ends == pytest.approx(true, abs=4 * found.steps[1].error / 2)
    for row in found.seats:
        assert row.start + row.luck - row.lost + row.given == pytest.approx(row.result, abs=1e-12)
    first, second = found.turns
    once = found.steps[1].error
    assert 0.7 * once < first.luck_error < 1.3 * once, "the point between two rolls that follow each other drops out"
    assert first.choices[0] < -2 * first.choices_error < 0, "holding at 4 is worse than rolling on"
    assert (second.choices, second.choices_error) == ([0, 0], 0)
    assert found.seats[1].lost == found.seats[1].lost_error == 0
    assert found.seats[1].given == pytest.approx(found.seats[0].lost)


def test_steps_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadInput, match="step 2, '7': the dice cannot land so"):
        review(PIG.start(), ["roll", "7"])
    with pytest.raises(BadInput, match="'hold' is not a legal move"):
        review(PIG.start(), ["hold"])
    with pytest.raises(BadInput, match="20001 moves and rolls"):
        review(PIG.start(), ["roll"] * 20_001)


def test_nobody_waits_for_a_large_game_to_be_solved() -> None:
    with pytest.raises(BadInput, match="takes long to solve; run `hazard solve pig -p goal=1000 -p sides=6` first"):
        decision(hazard.game("pig", goal=1000).start(), "optimal", 1, 0)
    assert decision(PIG.parse(TURN), "optimal", 1, 0).move() == "roll"


def test_an_agent_has_nothing_to_decide_when_the_game_is_over() -> None:
    with pytest.raises(BadInput, match="nothing to decide: the game is over"):
        decision(PIG.parse("p1 3:12 pot 0"), "random", 1, 0)

"""Results less luck are unbiased whatever the values are, and the better the values, the smaller the error."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, as_memory, seat_agents
from hazard.arena.play.compiled import Games, line_up
from hazard.arena.play.luck import adjusted, luck_of_trail, values_for
from hazard.arena.play.steps import Event, place_at, play_steps, streams_of
from hazard.contract import prospect, worth
from hazard.dice import AGENTS
from hazard.rulebook import Position
from hazard.solving.solution import solved

GAMES = 12_000


def table_of(game: hazard.Game, first: str, other: str = "random") -> list[str]:
    return [first, *[other] * (game.seats - 1)]


def seated(agents: list[str], number: int) -> list[str]:
    """Who sits where in a game of that number."""
    return [agents[place_at(seat, number, len(agents))] for seat in range(len(agents))]


def trail_of(game: hazard.Game, agents: list[str], seed: int, number: int) -> list[Event]:
    """One game of a line-up in plain Python."""
    names = seated(agents, number)
    numbers, memory = seat_agents(game, names)
    streams = streams_of(game, seed, number, shared=False)

    def choose(s: Any) -> int:
        position = Position(game, s)
        place = place_at(s.mover, number, game.seats)
        text = agent_move(position, numbers[s.mover], memory[s.mover], streams[AGENTS + place])
        return position.legal()[position.moves.index(text)]

    return list(play_steps(game, streams, choose))


def errors_off(sample: np.ndarray, truth: float) -> float:
    """How many standard errors a sample's mean is off; rounding does not count."""
    error = sample.std(ddof=1) / len(sample) ** 0.5
    return max(0.0, abs(sample.mean() - truth) - 1e-8) / max(error, 1e-8)


def furthest_off(game: hazard.Game, agents: list[str], figures: np.ndarray, truth: Callable[[int], Any]) -> float:
    """The largest distance from exact values, over all seatings and seats; figures[n, seat] are of game n."""
    off = []
    for turn in range(game.seats):
        exact = truth(turn)
        off += [errors_off(figures[turn :: game.seats, seat], exact[seat]) for seat in range(game.seats)]
    return max(off)


def exactly(game: hazard.Game, agents: list[str]) -> Callable[[int], Any]:
    return lambda turn: hazard.evaluate(game, seated(agents, turn), 1e-9).value(game.start())


def played(game: hazard.Game, agents: list[str], values: np.ndarray, seed: int = 3, games: int = GAMES) -> Games:
    return line_up(game, agents, seed, shared=False, values=values).play(0, games)


def test_values_are_those_of_the_solution(game: hazard.Game) -> None:
    solution = solved(game)
    value = game.plain(worth)
    decisions = [e.state for n in range(4) for e in trail_of(game, ["random"] * game.seats, 2, n) if not e.rolled]
    assert len(decisions) > 4
    for s in decisions:
        known = [value(game.table, s, seat, solution.values) for seat in range(game.seats)]
        assert known == pytest.approx(solution.value(Position(game, s)), abs=1e-9)


def test_values_of_random_players(game: hazard.Game) -> None:
    """A decision is worth the mean of what its moves lead to."""
    agents = ["random"] * game.seats
    table = values_for(game, agents)
    value, follows = game.plain(worth), game.plain(prospect)
    for s in [e.state for n in range(4) for e in trail_of(game, agents, 2, n) if not e.rolled]:
        after = [game.rules.move(game.table, s, m) for m in Position(game, s).legal()]
        mean = np.mean([follows(game.table, u, 0, table) for u in after])
        assert value(game.table, s, 0, table) == pytest.approx(mean, abs=1e-8)


def disturbed(values: np.ndarray, noise: float, seed: int = 1) -> np.ndarray:
    """Values that are wrong at random."""
    table = values.view(np.float64)
    return as_memory(table + noise * np.random.default_rng(seed).standard_normal(table.shape))


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_results_less_luck_agree_with_exact_values(game: hazard.Game, noise: float) -> None:
    """Values that are wrong at random keep the mean right too."""
    agents = table_of(game, list(game.agents)[-1])
    values = disturbed(values_for(game), noise)
    found = played(game, agents, values)
    assert furthest_off(game, agents, adjusted(found.payoffs, found.luck), exactly(game, agents)) < 4
    assert furthest_off(game, agents, adjusted(0 * found.payoffs, found.luck), lambda turn: [0.0] * game.seats) < 4
    assert np.abs(found.luck).max() > 0.01


def test_a_wrong_adjustment_is_found_out() -> None:
    """Taking off the plain mean over ways to land, not the one weighted by how likely they are, is biased."""
    game = hazard.game("great-rolled-ones", goal=6)
    agents, values = ["fixed-hold-at", "random"], values_for(game)
    payoffs, right, wrong = [], [], []
    for n in range(1000):
        trail = trail_of(game, agents, 3, n)
        payoffs.append(Position(game, trail[-1].after).payoffs)
        right.append(luck_of_trail(game, trail, values))
        wrong.append([sum(unweighted(game, e, values) for e in trail if e.rolled)])
    truth = exactly(game, agents)
    assert furthest_off(game, agents, adjusted(np.array(payoffs), np.array(right)), truth) < 4
    assert furthest_off(game, agents, adjusted(np.array(payoffs), np.array(wrong)), truth) > 8


def unweighted(game: hazard.Game, e: Event, values: np.ndarray) -> float:
    value = game.plain(worth)
    ways = [game.rules.land(game.table, e.state, i) for i in range(game.rules.chance(game.table, e.state))]
    return value(game.table, e.after, 0, values) - sum(value(game.table, s, 0, values) for s in ways) / len(ways)


def test_nothing_is_left_with_the_values_of_those_who_play(game: hazard.Game) -> None:
    """Every single game gives the exact value, if nobody draws and each sits where it was evaluated."""
    agents = table_of(game, list(game.agents)[-1], "optimal")
    found = played(game, agents, values_for(game, agents), games=600)
    exact = hazard.evaluate(game, agents).value(game.start())
    figures = adjusted(found.payoffs, found.luck)
    assert np.ptp(found.payoffs[:: game.seats], axis=0).max() > 0
    assert np.abs(figures[:: game.seats] - exact).max() < 1e-9


def test_plain_and_compiled_luck_are_the_same(game: hazard.Game) -> None:
    agents, values = table_of(game, "random", list(game.agents)[-1]), values_for(game)
    found = played(game, agents, values, seed=8, games=30)
    for n in range(30):
        trail = trail_of(game, agents, 8, n)
        assert Position(game, trail[-1].after).payoffs == tuple(found.payoffs[n])
        assert luck_of_trail(game, trail, values) == pytest.approx(found.luck[n], abs=1e-12)


def test_what_chance_gives_one_seat_it_takes_from_the_others(game: hazard.Game) -> None:
    found = played(game, ["random"] * game.seats, values_for(game), games=200)
    assert adjusted(found.payoffs, found.luck).sum(axis=1) == pytest.approx(found.payoffs.sum(axis=1), abs=1e-12)


@pytest.mark.parametrize(("agent", "times"), [("keep-pace", 1000), ("fixed-hold-at", 100), ("random", 1.5)])
def test_variance_in_great_rolled_ones(agent: str, times: float) -> None:
    """Far more than the ten times asked for, against `keep-pace`; a random player makes luck of its own."""
    game = hazard.game("great-rolled-ones")
    found = played(game, ["optimal", agent], values_for(game), seed=1, games=20_000)
    less = adjusted(found.payoffs, found.luck)
    for turn in range(2):
        assert found.payoffs[turn::2, 0].var() > times * less[turn::2, 0].var()


def test_better_values_leave_less() -> None:
    game = hazard.game("pig", goal=50)
    agents, values = ["optimal", "hold-at-20"], values_for(game)
    left = []
    for scale in (0.0, 0.05, 0.5):
        found = played(game, agents, disturbed(values, scale, seed=2))
        left.append(adjusted(found.payoffs, found.luck)[::2, 0].var())
    assert left[0] < 0.1 * left[1] < left[1] < 0.1 * left[2]


def test_games_without_a_table_are_refused() -> None:
    with pytest.raises(hazard.BadInput, match=r"needs 5\.\d GiB, more than the 2 GiB allowed; take a smaller game"):
        values_for(hazard.game("great-rolled-ones", players=3))
    with pytest.raises(hazard.BadInput, match="dice-wars: there is no solver for this game"):
        values_for(hazard.game("dice-wars"))
    with pytest.raises(hazard.BadInput, match="objective=own-win: grades and luck are for zero-sum"):
        values_for(hazard.game("dice-of-doom", board="2x2", max_dice=2, objective="own-win"))

"""Matches, playouts and rollouts against exact values, and the statistics behind them."""

from itertools import combinations

import pytest

import hazard
from hazard.analysis.positions import roll_out
from hazard.arena.play import compiled
from hazard.arena.statistics.intervals import wilson


def test_wilson_interval() -> None:
    """Wilson (1927) by hand: 8 of 10 at 95 % gives 0.4902 to 0.9433."""
    low, high = wilson(8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=5e-5), pytest.approx(0.9433, abs=5e-5))
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0, 1)


def test_playouts_agree_with_exact_values(small_game: hazard.Game) -> None:
    exact = hazard.evaluate(small_game, ["random"] * small_game.seats, 1e-9).value(small_game.start())
    found = hazard.playouts(small_game.start(), games=100_000, seed=2)
    assert found == hazard.playouts(small_game.start(), games=100_000, seed=2)
    for mean, error, truth in zip(found.means, found.errors, exact, strict=True):
        assert abs(mean - truth) < 4 * error


def test_matches_agree_with_exact_values(small_game: hazard.Game) -> None:
    first, second = list(small_game.agents)[-1], "random"
    games = 100_000
    found = hazard.match(small_game, first, second, games=games, seed=8)
    for seat, agents in enumerate(([first, second], [second, first])):
        truth = hazard.evaluate(small_game, agents, 1e-9).value(small_game.start())[seat]
        share = found.wins_by_seat[0][seat] / (games / 2)
        assert abs(share - truth) < 4 * (truth * (1 - truth) / (games / 2)) ** 0.5


def test_rollouts_agree_with_exact_values() -> None:
    game = hazard.game("pig", goal=12)
    position = game.parse("p1 0:0 pot 6")
    exact = hazard.evaluate(game, ["hold-at-20", "hold-at-20"], 1e-9)
    found = roll_out(position, 50_000, "hold-at-20")
    held = next(row for row in found.moves if row.move == "hold")
    truth = exact.value(position.move("hold"))[0]
    assert abs(held.value - truth) < 2.1 * (held.upper - held.lower) / 2
    assert found.known == "rollout"


def test_many_line_ups_share_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few agents are compiled on their own, which is quick; many line-ups are played by code for all agents."""
    monkeypatch.setattr(compiled, "_compiled", {})
    monkeypatch.setattr(compiled, "FEW", 3)
    monkeypatch.setattr(hazard.Game, "is_compiled", lambda *_: False)
    game = hazard.game("pig", goal=5)
    made = [compiled.line_up(game, pair, seed=1)._compiled_agents({}) for pair in combinations(game.agents, 2)]
    assert [len(agents) for agents in made] == [2, 2, 2, 4, 4, 4]
    assert compiled.line_up(game, list(game.agents)[:2], seed=1)._compiled_agents({}) == made[0]

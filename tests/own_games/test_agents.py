"""The agents that every game has: they need nothing but rules, and beat random play."""

from pathlib import Path

import pytest

import hazard
from hazard.agents.search import SEARCHING
from hazard.agents.seating import agent_move, seat_agents
from hazard.dice import stream
from tests.own_games.files import write


@pytest.mark.parametrize("name", SEARCHING)
def test_search_beats_random_play(tmp_path: Path, name: str) -> None:
    game = hazard.game(write(tmp_path), goal=20)
    result = hazard.match(game, name, "random", games=100, seed=2)
    assert result.intervals[0][0] > 0.5
    assert result == hazard.match(game, name, "random", games=100, seed=2)


@pytest.mark.parametrize("name", SEARCHING)
def test_search_sees_what_wins_at_once(tmp_path: Path, name: str) -> None:
    """With the game in hand, all of them take it."""
    game = hazard.game(write(tmp_path), goal=20)
    (number,), (memory,) = seat_agents(game, [name])
    position = game.parse("mover=0 me=15 you=19 pot=5 rolling=0")
    assert agent_move(position, number, memory, stream(1)) == "1"

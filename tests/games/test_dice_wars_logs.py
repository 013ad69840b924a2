"""Dice Wars over many games: ranks by elimination, and the log of what attacks promised and what came of them."""

import numpy as np
import pytest

import hazard
from hazard.agents.seating import line_up_seed
from hazard.arena.play.compiled import line_up
from hazard.games.dice_wars.land import owner
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.estimates import COLUMNS, GAME, HELD, PLACE, PROMISE, TARGET, WON, attacks
from hazard.games.dice_wars.rules import END
from hazard.games.dice_wars.standings import standings


def row_of(game: hazard.Game, s: object) -> int:
    """Where the map of a position is kept; it may have to be grown again."""
    with np.errstate(over="ignore"):
        return map_of(game.table, s)


# --- ranks -----------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_standings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has every rank once, seats are drawn, and plain Python plays the same games."""
    game = hazard.game("dice-wars", players=3, territories="6", grid="14x14")
    who = line_up(game, ["ste", "sdc", "naive"], seed=5, shared=False)
    found = standings(who, 0, 600)
    assert found.games + found.cut == 600
    assert (found.counts.sum(axis=(0, 1)) == found.games).all()
    assert (found.counts.sum(axis=(0, 2)) == found.games).all()
    seats = found.counts.sum(axis=2)
    assert (abs(seats - 200) < 4 * (600 * 2 / 9) ** 0.5).all()
    compiled = standings(who, 100, 3)
    monkeypatch.setenv("HAZARD_JIT", "0")
    assert (standings(who, 100, 3).counts == compiled.counts).all()


@pytest.mark.slow
def test_standings_count_games_that_are_cut() -> None:
    game = hazard.game("dice-wars", players=2, turns=1)
    found = standings(line_up(game, ["naive", "naive"], seed=1, shared=False), 0, 20)
    assert found.cut > 15
    assert found.games == 20 - found.cut


# --- the log of attacks ----------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_attacks_are_logged_with_what_came_of_them() -> None:
    """The same games, decision by decision: who owned the target at the attacker's next turn, or in the end."""
    game, names, games = hazard.game("dice-wars", players=3), ["ste", "sdc", "naive"], 30
    log = attacks(game, names, games, seed=4)
    played, rows = line_up(game, names, line_up_seed(4, names), shared=False).play_and_record(0, games)
    expected, first = [], 0
    for number, length in enumerate(played.lengths):
        states = [game.rules.State(*map(int, row[1:])) for row in rows[first : first + length]]
        moves = rows[first : first + length, 0]
        first += int(length)
        winner = int(np.argmax(played.payoffs[number]))
        for n in np.flatnonzero(moves != END):
            expected.append((number, *came_of(game, states, int(n), int(moves[n]), winner)))
    columns = [GAME, TARGET, WON, HELD]
    assert log[:, columns].astype(int).tolist() == [list(map(int, row)) for row in expected]
    assert len(COLUMNS) == log.shape[1]
    assert set(log[:, PLACE]) == {0, 1, 2}


def came_of(game: hazard.Game, states: list, n: int, move: int, winner: int) -> tuple[int, bool, bool]:
    s, mover = states[n], states[n].mover
    target = int(game.table.scratch.edges[row_of(game, s), move, 1])
    later = [t for t in states[n + 1 :] if t.mover == mover and t.turn > s.turn]
    won = owner(states[n + 1], target) == mover if n + 1 < len(states) else True
    same_turn = n + 1 < len(states) and states[n + 1].turn == s.turn
    assert same_turn or n + 1 == len(states)
    held = owner(later[0], target) == mover if later else mover == winner
    return target, won, won and held


@pytest.mark.slow
def test_chances_to_win_are_right_in_the_log() -> None:
    """Battles won are as many as the odds say, within four standard errors."""
    log = attacks(hazard.game("dice-wars"), ["ste", "sdc"], 400, seed=2)
    odds = log[:, PROMISE].astype(float)
    assert abs(log[:, WON].sum() - odds.sum()) < 4 * np.sqrt((odds * (1 - odds)).sum())
    assert (log[:, HELD] <= log[:, WON]).all()

"""The searches of Dice Wars: what a position promises, the turns to come, exact values on small maps, and strength."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, padded, seat_agents
from hazard.arena.play.compiled import LineUp
from hazard.contract import decide
from hazard.dice import battle, stream
from hazard.games.dice_wars.land import owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players import expectimax, mcts, search, search_fit
from hazard.games.dice_wars.players.corrected import estimate, outlook
from hazard.games.dice_wars.rules import END
from hazard.rulebook import Position
from tests.fresh import run_python

SMALL = {"territories": 6, "grid": "14x14"}
TEXT = "map 5 p1 A1 B2 A3 A5 B4 B2 reserves 0,0 out - turn 0"


def small() -> hazard.Game:
    return hazard.game("dice-wars", **SMALL)


def row_of(game: hazard.Game, position: Position) -> int:
    with np.errstate(over="ignore"):
        return int(map_of(game.table, position.state))


def weights_of(game: hazard.Game) -> np.ndarray:
    return search.search_memory(game).view(np.float64)


# --- what a position promises ----------------------------------------------------------------------------------------
def beside(game: hazard.Game, position: Position) -> list[set[int]]:
    near = game.table.scratch.near[row_of(game, position)]
    return [{m for m in range(6) if int(near[n]) >> m & 1} for n in range(6)]


def test_a_prospect_by_hand() -> None:
    """Of 17 dice A has 9; threats are of territories with two dice or more."""
    game = small()
    position = game.parse(TEXT)
    owners, dice, near = "ABAABB", [1, 2, 3, 5, 4, 2], beside(game, position)
    found = search.prospect(game.table, position.state, row_of(game, position), 0)
    enemies = {n: {m for m in near[n] if owners[m] == "B"} for n in range(6) if owners[n] == "A"}
    threat = sum(1 - np.prod([1 - float(battle(dice[m], dice[n])) for m in some]) for n, some in enemies.items())
    assert found.lands == 3 / 6
    assert found.dice == 9 / 17
    assert found.border == sum(1 for some in enemies.values() if some) / 6
    assert found.threat == pytest.approx(threat / 6)
    assert found.order == 0
    assert search.prospect(game.table, position.state, row_of(game, position), 1).order == 0.5


def test_the_largest_region_counts() -> None:
    """All but the last territory are one region, if the last is not what joins them."""
    game = small()
    position = game.parse("map 5 p1 A1 A2 A3 A5 A4 B2 reserves 0,0 out - turn 0")
    assert search.prospect(game.table, position.state, row_of(game, position), 1).region == 1 / 6
    assert search.prospect(game.table, position.state, row_of(game, position), 0).region == 5 / 6


@pytest.mark.parametrize("players", [2, 5])
def test_shares_add_up(players: int) -> None:
    game = hazard.game("dice-wars", players=players)
    for seed in range(5):
        position = game.deal(stream(seed))
        shares = [search.share(game.table, position.state, seat, weights_of(game)) for seat in range(players)]
        assert sum(shares) == pytest.approx(1)
        assert min(shares) > 0


def test_a_player_who_is_out_has_no_share() -> None:
    game = hazard.game("dice-wars", players=3, territories=6, grid="14x14")
    position = game.parse("map 5 p1 A1 B2 A3 A5 B4 B2 reserves 0,0,0 out C turn 0")
    assert search.share(game.table, position.state, 2, weights_of(game)) == 0
    over = game.parse("map 5 p1 A1 A2 A3 A5 A4 A2 reserves 0,0,0 out C,B over turn 9")
    assert [search.share(game.table, over.state, seat, weights_of(game)) for seat in range(3)] == [1, 0, 0]


# --- the turns to come -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_samples_end_where_an_own_turn_begins(turns: int) -> None:
    """Three players take three turns a round as long as all are in; from the end of the own turn on that is three."""
    game = hazard.game("dice-wars", players=3)
    memory, rng, whole_rounds = search.search_memory(game), stream(4), 0
    play_on = game.plain(search.play_on)
    moves = np.zeros(187, np.int64)
    for _ in range(12):
        position = game.deal(rng)
        s = position.move("end").state
        end = play_on(game.table, s, 0, turns, moves, memory, rng)
        if all(owned(end, seat, whole(game.table, row_of(game, Position(game, end)))) for seat in range(3)):
            whole_rounds += 1
            assert end.mover == 0
            assert end.turn == 3 * turns
    assert whole_rounds > 3


def test_attacks_come_by_what_they_promise() -> None:
    game = hazard.game("dice-wars", players=4)
    position = game.deal(stream(2))
    weights, row = weights_of(game), row_of(game, position)
    own = owned(position.state, 0, whole(game.table, row))
    promised = [
        (estimate(outlook(game.table, position.state, row, own, m), weights), -m) for m in position.legal() if m != END
    ]
    found, edge, limit, moves = [], -1, search.SURE, np.zeros(187, np.int64)
    while True:
        edge, limit = search.next_best(game.table, position.state, edge, limit, moves, weights)
        if edge == END:
            break
        found.append((limit, -edge))
    assert found == sorted(promised, reverse=True)


# --- exact values ----------------------------------------------------------------------------------------------------
def ask(game: hazard.Game, agent: str, text: str, memory: np.ndarray, seed: int = 3) -> str:
    (number,), _ = seat_agents(game, [agent])
    return agent_move(game.parse(text), number, memory, stream(seed))


AGENTS = {"expectimax": expectimax.Effort(), "chance-mcts": mcts.Effort()}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_last_attack_is_made(agent: str) -> None:
    """Eight dice against the last territory, which has one die; to wait would win as surely, but later."""
    game = small()
    text = "map 5 p1 A1 A1 A1 A8 A1 B1 reserves 0,0 out - turn 8"
    assert ask(game, agent, text, search.search_memory(game, *AGENTS[agent])) == "4>6"


def test_expectimax_weighs_battles_by_their_exact_chances() -> None:
    """After one turn the game is cut and both share, unless the last territory falls to one of two attacks."""
    game = hazard.game("dice-wars", turns=1, **SMALL)
    position = game.parse("map 5 p1 A1 A1 A3 A5 B4 A1 reserves 0,0 out - turn 0")
    assert position.moves == ["3>5", "4>5", "end"]
    moves, memory = np.zeros(187, np.int64), search.search_memory(game, 2, 4, 4, 1)
    game.compiled(decide, agents=["expectimax"])(0, game.table, position.state, moves, memory, stream(1))
    value = game.table.scratch.levels.sums[0, expectimax.BEST]
    assert value == pytest.approx(float(best_value(position)), abs=1e-12)


def best_value(position: Position) -> Fraction:
    """What the mover gets at best: all of it, or a half at the end of the turn, which as a later gain is worth less."""
    if position.over:
        return Fraction(1)
    values = [Fraction(1, 2) * (1 - Fraction(str(search.LATER)))]
    for move in position.moves[:-1]:
        outcomes = position.move(move).outcomes()
        values.append(sum((o.probability * best_value(o.position) for o in outcomes), Fraction(0)))
    return max(values)


def test_the_tree_finds_the_same_chances() -> None:
    """The same position: the mean of the tree's best move is within four errors of a share between the bounds."""
    game = hazard.game("dice-wars", turns=1, **SMALL)
    position = game.parse("map 5 p1 A1 A1 A3 A5 B4 A1 reserves 0,0 out - turn 0")
    rounds = 8000
    moves, memory = np.zeros(187, np.int64), search.search_memory(game, *mcts.Effort(rounds=rounds, turns=1))
    found = game.compiled(decide, agents=["chance-mcts"])(0, game.table, position.state, moves, memory, stream(1))
    tree = game.table.scratch.tree
    best = next(row for row in range(3) if tree.moves[row] == found)
    assert sum(tree.games[:3]) == rounds
    assert tree.games[best] > rounds / 2
    exact, error = float(best_value(position)), 0.5 / tree.games[best] ** 0.5
    assert tree.sums[best] / tree.games[best] == pytest.approx(exact, abs=4 * error)


# --- games -----------------------------------------------------------------------------------------------------------
LITTLE = {"expectimax": (1, 4, 24, 1), "chance-mcts": (100, 4, 0.2, 1, 6)}  # effort that tests can afford


def seated(game: hazard.Game, names: list[str]) -> LineUp:
    """A line-up whose first agent searches little."""
    numbers, memory = seat_agents(game, names)
    memory[0] = search.search_memory(game, *LITTLE[names[0]])
    return LineUp(game, np.array(numbers), padded(memory), 1)


@pytest.mark.parametrize("agent", LITTLE)
def test_little_effort_beats_ste(agent: str) -> None:
    """With two players, by more than two standard errors (seeded); and it plays the same games again."""
    found = seated(hazard.game("dice-wars"), [agent, "ste"])
    payoffs = found.play(0, 200).payoffs
    mean = payoffs[np.arange(200), np.arange(200) % 2].mean()
    assert mean > 0.5 + 2 * 0.5 / 200**0.5
    assert (found.play(0, 20).payoffs == payoffs[:20]).all()


@pytest.mark.parametrize("agent", LITTLE)
def test_eight_players_on_the_smallest_map(agent: str) -> None:
    game = hazard.game("dice-wars", players=8, territories=8, turns=40)
    assert seated(game, [agent] + ["sdc"] * 7).play(0, 8).payoffs.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("agent", LITTLE)
def test_searches_are_the_same_without_compiling(agent: str) -> None:
    """The move and all that was noted on the way, for a few positions of a small map."""
    game = hazard.game("dice-wars", players=3, **SMALL)
    effort = {"expectimax": (2, 2, 3, 1), "chance-mcts": (40, 3, 0.2, 1, 3)}[agent]
    (number,), _ = seat_agents(game, [agent])
    memory = search.search_memory(game, *effort)
    for seed in range(3):
        s, moves, found, noted = game.deal(stream(seed)).state, np.zeros(187, np.int64), [], []
        notes = [*game.table.scratch.levels, *game.table.scratch.tree]
        for how, n in ((game.compiled(decide, agents=[agent]), 0), (game.plain(decide), number)):
            for array in notes:
                array[:] = 0
            found.append(int(how(n, game.table, s, moves, memory, stream(seed))))
            noted.append([array.tolist() for array in notes])
        assert found[0] == found[1]
        assert noted[0] == noted[1]


@pytest.mark.slow
def test_nothing_is_read_out_of_bounds(tmp_path: Path) -> None:
    """Compiled code does not check indices unless told to; here it is told to."""
    code = (
        "import hazard\n"
        "from hazard.games.dice_wars.players import expectimax, mcts\n"
        "expectimax.Effort.__new__.__defaults__ = (7, 2, 1, 1)\n"
        "mcts.Effort.__new__.__defaults__ = (300, 6, 0.2, 1, 1)\n"
        "game = hazard.game('dice-wars', territories=8)\n"
        "hazard.match(game, 'expectimax', 'chance-mcts', games=4)\n"
    )
    run_python(code, tmp_path, NUMBA_BOUNDSCHECK="1")


# --- the weights -----------------------------------------------------------------------------------------------------
def test_the_fit_finds_known_weights() -> None:
    rng, true = np.random.default_rng(1), np.array([2.0, -1.0, 0.5, 0.0, 1.5, -0.5])
    alive = np.arange(8) < rng.integers(2, 6, 20_000)[:, None]
    made = search_fit.Openings(rng.uniform(-1, 1, (20_000, 8, 6)), alive, np.zeros((20_000, 8)))
    chances = search_fit.shares(made, true)
    assert (chances[~alive] == 0).all()
    winner = (chances.cumsum(axis=1) > rng.uniform(size=(20_000, 1))).argmax(axis=1)
    made.paid[np.arange(20_000), winner] = 1
    assert search_fit.fit(made) == pytest.approx(true, abs=0.08)


def test_openings_are_judged_as_the_searches_do() -> None:
    """Shares of the fit's sums, and of the search if territories alone count for nothing."""
    game = hazard.game("dice-wars", players=3)
    states = [game.deal(stream(seed)).state for seed in range(4)]
    made = search_fit.Openings(np.zeros((4, 3, 6)), np.zeros((4, 3), bool), np.zeros((4, 3)))
    game.plain(search_fit.note_prospects)(game.table, np.array(states), made.prospects, made.alive)
    weights = weights_of(game).copy()
    weights[search.LANDS] = 0
    found = [[search.share(game.table, s, seat, weights) for seat in range(3)] for s in states]
    assert search_fit.shares(made, np.array(search.CROWD_SHARE)) == pytest.approx(np.array(found))


@pytest.mark.slow
def test_openings_tell_who_wins() -> None:
    found = search_fit.openings(hazard.game("dice-wars", players=3), ["ste", "sdc", "ste-corrected"], 20)
    assert len(found.paid) == 20 * search_fit.EACH
    assert found.paid.sum(axis=1) == pytest.approx(1)
    assert not found.alive[:, 3:].any()
    weights = np.array(search.CROWD_SHARE)
    assert search_fit.surprise(found, weights) < search_fit.surprise(found, np.zeros(6)) - 0.1

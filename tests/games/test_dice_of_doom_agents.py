"""Agents of Dice of Doom against the thesis' algorithms, worked out slowly, and against its match tables."""

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import contract, dice
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.playout import playout
from hazard.bits import count, largest_region
from hazard.errors import BadInput
from hazard.games.dice_of_doom.players import search
from hazard.games.dice_of_doom.players.random_play import is_listed, play_at_random
from hazard.games.dice_of_doom.tiles import dice_on, owned
from hazard.rulebook import Position
from tests.fresh import run_python
from tests.games.test_dice_of_doom import make, walk


def chosen(position: Position, agent: str) -> str:
    (number,), (memory,) = seat_agents(position.game, [agent])
    return agent_move(position, number, memory, dice.stream(1))


def score(position: Position, seat: int, dice_count: int) -> int:
    """Own dice, where they count, and the largest own territory."""
    g, s = position.game.g, position.state
    own = owned(g, s, seat)
    held = sum(dice_on(s, tile) for tile in range(g.tiles) if own >> tile & 1)
    return held * dice_count + count(largest_region(g.near, own))


def appendix_a(position: Position, dice_count: int) -> tuple[dict[str, float], float]:
    """The score of every attack and of stopping, from copies of the board, as in the thesis' Appendix A."""
    scores = {}
    for attack in [m for m in position.moves if m != "end"]:
        p = {o.text: float(o.probability) for o in position.move(attack).outcomes()}
        ends = {result: battle_only(position, attack, result == "won") for result in p}
        scores[attack] = sum(p[result] * score(ends[result], position.mover, dice_count) for result in p)
    return scores, score(position, position.mover, dice_count)


def battle_only(position: Position, attack: str, won: bool) -> Position:
    """The board after a battle, before any reinforcement, worked out on the text."""
    here = position.move(attack).state
    g, words = position.game.g, str(position).split(" | ")[0].split(" ", 1)[1].split()
    places = [n for n, word in enumerate(words) if word not in ("/", "-")]
    source, target = places[g.source[here.attack]], places[g.target[here.attack]]
    if won:
        words[target] = words[source][0] + str(int(words[source][1]) - 1)
    words[source] = words[source][0] + "1"
    board = f"{position.game.parameters['board']} {' '.join(words)} | {'rbgy'[position.mover]} to move, "
    for phase in ("first attack", "over"):
        try:
            return position.game.parse(board + phase)
        except BadInput:
            continue
    raise AssertionError(board)


@pytest.mark.parametrize("board", ["3x3", "map:aab,c.bd,cee", "triangle:4"])
@pytest.mark.parametrize(("agent", "dice_count"), [("greedy", 1), ("expansion", 0)])
def test_greedy_and_expansion_choose_by_the_score(board: str, agent: str, dice_count: int) -> None:
    game = make(board)
    tried = 0
    for seed in range(25):
        for position in walk(game, seed, 30):
            if not position.moves:
                continue
            scores, stop = appendix_a(position, dice_count)
            best = max(scores.values())
            wanted = [attack for attack, value in scores.items() if value > best - 1e-9]
            may_end = "end" in position.moves
            move = chosen(position, agent)
            tried += 1
            if best <= stop + 1e-9 and may_end:
                assert move == "end"
            elif agent == "greedy" or best > stop + 1e-9:
                assert move == wanted[0]
            else:
                assert move in scores
    assert tried > 50


def test_return_zero_takes_the_first_attack() -> None:
    game = make()
    for position in [p for seed in range(10) for p in walk(game, seed, 30) if p.moves]:
        assert chosen(position, "return-zero") == position.moves[0]


def test_placing_agents_fill_tiles_with_room() -> None:
    position = make("1x5", reinforcement="chosen").parse("1x5 r5 r2 r3 b4 r1 | r places 2")
    assert chosen(position, "return-zero") == "a2"
    assert [chosen(position, a) for a in ("greedy", "expansion", "expectimax")] == ["a5"] * 3


# Wins of the agent, wins of greedy, and ties. The tables' boards are columns x rows. `random` agrees only on the
# smallest boards; rows of weighted reinforcement and of the searches do not agree (see docs/dice-of-doom.md).
PUBLISHED = [
    ("B.1.1", "greedy", "2x2", 5, "equal", "deterministic", (4571, 4576, 853)),
    ("B.1.1", "greedy", "3x2", 5, "random", "random", (5084, 4883, 33)),
    ("B.1.1", "greedy", "3x3", 5, "random", "deterministic", (4376, 4274, 1350)),
    ("B.1.1", "greedy", "4x4", 2, "random", "deterministic", (2172, 2157, 5671)),
    ("B.1.3", "return-zero", "3x3", 2, "random", "deterministic", (84232, 15768, 0)),
    ("B.1.3", "return-zero", "5x5", 5, "equal", "deterministic", (2347, 7621, 32)),
    ("B.1.6", "expansion", "3x2", 2, "equal", "deterministic", (68436, 16567, 14997)),
    ("B.1.6", "expansion", "3x3", 5, "random", "random", (45359, 54641, 0)),
    ("B.1.6", "expansion", "4x4", 5, "random", "deterministic", (3771, 6228, 1)),
    ("B.1.2", "random", "1x2", 5, "equal", "deterministic", (39860, 39417, 20723)),
    ("B.1.2", "random", "2x2", 5, "random", "deterministic", (44003, 54215, 1782)),
]


def name_of_match(row: tuple) -> str:
    return "-".join(map(str, row[:6]))


@pytest.mark.parametrize("row", PUBLISHED[:4], ids=name_of_match)
def test_published_matches(row: tuple) -> None:
    check_match(*row)


@pytest.mark.slow
@pytest.mark.parametrize("row", PUBLISHED[4:], ids=name_of_match)
def test_more_published_matches(row: tuple) -> None:
    """For each further agent play is compiled once more."""
    check_match(*row)


def check_match(
    table: str, agent: str, board: str, most: int, initialisation: str, reinforcement: str, counts: tuple[int, ...]
) -> None:
    """Our shares of wins and ties are theirs, within four standard errors."""
    game = make(board, max_dice=most, initialisation=initialisation, reinforcement=reinforcement)
    games = 10_000
    found = hazard.match(game, agent, "greedy", games=games, seed=3, shared=False)
    for ours, theirs in zip([*found.wins, found.ties], counts, strict=True):
        p = (ours + theirs) / (games + sum(counts))
        assert abs(ours / games - theirs / sum(counts)) <= 4 * sqrt(p * (1 - p) * (1 / games + 1 / sum(counts)))


@pytest.mark.parametrize("agent", ["greedy", "return-zero", "monte-carlo", "mcts", "chance-mcts", "expectimax"])
@pytest.mark.parametrize("reinforcement", ["weighted", "chosen"])
def test_agents_are_the_same_without_compiling(agent: str, reinforcement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("1x3", max_dice=2, turns=6, reinforcement=reinforcement)
    games = 2 if game.agents[agent].slow else 30
    compiled = hazard.match(game, agent, "random", games=games, seed=4)
    monkeypatch.setenv("HAZARD_JIT", "0")
    assert hazard.match(game, agent, "random", games=games, seed=4) == compiled


@pytest.mark.parametrize("board", ["1x2", "3x2", "3x3", "3x4", "triangle:4", "map:aab,c.bd,cee"])
@pytest.mark.parametrize("reinforcement", ["deterministic", "random", "weighted"])
def test_random_games_that_are_looked_up_are_those_of_the_rules(board: str, reinforcement: str) -> None:
    """Roll by roll: the last positions are equal, and so is what is left of the random stream."""
    for most in (2, 5, 6):
        game = make(board, max_dice=most, reinforcement=reinforcement)
        assert is_listed(game.g)
        by_rules, looked_up = game.compiled(playout), game.compiled(play_at_random)
        plain, moves = game.plain(play_at_random), np.zeros(game.ask("fanout"), np.int64)
        for seed in range(100):
            s = game.compiled(contract.deal)(game.g, dice.stream(seed, 0, dice.BOARD))
            one, two, three = dice.stream(seed), dice.stream(seed), dice.stream(seed)
            last = tuple(by_rules(game.g, s, one, moves, np.zeros(2)))
            assert last == tuple(looked_up(game.g, s, two))
            assert (one == two).all()
            if seed < 5:
                assert last == tuple(map(int, plain(game.g, s, three)))


def test_boards_and_rules_that_are_not_looked_up() -> None:
    """Large boards, three players, and dice that somebody chooses or captures go by the rules."""
    others: list[dict[str, int | str]] = [{"players": 3}, {"reinforcement": "chosen"}, {"reinforcement": "captured"}]
    assert not is_listed(make("5x5").g)
    assert not any(is_listed(make("3x3", **other).g) for other in others)


def test_monte_carlo_chooses_the_first_move_with_the_most_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives moves up early, but chooses as if it had tried all of them to the end: wins are written down here."""
    game, numbers = make("3x3"), np.random.default_rng(1)
    s = game.start().state

    def all_of(g: object, s: object, moves: np.ndarray) -> int:
        moves[: len(wins)] = range(len(wins))
        return len(wins)

    for name, stub in {"legal": all_of, "move": lambda g, s, m: m, "payoff": lambda g, won, seat: float(won)}.items():
        monkeypatch.setattr(search, name, stub)
    for _ in range(300):
        wins = numbers.random((numbers.integers(1, 6), search.PLAYOUTS)) < numbers.choice([0.05, 0.5, 0.52, 0.97])
        told = [iter(row) for row in wins]
        monkeypatch.setattr(search, "finish", lambda g, m, moves, rng, told=told: next(told[m]))
        found = search.monte_carlo(game.table, s, np.zeros(9, np.int64), None, None)
        assert found == np.argmax(wins.sum(axis=1))
        assert len(wins) == 1 or len(list(told[found])) == 0


@pytest.mark.parametrize("reinforcement", ["deterministic", "captured"])
def test_expectimax_is_not_misled_by_what_searches_left_behind(reinforcement: str) -> None:
    game = make("3x3", max_dice=3, reinforcement=reinforcement)
    decisions = [p for p in walk(game, seed=5) if not p.rolling and not p.over and len(p.moves) > 1]
    assert len(decisions) >= 5
    for position in decisions:
        used = [chosen(position, agent) for agent in ("expectimax", "mcts", "expectimax", "chance-mcts", "expectimax")]
        game.table.scratch.nodes[:], game.table.scratch.totals[:] = 0, 0.0
        assert {*used[::2]} == {chosen(position, "expectimax")}


def test_searches_see_a_win_at_hand() -> None:
    """Five dice take the lone die beside them rather than attack five."""
    position = make("2x2").parse("2x2 b1 r5 / r1 b5 | r to move, first attack")
    assert position.moves == ["a2-a1", "a2-b2"]
    for agent in ("monte-carlo", "mcts", "chance-mcts", "expectimax", "greedy"):
        assert chosen(position, agent) == "a2-a1"


def test_searches_beat_greedy_with_two_dice() -> None:
    """With two dice greedy stops too early: the thesis finds every other strategy ahead of it."""
    game = make("3x3", max_dice=2)
    for agent in ("monte-carlo", "chance-mcts", "expectimax"):
        assert hazard.match(game, agent, "greedy", games=100, seed=2).payoffs[0][0] > 0.65


@pytest.mark.slow
def test_nothing_is_read_out_of_bounds(tmp_path: Path) -> None:
    """Compiled code does not check indices unless told to; here it is told to, on the largest board too."""
    code = (
        "import hazard\n"
        "for board, players in (('4x8', 4), ('1x2', 2), ('map:aab,c.bd,cee', 3)):\n"
        "    for reinforcement in ('weighted', 'chosen', 'captured'):\n"
        "        game = hazard.game('dice-of-doom', board=board, players=players, reinforcement=reinforcement)\n"
        "        hazard.match(game, *['greedy', 'expansion', 'return-zero', 'random'][:players], games=100)\n"
        "game = hazard.game('dice-of-doom', board='2x3', turns=10)\n"
        "for agent in ('monte-carlo', 'mcts', 'chance-mcts', 'expectimax'):\n"
        "    hazard.match(game, agent, 'greedy', games=2)\n"
    )
    run_python(code, tmp_path, NUMBA_BOUNDSCHECK="1")

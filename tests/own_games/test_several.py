"""Games of three players and more, solved from their rules alone."""

from pathlib import Path

import pytest

import hazard
from hazard.errors import BadInput
from hazard.rulebook import Position
from hazard.solving.enumerated import graph
from hazard.solving.enumerated.several import ByRules
from hazard.solving.solution import load, stored_at
from tests.own_games.files import write
from tests.own_games.test_gains import press
from tests.rules_games import OwnGame

# Each player has steps to go. The mover pushes on at a risk, or walks slowly, or takes a step back from the leader.
CLIMB = '''"""Climb: the first at the top wins."""
from typing import NamedTuple
from hazard import rule

LIMITS = {"top": (1, 4)}
PUSH, PULL = 0, 1


class Params(NamedTuple):
    top: int = 2
    players: int = 3


class State(NamedTuple):
    mover: int
    a: int
    b: int
    c: int
    move: int  # 0 none, 1 a push, 2 a pull


@rule
def start(g):
    return State(0, 0, 0, 0, 0)


@rule
def over(g, s):
    return max(s.a, s.b, s.c) == g.top


@rule
def at(s, seat):
    return s.a if seat == 0 else s.b if seat == 1 else s.c


@rule
def payoff(g, s, seat):
    return 1.0 if at(s, seat) == g.top else 0.25 * at(s, seat)


@rule
def legal(g, s, moves):
    moves[0] = PUSH
    moves[1] = PULL
    return 2


@rule
def move(g, s, m):
    return State(s.mover, s.a, s.b, s.c, m + 1)


@rule
def chance(g, s):
    return 0 if s.move == 0 or over(g, s) else 2


@rule
def weight(g, s, i):
    return 1 + i if s.move == 1 else 2 - i


@rule
def land(g, s, i):
    seat = s.mover
    if s.move == 2:
        seat = 0 if s.a >= s.b and s.a >= s.c else 1 if s.b >= s.c else 2
    by = (1 if s.move == 1 else -1) if i == 0 else 0
    a = max(0, s.a + (by if seat == 0 else 0))
    b = max(0, s.b + (by if seat == 1 else 0))
    c = max(0, s.c + (by if seat == 2 else 0))
    return State((s.mover + 1) % 3, a, b, c, 0)
'''


def climb(folder: Path, *changes: tuple[str, str], **parameters: int) -> hazard.Game:
    return hazard.game(write(folder, *changes, name="climb.py", text=CLIMB), **parameters)


def best_replies(game: hazard.Game) -> tuple[float, ...]:
    """Max^n, position by position: the first of equals."""

    def values(position: Position) -> list[float]:
        if position.over:
            return list(position.payoffs)
        if position.rolling:
            ways = [(float(o.probability), values(o.position)) for o in position.outcomes()]
            return [sum(p * found[seat] for p, found in ways) for seat in range(game.seats)]
        found = []
        for move in position.moves:
            more = position.scored(move)
            found.append([x + y for x, y in zip(values(position.move(move)), more, strict=True)])
        return max(found, key=lambda value: value[position.mover])

    return tuple(values(game.start()))


@pytest.mark.parametrize("rounds", [1, 3, 4])
def test_without_cycles_as_by_brute_force(tmp_path: Path, rounds: int) -> None:
    game = press(tmp_path, players=3, rounds=rounds)
    solution = hazard.solve(game)
    assert solution.value(game.start()) == pytest.approx(best_replies(game), abs=1e-9)
    assert solution.error < 1e-11
    assert solution.meta["regret"] == 0


@pytest.mark.parametrize("top", [1, 2, 3, 4])
def test_values_hold_everywhere(tmp_path: Path, top: int) -> None:
    """With cycles: no mover gains more than the regret by another move, and rolls are worth their mean."""
    game = climb(tmp_path, top=top)
    solution = hazard.solve(game)
    assert solution.meta["cycles"] > 0
    regret = solution.meta["regret"]
    assert regret == 0 or (top > 2 and solution.meta["unsettled"] > 0), "such small games settle"
    found = 0.0
    for row in solution.rows.tolist():  # type: ignore[attr-defined]
        position = Position(game, game.rules.State(*row))
        mine = solution.value(position)
        if position.rolling:
            ways = [(float(o.probability), solution.value(o.position)) for o in position.outcomes()]
            assert mine == pytest.approx([sum(p * v[n] for p, v in ways) for n in range(3)], abs=1e-9)
        elif not position.over:
            after = [solution.value(position.move(move)) for move in position.moves]
            found = max(found, max(v[position.mover] for v in after) - mine[position.mover])
            assert any(mine == pytest.approx(v, abs=1e-9) for v in after)
    assert found == pytest.approx(regret, abs=1e-9)


def test_it_is_kept_and_played(tmp_path: Path) -> None:
    game = climb(tmp_path)
    solution = hazard.solve(game)
    again = load(stored_at(game), game)
    assert again.value(game.start()) == solution.value(game.start())
    rows = again.advise(game.start())
    assert rows[0].value == pytest.approx(solution.value(game.start())[0])
    result = hazard.match(game, "optimal", "optimal", "optimal", games=3000)
    mean = sum(mean for mean, _ in result.payoffs) / 3
    assert mean == pytest.approx(sum(solution.value(game.start())) / 3, abs=0.02)
    with pytest.raises(BadInput, match="luck and grades"):
        hazard.match(game, "optimal", "optimal", "optimal", games=9, luck=True)
    with pytest.raises(BadInput, match="never comes here"):
        solution.value(Position(game, game.rules.State(0, -5, 0, 0, 0)))


def test_play_that_need_never_end_is_refused(tmp_path: Path) -> None:
    """Nobody ever comes up, or whoever is to move would rather wait."""
    with pytest.raises(BadInput, match="play need never end: from 'mover="):
        hazard.solve(climb(tmp_path, ("by = (1 if s.move == 1 else -1) if i == 0 else 0", "by = 0")))
    waiting = ("return State(s.mover, s.a, s.b, s.c, m + 1)", "return State((s.mover + m) % 3, s.a, s.b, s.c, 1 - m)")
    earning = ("@rule\ndef legal(", "@rule\ndef gain(g, s, m):\n    return float(m)\n\n\n@rule\ndef legal(")
    with pytest.raises(BadInput, match="play need never end"):
        hazard.solve(climb(tmp_path, waiting, earning))


def test_what_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST", 50)
    with pytest.raises(BadInput, match="more than 50 positions"):
        hazard.solve(climb(tmp_path, top=4))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("return 1 + i if s.move == 1 else 2 - i", "return 0"), "`weight` gives"),
        (("    return 2\n\n\n@rule\ndef move", "    return 0\n\n\n@rule\ndef move"), "`legal` gives no move"),
        (("0.25 * at(s, seat)", "float('nan')"), "`payoff` is"),
        (("return State((s.mover + 1) % 3, a", "return State(s.mover + 1, a"), "`mover` is 3"),
    ],
)
def test_rules_that_are_wrong(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        hazard.solve(climb(tmp_path, change))


@pytest.mark.slow
def test_the_solver_of_numbered_games_agrees() -> None:
    from dataclasses import replace

    game = hazard.game("great-rolled-ones", goal=3, players=3)
    own = OwnGame("great-rolled-ones-several", game.parameters, own=replace(game.declaration, solver=ByRules()))
    one, other = hazard.solve(game), ByRules().solve(own, 1e-9, None, None)
    found, theirs = other.value(own.start()), one.value(game.start())
    assert found == pytest.approx(theirs, abs=one.error + other.error)

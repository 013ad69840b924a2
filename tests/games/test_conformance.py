"""What every game must keep to, checked over all reachable positions of small games."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import hazard
from hazard import contract
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.compiled import line_up
from hazard.dice import stream
from hazard.fingerprint import contents
from hazard.rulebook import Position
from tests.conftest import EVERY, UNCOUNTED, name_of


@pytest.fixture(params=[*EVERY, *UNCOUNTED], ids=name_of)
def game(request: pytest.FixtureRequest) -> hazard.Game:
    return hazard.game(request.param[0], **request.param[1])


@cache
def reachable(game: hazard.Game) -> list[Position]:
    """Every position that play can reach, in the order found."""
    found = {game.start().state: game.start()}
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        following = [o.position for o in position.outcomes()] or [position.move(m) for m in position.moves]
        for after in following:
            if after.state not in found:
                found[after.state] = after
                waiting.append(after)
    return list(found.values())


@pytest.fixture
def positions(game: hazard.Game) -> list[Position]:
    return reachable(game)


def counted(game: hazard.Game) -> None:
    """Leave out a game that does not number its positions."""
    if not hasattr(game.rules, "size"):
        pytest.skip(f"{game.name} does not number its positions")


def test_a_position_is_over_or_rolls_or_decides(positions: list[Position]) -> None:
    for position in positions:
        kinds = [position.over, position.rolling, bool(position.moves)]
        assert kinds.count(True) == 1, str(position)
        assert len(position.legal()) == len(set(position.legal()))
        assert all(0 <= m < 255 for m in position.legal())


def test_texts_are_unique_and_parse_back(game: hazard.Game, positions: list[Position]) -> None:
    texts = {str(p): p for p in positions}
    assert len(texts) == len(positions)
    for text, position in texts.items():
        assert game.parse(text) == position


def test_dice_add_up(positions: list[Position]) -> None:
    for position in positions:
        if position.rolling:
            assert sum((o.probability for o in position.outcomes()), Fraction(0)) == 1
            assert all(o.probability > 0 for o in position.outcomes())
            assert len({o.text for o in position.outcomes()}) == len(position.outcomes())


def test_dice_do_not_chain(game: hazard.Game, positions: list[Position]) -> None:
    """Where positions are numbered, a decision comes between two rolls."""
    counted(game)
    for position in positions:
        assert not any(o.position.rolling for o in position.outcomes())


def test_drawn_dice_can_land(game: hazard.Game, positions: list[Position]) -> None:
    """Draws are numbers of ways, and likely ways come up."""
    rng = stream(4)
    for position in [p for p in positions if p.rolling][:: max(1, len(positions) // 20)]:
        ways = int(game.rules.chance(game.table, position.state))
        draw = game.plain(contract.roll)
        seen = {int(draw(game.table, position.state, rng)) for _ in range(100)}
        assert seen <= set(range(ways))
        likely = {i for i, o in enumerate(position.outcomes()) if o.probability > Fraction(1, 4)}
        assert likely <= seen


def test_dealt_positions_are_first_positions(game: hazard.Game) -> None:
    rng = stream(6)
    for _ in range(30):
        position = Position(game, game.plain(contract.deal)(game.table, rng))
        assert game.parse(str(position)) == position
        assert [position.over, position.rolling, bool(position.moves)].count(True) == 1


def test_payoffs_add_up_to_the_purse(game: hazard.Game, positions: list[Position]) -> None:
    ends = [p for p in positions if p.over]
    assert ends
    for end in ends:
        assert sum(end.payoffs) == pytest.approx(game.plain(contract.purse)(game.table))
        assert min(end.payoffs) >= game.plain(contract.floor)(game.table)


def test_openings_are_numbered_one_to_one(game: hazard.Game, positions: list[Position]) -> None:
    counted(game)
    g, rules = game.table, game.rules
    seen: dict[int, object] = {}
    for position in positions:
        if not position.moves:
            continue
        s = position.state
        i = rules.index(g, s)
        assert 0 <= i < rules.size(g)
        opening = rules.stage(g, s, 0)
        assert rules.step(g, opening) == 0
        assert rules.state(g, i) == opening
        assert seen.setdefault(i, rules.state(g, i)) == rules.state(g, i)
        assert rules.stage(g, s, rules.step(g, s)) == s
        assert 0 <= rules.step(g, s) < rules.steps(g, s) <= rules.span(g)
    for i in range(rules.size(g)):
        assert rules.index(g, rules.state(g, i)) == i


def test_play_goes_forward(game: hazard.Game, positions: list[Position]) -> None:
    """Within a turn to higher steps, between openings never to a lower layer."""
    counted(game)
    g, rules = game.table, game.rules
    for position in positions:
        for name in position.moves:
            after = position.move(name)
            for end in [o.position for o in after.outcomes()] or [after]:
                if end.over:
                    continue
                if rules.step(g, end.state) > 0:
                    assert rules.index(g, end.state) == rules.index(g, position.state)
                    assert rules.step(g, end.state) > rules.step(g, position.state)
                else:
                    opening = rules.stage(g, position.state, 0)
                    assert rules.layer(g, end.state) >= rules.layer(g, opening)


def test_every_agent_makes_legal_moves(game: hazard.Game, positions: list[Position]) -> None:
    names = [name for name, agent in game.agents.items() if hasattr(game.rules, "size") or not agent.solved]
    numbers, memory = seat_agents(game, names)
    rng = stream(3)
    for name, number, bytes_ in zip(names, numbers, memory, strict=True):
        decisions = [p for p in positions if p.moves]
        tried = 5 if game.agents[name].slow else 300
        for position in decisions[:: max(1, len(decisions) // tried)]:
            assert agent_move(position, number, bytes_, rng) in position.moves


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """All arrays of a tuple, at any depth."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_in(part)


def test_parameters_are_read_only(game: hazard.Game) -> None:
    """No array of `g` can be written to, and rules and agents get these very arrays; only scratch is their own."""
    assert not [array for array in arrays_in(game.g) if array.flags.writeable]
    for name in game.g._fields:
        if name != "scratch":
            assert getattr(game.table, name) is getattr(game.g, name)


def test_play_leaves_the_parameters_as_they_are(game: hazard.Game, positions: list[Position]) -> None:
    """In plain Python a write would raise, which the search of all positions tries; compiled, it would not compile."""
    before = contents(hazard.game(game.name, **game.parameters).g)
    line_up(game, ["random"] * game.seats, seed=3).play(0, 2)
    assert positions
    assert contents(game.g) == before

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
from hazard.checking.check import of_plain
from hazard.checking.position import Looker
from hazard.dice import stream
from hazard.fingerprint import contents
from hazard.rulebook import Outcome, Position
from tests.conftest import EVERY, UNCOUNTED, name_of


@pytest.fixture(params=[*EVERY, *UNCOUNTED], ids=name_of)
def game(request: pytest.FixtureRequest) -> hazard.Game:
    return made(request.param[0], *request.param[1].items())


@cache
def made(name: str, *parameters: tuple[str, Any]) -> hazard.Game:
    return hazard.game(name, **dict(parameters))


@cache
def explored(game: hazard.Game) -> dict[Any, tuple[Position, list[Outcome]]]:
    """By state, every position that play can reach, in the order found, and how its dice can land."""
    found: dict[Any, tuple[Position, list[Outcome]]] = {}
    waiting = {game.start().state: game.start()}
    while waiting:
        state, position = waiting.popitem()
        found[state] = position, position.outcomes()
        for after in [o.position for o in found[state][1]] or [position.move(m) for m in position.moves]:
            if after.state not in found:
                waiting[after.state] = after
    return found


def reachable(game: hazard.Game) -> list[Position]:
    return [position for position, _ in explored(game).values()]


def outcomes_of(position: Position) -> list[Outcome]:
    return explored(position.game)[position.state][1]


@pytest.fixture
def positions(game: hazard.Game) -> list[Position]:
    return reachable(game)


def counted(game: hazard.Game) -> None:
    """Leave out a game that does not number its positions."""
    if not hasattr(game.rules, "size"):
        pytest.skip(f"{game.name} does not number its positions")


def test_positions_keep_to_the_contract(game: hazard.Game, positions: list[Position]) -> None:
    """What `hazard check` looks at, in every position: its kind, moves, weights, payoffs, and that texts are read."""
    looker = Looker(game)
    looks = [looker.look(position.state) for position in positions]
    assert [finding for finding in of_plain(looker, looks) if finding.wrong] == []


def test_moves_of_numbered_games_fit_a_byte(game: hazard.Game, positions: list[Position]) -> None:
    counted(game)
    assert all(0 <= m < 255 for position in positions for m in position.legal())


def test_dice_do_not_chain(game: hazard.Game, positions: list[Position]) -> None:
    """Where positions are numbered, a decision comes between two rolls."""
    counted(game)
    for position in positions:
        assert not any(o.position.rolling for o in outcomes_of(position))


def test_drawn_dice_can_land(game: hazard.Game, positions: list[Position]) -> None:
    """Draws are numbers of ways, and likely ways come up."""
    rng = stream(4)
    for position in [p for p in positions if p.rolling][:: max(1, len(positions) // 20)]:
        ways = int(game.rules.chance(game.table, position.state))
        draw = game.plain(contract.roll)
        seen = {int(draw(game.table, position.state, rng)) for _ in range(100)}
        assert seen <= set(range(ways))
        likely = {i for i, o in enumerate(outcomes_of(position)) if o.probability > Fraction(1, 4)}
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
            for end in [o.position for o in outcomes_of(after)] or [after]:
                if end.over:
                    continue
                if rules.step(g, end.state) > 0:
                    assert rules.index(g, end.state) == rules.index(g, position.state)
                    assert rules.step(g, end.state) > rules.step(g, position.state)
                else:
                    opening = rules.stage(g, position.state, 0)
                    assert rules.layer(g, end.state) >= rules.layer(g, opening)


def check_agents(game: hazard.Game, names: list[str], tried: int) -> None:
    """They make legal moves wherever they are asked."""
    rng, decisions = stream(3), [p for p in reachable(game) if p.moves]
    for _, number, memory in zip(names, *seat_agents(game, names), strict=True):
        for position in decisions[:: max(1, len(decisions) // tried)]:
            assert agent_move(position, number, memory, rng) in position.moves


def agents_of(game: hazard.Game, slow: bool) -> list[str]:
    known = {name: agent for name, agent in game.agents.items() if agent.slow == slow}
    return [name for name, agent in known.items() if hasattr(game.rules, "size") or not agent.solved]


def test_every_agent_makes_legal_moves(game: hazard.Game) -> None:
    check_agents(game, agents_of(game, slow=False), 300)


@pytest.mark.slow
def test_every_agent_that_searches_makes_legal_moves(game: hazard.Game) -> None:
    """Each is compiled by itself."""
    check_agents(game, agents_of(game, slow=True), 5)


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

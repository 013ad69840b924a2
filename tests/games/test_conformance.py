"""What every game must keep to, checked over all reachable positions of small games."""

from fractions import Fraction

import pytest

import hazard
from hazard import contract
from hazard.rulebook import Position


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


def test_dice_add_up_and_do_not_chain(positions: list[Position]) -> None:
    for position in positions:
        if position.rolling:
            assert sum((o.probability for o in position.outcomes()), Fraction(0)) == 1
            assert all(o.probability > 0 and not o.position.rolling for o in position.outcomes())
            assert len({o.text for o in position.outcomes()}) == len(position.outcomes())


def test_payoffs_add_up_to_the_purse(game: hazard.Game, positions: list[Position]) -> None:
    ends = [p for p in positions if p.over]
    assert ends
    for end in ends:
        assert sum(end.payoffs) == pytest.approx(game.plain(contract.purse)(game.g))
        assert min(end.payoffs) >= game.plain(contract.floor)(game.g)


def test_openings_are_numbered_one_to_one(game: hazard.Game, positions: list[Position]) -> None:
    g, rules = game.g, game.rules
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
    g, rules = game.g, game.rules
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
    from hazard.arena.line_up import agent_move, seat_agents
    from hazard.dice import stream

    names = list(game.agents)
    numbers, memory = seat_agents(game, names)
    rng = stream(3)
    for position in positions[:: max(1, len(positions) // 300)]:
        if position.moves:
            for number, bytes_ in zip(numbers, memory, strict=True):
                assert agent_move(position, number, bytes_, rng) in position.moves

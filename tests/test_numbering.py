"""Numberings that are wrong are refused, with the function and a position; otherwise some crash, some look proven."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import hazard
from hazard.errors import BadInput
from hazard.games.pig import rules
from hazard.games.pig.rules import Params, State
from hazard.jit import rule
from hazard.solving.numbered import solver
from hazard.solving.numbered.check import check_numbering
from tests.conftest import EVERY, name_of
from tests.rules_games import OwnGame


def pig_with(name: str, **functions: Any) -> OwnGame:
    game = hazard.game("pig", goal=12)
    own: Any = SimpleNamespace(**{**vars(rules), **functions})
    return OwnGame(f"own-pig-{name}", game.parameters, own=replace(game.declaration, rules=own))


@rule
def swapped_index(g: Params, s: State) -> int:
    return (s.mover * g.goal + s.you) * g.goal + s.me


@rule
def index_swapped_in_the_turn(g: Params, s: State) -> int:
    me, you = (s.me, s.you) if s.pot == 0 else (s.you, s.me)
    return (s.mover * g.goal + me) * g.goal + you


@rule
def index_of_two(g: Params, s: State) -> int:
    """Two scores of the other player have one number."""
    return (s.mover * g.goal + s.me) * g.goal + min(s.you, g.goal - 2)


@rule
def state_without_the_last(g: Params, i: int) -> State:
    """The number that `index_of_two` never gives stands for a game that is over."""
    you = i % g.goal
    return State(i // g.goal % g.goal, you if you < g.goal - 1 else g.goal, 0, 0, i // g.goal // g.goal)


@rule
def small_size(g: Params) -> int:
    return g.goal * g.goal


@rule
def falling_layer(g: Params, s: State) -> int:
    return 1000 - s.me - s.you


@rule
def rarely_falling_layer(g: Params, s: State) -> int:
    """Falls only where both have nearly won."""
    usual = (s.me + s.you) * g.goal + (s.me if s.mover == 0 else s.you)
    return 0 if s.me == g.goal - 1 and s.you == g.goal - 1 else usual


@rule
def small_span(g: Params) -> int:
    return g.goal // 2


@rule
def few_steps(g: Params, s: State) -> int:
    return g.goal - s.me


@rule
def falling_step(g: Params, s: State) -> int:
    return g.goal - s.me - s.pot


@rule
def falling_stage(g: Params, s: State, k: int) -> State:
    return State(s.me, s.you, g.goal - s.me - k, 0, s.mover)


@rule
def wrong_stage(g: Params, s: State, k: int) -> State:
    return State(s.me, s.you, k // 2, 0, s.mover)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "swapped": ({"index": swapped_index}, r"`state` gives .* for the number \d+, which `index` gives at 'p"),
    "swapped-later": ({"index": index_swapped_in_the_turn}, r"`state` gives .* which `index` gives at 'p"),
    "two": ({"index": index_of_two, "state": state_without_the_last}, r"`state` gives .* which `index` gives at 'p"),
    "size": ({"size": small_size}, r"`index` is \d+, but `size` says that numbers are from 0 to 143, at 'p2"),
    "layer": ({"layer": falling_layer}, r"`layer` fell from \d+ to \d+, at 'p.*', after a move at 'p"),
    "span": ({"span": small_span}, r"`steps` is 13, but must be from 1 to the 6 of `span`, at 'p1 0:0 pot 0'"),
    "steps": ({"steps": few_steps}, r"`step` is \d+, but `steps` says that places are from 0 to \d+, at 'p"),
    "step": ({"step": falling_step, "stage": falling_stage}, "at 'p1 0:0 pot 0'"),
    "stage": ({"stage": wrong_stage}, r"`stage` gives 'p.*' for place \d+, which `step` gives at 'p"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_numberings_are_refused(name: str) -> None:
    functions, words = WRONG[name]
    with pytest.raises(BadInput, match=words):
        solver.solve(pig_with(name, **functions))


@pytest.mark.parametrize("case", EVERY, ids=name_of)
def test_right_numberings_are_not(case: tuple[str, dict[str, Any]]) -> None:
    check_numbering(hazard.game(case[0], **case[1]))


def test_a_layer_that_falls_unseen_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings that are looked up before they are solved are sure of nothing, so that no bound can be too high."""
    monkeypatch.setattr(solver, "check_numbering", lambda game: None)
    with pytest.raises(BadInput, match=r"the bounds stay 1 apart|`layer` falls somewhere"):
        solver.solve(pig_with("rarely", layer=rarely_falling_layer))

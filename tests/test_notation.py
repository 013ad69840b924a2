"""Any text is read as a position or refused with a clear error; any parameter likewise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hazard
from hazard.declaration import declared, game_names
from hazard.errors import BadInput
from hazard.rulebook import make_game

ALPHABET = "prkod0123456789:- abcling"


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_texts(name: str, data: st.DataObject) -> None:
    example = declared(name).notation.EXAMPLE
    text = data.draw(
        st.text(max_size=40)
        | st.text(ALPHABET, max_size=30)
        | st.builds(
            lambda i, c: example[:i] + c + example[i + 1 :], st.integers(0, len(example)), st.text(ALPHABET, max_size=3)
        )
    )
    game = hazard.game(name)
    try:
        position = game.parse(text)
    except BadInput as problem:
        assert "\n" not in str(problem)
        assert len(str(problem)) < 500
    else:
        assert str(position) == text
        assert position.over or position.moves or position.rolling


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_parameters(name: str, data: st.DataObject) -> None:
    keys = st.sampled_from([p.name for p in declared(name).parameters]) | st.text(max_size=8)
    values = (
        st.integers(-5, 2000).map(str) | st.text(max_size=8) | st.sampled_from(["dutch", "stake", "1,2", "optional"])
    )
    chosen = data.draw(st.dictionaries(keys, values, max_size=4))
    try:
        game = make_game(name, chosen)
    except BadInput as problem:
        assert "\n" not in str(problem)
    else:
        assert str(game.parse(str(game.start()))) == str(game.start())


def test_positions_cannot_be_changed() -> None:
    position = hazard.game("pig").start()
    with pytest.raises(AttributeError):
        position.state = None  # type: ignore[misc]
    with pytest.raises(AttributeError):
        position.state.me = 3
    assert position == hazard.game("pig").start()
    assert len({position, hazard.game("pig").start()}) == 1

"""The protocol against the rules: random messages, valid and invalid, do what the rules say and nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import hazard
from hazard.server.protocol import (
    Ack,
    Agree,
    Answered,
    Back,
    Ended,
    Move,
    Moved,
    PositionEvent,
    Proposed,
    Refusal,
    Resign,
    Rolled,
    TookBack,
    encode,
    read_answer,
    read_message,
    schema,
)
from hazard.server.rooms.setting import SeatSetting, Setting
from tests.server.talk import Ear, opened, run, seated

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"goal": 15}),
    ("risk", {"attackers": 5, "defenders": 4, "stop": "optional"}),
    ("great-rolled-ones", {"goal": 5, "players": 3, "komi": "0,0,0"}),
]
WORDS = ["roll", "hold", "attack", "stop", "1", "2", "dice 1", "", "ROLL", "roll ", "x" * 300]
wishes = st.tuples(
    st.sampled_from(["move", "move", "move", "move", "back", "agree", "resign", "again", "enter"]),
    st.integers(-1, 3),  # who; -1 is a spectator
    st.sampled_from([0, 0, 0, 0, 0, 1, -1, 7]),  # how far from the question on the table
    st.one_of(st.integers(0, 9), st.sampled_from(WORDS)),  # which of the legal moves, or any word
)


class Model:
    """The game as the rules have it, told only of what the server said it did."""

    def __init__(self, game: hazard.Game) -> None:
        self.game, self.position = game, game.start()
        self.trail = {3: self.position}
        self.over = False
        self.agreed: set[int] = set()  # to what was proposed last

    def follow(self, event: Any) -> None:
        assert not self.over, "nothing happens after the end"
        before = self.agreed
        if isinstance(event, Moved):
            assert event.seat == self.position.mover
            assert event.move in self.position.moves
            self.position = self.position.move(event.move)
        elif isinstance(event, Rolled):
            assert self.position.rolling
            outcome = self.position.outcomes()[event.number]
            assert outcome.text == event.dice
            self.position = outcome.position
        elif isinstance(event, TookBack):
            assert self.agreed == set(range(self.game.seats)), "all have agreed"
            self.position = self.trail[event.to]
        elif isinstance(event, Ended):
            self.over = True
            assert event.reason == ("over" if self.position.over else "forfeit")
            assert not self.position.over or tuple(event.payoffs) == self.position.payoffs
        else:
            assert isinstance(event, Proposed | Answered)
            self.agreed = {event.seat} if isinstance(event, Proposed) else {*self.agreed, event.seat}
            assert isinstance(event, Proposed) or event.seat not in before
            return
        assert getattr(event, "position", str(self.position)) == str(self.position)
        self.trail[event.seq] = self.position


def message_of(wish: tuple[str, int, int, Any], room: Any, before: list[Any]) -> Any:
    kind, _, off, which = wish
    record = room.record
    if kind == "move":
        moves = list(record.moves) or ["roll"]
        return Move(record.ask + off, which if isinstance(which, str) else moves[which % len(moves)])
    if kind == "back":
        return Back(record.ask + off if record.ask + off > 0 else 0, which if isinstance(which, int) else 0)
    if kind == "agree":
        return Agree(record.proposal.seq + off if record.proposal else 1, which != 0)
    if kind == "resign":
        return Resign() if which == 0 and off == 7 else Move(record.ask, "resign")
    return before[-1] if before else Resign()


def may(model: Model, room: Any, ear: Ear, message: Any) -> bool:
    """Whether the rules allow a move."""
    fits = message.ask == room.record.ask and not model.over and not model.position.rolling
    return fits and ear.seat == model.position.mover and message.move in model.position.moves


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=[name for name, _ in GAMES])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(wishes, max_size=60))
def test_random_messages_do_what_the_rules_say(
    tmp_path_factory: pytest.TempPathFactory, name: str, parameters: dict[str, Any], said: list[Any]
) -> None:
    async def test() -> None:
        async with opened(tmp_path_factory.mktemp("room") / "data") as rooms:
            game = hazard.game(name, **parameters)
            room = await rooms.create(Setting(game=name, parameters=parameters, seats=[SeatSetting()] * game.seats))
            seats = [await seated(room) for _ in range(game.seats)]
            room.enter(watcher := Ear(), "", 0)
            model, before = Model(game), []
            model.trail = {room.record.ask: model.position}
            for event in room.record.events[game.seats + 1 :]:
                model.follow(event)
            for wish in said:
                ear = seats[wish[1] % game.seats] if wish[1] >= 0 else watcher
                message = message_of(wish, room, before)
                await one(model, room, ear, message)
                before.append(message)
            kept = await rooms.store.load(room.name)
            assert kept
            assert kept.events == room.record.events, "memory and disk agree"
            heard = [e for e in watcher.heard if hasattr(e, "seq") and not isinstance(e, Ack)]
            assert [e.seq for e in heard[1:]] == [e.seq for e in room.record.events if e.seq > heard[0].seq]

    run(test)


def check_facts(event: Any, position: hazard.Position) -> None:
    """An event says of its position what the rules say."""
    facts = (position.mover, position.rolling, position.over, position.moves)
    assert (event.mover, event.rolling, event.over, list(event.moves)) == facts
    assert isinstance(event, Rolled) == (event.faces is not UNSET)


async def one(model: Model, room: Any, ear: Ear, message: Any) -> None:
    """Say one message and compare what came of it with the rules."""
    seq, state, allowed = room.record.seq, room.snapshot(), None
    if isinstance(message, Move):
        allowed = may(model, room, ear, message)
        done = room.record.answers.get(message.ask)
        repeat = bool(done) and (done.seat, done.move) == (ear.seat, message.move)
    acks = len(ear.all(Ack))
    try:
        await room.receive(ear, message)
    except Refusal:
        assert not allowed
        assert room.snapshot() == state, "what is refused changes nothing"
        return
    if isinstance(message, Move):
        assert allowed or repeat
        assert len(ear.all(Ack)) == acks + 1
        assert (room.record.seq == seq) == repeat
    for event in room.record.full_events[seq:]:
        model.follow(event)
        if isinstance(event, PositionEvent):
            check_facts(event, model.position)
    assert str(room.record.position) == str(model.position)
    assert list(room.record.moves) == ([] if model.over else model.position.moves)


# --- messages -----------------------------------------------------------------------------------------------------
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_garbage_is_refused(text: bytes) -> None:
    with pytest.raises(Refusal) as found:
        read_message(text)
    assert found.value.code == "malformed"
    assert "\n" not in found.value.text


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"move"}',
        '{"type":"move","ask":"1","move":"roll"}',
        '{"type":"move","ask":1.5,"move":"roll"}',
        '{"type":"fly"}',
        '{"type":"enter","room":1}',
        '{"type":"enter","room":"' + "a" * 65 + '"}',
        '{"type":"enter","room":"a","since":-1}',
        '{"type":"ask"}',
        "[" * 5000,
        '"move"',
        "null",
    ],
)
def test_malformed_messages_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        read_message(text)


def test_unknown_fields_are_ignored_and_unknown_messages_are_none() -> None:
    assert read_message('{"type":"move","ask":1,"move":"roll","weather":1}') == Move(1, "roll")
    assert read_answer('{"type":"weather"}') is None


def tags_of(found: dict[str, Any]) -> list[str]:
    kinds = [part["properties"]["type"] for part in found["$defs"].values() if "type" in part.get("properties", {})]
    return [kind["enum"][0] for kind in kinds]


def test_the_schema_names_every_message() -> None:
    found = schema()
    tags = {
        part["properties"]["type"]["enum"][0]
        for part in found["$defs"].values()
        if "type" in part.get("properties", {})
    }
    assert {"hello", "ready", "ask", "move", "end", "bye", "enter", "snapshot", "ack", "error", "moved"} <= tags
    assert json.loads(json.dumps(found)) == found


PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def test_the_facts_in_the_document_are_those_of_the_rules() -> None:
    game, seen = hazard.game("pig", goal=10), 0
    for text in re.findall(r"^< (\{.*\})$", PAGE.read_text(), re.MULTILINE):
        if isinstance(event := read_answer(text), PositionEvent):
            check_facts(event, game.parse(event.position))
            seen += 1
    assert seen > 10


def test_the_schema_and_the_document_name_every_fact() -> None:
    facts = set(PositionEvent.__struct_fields__) - {"seq"}
    for name in ("Begun", "Moved", "Rolled", "TookBack"):
        part = schema()["$defs"][name]
        assert facts <= part["properties"].keys()
        assert not facts & set(part["required"]), "stored events have none"
    assert all(f"| `{fact}` |" in PAGE.read_text() for fact in facts)


def test_the_conversation_in_the_document_is_in_the_protocol() -> None:
    lines = re.findall(r"^([<>]) (\{.*\})$", PAGE.read_text(), re.MULTILINE)
    assert len(lines) > 10
    for side, text in lines:
        message = read_message(text) if side == ">" else read_answer(text)
        assert message is not None
        assert json.loads(text).items() <= json.loads(encode(message)).items()


def test_the_document_names_every_code_and_message() -> None:
    from hazard.server.protocol import CODES

    page = PAGE.read_text()
    for code in CODES:
        assert f"`{code}`" in page
    for tag in tags_of(schema()):
        assert f"`{tag}`" in page

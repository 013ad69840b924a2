"""Rooms without a network: seats, moves, repeats, taking back, staying away, a full disk, closing and coming back."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from hazard.declaration import game_names
from hazard.errors import BadInput
from hazard.server.protocol import (
    Ack,
    Agree,
    Analyse,
    Ask,
    Back,
    Ended,
    Move,
    Moved,
    NewGame,
    Ping,
    Pong,
    Proposed,
    Ready,
    Refusal,
    Resign,
    Rolled,
    Snapshot,
    TookBack,
    without_facts,
)
from hazard.server.rooms.checks import verified
from hazard.server.rooms.game_file import file_bytes, read_file, write_file
from hazard.server.rooms.room import Room
from hazard.server.rooms.setting import Away, Setting
from tests.server.talk import Ear, FirstMove, opened, pig, run, seated, until


async def answer(room: Room, ear: Ear, move: str | None = None) -> None:
    """Answer the question on the table."""
    asked = ear.ask
    await room.receive(ear, Move(asked.ask, move or asked.moves[0]))


async def code_of(work: Any) -> str:
    """The code that something is refused with."""
    with pytest.raises(Refusal) as found:
        await work
    return found.value.code


def test_a_game_against_an_agent_from_beginning_to_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            ear, watcher = await seated(room), Ear()
            room.enter(watcher, "", 0)
            while room.record.status == "playing":
                await until(lambda: room.record.mover == 0 or room.record.status == "over")
                if room.record.mover == 0:
                    await answer(room, ear, ear.ask.moves[-1])
            assert len(ear.all(Ack)) == len([e for e in room.record.events if isinstance(e, Moved) and e.seat == 0])
            assert not watcher.all(Ask)
            assert not watcher.all(NewGame)
            assert ear.last(Ended) == watcher.last(Ended)
            assert [e.seq for e in room.record.events] == list(range(1, len(room.record.events) + 1))
            assert all(check.passed for check in verified(write_file(room.game, room.record)))

    run(test)


def test_the_seed_is_not_shown_before_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            ear = await seated(room)
            await answer(room, ear)
            seen = b"".join(ear.raw) + file_bytes(write_file(room.game, room.record))
            assert room.record.secret.seed.hex().encode() not in seen
            await room.receive(ear, Resign())
            assert room.record.secret.seed.hex() == ear.last(Ended).seed
            assert ear.last(Ended).payoffs == [0.0, 1.0]

    run(test)


def test_a_storm_of_joins_gives_each_seat_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            found = await asyncio.gather(*(room.sit(None, "person", "x") for _ in range(100)), return_exceptions=True)
            taken = [one for one in found if not isinstance(one, BaseException)]
            assert sorted(seat for seat, _ in taken) == [0, 1]
            assert {one.code for one in found if isinstance(one, Refusal)} == {"seat"}
            assert len({token for _, token in taken}) == 2

    run(test)


def test_a_seat_is_given_again_to_who_shows_its_key(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            held = await room.sit(None, "person", "Ann", key="a key that is long")
            name, seq = room.name, room.record.seq
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.get(name)
            assert await room.sit(None, "person", "Ann", key="a key that is long") == held
            assert room.record.seq == seq
            seat, token = await room.sit(None, "person", "Bob", key="another one as long")
            assert (seat, token == held[1]) == (1, False)
            assert await code_of(room.sit(None, "person", "Eve", key="a third that is long")) == "seat"

    run(test)


def test_a_repeated_move_is_acknowledged_and_made_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ear, _ = await seated(room), await seated(room)
            first = Move(ear.ask.ask, "roll")
            await room.receive(ear, first)
            seq = room.record.seq
            await room.receive(ear, first)
            assert room.record.seq == seq
            assert ear.all(Ack)[0] == ear.all(Ack)[1]
            assert await code_of(room.receive(ear, Move(first.ask, "hold"))) == "stale"
            assert room.record.seq == seq

    run(test)


def test_what_is_not_allowed_changes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            assert await code_of(room.sit(7, "person", "x")) == "seat"
            ann, bob, watcher = await seated(room), await seated(room), Ear()
            room.enter(watcher, "", 0)
            ask, seq = room.record.ask, room.record.seq
            refused = [
                (bob, Move(ask, "roll"), "turn"),
                (ann, Move(ask, "hold"), "illegal"),
                (ann, Move(ask + 1, "roll"), "stale"),
                (ann, Move(-1, "roll"), "stale"),
                (watcher, Move(ask, "roll"), "token"),
                (watcher, Resign(), "token"),
                (ann, Back(ask), "state"),
                (ann, Back(ask, 1), "state"),
                (ann, Back(ask + 1), "stale"),
                (bob, Agree(1), "stale"),
                (ann, Ready(2), "malformed"),
                (ann, Analyse(), "state"),
            ]
            for ear, message, code in refused:
                assert await code_of(room.receive(ear, message)) == code, message
            assert (room.record.ask, room.record.seq) == (ask, seq)
            await room.receive(watcher, Ping())
            assert watcher.all(Pong)
            with pytest.raises(Refusal, match="not that of a seat"):
                room.enter(Ear(), "wrong", 0)

    run(test)


def test_taking_back_against_agents_needs_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            ear = await seated(room)
            start, ask = room.record.position, room.record.ask
            await answer(room, ear)
            await until(lambda: room.record.mover == 0)
            rolls = room.record.rolls
            back = Back(room.record.ask)
            await room.receive(ear, back)
            while str(room.record.position) != str(start):
                await room.receive(ear, Back(room.record.ask))
            assert room.record.ask > ask
            assert await code_of(room.receive(ear, back)) == "stale"
            await answer(room, ear)
            first, again = [e for e in room.record.events if isinstance(e, Rolled) and e.seat == 0][:2]
            assert (again.dice, again.roll, again.throw) == (first.dice, first.roll, first.throw), "they are as before"
            assert room.record.rolls == rolls
            assert room.record.backs[0] > 0
            await room.receive(ear, Resign())
            assert all(check.passed for check in verified(write_file(room.game, room.record)))

    run(test)


def test_taking_back_among_people_needs_all(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, bob = await seated(room), await seated(room)
            await answer(room, ann)
            await room.receive(ann, Back(room.record.ask))
            proposal = bob.last(Proposed)
            assert not bob.all(TookBack)
            assert await code_of(room.receive(ann, Agree(proposal.seq))) == "stale"
            assert await code_of(room.receive(ann, Back(room.record.ask))) == "state"
            await room.receive(bob, Agree(proposal.seq, False))
            assert room.record.proposal is None
            await room.receive(ann, Back(room.record.ask))
            await room.receive(bob, Agree(bob.last(Proposed).seq))
            assert bob.last(TookBack).to == 3
            assert str(room.record.position) == "p1 0:0 pot 0"
            assert ann.ask.ask == room.record.ask

    run(test)


def test_taking_back_among_three_needs_the_third(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            setting = Setting(game="great-rolled-ones", parameters={"goal": 20, "players": 3, "komi": "0,0,0"})
            room = await rooms.create(setting)
            ann, bob, cid = [await seated(room) for _ in range(3)]
            await answer(room, ann, "roll")
            await room.receive(ann, Back(room.record.ask))
            await room.receive(bob, Agree(bob.last(Proposed).seq))
            assert not ann.all(TookBack)
            await room.receive(cid, Agree(bob.last(Proposed).seq))
            assert ann.all(TookBack)

    run(test)


@pytest.mark.parametrize("policy", ["wait", "agent", "forfeit"])
def test_a_seat_that_stays_away(tmp_path: Path, policy: Any) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "", away=Away(policy, 6000.0)))
            ann, _ = await seated(room), await seated(room)
            await room.tick(time.monotonic() + 10_000)
            assert not room.thinking, "somebody who is there is not away"
            room.leave(ann)
            await room.tick(time.monotonic() + 5000)
            assert room.record.status == "playing"
            assert not room.thinking
            await room.tick(time.monotonic() + 10_000)
            if policy == "agent":
                await until(lambda: bool(room.record.answers))
                moved = next(iter(room.record.answers.values()))
                assert (moved.seat, moved.by) == (0, "random")
            assert room.record.status == ("over" if policy == "forfeit" else "playing")
            if policy == "forfeit":
                assert room.record.ended
                assert (room.record.ended.payoffs, room.record.ended.seat) == ([0.0, 1.0], 0)
            room.enter(back := Ear(), ann.token, 0)  # type: ignore[attr-defined]
            assert back.seat == 0

    run(test)


def test_an_answer_that_takes_too_long(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "", away=Away("forfeit"), answer=5000.0))
            ann, _ = await seated(room), await seated(room)
            assert 0 < ann.ask.remaining <= 5000
            await room.tick(time.monotonic() + 4000)
            assert room.record.status == "playing"
            await room.tick(time.monotonic() + 6000)
            assert room.record.status == "over"

    run(test)


def test_an_agent_that_fails_is_asked_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data", FirstMove(fail=2)) as rooms:
            room = await rooms.create(pig("hold-at-20", ""))
            await seated(room)
            await until(lambda: room.failures == 1)
            assert room.record.answers == {}
            room.retry = 0.0
            await room.tick(time.monotonic())
            await until(lambda: room.failures == 2)
            room.retry = 0.0
            await room.tick(time.monotonic())
            await until(lambda: len(room.record.answers) > 0)

    run(test)


def test_a_full_disk_refuses_the_move_and_the_game_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, _ = await seated(room), await seated(room)
            before, ask = room.snapshot(), ann.ask.ask

            def full(statements: Any) -> None:
                raise OSError(28, "No space left on device")

            with monkeypatch.context() as patch:
                patch.setattr(rooms.store, "commit", full)
                assert await code_of(room.receive(ann, Move(ask, "roll"))) == "disk"
                assert await code_of(rooms.create(pig("", ""))) == "disk"
            assert room.snapshot() == before
            assert not ann.all(Ack)
            await room.receive(ann, Move(ask, "roll"))
            assert ann.last(Ack).ask == ask

    run(test)


def test_who_goes_away_in_the_middle_leaves_the_game_whole(tmp_path: Path) -> None:
    """The move is written, but the one who made it is cancelled meanwhile: memory and disk must still agree."""

    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, _ = await seated(room), await seated(room)
            task = asyncio.create_task(room.receive(ann, Move(ann.ask.ask, "roll")))
            await asyncio.sleep(0)
            task.cancel()
            await until(lambda: len(room.record.answers) == 1)
            kept = await rooms.store.load(room.name)
            assert kept is not None
            assert kept.events == room.record.events

    run(test)


def test_coming_back_brings_what_was_missed(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, bob = await seated(room), await seated(room)
            seen = room.record.seq
            room.leave(bob)
            await answer(room, ann)
            room.enter(again := Ear(), bob.token, seen)  # type: ignore[attr-defined]
            assert [e.seq for e in again.last(Snapshot).events] == list(range(seen + 1, room.record.seq + 1))
            assert again.last(Snapshot).seat == 1
            assert again.all(NewGame)

    run(test)


def test_rooms_come_back_from_the_disk(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, _ = await seated(room), await seated(room)
            await answer(room, ann)
            before = room.snapshot()
        async with opened(tmp_path / "data") as rooms:
            one, other = await asyncio.gather(rooms.get(room.name), rooms.get(room.name))
            assert one is other
            found = one.snapshot()
            for seat in (*found.seats, *before.seats):
                seat.present = False
            assert found == before
            one.enter(ear := Ear(), ann.token, 0)  # type: ignore[attr-defined]
            if one.record.mover == 0:
                await answer(one, ear)
            with pytest.raises(Refusal, match="there is no room"):
                await rooms.get("nowhere")

    run(test)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("update events set data=replace(data, 'roll', 'fly') where seq=4", "cannot be there"),
        ("update events set data='{' where seq=4", "Input data was truncated"),
        ("delete from events where seq=4", "event 5 where 4 should be"),
        ("update rooms set setting=replace(setting, 'goal', 'gaol')", "no parameter of pig"),
    ],
)
def test_a_damaged_room_is_refused_and_others_open(tmp_path: Path, change: str, text: str) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", ""))
            ann, _ = await seated(room), await seated(room)
            await answer(room, ann)
        with sqlite3.connect(tmp_path / "data" / "games.sqlite") as db:
            db.execute(change)
        async with opened(tmp_path / "data") as rooms:
            with pytest.raises(Refusal, match=text):
                await rooms.get(room.name)
            assert rooms.open == {}
            other = await rooms.create(pig("", ""))
            assert other.name in [row.room for row in await rooms.listed()]

    run(test)


def test_agents_go_on_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data", FirstMove(fail=10**6)) as rooms:
            room = await rooms.create(pig("random", "random"))
            await until(lambda: room.failures > 0)
        async with opened(tmp_path / "data", pace=0.01) as rooms:
            rooms.start()
            await until(lambda: room.name in rooms.open)
            await until(lambda: len(rooms.open[room.name].record.answers) > 5)

    run(test)


def test_idle_rooms_are_closed_and_kept(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data", rooms=2) as rooms:
            names = [(await rooms.create(pig("", ""))).name for _ in range(4)]
            assert list(rooms.open) == names[2:]
            for name in names[2:]:
                rooms.open[name].enter(Ear(), "", 0)
            assert await code_of(rooms.create(pig("", ""))) == "full"
            assert not any(room.idle(time.monotonic() + 10**6) for room in rooms.open.values())
            room = rooms.open[names[2]]
            room.leave(next(iter(room.listeners)))
            assert room.idle(time.monotonic() + 10**6)
            assert (await rooms.get(names[0])).record.status == "waiting"
            assert len(rooms.open) == 2

    run(test)


def test_a_branch_starts_from_a_position_of_another_room(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            ear = await seated(room)
            await answer(room, ear)
            await until(lambda: room.record.mover == 0)
            new = await rooms.branch(room.name, room.record.seq, None)
            there = await seated(new)
            assert str(new.record.trail[0].position) == str(room.record.position)
            assert new.record.sitting[1].name == "hold-at-20"
            assert there.seat == 0
            assert new.record.secret != room.record.secret
            assert await code_of(rooms.branch(room.name, 999, None)) == "unknown"
            assert await code_of(rooms.branch(room.name, 1, None)) == "state"

    run(test)


def test_a_file_comes_and_goes_unchanged(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            ear = await seated(room)
            await answer(room, ear)
            for ended in (False, True):
                if ended:
                    await until(lambda: room.record.mover == 0)
                    await room.receive(ear, Resign())
                text = file_bytes(write_file(room.game, room.record, room.name))
                name = await rooms.upload(read_file(text))
                shown = await rooms.get(name)
                assert file_bytes(write_file(shown.game, shown.record, room.name)) == text
                assert await code_of(shown.sit(None, "person", "x")) == "state"
                shown.prompt()
                assert shown.thinking is None, "a game that is only looked at is not played on"

    run(test)


def test_a_file_that_breaks_the_rules_is_not_kept(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "hold-at-20"))
            await answer(room, await seated(room))
            text = file_bytes(write_file(room.game, room.record, room.name))
            with pytest.raises(BadInput, match="cannot be there"):
                await rooms.upload(read_file(text.replace(b'"move":"roll"', b'"move":"fly"')))
            assert await rooms.finished() == []

    run(test)


@pytest.mark.parametrize(
    "setting",
    [
        Setting(game="chess"),
        Setting(game="pig", parameters={"goal": -1}),
        Setting(game="pig", parameters={"colour": "red"}),
        pig("", "", ""),
        pig("", "nobody"),
        pig("", "", away=Away("agent", 1.0, "nobody")),
        pig("", "", answer=0.0),
        pig("", "", start="p1 50:50 pot 0"),
        pig("", "", start="p2 50:0 pot 0"),
    ],
)
def test_rooms_that_cannot_be_are_refused(tmp_path: Path, setting: Setting) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            with pytest.raises(BadInput):
                await rooms.create(setting)
            assert rooms.open == {}
            assert await rooms.listed() == []

    run(test)


SMALL: dict[str, dict[str, int | str]] = {"dice-of-doom": {"board": "2x2", "max_dice": 2}, "risk": {"attackers": 5}}


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_played_kept_and_verified(tmp_path: Path, name: str) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(Setting(game=name, parameters=SMALL.get(name, {})))
            ears = [await seated(room) for _ in range(room.game.seats)]
            while room.record.status == "playing" and len(room.record.answers) < 25:
                await answer(room, ears[room.record.mover or 0])
            if room.record.status == "playing":
                await room.receive(ears[0], Resign())
            before = room.snapshot().events
        async with opened(tmp_path / "data") as rooms:
            again = await rooms.get(room.name)
            assert again.record.full_events == before
            stored = await rooms.store.load(room.name)
            assert stored
            assert stored.events == again.record.events == [without_facts(event) for event in before]
            assert all(check.passed for check in verified(write_file(again.game, again.record)))

    run(test)

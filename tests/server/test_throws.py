"""Dice that nobody can aim: attacks by the owner, who sees the whole database, by players, by a server that lies."""

import hashlib
import itertools
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hazard
from hazard.errors import BadInput
from hazard.server.guest.parts import Parts
from hazard.server.protocol import (
    Ask,
    Back,
    Begun,
    Given,
    Move,
    Moved,
    Part,
    Proposed,
    Refusal,
    Resign,
    Rolled,
    Sat,
    Throw,
    Withheld,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.checks import verified
from hazard.server.rooms.game_file import write_file
from hazard.server.rooms.room import Room
from hazard.server.rooms.setting import Away, Setting
from tests.server.talk import Ear, opened, pig, run, seated, until

ROOM = Setting(game="pig", parameters={"goal": 100, "sides": 6})


async def code_of(work: Any) -> str:
    with pytest.raises(Refusal) as found:
        await work
    return found.value.code


async def move(room: Room, ear: Ear, wanted: str = "roll") -> None:
    await room.receive(ear, Move(ear.ask.ask, wanted))


def all_that_is_stored(folder: Path) -> str:
    """The whole database as text, and all bytes of its files."""
    with sqlite3.connect(folder / "games.sqlite") as db:
        rows = [row for table in ("rooms", "seats", "events") for row in db.execute(f"select * from {table}")]
    return repr(rows) + "".join(path.read_bytes().hex() for path in folder.glob("games.sqlite*"))


def seed_of(folder: Path) -> bytes:
    with sqlite3.connect(folder / "games.sqlite") as db:
        return db.execute("select seed from rooms").fetchone()[0]


def rolls_of(room: Room) -> list[int]:
    return [event.number for event in room.record.events if isinstance(event, Rolled)]


async def roll_on(room: Room, ann: Ear, bob: Ear, count: int) -> None:
    """Whoever is to move rolls, so many times."""
    for _ in range(count):
        mover = (ann, bob)[room.record.mover or 0]
        before = room.record.rolls
        await move(room, mover)
        await until(lambda had=before: room.record.rolls > had)  # type: ignore[misc]


# --- the owner --------------------------------------------------------------------------------------------------------
def reckoned(seed: bytes, parts_of: Callable[[int], list[str]], count: int) -> list[int]:
    """The first rolls of Pig, for who knows the seed and the parts."""
    game = hazard.game("pig")
    rolling = game.start().move("roll")
    keys = [fair.throw_key(seed, n, parts_of(n)) for n in range(1, count + 1)]
    return [int(game.ask("roll", rolling.state, fair.stream(key, "roll", n))) for n, key in enumerate(keys, 1)]


def points(rolls: list[int]) -> int:
    """What a turn of such rolls is worth."""
    return 0 if 0 in rolls else sum(rolls) + len(rolls)


def test_the_owner_who_sits_last_cannot_find_words_that_suit(tmp_path: Path) -> None:
    """The attack that used to win: read the seed, try what the last seat says until the dice are good, sit down.

    For each of 900 promises the owner reckons the dice with all that is on the disk: the seed, what the other seat has
    promised in the place of its part, and every part of its own. It takes the best and plays it.
    """

    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room, hidden = await rooms.create(ROOM), Parts("what only the page knows")
            page = await seated(room, 0, hidden)
            seed, promise = seed_of(tmp_path / "data"), room.record.sitting[0].promise
            plans = {
                (guess, own.secret): reckoned(seed, lambda n, own=own, guess=guess: [guess, own.part(n)], 12)
                for own in (Parts(f"try {n}") for n in range(300))
                for guess in (promise[:32], "", "0" * 32)
            }
            best = max(plans, key=lambda plan: points(plans[plan]))
            assert points(plans[best]) > 45, "it did find what would suit"
            chosen = Parts(best[1])
            owner = await seated(room, 1, chosen)
            await roll_on(room, page, owner, 12)
            assert rolls_of(room) not in plans.values(), "but no dice that could be reckoned came"
            right = sum(a == b for a, b in zip(plans[best], rolls_of(room), strict=True))
            assert right < 9, "12 dice are foreseen by chance alone: 9 of them in one of 50,000 games"
            both = reckoned(seed, lambda n: [hidden.part(n), chosen.part(n)], 12)
            assert rolls_of(room) == both, "with what the page kept to itself it would have been right"
            await room.receive(page, Resign())
            assert all(check.passed for check in verified(write_file(room.game, room.record)))

    run(test)


def test_the_owner_knows_all_dice_where_no_other_seat_takes_part_and_that_is_said(tmp_path: Path) -> None:
    """So the reckoning above is right, and the claim is not made where it does not hold."""

    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(ROOM)
            ann, bob = await seated(room, 0), await seated(room, 1)
            foreseen = reckoned(seed_of(tmp_path / "data"), lambda n: ["", ""], 12)
            await roll_on(room, ann, bob, 12)
            assert rolls_of(room) == foreseen
            await room.receive(ann, Resign())
            said = {check.what: check.detail for check in verified(write_file(room.game, room.record))}
            assert said["taking part"] == "nobody but the server: whoever runs it knew all throws beforehand"

    run(test)


def test_no_part_is_on_the_disk_before_its_throw_is(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room, parts = await rooms.create(ROOM), Parts("what only the page knows")
            ann = await seated(room, 0, parts)
            bob = await seated(room, 1, own := Parts("b"), silent=True)
            for number in range(1, 6):
                assert parts.part(number) not in all_that_is_stored(tmp_path / "data")
                await move(room, (ann, bob)[room.record.mover or 0])
                await until(lambda: room.record.missing == [1])  # Ann's part has come, and waits in memory
                assert parts.part(number) not in all_that_is_stored(tmp_path / "data")
                await room.receive(bob, own.answer(bob.last(Throw)))
                assert room.record.throws.made == number
                stored = all_that_is_stored(tmp_path / "data")
                assert parts.part(number) in stored
                assert "what only the page knows" not in stored

    run(test)


def test_what_comes_depends_on_the_part_that_is_not_known(tmp_path: Path) -> None:
    """The same seed, the same moves, the same owner: with every secret of the page the dice are others, and even."""

    async def test() -> None:
        seen: list[list[int]] = []
        for number in range(40):
            async with opened(tmp_path / f"{number}") as rooms:  # all with the same seed
                room = await rooms.create(ROOM)
                ann, bob = await seated(room, 0, Parts(f"page {number}")), await seated(room, 1, Parts("owner"))
                await roll_on(room, ann, bob, 6)
                seen.append(rolls_of(room))
        assert len(set(map(tuple, seen))) == 40
        faces = Counter(itertools.chain(*seen))
        assert sum((faces[face] - 40) ** 2 / 40 for face in range(6)) < 30  # chi-square with 5 degrees of freedom

    run(test)


def test_a_part_that_was_not_promised_is_refused(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room, own = await rooms.create(ROOM), Parts("b")
            ann = await seated(room, 0, Parts("a"), silent=True)
            bob = await seated(room, 1, own, silent=True)
            watcher = Ear()
            room.enter(watcher, "", 0)
            early = Part(1, own.part(1), own.promise(2))
            assert await code_of(room.receive(bob, early)) == "part", "nothing is in the air"
            await move(room, ann)
            before = room.snapshot()
            tries = [Part(1, f"{n:032x}", own.promise(2)) for n in range(50)]
            tries += [Part(2, own.part(2), own.promise(3)), Part(1, own.part(2), own.promise(3))]
            for wrong in tries:
                assert await code_of(room.receive(bob, wrong)) == "part"
            assert await code_of(room.receive(watcher, Part(1, own.part(1), own.promise(2)))) == "token"
            assert room.snapshot() == before
            await room.receive(bob, Part(1, own.part(1), own.promise(2)))
            await room.receive(bob, Part(1, own.part(1), "0" * 64))  # what was told stays
            assert room.record.throws.told[1].next == own.promise(2)

    run(test)


# --- who waits for whom -----------------------------------------------------------------------------------------------
def test_nobody_hears_a_part_before_all_have_told_theirs(tmp_path: Path) -> None:
    """Whoever tells last has seen nothing: the parts are sent to all with the dice."""

    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room, own = await rooms.create(ROOM), Parts("b")
            ann, watcher = await seated(room, 0, Parts("a")), Ear()
            bob = await seated(room, 1, own, silent=True)
            room.enter(watcher, "", 0)
            await move(room, ann)
            await until(lambda: room.record.missing == [1])
            room.enter(again := Ear(), "", 0)
            for ear in (ann, bob, watcher, again):
                assert Parts("a").part(1).encode() not in b"".join(ear.raw)
            assert bob.last(Throw) == Throw(1, room.record.seq)
            await room.receive(bob, own.answer(bob.last(Throw)))
            assert {given.seat for given in watcher.last(Rolled).parts} == {0, 1}
            assert watcher.last(Rolled).parts[0] == Given(0, Parts("a").part(1), Parts("a").promise(2))

    run(test)


def test_while_dice_are_in_the_air_nothing_else_happens(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(ROOM)
            ann, bob = await seated(room, 0, Parts("a"), silent=True), await seated(room, 1, Parts("b"), silent=True)
            await move(room, ann)
            ask = room.record.ask
            for ear, message in [
                (ann, Move(ask, "roll")),
                (bob, Move(ask, "roll")),
                (ann, Back(ask)),
                (bob, Back(ask)),
            ]:
                assert await code_of(room.receive(ear, message)) in ("state", "turn")
            assert len(ann.all(Ask)) == 1
            assert not bob.all(Proposed)
            await room.tick(time.monotonic() + 10**6)
            assert room.record.missing == [0, 1], "where seats are waited for, their parts are too"
            await room.receive(bob, Resign())
            assert room.record.ended
            assert all(check.passed for check in verified(write_file(room.game, room.record)))

    run(test)


@pytest.mark.parametrize("policy", ["agent", "forfeit"])
@pytest.mark.parametrize("late", [True, False])
def test_who_withholds_a_part_is_named_and_gains_no_choice(tmp_path: Path, policy: Any, late: bool) -> None:
    """The throw is void; the next one is drawn from parts that nobody has told yet."""

    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            away = Away(policy, 6000.0)
            room = await rooms.create(pig("", "", away=away, answer=5000.0 if late else None))
            ann, bob = await seated(room, 0, Parts("a")), await seated(room, 1, Parts("b"), silent=True)
            await move(room, ann)
            await until(lambda: room.record.missing == [1])
            if not late:
                room.leave(bob)
            await room.tick(time.monotonic() + (4000 if late else 5000))
            assert room.record.missing == [1]
            await room.tick(time.monotonic() + 10_000)
            if policy == "forfeit":
                assert room.record.ended
                assert room.record.ended.payoffs == [1.0, 0.0]
                return
            gone = ann.last(Withheld)
            assert (gone.throw, gone.seats, [given.seat for given in gone.parts]) == (1, (1,), [0])
            await until(lambda: room.record.rolls == 1)
            rolled = ann.last(Rolled)
            assert (rolled.throw, [given.seat for given in rolled.parts]) == (2, [0])
            assert rolled.parts[0].part == Parts("a").part(2)
            await room.receive(ann, Resign())
            checks = {check.what: check for check in verified(write_file(room.game, room.record))}
            assert all(check.passed for check in checks.values())
            assert "seat 1 (somebody): 0 of 2 throws; it WITHHELD its part in throw 1" in checks["taking part"].detail

    run(test)


def test_a_board_is_dealt_when_all_have_told_their_parts(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(Setting(game="dice-of-doom", parameters={"board": "2x2", "max_dice": 2}))
            ann, own = await seated(room, 0, Parts("a")), Parts("b")
            bob = await seated(room, 1, own, silent=True)
            await until(lambda: room.record.missing == [1])
            assert room.record.status == "waiting"
            assert not ann.all(Begun)
            room.leave(bob)
            room.enter(back := Ear(room, own), bob.token, 0)  # type: ignore[attr-defined]
            await until(lambda: room.record.status != "waiting")
            assert [given.seat for given in ann.last(Begun).parts] == [0, 1]
            assert back.last(Begun) == ann.last(Begun)

    run(test)


def test_dice_in_the_air_survive_a_restart(tmp_path: Path) -> None:
    """Parts that were told are told again, and the dice are those that would have fallen."""

    async def played(folder: Path, silent: bool) -> list[Rolled]:
        async with opened(folder) as rooms:
            room = await rooms.create(ROOM)
            ann, bob = await seated(room, 0, Parts("a")), await seated(room, 1, Parts("b"), silent=silent)
            await move(room, ann)
            await until(lambda: room.record.missing == [1] if silent else room.record.rolls == 1)
        async with opened(folder) as rooms:
            again = await rooms.get(room.name)
            for ear, own in ((ann, Parts("a")), (bob, Parts("b"))):
                again.enter(Ear(again, own), ear.token, 0)  # type: ignore[attr-defined]
            await until(lambda: again.record.rolls == 1)
            return [event for event in again.record.events if isinstance(event, Rolled)]

    async def test() -> None:
        assert await played(tmp_path / "a", True) == await played(tmp_path / "b", False)

    run(test)


def test_a_room_may_leave_the_dice_to_the_server_and_says_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(tmp_path / "data") as rooms:
            room = await rooms.create(pig("", "", parts=False))
            ann, _ = await seated(room, 0, Parts("a")), await seated(room, 1, Parts("b"))
            await move(room, ann)
            assert room.record.rolls == 1
            await room.receive(ann, Resign())
            said = {check.what: check.detail for check in verified(write_file(room.game, room.record))}
            assert said["taking part"].startswith("nobody but the server")

    run(test)


# --- a server that lies, as a seat's own program sees it --------------------------------------------------------------
PIG = hazard.game("pig")
IN_AIR = "p1 0:0 pot 0 rolling"


def moved(seq: int, position: str = IN_AIR, rolling: bool = True) -> Moved:
    return Moved(seq, seq - 1, 0, "roll", position, rolling=rolling)


def own_parts(seat: int = 0) -> Parts:
    own = Parts("a", PIG)
    own.seat = seat
    return own


def test_a_part_is_told_once_for_one_place() -> None:
    own = own_parts()
    own.follow(moved(10))
    told = own.answer(Throw(3, 10))
    assert own.answer(Throw(3, 10)) == told, "asked again after a lost connection"
    assert hashlib.sha256(bytes.fromhex(told.part)).hexdigest() == own.promise(3)
    assert told.next == own.promise(4)
    for at in (9, 11):
        own.follow(moved(at))
        with pytest.raises(BadInput, match="cannot be trusted"):
            own.answer(Throw(3, at))
        with pytest.raises(BadInput, match="cannot be trusted"):
            own.answer(Throw(2, at))
    own.follow(moved(12))
    assert own.answer(Throw(4, 12)).part != told.part


@pytest.mark.parametrize(
    "lie",
    [
        moved(10, "p1 0:0 pot 0", rolling=False),
        moved(10, "p1 0:0 pot 0", rolling=True),  # the server says so, but the rules do not
        moved(9),  # it is over: the dice have fallen since
        Sat(10, 0, "person", ""),  # the other seat is free
    ],
)
def test_a_part_is_not_told_before_dice_are_in_the_air(lie: Any) -> None:
    own = own_parts()
    own.open = {0, 1}
    own.follow(lie)
    with pytest.raises(BadInput, match="no dice are in the air"):
        own.answer(Throw(1, 10))


def test_a_server_that_leaves_out_or_changes_a_part_is_caught() -> None:
    own = own_parts()
    own.follow(moved(4))
    own.answer(Throw(1, 4))
    other = Given(1, "0" * 32, "0" * 64)
    mine = Given(0, own.part(1), own.promise(2))

    def rolled(*parts: Given) -> Rolled:
        return Rolled(5, 0, "3", 2, 1, "p1 0:0 pot 3", throw=1, parts=parts)

    own.follow(rolled(mine, other))
    for lie in (rolled(other), rolled(Given(0, "1" * 32, "0" * 64), other)):
        with pytest.raises(BadInput, match="do not trust its dice"):
            own.follow(lie)
    own.follow(Withheld(5, 1, (0,), (other,)))  # it may have come too late

"""Files of games: promises bind, every roll follows from seed and parts, and what was tampered with is found out."""

import hmac
import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hazard
from hazard.cli import cli
from hazard.errors import BadInput
from hazard.server.guest.parts import Parts
from hazard.server.protocol import Moved, Part, Sat
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.checks import Check, taking_part, verified
from hazard.server.rooms.game_file import file_bytes, read_file, replayed, write_file
from hazard.server.rooms.game_record import GameRecord, Step
from hazard.server.rooms.replay import replay

OLD = Path(__file__).parent / "games" / "old-form.json"  # played by the version before seats took part in the dice


def part_of(parts: Parts, throw: int) -> Part:
    return Part(throw, parts.part(throw), parts.promise(throw + 1))


def tell(record: GameRecord, parts: dict[int, Parts]) -> None:
    """All seats that take part tell their parts in the throw that waits for them."""
    for seat in record.missing:
        record.apply(record.tell(seat, part_of(parts[seat], record.wanted)))


def played(name: str = "pig", taking_part: tuple[int, ...] = (0, 1), leaves: int = 0, **parameters: Any) -> bytes:
    """A whole game as a file: the first seat takes the first move, the others the last; one goes back in the middle.

    From throw `leaves` on the last seat that takes part does not tell its parts.
    """
    game, parts = hazard.game(name, **parameters), {seat: Parts(f"secret {seat}") for seat in taking_part}
    record = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32))
    promises = {seat: own.promise(1) for seat, own in parts.items()}
    sats = [Sat(n + 1, n, "person", f"seat {n}", promise=promises.get(n, "")) for n in range(game.seats)]
    record.apply([Step(sat) for sat in sats])
    record.apply(record.begin())
    back = False
    while not record.ended:
        if record.wanted:
            if leaves == record.wanted:
                del parts[max(parts)]
                for seat in parts:
                    record.tell(seat, part_of(parts[seat], record.wanted))
                record.apply(record.withhold(record.missing))
            tell(record, parts)
            continue
        seat = record.mover
        assert seat is not None
        if len(record.events) >= 9 and not back:
            record.apply(record.take_back(seat, record.trail[0]))
            back = True
            continue
        record.apply(record.play(seat, list(record.moves)[0 if seat == 0 else -1]))
    return file_bytes(write_file(game, record, "a" * 16, 1.0))


GAMES = [
    ("pig", {"goal": 15}),
    ("risk", {"attackers": 6, "defenders": 5}),
    ("great-rolled-ones", {"goal": 6, "players": 3, "komi": "0,0,0"}),
]


ALL = ["rules", "commitment", "parts", "taking part", "board", "dice", "taken back"]


@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=[name for name, _ in GAMES])
def test_an_honest_game_passes(name: str, parameters: dict[str, Any], seats: tuple[int, ...]) -> None:
    file = read_file(played(name, seats, **parameters))
    checks = verified(file)
    assert [check.what for check in checks] == ALL
    assert all(check.passed for check in checks), checks
    record = replayed(file)
    assert [row.throws for row in taking_part(record)] == [
        record.throws.made if seat in seats else 0 for seat in range(record.game.seats)
    ]


@pytest.mark.parametrize("seats", [(), (1,), (0, 1)])
def test_the_dealt_board_is_checked(seats: tuple[int, ...]) -> None:
    text = played("dice-of-doom", seats, board="2x2", max_dice=2, turns=2)
    assert all(check.passed for check in verified(read_file(text)))
    data = json.loads(text)
    assert event_of(data, "begun")["throw"] == 1
    assert [given["seat"] for given in event_of(data, "begun").get("parts", [])] == list(seats)


@pytest.mark.parametrize(("name", "leaves"), [("pig", 1), ("pig", 2), ("pig", 4), ("dice-of-doom", 1)])
def test_who_does_not_tell_its_part_is_named(name: str, leaves: int) -> None:
    """Its throw is void and made anew, with new parts of the others; it takes no part any more."""
    parameters: dict[str, Any] = {"goal": 15} if name == "pig" else {"board": "2x3", "max_dice": 3}
    text = played(name, leaves=leaves, **parameters)
    checks = {check.what: check for check in verified(read_file(text))}
    assert all(check.passed for check in checks.values()), checks
    assert f"seat 1 (seat 1): {leaves - 1} of " in checks["taking part"].detail
    assert f"it WITHHELD its part in throw {leaves}" in checks["taking part"].detail
    data = json.loads(text)
    assert [given["seat"] for given in event_of(data, "withheld")["parts"]] == [0]
    thrown = {event["throw"] for event in data["events"] if "throw" in event and event["type"] != "withheld"}
    assert leaves not in thrown
    assert max(thrown) > leaves


def test_nobody_but_the_server_is_said_plainly() -> None:
    checks = {check.what: check.detail for check in verified(read_file(played(taking_part=(), goal=15)))}
    assert checks["taking part"] == "nobody but the server: whoever runs it knew all throws beforehand"


def test_games_of_the_old_form_are_checked_and_said_to_be_of_it() -> None:
    text = OLD.read_bytes()
    checks = {check.what: check for check in verified(read_file(text))}
    assert all(check.passed for check in checks.values())
    assert "could aim them" in checks["form"].detail
    other = verified(read_file(text.replace(b'"words":"abc"', b'"words":"abd"')))
    assert [check.what for check in other if not check.passed] == ["dice"]


def test_games_of_the_old_form_go_on_in_it() -> None:
    """A game that was begun before is played on by the same dice."""
    file = read_file(OLD.read_bytes())
    whole = replayed(file)
    record = GameRecord(whole.game, whole.secret)
    last = max(event.seq for event in file.events if isinstance(event, Moved))
    for event in file.events[: last - 1]:
        replay(record, event)
    while not record.ended:
        record.apply(record.play(record.mover or 0, list(record.moves)[0 if record.mover == 0 else -1]))
    assert record.events == whole.events


def test_the_same_move_meets_the_same_dice() -> None:
    """Back and forth through a game: dice fall as they fell, other moves meet others, and the count goes on."""
    game = hazard.game("risk", attackers=9, defenders=8)
    record, parts = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32)), {0: Parts("a"), 1: Parts("b")}
    sats = [Sat(n + 1, n, "person", "", promise=parts[n].promise(1)) for n in range(2)]
    record.apply([Step(sat) for sat in sats])
    record.apply(record.begin())
    line: list[tuple[str, str]] = []
    for times in range(3):
        record.apply(record.take_back(0, record.trail[0])) if times else None
        for number in range(4):
            assert record.mover is not None
            if number == 3 and times == 2:
                break
            record.apply(record.play(record.mover, next(iter(record.moves))))
            assert bool(record.wanted) == (times == 0 and bool(record.position and record.position.rolling))
            tell(record, parts)
            step = (list(record.answers.values())[-1].move, str(record.position))
            line.append(step) if times == 0 else None
            assert step == line[number]
    throws = record.throws.made
    record.apply(record.play(record.mover or 0, list(record.moves)[-1]))
    tell(record, parts)
    assert record.throws.made <= throws + 1
    assert record.backs == {0: 2}


def test_facts_about_positions_are_neither_written_nor_believed() -> None:
    data = json.loads(played(goal=15))
    assert not any({"mover", "rolling", "over", "moves", "scored", "faces"} & event.keys() for event in data["events"])
    lies = {"mover": 7, "rolling": True, "over": True, "moves": ["fly"], "scored": [9.0, 9.0], "faces": [9]}
    told = data | {"events": [event | (lies if "position" in event else {}) for event in data["events"]]}
    file = read_file(json.dumps(told).encode())
    assert all(check.passed for check in verified(file))
    record = replayed(file)
    assert json.loads(file_bytes(write_file(record.game, record)))["events"] == data["events"]
    assert "fly" not in str(record.full_events)


def event_of(data: dict, kind: str, which: int = 0) -> dict:
    return [event for event in data["events"] if event["type"] == kind][which]


def other_part(data: dict) -> None:
    event_of(data, "rolled")["parts"][0]["part"] = "0" * 32


def other_promise(data: dict) -> None:
    event_of(data, "sat")["promise"] = "0" * 64


def other_next(data: dict) -> None:
    event_of(data, "rolled")["parts"][0]["next"] = "0" * 64


def no_part(data: dict) -> None:
    event_of(data, "rolled")["parts"].pop()


def no_promise(data: dict) -> None:
    """As if the seat had never taken part."""
    event_of(data, "sat")["promise"] = ""


def other_throw(data: dict) -> None:
    event_of(data, "rolled")["throw"] += 1


def other_dice_the_second_time(data: dict) -> None:
    """After taking back, the same move is said to have met a throw of its own."""
    again = next(e for e in data["events"] if e["type"] == "rolled" and "parts" not in e)
    again["throw"] += 1


def withheld_instead(data: dict) -> None:
    """A part that was told is said to be missing, and the seat to take no part any more."""
    at = next(n for n, event in enumerate(data["events"]) if event["type"] == "rolled")
    rolled = data["events"][at]
    told = [given for given in rolled["parts"] if given["seat"] == 0]
    data["events"][at] = {"type": "withheld", "seq": rolled["seq"], "throw": 1, "seats": [1], "parts": told}
    data["events"].insert(at + 1, rolled | {"seq": rolled["seq"] + 1, "throw": 2, "parts": told})


def other_seed(data: dict) -> None:
    event_of(data, "ended")["seed"] = "00" * 32


def other_salt(data: dict) -> None:
    event_of(data, "ended")["salt"] = "00" * 32


def other_commitment(data: dict) -> None:
    data["commitment"] = "0" * 64


def other_number_of_a_roll(data: dict) -> None:
    event_of(data, "rolled", -1)["roll"] += 1


def other_die(data: dict) -> None:
    """The last roll before the end, whose position is changed with it so that the rules find nothing."""
    game = hazard.game("pig", goal=15)
    at = max(n for n, event in enumerate(data["events"]) if event["type"] == "rolled")
    before = game.parse(data["events"][at - 1]["position"])
    event = data["events"][at]
    for number, outcome in enumerate(before.outcomes()):
        if str(outcome.position) == event["position"] and number != event["number"]:
            event |= {"number": number, "dice": outcome.text}
            return
    raise AssertionError("no other die leads to the same position")


def other_payoffs(data: dict) -> None:
    event_of(data, "ended")["payoffs"].reverse()


def left_out(data: dict) -> None:
    del data["events"][6]


def illegal(data: dict) -> None:
    event_of(data, "moved")["move"] = "hold"


def out_of_turn(data: dict) -> None:
    event_of(data, "moved")["seat"] = 1


def not_the_start(data: dict) -> None:
    event_of(data, "begun")["position"] = "p1 9:0 pot 0"


CHANGES = [
    (other_part, "parts"),
    (other_promise, "parts"),
    (other_next, "parts"),
    (no_part, "parts"),
    (no_promise, "parts"),
    (other_throw, "parts"),
    (other_dice_the_second_time, "dice"),
    (withheld_instead, "rules"),
    (other_seed, "commitment"),
    (other_salt, "commitment"),
    (other_commitment, "commitment"),
    (other_number_of_a_roll, "dice"),
    (other_die, "dice"),
    (other_payoffs, "rules"),
    (left_out, "rules"),
    (illegal, "rules"),
    (out_of_turn, "rules"),
    (not_the_start, "rules"),
]


@pytest.mark.parametrize(("change", "what"), CHANGES, ids=[change.__name__ for change, _ in CHANGES])
def test_tampering_is_found(change: Callable[[dict], None], what: str) -> None:
    data = json.loads(played(goal=15))
    change(data)
    failed = [check.what for check in verified(read_file(json.dumps(data).encode())) if not check.passed]
    assert what in failed


def test_a_game_that_is_not_over_is_not_verified() -> None:
    data = json.loads(played(goal=15))
    del data["events"][-1]
    *others, end, _ = verified(read_file(json.dumps(data).encode()))
    said = "the game is not over, so its seed has not been shown; check the dice later"
    assert end == Check("end", False, said)
    assert [check.what for check in others] == ["rules", "parts", "taking part"]
    assert all(check.passed for check in others), "the parts that were told can be checked before the end"


@pytest.mark.parametrize(
    "text", [b"", b"no", b"[]", b"{}", b'{"hazard":"game"}', b'{"hazard":"game","version":1}', b"\xff\xfe", b"[" * 9999]
)
def test_what_is_not_a_game_file_is_refused(text: bytes) -> None:
    with pytest.raises(BadInput):
        read_file(text)


def test_a_newer_version_is_refused_by_name() -> None:
    data = json.loads(played(goal=15)) | {"version": 3}
    with pytest.raises(BadInput, match="version 3, but this program reads versions 1 and 2"):
        read_file(json.dumps(data).encode())


def test_rolls_are_even_and_apart() -> None:
    """Sixty thousand rolls of a die: chi-square with 5 degrees of freedom, 30 is beyond one in 60,000."""
    game, count = hazard.game("pig"), 60_000
    rolling = game.start().move("roll")
    keys = (fair.throw_key(b"seed", n // 2, ["a", "b"]) for n in range(count))  # two rolls a throw
    seen = Counter(int(game.ask("roll", rolling.state, fair.stream(key, "roll", n))) for n, key in enumerate(keys))
    assert sum((seen[face] - count / 6) ** 2 / (count / 6) for face in range(6)) < 30
    assert math.isclose(sum(seen.values()), count)


def test_every_part_counts() -> None:
    parts = (["a", "b"], ["ab", ""], ["", "ab"], ["b", "a"], ["ab"])
    assert len({fair.throw_key(b"seed", throw, some) for some in parts for throw in (1, 11)}) == 10
    said = "throw 3 " + json.dumps(["6f1d", ""], separators=(",", ":"))
    assert fair.throw_key(b"seed", 3, ["6f1d", ""]) == hmac.digest(b"seed", said.encode(), "sha256")
    assert fair.commitment_of(b"seed", b"salt") != fair.commitment_of(b"seed", b"tlas")
    assert fair.seed_for(b"key", 0) < 2**53


def test_the_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(played(goal=15))
    data = json.loads(good.read_bytes())
    other_part(data)
    bad.write_text(json.dumps(data))
    runner = CliRunner()
    assert runner.invoke(cli, ["verify", str(good)]).exit_code == 0
    found = runner.invoke(cli, ["verify", str(bad), "--json"])
    assert found.exit_code == 1
    assert json.loads(found.stdout)["passed"] is False

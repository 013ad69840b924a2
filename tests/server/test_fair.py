"""Fair dice: the commitment binds, every roll follows from the seed, and a file that was tampered with is found out."""

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
from hazard.server.protocol import Sat
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.game_file import Check, file_bytes, read_file, replayed, verified, write_file
from hazard.server.rooms.game_record import GameRecord, Step


def played(name: str = "pig", words: str = "abc", **parameters: Any) -> bytes:
    """A whole game as a file: the first seat takes the first move, the others the last."""
    game = hazard.game(name, **parameters)
    record = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32))
    record.apply([Step(Sat(seat + 1, seat, "person", f"seat {seat}", words)) for seat in range(game.seats)])
    record.apply(record.begin())
    while record.status == "playing":
        seat = record.mover
        assert seat is not None
        if len(record.events) == 9:
            record.apply(record.take_back(seat, record.trail[0]))
            continue
        record.apply(record.play(seat, list(record.moves)[0 if seat == 0 else -1]))
    return file_bytes(write_file(game, record, "a" * 16, 1.0))


GAMES = [
    ("pig", {"goal": 15}),
    ("risk", {"attackers": 6, "defenders": 5}),
    ("great-rolled-ones", {"goal": 6, "players": 3, "komi": "0,0,0"}),
]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=[name for name, _ in GAMES])
def test_an_honest_game_passes(name: str, parameters: dict[str, Any]) -> None:
    checks = verified(read_file(played(name, **parameters)))
    assert [check.what for check in checks] == ["rules", "commitment", "board", "dice"]
    assert all(check.passed for check in checks), checks


def test_the_dealt_board_is_checked() -> None:
    text = played("dice-of-doom", board="2x2", max_dice=2, turns=2)
    assert all(check.passed for check in verified(read_file(text)))


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


def other_words(data: dict) -> None:
    event_of(data, "sat")["words"] = "other"


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
    (other_words, "dice"),
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
    assert verified(read_file(json.dumps(data).encode()))[-1] == Check(
        "end", False, "the game is not over, so its seed has not been shown; check it later"
    )


@pytest.mark.parametrize(
    "text", [b"", b"no", b"[]", b"{}", b'{"hazard":"game"}', b'{"hazard":"game","version":1}', b"\xff\xfe", b"[" * 9999]
)
def test_what_is_not_a_game_file_is_refused(text: bytes) -> None:
    with pytest.raises(BadInput):
        read_file(text)


def test_a_newer_version_is_refused_by_name() -> None:
    data = json.loads(played(goal=15)) | {"version": 2}
    with pytest.raises(BadInput, match="version 2, but this program reads version 1"):
        read_file(json.dumps(data).encode())


def test_rolls_are_even_and_apart() -> None:
    """Sixty thousand rolls of a die: chi-square with 5 degrees of freedom, 30 is beyond one in 60,000."""
    game, count = hazard.game("pig"), 60_000
    rolling = game.start().move("roll")
    key = fair.key_of(b"seed", ["a", "b"])
    seen = Counter(int(game.ask("roll", rolling.state, fair.stream(key, "roll", n))) for n in range(count))
    assert sum((seen[face] - count / 6) ** 2 / (count / 6) for face in range(6)) < 30
    assert math.isclose(sum(seen.values()), count)


def test_every_word_counts() -> None:
    keys = {fair.key_of(b"seed", words) for words in (["a", "b"], ["ab", ""], ["", "ab"], ["b", "a"], ['a","b'])}
    assert len(keys) == 5
    assert fair.commitment_of(b"seed", b"salt") != fair.commitment_of(b"seed", b"tlas")
    assert fair.seed_for(b"key", 0) < 2**53


def test_the_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(played(goal=15))
    bad.write_bytes(good.read_bytes().replace(b'"words":"abc"', b'"words":"abd"'))
    runner = CliRunner()
    assert runner.invoke(cli, ["verify", str(good)]).exit_code == 0
    found = runner.invoke(cli, ["verify", str(bad), "--json"])
    assert found.exit_code == 1
    assert json.loads(found.stdout)["passed"] is False

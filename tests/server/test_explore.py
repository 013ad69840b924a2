"""Solved games to explore: what the pages are given is what solutions say."""

import asyncio
import base64
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from starlette.testclient import TestClient

import hazard
from hazard.games.risk.exact import battles
from hazard.rulebook import make_game
from hazard.server.http import explore
from hazard.server.http.app import LabServer, make_app
from hazard.server.limits import Limits
from hazard.server.workers.worker import (
    Explored,
    ExploreQuestion,
    Refused,
    answer_of,
    answer_to,
    encode,
    explored,
    question_of,
)
from hazard.solving.solution import solved
from tests.server.talk import FirstMove

GREAT = "/api/explore/great-rolled-ones"
SMALL = {"goal": "12", "dice": "3", "bust": "2"}
TURN = "p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -"


class Here(FirstMove):
    """Works everything out in this process, as soon as it may."""

    asked = 0
    broken = False

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Event()
        self.may.set()

    async def explore(self, name: str, parameters: dict[str, Any], about: str = "") -> dict[str, Any]:
        self.asked += 1
        await asyncio.to_thread(self.may.wait)
        if self.broken:
            raise RuntimeError("the worker died")
        return msgspec.json.decode(msgspec.json.encode(explored(make_game(name, parameters), about)))


@pytest.fixture
def workers() -> Here:
    return Here()


@pytest.fixture
def client(tmp_path: Path, workers: Here, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(explore, "PATIENCE", 600.0)  # what has to be compiled first is waited for
    lab = LabServer(tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", workers)
    with TestClient(make_app(lab), base_url="http://localhost:8000") as found:
        yield found
        workers.may.set()


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def refused(client: TestClient, path: str, **query: Any) -> str:
    found = client.get(path, params=query)
    assert found.status_code == 400, found.text
    return found.json()["text"]


# --- Great Rolled Ones -----------------------------------------------------------------------------------------------
def test_the_policy_and_values_are_those_of_the_solution(client: TestClient) -> None:
    found = client.get(GREAT, params=SMALL).json()
    game = hazard.game("great-rolled-ones", goal=12, dice=3, bust=2)
    solution = solved(game)
    assert found["error"] == solution.error
    assert found["chances"] == pytest.approx(solution.value(game.start()))
    for seat, ones, own, other, pot in [(0, 0, 3, 7, 3), (0, 1, 5, 2, 5), (1, 0, 3, 7, 6), (1, 1, 9, 11, 2)]:
        scores = (own, other) if seat == 0 else (other, own)
        position = game.parse(f"p{seat + 1} {scores[0]}:{scores[1]} k{pot} o{ones}")
        advice = {row.move: row.value for row in solution.advise(position)}
        part = found["seats"][seat]
        rolls = np.unpackbits(numbers(part["rolls"], "u1"))[: 2 * 12 * 12 * part["pots"]].reshape(2, 12, 12, -1)
        assert rolls[ones, own, other, pot] == (max(advice, key=advice.__getitem__) == "roll")
        row = client.get(f"{GREAT}/worth", params=SMALL | {"seat": seat, "own": own}).content
        worth = np.frombuffer(row, "<f4").reshape(12, 2, part["pots"], 2)[other, ones, pot]
        assert worth == pytest.approx([advice["roll"], advice["hold"]], abs=1e-6)


def test_the_least_pot_that_is_held_and_the_start_of_turns(client: TestClient) -> None:
    found = client.get(GREAT, params=SMALL).json()
    game = hazard.game("great-rolled-ones", goal=12, dice=3, bust=2)
    part = found["seats"][1]
    hold = numbers(part["hold"], "u1").reshape(2, 12, 12)
    rolls = np.unpackbits(numbers(part["rolls"], "u1"))[: 2 * 12 * 12 * part["pots"]].reshape(2, 12, 12, -1)
    assert rolls[0, 4, 5, hold[0, 4, 5]] == 0
    assert rolls[0, 4, 5, 1 : hold[0, 4, 5]].all()
    start = numbers(part["start"], "<f4").reshape(12, 12)[4, 5]
    assert start == pytest.approx(solved(game).value(game.parse("p2 5:4 k0 o0"))[1], abs=1e-6)


def test_what_is_worked_out_is_kept(client: TestClient, workers: Here) -> None:
    for _ in range(3):
        assert client.get(GREAT, params=SMALL).status_code == 200
    assert workers.asked == 1
    assert "worth" not in client.get(GREAT, params=SMALL).json()["seats"][0]


def test_large_games_are_refused_with_the_command_that_solves_them(client: TestClient) -> None:
    assert "`hazard solve great-rolled-ones -p goal=400`" in refused(client, GREAT, goal=400)
    assert "`hazard solve great-rolled-ones -p goal=64`" in refused(client, GREAT, goal=64)
    assert "goal" in refused(client, GREAT, goal="much")
    assert "known: goal, dice, bust, sides" in refused(client, GREAT, players=3)
    assert "from 0 to 11" in refused(client, f"{GREAT}/worth", **SMALL, own=12)


# --- Risk ------------------------------------------------------------------------------------------------------------
def test_battles_by_several_defences(client: TestClient) -> None:
    found = client.get("/api/explore/risk", params={"attackers": 10, "defenders": 10}).json()
    tables = {name: numbers(text, "<f8").reshape(11, 11) for name, text in found["values"].items()}
    assert tables["dutch"][10, 10] == float(battles(10, 10).value(10, 10))
    assert tables["classic"][10, 10] == pytest.approx(0.479935, abs=5e-7)  # docs/risk.md
    assert tables["koole"][3, 3] - tables["dutch"][3, 3] == pytest.approx(0.0085, abs=5e-5)
    assert (tables["one"] - tables["koole"])[3:, 2:].min() > 0


def test_the_best_answers_and_what_follows_them(client: TestClient) -> None:
    found = client.get("/api/explore/risk", params={"attackers": 20, "defenders": 20}).json()
    exact = battles(20, 20)
    best = numbers(found["best"], "u1").reshape(21, 21, -1)
    rolls = found["rolls"][2]
    faces = [tuple(roll["faces"]) for roll in rolls]
    told = {pair: int(best[5, 20, n]) for n, pair in enumerate(faces)}
    assert told == {pair: sum(1 << j - 1 for j in dice) for pair, dice in exact.answers(5, 20).items()}
    assert sum(roll["chance"] for roll in rolls) == pytest.approx(1)
    lost = rolls[faces.index((4, 4))]["lost"]
    assert [sum(ways) for ways in lost] == [6, 36]
    assert found["stakes"][12]["best"] == found["stakes"][39]["best"] != found["stakes"][11]["best"]


def test_too_many_armies_are_refused(client: TestClient) -> None:
    text = refused(client, "/api/explore/risk", attackers=61, defenders=10)
    assert "`hazard solve risk -p attackers=61 -p defenders=10`" in text
    assert "objective" in refused(client, "/api/explore/risk", objective="fun")


# --- Pickomino -------------------------------------------------------------------------------------------------------
def ask(client: TestClient, position: str, status: int = 200, **parameters: Any) -> dict[str, Any]:
    found = client.post("/api/explore/pickomino", json={"position": position, "parameters": parameters})
    assert found.status_code == status, found.text
    return found.json()


def test_advice_on_a_roll(client: TestClient) -> None:
    found = ask(client, TURN)
    assert {row["move"] for row in found["moves"]} == {"keep 1", "keep 22", "keep 3", "keep 5"}
    assert found["after"]["keep 5"] == "p1 kept 445w rolling centre 21-24,27-36 stacks 25 / 26 turned -"
    assert found["failed"] == "p2 kept - rolling centre 21-25,27-35 stacks - / 26 turned 36"
    least, just = found["reach"]["ways"]["keep 5"]
    assert len(least) == len(just) == len(found["reach"]["scores"]) == 16
    assert all(a >= b for a, b in pairwise(least))
    assert all(b <= a for a, b in zip(least, just, strict=True))


def test_chances_before_a_roll(client: TestClient) -> None:
    found = ask(client, "")
    assert found["rolling"]
    assert found["moves"] == []
    assert found["reach"]["ways"]["roll"][0][0] == pytest.approx(0.893026737151)  # docs/pickomino.md


def test_small_games_are_exact(client: TestClient) -> None:
    found = ask(client, "p1 kept 55www centre 21,24 stacks 22 / 23 turned -", tiles=4)
    assert {row["known"] for row in found["moves"]} == {"exact"}


def test_positions_that_cannot_be_are_refused(client: TestClient) -> None:
    assert "two places" in ask(client, TURN.replace("25 / 26", "25 / 27"), 400)["text"]
    assert "over" in ask(client, "p1 kept - centre - stacks 21 / - turned 22-36", 400)["text"]
    assert "nonsense" in ask(client, "nonsense", 400)["text"]


# --- Dice of Doom, and waiting ---------------------------------------------------------------------------------------
def test_positions_tell_how_dice_in_the_air_can_land(client: TestClient) -> None:
    asked = {"game": "dice-of-doom", "parameters": {"board": "2x2", "max_dice": 3, "turns": 0}}
    text = "2x2 r2 b1 / b3 r3 | r attacks a1-a2"
    found = client.post("/api/positions", json=asked | {"position": text}).json()
    assert [row["outcome"] for row in found["outcomes"]] == ["won", "lost"]
    assert sum(row["probability"] for row in found["outcomes"]) == pytest.approx(1)
    assert found["outcomes"][0]["position"] == "2x2 r1 r1 / b3 r3 | r to move, attack again or end"


def test_who_waits_too_long_is_told_so_and_asks_again(
    client: TestClient, workers: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explore, "PATIENCE", 0.05)
    workers.may.clear()
    first = client.get("/api/explore/risk", params={"attackers": 5, "defenders": 5})
    assert first.status_code == 202
    assert "ask again" in first.json()["waiting"]
    workers.may.set()
    monkeypatch.setattr(explore, "PATIENCE", 600.0)
    assert client.get("/api/explore/risk", params={"attackers": 5, "defenders": 5}).json()["armies"] == 5
    assert workers.asked == 1


@pytest.mark.parametrize(("each", "waiting"), [(explore.WAITING_EACH, explore.WAITING_EACH), (99, explore.WAITING)])
def test_no_more_than_a_few_wait_for_workers(
    client: TestClient, workers: Here, monkeypatch: pytest.MonkeyPatch, each: int, waiting: int
) -> None:
    monkeypatch.setattr(explore, "PATIENCE", 0.01)
    monkeypatch.setattr(explore, "WAITING_EACH", each)
    workers.may.clear()
    for armies in range(2, 4 + explore.WAITING):
        assert client.get("/api/explore/risk", params={"attackers": armies, "defenders": 5}).status_code == 202
    assert workers.asked == waiting


def test_games_that_declare_nothing_to_explore(client: TestClient) -> None:
    for path in ("pig", "chess", "pig/worth", "risk/worth"):
        answer = client.get(f"/api/explore/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert client.post("/api/explore/chess", json={}).status_code == 404
    asked = {"game": "pig", "position": "p1 0:0 pot 0", "games": 2}
    assert client.post("/api/explore/pig", json=asked).json()["games"] == 2


def test_a_failure_is_not_kept(client: TestClient, workers: Here) -> None:
    workers.broken = True
    assert client.get("/api/explore/risk").status_code == 500
    workers.broken = False
    assert client.get("/api/explore/risk").status_code == 200


def test_a_worker_is_asked_in_json() -> None:
    question = question_of(encode(ExploreQuestion("risk", {"attackers": 5, "defenders": 5})))
    found = answer_of(encode(answer_to(question, lambda said: None)))
    assert isinstance(found, Explored)
    assert found.answer["armies"] == 5
    assert isinstance(answer_to(ExploreQuestion("pig", {}), lambda said: None), Refused)

"""What records are worth: signed files, take-backs that are counted, and analysis that is kept for the end."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hazard.errors import BadInput
from hazard.server.http.app import LabServer, make_app
from hazard.server.limits import Limits
from hazard.server.rooms import signing
from tests.server.talk import FirstMove

WS = "ws://localhost:8000/ws"
ROOM = {"game": "pig", "parameters": {"goal": 15}, "seats": [{}, {"agent": "hold-at-20"}]}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    lab = LabServer(tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost:8000") as found:
        yield found


def create(client: TestClient, **setting: Any) -> dict[str, Any]:
    answer = client.post("/api/rooms", json={"room": ROOM | setting, "sit": {"name": "Ann"}})
    assert answer.status_code == 200, answer.text
    return answer.json()


def played(client: TestClient) -> str:
    """A game that was played here; its room."""
    held = create(client)
    with client.websocket_connect(WS) as socket:
        socket.send_json({"type": "enter", "room": held["room"], "token": held["token"]})
        while (message := socket.receive_json())["type"] != "end":
            if message["type"] == "ask":
                socket.send_json({"type": "move", "ask": message["ask"], "move": message["moves"][-1]})
    return held["room"]


def file_of(client: TestClient, room: str) -> dict[str, Any]:
    return json.loads(client.get(f"/api/rooms/{room}/file").content)


def uploaded(client: TestClient, data: dict[str, Any]) -> tuple[bool, str]:
    """Whether a file counts as signed, and as what it is listed."""
    answer = client.post("/api/files", content=json.dumps(data), headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    found, rows = answer.json(), client.get("/api/finished").json()["games"]
    (source,) = {row["source"] for row in rows if row["room"] == found["room"]}
    assert client.get(f"/api/rooms/{found['room']}").json()["source"] == source
    return found["signed"], source


# --- signatures -------------------------------------------------------------------------------------------------------
def test_a_game_that_was_played_here_is_known_again(client: TestClient) -> None:
    data = file_of(client, played(client))
    assert len(data["signature"]) == 64
    assert uploaded(client, data) == (True, "signed")
    assert uploaded(client, data | {"weather": "fine"}) == (True, "signed"), "what is not read is not kept either"


def other_name(data: dict) -> None:
    data["events"][1]["name"] = "Champion"


def other_time(data: dict) -> None:
    data["created"] = "2001-01-01T00:00:00+00:00"


def no_signature(data: dict) -> None:
    del data["signature"]


def made_up_signature(data: dict) -> None:
    data["signature"] = "0" * 64


def strange_signature(data: dict) -> None:
    data["signature"] = "é" * 64


@pytest.mark.parametrize("change", [other_name, other_time, no_signature, made_up_signature, strange_signature])
def test_a_made_up_game_is_listed_as_not_signed(client: TestClient, change: Any) -> None:
    data = file_of(client, played(client))
    change(data)
    assert uploaded(client, data) == (False, "upload")


def test_a_game_that_came_as_a_file_is_not_signed_again(client: TestClient) -> None:
    data = file_of(client, played(client)) | {"signature": ""}
    room = client.post("/api/files", json=data).json()["room"]
    assert file_of(client, room)["signature"] == ""


def test_the_signature_of_another_server_does_not_count(client: TestClient, tmp_path: Path) -> None:
    data = file_of(client, played(client))
    lab = LabServer(tmp_path / "other", Limits(), tmp_path / "cups", FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost:8000") as other:
        assert uploaded(other, data) == (False, "upload")


def test_the_key_is_the_owners_alone_and_stays(tmp_path: Path) -> None:
    key = signing.key_in(tmp_path)
    assert signing.key_in(tmp_path) == key
    assert (tmp_path / signing.NAME).stat().st_mode & 0o777 == 0o600
    (tmp_path / signing.NAME).write_bytes(b"short")
    with pytest.raises(BadInput, match="damaged"):
        signing.key_in(tmp_path)


# --- no analysis before the end ---------------------------------------------------------------------------------------
def test_a_room_without_analysis_has_none_anywhere(client: TestClient) -> None:
    """Its position is asked for alone, a move on, in a room that starts there, that branched off, and from its file."""
    secret = create(client, analysis=False)
    other = create(client, parameters={"goal": 16})
    here = client.get(f"/api/rooms/{secret['room']}").json()["position"]
    alone = {"game": "pig", "parameters": {"goal": 15}, "games": 1}
    after = client.post("/api/positions", json={"game": "pig", "parameters": {"goal": 15}}).json()["moves"]["roll"]
    file = file_of(client, secret["room"])
    started = create(client, start=here)["room"]
    branched = client.post(f"/api/rooms/{secret['room']}/branch", json={"seq": 3}).json()["room"]
    seated = client.post(f"/api/rooms/{branched}/seats", json={})
    assert seated.status_code == 200
    loaded = client.post("/api/files", json=file).json()["room"]
    refused = [
        client.post("/api/analysis", json=alone | {"position": here}),
        client.post("/api/analysis", json=alone | {"position": after}),
        client.post("/api/analysis", json=alone),
        *(client.get(f"/api/rooms/{room}/analysis?seq=3&games=1") for room in (started, branched, loaded)),
        *(client.get(f"/api/rooms/{room}/review?games=1") for room in (started, branched, loaded)),
    ]
    assert [answer.json()["code"] for answer in refused] == ["state"] * len(refused)
    for room in (started, branched, loaded):
        with client.websocket_connect(WS) as socket:
            socket.send_json({"type": "enter", "room": room})
            socket.send_json({"type": "analyse", "seq": 3})
            heard = [socket.receive_json() for _ in range(3)]
        assert heard[2]["code"] == "state"
    assert client.post("/api/analysis", json=alone | {"position": "p1 3:4 pot 5"}).status_code == 200
    assert client.get(f"/api/rooms/{other['room']}/analysis?games=1").status_code == 200
    with client.websocket_connect(WS) as socket:
        socket.send_json({"type": "enter", "room": secret["room"], "token": secret["token"]})
        socket.send_json({"type": "resign"})
        while socket.receive_json()["type"] != "end":
            pass
    assert client.post("/api/analysis", json=alone | {"position": here}).status_code == 200, "the game is over"

"""The HTTP API, and who is kept out of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from hazard.server.http.app import LabServer, make_app
from hazard.server.limits import Limits
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


def play_out(client: TestClient, held: dict[str, Any]) -> list[Any]:
    """Play the first seat to the end; all that was heard."""
    heard = []
    with client.websocket_connect(WS) as socket:
        socket.send_json({"type": "enter", "room": held["room"], "token": held["token"]})
        while not heard or heard[-1]["type"] != "end":
            heard.append(socket.receive_json())
            if heard[-1]["type"] == "ask":
                socket.send_json({"type": "move", "ask": heard[-1]["ask"], "move": heard[-1]["moves"][-1]})
    return heard


def test_games_parameters_and_agents(client: TestClient) -> None:
    games = client.get("/api/games").json()["games"]
    assert {"pig", "risk", "great-rolled-ones"} <= games.keys()
    assert "optimal" in games["pig"]["agents"]
    assert games["pig"]["parameters"][0]["name"] == "goal"
    assert games["risk"]["seats"] == ["attacker", "defender"]
    assert games["pig"]["agents"]["optimal"] == {"summary": ANY, "slow": False, "solved": True}
    assert not games["pig"]["agents"]["random"]["solved"]


def test_games_say_how_the_lab_offers_them(client: TestClient) -> None:
    games = client.get("/api/games").json()["games"]
    keys = ["place", "invitation", "parameters", "shown", "opponents", "watch", "seat", "unit", "explore", "web"]
    for name, game in games.items():
        assert list(game["lab"]) == keys
        assert {*game["lab"]["opponents"], *game["lab"]["watch"]} <= game["agents"].keys(), name
        assert {*game["lab"]["shown"], *game["lab"]["parameters"]} <= {p["name"] for p in game["parameters"]}
    assert games["risk"]["lab"]["seat"] == 1
    assert games["dice-of-doom"]["lab"]["parameters"] == {"board": "3x3", "max_dice": 3}


def described(client: TestClient, game: str, position: str = "", **parameters: Any) -> dict[str, Any]:
    return client.post("/api/positions", json={"game": game, "position": position, "parameters": parameters}).json()


def test_positions_carry_facts(client: TestClient) -> None:
    facts = described(client, "pig", "p2 5:5 pot 2")
    assert facts["moves"] == {"roll": "p2 5:5 pot 2 rolling", "hold": "p1 5:7 pot 0"}
    assert [facts[key] for key in ("mover", "rolling", "over", "payoffs")] == [1, False, False, None]
    over = described(client, "pig", "p1 0:10 pot 0", goal=10)
    assert [over[key] for key in ("moves", "over", "payoffs", "outcomes")] == [{}, True, [0.0, 1.0], []]
    rolling = described(client, "pig", "p2 5:5 pot 2 rolling")
    assert [rolling[key] for key in ("mover", "rolling", "moves")] == [1, True, {}]


@pytest.mark.parametrize(
    ("game", "position", "parameters", "faces"),
    [
        ("pig", "p1 0:0 pot 0 rolling", {"sides": 4}, [[1], [2], [3], [4]]),
        ("risk", "a3 d1 rolling", {"sides": 2}, None),
        ("risk", "a3 d2 roll 6-5 dice 1 rolling", {}, [[face] for face in range(1, 7)]),
        ("risk", "a3 d2 rolling", {"rule": "classic", "sides": 2}, []),
        ("pickomino", "p1 kept 44455ww rolling centre 21-36 stacks - / - turned -", {}, None),
        ("great-rolled-ones", "p1 0:0 k0 o0 rolling", {}, []),
    ],
)
def test_faces_of_dice_where_the_game_says_them(
    client: TestClient, game: str, position: str, parameters: dict[str, Any], faces: list[Any] | None
) -> None:
    rows = described(client, game, position, **parameters)["outcomes"]
    assert rows
    shown = [row["faces"] for row in rows]
    if faces is None:  # as the text says
        assert ["".join(map(str, face)) for face in shown] == [row["outcome"].replace("-", "") for row in rows]
    elif faces:
        assert sorted(shown) == faces
    else:
        assert not any(shown)


def test_a_room_from_its_making_to_its_file(client: TestClient) -> None:
    held = create(client)
    assert [row["room"] for row in client.get("/api/rooms").json()["rooms"]] == [held["room"]]
    heard = play_out(client, held)
    kinds = [message["type"] for message in heard[:5]]
    assert kinds == ["hello", "snapshot", "game", "ask", "ack"]
    assert heard[1]["commitment"] == held["commitment"]
    place = f"/api/rooms/{held['room']}"
    assert client.get(place).json()["status"] == "over"
    (row,) = client.get("/api/finished").json()["games"]
    assert (row["room"], row["seats"], row["payoffs"]) == (held["room"], ["Ann", "hold-at-20"], heard[-1]["payoffs"])
    assert client.get(f"{place}/verify").json()["passed"]
    text = client.get(f"{place}/file").content
    again = client.post("/api/files", content=text, headers={"content-type": "application/json"}).json()
    assert all(check["passed"] for check in again["checks"])
    assert json.loads(client.get(f"/api/rooms/{again['room']}/file").content)["events"] == json.loads(text)["events"]
    first = client.get(f"{place}/positions/3").json()
    assert (first["position"], first["moves"], first["mover"]) == ("p1 0:0 pot 0", ["roll"], 0)
    branch = client.post(f"{place}/branch", json={"seq": 3, "sit": {}}).json()
    assert branch["seat"] == 0
    assert client.get(f"/api/rooms/{branch['room']}").json()["position"] == "p1 0:0 pot 0"
    assert client.get(f"{place}/analysis?seq=3&games=2").json()["games"] == 2
    assert client.get(f"{place}/analysis?seq=3").json()["final"]


def test_analysis_over_the_connection(client: TestClient) -> None:
    held = create(client)
    with client.websocket_connect(WS) as socket:
        socket.send_json({"type": "enter", "room": held["room"]})
        socket.send_json({"type": "analyse"})
        heard = [socket.receive_json() for _ in range(5)]
    assert [message["found"]["games"] for message in heard[2:]] == [1, 2, 3]
    assert heard[2]["position"] == "p1 0:0 pot 0"


def test_analysis_may_be_kept_for_the_end(client: TestClient) -> None:
    held = create(client, analysis=False)
    assert client.get(f"/api/rooms/{held['room']}/analysis").json()["code"] == "state"
    assert client.get(f"/api/rooms/{held['room']}/review").json()["code"] == "state"
    with client.websocket_connect(WS) as socket:
        socket.send_json({"type": "enter", "room": held["room"]})
        socket.send_json({"type": "analyse"})
        heard = [socket.receive_json() for _ in range(3)]
    assert heard[2]["code"] == "state"


def test_a_key_must_be_long(client: TestClient) -> None:
    place = f"/api/rooms/{create(client)['room']}/seats"
    assert client.post(place, json={"key": "short"}).json()["code"] == "malformed"


def test_tokens_are_shown_to_nobody_else(client: TestClient) -> None:
    held = create(client)
    heard = play_out(client, held)
    place = f"/api/rooms/{held['room']}"
    pages = ["/api/rooms", "/api/finished", place, f"{place}/file", f"{place}/verify", "/schema.json"]
    seen = json.dumps(heard) + "".join(client.get(page).text for page in pages)
    assert held["token"] not in seen


def test_unlisted_rooms_are_not_listed(client: TestClient) -> None:
    held = create(client, listed=False)
    assert client.get("/api/rooms").json()["rooms"] == []
    assert client.get(f"/api/rooms/{held['room']}").status_code == 200


BAD = [
    ("/api/rooms", b"{", 400),
    ("/api/rooms", b"{}", 400),
    ("/api/rooms", b'{"room":{"game":"chess"}}', 400),
    ("/api/rooms", b'{"room":{"game":"pig","colour":1}}', 400),
    ("/api/rooms", b'{"room":{"game":"pig","parameters":{"goal":[]}}}', 400),
    ("/api/rooms", b'{"room":{"game":"pig","seats":[{},{},{}]}}', 400),
    ("/api/rooms", b'{"room":{"game":"pig"},"sit":{"seat":9}}', 409),
    ("/api/rooms", b'{"room":{"game":"pig"},"sit":{"kind":"agent"}}', 400),
    ("/api/rooms", b" " * 70_000, 413),
    ("/api/rooms", b"[" * 60_000, 400),
    ("/api/rooms/0000/seats", b"{}", 404),
    ("/api/rooms/0000/branch", b'{"seq":1}', 404),
    ("/api/files", b"{}", 400),
    ("/api/files", b"\xff", 400),
]


@pytest.mark.parametrize(("path", "body", "status"), BAD)
def test_bad_requests_get_a_reason(client: TestClient, path: str, body: bytes, status: int) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert answer.json()["type"] == "error"
    assert answer.json()["text"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/rooms/nowhere",
        "/api/rooms/..%2f..%2fetc",
        "/api/rooms/" + "a" * 500,
        "/api/tournaments/..",
        "/api/tournaments/nowhere",
        "/api/tournaments/..%2f..%2fetc",
    ],
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("text", ["seq=x", "seq=-1", "seq=nan", "seq=inf", "seq=1e400"])
def test_numbers_that_are_none(client: TestClient, text: str) -> None:
    held = create(client)
    answer = client.get(f"/api/rooms/{held['room']}/analysis?{text}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://localhost:9999"},
    {"origin": "http://localhost.evil.example:8000"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    {"host": "evil.example:8000"},
    {"host": ""},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_foreign_pages_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/rooms", json={"room": ROOM}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert client.get("/api/rooms").json()["rooms"] == []
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(WS, headers=headers) as socket:
        socket.receive_json()


@pytest.mark.parametrize("headers", [{}, {"origin": "http://localhost:8000"}, {"host": "127.0.0.1:8000"}], ids=str)
def test_our_own_page_and_programs_are_let_in(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/rooms", json={"room": ROOM}, headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(client: TestClient, kind: str) -> None:
    body = json.dumps({"room": ROOM})
    assert client.post("/api/rooms", content=body, headers={"content-type": kind}).status_code == 400
    assert client.get("/api/rooms").json()["rooms"] == []


def test_an_agent_that_would_have_to_solve_for_long_is_refused(client: TestClient) -> None:
    room = {"game": "dice-of-doom", "parameters": {"board": "5x5"}, "seats": [{}, {"agent": "optimal"}]}
    answer = client.post("/api/rooms", json={"room": room})
    assert answer.status_code == 400
    assert "run `hazard solve dice-of-doom" in answer.json()["text"]
    small = room | {"parameters": {"board": "2x2"}}
    assert client.post("/api/rooms", json={"room": small}).status_code == 200


def test_files_of_the_page_are_not_counted(tmp_path: Path) -> None:
    lab = LabServer(tmp_path / "data", Limits(requests=1.0), tmp_path, FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost") as client:
        assert {client.get("/static/app.js").status_code for _ in range(30)} == {200}


def test_too_many_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still, so that a slow machine changes nothing."""
    monkeypatch.setattr("hazard.server.limits.time", SimpleNamespace(monotonic=lambda: 0.0))
    lab = LabServer(tmp_path / "data", Limits(requests=5.0), tmp_path, FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost") as client:
        codes = [client.get("/api/rooms").status_code for _ in range(40)]
    assert codes[:20] == [200] * 20
    assert codes[-1] == 429


def test_tournaments_in_the_folder(tmp_path: Path, undisturbed: Path) -> None:
    lab = LabServer(tmp_path / "data", Limits(), undisturbed.parent, FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost") as client:
        (row,) = client.get("/api/tournaments").json()["tournaments"]
        assert (row["name"], row["finished"]) == ("undisturbed", True)
        found = client.get("/api/tournaments/undisturbed").json()
    assert found["agents"] == row["agents"]


def test_the_schema_is_published(client: TestClient) -> None:
    found = client.get("/schema.json").json()
    assert found["$defs"]["Move"]["properties"]["type"]["enum"] == ["move"]
    assert client.get("/schema.json").headers["x-content-type-options"] == "nosniff"


def test_strangers_cannot_have_files_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = {"room": {"game": "dice-of-doom", "parameters": {"board": __file__}}}
    assert "this server reads no files" not in client.post("/api/rooms", json=wish).json()["text"]
    monkeypatch.setattr("hazard.files._sealed", True)
    for path in (__file__, "/no/such/file"):
        wish["room"]["parameters"] = {"board": path}
        assert "this server reads no files" in client.post("/api/rooms", json=wish).json()["text"]

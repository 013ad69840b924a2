"""Who may do what: tournaments, rooms and names are the owner's, and nobody becomes the owner without the password."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from hazard.arena.tournament.setting import Setting
from hazard.arena.tournament.store import Store
from hazard.errors import BadInput
from hazard.server.http.app import LabServer, make_app
from hazard.server.http.owner import SIGNED_IN, TRIES, Owner
from hazard.server.limits import Limits
from hazard.server.protocol import Refusal
from tests.server.talk import FirstMove, as_owner
from tests.tournaments import make

WORD = "correct horse"
CUP = {"name": "cup", "game": "pig", "parameters": {"goal": 20}, "agents": ["hold-at-20", "random"]}
BOT = "import sys, pathlib; pathlib.Path({path!r}).touch(); sys.exit(1)\n"


@pytest.fixture
def lab(tmp_path: Path) -> LabServer:
    return LabServer(tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", FirstMove(), password=WORD)


@pytest.fixture
def client(lab: LabServer) -> Iterator[TestClient]:
    with TestClient(make_app(lab), base_url="http://localhost:8000") as found:
        yield found


def begin(folder: Path, setting: Setting) -> None:
    """A tournament of which nothing has been played yet."""
    folder.mkdir(parents=True)
    Store(folder, setting).extend(setting)


def sign_in(client: TestClient, **body: Any) -> Any:
    return client.post("/api/owner", json=body)


# --- the password -----------------------------------------------------------------------------------------------------
def test_the_password_makes_an_owner(client: TestClient) -> None:
    assert client.get("/api/owner").json() == {"owner": False}
    wrong = sign_in(client, password="correct house")
    assert (wrong.status_code, wrong.json()["code"]) == (403, "owner")
    headers = {"authorization": f"Bearer {sign_in(client, password=WORD).json()['token']}"}
    assert client.get("/api/owner", headers=headers).json() == {"owner": True}
    client.request("DELETE", "/api/owner", headers=headers | {"content-type": "application/json"})
    assert client.get("/api/owner", headers=headers).json() == {"owner": False}


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", f"Bearer {WORD}", "Basic x", "Bearer " + "x" * 5000])
def test_other_headers_make_nobody_owner(client: TestClient, shown: str) -> None:
    assert client.get("/api/owner", headers={"authorization": shown}).json() == {"owner": False}


def test_passwords_cannot_be_tried_out(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still."""
    monkeypatch.setattr("hazard.server.limits.time", SimpleNamespace(monotonic=lambda: 0.0))
    codes = [sign_in(client, password=f"guess {n}").status_code for n in range(2 * TRIES)]
    assert codes == [403] * TRIES + [429] * TRIES
    assert sign_in(client, password=WORD).status_code == 429


def test_right_passwords_are_not_counted() -> None:
    owner = Owner(WORD)
    tokens = {owner.sign_in(WORD) for _ in range(3 * TRIES)}
    assert len(tokens) == 3 * TRIES


def test_a_link_signs_in_once(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = Owner()
    key = owner.link()
    assert owner.sign_in("", key)
    with pytest.raises(Refusal, match="this link has been used, or is old"):
        owner.sign_in("", key)
    old = owner.link()
    monkeypatch.setattr("hazard.server.http.owner.LINK", -1.0)
    stale = owner.link()
    with pytest.raises(Refusal, match="or is old"):
        owner.sign_in("", stale)
    assert owner.sign_in("", old)


def test_tokens_are_not_kept_for_ever() -> None:
    owner = Owner(WORD)
    for _ in range(SIGNED_IN + 20):
        owner.sign_in(WORD)
    assert len(owner._tokens) == SIGNED_IN


def test_short_passwords_are_refused() -> None:
    with pytest.raises(BadInput, match="the owner's password has 4 characters; take 8 or more"):
        Owner("1234")


def test_a_server_without_a_password_has_no_owner() -> None:
    with pytest.raises(Refusal):
        Owner().sign_in("")


# --- what is the owner's ----------------------------------------------------------------------------------------------
def test_strangers_start_and_stop_no_tournament(client: TestClient, lab: LabServer, tmp_path: Path) -> None:
    for path, body in (("", CUP), ("/old/resume", {}), ("/old/cancel", {})):
        answer = client.post(f"/api/tournaments{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "owner")
    assert not (tmp_path / "cups").exists()
    assert lab.tournament_state.runner.name == ""


def test_nobody_has_a_program_run_over_http(client: TestClient, lab: LabServer, tmp_path: Path) -> None:
    """Not even the owner: it is resumed where it was started, from the command line."""
    proof, bot = tmp_path / "it-ran", tmp_path / "bot.py"
    bot.write_text(BOT.format(path=str(proof)))
    setting = msgspec.structs.replace(make(games=4), agents=[str(bot), "hold-at-20", "random"])
    begin(tmp_path / "cups" / "class", setting)
    answer = client.post("/api/tournaments/class/resume", json={}, headers=as_owner(lab))
    assert answer.status_code == 400
    assert "is a program, and no page may start one" in answer.json()["text"]
    assert lab.tournament_state.runner.name == ""
    assert not proof.exists()
    wish = CUP | {"agents": [str(bot), "random"]}
    assert client.post("/api/tournaments", json=wish, headers=as_owner(lab)).status_code == 400
    assert not proof.exists()


def test_a_tournament_beyond_reach_is_refused(client: TestClient, lab: LabServer) -> None:
    wish = {
        "name": "large",
        "game": "great-rolled-ones",
        "parameters": {"goal": 300, "players": 3},
        "agents": ["optimal", "keep-pace", "random"],
        "games": 6,
    }
    answer = client.post("/api/tournaments", json=wish, headers=as_owner(lab))
    assert answer.status_code == 400
    assert "hazard solve" in answer.json()["text"]


def room(client: TestClient) -> Any:
    wish = {"game": "pig", "parameters": {"goal": 15}, "seats": [{}, {"agent": "random"}]}
    return client.post("/api/rooms", json={"room": wish, "sit": {"name": "Rude Word"}}).json()


def test_rooms_and_names_are_removed_by_the_owner(client: TestClient, lab: LabServer) -> None:
    held = room(client)
    place, json_type = f"/api/rooms/{held['room']}", {"content-type": "application/json"}
    for path in (place, f"{place}/names/0"):
        assert client.request("DELETE", path, headers=json_type).status_code == 403
    mine = as_owner(lab) | json_type
    assert client.get(place).json()["seats"][0]["name"] == "Rude Word"
    assert client.request("DELETE", f"{place}/names/0", headers=mine).status_code == 200
    assert client.get(place).json()["seats"][0]["name"] == ""
    assert "Rude Word" not in client.get(f"{place}/file").text
    assert client.request("DELETE", f"{place}/names/1", headers=mine).status_code == 409
    with client.websocket_connect("ws://localhost:8000/ws") as socket:
        socket.send_json({"type": "enter", "room": held["room"], "token": held["token"]})
        assert socket.receive_json()["type"] == "hello"
        assert client.request("DELETE", place, headers=mine).status_code == 200
    assert client.get(place).status_code == 404
    assert client.request("DELETE", place, headers=mine).status_code == 404


def test_a_name_stays_away_after_a_restart(client: TestClient, lab: LabServer) -> None:
    held = room(client)
    mine = as_owner(lab) | {"content-type": "application/json"}
    client.request("DELETE", f"/api/rooms/{held['room']}/names/0", headers=mine)
    lab.rooms._shut(lab.rooms.open[held["room"]])
    assert client.get(f"/api/rooms/{held['room']}").json()["seats"][0]["name"] == ""


# --- what nobody is told ----------------------------------------------------------------------------------------------
def test_no_place_of_this_machine_is_told(client: TestClient, lab: LabServer, tmp_path: Path) -> None:
    begin(tmp_path / "cups" / "old", make(games=4))
    (tmp_path / "cups" / "old" / "ledger.json").write_text("{")
    (tmp_path / "cups" / "odd").mkdir()
    (tmp_path / "cups" / "odd" / "tournament.json").write_text("{")
    paths = ["/api/tournaments", "/api/tournaments/old", "/api/tournaments/odd", "/api/tournaments/odd/games"]
    paths += ["/api/papers", "/api/finished", "/api/games"]
    said = [client.get(path).text for path in paths]
    said += [
        client.post(f"/api/tournaments/{name}/resume", json={}, headers=as_owner(lab)).text for name in ("old", "odd")
    ]
    assert not [text for text in said if str(tmp_path) in text or str(Path.home()) in text]
    assert client.get("/api/tournaments").json()["folder"] == "cups"


@pytest.mark.parametrize("file", ["/etc/hostname", "../../etc/hostname", "/no/such/file", __file__])
def test_no_parameter_names_a_file(client: TestClient, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    monkeypatch.setattr("hazard.files._sealed", True)  # as in every server and worker
    for game, key in (("dice-of-doom", "board"), ("dice-wars", "map")):
        for path in ("/api/positions", "/api/boards", "/api/analysis"):
            answer = client.post(path, json={"game": game, "parameters": {key: file}})
            assert answer.status_code == 400
            assert "this server reads no files" in answer.json()["text"]
        answer = client.post("/api/rooms", json={"room": {"game": game, "parameters": {key: file}}})
        assert "this server reads no files" in answer.json()["text"]

"""Tournaments over HTTP: what they say, their games in rooms, and starting, watching and ending one."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import settle
from hazard.arena.tournament.store import Ledger, opened
from hazard.server.http.app import LabServer, make_app
from hazard.server.limits import Limits
from hazard.server.rooms import game_file as files
from hazard.server.rooms import tournament_game
from hazard.server.rooms.checks import verified
from tests.server.talk import FirstMove, as_owner
from tests.tournaments import EXAMPLES, pig
from tests.waiting import PATIENCE, wait_until

CUP = {"name": "cup", "game": "pig", "parameters": {"goal": 20}, "agents": ["hold-at-20", "hold-at-25", "random"]}


@pytest.fixture
def client(tmp_path: Path, undisturbed: Path) -> Iterator[TestClient]:
    """A server whose folder has one finished tournament."""
    shutil.copytree(undisturbed, tmp_path / "cups" / "old")
    lab = LabServer(tmp_path / "data", Limits(requests=1000.0, tournament=3000), tmp_path / "cups", FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost:8000", headers=as_owner(lab)) as found:
        yield found


def post(client: TestClient, path: str, wish: Any = None) -> Any:
    return client.post(f"/api/tournaments{path}", json=wish or {})


def until(client: TestClient, name: str, true: Callable[[Any], bool]) -> Any:
    """How a tournament stands once it stands so."""
    wait_until(lambda: true(client.get(f"/api/tournaments/{name}").json()))
    return client.get(f"/api/tournaments/{name}").json()


# --- what is there ----------------------------------------------------------------------------------------------------
def test_tournaments_and_what_they_say(client: TestClient) -> None:
    found = client.get("/api/tournaments").json()
    (row,) = found["tournaments"]
    assert (row["name"], row["status"], row["finished"], row["played"]) == ("old", "finished", True, row["total"])
    assert (found["playing"], found["most"]["games"]) == ("", 3000)
    said = client.get("/api/tournaments/old").json()
    assert len(said["ratings"]) == len(said["cross_table"]) == len(row["agents"])
    assert len(said["by_seat"]) == said["seats"]
    for seat in said["by_seat"]:
        assert seat["low"] < seat["mean"] < seat["high"]


def test_a_tournament_that_was_stopped_says_what_it_knows(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "cups" / "old"
    whole = client.get("/api/tournaments/old").json()
    ledger = msgspec.json.decode((folder / "ledger.json").read_bytes(), type=Ledger)
    half_done = msgspec.structs.replace(ledger, entries=ledger.entries[: len(ledger.entries) // 2])
    honest = msgspec.structs.replace(half_done, sha256=half_done.checksum)
    (folder / "ledger.json").write_bytes(msgspec.json.encode(honest))
    (folder / "summary.json").unlink()
    half = client.get("/api/tournaments/old").json()
    assert half["status"] == "stopped"
    assert 0 < half["played"] == half["games_played"] < whole["played"]
    assert [row["agent"] for row in half["ratings"]]


def test_damage_is_told(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "cups" / "old" / "ledger.json").write_text("{")
    (row,) = client.get("/api/tournaments").json()["tournaments"]
    assert "damaged" in row["problem"]
    (tmp_path / "cups" / "old" / "tournament.json").write_text("{")
    assert client.get("/api/tournaments").json()["tournaments"] == []
    assert client.get("/api/tournaments/old").status_code == 400


def test_another_program_at_work(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "cups" / "old" / "summary.json").unlink()
    handle = os.open(tmp_path / "cups" / "old", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        (row,) = client.get("/api/tournaments").json()["tournaments"]
        assert (row["status"], row["here"]) == ("playing", False)
        assert post(client, "/old/cancel").json()["code"] == "state"
    finally:
        os.close(handle)
    assert client.get("/api/tournaments").json()["tournaments"][0]["status"] == "stopped"


# --- games ------------------------------------------------------------------------------------------------------------
def test_games_page_by_page(client: TestClient) -> None:
    agents = client.get("/api/tournaments/old").json()["agents"]
    first = client.get("/api/tournaments/old/games").json()
    second = client.get("/api/tournaments/old/games?page=1").json()
    assert [game["game"] for game in first["games"]] == list(range(20))
    assert second["first"] == second["games"][0]["game"] == 20
    asked = {"agent": agents[0], "against": agents[1], "result": "lost", "order": "longest"}
    lost = client.get("/api/tournaments/old/games", params=asked).json()
    assert 0 < lost["count"] < first["count"]
    assert {game["winner"] for game in lost["games"]} == {agents[1]}
    lengths = [game["length"] for game in lost["games"]]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize("asked", ["agent=nobody", "agent='", "result=x", "order=1", "page=-1", "page=x", "page=1e300"])
def test_bad_filters(client: TestClient, asked: str) -> None:
    answer = client.get(f"/api/tournaments/old/games?{asked}")
    assert (answer.status_code, answer.json()["type"]) == (400, "error")


def test_a_game_in_a_room(client: TestClient) -> None:
    wanted = client.get("/api/tournaments/old/games").json()["games"][5]
    room = post(client, "/old/games/5").json()["room"]
    assert post(client, "/old/games/5").json()["room"] == room
    seen = client.get(f"/api/rooms/{room}").json()
    assert [seat["name"] for seat in seen["seats"]] == wanted["seats"]
    assert seen["events"][-1]["payoffs"] == wanted["payoffs"]
    assert sum(event["type"] == "moved" for event in seen["events"]) == wanted["length"]
    checks = client.get(f"/api/rooms/{room}/verify").json()
    assert checks["passed"]
    assert [check["what"] for check in checks["checks"]] == ["rules", "tournament", "board", "dice"]
    assert client.get("/api/finished").json()["games"] == []  # it is not one of the server's own
    branch = client.post(f"/api/rooms/{room}/branch", json={"seq": 3}).json()
    assert client.get(f"/api/rooms/{branch['room']}").json()["status"] == "playing"


def test_while_programs_play_nobody_is_told_the_seed(client: TestClient, tmp_path: Path) -> None:
    """A game as a file would tell it, too."""
    bot, folder = str(EXAMPLES / "hold20.py"), tmp_path / "cups" / "bots"
    setting = settle(pig(), [bot, "random"], [[0, 1]], games=4, seed=1234, batch=4)
    run(folder, setting)
    assert client.get("/api/tournaments/bots").json()["seed"] == 1234
    assert post(client, "/bots/games/1").status_code == 200
    with opened(folder, msgspec.structs.replace(setting, games=8)):
        pass  # as if it were being extended
    said = client.get("/api/tournaments/bots").text
    assert "1234" not in said
    refused = post(client, "/bots/games/2")
    assert refused.status_code == 400
    assert "when all have been played" in refused.text


def test_a_game_as_a_file_and_with_loaded_dice(client: TestClient) -> None:
    room = post(client, "/old/games/3").json()["room"]
    text = client.get(f"/api/rooms/{room}/file").content
    json_type = {"content-type": "application/json"}
    again = client.post("/api/files", content=text, headers=json_type).json()
    assert all(check["passed"] for check in again["checks"])
    assert client.get(f"/api/rooms/{again['room']}/verify").json()["passed"]
    other = files.read_file(text)
    assert other.tournament is not None
    other.tournament = msgspec.structs.replace(other.tournament, seed=other.tournament.seed + 1)
    assert not all(check.passed for check in verified(other))


def test_nobody_else_says_that_a_room_is_of_a_tournament(client: TestClient) -> None:
    claim = {"tournament": "old", "game": 3, "seed": 1, "line_up": ["a", "b"], "number": 1, "shared": True}
    wish = {"room": {"game": "pig", "seats": [{"agent": "random"}] * 2, "drawn": claim}}
    room = client.post("/api/rooms", json=wish).json()["room"]
    whats = [check["what"] for check in client.get(f"/api/rooms/{room}/verify").json()["checks"]]
    assert "tournament" not in whats


@pytest.mark.parametrize("game", ["999999999", "-1", "x", "1e3"])
def test_games_that_are_not_there(client: TestClient, game: str) -> None:
    assert post(client, f"/old/games/{game}").status_code in (400, 404, 405)


def test_how_games_end() -> None:
    import hazard

    game = hazard.game("pig")
    told = {"over": False, "payoffs": [0.0, 1.0], "faults": [{"seat": 1}], "events": []}
    (forfeit,) = tournament_game._end(game, told, 9)
    assert (forfeit.reason, forfeit.seat) == ("forfeit", 0)  # type: ignore[union-attr]
    (cut,) = tournament_game._end(game, told | {"payoffs": [0.5, 0.5], "faults": []}, 9)
    assert cut.reason == "cut"  # type: ignore[union-attr]
    assert tournament_game._end(game, told | {"payoffs": [0.25, 0.75]}, 9) == []


# --- starting one -----------------------------------------------------------------------------------------------------
def test_one_is_started_and_fills(client: TestClient, tmp_path: Path) -> None:
    assert post(client, "", CUP | {"games": 1000}).json() == {"name": "cup"}
    busy = post(client, "", CUP | {"name": "other", "games": 10})
    assert (busy.status_code, busy.json()["code"]) == (503, "full")
    assert not (tmp_path / "cups" / "other").exists()
    found = until(client, "cup", lambda found: found["status"] == "finished")
    assert found["played"] == found["games_played"] == 3000
    assert found["ratings"][-1]["agent"] == "random"
    again = post(client, "", CUP)
    assert (again.status_code, again.json()["code"]) == (400, "input")
    assert "already" in again.json()["text"]
    assert post(client, "/cup/games/2999").status_code == 200


def test_one_is_cancelled_and_gone_on_with(client: TestClient) -> None:
    assert post(client, "", CUP).status_code == 200
    assert client.get("/api/tournaments").json()["playing"] == "cup"
    assert post(client, "/cup/cancel").status_code == 200
    stopped = client.get("/api/tournaments/cup").json()
    assert (stopped["status"], stopped["problem"]) == ("stopped", "")
    assert post(client, "/cup/cancel").json()["code"] == "state"
    assert post(client, "/cup/resume").status_code == 200
    assert until(client, "cup", lambda found: found["status"] != "playing")["finished"]


BAD = [
    ({"name": ""}, "letters"),
    ({"name": "../up"}, "letters"),
    ({"name": "-rf"}, "letters"),
    ({"name": "a/b"}, "letters"),
    ({"name": "x" * 41}, "40"),
    ({"name": "old"}, "already"),
    ({"game": "chess"}, "chess"),
    ({"parameters": {"goal": -5}}, "goal"),
    ({"agents": ["random"]}, "2 or more"),
    ({"agents": ["random", "random"]}, "twice"),
    ({"agents": ["random", "/bin/true"]}, "/bin/true"),
    ({"agents": ["random", "python3 -c pass"]}, "python3"),
    ({"games": 1001}, "at most 3,000"),
    ({"games": 0}, "games"),
    ({"seed": -1}, "seed"),
    ({"colour": "red"}, "colour"),
    ({"game": "dice-of-doom", "parameters": {}, "agents": ["mcts", "greedy"], "games": 31}, "mcts"),
]


@pytest.mark.parametrize(("wish", "word"), BAD, ids=str)
def test_what_cannot_be_started(client: TestClient, tmp_path: Path, wish: dict[str, Any], word: str) -> None:
    answer = post(client, "", CUP | wish)
    assert answer.status_code == 400
    assert word in answer.json()["text"]
    assert [folder.name for folder in (tmp_path / "cups").iterdir()] == ["old"]


def test_the_reason_is_told_when_one_cannot_go_on(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "cups" / "old"
    setting = (folder / "tournament.json").read_text()
    (folder / "tournament.json").write_text(setting.replace("hold-at-20", "hold-at-25"))
    assert post(client, "/old/resume").status_code == 200
    assert "altered" in until(client, "old", lambda found: found["problem"])["problem"]
    assert "altered" in post(client, "/old/games/1").json()["text"]


@pytest.mark.parametrize("path", ["/nowhere/cancel", "/nowhere/resume", "/nowhere/games/1", "/..%2fdata/resume"])
def test_tournaments_that_are_not_there(client: TestClient, path: str) -> None:
    assert post(client, path).status_code in (404, 405)


def test_a_command_ends_with_its_input(tmp_path: Path) -> None:
    """As it does when the server is killed, in the middle of its work."""
    words = ["tournament", "pig", "random", "hold-at-20", "--games", "1000000000", "--batch", "1000"]
    command = [sys.executable, "-m", "hazard.server.commands.child", *words, "--out", str(tmp_path / "x")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        wait_until(lambda: [*tmp_path.glob("x/games/*")] or process.poll() is not None)
        assert process.poll() is None
        process.stdin.close()
        try:
            assert process.wait(PATIENCE) in (1, 130, -signal.SIGINT)  # ended, or interrupted, even while it loads
        finally:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)

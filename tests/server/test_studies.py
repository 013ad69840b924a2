"""Studies that are made behind the open lab: which, how far, what fails, what stays; and they end with the server."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hazard.server.commands import process
from hazard.server.http.app import LabServer, make_app
from hazard.server.http.papers import ROUTES, all_papers
from hazard.server.limits import Limits
from tests.server.talk import FirstMove
from tests.waiting import PATIENCE, wait_until

QUICK = [name for name, paper in all_papers().items() if paper.quick]
FIRST, SECOND = QUICK
FAKE = """
import sys, time
from pathlib import Path
from hazard.studies.report import REPRODUCED, Finding, Study, write

reproduce, name, out, folder, steps = sys.argv[1:]
assert (reproduce, out, steps) == ("reproduce", "--out", "--steps")
signs = Path(folder).parent
def wait_for(sign):
    while not (signs / f"{name}-{sign}").exists():
        time.sleep(0.01)
print("a line of some library")
print(f'{{"study": "{name}", "doing": "the first part", "done": 0, "planned": 2}}', flush=True)
wait_for("half")
print(f'{{"study": "{name}", "doing": "the last part", "done": 1, "planned": 2}}', flush=True)
wait_for("end")
if (signs / f"{name}-bad").exists():
    sys.exit("Traceback of something\\nhazard: no room on the disk")
write([Study(name, name, "a source", [Finding("here", "it", "1", "1", REPRODUCED)])], Path(folder))
"""


@contextmanager
def lab(tmp_path: Path, reproduce: bool = True) -> Iterator[TestClient]:
    found = LabServer(
        tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", FirstMove(), tmp_path / "results", reproduce
    )
    with TestClient(make_app(found), base_url="http://localhost:8000") as client:
        yield client


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A study that goes on when it is given a sign."""
    (tmp_path / "fake.py").write_text(FAKE)
    monkeypatch.setattr(process, "COMMAND", (sys.executable, str(tmp_path / "fake.py")))

    def give(name: str, *signs: str) -> None:
        for sign in signs:
            (tmp_path / f"{name}-{sign}").touch()

    return give


def until(client: TestClient, name: str, true: Callable[[Any], bool]) -> Any:
    def row() -> Any:
        found = client.get(f"/api/papers/{name}").json()
        return found if true(found) else None

    return wait_until(row)


def status(row: Any) -> str:
    return "there" if row["run"] else row["making"]["status"] if row["making"] else "not run"


def test_studies_are_made_one_after_the_other(tmp_path: Path, fake: Callable[..., None]) -> None:
    with lab(tmp_path) as client:
        row = until(client, FIRST, lambda row: row["making"]["planned"])
        assert row["making"] == {
            "status": "making",
            "doing": "the first part",
            "done": 0,
            "planned": 2,
            "problem": "",
        }
        rows = {row["name"]: status(row) for row in client.get("/api/papers").json()["papers"]}
        assert rows == dict.fromkeys(rows, "not run") | {FIRST: "making", SECOND: "waiting"}
        fake(FIRST, "half")
        assert until(client, FIRST, lambda row: row["making"]["done"])["making"]["doing"] == "the last part"
        fake(FIRST, "end")
        row = until(client, FIRST, lambda row: row["run"])
        assert (row["making"], len(row["study"]["findings"])) == (None, 1)
        fake(SECOND, "half", "end")
        until(client, SECOND, lambda row: row["run"])
        assert client.get(f"/api/papers/{FIRST}").json()["run"], "the second has not replaced the first"


def test_one_that_fails_says_why_and_the_next_goes_on(tmp_path: Path, fake: Callable[..., None]) -> None:
    fake(FIRST, "half", "bad", "end")
    fake(SECOND, "half", "end")
    with lab(tmp_path) as client:
        row = until(client, FIRST, lambda row: status(row) == "failed")
        assert row["making"]["problem"] == "no room on the disk"
        assert row["command"] == f"hazard reproduce {FIRST} --out {tmp_path / 'results'}"
        until(client, SECOND, lambda row: row["run"])
    (tmp_path / f"{FIRST}-bad").unlink()
    with lab(tmp_path) as client:  # the next start goes on with what is missing
        assert status(client.get(f"/api/papers/{SECOND}").json()) == "there"
        until(client, FIRST, lambda row: row["run"])


def test_one_that_is_killed_and_one_that_cannot_start(
    tmp_path: Path, fake: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with lab(tmp_path) as client:
        until(client, FIRST, lambda row: row["making"]["planned"])
        (child,) = children(os.getpid(), "fake.py")
        os.kill(child, signal.SIGKILL)
        assert "outside" in until(client, FIRST, lambda row: status(row) == "failed")["making"]["problem"]
        until(client, SECOND, lambda row: status(row) == "making")
    assert children(os.getpid(), "fake.py") == []
    monkeypatch.setattr(process, "COMMAND", ("/nowhere/python",))
    with lab(tmp_path) as client:
        assert "/nowhere" in until(client, SECOND, lambda row: status(row) == "failed")["making"]["problem"]


def test_only_who_starts_the_lab_can_ask_for_it(tmp_path: Path, fake: Callable[..., None]) -> None:
    assert {method for _, method, _ in ROUTES} == {"GET"}
    with lab(tmp_path, reproduce=False) as client:
        assert {status(row) for row in client.get("/api/papers").json()["papers"]} == {"not run"}
        for path in ("", f"/{FIRST}", f"/{FIRST}/reproduce"):
            assert client.post(f"/api/papers{path}", json={}).status_code in (404, 405)
    assert children(os.getpid(), "fake.py") == []
    words = [sys.executable, "-m", "hazard", "serve", "--reproduce"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, "--reproduce" in done.stderr) == (2, True)


def test_a_damaged_folder_is_told_and_left_alone(tmp_path: Path, fake: Callable[..., None]) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "studies.json").write_text("{")
    with lab(tmp_path) as client:
        assert client.get("/api/papers").json()["code"] == "state"
    assert (tmp_path / "results" / "studies.json").read_text() == "{"


# --- a real server and a real study -----------------------------------------------------------------------------------
def children(pid: int, words: str) -> list[int]:
    """Processes that another has started, by what their command lines have in them."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and words in (place / "cmdline").read_text():
                found.append(int(place.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda sign: sign.name)
def test_the_study_ends_with_the_server(tmp_path: Path, sign: signal.Signals) -> None:
    words = [sys.executable, "-m", "hazard", "lab", "--no-browser", "--port", "0", "--reproduce"]
    words += ["--data", str(tmp_path / "data"), "--results", str(tmp_path / "results")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
        assert server.stdout
        assert b"the lab is open" in server.stdout.readline()
        child = wait_until(lambda: children(server.pid, "reproduce"))[0]
        wait_until(lambda: os.getpriority(os.PRIO_PROCESS, child) >= 10)
        server.send_signal(sign)
        server.wait(PATIENCE)
    wait_until(lambda: not Path(f"/proc/{child}").exists())
    assert not (tmp_path / "results").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["data"], "nothing is left behind"

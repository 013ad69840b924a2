"""The lab's page and its files: every address has one, nothing comes from elsewhere; and the command that opens it."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from hazard.cli import cli, serving
from hazard.declaration import game_names
from hazard.server.http import pages
from hazard.server.http.app import LabServer, make_app
from hazard.server.http.games import _game_data
from hazard.server.http.pages import FOLDER, web_folder
from hazard.server.limits import Limits
from tests.server.talk import FirstMove

GAMES = {f"/static/games/{name}": web_folder(name) for name in game_names()}
FILES = {
    f"{address}/{path.relative_to(folder)}": path
    for address, folder in {"/static": FOLDER, **GAMES}.items()
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".js", ".css", ".html", ".svg")
}
SCRIPTS = [address for address in FILES if address.endswith(".js")]
PAGES = [
    "/",
    "/rooms/0123",
    "/position?game=pig",
    "/games",
    "/explore",
    "/explore/risk",
    "/tournaments",
    "/papers/risk",
    "/atlas",
]
NAMESPACE = "http://www.w3.org/2000/svg"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    lab = LabServer(tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost:8000") as found:
        yield found


@pytest.mark.parametrize("path", PAGES)
def test_every_address_has_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert '<script type="module" src="/static/app.js">' in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_other_addresses_say_so_themselves(client: TestClient) -> None:
    answer = client.get("/nowhere/at/all")
    assert answer.status_code == 404
    assert "/static/app.js" in answer.text


@pytest.mark.parametrize("address", FILES)
def test_files_are_served_and_name_no_other_machine(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert re.findall(r"https?://[\w.-]+", answer.text.replace(NAMESPACE, "")) == []


@pytest.mark.parametrize("address", SCRIPTS)
def test_modules_import_what_is_there(address: str) -> None:
    for name in re.findall(r'(?:from|import\() ?"([./][^"$]*)"', FILES[address].read_text()):
        assert urljoin(address, name) in FILES, name


def test_games_have_web_files_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web = tmp_path / "games" / "dice_of_doom" / "web"
    web.mkdir(parents=True)
    (web / "board.js").write_text("export const board = 1;")
    (web.parent / "rules.py").write_text("secret")
    (web / "away.js").symlink_to(web.parent / "rules.py")
    monkeypatch.setattr(pages, "PACKAGE", tmp_path)
    lab = LabServer(tmp_path / "data", Limits(), tmp_path / "cups", FirstMove())
    with TestClient(make_app(lab), base_url="http://localhost:8000") as client:
        answer = client.get("/static/games/dice-of-doom/board.js")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        for name in ("../rules.py", "..%2frules.py", "%2e%2e/rules.py", "away.js", "none.js", ""):
            assert client.get(f"/static/games/dice-of-doom/{name}").status_code == 404, name
        assert client.get("/static/games/pig/board.js").status_code == 404
        assert _game_data("dice-of-doom")["lab"]["web"] == ["board"]


@pytest.mark.parametrize(
    ("url", "environment", "opened"),
    [
        ("http://127.0.0.1:8000", {"DISPLAY": ":0"}, ["http://127.0.0.1:8000"]),
        ("http://0.0.0.0:9000", {"WAYLAND_DISPLAY": "wayland-0"}, ["http://127.0.0.1:9000"]),
        ("http://127.0.0.1:8000", {}, []),
    ],
)
def test_a_browser_is_opened_where_there_are_windows(
    monkeypatch: pytest.MonkeyPatch, url: str, environment: dict[str, str], opened: list[str]
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(serving.sys, "platform", "linux")
    monkeypatch.setattr(serving.webbrowser, "open", seen.append)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if thread := serving.open_browser(url):
        thread.join()
    assert seen == opened


def test_the_lab_refuses_an_impossible_port() -> None:
    found = CliRunner().invoke(cli, ["lab", "--port", "99999", "--no-browser"], standalone_mode=False)
    assert "must be from 0 to 65535" in str(found.exception)

"""The lab's page and its files: every address has one, nothing comes from elsewhere; and the command that opens it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from hazard.cli import cli, serving
from hazard.server.http.app import LabServer, make_app
from hazard.server.http.pages import FOLDER
from hazard.server.limits import Limits
from tests.server.talk import FirstMove

FILES = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg"))
PAGES = [
    "/",
    "/rooms/0123",
    "/position?game=pig",
    "/games",
    "/explore",
    "/explore/risk",
    "/tournaments",
    "/papers/risk",
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_files_are_served_and_name_no_other_machine(client: TestClient, path: Path) -> None:
    answer = client.get(f"/static/{path.relative_to(FOLDER)}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert re.findall(r"https?://[\w.-]+", answer.text.replace(NAMESPACE, "")) == []


@pytest.mark.parametrize("path", [p for p in FILES if p.suffix == ".js"], ids=lambda p: str(p.relative_to(FOLDER)))
def test_modules_import_what_is_there(path: Path) -> None:
    for name in re.findall(r'(?:from|import\() ?"([./][^"$]*)"', path.read_text()):
        found = FOLDER / name.removeprefix("/static/") if name.startswith("/static/") else path.parent / name
        assert found.is_file(), name


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

"""A server and a real browser for tests of the lab. Without Chromium they are skipped, and say so."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.server_process import Server, serving
from tests.conftest import MISSING
from tests.web.browsing import Visitor
from tests.web.furnished import furnish

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    if CHROMIUM is None:
        pytest.skip(f"{MISSING}the lab in a browser, as there is no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that leave it alive; browsers of tests ask for more than one person would."""
    folder = tmp_path_factory.mktemp("lab")
    with serving(folder, "requests=1000", "pace=0.05", **furnish(folder)) as found:
        yield found


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """One to be killed."""
    with serving(tmp_path, "requests=1000") as found:
        yield found


@pytest.fixture
def visit(browser: object, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Opens the lab, as somebody with a browser of their own; in the end nobody may have seen an error."""
    visitors: list[Visitor] = []

    def come(path: str = "/", url: str = "", **options: object) -> Visitor:
        visitors.append(Visitor(browser, url or server.url, **options))
        return visitors[-1].go(path)

    yield come
    for visitor in visitors:
        visitor.leave()
    assert [error for visitor in visitors for error in visitor.errors] == []

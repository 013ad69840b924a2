"""The page of the atlas in a real browser: its lines are there, and each can be played."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.server_process import Server
from tests.web.browsing import Visitor, get

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("width", [390, 1280])
def test_all_lines_are_shown_with_their_verdicts(visit: Visit, server: Server, width: int, tmp_path: Path) -> None:
    lines = get(server.url, "/api/atlas")["lines"]
    person = visit("/atlas", width=width)
    person.see(".results-table")
    rows = person.page.locator(".results-table tbody tr")
    assert rows.count() == len(lines)
    person.page.screenshot(path=os.environ.get("SHOTS", str(tmp_path)) + f"/atlas-{width}.png", full_page=True)
    for line in lines:
        assert ("value" in line) == line["certified"]
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "nothing is wider than the screen"
    )


def test_a_line_is_played(visit: Visit, server: Server) -> None:
    person = visit("/atlas")
    person.page.get_by_role("button", name="Piglet, 2 points win").click()
    person.can_move()
    assert "/rooms/" in person.page.url
    assert person.play_out() > 0
    person.see(".ending")


def test_the_start_page_keeps_to_its_own_games(visit: Visit, server: Server) -> None:
    all_games = get(server.url, "/api/games")["games"]
    person = visit("/")
    person.see(".card")
    shown = {card.get_attribute("data-game") for card in person.page.locator(".card").all()}
    assert shown == {name for name, game in all_games.items() if not game["atlas"]}

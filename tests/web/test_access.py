"""Everybody can use it: labels, contrast, focus, no sideways scrolling at a phone's width; and pages are small."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.server_process import Server
from tests.web.browsing import SMALL, Visitor, make_room, sign_in
from tests.web.furnished import CUP, STUDIED

Visit = Callable[..., Visitor]
CHECKS = Path(__file__).with_name("checks.js").read_text()
PAGES = {  # with what is there once all is shown
    "/": ".card",
    "/?game=dice-wars": ".setup",
    "/games": "main h1",
    "/explore": ".x-card",
    "/explore/great-rolled-ones?goal=12&dice=3&bust=2": ".x-move",
    "/explore/risk?armies=8": ".x-table",
    "/explore/pickomino?position=p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -": ".x-option",
    "/explore/dice-of-doom?board=2x2&max_dice=2": ".x-option",
    "/tournaments": ".cup",
    f"/tournaments/{CUP}": ".games-table",
    "/papers": ".paper",
    f"/papers/{STUDIED}": ".findings-table",
    "/papers/pickomino": ".how-to-run",
    "/nowhere": ".trouble",
}
WIDTHS, THEMES = (390, 1280), ("light", "dark")
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
MOST = 300_000  # bytes of the first load


def check(visitor: Visitor) -> None:
    """In light and dark colours, once all is loaded and drawn."""
    visitor.page.wait_for_load_state("networkidle")
    for theme in THEMES:
        visitor.page.emulate_media(color_scheme=theme)
        visitor.page.evaluate(DRAWN)
        found = visitor.page.evaluate(CHECKS)
        assert found == [], "\n".join([theme, *found])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", PAGES)
def test_pages(visit: Visit, path: str, width: int) -> None:
    visitor = visit(path, width=width)
    visitor.see(PAGES[path])
    visitor.see("main h1")
    check(visitor)
    visitor.forgive("Failed to load resource")  # the page that is not there


@pytest.mark.parametrize("width", WIDTHS)
def test_the_form_for_a_tournament(visit: Visit, width: int) -> None:
    visitor = visit("/tournaments", width=width)
    sign_in(visitor)
    visitor.see(".starting", state="attached")
    if not visitor.page.locator(".starting").is_visible():
        visitor.page.get_by_text("Start a tournament").click()
    visitor.see(".starting")
    visitor.page.get_by_text("Parameters of the game").click()
    check(visitor)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", SMALL)
def test_boards(visit: Visit, server: Server, game: str, width: int) -> None:
    room = make_room(server.url, game, "", "random")
    visitor = visit(f"/rooms/{room}", width=width)
    visitor.see(".join button.primary").click()
    visitor.see(".board-place .board")
    visitor.can_move()
    check(visitor)


def test_the_first_load_is_small(visit: Visit, browser: object, server: Server) -> None:
    visitor, sizes = visit("/nowhere"), []
    visitor.forgive("Failed to load resource")
    visitor.page.on("response", lambda answer: sizes.append(len(answer.body())))
    visitor.go("/")
    visitor.see(".card")
    visitor.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) < MOST


def test_the_focus_goes_through_all_that_can_be_pressed_in_the_order_it_is_read(visit: Visit) -> None:
    visitor = visit("/")
    visitor.see(".card")
    visitor.page.locator("body").click(position={"x": 1, "y": 1})
    seen = []
    for _ in range(40):
        visitor.page.keyboard.press("Tab")
        here = visitor.page.evaluate(
            "() => { const box = document.activeElement.getBoundingClientRect();"
            " return [document.activeElement.className, box.top, box.left]; }"
        )
        if here[0] == "card":
            seen.append((round(here[1] / 40), here[2]))
        if len(seen) == len(SMALL):
            break
    assert len(seen) == len(SMALL)
    assert seen == sorted(seen)

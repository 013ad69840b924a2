"""Pictures of every page and board of the lab, at two widths, light and dark, for people to look at.

`python -m tests.web.screenshots OUT [PART-OF-A-NAME ...]`; HAZARD_RESULTS names a folder of studies for the papers.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.server_process import serving
from tests.web.browsing import Visitor, make_room, post
from tests.web.conftest import CHROMIUM
from tests.web.making import FAILED, MAKING, WAITING, pretend

LOOKS = [(width, theme) for width in (1280, 390) for theme in ("light", "dark")]
PLACES = {
    "start": "/",
    "start-setup": "/?game=dice-wars",
    "games": "/games",
    "explore": "/explore",
    "explore-great-rolled-ones": "/explore/great-rolled-ones",
    "explore-risk": "/explore/risk",
    "explore-pickomino": "/explore/pickomino",
    "explore-dice-of-doom": "/explore/dice-of-doom",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/small",
    "papers": "/papers",
    "paper": "/papers/great-rolled-ones",
    "position": "/position?game=pig&position=p1+30%3A41+pot+12",
    "position-wrong": "/position?game=pig&position=p1+wrong",
    "nowhere": "/nowhere",
    "room-gone": "/rooms/0000000000000000",
}
MIDDLE: dict[str, tuple[int, int, list[str], dict[str, int | str]]] = {  # moves made, own seat, rivals, parameters
    "pig": (5, 0, ["hold-at-20"], {}),
    "great-rolled-ones": (4, 0, ["keep-pace"], {}),
    "risk": (3, 1, ["koole"], {}),
    "dice-of-doom": (2, 0, ["greedy"], {"board": "3x3", "max_dice": 3}),
    "pickomino": (7, 0, ["turn", "turn"], {"players": 3}),
    "dice-wars": (6, 0, ["ste", "sdc"], {"players": 3}),
}
DEALT = {"dice-of-doom": "3x3 r2 b1 r3 / b2 r1 b3 / r1 b2 r2 | r to move, first attack"}  # the same in every picture
STILL = 400  # milliseconds until a page is as it stays
ANALYSED = 5000


class Photographer:
    """Goes to places and takes a picture in every look."""

    def __init__(self, visitor: Visitor, out: Path, wanted: list[str]) -> None:
        self.visitor, self.out, self.wanted = visitor, out, wanted

    def wants(self, name: str) -> bool:
        return not self.wanted or any(part in name for part in self.wanted)

    def take(self, name: str) -> None:
        page = self.visitor.page
        page.mouse.move(2, 2)
        for width, theme in LOOKS:
            page.set_viewport_size({"width": width, "height": 900 if width > 600 else 844})
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(STILL)
            page.screenshot(path=self.out / f"{name}-{width}-{theme}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 900})

    def place(self, name: str, path: str) -> None:
        self.visitor.go(path).see("main h1")
        self.visitor.page.wait_for_load_state("networkidle")
        with suppress(Exception):  # what is worked out the first time
            self.visitor.page.wait_for_function("() => !document.querySelector('.waiting, .wait')", timeout=60_000)
        for picture in self.visitor.page.locator("img").all():  # those below are loaded when they are seen
            picture.scroll_into_view_if_needed()
        self.visitor.page.evaluate("scrollTo(0, 0)")
        self.take(name)

    def try_to(self, name: str, work: Callable[[], Any]) -> None:
        if not self.wants(name):
            return
        try:
            work()
        except Exception as problem:
            print(f"{name}: {problem}", file=sys.stderr)
        for error in self.visitor.errors:
            print(f"{name}: on the console: {error}", file=sys.stderr)
        self.visitor.errors.clear()

    # --- rooms ------------------------------------------------------------
    def join(self, room: str) -> None:
        self.visitor.go(f"/rooms/{room}").see(".join button.primary").click()
        self.visitor.see(".board-place .board")

    def analysis(self, on: bool) -> None:
        self.visitor.page.get_by_label("Analysis", exact=True).set_checked(on)
        self.visitor.page.wait_for_timeout(ANALYSED if on else 0)

    def middle(self, game: str) -> None:
        moves, seat, rivals, parameters = MIDDLE[game]
        seats = [{"agent": name} for name in rivals]
        seats.insert(seat, {})
        wish = {"game": game, "parameters": parameters, "seats": seats, "start": DEALT.get(game, "")}
        self.join(post(self.visitor.url, "/api/rooms", {"room": wish})["room"])
        for _ in range(moves):
            if self.visitor.can_move():
                sources = self.visitor.page.locator(".board-place [data-from]").count()
                self.visitor.move(self.visitor.page.locator(".board-place [data-move]").count() if sources else 0)
        self.visitor.can_move()
        self.take(f"room-{game}")
        self.analysis(True)
        self.visitor.see(".move-row")
        self.take(f"room-{game}-analysis")
        self.analysis(False)

    def ending(self, game: str) -> None:
        self.join(make_room(self.visitor.url, game, "", "random"))
        self.visitor.play_out()
        self.visitor.page.wait_for_timeout(ANALYSED)
        self.take(f"end-{game}")

    def waiting(self) -> None:
        room = make_room(self.visitor.url, "pig", "", "")
        self.visitor.go(f"/rooms/{room}").see(".join button.primary")
        self.take("room-join")
        self.visitor.see(".join button.primary").click()
        self.visitor.see(".invite")
        self.take("room-waiting")

    def watching(self) -> None:
        """What is seen now and then: looking on, the past, dialogs."""
        room = make_room(self.visitor.url, "great-rolled-ones", "optimal", "keep-pace", goal=50)
        page = self.visitor.go(f"/rooms/{room}").page
        page.wait_for_timeout(ANALYSED)
        self.take("state-watching")
        page.get_by_label("one back (left arrow)").click()
        self.take("state-past")
        for button in ("Share", "Keys ?"):
            self.visitor.press(button)
            self.take(f"state-{button.split()[0].lower()}")
            page.keyboard.press("Escape")

    def making(self) -> None:
        """Papers whose studies are being made."""
        page = self.visitor.page
        names = ("risk", "great-rolled-ones", "pickomino")
        pretend(page, dict(zip(names, (MAKING, WAITING, FAILED), strict=True)))
        self.place("state-papers", "/papers")
        self.place("state-paper", "/papers/risk")
        page.unroute_all()

    def forms(self) -> None:
        """All that can be filled in."""
        page = self.visitor.go("/?game=risk").page
        page.locator(".setup summary").click()
        page.locator(".setup input[name=attackers]").fill("0")
        page.locator(".setup input[name=attackers]").press("Tab")
        self.visitor.see(".setup .problem:visible")
        self.take("state-setup")
        self.visitor.go("/tournaments").see("main summary").click()
        self.take("state-tournament-form")


def tournament(url: str) -> None:
    wish = {"name": "small", "game": "pig", "agents": ["hold-at-20", "hold-at-25", "random"], "games": 200, "seed": 7}
    post(url, "/api/tournaments", wish | {"parameters": {"goal": 50}})


def everything(camera: Photographer) -> None:
    for game in MIDDLE:
        camera.try_to(f"room-{game}", partial(camera.middle, game))
    for game in ("pig", "dice-of-doom", "risk"):
        camera.try_to(f"end-{game}", partial(camera.ending, game))
    camera.try_to("room-waiting", camera.waiting)
    camera.try_to("state-watching", camera.watching)
    camera.try_to("state-forms", camera.forms)
    camera.try_to("state-papers", camera.making)
    for name, path in PLACES.items():
        camera.try_to(name, partial(camera.place, name, path))


def main(out: Path, wanted: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    results = Path(os.environ.get("HAZARD_RESULTS", "results"))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "requests=1000", "pace=0.05", results=results) as server,
        sync_playwright() as playwright,
    ):
        tournament(server.url)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        everything(Photographer(Visitor(browser, server.url), out, wanted))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""Pictures of every page and board of the lab, at two widths, light and dark, for people to look at.

python -m tests.web.screenshots OUT [PART-OF-A-NAME ...]; HAZARD_RESULTS names a folder of studies for the papers.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.server_process import Server
from tests.web.browsing import Visitor, make_room, post
from tests.web.conftest import CHROMIUM

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
    "pig": (5, 0, ["hold-at-20"], {"goal": 100}),
    "great-rolled-ones": (4, 0, ["keep-pace"], {"goal": 50}),
    "risk": (3, 1, ["koole"], {"attackers": 10, "defenders": 10}),
    "dice-of-doom": (2, 0, ["greedy"], {"board": "3x3", "max_dice": 3}),
    "pickomino": (7, 0, ["turn", "turn"], {"players": 3, "tiles": 16, "dice": 8}),
    "dice-wars": (6, 0, ["ste", "sdc"], {"players": 3, "territories": "24", "grid": "28x32", "max_dice": 8, "turns": 500}),
}
STILL = 400  # milliseconds until a page is as it stays
ANALYSED = 5000


class LabServer(Server):
    """A server that shows studies too, if there are any."""

    def start(self, port: int = 0) -> None:
        results = os.environ.get("HAZARD_RESULTS")
        self.limits += ["--results", results] if results else []
        super().start(port)


class Photographer:
    """Goes to places and takes a picture in every look."""

    def __init__(self, visitor: Visitor, out: Path, wanted: list[str]) -> None:
        self.visitor, self.out, self.wanted = visitor, out, wanted

    def wants(self, name: str) -> bool:
        return not self.wanted or any(part in name for part in self.wanted)

    def take(self, name: str) -> None:
        page = self.visitor.page
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
    def join(self, game: str, seat: int, rivals: list[str], **parameters: int | str) -> None:
        seats = [*rivals[:seat], "", *rivals[seat:]]
        self.visitor.go(f"/rooms/{make_room(self.visitor.url, game, *seats, **parameters)}")
        self.visitor.see(".join button.primary").click()
        self.visitor.see(".board-place .board")

    def analysis(self, on: bool) -> None:
        self.visitor.page.get_by_label("Analysis", exact=True).set_checked(on)
        self.visitor.page.wait_for_timeout(ANALYSED if on else 0)

    def middle(self, game: str) -> None:
        moves, seat, rivals, parameters = MIDDLE[game]
        self.join(game, seat, rivals, **parameters)
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
        self.join(game, 0, ["random"])
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


def tournament(url: str) -> None:
    wish = {"name": "small", "game": "pig", "agents": ["hold-at-20", "hold-at-25", "random"], "games": 200, "seed": 7}
    post(url, "/api/tournaments", wish | {"parameters": {"goal": 50}})


def everything(camera: Photographer) -> None:
    for game in MIDDLE:
        camera.try_to(f"room-{game}", lambda game=game: camera.middle(game))
    for game in ("pig", "dice-of-doom", "risk"):
        camera.try_to(f"end-{game}", lambda game=game: camera.ending(game))
    camera.try_to("room-waiting", camera.waiting)
    for name, path in PLACES.items():
        camera.try_to(name, lambda name=name, path=path: camera.place(name, path))


def main(out: Path, wanted: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = LabServer(Path(folder) / "data", "requests=1000", "pace=0.05")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            tournament(server.url)
            everything(Photographer(Visitor(browser, server.url), out, wanted))
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

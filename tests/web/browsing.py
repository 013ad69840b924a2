"""Somebody who uses the lab: sees pages, presses what can be pressed, and notes every error on the console."""

from __future__ import annotations

import json
import urllib.request
from typing import Any, Self

from benchmarks.server_process import PASSWORD
from tests.waiting import PATIENCE

WAIT = 1000 * PATIENCE  # milliseconds: machines are busy, and compile what is analysed for the first time
SMALL: dict[str, dict[str, int | str]] = {  # games that are over soon
    "pig": {"goal": 12},
    "great-rolled-ones": {"goal": 8},
    "risk": {"attackers": 4, "defenders": 3},
    "dice-of-doom": {"board": "2x2", "max_dice": 3},
    "pickomino": {"tiles": 2, "dice": 8},
    "dice-wars": {"territories": "3", "grid": "9x9", "max_dice": 3, "turns": 12},
}
LONGER: dict[str, dict[str, int | str]] = {  # that are not over after a few moves
    "pig": {"goal": 100},
    "great-rolled-ones": {"goal": 50},
    "risk": {"attackers": 15, "defenders": 15},
    "dice-of-doom": {},
    "pickomino": {"tiles": 16, "dice": 8},
    "dice-wars": {"territories": "12", "grid": "20x20", "max_dice": 8, "turns": 100},
}
START = {"dice-of-doom": "2x2 r3 b2 / b2 r3 | r to move, first attack"}  # boards dealt may have nothing to attack
RIVAL = {"pig": "hold-at-20", "great-rolled-ones": "keep-pace", "risk": "koole", "dice-of-doom": "greedy"}
DICE_OF = """(field) => {
  if (!field.matches(".field")) return null;
  field.scrollIntoView({block: "nearest"});
  const number = [...field.parentNode.children].indexOf(field), tokens = field.ownerSVGElement.querySelector(".tokens");
  const {e, f} = tokens.children[number].getScreenCTM();
  return [e, f];
}"""
FAST = "localStorage.setItem('hazard.speed', '\"off\"')"


def get(url: str, path: str, body: bytes | None = None) -> Any:
    request = urllib.request.Request(url + path, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def post(url: str, path: str, body: dict[str, Any]) -> Any:
    return get(url, path, json.dumps(body).encode())


def make_room(url: str, game: str, *seats: str, **parameters: int | str) -> str:
    """A room with agents in the seats that are named; the empty ones are open."""
    wish: dict[str, Any] = {
        "game": game,
        "parameters": SMALL[game] | parameters,
        "seats": [{"agent": s} if s else {} for s in seats],
    }
    wish["start"] = START.get(game, "")
    return post(url, "/api/rooms", {"room": wish})["room"]


class Visitor:
    """A person with a browser."""

    def __init__(self, browser: Any, url: str, width: int = 1280, theme: str = "light", speed: str = "off") -> None:
        self.url = url
        self.forgiven: tuple[str, ...] = ()  # beginnings of errors
        self.errors: list[str] = []
        options = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "reduced_motion": "reduce"}
        self.context = browser.new_context(**options)
        self.context.add_init_script(FAST.replace("off", speed))
        self.context.set_default_timeout(WAIT)
        self.page = self.context.new_page()
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._local)

    def _local(self, request: Any) -> None:
        if not request.url.startswith((self.url, self.url.replace("http", "ws", 1), "data:", "blob:")):
            self.errors.append(f"a request left the machine: {request.url}")

    def go(self, path: str) -> Self:
        self.page.goto(self.url + path)
        return self

    def leave(self) -> None:
        self.context.close()
        self.errors = [error for error in self.errors if not error.startswith(self.forgiven)]

    # --- what is there ------------------------------------------------------------
    def sees(self, words: str) -> Self:
        self.page.get_by_text(words).first.wait_for()
        return self

    def see(self, selector: str, state: str = "visible") -> Any:
        found = self.page.locator(selector).first
        found.wait_for(state=state)
        return found

    def forgive(self, *beginnings: str) -> None:
        """Errors that are meant to be there, or to come."""
        self.forgiven += beginnings

    def press(self, name: str) -> Self:
        self.page.get_by_role("button", name=name, exact=True).first.click()
        return self

    @property
    def room(self) -> str:
        return self.page.url.partition("/rooms/")[2].partition("?")[0]

    @property
    def over(self) -> bool:
        return self.page.locator(".ending:visible").count() > 0

    def position(self) -> str:
        """The position that is shown, as text."""
        return self.see(".board-place[data-position]").get_attribute("data-position")

    def legal(self) -> list[str]:
        return json.loads(self.see(".board-place[data-moves]").get_attribute("data-moves"))

    def shared_link(self) -> str:
        """A link to the position that is shown."""
        self.press("Share")
        return self.page.get_by_label("link to this position", exact=True).input_value()

    # --- playing ------------------------------------------------------------
    def can_move(self) -> bool:
        """Wait until it is for this person to move, or the game is over; whether there is something to choose."""
        self.page.wait_for_function(
            "() => document.querySelector('.board-place [data-move], .board-place [data-from]')"
            " || [...document.querySelectorAll('.ending')].some((end) => end.checkVisibility())"
        )
        return not self.over

    def move(self, n: int = 0) -> None:
        """Make a move by pressing what is on the board: the n-th of those at hand, in one step or two."""
        choices = self.page.locator(".board-place [data-move]")
        before, count = self.moves_made(), choices.count()
        if n < count:
            self.click(choices.nth(n))
        else:
            sources = self.page.locator(".board-place [data-from]")
            self.click(sources.nth((n - count) % sources.count()))
            self.click(self.page.locator(".board-place .field[data-move]").first)
        self.page.wait_for_function(f"() => document.querySelectorAll('.stop-moved').length !== {before}")

    def click(self, target: Any) -> None:
        """Click; on a territory where its dice stand, since the middle of its box may lie in another."""
        place = target.evaluate(DICE_OF)
        if place is None:
            return target.click()
        return self.page.mouse.click(*place)

    def tab_to(self, selector: str, most: int = 120) -> None:
        """Go on by the tabulator key to the next of these."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
                return
        raise AssertionError(f"the focus does not come to {selector}")

    def moves_made(self) -> int:
        return self.page.locator(".stop-moved").count()

    def play_out(self, most: int = 300) -> int:
        """Play until the game is over; how many moves it took. Attacks come first where there are any."""
        for made in range(most):
            if not self.can_move():
                return made
            sources = self.page.locator(".board-place [data-from]").count()
            self.move(self.page.locator(".board-place [data-move]").count() if sources else 0)
        raise AssertionError(f"the game is not over after {most} moves: {self.page.url}")


def sign_in(person: Visitor) -> None:
    """As the owner, where somebody else is only told who may do it."""
    told = person.see(".owners-only", state="attached")
    if not told.is_visible():
        person.page.get_by_text("Start a tournament").click()
    told.get_by_role("button", name="Sign in").click()
    box = person.page.get_by_role("dialog")
    box.get_by_label("Password").fill(PASSWORD)
    box.get_by_role("button", name="Sign in").click()

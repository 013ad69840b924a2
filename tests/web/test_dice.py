"""The dice as a page sees them: its browser takes part, shows it, and tells nothing to a server that lies."""

import json
from collections.abc import Callable
from typing import Any

from benchmarks.server_process import Server
from tests.waiting import wait_until
from tests.web.browsing import Visitor, get, make_room

Visit = Callable[..., Visitor]


def sit_down(visit: Visit, room: str) -> Visitor:
    visitor = visit(f"/rooms/{room}")
    visitor.see(".join button.primary").click()
    visitor.see(".board-place .board")
    return visitor


def taking_part(server: Server, room: str) -> str:
    checks = get(server.url, f"/api/rooms/{room}/verify")["checks"]
    assert all(check["passed"] for check in checks), checks
    return next(check["detail"] for check in checks if check["what"] == "taking part")


def test_the_page_takes_part_in_every_throw_and_says_so(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "", "hold-at-20")
    person = sit_down(visit, room)
    person.play_out()
    person.see(".ending .dice-check.good")
    person.sees("Fair dice: your browser takes part")
    events = get(server.url, f"/api/rooms/{room}")["events"]
    throws = max(event.get("throw", 0) for event in events)
    assert f"seat 0: {throws} of {throws} throws" in taking_part(server, room)
    own = person.page.evaluate("(room) => JSON.parse(localStorage.getItem('hazard.dice'))[room].secret", room)
    assert len(own) == 64
    assert own not in json.dumps(events)
    assert person.page.locator(".dice-alarm:visible").count() == 0


def test_two_browsers_and_a_board_that_is_dealt(visit: Visit, server: Server) -> None:
    """The first leaves before the second comes: the board waits for the part of who is away, and says for whom."""
    room = make_room(server.url, "dice-wars", "", "")
    ann, bob = visit(f"/rooms/{room}"), visit(f"/rooms/{room}")
    ann.see(".join button.primary").click()
    ann.sees("One seat is free.")
    ann.go("/games")
    bob.see(".join button.primary").click()
    bob.sees("The board is being dealt. They wait for")
    ann.go(f"/rooms/{room}")
    for person in (ann, bob):
        person.see(".board-place .board")
    begun = next(event for event in get(server.url, f"/api/rooms/{room}")["events"] if event["type"] == "begun")
    assert [given["seat"] for given in begun["parts"]] == [0, 1]


def test_dice_wait_for_who_is_away_and_fall_when_it_comes_back(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "", "", goal=100)
    ann = visit(f"/rooms/{room}")
    bob = visit(f"/rooms/{room}")
    for person in (ann, bob):
        person.see(".join button.primary").click()
        person.see(".join[hidden]", state="attached")
    ann.can_move()
    bob.go("/games")
    ann.sees("away")
    ann.page.locator(".board-place [data-move]").first.click()
    ann.sees("who takes part in them and is away")
    assert not [e for e in get(server.url, f"/api/rooms/{room}")["events"] if e["type"] == "rolled"]
    bob.go(f"/rooms/{room}")
    wait_until(lambda: any(e["type"] == "rolled" for e in get(server.url, f"/api/rooms/{room}")["events"]))


class Liar:
    """Stands between a page and the server, and changes what the server says."""

    def __init__(self, change: Callable[[dict], list[dict]]) -> None:
        self.change, self.said = change, []

    def stand_between(self, visitor: Visitor) -> None:
        visitor.page.route_web_socket("**/ws", self._connect)

    def _connect(self, page: Any) -> None:
        server = page.connect_to_server()

        def to_server(text: str) -> None:
            self.said.append(json.loads(text))
            server.send(text)

        page.on_message(to_server)
        server.on_message(lambda text: [page.send(json.dumps(m)) for m in self.change(json.loads(text))])

    @property
    def parts(self) -> list[dict]:
        return [message for message in self.said if message["type"] == "part"]


def lied_to(visit: Visit, server: Server, change: Callable[[dict], list[dict]]) -> tuple[Visitor, Liar]:
    room = make_room(server.url, "pig", "", "hold-at-20", goal=100)
    person, liar = visit("/games"), Liar(change)
    liar.stand_between(person)
    person.go(f"/rooms/{room}")
    person.see(".join button.primary").click()
    return person, liar


def test_a_server_that_asks_for_a_part_too_early_does_not_get_it(visit: Visit, server: Server) -> None:
    def early(message: dict) -> list[dict]:
        asked = {"type": "throw", "throw": 1, "at": message.get("ask")}
        return [message, asked] if message["type"] == "ask" else [message]

    person, liar = lied_to(visit, server, early)
    person.see(".dice-alarm:visible")
    assert "where it must not tell it" in person.see(".dice-alarm").inner_text()
    assert liar.parts == []


def test_a_server_that_asks_again_for_other_dice_does_not_get_it(visit: Visit, server: Server) -> None:
    """After a reload the server shows another game than that for which the part was told."""
    lying = []

    def rewritten(message: dict) -> list[dict]:
        if lying and message["type"] == "snapshot":
            text = json.dumps(message).replace("p1 0:0 pot 0 rolling", "p1 5:0 pot 0 rolling")
            message = json.loads(text)
            before = [event for event in message["events"] if event["type"] != "rolled"]
            asked = {"type": "throw", "throw": 1, "at": before[-1]["seq"]}
            return [message | {"events": before, "seq": before[-1]["seq"]}, asked]
        return [message]

    person, liar = lied_to(visit, server, rewritten)
    person.can_move()
    person.move()
    person.see(".stop-rolled")  # a loop of one's own would keep the liar from working
    assert len(liar.parts) >= 1
    told = list(liar.parts)
    lying.append(True)
    person.page.reload()
    person.see(".dice-alarm:visible")
    assert liar.parts == told


def test_a_part_that_is_left_out_or_changed_is_noticed(visit: Visit, server: Server) -> None:
    def changed(message: dict) -> list[dict]:
        if message["type"] == "rolled" and message.get("parts"):
            message["parts"][0]["part"] = "0" * 32
        return [message]

    def without(message: dict) -> list[dict]:
        message.pop("parts", None)
        return [message]

    for change, words in ((changed, "not the one it promised"), (without, "not all parts are in it")):
        person, _ = lied_to(visit, server, change)
        person.can_move()
        person.move()
        person.see(".dice-alarm:visible")
        assert words in person.see(".dice-alarm").inner_text()

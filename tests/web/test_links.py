"""Links, files, and what goes wrong: the page says so in words and offers the way back. And a server that is killed."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from benchmarks.server_process import Server
from tests.web.browsing import Visitor, get, make_room, post

Visit = Callable[..., Visitor]
TURN = "p1 3:4 pot 5"


def test_a_shared_link_opens_the_same_position(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "", "hold-at-20", goal=100)
    person = visit(f"/rooms/{room}")
    person.see(".join button.primary").click()
    for _ in range(3):
        person.can_move()
        person.move()
    person.can_move()
    person.page.keyboard.press("Home")
    person.page.keyboard.press("ArrowRight")
    shown = person.position()
    link = person.shared_link()
    other = visit(link.removeprefix(server.url))
    other.see(".board")
    assert other.see(".position-text").inner_text() == shown


def test_a_position_can_be_opened_and_played_from(visit: Visit) -> None:
    person = visit(f"/position?game=pig&goal=12&position={quote(TURN)}")
    person.see(".board")
    person.press("Play from here")
    person.page.wait_for_url("**/rooms/**")
    person.can_move()
    assert person.position() == TURN
    assert person.room


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"/position?game=pig&goal=12&position={quote('p9 3:4')}", "p9 3:4"),
        ("/position?game=chess&position=x", "chess"),
        (f"/position?game=pig&goal=0&position={quote(TURN)}", "goal"),
        ("/rooms/0123456789abcdef", "no room"),
        ("/nowhere", "no such page"),
        ("/tournaments/nothing-of-that-name", "nothing-of-that-name"),
    ],
)
def test_a_bad_link_is_told_in_words(visit: Visit, path: str, words: str) -> None:
    person = visit(path)
    person.sees(words)
    person.forgive("Failed to load resource")  # the browser notes every refused request by itself
    person.page.get_by_role("link", name="To the start page").click()
    person.see(".card")


def test_impossible_parameters_are_told(visit: Visit) -> None:
    person = visit()
    person.page.locator('.card[data-game="dice-of-doom"]').click()
    person.page.get_by_label("board").first.fill("99x99")
    person.press("Play")
    assert "99x99" in person.see(".setup .problem:visible").inner_text()
    person.forgive("Failed to load resource")
    assert not person.room


def test_a_file_is_downloaded_and_loaded_again(visit: Visit, server: Server, tmp_path: Path) -> None:
    room = make_room(server.url, "pig", "hold-at-20", "random")
    person = visit(f"/rooms/{room}")
    person.see(".ending")
    with person.page.expect_download() as begun:
        person.page.get_by_role("link", name="Download").click()
    begun.value.save_as(tmp_path / "game.json")
    made = person.moves_made()
    person.go("/games")
    person.see("input[type=file]", state="attached").set_input_files(tmp_path / "game.json")
    person.page.get_by_role("link", name="Look at the game").click()
    person.page.wait_for_url("**/rooms/*")
    person.see(".stop-moved")
    assert person.room != room
    assert person.moves_made() == made


@pytest.mark.parametrize("text", ["not a game", json.dumps({"hazard": "game", "version": 99})])
def test_a_file_that_is_not_a_game_is_told(visit: Visit, tmp_path: Path, text: str) -> None:
    (tmp_path / "file.json").write_text(text)
    person = visit("/games")
    person.see("input[type=file]", state="attached").set_input_files(tmp_path / "file.json")
    person.see(".problem:visible, .notice")
    person.forgive("Failed to load resource")
    assert "/games" in person.page.url


def test_a_server_that_is_killed_and_comes_back(own_server: Server, visit: Visit) -> None:
    room = make_room(own_server.url, "pig", "", "hold-at-20", goal=30)
    person = visit(f"/rooms/{room}", url=own_server.url)
    person.see(".join button.primary").click()
    person.can_move()
    person.move()
    person.can_move()
    before, port = person.position(), own_server.port
    own_server.kill()
    person.sees("The connection is lost")
    own_server.start(port)
    person.page.wait_for_function("() => document.querySelector('.bar.bad').hidden")
    person.forgive("WebSocket connection", "Failed to load resource")
    person.can_move()
    assert person.position() == before
    person.play_out()


def test_branching_off_leaves_the_game_as_it_is(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "", "hold-at-20", goal=30)
    person = visit(f"/rooms/{room}")
    person.see(".join button.primary").click()
    person.can_move()
    person.move()
    person.can_move()
    before = person.position()
    person.press("What if ...")
    person.page.wait_for_function(f"() => !location.pathname.endsWith('{room}')")
    person.can_move()
    assert person.position() == before
    person.play_out()
    assert get(server.url, f"/api/rooms/{room}")["status"] == "playing"


def test_positions_are_asked_for_without_a_room(server: Server) -> None:
    found = post(server.url, "/api/positions", {"game": "pig", "parameters": {"goal": 12}, "position": TURN})
    assert found["moves"] == {"roll": f"{TURN} rolling", "hold": "p2 8:4 pot 0"}

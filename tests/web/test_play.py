"""Whole games by clicks in a real browser, for every game: against an agent, with analysis, taken back, reloaded."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from benchmarks.server_process import Server
from tests.waiting import wait_until
from tests.web.browsing import LONGER, RIVAL, SMALL, Visitor, make_room, sign_in

Visit = Callable[..., Visitor]


def sit_down(visit: Visit, server: Server, game: str, **parameters: int | str) -> Visitor:
    room = make_room(server.url, game, "", RIVAL.get(game, "random"), **parameters)
    visitor = visit(f"/rooms/{room}")
    visitor.see(".join button.primary").click()
    visitor.see(".board-place .board")
    return visitor


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_game_by_clicks(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game)
    assert person.play_out() > 0
    person.see(".ending")


@pytest.mark.parametrize("game", SMALL)
def test_two_clicks_start_a_game(visit: Visit, game: str) -> None:
    person = visit()
    person.page.locator(f'.card[data-game="{game}"]').click()
    person.press("Play")
    person.see(".board-place .board")
    assert person.room


@pytest.mark.parametrize("game", SMALL)
def test_analysis_says_what_every_move_is_worth(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game)
    person.can_move()
    moves = set(person.legal())
    assert person.page.locator(".move-row").count() == 0
    person.page.get_by_label("Analysis", exact=True).check()
    person.page.wait_for_function(f"() => document.querySelectorAll('.move-row').length === {len(moves)}")
    assert {row.get_attribute("data-of") for row in person.page.locator(".move-row").all()} == moves
    assert person.see(".known-place").inner_text().split()[0] in ("exact", "network", "rollout")


@pytest.mark.parametrize("game", LONGER)
def test_a_move_is_taken_back(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game, **LONGER[game])
    person.can_move()
    before = person.position()
    person.move()
    person.press("Take back")
    person.sees("taken back").sees("took back once")
    person.can_move()
    assert person.position() == before


@pytest.mark.parametrize("game", LONGER)
def test_a_reload_in_the_middle_loses_nothing(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game, **LONGER[game])
    person.can_move()
    person.move()
    assert person.can_move()
    before, made, moves = person.position(), person.moves_made(), person.legal()
    person.page.reload()
    person.can_move()
    assert (person.position(), person.moves_made(), person.legal()) == (before, made, moves)
    person.move()


def test_a_first_step_can_be_undone(visit: Visit, server: Server) -> None:
    person = sit_down(visit, server, "dice-of-doom")
    person.can_move()
    sources = person.page.locator(".board-place [data-from]").count()
    person.page.locator(".board-place [data-from]").first.click()
    person.see(".board-place .field[data-move]")
    person.page.keyboard.press("Escape")
    person.page.wait_for_function("() => !document.querySelector('.board-place .field[data-move]')")
    assert person.page.locator(".board-place [data-from]").count() == sources
    assert person.moves_made() == 0


def test_by_keyboard_alone(visit: Visit) -> None:
    person = visit()
    person.see('.card[data-game="pig"]').focus()
    person.page.keyboard.press("Enter")
    person.page.get_by_role("button", name="Play", exact=True).wait_for()
    person.page.keyboard.press("Enter")  # the focus has gone there
    person.see(".board-place .board")
    for made in range(3):
        person.can_move()
        person.page.keyboard.press("r")
        person.page.wait_for_function(f"() => document.querySelectorAll('.stop-moved').length > {made}")
    person.page.keyboard.press("Home")
    person.see(".bar.past")
    person.page.keyboard.press("End")
    person.page.wait_for_function("() => document.querySelector('.bar.past').hidden")


@pytest.mark.parametrize("game", LONGER)
def test_moves_by_keyboard_alone(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game, **LONGER[game])
    for made in range(2):
        assert person.can_move()
        person.tab_to(".board-place [data-move], .board-place [data-from]")
        person.page.keyboard.press("Enter")
        if person.page.evaluate("() => document.activeElement.matches('[data-from]')"):
            person.tab_to(".board-place .field[data-move]")
            person.page.keyboard.press("Enter")
        person.page.wait_for_function(f"() => document.querySelectorAll('.stop-moved').length > {made}")


def test_two_browsers_against_each_other(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "", "")
    ann, bob = visit(f"/rooms/{room}"), visit(f"/rooms/{room}", width=390)
    for person in (ann, bob):
        person.see(".join button.primary").click()
        person.see(".join[hidden]", state="attached")

    def moved_to_the_end() -> bool:
        for person in (ann, bob):
            if person.page.locator(".board-place [data-move]").count():
                person.move()
        return ann.over and bob.over

    wait_until(moved_to_the_end)
    assert ann.position() == bob.position()


def test_agents_can_be_watched(visit: Visit, server: Server) -> None:
    room = make_room(server.url, "pig", "hold-at-20", "random")
    watcher = visit(f"/rooms/{room}")
    watcher.see(".ending")
    assert watcher.page.locator(".board-place [data-move]").count() == 0
    assert watcher.moves_made() > 0


# --- games that bring nothing of their own ----------------------------------------------------------------------------
def bare(visit: Visit, game: str, path: str) -> Visitor:
    """Somebody for whom a game has no board, no card and no page to explore."""

    def without(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["games"][game]["lab"] |= {"web": [], "invitation": "", "opponents": [], "watch": [], "shown": []}
        route.fulfill(response=answer, json=told)

    person = visit("/papers")
    person.page.route("**/api/games", without)
    return person.go(path)


@pytest.mark.parametrize("game", SMALL)
def test_a_game_without_a_board_of_its_own_is_played_on_a_plain_one(visit: Visit, server: Server, game: str) -> None:
    person = bare(visit, game, f"/rooms/{make_room(server.url, game, '', RIVAL.get(game, 'random'))}")
    person.see(".join button.primary").click()
    person.see(".table-plain")
    person.can_move()
    assert person.see(".table-plain .position-text").inner_text() == person.position()
    assert {row.get_attribute("data-move") for row in person.page.locator(".choice").all()} == set(person.legal())
    assert person.play_out() > 0
    person.see(".ending")


def test_a_game_that_the_lab_knows_nothing_about_has_all_its_pages(visit: Visit) -> None:
    person = bare(visit, "risk", "/")
    person.see('.card[data-game="risk"] .card-picture .die')
    person.page.locator('.card[data-game="risk"]').click()
    person.press("Play")
    person.see(".table-plain")
    person.go("/position?game=risk&position=a10 d8 roll 5-4").see(".table-plain .choice")
    person.go("/explore").see(".x-card")
    assert person.page.locator(".x-card").count() == 3
    person.go("/explore/risk").sees("There is no solved game risk here.")
    sign_in(person.go("/tournaments"))
    person.see(".starting", state="attached")
    if not person.page.locator(".starting").is_visible():
        person.page.get_by_text("Start a tournament").click()
    person.see(".starting select").select_option("risk")
    chosen = [box.get_attribute("value") for box in person.page.locator(".agent-choice input:checked").all()]
    assert len(chosen) > 1
    assert "optimal" not in chosen  # it would have to be solved first

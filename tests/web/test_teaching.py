"""The lab teaches: reasons for moves, and hints that come one at a time."""

import re
from collections.abc import Callable

import pytest

from benchmarks.server_process import Server
from tests.web.browsing import LONGER, RIVAL, SMALL, Visitor, get, make_room, post

Visit = Callable[..., Visitor]


def sit_down(visit: Visit, server: Server, game: str, **options: int | str) -> Visitor:
    parameters = {**LONGER.get(game, {}), **{k: v for k, v in options.items() if k not in ("width", "theme")}}
    look = {k: v for k, v in options.items() if k in ("width", "theme")}
    room = make_room(server.url, game, "", RIVAL.get(game, "random"), **parameters)
    visitor = visit(f"/rooms/{room}", **look)
    visitor.see(".join button.primary").click()
    visitor.see(".board-place .board")
    visitor.can_move()
    return visitor


@pytest.mark.parametrize("game", SMALL)
def test_the_best_move_has_a_reason(visit: Visit, server: Server, game: str) -> None:
    person = sit_down(visit, server, game)
    parameters = {**SMALL[game], **LONGER.get(game, {})}
    request = {"game": game, "parameters": parameters, "position": person.position(), "games": 10}
    best = post(server.url, "/api/analysis", request)["moves"][0]
    person.page.get_by_label("Analysis", exact=True).check()
    person.see(".move-row")
    if best["why"]:  # nothing is said where the same would be said of every move
        said = person.see(".move-list li:first-child .why").inner_text()
        assert re.match(r"[A-Z].*[.]$", said), said


@pytest.mark.parametrize("width", [1280, 390])
def test_a_hint_comes_one_at_a_time(visit: Visit, server: Server, width: int) -> None:
    """First how much hangs on it and a fact, then the move; the analysis stays off; the next decision begins anew."""
    person = sit_down(visit, server, "pig", goal=100, width=width)
    while person.can_move() and set(person.legal()) != {"roll", "hold"}:
        person.move()
    hint = person.see(".hint-words", state="hidden")
    person.press("Hint")
    person.sees("The second best move costs")
    assert "Play" not in hint.inner_text()
    assert person.page.locator(".move-row").count() == 0
    person.press("Show the move")
    person.see(".hint-words .why")
    best = re.match(r"Play (\w+)", hint.inner_text())
    assert best
    assert person.page.locator(f'.board-place [data-move="{best[1]}"].hint').count() == 1
    person.page.locator(f'.board-place [data-move="{best[1]}"]').click()
    hint.wait_for(state="hidden")


def test_there_is_no_hint_without_analysis(visit: Visit, server: Server) -> None:
    wish = {"game": "pig", "seats": [{}, {"agent": "random"}], "analysis": False}
    person = visit(f"/rooms/{post(server.url, '/api/rooms', {'room': wish})['room']}")
    person.see(".join button.primary").click()
    person.can_move()
    assert person.page.get_by_role("button", name="Hint", exact=True).is_disabled()


def test_a_game_ends_with_its_story_and_all_mistakes(visit: Visit, server: Server) -> None:
    """Who always holds at once gives much away: the story says so; a mistake can be tried again, its answer hidden."""
    person = sit_down(visit, server, "pig", goal=25)
    while person.can_move():
        person.move(person.legal().index("hold") if "hold" in person.legal() else 0)
    person.see(".ending")
    story = person.see(".story:not(:empty)").inner_text()
    assert re.match(
        r"You gave away [\d.]+ percentage points in \w+ moves?(; the dice (gave|cost) you [\d.]+ .*)?\.", story
    )
    items = person.page.locator(".costly > li")
    person.see(".costly > li .small-board .board")
    if person.page.locator(".review .more:visible").count():
        before = items.count()
        person.page.locator(".review .more").click()
        assert items.count() > before
    assert "better was roll" in items.first.inner_text()
    items.first.get_by_role("button", name=re.compile("try again")).click()
    person.see(".costly .puzzle")
    assert "better was" not in items.first.inner_text()
    items.first.locator('.puzzle [data-move="roll"]').click()
    person.sees("✓ Right.")
    items.first.get_by_role("button", name=re.compile("look at")).click()
    person.see(".bar.past")


# --- puzzles ------------------------------------------------------------------------------------------------------
PUZZLED = ["pig", "great-rolled-ones", "risk", "pickomino", "dice-of-doom"]
REMEMBERED = "(game) => JSON.parse(localStorage.getItem('hazard.learn') ?? '{}')[game]?.puzzles ?? {}"


def answer(person: Visitor, game: str) -> list[str]:
    """The choices of the puzzle that is shown, the best first."""
    number = person.page.url.rpartition("/")[2]
    return [choice["move"] for choice in get(person.url, f"/api/puzzles/{game}/{number}")["choices"]]


def press(person: Visitor, move: str) -> None:
    """Make a move that is pressed on the board, in one step or two."""
    target = person.page.locator(f'.board-place [data-move="{move}"]')
    if not target.count():
        person.click(person.page.locator(f'.board-place [data-from="{move.split("-")[0]}"]').first)
    person.click(target.first)


@pytest.mark.parametrize("game", PUZZLED)
def test_a_puzzle_is_solved(visit: Visit, server: Server, game: str) -> None:
    """The answer is hidden until a move is made; then it says why, what others cost, and goes on to another."""
    number = get(server.url, f"/api/puzzles/{game}")["puzzles"][0]["id"]
    person = visit(f"/learn/{game}/{number}")
    person.sees("What is the best move?")
    assert person.page.locator(".puzzle-moves, .puzzle-answer .why").count() == 0
    moves = answer(person, game)
    press(person, moves[0])
    person.sees("✓ Right.")
    person.see(".puzzle-answer .why")
    assert person.page.locator(".puzzle-moves tbody tr").count() == len(moves)
    assert person.page.evaluate(REMEMBERED, game)[number]["right"] is True
    person.press("Next puzzle")
    person.page.wait_for_function("(old) => !location.pathname.endsWith(old)", arg=number)
    person.sees("What is the best move?")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_puzzle_is_missed_and_comes_again(visit: Visit, server: Server, width: int) -> None:
    person = visit("/learn/risk", width=width)
    person.sees("What is the best move?")
    number, moves = person.page.url.rpartition("/")[2], answer(person, "risk")
    press(person, moves[-1])
    person.sees("Not the best.")
    assert person.page.locator(".puzzle-moves").count() == 0
    person.press("Show the answer")
    person.see(".puzzle-moves")
    kept = person.page.evaluate(REMEMBERED, "risk")[number]
    assert (kept["right"], kept["box"]) == (False, 0)
    later = "(game) => { const all = JSON.parse(localStorage.getItem('hazard.learn')); "
    later += "for (const one of Object.values(all[game].puzzles)) one.due = 1; "
    later += "localStorage.setItem('hazard.learn', JSON.stringify(all)); }"
    person.page.evaluate(later, "risk")
    person.go("/learn/risk").sees("What is the best move?")
    assert person.page.url.rpartition("/")[2] == number


def test_the_puzzle_of_the_day_is_the_same_for_everybody(visit: Visit) -> None:
    shown = [visit("/learn/pig/today").see(".board-place[data-position]").get_attribute("data-position") for _ in "ab"]
    assert shown[0] == shown[1]


def test_a_puzzle_that_is_not_there(visit: Visit) -> None:
    person = visit("/learn/nothing")
    person.sees("There are no puzzles of nothing here.")
    gone = visit("/learn/pig/00000000")
    gone.forgive("Failed to load resource")
    gone.sees("there is no puzzle")


def test_a_puzzle_by_keyboard(visit: Visit, server: Server) -> None:
    person = visit("/learn/pig")
    person.sees("What is the best move?")
    person.tab_to('.board-place [data-move="roll"]')
    person.page.keyboard.press("Enter")
    person.page.wait_for_function("() => /Right|Not the best/.test(document.querySelector('.puzzle-said').innerText)")

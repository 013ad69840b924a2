"""The adviser of Pickomino and the boards of Dice of Doom in a real browser, set up by clicks and by keys."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

import hazard
from hazard.solving.solution import solved
from tests.tournaments import hazard_command
from tests.web.browsing import Visitor
from tests.web.exploring import in_address, opened, percent, shown

Visit = Callable[..., Visitor]
DOOM = "/explore/dice-of-doom?board=2x2&max_dice=2"
FORTUNE = "2x2 r2 b1 / r1 b2 | r to move, first attack"


# --- Pickomino --------------------------------------------------------------------------------------------------------
def advised(position: str) -> list[dict[str, Any]]:
    """What `hazard advise` says."""
    done = hazard_command("advise", "pickomino", position, "-p", "empty=keep", "--json")
    return json.loads(done.stdout)["moves"]


def options(person: Visitor, rows: list[dict[str, Any]]) -> None:
    """The advice has these moves and values, best first."""
    person.see(".x-option")
    expect(person.page.locator(".x-option").first).to_have_attribute("data-option", rows[0]["move"])
    found = [option.get_attribute("data-option") for option in person.page.locator(".x-option").all()]
    assert found == [row["move"] for row in rows]
    shown(person, ".x-options > li > strong", [percent(row["value"], 1) for row in rows])


def test_dice_are_pressed_in_and_advice_is_given(visit: Visit) -> None:
    person = visit("/explore/pickomino")
    person.sees("Roll all eight dice")
    for name in ("one", "one", "three", "four", "four", "five", "worm", "worm"):
        person.page.get_by_label(f"{name}, as rolled", exact=True).click()
    options(person, advised("p1 kept - rolled 113445ww centre 21-36 stacks - / - turned -"))
    person.page.locator("[data-option='keep ww']").click()
    person.sees("Roll 6 dice")
    person.page.keyboard.type("22345w")
    person.page.keyboard.press("Backspace")
    person.sees("1 more die to press in")
    person.page.keyboard.type("5")
    options(person, advised("p1 kept ww rolled 223455 centre 21-36 stacks - / - turned -"))
    person.press("Take back")
    expect(person.page.locator("[data-option='keep ww']")).to_be_visible()


def test_tiles_lie_where_they_are_put(visit: Visit) -> None:
    person = visit("/explore/pickomino")
    person.sees("Roll all eight dice")
    person.press("Player 2")
    person.page.get_by_label("tile 27, 2 worms, in the centre", exact=True).click()
    person.press("Out")
    person.page.get_by_label("tile 36, 4 worms, in the centre", exact=True).press("Enter")
    person.sees("27; 2 worms")
    person.page.keyboard.type("44455w")
    person.press("Clear the roll")
    person.page.keyboard.type("4445512w")
    position = "p1 kept - rolled 1244455w centre 21-26,28-35 stacks - / 27 turned 36"
    options(person, advised(position))
    in_address(person, position=position)


def test_a_roll_that_shows_nothing_new(visit: Visit) -> None:
    person = visit("/explore/pickomino?position=p1 kept 445w rolling centre 21-24,27-36 stacks 25 / 26 turned -")
    person.sees("Roll 4 dice")
    person.page.keyboard.type("445w")
    person.sees("the turn has failed")
    person.page.locator(".x-advice").get_by_role("button", name="Next player").click()
    person.sees("Player 2's turn")
    in_address(person, position="p2 kept - rolling centre 21-25,27-35 stacks - / 26 turned 36")
    person.go("/explore/pickomino?position=nonsense").sees("is not a position of Pickomino")


# --- Dice of Doom -----------------------------------------------------------------------------------------------------
def doom() -> hazard.Game:
    return hazard.game("dice-of-doom", board="2x2", max_dice=2, turns=0)


def judged(person: Visitor, position: str) -> None:
    """Chances and moves are those of the solution."""
    expect(person.page.locator(".x-code")).to_have_text(position)
    solution, where = solved(doom()), doom().parse(position)
    shown(person, ".x-sides strong", [percent(value) for value in solution.value(where)])
    rows = solution.advise(where)
    shown(person, ".x-options > li > strong", [percent(row.value) for row in rows])
    found = {option.get_attribute("data-option") for option in person.page.locator(".x-option").all()}
    assert found == {row.move for row in rows}
    assert person.see(".x-advice .x-known").inner_text() == "exact"


def test_a_position_is_set_up_by_clicking(visit: Visit) -> None:
    person = visit(DOOM)
    for name, wanted in {"a1": "red, 2 dice", "a2": "blue, 1 die", "b1": "red, 1 die", "b2": "blue, 2 dice"}.items():
        field = person.see(f"[data-field={name}]")
        for _ in range(4):
            if wanted not in field.get_attribute("aria-label"):
                field.click()
    for group, choice in (("Turn", "red"), ("In it", "first attack")):
        person.page.get_by_role("group", name=group, exact=True).get_by_role("button", name=choice).click()
    judged(person, FORTUNE)
    person.page.get_by_role("link", name="Open it on the board").click()
    assert person.see(".position-text").inner_text() == FORTUNE


def test_a_position_is_set_up_by_keys(visit: Visit) -> None:
    person = visit(f"{DOOM}&position={FORTUNE}")
    judged(person, FORTUNE)
    person.page.locator("[data-field=a1]").focus()
    for key in ("ArrowRight", "2", "r", "ArrowDown", "2"):
        person.page.keyboard.press(key)
    changed = "2x2 r2 r2 / r2 b2 | r to move, first attack"
    judged(person, changed)
    in_address(person, position=changed)
    person.press("Take back")
    judged(person, "2x2 r2 r2 / r1 b2 | r to move, first attack")


def test_moves_are_tried_and_taken_back(visit: Visit) -> None:
    person = visit(f"{DOOM}&position={FORTUNE}")
    judged(person, FORTUNE)
    move = person.see(".x-option").get_attribute("data-option")
    after = doom().parse(FORTUNE).move(move)
    chances = [f"{way.text}, {percent(way.probability, 1)}" for way in after.outcomes()]
    person.see(".x-option").click()
    shown(person, ".x-advice .x-buttons button", [*chances, "Another move"])
    person.page.locator(".x-advice .x-buttons button").first.click()
    judged(person, str(after.outcomes()[0].position))
    person.press("Take back")
    judged(person, FORTUNE)
    assert opened(person) == FORTUNE


def test_positions_in_which_there_is_nothing_to_choose(visit: Visit) -> None:
    over = "2x2 r2 r1 / r1 b1 | b to move, over"
    person = visit(f"{DOOM}&position={FORTUNE}")
    judged(person, FORTUNE)
    for name, key in (("a2", "r"), ("b2", "1")):
        person.page.locator(f"[data-field={name}]").press(key)
    person.page.get_by_role("button", name="blue", exact=True).first.click()
    person.sees("the game is over: red wins, 3 tiles to 1")
    in_address(person, position=over)
    person.page.reload()
    person.sees("the game is over: red wins, 3 tiles to 1")
    assert opened(person) == over
    person.page.locator("[data-field=b2]").press("r")
    person.sees("but blue has no tile")
    expect(person.page.get_by_role("link", name="Open it on the board")).to_be_hidden()
    person.go(f"{DOOM}&position=2x2 r2").sees("2x2 r2")
    person.forgive("Failed to load resource")
    person.page.get_by_role("link", name="Solved games").first.click()
    person.see(".x-card")

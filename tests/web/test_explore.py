"""Maps and tables of solved games in a real browser, by clicks and by keys: what is read is what solutions say."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

import hazard
from hazard.games.risk.exact import Battles, battles
from hazard.games.risk.koole import Problem
from hazard.solving.solution import solved
from tests.web.browsing import Visitor
from tests.web.exploring import in_address, opened, percent, shown

Visit = Callable[..., Visitor]
GREAT = "/explore/great-rolled-ones?goal=12&dice=3&bust=2"
EDGE, CELL = (44, 8), 20  # of a map: where its first cell is, and the most pixels a cell has


def point_at(person: Visitor, right: int, down: int, columns: int) -> None:
    """Press a cell of the map, counted from its upper left corner."""
    canvas = person.see(".x-heat")
    cell = min((canvas.bounding_box()["width"] - 54) / columns, CELL)
    canvas.click(position={"x": EDGE[0] + cell * (right + 0.5), "y": EDGE[1] + cell * (down + 0.5)})


# --- Great Rolled Ones ------------------------------------------------------------------------------------------------
class Great:
    """The game as it is solved here."""

    game = hazard.game("great-rolled-ones", goal=12, dice=3, bust=2)

    def worth(self, position: str) -> list[str]:
        """What rolling and holding are worth, as the page shows single precision."""
        found = {row.move: row.value for row in solved(self.game).advise(self.game.parse(position))}
        found |= {move: np.nan for move in ("roll", "hold") if move not in found}
        return [percent(np.float32(found[move])).replace("nan %", "not possible") for move in ("roll", "hold")]

    def rolls(self, position: str) -> bool:
        return solved(self.game).advise(self.game.parse(position))[0].move == "roll"

    def held(self, seat: int, scores: str, ones: int) -> int:
        return next(pot for pot in range(1, 99) if not self.rolls(f"p{seat} {scores} k{pot} o{ones}"))

    def read(self, person: Visitor, seat: int, own: int, other: int, ones: int) -> None:
        """At the cursor stands what the solution says of the pot that is looked at."""
        expect(person.page.locator("h2", has_text="Own")).to_have_text(f"Own {own}, other's {other}")
        scores = f"{own}:{other}" if seat == 1 else f"{other}:{own}"
        hold = self.held(seat, scores, ones)
        expect(person.page.locator(".x-reading .x-rule")).to_contain_text(f"hold at {hold} or more")
        expect(person.page.locator(".x-reading .x-rule")).to_contain_text(f"Player {seat}, ")
        position = opened(person, f"p{seat} {scores} k", f" o{ones}")
        shown(person, ".x-move strong", self.worth(position))
        assert not self.rolls(position)


@pytest.fixture(scope="module")
def great() -> Great:
    return Great()


def test_the_cursor_reads_what_moves_are_worth(visit: Visit, great: Great) -> None:
    person = visit(f"{GREAT}&seat=1&ones=1&own=3&other=7")
    great.read(person, 1, 3, 7, 1)
    point_at(person, 5, 9, 12)
    great.read(person, 1, 5, 2, 1)
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowUp", "ArrowLeft"):
        person.page.keyboard.press(key)
    great.read(person, 1, 5, 8, 1)
    person.page.keyboard.press("Home")
    great.read(person, 1, 0, 8, 1)
    in_address(person, own="0", other="8", seat="1", ones="1")


def test_both_players_and_all_numbers_of_ones_are_there(visit: Visit, great: Great) -> None:
    person = visit(f"{GREAT}&seat=1&ones=0&own=4&other=6")
    great.read(person, 1, 4, 6, 0)
    person.press("P2, one one aside")
    great.read(person, 2, 4, 6, 1)
    person.press("P2, no ones aside")
    great.read(person, 2, 4, 6, 0)
    assert person.see(".x-thumb[aria-pressed=true]").inner_text() == "P2, no ones aside"
    value = solved(great.game).value(great.game.parse("p2 6:4 k0 o0"))[1]
    person.press("Chances at the start of a turn")
    expect(person.page.locator(".x-hint").first).to_contain_text(percent(value, 2))


def test_another_pot_is_looked_at_and_opened_on_the_board(visit: Visit, great: Great) -> None:
    person = visit(f"{GREAT}&seat=2&ones=1&own=4&other=6")
    great.read(person, 2, 4, 6, 1)
    person.page.get_by_label("points in the pot").press("Home")
    person.page.keyboard.press("ArrowRight")
    shown(person, ".x-move strong", great.worth("p2 6:4 k2 o1"))
    person.page.get_by_role("link", name="Open this position").click()
    assert person.see(".position-text").inner_text() == "p2 6:4 k2 o1"


def at_rest(person: Visitor) -> str:
    """The surface, once it is drawn finely."""
    return person.see(".x-surface[data-fine]").evaluate("(surface) => surface.toDataURL()")


def test_the_surface_is_turned(visit: Visit) -> None:
    person = visit(GREAT)
    person.see(".x-surface").focus()
    first = at_rest(person)
    seen = {first}
    for key in ("ArrowLeft", "ArrowUp", "+"):
        person.page.keyboard.press(key)
        seen.add(at_rest(person))
    person.page.keyboard.press("0")
    assert at_rest(person) == first
    for name in ("turn right", "from lower down", "further away"):
        person.press(name)
        seen.add(at_rest(person))
    person.press("as at first")
    assert at_rest(person) == first
    assert len(seen) == 7


def test_other_rules_are_solved_and_large_ones_refused(visit: Visit) -> None:
    person = visit(GREAT)
    person.page.locator("input[name=goal]").fill("10")
    person.press("Solve and show")
    value = solved(hazard.game("great-rolled-ones", goal=10, dice=3, bust=2))
    expect(person.page.locator(".x-facts")).to_contain_text(percent(value.value(value.game.start())[0], 4))
    person.go("/explore/great-rolled-ones?goal=400").sees("hazard solve great-rolled-ones -p goal=400")
    assert person.page.get_by_role("link", name="The usual game").get_attribute("href") == "/explore/great-rolled-ones"
    person.forgive("Failed to load resource")


# --- Risk -------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def war() -> Battles:
    return battles(8, 8)


def compare(person: Visitor, war: Battles, a: int, d: int) -> None:
    """A battle as it is read beside the map: its value, and all of the defender's answers."""
    expect(person.page.locator("h2", has_text="armies attack")).to_have_text(f"{a} armies attack {d}")
    game = hazard.game("risk", attackers=a, defenders=d)
    value = solved(game).value(game.start())[0]
    assert value == pytest.approx(float(war.value(a, d)), abs=1e-9)
    assert person.see(".x-table tbody td").inner_text().split() == percent(value).split()
    table = person.page.get_by_label(f"best answers of {d} armies attacked by {a}", exact=True)
    names = {(1,): "one die", (2,): "two dice", (1, 2): "one or two"}
    for faces, best in war.answers(a, d).items():
        label = f"attacker shows {'-'.join(map(str, faces))}: {names[best]}"
        assert table.get_by_label(label, exact=True).count() == 1


def test_battles_and_the_defenders_answers(visit: Visit, war: Battles) -> None:
    person = visit("/explore/risk?armies=8&a=5&d=4")
    compare(person, war, 5, 4)
    point_at(person, 1, 0, 8)
    compare(person, war, 8, 2)
    for key in ("ArrowDown", "ArrowRight", "PageDown"):
        person.page.keyboard.press(key)
    compare(person, war, 2, 3)
    in_address(person, a="2", d="3", armies="8")


def test_what_an_answer_costs(visit: Visit, war: Battles) -> None:
    person = visit("/explore/risk?armies=8&a=5&d=4")
    compare(person, war, 5, 4)
    person.page.get_by_label("best answers of 4 armies").locator("[data-name='roll-6-6']").press("Enter")
    expect(person.page.locator(".x-picked .x-at")).to_have_text("Against 6-6")
    costs = [float(cost) for cost in war.costs(5, 4, (6, 6))]
    shown(person, ".x-picked .x-why", ["best" if not cost else f"costs {percent(cost)}" for cost in costs])
    assert person.page.evaluate("document.activeElement.dataset.name") == "roll-6-6"


def test_the_defenders_rule_and_what_is_fought_for(visit: Visit) -> None:
    person = visit("/explore/risk?armies=8")
    slider = person.page.get_by_label("armies at stake", exact=True)
    slider.press("ArrowRight")
    loss = float(Problem().stakes(13).value(13))
    expect(person.page.get_by_text("13 armies at stake:")).to_contain_text(f"loses {loss:.6f}")
    person.page.get_by_label("fought for").select_option("difference")
    person.sees("What the attacker can expect")
    value = float(battles(8, 8, "difference").value(8, 8))
    person.page.locator(".x-heat").press("End")
    person.page.locator(".x-heat").press("PageUp")
    expect(person.page.locator(".x-table tbody td").first).to_have_text(f"{value:.4f}")
    person.go("/explore/risk?armies=61").sees("hazard solve risk -p attackers=61 -p defenders=61")
    person.forgive("Failed to load resource")

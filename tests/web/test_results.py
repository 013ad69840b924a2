"""Tournaments and papers in a real browser: one is started and watched, its games are opened, figures are looked up."""

import json
import re
import urllib.request
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from benchmarks.server_process import Server
from hazard.server.http.papers import all_papers
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED
from tests.waiting import PATIENCE
from tests.web.browsing import WAIT, Visitor, sign_in
from tests.web.furnished import CUP, STUDIED, study
from tests.web.making import FAILED, MAKING, PROBLEM, WAITING, pretend

Visit = Callable[..., Visitor]
SLOW = {"games": 100_000, "goal": 1000, "sides": 2, "agents": ("hold-at-20", "random")}  # not over for a while
expect.set_options(timeout=WAIT)


def fetch(url: str, path: str) -> Any:
    with urllib.request.urlopen(url + path, timeout=PATIENCE) as answer:
        return json.load(answer)


# --- starting tournaments ---------------------------------------------------------------------------------------------
TWO = ("optimal", "random")


def fill_in(
    person: Visitor, name: str, games: int = 10, goal: int = 20, sides: int = 6, agents: tuple[str, ...] = TWO
) -> None:
    """The form for a tournament of Pig."""
    sign_in(person)
    form = person.see(".starting", state="attached")
    if not form.is_visible():
        person.page.get_by_text("Start a tournament").click()
    form.get_by_label("Game", exact=False).first.select_option("pig")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Games for each line-up").fill(str(games))
    for box in form.locator(".agent-choice input").all():
        box.set_checked(box.get_attribute("value") in agents)
    form.get_by_text("Parameters of the game").click()
    form.get_by_label("goal").fill(str(goal))
    form.get_by_label("sides").fill(str(sides))


def status(person: Visitor, words: str) -> None:
    expect(person.page.locator(".cup-head .tag")).to_contain_text(words)


def test_one_is_started_and_watched_until_it_is_finished(visit: Visit, server: Server) -> None:
    person = visit("/tournaments")
    fill_in(person, "two-of-them", 40)
    expect(person.page.locator(".start-sum")).to_have_text("1 pair, 40 games in all.")
    person.press("Start")
    person.page.wait_for_url("**/tournaments/two-of-them")
    status(person, "finished")
    expect(person.page.locator(".ratings tbody tr")).to_have_count(2)
    shares = cross(person)
    assert set(shares) == {("optimal", "random"), ("random", "optimal")}
    assert sum(shares.values()) == pytest.approx(100, abs=0.11)
    found = fetch(server.url, "/api/tournaments/two-of-them")
    assert found["parameters"]["goal"] == 20
    assert shares["optimal", "random"] == pytest.approx(100 * found["cross_table"][0][1]["mean"], abs=0.06)
    person.go("/tournaments")
    expect(person.page.locator(".cup", has_text="two-of-them")).to_contain_text("40 games")


def cross(person: Visitor) -> dict[tuple[str, str], float]:
    """The shares of the cross-table, in per cent, from what its cells are called."""
    labels = [cell.get_attribute("aria-label") for cell in person.page.locator(".cross td button").all()]
    words = [label.replace(":", "").split() for label in labels]
    return {(one, other): float(share) for one, _, other, share, *_ in words}


def test_one_is_cancelled_and_gone_on_with(visit: Visit) -> None:
    person = visit("/tournaments")
    fill_in(person, "a-long-one", **SLOW)
    person.press("Start")
    person.press("Cancel")
    status(person, "stopped")
    person.press("Go on")
    status(person, "being played")
    other = visit("/tournaments")
    other.see(".owners-only", state="attached")  # each browser signs in for itself
    fill_in(other, "another")
    other.sees("One is played at a time")
    other.press("Start")
    expect(other.page.locator(".starting .problem")).to_contain_text("'a-long-one' is being played")
    other.forgive("Failed to load resource")
    person.press("Cancel")
    status(person, "stopped")
    expect(other.page.locator(".cup", has_text="a-long-one")).to_contain_text("stopped")
    expect(other.page.get_by_text("One is played at a time")).to_be_hidden()


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"name": "../up"}, "letters, digits, - and _"),
        ({"name": ""}, "1 to 40 letters"),
        ({"name": CUP}, "choose another name"),
        ({"games": 1_000_000}, "at most 100,000 can be played"),
        ({"games": 0}, "must be a whole number, 1 or more"),
        ({"agents": ("random",)}, "Choose at least 2 agents; 1 chosen so far."),
        ({"goal": 0}, "goal"),
    ],
    ids=str,
)
def test_what_cannot_be_started_is_told(visit: Visit, server: Server, wish: dict, words: str) -> None:
    person = visit("/tournaments")
    fill_in(person, **{"name": "no-such-one"} | wish)
    person.press("Start")
    expect(person.page.locator(".starting .problem")).to_contain_text(words)
    person.forgive("Failed to load resource")
    assert person.page.url.endswith("/tournaments")
    assert "no-such-one" not in {row["name"] for row in fetch(server.url, "/api/tournaments")["tournaments"]}


# --- one that is over -------------------------------------------------------------------------------------------------
def test_ratings_and_who_beats_whom(visit: Visit, server: Server) -> None:
    person = visit(f"/tournaments/{CUP}")
    found = fetch(server.url, f"/api/tournaments/{CUP}")
    expect(person.page.locator(".ratings tbody th")).to_have_text([row["agent"] for row in found["ratings"]])
    shares = cross(person)
    assert len(shares) == 6
    for one, other in shares:
        assert shares[one, other] + shares[other, one] == pytest.approx(100, abs=0.11)
    person.page.get_by_label("hold-at-20 against random").click()
    expect(person.page.locator(".games-table tbody tr")).to_have_count(20)
    person.sees("1 to 20 of 40 games")
    person.press("next page")
    person.sees("21 to 40 of 40 games")
    person.page.get_by_label("Result").select_option("lost")
    lost = fetch(server.url, f"/api/tournaments/{CUP}/games?agent=hold-at-20&against=random&result=lost")["count"]
    person.sees("There are no such games" if not lost else f"of {lost} game")


def test_a_game_is_opened_in_the_board(visit: Visit, server: Server) -> None:
    person = visit(f"/tournaments/{CUP}")
    person.page.get_by_label("Order").select_option("longest")
    game = fetch(server.url, f"/api/tournaments/{CUP}/games?order=longest")["games"][0]
    row = person.page.locator(".games-table tbody tr").first
    expect(row.locator("td").first).to_have_text(str(game["game"]))
    row.get_by_role("button", name="open game").click()
    person.page.wait_for_url("**/rooms/*")
    person.see(".ending")
    assert person.moves_made() == game["length"]
    assert person.page.locator(".board-place [data-move]").count() == 0
    person.press("first position (Home)")
    stepped = [person.position()]
    for _ in range(3):
        person.press("one forward (right arrow)")
        expect(person.page.locator(".board-place")).not_to_have_attribute("data-position", stepped[-1])
        stepped.append(person.position())
    person.page.keyboard.press("ArrowLeft")
    expect(person.page.locator(".board-place")).to_have_attribute("data-position", stepped[-2])
    assert person.page.locator(".stop[aria-current=step]").count() == 1


def test_a_tournament_that_is_not_there(visit: Visit) -> None:
    person = visit("/tournaments/never-was")
    person.sees("never-was")
    person.forgive("Failed to load resource")
    person.page.get_by_role("link", name="All tournaments").click()
    person.see(".cup")


# --- papers -----------------------------------------------------------------------------------------------------------
FINDINGS = study().findings
COUNTS = Counter(finding.verdict for finding in FINDINGS)


def rows(person: Visitor, many: int) -> None:
    expect(person.page.locator(".findings-table tbody tr")).to_have_count(many)


def test_all_papers_and_how_to_run_what_was_not(visit: Visit, server: Server) -> None:
    person = visit("/papers")
    person.sees(
        f"Of {len(FINDINGS)} published figures that were put to the test here, {COUNTS[REPRODUCED]} are reproduced"
    )
    expect(person.page.locator(".paper")).to_have_count(len(all_papers()))
    expect(person.page.locator(".paper > svg")).to_have_count(len(all_papers()))
    commands = [field.input_value() for field in person.page.locator(".copyable input").all()]
    told = [paper["command"] for paper in fetch(server.url, "/api/papers")["papers"] if paper["name"] != STUDIED]
    assert commands == told
    person.page.get_by_role("link", name="Determination and Evaluation").click()
    command = person.page.get_by_role("textbox", name="the command that reproduces Determination")
    assert command.input_value().startswith("hazard reproduce pickomino --out ")
    assert person.page.locator(".findings-table").count() == 0


def test_verdicts_filters_and_search(visit: Visit) -> None:
    person = visit(f"/papers/{STUDIED}")
    for verdict, number in COUNTS.items():
        line = person.page.locator(".verdict-counts li", has_text=re.compile(f"[^a-z ]{verdict}$"))
        expect(line.locator("b")).to_have_text(str(number))
    rows(person, 40)
    person.press("next page")
    rows(person, len(FINDINGS) - 40)
    person.page.get_by_label("Verdict").select_option(PUBLISHED_IN_ERROR)
    rows(person, 1)
    person.sees("rounded down twice")
    person.page.get_by_label("Verdict").select_option(NOT_REPRODUCED)
    person.sees("far apart")
    person.page.get_by_label("Verdict").select_option("")
    person.page.get_by_label("Where").select_option("Table 2")
    rows(person, 2)
    person.page.get_by_label("Where").select_option("")
    person.page.get_by_label("Search").fill("17 ARMIES")
    rows(person, 1)
    person.page.get_by_label("Search").fill("nothing like it")
    person.sees("No figure is like that")


def test_pictures_and_tables(visit: Visit) -> None:
    person = visit(f"/papers/{STUDIED}")
    person.see(".figures").scroll_into_view_if_needed()  # pictures are loaded when they come near
    person.page.wait_for_function("() => document.querySelector('.figures img').naturalWidth > 0")
    person.page.get_by_label("All stakes: show large").press("Enter")
    person.page.wait_for_function("() => document.querySelector('dialog img')?.naturalWidth > 0")
    person.press("Close")
    expect(person.page.locator("dialog")).to_have_count(0)
    person.sees("Stakes of our own")
    expect(person.page.locator(".own-table tbody tr")).to_have_count(5)


def test_a_paper_that_is_not_there(visit: Visit) -> None:
    person = visit("/papers/chess")
    person.sees("there is no paper")
    person.forgive("Failed to load resource")
    person.page.get_by_role("link", name="All papers").click()
    person.see(".paper")


# --- studies that are being made --------------------------------------------------------------------------------------
def found(person: Visitor, name: str) -> Any:
    return person.page.locator(f"[data-paper={name}] .paper-verdicts")


def test_papers_in_all_states(visit: Visit) -> None:
    making, waiting, failed, *others = [name for name in all_papers() if name != STUDIED]
    person = visit("/games")
    pretend(person.page, {making: MAKING, waiting: WAITING, failed: FAILED})
    person.go("/papers").see(".paper")
    expect(found(person, STUDIED).locator(".verdict-bar")).to_be_visible()
    expect(found(person, making)).to_contain_text("being made")
    bar = found(person, making).get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", "5")
    expect(bar).to_have_attribute("aria-valuetext", "5 of 16 parts")
    expect(found(person, making)).to_contain_text("Now: battles by three rules.")
    expect(found(person, waiting)).to_contain_text("waiting")
    expect(found(person, failed)).to_contain_text(PROBLEM)
    assert found(person, failed).locator("input").input_value().startswith(f"hazard reproduce {failed} --out ")
    for name in others:
        expect(found(person, name)).to_contain_text("Not run here yet")
    for name in (making, waiting):
        assert found(person, name).locator("input").count() == 0


def test_the_list_follows_until_the_study_is_there(visit: Visit) -> None:
    states: dict[str, Any] = {STUDIED: WAITING}
    person = visit("/games")
    pretend(person.page, states)
    person.go("/papers").sees("The first studies are being made")
    person.page.evaluate("window.neverLoadedAgain = true")
    for done in (0, 7, 16):
        states[STUDIED] = MAKING | {"done": done}
        expect(found(person, STUDIED)).to_contain_text(f"{done} of 16 parts")
    states[STUDIED] = None
    expect(found(person, STUDIED).locator(".verdict-bar")).to_be_visible()
    person.sees(f"Of {len(FINDINGS)} published figures that were put to the test here")
    person.page.get_by_role("link", name="all figures of").click()
    rows(person, 40)
    assert person.page.evaluate("window.neverLoadedAgain")


def test_a_paper_follows_until_its_study_is_there(visit: Visit) -> None:
    states: dict[str, Any] = {STUDIED: MAKING}
    person = visit("/games")
    pretend(person.page, states)
    person.go(f"/papers/{STUDIED}").sees("5 of 16 parts")
    assert person.page.locator(".findings-table").count() == 0
    states[STUDIED] = MAKING | {"done": 12, "doing": "drawing stakes.svg"}
    person.sees("Now: drawing stakes.svg.")
    states[STUDIED] = None
    rows(person, 40)
    expect(person.page.locator(".making")).to_have_count(0)


def test_one_that_fails_while_it_is_watched(visit: Visit) -> None:
    states: dict[str, Any] = {STUDIED: MAKING}
    person = visit("/games")
    pretend(person.page, states)
    person.go(f"/papers/{STUDIED}").sees("5 of 16 parts")
    states[STUDIED] = FAILED
    person.sees(PROBLEM)
    command = person.page.get_by_role("textbox", name="the command that reproduces")
    assert command.input_value().startswith(f"hazard reproduce {STUDIED} --out ")

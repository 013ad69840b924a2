"""What tests of solved games share: figures as pages write them, and waiting for what is shown."""

from __future__ import annotations

from typing import SupportsFloat

from playwright.sync_api import expect

from tests.web.browsing import WAIT, Visitor

expect.set_options(timeout=WAIT)


def percent(value: SupportsFloat, places: int = 3) -> str:
    return f"{100 * float(value):.{places}f} %"


def shown(person: Visitor, selector: str, texts: list[str]) -> None:
    """Wait until all that is selected says this."""
    expect(person.page.locator(selector)).to_have_text(texts)


def in_address(person: Visitor, **words: str) -> None:
    """Wait until the address says so; it follows what is shown a little later."""
    person.page.wait_for_function(
        "words => Object.entries(words).every(([k, v]) => new URLSearchParams(location.search).get(k) === v)", arg=words
    )


def opened(person: Visitor, begin: str = "", end: str = "") -> str:
    """The position that a link beside what is read leads to, once it is one like this."""
    find = "new URLSearchParams(document.querySelector('a[href^=\"/position\"]')?.search).get('position')"
    like = f"([begin, end]) => {find}?.startsWith(begin) && {find}.endsWith(end)"
    person.page.wait_for_function(like, arg=[begin, end])
    return person.page.evaluate(find)

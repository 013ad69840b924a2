"""Games that come as files, in a real browser: a whole game by clicks on the board that every game has."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.server_process import Server, serving
from tests.own_games.files import SMALL, write
from tests.own_games.test_gains import PRESS
from tests.web.browsing import Visitor, get, post

Visit = Callable[..., Visitor]
DRAWN = SMALL + "\n\ndef draw(g, s):\n    return ['me ' + '#' * s.me, 'you ' + '#' * s.you, 'pot ' + '#' * s.pot]\n"


PAINTED = (
    PRESS.replace("@rule\ndef gain(", "@rule\ndef least(g):\n    return True\n\n\n@rule\ndef gain(")
    + """

def draw(g, s):
    script = "<script>parent.document.title = document.title = 'run'; fetch('/stolen')</script>"
    circle = "<circle cx='20' cy='20' r='10' onload='parent.ran = 1'/>"
    circles = circle * (s.round + 1)
    return f"<svg width='200' height='40'>{script}{circles}</svg>"
"""
)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("own")
    before = os.environ.get("HAZARD_GAMES", "")
    drawn = write(folder, name="drawn.py", text=DRAWN)
    painted = write(folder, name="painted.py", text=PAINTED)
    os.environ["HAZARD_GAMES"] = os.pathsep.join([drawn, painted])
    with serving(folder, "requests=1000", "pace=0.05", game=Path(write(folder))) as found:
        yield found
    os.environ["HAZARD_GAMES"] = before


def sit_down(visit: Visit, own: Server, game: str, width: int = 1280, alone: bool = False) -> Visitor:
    wish = {"game": game, "seats": [{}] if alone else [{}, {"agent": "random"}]}
    room = post(own.url, "/api/rooms", {"room": wish})["room"]
    visitor = visit(f"/rooms/{room}", own.url, width=width)
    visitor.see(".join button.primary").click()
    visitor.see(".board-place .board")
    return visitor


@pytest.mark.parametrize("width", [390, 1280])
def test_a_whole_game_by_clicks(visit: Visit, own: Server, width: int, tmp_path: Path) -> None:
    person = sit_down(visit, own, "race", width)
    person.can_move()
    names = [name.inner_text() for name in person.page.locator(".fields dt").all()]
    assert names == ["me", "you", "pot", "rolling"]
    person.page.screenshot(path=os.environ.get("SHOTS", str(tmp_path)) + f"/race-{width}.png", full_page=True)
    assert person.play_out() > 0
    person.see(".ending")
    wide = person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing is wider than the screen"


def test_keys_make_moves(visit: Visit, own: Server) -> None:
    person = sit_down(visit, own, "race")
    person.can_move()
    made = person.moves_made()
    person.page.keyboard.press("1")
    person.page.wait_for_function(f"() => document.querySelectorAll('.stop-moved').length !== {made}")


def test_a_drawing_is_shown(visit: Visit, own: Server) -> None:
    person = sit_down(visit, own, "drawn", 390)
    person.can_move()
    assert person.see(".drawing").inner_text().startswith("me")
    person.page.get_by_label("Analysis", exact=True).check()
    person.page.wait_for_function("() => document.querySelectorAll('.move-row').length > 0")
    assert person.see(".known-place").inner_text().split()[0] == "rollout"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_picture_is_shown_and_runs_nothing(visit: Visit, own: Server, width: int, tmp_path: Path) -> None:
    """Alone at the table, with what was scored beside the name; scripts in a picture are dead."""
    person = sit_down(visit, own, "painted", width, alone=True)
    person.can_move()
    person.page.wait_for_function("() => document.querySelector('img.picture')?.naturalWidth > 0")
    assert "0 scored" in person.see(".players").inner_text()
    person.page.get_by_label("Analysis", exact=True).check()
    person.page.wait_for_function("() => document.querySelectorAll('.choice .worth').length > 0")
    person.page.screenshot(path=os.environ.get("SHOTS", str(tmp_path)) + f"/painted-{width}.png", full_page=True)
    assert person.play_out() > 0
    assert "won" not in person.see(".players").inner_text()
    assert person.page.evaluate("document.title") != "run"
    assert person.page.evaluate("window.ran") is None
    person.page.screenshot(path=os.environ.get("SHOTS", str(tmp_path)) + f"/painted-end-{width}.png", full_page=True)


def test_visitors_open_no_files(own: Server, tmp_path: Path) -> None:
    """A visitor can ask for games by name only."""
    import urllib.error

    assert {"race", "drawn", "pig"} <= set(get(own.url, "/api/games")["games"])
    hidden = write(tmp_path, name="hidden.py", text="open('/tmp/opened-by-a-visitor', 'w')\n" + SMALL)
    for name in (hidden, "hidden", "../hidden.py"):
        for path, body in (
            ("/api/positions", {"game": name}),
            ("/api/rooms", {"room": {"game": name}}),
            ("/api/analysis", {"game": name}),
        ):
            with pytest.raises(urllib.error.HTTPError) as problem:
                post(own.url, path, body)
            assert 400 <= problem.value.code < 500
    assert not Path("/tmp/opened-by-a-visitor").exists()

"""The files of the lab: shared ones name no game and no agent, and every import leads to a file it may lead to."""

import re
from functools import cache
from pathlib import Path

import pytest

from hazard.declaration import declared, game_names

PACKAGE = Path(__file__).parents[2] / "src" / "hazard"
SHARED = sorted(path for path in (PACKAGE / "web").rglob("*") if path.suffix in (".js", ".css", ".html", ".svg"))
OWN = sorted((PACKAGE / "games").glob("*/web/**/*.js"))
PLAIN_WORDS = {"turn"}  # names of agents that a label of the page may be, too
COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<![:\"'`\\])//[^\n]*", re.DOTALL)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')
IMPORT = re.compile(r'(?:from|import|import\()\s*"([^"]+\.js)"')


@cache
def agent_names() -> set[str]:
    return {name for game in game_names() for name in declared(game).agents} - PLAIN_WORDS


def named(path: Path) -> set[str]:
    """The games and agents that a file names: a game as a word of any string, key or class, an agent as a string."""
    code = COMMENT.sub("", path.read_text())
    strings = ["".join(parts) for parts in STRING.findall(code)] if path.suffix == ".js" else [code]
    keys = re.findall(r"([A-Za-z]\w*)\s*:", code) if path.suffix == ".js" else []
    games = {game for game in game_names() for text in [*strings, *keys] if re.search(rf"\b{game}\b", text)}
    return games | agent_names() & {*strings, *keys}


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_shared_files_name_no_game_and_no_agent(path: Path) -> None:
    assert named(path) == set()


def test_names_are_found_where_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "page.js"
    file.write_text(
        '// "pig"\nconst one = { risk: 1 }, two = "hold-at-20", three = `hazard solve pickomino`; /* koole */\n'
    )
    assert named(file) == {"risk", "hold-at-20", "pickomino"}


def file_of(address: str) -> Path:
    """The file behind an address below /static."""
    parts = address.removeprefix("/static/").split("/")
    if parts[0] == "games":
        return PACKAGE.joinpath("games", parts[1].replace("-", "_"), "web", *parts[2:])
    return PACKAGE.joinpath("web", *parts)


@pytest.mark.parametrize("path", [path for path in [*SHARED, *OWN] if path.suffix == ".js"], ids=str)
def test_imports_lead_to_files(path: Path) -> None:
    home = PACKAGE / "web" if path in SHARED else path.relative_to(PACKAGE / "games").parts[0]
    for address in IMPORT.findall(path.read_text()):
        there = file_of(address) if address.startswith("/static/") else (path.parent / address).resolve()
        assert there.is_file(), address
        if path in SHARED:
            assert there.is_relative_to(home), "shared modules load those of games by name, when they are needed"
        elif there.is_relative_to(PACKAGE / "games"):
            assert there.relative_to(PACKAGE / "games").parts[0] == home, "games do not import each other"

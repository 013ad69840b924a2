"""What holds for every game of the atlas: its file is right, and its lines can be made."""

import pytest

import hazard
from hazard.atlas.records import lines
from hazard.checking.check import check
from hazard.declaration import atlas_names, declared
from hazard.fingerprint import PACKAGE

SMALL: dict[str, dict[str, int]] = {
    "farkle": {"goal": 500},
    "hog": {"goal": 10, "most": 4},
    "hypergammon": {"checkers": 1},
    "knucklebones": {"columns": 2, "rows": 1},
    "piglet": {"goal": 5},
    "qwixx": {"colours": 2, "sides": 2, "lock": 1},
    "royal-game-of-ur": {"pieces": 1},
    "shut-the-box": {"tiles": 6, "single": 1},
    "yahtzee": {"filled": 8190},
    "yatzy": {"filled": 32766},
}


def test_all_games_are_tried() -> None:
    assert set(SMALL) == atlas_names()


@pytest.mark.parametrize("name", sorted(SMALL))
def test_games_pass_the_check_and_are_played(name: str) -> None:
    game = hazard.game(name, **SMALL[name])
    report = check(game, 400)
    assert [finding for finding in report.findings if finding.wrong] == []
    agents = ["rollout", "random"][: game.seats]
    result = hazard.match(game, *agents, games=20)
    assert (result.games, result.cut) == (20, 0)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_line_has_a_record_of_its_own(name: str) -> None:
    files = [line.file for line in lines([name])]
    assert len(set(files)) == len(files) == len(declared(name).charts) > 0


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_game_is_found_by_its_name_and_by_its_file(name: str) -> None:
    path = PACKAGE / "atlas" / "games" / f"{name.replace('-', '_')}.py"
    assert hazard.game(str(path), **SMALL[name]) == hazard.game(name, **SMALL[name])

"""What Dice of Doom refuses, as a user meets it: exit code 2, and one line: what was wrong, what would be right."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hazard
from hazard.cli import main
from hazard.games.dice_of_doom.solver.checkpoint import Checkpoint
from hazard.solving.report import solve_report

Run = Callable[..., str]
TEXT = "2x2 r2 b1 / b3 r3 | r to move, first attack"


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["hazard", *words])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        assert end.value.code == 2, out
        assert not out
        assert err.startswith("hazard: ")
        assert len(err.splitlines()) == 1
        return err

    return run


MAPS = {
    "a b\n a !\n": "'!' in row 2; write letters or digits, and . for a hole",
    "a . b\n": "row 1, column 3 (tile 2) cannot be reached; all tiles must hang together",
    "a b\n. .\nc d\n": "row 3, column 1 (tile 3) cannot be reached",
    "a b a\n": "row 1, column 1 is in several pieces; hexagons with the same letter must touch",
    "": "a map has 2 to 32 tiles, this one 0",
    "# nothing but this\n...\n": "a map has 2 to 32 tiles, this one 0",
    "a a\n a\n": "a map has 2 to 32 tiles, this one 1",
    "abcdefghijklmnopqrstuvwxyzABCDEFG\n": "a map has 2 to 32 tiles, this one 33",
    "ab\n" * 30: "at most 26 rows",
}


@pytest.mark.parametrize(("content", "said"), MAPS.items(), ids=[said[:30] for said in MAPS.values()])
def test_malformed_maps(refused: Run, tmp_path: Path, content: str, said: str) -> None:
    place = tmp_path / "map.txt"
    place.write_text(content)
    commands = (["solve", "dice-of-doom"], ["match", "dice-of-doom", "greedy", "random"], ["play", "dice-of-doom"])
    for command in commands:
        found = refused(*command, "-p", f"board={place}")
        assert said in found
        assert str(place)[:50] in found
    if content and "#" not in content and len(content) < 20:
        typed = "map:" + ",".join("".join(line.split()) for line in content.splitlines())
        for words in (["solve", "dice-of-doom", "-p", f"board={typed}"], ["advise", "dice-of-doom", f"{typed} r2 b1"]):
            found = refused(*words)
            assert said in found
            assert repr(typed) in found


@pytest.mark.parametrize("board", ["3x", "3X3", " 2x2", "triangle:", "", "square", "/", "2x2x2", "-1x3"])
def test_boards_that_are_none(refused: Run, board: str) -> None:
    found = refused("solve", "dice-of-doom", "-p", f"board={board}")
    assert f"board={board!r}" in found
    assert "must be rows x columns such as 3x3, triangle:N, map:" in found


@pytest.mark.parametrize("board", ["0x3", "1x1", "6x6", "27x1", "99x99"])
def test_boards_of_the_wrong_size(refused: Run, board: str) -> None:
    for words in (["solve", "dice-of-doom", "-p", f"board={board}"], ["advise", "dice-of-doom", f"{board} r2 b1"]):
        assert f"board={board}: must have 2 to 32 tiles, in at most 26 rows" in refused(*words)


# --- dice limits -----------------------------------------------------------------------------------------------------
CANNOT = "with more dice than sides an attack cannot fail"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["max_dice=7"], "max_dice=7 sides=6: "),
        (["max_dice=8"], "max_dice=8: must be from 2 to 7; "),
        (["max_dice=100"], "max_dice=100: must be from 2 to 7; "),
        (["max_dice=7", "sides=4"], "max_dice=7: "),
        (["max_dice=5", "sides=3"], "max_dice=5: "),
    ],
)
def test_attacks_that_cannot_fail_are_not_solved(refused: Run, words: list[str], said: str) -> None:
    options = [part for word in ["board=2x2", *words] for part in ("-p", word)]
    found = refused("solve", "dice-of-doom", *options)
    assert said in found
    assert CANNOT in found


def test_other_dice_limits(refused: Run) -> None:
    for words, said in (
        (["max_dice=1"], "max_dice=1: must be from 2 to 7"),
        (["max_dice=many"], "max_dice=many: must be a whole number from 2 to 7"),
        (["max_dice=-8"], "max_dice=-8: must be from 2 to 7"),
        (["max_dice=7", "sides=20"], "more than 2^31 rolls to draw from; take fewer dice or sides"),
    ):
        found = refused("solve", "dice-of-doom", *(part for word in ["board=2x2", *words] for part in ("-p", word)))
        assert said in found
        assert CANNOT not in found


def test_optimal_play_where_an_attack_cannot_fail(refused: Run) -> None:
    """The user has set no limit of turns; the line says where the one it speaks of comes from."""
    options = ["-p", "board=2x2", "-p", "max_dice=5", "-p", "sides=3"]
    found = refused("match", "dice-of-doom", "greedy", "optimal", *options, "--games", "4")
    assert "turns=0, as for all solving: 4 dice of 3 sides cannot lose against 1" in found
    assert "max_dice=3 or fewer" in found


def test_such_dice_can_be_played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["-p", "board=2x2", "-p", "max_dice=7", "-p", "sides=4", "--games", "4"]
    monkeypatch.setattr(sys, "argv", ["hazard", "match", "dice-of-doom", "greedy", "random", *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert "greedy" in capsys.readouterr().out


# --- owners and positions --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("2x2 r2 b1 / b3 x3 | r to move, first attack", [], "'x' is not a player; with players=2 there are r, b"),
        ("2x2 r2 b1 / b3 g3 | r to move, first attack", ["players=2"], "'g' is not a player; with players=2"),
        ("2x2 r2 b1 / b3 y3 | r to move, first attack", ["players=3"], "with players=3 there are r, b, g"),
        ("2x2 r2 b1 / b3 r3 | g to move, first attack", [], "'g' is not a player; with players=2 there are r, b"),
        ("2x2 r2 r1 / r3 r3 | b to move, first attack", [], "b has no tiles, so it is another player's turn"),
        ("2x2 r2 b1 / b3 r8 | r to move, first attack", [], "'r8' must have 1 to 5 dice; see max_dice"),
        ("2x2 r2 b1 / b3 r10 | r to move, first attack", [], "'r10' must have 1 to 5 dice; see max_dice"),
        ("2x2 r0 b1 / b3 r3 | r to move, first attack", [], "'r0' must have 1 to 5 dice; see max_dice"),
        (
            "2x2 r2 b1 b3 r3 | r to move, first attack",
            [],
            "write it like '2x2 r3 b3 / r3 b3 | r to move, first attack'",
        ),
        ("2x2 r2 b1 / b3 | r to move, first attack", [], "3 tiles in that order do not make this board"),
        (
            "2x2 r1 b1 / b3 r1 | r to move, first attack",
            [],
            "the nearest position is '2x2 r1 b1 / b3 r1 | r to move, over'",
        ),
        ("2x2 r2 b1 / b3 r3 | r attacks a1-b2", [], "'a1-b2' is not an attack from a tile on one beside it, such as"),
        ("2x2 r2 b1 / b3 r3 | r places 1", [], "dice are placed at once"),
        (TEXT, ["board=2x3"], "the board here is 2x3; set board='2x2' for another"),
        (TEXT, ["max_dice=2"], "'b3' must have 1 to 2 dice; see max_dice"),
    ],
)
def test_positions(refused: Run, text: str, options: list[str], said: str) -> None:
    found = refused("advise", "dice-of-doom", text, *(part for option in options for part in ("-p", option)))
    assert said in found
    assert repr(text) in found


def test_more_players_than_tiles(refused: Run) -> None:
    words = ("match", "dice-of-doom", "greedy", "greedy", "greedy", "-p", "board=1x2", "-p", "players=3")
    assert "players=3: the board 1x2 has only 2 tiles" in refused(*words)
    assert "players=5: must be from 2 to 4" in refused("solve", "dice-of-doom", "-p", "players=5")


def test_disks_without_room_for_the_solution(refused: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is solved: 2x3 with 4 dice has 2 * 8^6 values of 8 bytes, and nothing is free."""
    monkeypatch.setattr("hazard.games.dice_of_doom.solver.memory.shutil.disk_usage", lambda place: Free)
    monkeypatch.setattr(
        "hazard.games.dice_of_doom.solver.solver.ZeroSumRun.solve", lambda run: pytest.fail("solved all the same")
    )
    said = refused("solve", "dice-of-doom", "-p", "board=2x3", "-p", "max_dice=4")
    assert "MiB, but the disk has 0 free" in said
    assert "HAZARD_CACHE" in said


def test_room_that_a_checkpoint_takes_is_there_for_going_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = hazard.game("dice-of-doom", board="2x3", max_dice=3, turns=0)
    partial = Checkpoint.beside(tmp_path / "x", game)
    partial.folder.mkdir()
    (partial.folder / "left.npy").write_bytes(bytes(3 << 20))
    monkeypatch.setattr("hazard.games.dice_of_doom.solver.memory.shutil.disk_usage", lambda place: Free)
    assert solve_report(game, 1e-6, tmp_path / "x", None)["error"] <= 1e-6
    with pytest.raises(hazard.BadInput, match="but the disk has 0 free"):
        solve_report(game, 1e-6, tmp_path / "y", None)


class Free:
    """A disk that is full."""

    free = 0

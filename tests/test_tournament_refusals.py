"""What was there stays as it was: other tournaments, damaged files, a full disk, bad input."""

import resource
import subprocess
from pathlib import Path

import pytest

import hazard
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import settle
from hazard.arena.tournament.store import read_setting
from tests.tournaments import AGENTS, EXAMPLES, command, contents, hazard_command, make, pig


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tournament", "pig", *AGENTS, "-p", "goal=31"), "parameters"),
        (("tournament", "pig", *AGENTS, "-p", "goal=30", "--seed", 4), "seed 3, not 4"),
        (("tournament", "risk", "optimal", "koole", "random"), "game pig, not risk"),
        (("tournament", "pig", "optimal", "random", "-p", "goal=30"), "agents"),
        (("tournament", "pig", *AGENTS, "-p", "goal=30", "--games", 10), "name as many or more"),
        (("tournament", "pig", *AGENTS, "-p", "goal=30", "--luck"), "luck False, not True"),
    ],
)
def test_another_tournament_is_refused(undisturbed: Path, words: tuple, says: str) -> None:
    before = contents(undisturbed)
    seed = () if "--seed" in words else ("--seed", 3)
    games = () if "--games" in words else ("--games", 60)
    found = hazard_command(*words, *seed, *games, "--out", undisturbed)
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 3)
    assert says in found.stderr
    assert contents(undisturbed) == before


def test_other_rules_are_refused(undisturbed: Path) -> None:
    path = undisturbed / "tournament.json"
    path.write_text(path.read_text().replace(pig().version, "0123456789ab"))
    before = contents(undisturbed)
    for words in (("resume", undisturbed), ("replay", undisturbed, 3)):
        found = hazard_command(*words)
        assert found.returncode == 2
        assert "played with rules 0123456789ab" in found.stderr
    assert contents(undisturbed) == before


def test_a_bot_that_has_changed_is_refused(tmp_path: Path) -> None:
    bot, folder = tmp_path / "bot.py", tmp_path / "cup"
    bot.write_text((EXAMPLES / "hold20.py").read_text())
    agents = [str(bot), "random"]
    run(folder, settle(pig(), agents, [[0, 1]], games=4, seed=1))
    bot.write_text(bot.read_text() + "\n# better\n")
    with pytest.raises(hazard.BadInput, match="has changed"):
        run(folder, read_setting(folder))


@pytest.mark.parametrize("name", ["ledger.json", "tournament.json", "games"])
def test_truncated_files_are_refused(undisturbed: Path, name: str) -> None:
    path = undisturbed / name
    path = sorted(path.iterdir())[0] if path.is_dir() else path
    path.write_bytes(path.read_bytes()[:-20])
    before = contents(undisturbed)
    for words in (("resume", undisturbed), ("results", undisturbed)):
        found = hazard_command(*words)
        assert found.returncode == 2
        assert f"{path}: damaged" in found.stderr.splitlines()[-1]
    assert contents(undisturbed) == before


def test_a_missing_ledger_does_not_cost_the_games(undisturbed: Path) -> None:
    (undisturbed / "ledger.json").unlink()
    before = contents(undisturbed)
    assert "ledger.json: not there" in hazard_command("resume", undisturbed).stderr
    assert contents(undisturbed) == before


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    found = []

    def again(games: int, total: int) -> None:
        if not found:
            found.append(hazard_command("resume", tmp_path / "x"))

    run(tmp_path / "x", make(), progress=again)
    assert found[0].returncode == 2
    assert "another run is at work" in found[0].stderr


def test_a_full_disk(undisturbed: Path, tmp_path: Path) -> None:
    """The limit on a file's size stands in for the disk's: the ledger outgrows it in the middle of the run."""
    words = command("tournament", "pig", *AGENTS, "-p", "goal=30", "--games", 60, "--seed", 3, "--batch", 20)

    def little() -> None:
        largest = max(path.stat().st_size for path in (undisturbed / "games").iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 10, largest + 10))

    folder = tmp_path / "full"
    found = subprocess.run(
        [*words, "--processes", "1", "--out", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=little,
    )
    assert found.returncode == 2
    assert "File too large" in found.stderr
    assert found.stderr.splitlines()[-1].startswith("hazard resume")
    assert subprocess.run(command("resume", folder), check=False, capture_output=True).returncode == 0
    assert contents(folder) == contents(undisturbed)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pig", "optimal", "hold-at-21"), "no agent of pig 'hold-at-21'; did you mean 'hold-at-2"),
        (("pig", "optimal"), "1 agents for 2 seats; name 2 or more"),
        (("pig", "optimal", "random", "--games", 0), "games=0: must be from 1"),
        (("pig", "optimal", "random", "optimal"), "'optimal' is named twice"),
        (("pig", "optimal", "./no-such-bot.py"), "there is no file './no-such-bot.py'"),
        (("pig", "optimal", "random", "--gauntlet", "koole"), "no agent in this tournament 'koole'"),
        (("pig", "optimal", "random", "--seed", -1), "seed=-1"),
        (("pig", "optimal", "random", "--processes", 0), "processes=0"),
        (("pig", "optimal", "random", "--cluster", "tcp://127.0.0.1:9"), "no scheduler answers"),
        (("pig", "optimal", "random", "--bank", -1), "bank=-1"),
        (("pig", "--lineups", "no-such-file"), "no-such-file"),
    ],
)
def test_bad_input(words: tuple, says: str, tmp_path: Path) -> None:
    found = hazard_command("tournament", *words, "--out", tmp_path / "x")
    assert found.returncode == 2
    assert says in found.stderr
    assert "Traceback" not in found.stderr
    assert not list(tmp_path.glob("x/games/*"))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    found = hazard_command("tournament", "pig", *AGENTS, "--out", tmp_path)
    assert found.returncode == 2
    assert contents(tmp_path).keys() == {"letter.txt"}

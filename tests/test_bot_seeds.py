"""Nobody can compute the dice of games in which bots play: the seed is secret until the end, unless it is given."""

import json
import re
from pathlib import Path

import pytest

from hazard.arena.bots.games import told_seed
from hazard.arena.tournament.run import summed_up, tallies
from hazard.arena.tournament.store import Store, read_setting
from hazard.cli.bots import chosen_seed
from hazard.dice import AGENTS, draw, stream
from tests.tournaments import EXAMPLES, contents, hazard_command, make, pig

BOT = str(EXAMPLES / "hold20.py")


def test_where_bots_play_the_seed_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = {chosen_seed([BOT, "optimal"], None) for _ in range(10)}
    assert len(drawn) == 10
    assert max(drawn) < 2**53, "which a browser can show"
    assert chosen_seed(["random", "optimal"], None) == 1
    assert chosen_seed([BOT], None, begun=7) == chosen_seed(["optimal"], None, begun=7) == 7
    assert capsys.readouterr().err == ""
    assert chosen_seed([BOT], 5) == 5
    assert "--seed 5: a bot that knows the seed can compute its dice" in capsys.readouterr().err


SLOW = pytest.mark.slow


@pytest.mark.parametrize("command", ["match", pytest.param("grade", marks=SLOW), pytest.param("test", marks=SLOW)])
def test_commands_with_bots_tell_their_seed_in_the_end(command: str) -> None:
    words = {"match": [BOT, "random", "--games", 2], "grade": [BOT, "--games", 4], "test": [BOT, "random", "--most", 4]}
    first, second = (hazard_command(command, "pig", "-p", "goal=20", *words[command]) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    seeds = [re.findall(r"seed\s+(\d+)", done.stdout) for done in (first, second)]
    assert len(seeds[0]) == 1
    assert seeds[0] != seeds[1]
    again = hazard_command(command, "pig", "-p", "goal=20", *words[command], "--seed", seeds[0][0])
    assert "can compute its dice" in again.stderr
    told = [re.sub(r"[\d.,]+ games a second", "", done.stdout) for done in (first, again)]
    assert told[0] == told[1], "given afterwards, it gives the same games"


def test_a_tournament_goes_on_with_its_seed(tmp_path: Path) -> None:
    words = ["pig", "-p", "goal=20", BOT, "random", "--games", 8, "--batch", 4, "--processes", 1]
    first = hazard_command("tournament", *words, "--out", tmp_path / "x")
    assert first.returncode == 0, first.stderr
    seed = read_setting(tmp_path / "x").seed
    assert f"seed, which was kept from the bots: {seed}" in first.stdout
    assert json.loads((tmp_path / "x/summary.json").read_text())["seed"] == seed
    before = contents(tmp_path / "x")
    again = hazard_command("tournament", *words, "--out", tmp_path / "x")
    assert again.returncode == 0, again.stderr
    assert contents(tmp_path / "x") == before
    assert hazard_command("resume", tmp_path / "x", "--games", 16).returncode == 0
    assert read_setting(tmp_path / "x").seed == seed
    other = hazard_command("tournament", *words, "--out", tmp_path / "y")
    assert read_setting(tmp_path / "y").seed != seed, other.stderr


def test_a_tournament_that_is_not_over_does_not_tell_its_seed(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    words = ["pig", "-p", "goal=20", BOT, "random", "--games", 4, "--batch", 4, "--out", folder, "--processes", 1]
    assert hazard_command("tournament", *words).returncode == 0
    setting = read_setting(folder)
    counted = tallies(Store(folder, setting), setting.made(), {})
    assert summed_up(setting, counted)["seed"] == setting.seed
    longer = type(setting)(**{name: getattr(setting, name) for name in setting.__struct_fields__} | {"games": 400})
    assert summed_up(longer, counted)["seed"] is None
    open_one = make(games=1000)
    assert summed_up(open_one, [counted[0]] * 3)["seed"] == 3, "where no bots play, there is no secret"


def test_a_bots_own_seed_tells_nothing_of_the_dice() -> None:
    """It is a digest: not the first bits of a stream, from which all could be found out."""
    streams = [stream(3, n, AGENTS) for n in range(100)]
    seeds = [told_seed(rng) for rng in streams]
    assert len(set(seeds)) == 100
    assert max(seeds) < 2**53
    assert seeds == [told_seed(stream(3, n, AGENTS)) for n in range(100)], "always the same"
    draws = [int(pig().plain(draw)(rng.copy())) >> 11 for rng in streams]
    assert not set(seeds) & set(draws)

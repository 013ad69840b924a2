"""Tournaments: the same files however they are run, killed, resumed or extended; records that can be replayed."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.arena.batch import Result, play_batch
from hazard.arena.line_up import line_up_seed
from hazard.arena.play import line_up
from hazard.arena.query import query
from hazard.arena.replay import replay
from hazard.arena.schedule import Batch, schedule
from hazard.arena.setting import Setting, read_line_ups, round_robin, settle
from hazard.arena.store import Store, read_setting
from hazard.arena.tournament import run, tallies

AGENTS = ["optimal", "hold-at-20", "random"]
EXAMPLES = Path(__file__).parents[1] / "examples" / "bots"


def pig() -> hazard.Game:
    return hazard.game("pig", goal=30)


def make(games: int = 60, agents: list[str] = AGENTS, batch: int = 20, **more: object) -> Setting:
    return settle(pig(), agents, round_robin(agents, 2), games=games, seed=3, batch=batch, **more)


def contents(folder: Path) -> dict[str, str]:
    """Every file with its checksum."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "hazard", *(str(word) for word in words)]


def hazard_command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, check=False)


@pytest.fixture
def undisturbed(tmp_path: Path) -> Path:
    run(tmp_path / "undisturbed", make())
    return tmp_path / "undisturbed"


# --- the schedule ------------------------------------------------------------------------------------------------
def test_line_ups() -> None:
    assert round_robin("abcd", 2) == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert round_robin("abcd", 2, "c") == [[2, 0], [2, 1], [2, 3]]
    assert len(round_robin("abcdef", 4)) == 15


def test_line_ups_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "line-ups"
    path.write_text("# three seats\nrandom random optimal\n\n'./a bot.py' random optimal # a bot\n")
    assert read_line_ups(path, 3) == [["random", "random", "optimal"], ["./a bot.py", "random", "optimal"]]
    with pytest.raises(hazard.BadInput, match="line 2: 3 agents, but there are 2 seats"):
        read_line_ups(path, 2)


def test_batches_cover_every_game_once() -> None:
    found = [(b.line_up, n) for b in schedule(make(games=45, batch=20)) for n in range(b.first, b.last)]
    assert sorted(found) == [(line_up, n) for line_up in range(3) for n in range(45)]
    assert len(set(found)) == len(found)


def test_game_numbers_go_both_ways() -> None:
    setting = make(games=7)
    numbers = [setting.game_id(line_up, n) for line_up in range(3) for n in range(7)]
    assert sorted(numbers) == list(range(21))
    assert all(setting.game_id(*setting.find(n)) == n for n in numbers)
    with pytest.raises(hazard.BadInput, match="numbered 0 to 20"):
        setting.find(21)


# --- honest pairs --------------------------------------------------------------------------------------------------
def test_seat_orders_share_board_and_dice() -> None:
    """An agent against itself: both games of a pair are the same game, so each seat wins both or neither."""
    seated = line_up(pig(), ["hold-at-20", "hold-at-20"], seed=1)
    payoffs = seated.play(0, 400).payoffs
    assert (payoffs[0::2] == payoffs[1::2]).all()
    apart = line_up(pig(), ["hold-at-20", "hold-at-20"], seed=1, shared=False).play(0, 400).payoffs
    assert (apart[0::2] != apart[1::2]).any()


def test_an_agent_s_draws_do_not_change_the_dice() -> None:
    game = pig()
    first = {agent: line_up(game, ["random", agent], seed=5).room() for agent in ("random", "hold-at-20")}
    from hazard.arena.play import set_up

    for room in first.values():
        game.compiled(set_up)(game.g, np.uint64(5), True, 6, room)
    dice = slice(hazard.dice.DICE, hazard.dice.DICE + 2)
    assert (first["random"].rng[dice] == first["hold-at-20"].rng[dice]).all()


def test_every_line_up_has_its_own_dice() -> None:
    seeds = {line_up_seed(1, names) for names in (["a", "b"], ["b", "a"], ["a", "c"])} | {line_up_seed(2, ["a", "b"])}
    assert len(seeds) == 4


def test_shared_dice_are_reported(undisturbed: Path) -> None:
    summary = json.loads((undisturbed / "summary.json").read_text())
    assert summary["shared_dice"]["variance_ratio"] > 1
    assert all(place["shared_dice"] for found in summary["line_ups"] for place in found["places"])


# --- killed, resumed, extended -------------------------------------------------------------------------------------
def test_processes_do_not_matter(undisturbed: Path, tmp_path: Path) -> None:
    run(tmp_path / "two", make(), processes=2)
    assert contents(tmp_path / "two") == contents(undisturbed)


def test_resumed_after_an_exception(undisturbed: Path, tmp_path: Path) -> None:
    folder, done = tmp_path / "broken", []

    def stop(games: int, total: int) -> None:
        done.append(games)
        if len(done) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, make(), progress=stop)
    assert Store(folder, read_setting(folder)).games == done[-1] == 80
    run(folder, read_setting(folder), processes=2)
    assert contents(folder) == contents(undisturbed)


def test_extending_plays_only_new_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """45 games end in the middle of a batch and of a deal."""
    from hazard.arena import runner

    run(tmp_path / "whole", make(games=90))
    run(tmp_path / "grown", make(games=45))
    played = []

    def watched(raw: bytes, batch: Batch, expelled: list[str]) -> Result:
        played.append((batch.line_up, range(batch.first, batch.last)))
        return play_batch(raw, batch, expelled)

    monkeypatch.setattr(runner, "play_batch", watched)
    run(tmp_path / "grown", make(games=90))
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    assert sorted((line_up, n) for line_up, some in played for n in some) == [
        (line_up, n) for line_up in range(3) for n in range(45, 90)
    ]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_at_any_moment(how: signal.Signals, tmp_path: Path) -> None:
    """Killed again and again while it plays, until it gets to the end."""
    words = ("pig", *AGENTS, "--games", 40_000, "--seed", 3, "--batch", 2_000, "--processes", 2)
    assert hazard_command("tournament", *words, "--out", tmp_path / "whole").returncode == 0
    folder, kills = tmp_path / "killed", 0
    start = command("tournament", *words, "--out", folder)
    for _ in range(4):
        with subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_for_more(folder, process)
            process.send_signal(how)
            _, said = process.communicate()
        if process.returncode == 0:
            break
        kills += 1
        assert said.splitlines()[-1] == f"hazard resume {folder} --processes 2"
        assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
        start = [sys.executable, "-m", *said.splitlines()[-1].split()]
    assert kills > 0
    assert subprocess.run(start, check=False, capture_output=True).returncode == 0
    assert contents(folder) == contents(tmp_path / "whole")


def wait_for_more(folder: Path, process: subprocess.Popen) -> None:
    """Until some further batch is complete."""
    before = len(list(folder.glob("games/*.parquet")))
    while process.poll() is None and len(list(folder.glob("games/*.parquet"))) < before + 2:
        time.sleep(0.002)


def test_no_worker_outlives_a_kill(tmp_path: Path) -> None:
    words = ("pig", *AGENTS, "--games", 2_000_000, "--out", tmp_path / "x", "--processes", 2, "--batch", 20_000)
    with subprocess.Popen(command("tournament", *words), stderr=subprocess.DEVNULL) as process:
        wait_for_more(tmp_path / "x", process)
        children = children_of(process.pid)
        process.kill()
    assert children
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


# --- what is there stays -------------------------------------------------------------------------------------------
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


# --- records -------------------------------------------------------------------------------------------------------
def test_every_game_can_be_replayed(undisturbed: Path) -> None:
    _, rows = query(undisturbed, "select game, seat_1, seat_2, payoff_1, length from games order by game")
    assert [row[0] for row in rows] == list(range(180))
    for number, first, second, paid, length in rows[::7]:
        found = replay(undisturbed, number)
        assert [seat["agent"] for seat in found["seats"]] == [first, second]
        assert sum("move" in event for event in found["events"]) == length
        assert pig().parse(found["end"]).payoffs[0] == paid == found["payoffs"][0]


def test_a_replay_on_the_command_line(undisturbed: Path) -> None:
    found = json.loads(hazard_command("replay", undisturbed, 5, "--json").stdout)
    assert found == replay(undisturbed, 5)
    position = pig().start()
    for event in found["events"]:
        assert str(position) == event["position"]
        if "dice" in event:
            position = position.outcomes()[event["dice_number"]].position
        else:
            position = position.move(event["move"])
    assert str(position) == found["end"]
    text = hazard_command("replay", undisturbed, 5).stdout
    assert text.splitlines()[0].startswith("game 5: player 1 is")
    assert hazard_command("replay", undisturbed, 180).returncode == 2


def test_games_agree_with_matches(undisturbed: Path) -> None:
    """The same seed and line-up play the same games wherever they are played."""
    found = hazard.match(pig(), "optimal", "random", games=60, seed=3)
    assert query(undisturbed, "select count(*) from games where line_up = 1 and winner = 'optimal'")[1] == [
        (found.wins[0],)
    ]


def test_tallies_agree_with_sql(undisturbed: Path) -> None:
    found = tallies(Store(undisturbed, read_setting(undisturbed)), pig(), {})
    _, rows = query(
        undisturbed,
        "select l.line_up, l.place, avg(r.payoff), avg(r.length) from results r join line_ups l "
        "on l.line_up = r.line_up and l.agent = r.agent group by all order by all",
    )
    assert len(rows) == 6
    for n, place, mean, length in rows:
        assert found[n].payoff(place).mean == pytest.approx(mean, abs=1e-12)
        assert sum(k * times for k, times in found[n].lengths.items()) / 60 == pytest.approx(length)


def test_moves_are_recorded(tmp_path: Path) -> None:
    run(tmp_path / "x", make(record=True), processes=1)
    columns, rows = query(tmp_path / "x", "from moves order by game, ply")
    assert columns[:7] == ["game", "ply", "seat", "position", "move", "move_number", "payoff"]
    told = [
        (n, event["seat"], event["position"], event["move"])
        for n in range(180)
        for event in replay(tmp_path / "x", n)["events"]
        if "move" in event
    ]
    assert [(row[0], *row[2:5]) for row in rows] == told
    state = pig().rules.State(*rows[3][7:])
    assert pig().notation.text(pig().g, state) == rows[3][3]
    wrong = "select count(*) from moves m join results r using (game, seat) where m.payoff <> r.payoff"
    assert query(tmp_path / "x", wrong)[1] == [(0,)]


def test_luck_is_kept(tmp_path: Path) -> None:
    run(tmp_path / "x", make(luck=True))
    summary = json.loads((tmp_path / "x" / "summary.json").read_text())
    plain, adjusted = (summary["line_ups"][0]["places"][0][key] for key in ("error", "adjusted"))
    assert adjusted["error"] < plain
    exact = [hazard.evaluate(pig(), names).value(pig().start()) for names in (AGENTS[:2], AGENTS[1::-1])]
    assert abs(adjusted["mean"] - (exact[0][0] + exact[1][1]) / 2) < 4 * adjusted["error"]


def test_a_query_that_is_wrong(undisturbed: Path) -> None:
    found = hazard_command("results", undisturbed, "--sql", "select nothing from games")
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1)
    other = undisturbed / "x.csv"
    assert hazard_command("results", undisturbed, "--sql", f"copy games to '{other}'").returncode == 2
    assert not other.exists()


def test_a_million_games_are_small(tmp_path: Path) -> None:
    """From a sixteenth of them: a batch of 62,500 games may take a sixteenth of 5 MB."""
    game = hazard.game("great-rolled-ones")
    agents = ["fixed-hold-at", "keep-pace"]
    run(tmp_path / "x", settle(game, agents, [[0, 1]], games=62_500, seed=1, batch=7_812))
    size = sum(path.stat().st_size for path in (tmp_path / "x").rglob("*") if path.is_file())
    assert size < 5_000_000 / 16


def test_more_than_two_seats(tmp_path: Path) -> None:
    game = hazard.game("great-rolled-ones", goal=6, players=3)
    agents = ["random", "fixed-hold-at", "roll-with-4-or-5", "keep-pace"]
    found = run(tmp_path / "x", settle(game, agents, round_robin(agents, 3), games=30, seed=1), processes=2)
    assert (found["seats"], len(found["line_ups"]), found["games_played"]) == (3, 4, 120)
    assert all(1 <= row["mean_rank"] <= 3 for row in found["ratings"])
    _, rows = query(tmp_path / "x", "select agent, seat, count(*) from results group by all")
    assert {row[2] for row in rows} == {30}
    assert replay(tmp_path / "x", 100)["seats"][2]["agent"] in agents
    repeated = run(tmp_path / "y", settle(game, agents[:2], [[0, 0, 1]], games=30, seed=1))
    assert repeated["ratings"][0]["games"] == 30


# --- bots in a tournament ------------------------------------------------------------------------------------------
def test_bots_take_part(tmp_path: Path) -> None:
    bot = str(EXAMPLES / "hold20.py")
    crash = tmp_path / "crash.py"
    crash.write_text("import sys\nsys.exit('I had a bad day')\n")
    agents = [bot, "hold-at-20", str(crash)]
    setting = settle(pig(), agents, round_robin(agents, 2), games=8, seed=1)
    found = run(tmp_path / "x", setting, processes=2)
    assert run(tmp_path / "y", setting)["line_ups"] == found["line_ups"]
    assert contents(tmp_path / "x") == contents(tmp_path / "y")
    fault = found["faults"][0]
    assert (fault["agent"], fault["reason"]) == (str(crash), "start")
    assert sum(f["count"] for f in found["faults"]) == 16
    assert "I had a bad day" in fault["words"]
    assert "I had a bad day" in (tmp_path / "x" / "report.html").read_text()
    _, rows = query(tmp_path / "x", "select game from games where line_up = 0 order by game")
    for (number,) in rows:
        assert replay(tmp_path / "x", number)["over"]
    _, rows = query(tmp_path / "x", "select agent, avg(payoff) from results group by all order by 2")
    assert rows[0] == (str(crash), 0.0)
    forfeited = replay(tmp_path / "x", setting.game_id(1, 0))
    assert (forfeited["over"], forfeited["faults"][0]["reason"]) == (False, "start")


def test_environment_does_not_matter(undisturbed: Path, tmp_path: Path) -> None:
    """Without compiling the same games are played."""
    words = command("tournament", "pig", *AGENTS, "-p", "goal=30", "--games", 60, "--seed", 3, "--batch", 20)
    setting = os.environ | {"HAZARD_JIT": "0"}
    done = subprocess.run([*words, "--processes", "1", "--out", str(tmp_path / "x")], env=setting, capture_output=True)
    assert done.returncode == 0
    assert contents(tmp_path / "x") == contents(undisturbed)

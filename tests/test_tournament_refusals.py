"""What was there stays as it was: other tournaments, damaged files, a full disk, bad input."""

import json
import resource
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hazard
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import settle
from hazard.arena.tournament.store import read_setting
from tests.tournaments import AGENTS, EXAMPLES, command, contents, hazard_command, make, pig, said


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


# --- the setting -----------------------------------------------------------------------------------------------------
ASKING = (("resume",), ("results",), ("replay", 3), ("verify",))


def check_refused(folder: Path, *says: str, asking: Sequence[tuple] = ASKING) -> None:
    """Whatever is asked, there is one line, and nothing is changed. Before it, `resume` may say how to go on."""
    before = contents(folder)
    for first, *words in asking:
        code, err = said(first, folder, *words)
        lines = [line for line in err.splitlines() if not line.startswith(("hazard resume", "if this is"))]
        assert (code, len(lines)) == (2, 1), err
        assert all(some in lines[0] for some in says), lines[0]
    assert contents(folder) == before


def two_names(setting: dict) -> None:
    setting["agents"][0], setting["agents"][1] = setting["agents"][1], setting["agents"][0]


ALTERED: dict[str, Callable[[dict], object]] = {
    "two names swapped": two_names,
    "another seed": lambda setting: setting.update(seed=4),
    "more games": lambda setting: setting.update(games=600),
    "fewer games": lambda setting: setting.update(games=10),
    "larger batches": lambda setting: setting.update(batch=40),
    "line-ups in another order": lambda setting: setting["line_ups"].reverse(),
    "independent dice": lambda setting: setting.update(shared=False),
    "another table": lambda setting: setting["reads"].update(optimal="0" * 16),
    "another numba": lambda setting: setting["versions"].update(numba="0.1"),
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_setting_is_refused(undisturbed: Path, how: str) -> None:
    """The ledger has its checksum: what was played under it is not shown under another."""
    path = undisturbed / "tournament.json"
    setting = json.loads(path.read_text())
    ALTERED[how](setting)
    path.write_text(json.dumps(setting, indent=1))
    says = [] if how == "another numba" else ["altered since its games were played"]
    check_refused(undisturbed, *says)


def test_an_altered_ledger_is_refused(undisturbed: Path) -> None:
    path = undisturbed / "ledger.json"
    was = path.read_bytes()
    for old, new in ((b'"first":20', b'"first":40'), (b'"line_up":1', b'"line_up":2'), (b"}", b',"suspended":["x"]}')):
        assert old in was
        path.write_bytes(was.replace(old, new, 1))
        check_refused(undisturbed, "ledger.json", "damaged", asking=ASKING[:2])


WRONG: list[tuple[str, object, str]] = [
    ("batch", 0, "batch=0: must be from 1"),
    ("batch", -2, "batch=-2"),
    ("batch", "20", "`int`"),
    ("batch", 3, "multiple of the 2 seats"),
    ("batch", 10**400, "batch=1000"),
    ("games", 0, "games=0"),
    ("games", 2**40, "games=1099511627776: must be from 1 to 2147483647"),
    ("games", 1.5, "`int`"),
    ("seed", -1, "seed=-1"),
    ("seed", 2**63, "seed=9223372036854775808"),
    ("seed", None, "seed"),
    ("agents", "optimal", "agents"),
    ("agents", ["optimal", "optimal", "random"], "named twice"),
    ("line_ups", [], "line_ups"),
    ("line_ups", [[]], "line_ups"),
    ("line_ups", [[0, 1], [0]], "line_ups"),
    ("line_ups", [[0, 7]], "line_ups"),
    ("line_ups", [[0, -1]], "line_ups"),
    ("line_ups", [["0", "1"]], "line_ups"),
    ("parameters", {"goal": 0}, "goal=0"),
    ("parameters", {"gaol": 30}, "did you mean"),
    ("parameters", [30], "parameters"),
    ("game", "pgi", "did you mean"),
    ("format", 1, "format 1, but this program reads format 2"),
    ("format", 3, "format 3"),
    ("format", "2", "`int`"),
    ("limits", {"memory": 0}, "memory=0"),
    ("bots", {"./bot.py": "x"}, "none of the agents"),
    ("shared", 1, "`bool`"),
    ("extra", 1, "extra"),
    *((name, ..., name) for name in ("batch", "games", "seed", "agents", "line_ups", "code", "versions", "format")),
]


@pytest.mark.parametrize(("name", "value", "says"), WRONG, ids=[f"{n}={str(v)[:20]}" for n, v, _ in WRONG])
def test_a_setting_that_cannot_be_is_refused(tmp_path: Path, name: str, value: object, says: str) -> None:
    """Before any game is played no ledger knows the setting, so all that it says is looked at. `...` leaves it out."""
    setting = json.loads(msgspec.json.encode(make())) | {name: value}
    if value is ...:
        del setting[name]
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "tournament.json").write_text(json.dumps(setting))
    check_refused(tmp_path / "cup", says, asking=ASKING[:1])


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b"[" * 10**6, b'{"format":', b"\xff\xfe", b"\0"])
@pytest.mark.parametrize("name", ["tournament.json", "ledger.json"])
def test_no_json_at_all_is_refused(undisturbed: Path, name: str, content: bytes) -> None:
    (undisturbed / name).write_bytes(content)
    check_refused(undisturbed, f"{name}: damaged", asking=ASKING[:2])


def test_a_kill_while_a_tournament_is_extended(undisturbed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever files were written, the rest follows when it is resumed."""
    from hazard.arena.tournament import store

    whole = undisturbed.with_name("whole")
    run(whole, make(games=90))
    for writes in (1, 2, 3):
        folder = shutil.copytree(undisturbed, undisturbed.with_name(f"killed-{writes}"))
        left, write = [writes], store.write_whole

        def stop(path: Path, content: bytes, left: list = left, write: Callable = write) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            write(path, content)

        monkeypatch.setattr(store, "write_whole", stop)
        with pytest.raises(KeyboardInterrupt):
            run(folder, make(games=90))
        monkeypatch.setattr(store, "write_whole", write)
        assert said("results", folder)[0] == 0
        assert said("resume", folder, "--games", 90, "--processes", 1)[0] == 0
        assert contents(folder) == contents(whole)


def test_another_table_is_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`optimal` plays by a solution, which may have been made again less exactly in the meantime."""
    from hazard.arena.tournament import batch

    run(tmp_path / "x", make(games=20))
    assert read_setting(tmp_path / "x").reads.keys() == {"optimal"}
    monkeypatch.setattr(batch, "seat_agents", lambda game, names: ([0], [np.arange(3, dtype=np.uint8)]))
    batch.read_by.cache_clear()
    with pytest.raises(hazard.BadInput, match="'optimal' reads another table or other weights than when"):
        run(tmp_path / "x", make(games=40))
    batch.read_by.cache_clear()


@pytest.mark.parametrize("sql", ["", " ", ";", "-- nothing", ";;"])
def test_a_query_without_a_table(undisturbed: Path, sql: str) -> None:
    assert said("results", undisturbed, "--sql", sql) == (
        2,
        f"hazard: --sql {sql!r}: gives no table; begin with select\n",
    )


def test_any_value_is_printed_as_json(undisturbed: Path) -> None:
    sql = "select [date '2020-01-01'] a, {'x': 'nan'::float} b, 1::decimal(38,10) c, 'a'::blob d, 'inf'::double e"
    found = json.loads(hazard_command("results", undisturbed, "--sql", sql, "--json").stdout)
    assert found["rows"] == [[["2020-01-01"], {"x": None}, "1.0000000000", "61", None]]


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

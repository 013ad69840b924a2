"""Nothing old is used: what results and compiled code are made of is covered by the digests they are kept under."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hazard import contract
from hazard.fingerprint import PACKAGE, contents, fingerprint, global_names
from hazard.jit import bind, rule
from tests.fresh import run_python
from tests.tournaments import EXAMPLES
from tests.tournaments import contents as contents_of

ASK = """
import json, hazard
from hazard.arena.play.compiled import play_games
from hazard.arena.tournament.setting import code_version
from hazard.fingerprint import fingerprint
from hazard.solving.solution import solver_version
found = {}
for name in ("pig", "great-rolled-ones", "dice-of-doom", "dice-wars"):
    game = hazard.game(name)
    found[name] = [game.version, fingerprint(play_games, game.names(game.agents)), code_version(game)]
    found[name].append(solver_version(game) if game.declaration.solver else "")
print(json.dumps(found))
"""
RULES, MACHINE, CODE, SOLVER = range(4)
EVERY = ("pig", "great-rolled-ones", "dice-of-doom", "dice-wars")


PLAIN = {"HAZARD_JIT": "0"}  # solving is quick without compiling in games as small as these
BOT = EXAMPLES / "hold20.py"


def run(folder: Path, code: str, cache: Path, **environment: str) -> str:
    return run_python(code, cache, PYTHONPATH=str(folder), **environment)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that a test may change, and put right again."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "hazard", ignore=shutil.ignore_patterns("__pycache__", "web"))
    return folder


@pytest.fixture(scope="module")
def before(copy: Path) -> dict[str, list[str]]:
    return json.loads(run(copy, ASK, copy / "cache"))


def changed(copy: Path, file: str, old: str, new: str, code: str, **environment: str) -> str:
    path = copy / "hazard" / file
    text = path.read_text()
    assert text.count(old) == 1, f"{file} does not say {old!r} once"
    try:
        path.write_text(text.replace(old, new))
        return run(copy, code, copy / "cache", **environment)
    finally:
        path.write_text(text)


CHANGES = [
    # a constant that is compiled into the loop that plays: code of every game, but no rules
    ("arena/play/steps.py", "LIMIT = 10_000_000", "LIMIT = 9_000_000", {(name, k) for name in EVERY for k in (1, 2)}),
    # a rule of one game: nothing of the others
    ("games/pig/rules.py", "s.pot + i + 1", "s.pot + i + 2", {("pig", k) for k in (RULES, MACHINE, CODE)}),
    # a number from which `make` builds what the rules read
    (
        "games/great_rolled_ones/notation.py",
        "NEGLIGIBLE = 1e-4",
        "NEGLIGIBLE = 1e-2",
        {("great-rolled-ones", RULES), ("great-rolled-ones", CODE)},
    ),
    # a game's own solver: its certified results, and tournaments in which `optimal` may play
    ("games/dice_of_doom/boards.py", '"""Boards of hexagons', '"""The boards of hexagons', set()),
    # words alone
    ("contract.py", "How many ways the dice in the air can land", "The number of ways the dice can land", set()),
]


@pytest.mark.parametrize(("file", "old", "new", "where"), CHANGES, ids=[change[0] for change in CHANGES])
def test_digests_cover_what_is_changed(
    copy: Path, before: dict[str, list[str]], file: str, old: str, new: str, where: set[tuple[str, int]]
) -> None:
    after = json.loads(changed(copy, file, old, new, ASK))
    differs = {(name, k) for name in before for k in range(4) if before[name][k] != after[name][k]}
    assert differs == where


def test_the_solver_s_code_is_covered(copy: Path, before: dict[str, list[str]]) -> None:
    """Every solver stands on `solving`; results of a changed one are not found any more."""
    after = json.loads(changed(copy, "solving/numbered/turns.py", "ULP = 2.0**-52", "ULP = 2.0**-51", ASK))
    for name in EVERY:
        assert after[name][RULES] == before[name][RULES]
        assert (after[name][SOLVER] != before[name][SOLVER]) == bool(before[name][SOLVER])


def test_what_make_builds_is_covered(copy: Path, before: dict[str, list[str]]) -> None:
    """The odds of battles are no code of the rules, but part of them."""
    old, new = "win[a][b], every[a][b] = odds.numerator, odds.denominator", "win[a][b], every[a][b] = 1, 2"
    after = json.loads(changed(copy, "games/dice_of_doom/parameters.py", old, new, ASK))
    assert after["dice-of-doom"][RULES] != before["dice-of-doom"][RULES]
    assert after["dice-wars"] == before["dice-wars"]


def test_compiled_code_is_not_used_after_a_change(copy: Path) -> None:
    """With the same cache: games that were cut off at a limit of one decision end once the limit is the old one."""
    play = "import hazard; print(hazard.match(hazard.game('pig', goal=9), 'random', 'hold-at-20', games=20).wins)"
    cut = changed(copy, "arena/play/steps.py", "LIMIT = 10_000_000", "LIMIT = 1", play)
    assert cut.strip() == "[0, 0]"
    wins = json.loads(run(copy, play, copy / "cache"))
    assert sum(wins) == 20


def test_solutions_are_not_used_after_a_change(copy: Path) -> None:
    ask = "import hazard; from hazard.solving.solution import *; g = hazard.game('pig', goal=7); "
    run(copy, ask + "solved(g)", copy / "cache", **PLAIN)
    there = ask + "print(stored_at(g).exists())"
    assert run(copy, there, copy / "cache", **PLAIN).strip() == "True"
    for file, old, new in (
        ("games/pig/rules.py", "s.pot + i + 1", "s.pot + i + 2"),
        ("solving/numbered/layers.py", "NEWTON = 40", "NEWTON = 41"),
    ):
        assert changed(copy, file, old, new, there, **PLAIN).strip() == "False"


def test_an_altered_heading_is_refused(copy: Path) -> None:
    """A solution that was moved to the place of another solver's is told by what it says of itself."""
    ask = "import hazard, json; from hazard.solving.solution import *; g = hazard.game('pig', goal=8); "
    place = Path(run(copy, ask + "solved(g); print(stored_at(g))", copy / "cache", **PLAIN).strip())
    about = json.loads((place / "solution.json").read_text())
    for key in ("rules", "solver"):
        (place / "solution.json").write_text(json.dumps(about | {key: "another"}))
        load = "\ntry: load(stored_at(g), g)\nexcept hazard.BadInput as problem: print(problem)"
        assert "another, but this program has" in run(copy, ask + load, copy / "cache", **PLAIN)


# --- tournaments ---------------------------------------------------------------------------------------------------
PLAYED = """
import sys, types
from pathlib import Path
import hazard
from hazard.arena.tournament.batch import play_batch
from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import covered, settle
import msgspec
game = hazard.game({game!r}, **{parameters!r})
for agents in {agents!r}:
    setting = settle(game, agents, [list(range(len(agents)))], games=2, seed=1, batch=2, luck={luck}, record=True)
    play_batch(msgspec.json.encode(setting), Batch(0, 0, 2))
used = {{Path(m.__file__) for n, m in list(sys.modules.items()) if n.startswith("hazard") and m.__file__}}
used = {{path for path in used if path.stat().st_size}}
print(*sorted(str(path) for path in used - set(covered(game))), sep="\\n")
"""


@pytest.mark.parametrize(
    ("game", "parameters", "agents", "luck"),
    [
        ("pig", {"goal": 9}, [["optimal", "hold-at-20"], [str(BOT), "random"]], True),
        ("dice-wars", {"territories": "3", "grid": "9x9", "max_dice": 2, "turns": 4}, [["ste", "master-fast"]], False),
    ],
)
def test_all_that_a_batch_imports_is_covered(
    tmp_path: Path, game: str, parameters: dict, agents: list[list[str]], luck: bool
) -> None:
    """Built-in agents, one that has solved the game, a network and a bot; luck, and every move."""
    code = PLAYED.format(game=game, parameters=parameters, agents=agents, luck=luck)
    assert run_python(code, tmp_path / "cache", PYTHONPATH=str(PACKAGE.parent), **PLAIN).split() == []


MIXED = [  # what was mixed into an old run without a word, and other files that games depend on
    "arena/play/compiled.py",
    "arena/play/seated.py",
    "arena/play/steps.py",
    "arena/play/luck.py",
    "arena/bots/games.py",
    "arena/bots/guard/keeper.py",
    "arena/tournament/batch.py",
    "arena/tournament/decisions.py",
    "agents/seating.py",
    "agents/__init__.py",
    "contract.py",
    "dice.py",
    "jit.py",
    "rulebook.py",
    "games/pig/agents.py",
    "games/pig/notation.py",
    "games/pig/rules.py",
    "solving/numbered/layers.py",
    "solving/tables.py",
]
DIGESTS = """
import hazard, json
from pathlib import Path
from hazard import fingerprint
from hazard.arena.tournament import setting
game, package, found = hazard.game("pig"), Path(hazard.__file__).parent, {}
read, known = fingerprint._read.__wrapped__, {}
def read_once(path):
    text = path.read_text()
    if (path, text) not in known:
        known[path, text] = read(path)
    return known[path, text]
fingerprint._read = read_once
def ask():
    for some in (fingerprint.code_digest, setting.play_version):
        some.cache_clear()
    return setting.code_version(game)
found["as it is"] = ask()
for name in FILES:
    path = package / name
    was = path.read_text()
    path.write_text(was + chr(10) + "X_ADDED = 1")
    found[name] = ask()
    path.write_text("# a comment" + chr(10) + was)
    if name == FIRST:
        assert ask() == found["as it is"], name
    path.write_text(was)
print(json.dumps(found))
"""


def test_each_of_the_files_that_games_depend_on_is_covered(copy: Path) -> None:
    """A line of code more gives another digest, a comment does not."""
    found = json.loads(
        run(copy, DIGESTS.replace("FILES", repr(MIXED)).replace("FIRST", repr(MIXED[0])), copy / "cache")
    )
    assert len(set(found.values())) == len(MIXED) + 1


CUP = """
import sys
from hazard.cli import main
sys.argv = ["hazard", *WORDS]
try: main()
except SystemExit as end: print("code", end.code)
"""


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("arena/play/compiled.py", "decisions += 1", "decisions += 2"),
        ("arena/play/seated.py", "[t.length for t in told]", "[t.length + 1 for t in told]"),
        ("arena/bots/games.py", "MOST = 100_000", "MOST = 90_000"),
    ],
)
def test_a_run_is_not_resumed_by_other_code(copy: Path, tmp_path: Path, file: str, old: str, new: str) -> None:
    """In a copy of the package that is changed between two commands."""
    words = ["tournament", "pig", "random", "hold-at-20", "-p", "goal=9", "--games", "8", "--batch", "4", "--out"]
    words += [str(tmp_path / "cup"), "--processes", "1"]
    assert "code 0" in run(copy, CUP.replace("WORDS", repr(words)), copy / "cache", **PLAIN)
    before = contents_of(tmp_path / "cup")
    more = ["resume", str(tmp_path / "cup"), "--games", "16", "--processes", "1"]
    again = CUP.replace("WORDS", repr(more)).replace("import sys", "import sys; sys.stderr = sys.stdout")
    said = changed(copy, file, old, new, again, **PLAIN)
    assert "code 2" in said
    assert "the tournament was played with code" in said
    assert "Traceback" not in said
    assert contents_of(tmp_path / "cup") == before
    assert "code 0" in run(copy, again, copy / "cache", **PLAIN)


# --- functions -----------------------------------------------------------------------------------------------------
FACTOR = 3


@rule
def size(g: Any) -> int:
    """An attribute of the same name as a rule is not that rule."""
    return g.size * FACTOR


@rule
def twice(g: Any) -> int:
    return 2 * size(g)


def test_attributes_are_no_rules() -> None:
    assert global_names(size.__code__) == ("FACTOR",)

    class Parameters:
        size = 5

    assert bind(twice, "attributes", {}, False)(Parameters) == 30


def test_constants_and_called_rules_count(monkeypatch: pytest.MonkeyPatch) -> None:
    was = fingerprint(twice, {})
    assert fingerprint(twice, {}) == was
    monkeypatch.setitem(globals(), "FACTOR", 4)
    assert fingerprint(twice, {}) != was


def test_default_arguments_count() -> None:
    """Programs that differ in a setting may share their code."""

    def program(setting: int) -> Any:
        @rule
        def decide(g: Any, setting: int = setting) -> int:
            return setting

        return decide

    assert fingerprint(program(1), {}) != fingerprint(program(2), {})
    assert fingerprint(program(1), {}) == fingerprint(program(1), {})


def test_a_game_s_own_functions_count() -> None:
    @rule
    def purse(g: Any) -> float:
        return 2.0

    assert fingerprint(contract.worth, {}) != fingerprint(contract.worth, {"purse": purse})


def test_contents_tell_arrays_apart() -> None:
    import numpy as np

    values = [
        np.arange(4),
        np.arange(4, dtype=np.int32),
        np.arange(4).reshape(2, 2),
        (1, "a"),
        (1, ("a",)),
        1,
        1.0,
        "1",
    ]
    assert len({contents(value) for value in values}) == len(values)
    assert contents((np.arange(3), 2)) == contents((np.arange(3), 2))

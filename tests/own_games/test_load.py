"""A game in a file: how it is found, what it gets without writing any, and what is refused in one line."""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hazard
from hazard import declaration
from hazard.arena.play.compiled import line_up
from hazard.declaration import game_names, make_known
from hazard.errors import BadInput
from hazard.rulebook import make_game
from tests.own_games.files import SMALL, write

COMMAND = (sys.executable, "-m", "hazard")


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command, without what it says of compiling."""
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, env=os.environ | environment)
    done.stderr = "".join(x for x in done.stderr.splitlines(True) if not x.startswith("compiling "))
    return done


def test_a_file_is_a_game(tmp_path: Path) -> None:
    game = hazard.game(write(tmp_path), goal=4)
    assert game.name == "race"
    assert game.parameters == {"goal": 4}
    assert game.declaration.summary == "Race: roll on or pass the die."
    assert [(p.name, p.low, p.high, p.help) for p in game.declaration.parameters] == [
        ("goal", 2, 50, "points that win")
    ]
    position = game.start().move("0")
    assert str(position) == "mover=0 me=0 you=0 pot=0 rolling=1"
    assert game.parse(str(position)) == position
    assert [o.text for o in position.outcomes()] == ["0", "1", "2"]
    assert list(game.agents) == ["random", "optimal", "rollout", "expectimax", "mcts"]


def test_it_is_found_again_in_another_process(tmp_path: Path) -> None:
    game = hazard.game(write(tmp_path), goal=4)
    again = pickle.loads(pickle.dumps((game.start(), game)))
    assert again == (game.start(), game)
    path = tmp_path / "kept"
    path.write_bytes(pickle.dumps(game.start()))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).move('0'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "mover=0 me=0 you=0 pot=0 rolling=1"


def test_a_changed_file_is_another_game(tmp_path: Path) -> None:
    """In the same process too; and what was made with the old one says that it has changed."""
    old = hazard.game(write(tmp_path))
    kept = pickle.dumps(old)
    before = hazard.match(old, "random", "random", games=200)
    commented = hazard.game(write(tmp_path, ("# points that win", "# how far")))
    assert commented == old
    new = hazard.game(write(tmp_path, ("2 if i == 1 else 1", "1")))
    assert new != old
    assert new.version != old.version
    assert hazard.match(new, "random", "random", games=200) != before
    assert hazard.match(old, "random", "random", games=200) == before
    assert pickle.loads(kept) == old
    declaration_file = old.file
    assert declaration_file
    from hazard.own_games import load

    load._loaded.pop(declaration_file)
    with pytest.raises(BadInput, match="has changed since"):
        pickle.loads(kept)


def test_names_open_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a visitor of a server says is a name; only files that were given at the start are known by theirs."""
    path = write(tmp_path, name="secret.py")
    for name in (path, "./secret.py", "secret.py", "../secret", "a/b"):
        with pytest.raises(BadInput, match="files are not opened here"):
            make_game(name, {})
    with pytest.raises(BadInput, match="no game 'secret'"):
        make_game("secret", {})
    monkeypatch.setenv(declaration.KNOWN, "")
    make_known([path])
    assert "secret" in game_names()
    assert make_game("secret", {}).start().moves == ["0"]
    code = "from hazard.rulebook import make_game; print(make_game('secret', {}).start())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "mover=0 me=0 you=0 pot=0 rolling=0"
    write(tmp_path, ("2 if i == 1 else 1", "1"), name="secret.py")
    changed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "secret.py has changed since" in changed.stderr


class Point:
    """An entry point of an installed package."""

    value = "somewhere:rules"

    def __init__(self, found: Any) -> None:
        self.found = found

    def load(self) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def test_installed_packages_bring_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sys.path.insert(0, str(tmp_path))
    write(tmp_path, name="brought_rules.py")
    try:
        import brought_rules  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(tmp_path))
    points = {"brought": Point(brought_rules), "broken": Point(RuntimeError("no")), "odd": Point(7)}
    monkeypatch.setattr(declaration, "_entry_points", lambda: points)
    assert "brought" in game_names()
    assert str(make_game("brought", {"goal": 3}).start().move("0")).endswith("rolling=1")
    for name, why in (("broken", "RuntimeError: no"), ("odd", "must be a module")):
        with pytest.raises(BadInput, match=why):
            make_game(name, {})
    with pytest.raises(BadInput, match="there is a game 'brought' already"):
        hazard.game(write(tmp_path, name="brought.py"))


# --- bad input -------------------------------------------------------------------------------------------------------
RULE = "@rule\ndef start"
BAD = {
    "race.py line 29: '(' was never closed": ("def over(g, s):", "def over(g, s:"),
    "race.py line 5: ModuleNotFoundError: No module named 'hazzard'": ("from hazard import", "from hazzard import"),
    "lacks land(g, s, i)": ("def land(", "def lands("),
    "lacks State; write `class State(NamedTuple):`": ("class State(NamedTuple)", "class Stat(NamedTuple)"),
    "State.pot is float; every field of a position is a whole number": ("pot: int", "pot: float"),
    "State lacks mover": ("    mover: int\n", "    movers: int\n"),
    "Params.goal must be a whole number with a default": ("goal: int = 6", "goal: float = 6.5"),
    "Params lacks the number of players": ("players: int = 2", "seats: int = 2"),
    "players must be from 1 to 8": ("players: int = 2", "players: int = 9"),
    "LIMITS names 'gaol', which is no field of Params": ('{"goal"', '{"gaol"'),
    "LIMITS['goal'] must be (lowest, highest), with the default 6 between them": ("(2, 50)", "(7, 50)"),
    "start is not marked; write @rule above it": (RULE, "def start"),
    "over takes 1 arguments; it must be over(g, s)": ("def over(g, s)", "def over(g)"),
    "start gives mover=2; seats are 0 to 1": ("return State(0, 0, 0, 0, 0)", "return State(2, 0, 0, 0, 0)"),
    "start gives pot=0.5; every field of a position": ("State(0, 0, 0, 0, 0)", "State(0, 0, 0, 0.5, 0)"),
    "start must return a State, not 7": ("return State(0, 0, 0, 0, 0)", "return 7"),
    "line 25: start: ZeroDivisionError": ("return State(0, 0, 0, 0, 0)", "return State(0, 1 // 0, 0, 0, 0)"),
    "has text but not parse": (RULE, "def text(g, s):\n    return 'x'\n\n\n" + RULE),
    "move calls help_me, which is not marked @rule": ("    if m == 0:", "    help_me()\n    if m == 0:"),
    "move calls itself; rules cannot, write a loop": ("    if m == 0:", "    move(g, s, 0)\n    if m == 0:"),
    "agent 'best' must be a function with @rule": (RULE, "AGENTS = {'best': 7}\n\n\n" + RULE),
}  # fmt: skip


@pytest.mark.parametrize("said", BAD)
def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path: Path, said: str) -> None:
    text = SMALL + "\n\ndef help_me():\n    pass\n"
    with pytest.raises(BadInput) as problem:
        hazard.game(write(tmp_path, BAD[said], text=text))
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)
    assert str(tmp_path / "race.py") in str(problem.value)


def test_names_of_files(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is a game 'pig' already"):
        hazard.game(write(tmp_path, name="pig.py"))
    with pytest.raises(BadInput, match="use small letters, digits and _"):
        hazard.game(write(tmp_path, name="My Game.py"))
    with pytest.raises(BadInput, match=r"there is no such file; `hazard new"):
        hazard.game(str(tmp_path / "none.py"))
    with pytest.raises(BadInput, match=r"ends in \.py"):
        hazard.game(str(tmp_path))
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="is not text in UTF-8"):
        hazard.game(str(tmp_path / "bytes.py"))


LANDED = "return State(s.mover, s.me, s.you, s.pot, "
UNCOMPILED = {  # what is said, and the change that it is said of
    "rules make no lists": ("    moves[0] = 0", "    made = [s.pot] * s.pot\n    moves[0] = len(made)"),
    "texts belong in move_text": ("    moves[0] = 0", "    moves[0] = len(f'{s.pot}') - 1"),
    "1 if ... else 0": (f"{LANDED}1)", f"{LANDED}s.pot >= 0)"),
    "g has the fields of Params": ("s.you >= g.goal", "s.you >= (g.goal if s.you < 3 else g.aim)"),
}


@pytest.mark.parametrize("said", UNCOMPILED)
def test_what_cannot_be_compiled_is_said_in_one_line(tmp_path: Path, said: str) -> None:
    """Few games are played in plain Python, where more is allowed; many need compiled code."""
    path = write(tmp_path, UNCOMPILED[said])
    done = run("match", path, "random", "random", "--games", "1000000")
    assert done.returncode == 2, done.stderr
    assert re.search(rf"race\.py line \d+: (cannot be compiled|AttributeError): .*{re.escape(said)}", done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1
    if "lists" in said:
        assert "Traceback" in run("--debug", "match", path, "random", "random", "--games", "1000000").stderr


def test_room_for_moves_is_never_overrun(tmp_path: Path) -> None:
    """Compiled code of such games checks bounds: it ends with one line, not with memory overwritten."""
    path = write(
        tmp_path, ("    moves[0] = 0\n", "    for n in range(70000):\n        moves[n] = 0\n    moves[0] = 0\n")
    )
    mover = write(tmp_path, ("State(1 - s.mover, s.you, s.me, 0, 0)", "State(900, s.you, s.me, 0, 0)"), name="wide.py")
    for name in (path, mover):
        plain = run("match", name, "random", "random", "--games", "10")
        assert (plain.returncode, len(plain.stderr.strip().splitlines())) == (2, 1), plain.stderr
    with pytest.raises(IndexError, match="index is out of bounds"):  # compiled
        hazard.playouts(hazard.game(path).start(), games=10)
    with pytest.raises(IndexError, match="index is out of bounds"):
        line_up(hazard.game(mover), ["random", "random"], seed=1).play(0, 10)
    assert "line 41: IndexError: index 65536 is out of bounds" in run("match", path, "random", "random").stderr


def test_texts_that_are_no_positions(tmp_path: Path) -> None:
    game = hazard.game(write(tmp_path))
    for text in (
        "",
        "x",
        "mover=0 me=0 you=0 pot=0",
        "mover=0 me=0 you=0 pot=0 rolling=x",
        "me=0 mover=0 you=0 pot=0 rolling=0",
    ):
        with pytest.raises(BadInput, match=r"cannot read .*write it like 'mover=0 me=0 you=0 pot=0 rolling=0'"):
            game.parse(text)
    with pytest.raises(BadInput, match="mover must be a seat from 0 to 1"):
        game.parse("mover=2 me=0 you=0 pot=0 rolling=0")
    with pytest.raises(BadInput, match="cannot read"):
        game.parse(f"mover=0 me=0 you=0 pot={10**19} rolling=0")
    with pytest.raises(BadInput, match="does not go with these rules"):
        game.parse("mover=0 me=0 you=0 pot=00 rolling=0")


# --- commands --------------------------------------------------------------------------------------------------------
def test_commands_take_files(tmp_path: Path) -> None:
    path, cup = write(tmp_path), tmp_path / "cup"
    assert "points that win" in run("games", path).stdout
    assert "mcts" in run("agents", path).stdout
    assert "rollout" in run("advise", path, "mover=0 me=0 you=0 pot=2 rolling=0").stdout
    played = run(
        "tournament", path, "random", "rollout", "--games", "64", "--batch", "16", "--processes", "2", "--out", str(cup)
    )
    assert played.returncode == 0, played.stderr
    assert "over" in run("replay", str(cup), "3").stdout
    write(tmp_path, ("2 if i == 1 else 1", "1"))
    for words in (("replay", str(cup), "3"), ("resume", str(cup), "--games", "128")):
        done = run(*words)
        assert done.returncode == 2
        assert re.search(r"race.py or the program has changed: .*play it again in another folder$", done.stderr.strip())

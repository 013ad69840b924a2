"""Strange words, positions and files by the thousand: every one is refused in one line, or used; nothing else happens.

`python -m benchmarks.fuzz [commands|positions|files] [--count N] [--seed S]` prints what was found; tests run a few.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

import hazard
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import settle
from hazard.arena.tournament.store import LEDGER, SETTING, Ledger, _sha256
from hazard.cli import main
from hazard.rulebook import Game
from hazard.solving import solution as solutions

LONGEST = 300  # seconds for one case: some compile first
NUMBERS = ["0", "1", "-1", "3", "7", "1e3", "1.5", "nan", "inf", "-inf", "", " 5", "1_000", "0x10", "٣", "²", "9" * 30]
NUMBERS += ["9" * 5000, "2147483648", "9223372036854775808", "-0", "+1", "1e400", "True", "None"]
WORDS = [
    "",
    " ",
    "-",
    "--",
    "--json",
    "-p",
    "=",
    "goal=",
    "=3",
    "goal=3",
    "\x00",
    "\n",
    "é",
    "\ud800",
    "💥",
    "a" * 3000,
]
WORDS += [
    "..",
    "/",
    "/etc/passwd",
    "/dev/null",
    "*",
    "%s",
    "{}",
    "'",
    '"',
    "\\",
    "[red]",
    "${HOME}",
    "--help",
    "random",
]
GAMES = {
    "pig": {"goal": 12},
    "great-rolled-ones": {"goal": 6},
    "risk": {"attackers": 4, "defenders": 3},
    "dice-of-doom": {"board": "1x3", "max_dice": 2},
    "pickomino": {"tiles": 2, "dice": 5},
    "dice-wars": {"territories": "3", "grid": "9x9", "max_dice": 2, "turns": 4},
}


class Finding(NamedTuple):
    """A case that was neither refused in one line nor used."""

    case: str
    what: str


class Slow(BaseException):
    """A case took too long."""


@contextlib.contextmanager
def limited(seconds: int = LONGEST) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise Slow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def told(case: object, work: Callable[[], Any]) -> list[Finding]:
    """What is wrong with a piece of work that may only end well or refuse its input."""
    try:
        with limited():
            work()
    except hazard.BadInput as refusal:
        said = str(refusal)
        return [] if said.strip() else [Finding(repr(case)[:300], "is refused without a word")]
    except Slow:
        return [Finding(repr(case)[:300], f"takes more than {LONGEST} s")]
    except (Exception, SystemExit) as problem:
        return [Finding(repr(case)[:300], f"{type(problem).__name__}: {str(problem)[:200]}")]
    return []


# --- the command line ----------------------------------------------------------------------------------------------
def command(words: list[str]) -> str:
    """What is wrong with how the command line takes some words; empty if nothing is."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = None
    with (
        patch.object(sys, "argv", ["hazard", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            with limited():
                main()
        except SystemExit as end:
            code = end.code
        except Slow:
            return f"takes more than {LONGEST} s"
        except BaseException as problem:
            return f"ends with {type(problem).__name__}: {str(problem)[:200]}"
    lines = err.getvalue().splitlines()
    if "Traceback" in err.getvalue() + out.getvalue():
        return "shows a traceback"
    if code == 2 and not (lines and lines[-1].startswith("hazard: ")):
        return f"does not say what is wrong: {err.getvalue()[-200:]!r}"
    if "--json" in words and code == 0 and "--help" not in words and "-h" not in words:
        try:
            json.loads(out.getvalue())
        except ValueError:
            return f"prints no JSON: {out.getvalue()[:100]!r}"
    return "" if code in (0, 1, 2, None) else f"exit code {code}"


def asked(rng: random.Random, cup: Path) -> list[str]:
    """A command that makes sense."""
    name = rng.choice(["pig", "risk"])
    agents = {"pig": ["random", "hold-at-20"], "risk": ["random", "optimal"]}[name]
    small = ["-p", "goal=9"] if name == "pig" else ["-p", "attackers=3", "-p", "defenders=2"]
    start = {"pig": "p1 3:4 pot 2", "risk": "a3 d2 stop"}[name]
    new = cup.parent / f"new-{rng.randrange(3)}"
    return rng.choice(
        [
            ["games"],
            ["agents", name],
            ["advise", name, start, *small],
            ["solve", name, *small, "--tolerance", "1e-6"],
            ["solve", name, *small, "--exact"],
            ["match", name, *agents, *small, "--games", "20", "--seed", "3"],
            ["test", name, *agents, *small, "--most", "40"],
            ["grade", name, agents[0], *small, "--games", "10", "--worst", "2"],
            ["tournament", name, *agents, *small, "--games", "8", "--processes", "1", "--out", str(new)],
            ["resume", str(cup), "--processes", "1"],
            ["resume", str(cup), "--repair", "--processes", "1"],
            ["replay", str(cup), "3"],
            ["results", str(cup), "--sql", "select count(*) from games"],
            ["verify", str(cup), "--games", "3", "--processes", "1"],
            ["completion", "bash"],
            ["check", str(cup / "report.html")],
            ["draw-map", "dice-wars", "--out", str(new) + ".svg"],
        ]
    )


LEFT_OUT = {"lab", "serve", "join", "play", "learn", "reproduce", "warm"}  # wait for somebody, or work for long


def spoilt(rng: random.Random, words: list[str]) -> list[str]:
    """The same with a few words dropped, doubled, replaced or out of place."""
    words = list(words)
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randrange(len(words) + 1)
        strange = rng.choice(rng.choice([NUMBERS, WORDS]))
        if rng.random() < 0.3 or at == len(words):
            words.insert(at, strange)
        elif rng.random() < 0.2:
            del words[at]
        elif "=" in words[at] and rng.random() < 0.7:
            words[at] = words[at].partition("=")[0] + "=" + strange
        else:
            words[at] = rng.choice([strange, words[at] + strange, words[at][:-1], words[at] * 2])
    if rng.random() < 0.3:
        words.append("--json")
    return [] if words and words[0] in LEFT_OUT else words


def too_long(words: list[str]) -> bool:
    """Whether a number asks for so much work that nobody would wait for it: that is no fault."""
    counts = {"--games", "--most"}
    return any(a in counts and len(b) > 4 for a, b in pairwise(words))


def commands(count: int, seed: int, folder: Path) -> list[Finding]:
    rng, found = random.Random(seed), []
    cup = tournament(folder / "cup")
    for _ in range(count):
        words = spoilt(rng, asked(rng, cup))
        if too_long(words):
            continue
        if why := command(words):
            found.append(Finding(repr(words)[:400], why))
    return found


def tournament(folder: Path) -> Path:
    game = hazard.game("pig", goal=9)
    run(folder, settle(game, ["random", "hold-at-20"], [[0, 1]], games=12, seed=1, batch=4))
    return folder


# --- positions -----------------------------------------------------------------------------------------------------
def positions_of(game: Game, rng: random.Random) -> list[str]:
    """Positions of some games played at random."""
    found = []
    for _ in range(3):
        position = game.start()
        for _ in range(60):
            found.append(str(position))
            if position.over:
                break
            if position.rolling:
                position = rng.choice(position.outcomes()).position
            else:
                position = position.move(rng.choice(position.moves))
    return found


def misspelt(rng: random.Random, text: str, others: list[str]) -> str:
    for _ in range(rng.choice([1, 1, 2, 4])):
        words, at = text.split(" "), rng.randrange(len(text) + 1)
        n = rng.randrange(len(words))
        how = rng.randrange(6)
        if how == 0:
            text = text[:at] + rng.choice([*NUMBERS, *WORDS, ":", ",", "|", "p3"]) + text[at:]
        elif how == 1:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        elif how == 2:
            words[n] = rng.choice(rng.choice(others).split(" "))
            text = " ".join(words)
        elif how == 3:
            words[n] = "".join(rng.choice("0123456789") if c.isdigit() else c for c in words[n])
            text = " ".join(words)
        elif how == 4:
            rng.shuffle(words)
            text = " ".join(words)
        else:
            text = text[:at] + rng.choice(others)[at:]
    return text


def use(game: Game, text: str) -> None:
    """Read a position, and do with it what can be done."""
    position = game.parse(text)
    if game.parse(str(position)) != position:
        raise AssertionError(f"{str(position)!r} is another position than {text!r}")
    if position.over:
        _ = position.payoffs
    elif position.rolling:
        outcomes = position.outcomes()
        if not outcomes or sum(outcome.probability for outcome in outcomes) != 1:
            raise AssertionError("the chances of its dice do not add up")
    else:
        for name in position.moves:
            _ = str(position.move(name))


def positions(count: int, seed: int, folder: Path) -> list[Finding]:
    rng, found = random.Random(seed), []
    games = [hazard.game(name, **parameters) for name, parameters in GAMES.items()]
    known = {game.name: positions_of(game, rng) for game in games}
    for _ in range(count):
        game = rng.choice(games)
        text = misspelt(rng, rng.choice(known[game.name]), known[game.name])
        found += told((game.describe(), text), lambda game=game, text=text: use(game, text))
    return found


# --- files ---------------------------------------------------------------------------------------------------------
STRANGE: list[Any] = [None, True, -1, 0, 1, 2**31, 2**63, 2**64, 10**400, 1.5, 1e308, "", "1", "pig", "é" * 300, [], {}]
STRANGE += [[[]], {"a": 1}, [0, 0], [0, 1, 2], "../../x", "\x00", [None], -(2**63), ["random", "random"], "0" * 64]


def places(data: Any, path: tuple = ()) -> Iterator[tuple]:
    """All places in a JSON value."""
    yield path
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))


def altered(rng: random.Random, data: Any) -> Any:
    """The same JSON value with a few parts dropped, replaced, doubled or added."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.choice([1, 1, 2, 3])):
        path = rng.choice([p for p in places(data) if p] or [()])
        if not path:
            return rng.choice(STRANGE)
        inside = data
        for key in path[:-1]:
            inside = inside[key]
        key = path[-1]
        how = rng.random()
        if how < 0.2:
            del inside[key]
        elif how < 0.3 and isinstance(inside, dict):
            inside[rng.choice(["extra", "format", ""])] = rng.choice(STRANGE)
        elif how < 0.4 and isinstance(inside, list):
            inside.append(inside[key])
        else:
            inside[key] = rng.choice(STRANGE)
    return data


def broken(rng: random.Random, content: bytes) -> bytes:
    """Bytes that are a little out of order."""
    at = rng.randrange(len(content) + 1)
    how = rng.randrange(5)
    if how == 0:
        return content[:at]
    if how == 1:
        return (
            content[:at]
            + rng.choice([b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b"\x00", b"9" * 5000])
            + content[at:]
        )
    if how == 2:
        return rng.choice([b"", b"null", b"[]", b"{}", b'""', b"0", b"\xef\xbb\xbf" + content, content * 2])
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def sealed(folder: Path) -> None:
    """Give the ledger the checksums that its forger would, as far as it can still be read."""
    with contextlib.suppress(Exception):
        ledger = msgspec.json.decode((folder / LEDGER).read_bytes(), type=Ledger)
        ledger = msgspec.structs.replace(ledger, setting=[_sha256((folder / SETTING).read_bytes())], sha256="")
        (folder / LEDGER).write_bytes(msgspec.json.encode(msgspec.structs.replace(ledger, sha256=ledger.checksum)))


def spoil(rng: random.Random, path: Path) -> None:
    """Alter a file, as JSON or byte by byte."""
    content = path.read_bytes()
    if rng.random() < 0.7:
        path.write_text(json.dumps(altered(rng, json.loads(content))))
    else:
        path.write_bytes(broken(rng, content))


def files(count: int, seed: int, folder: Path) -> list[Finding]:
    """A tournament's files and a solution's, altered, with checksums that fit and without."""
    rng, found = random.Random(seed), []
    cup, solution = tournament(folder / "cup"), folder / "solution"
    solutions.save(solutions.solve(hazard.game("pig", goal=9)), solution)
    for _ in range(count):
        place = shutil.copytree(rng.choice([cup, cup, solution]), folder / "case")
        name = rng.choice([SETTING, LEDGER]) if (place / LEDGER).exists() else solutions.SIGN
        spoil(rng, place / name)
        text = (place / name).read_bytes()
        if rng.random() < 0.6:
            (sealed if name != solutions.SIGN else sealed_solution)(place)
        if name == solutions.SIGN:
            found += told(text, lambda place=place: use_solution(place))
        else:
            found += use_tournament(text, place, rng)
        shutil.rmtree(place)
    return found


def sealed_solution(folder: Path) -> None:
    with contextlib.suppress(Exception):
        said = json.loads((folder / solutions.SIGN).read_text())
        (folder / solutions.SIGN).write_text(json.dumps(said | {"sha256": solutions._own_checksum(said)}))


def use_solution(folder: Path) -> None:
    solutions._opened.clear()
    found = solutions.load(folder)
    start = found.game.start()
    _ = found.value(start), found.advise(start), found.error


def use_tournament(text: bytes, place: Path, rng: random.Random) -> list[Finding]:
    words = rng.choice([["results"], ["replay", "3"], ["verify", "--games", "2", "--processes", "1"]])
    words = [words[0], str(place), *words[1:]]
    why = command(words)
    return [Finding(f"{words[0]} {text!r}"[:600], why)] if why else []


# --- all of them ---------------------------------------------------------------------------------------------------
FUZZERS = {"commands": commands, "positions": positions, "files": files}


def fuzz(name: str, count: int, seed: int) -> list[Finding]:
    """So many cases of a kind; what is wrong with them."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return FUZZERS[name](count, seed, Path(folder))


def report() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*FUZZERS, []], default=list(FUZZERS))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    for name in wanted.names or FUZZERS:
        found = fuzz(name, wanted.count, wanted.seed)
        print(f"{name}: {wanted.count} cases, {len(found)} findings")
        for finding in found:
            print(f"  {finding.what}\n    {finding.case}")


if __name__ == "__main__":
    report()

"""Plays a class in its folder, from wherever an earlier run left off: every step leaves a file that later runs read.

`class.json` says what is played and by whom; bots/ holds what was handed in, checks/ and grades/ a file for each bot,
tournament/ the games. The pages are made last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from hazard.arena.bots.check import Case, check_bot
from hazard.arena.bots.isolation import hiding, missing
from hazard.arena.bots.limits import Limits
from hazard.arena.classroom.hand_in import Entry, collect
from hazard.arena.grading.bot import grade_bot
from hazard.arena.play.luck import check_values
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import round_robin, settle
from hazard.errors import BadInput
from hazard.files import alone_in, replacing, write_whole
from hazard.rulebook import Game
from hazard.solving.solution import within_reach

SIGN = "class.json"
FORMAT = 1
GRADED = 100  # games in which a bot's decisions are priced
SHOWN = 8  # costliest errors of each
TOURNAMENT = Path("tournament")
Say = Callable[[str], None]  # told what is being done
Progress = Callable[[int, int], None]


class Class(msgspec.Struct, frozen=True, kw_only=True):
    """What is played, by whom."""

    format: int = FORMAT
    game: str
    parameters: dict[str, int | str]
    games: int  # for each line-up
    against: list[str]  # agents of the game that play along
    limits: Limits
    seed: int  # secret until all is played
    entries: list[Entry] = []
    others: list[str] = []  # files that are no programs


class Outcome(msgspec.Struct, frozen=True):
    """All that came of it."""

    of: Class
    checks: dict[str, list[Case]]  # by slug
    grades: dict[str, dict[str, Any]]  # by slug; empty where a game is not solved
    summary: dict[str, Any] | None  # of the tournament; None if too few bots passed


def require_isolation() -> None:
    if why := missing():
        raise BadInput(f"bots cannot be isolated on this machine ({why}), and a class is not played without")


def play_class(
    source: Path,
    out: Path,
    wanted: Class,
    game: Game,
    processes: int = 1,
    say: Say = print,
    progress: Progress | None = None,
) -> Outcome:
    """Play what is missing. The bots are those that were there when the class was first played."""
    require_isolation()
    source, out = source.resolve(), out.resolve()
    if source == out:
        raise BadInput(f"{out}: holds the bots; name another folder for --out")
    known = open_class(source, out, wanted)
    with alone(out), chdir(out):
        checks = _checked(known, game, processes, say)
        passed = [entry for entry in known.entries if _passed(checks[entry.slug])]
        summary = _tournament(known, game, passed, processes, say, progress)
        grades = _graded(known, game, passed, say)
        return Outcome(known, checks, grades, summary)


def open_class(source: Path, out: Path, wanted: Class) -> Class:
    """The class that was begun in the folder, or a new one with what has been handed in."""
    if (out / SIGN).exists():
        return _agreed(out, read_class(out), wanted)
    if not source.is_dir():
        raise BadInput(f"{source}: no such folder; name the one with the bots")
    with replacing(out, SIGN) as aside:
        entries, others = collect(source, aside, out)
        if not entries:
            raise BadInput(f"{source}: holds no bots; put in a program for each pupil, or a folder with one")
        known = msgspec.structs.replace(wanted, entries=entries, others=others)
        write_whole(aside / SIGN, msgspec.json.format(msgspec.json.encode(known), indent=1))
    return known


def read_class(out: Path) -> Class:
    try:
        found = msgspec.json.decode((out / SIGN).read_bytes(), type=Class)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadInput(f"{out / SIGN}: damaged ({problem}); nothing was changed") from None
    if found.format != FORMAT:
        raise BadInput(f"{out / SIGN}: format {found.format}, but this program reads format {FORMAT}")
    return found


def _agreed(out: Path, old: Class, new: Class) -> Class:
    for name in ("game", "parameters", "games", "against", "limits", "seed"):
        if getattr(old, name) != getattr(new, name):
            raise BadInput(f"{out}: holds another class ({name}), which is left as it is; name another folder")
    return old


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Nobody else plays the same class meanwhile; the lock is beside its folder, where no bot can see it."""
    with alone_in(out / "checks"):
        yield


# --- checks ----------------------------------------------------------------------------------------------------------
def _passed(cases: list[Case]) -> bool:
    return all(case.passed for case in cases)


def _checked(known: Class, game: Game, processes: int, say: Say) -> dict[str, list[Case]]:
    """The cases of every bot; each bot is checked once."""
    with ThreadPoolExecutor(processes) as crew:
        todo = [(entry, crew.submit(_check, known, entry, game, say)) for entry in known.entries]
        try:
            return {entry.slug: future.result() for entry, future in todo}
        except BaseException:
            crew.shutdown(wait=False, cancel_futures=True)
            raise


def _check(known: Class, entry: Entry, game: Game, say: Say) -> list[Case]:
    path = Path("checks", f"{entry.slug}.json")
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=list[Case])
    cases = _cases(known, entry, game)
    say(f"checked {entry.name}: {'passed' if _passed(cases) else 'FAILED'}")
    write_whole(path, msgspec.json.encode(cases))
    return cases


def _cases(known: Class, entry: Entry, game: Game) -> list[Case]:
    if entry.problem:
        return [Case("is a program", False, entry.problem)]
    try:
        return check_bot(game, entry.command, hiding(known.limits, [], Path()))
    except BadInput as problem:
        return [Case("is a program", False, str(problem))]


# --- the tournament --------------------------------------------------------------------------------------------------
def _tournament(
    known: Class, game: Game, passed: list[Entry], processes: int, say: Say, progress: Progress | None
) -> dict[str, Any] | None:
    """None where there are not enough agents to fill the seats, or none of them is a bot."""
    agents = [entry.command for entry in passed] + known.against
    if not passed or len(agents) < game.seats:
        return None
    line_ups = round_robin(agents, game.seats)
    say(f"{len(agents)} agents play {len(line_ups)} line-ups of {known.games} games")
    setting = settle(game, agents, line_ups, games=known.games, seed=known.seed, limits=known.limits)
    return run(TOURNAMENT, setting, processes, progress=progress)


# --- grades ----------------------------------------------------------------------------------------------------------
def can_be_graded(game: Game) -> bool:
    """Whether the game is solved, or quickly is."""
    try:
        check_values(game)
    except BadInput:
        return False
    return within_reach(game)


def _graded(known: Class, game: Game, passed: list[Entry], say: Say) -> dict[str, dict[str, Any]]:
    return {entry.slug: _grade(known, entry, game, say) for entry in passed} if can_be_graded(game) else {}


def _grade(known: Class, entry: Entry, game: Game, say: Say) -> dict[str, Any]:
    path = Path("grades", f"{entry.slug}.json")
    if not path.exists():
        say(f"grading {entry.name}")
        try:
            found = grade_bot(game, entry.command, GRADED, known.seed, SHOWN, hiding(known.limits, [], Path()))
            content = msgspec.json.encode(found)
        except BadInput as problem:
            content = msgspec.json.encode({"problem": str(problem)})
        path.parent.mkdir(exist_ok=True)
        write_whole(path, content)
    return msgspec.json.decode(path.read_bytes())

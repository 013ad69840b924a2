"""A worker process: reads questions from standard input and writes answers to standard output.

Messages are JSON, one a line. A question is answered by `Started` when all it needs is loaded or compiled, and then by
the answer itself; by `Refused` if the question is wrong, by `Failed` if the answer raised an error. The process ends
when its input ends, whatever it is doing.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from functools import lru_cache
from typing import Any, BinaryIO, Literal

import msgspec

from hazard.analysis.answers import Analysis, Review, Tally
from hazard.files import seal
from hazard.server.limits import Limits
from hazard.server.machine import limit_memory
from hazard.server.rooms.setting import Setting, checked
from hazard.server.workers.described import described

Parameters = dict[str, int | str]
SLICE = 1.0  # seconds of an analysis, before other questions have their turn
REMEMBERED = 64  # games
MEMORY = "HAZARD_WORKER_MEMORY"  # the variable that says how many megabytes a worker may use


class Question(msgspec.Struct, frozen=True, tag_field="type"):
    """A question to a worker."""

    game: str
    parameters: Parameters


class MoveQuestion(Question, frozen=True, tag="move"):
    """Which move an agent makes."""

    position: str
    agent: str
    seed: int
    number: int  # of the decision


class PositionQuestion(Question, frozen=True, tag="position"):
    """What a position is worth; rollouts are added to those of the tally."""

    position: str
    tally: Tally | None = None


class GameQuestion(Question, frozen=True, tag="game"):
    """Luck and skill of a game."""

    start: str
    steps: list[str]
    tally: Tally | None = None


class ExploreQuestion(Question, frozen=True, tag="explore"):
    """What a page that explores the game shows."""

    position: str = ""  # if the page is about one


class LookQuestion(Question, frozen=True, tag="look"):
    """The facts about a position, or its board."""

    position: str = ""  # empty: the one that a game starts with
    about: Literal["position", "board"] = "position"


class RoomQuestion(msgspec.Struct, frozen=True, tag_field="type", tag="room"):
    """Whether there can be such a room."""

    setting: Setting
    longest_answer: float  # that a room may give


class FileQuestion(msgspec.Struct, frozen=True, tag_field="type", tag="file"):
    """Whether a game file keeps to the rules, and the checks of its dice."""

    content: str


class Answer(msgspec.Struct, frozen=True, tag_field="type"):
    """An answer of a worker."""


class Started(Answer, frozen=True, tag="started"):
    """All that is needed is loaded."""


class Moved(Answer, frozen=True, tag="moved"):
    move: str
    seconds: float  # it took to decide


class Analysed(Answer, frozen=True, tag="analysed"):
    analysis: Analysis | None
    tally: Tally


class Reviewed(Answer, frozen=True, tag="reviewed"):
    review: Review | None
    tally: Tally


class Explored(Answer, frozen=True, tag="explored"):
    answer: dict[str, Any]


class Told(Answer, frozen=True, tag="told"):
    facts: dict[str, Any]
    seconds: float  # it took


class Refused(Answer, frozen=True, tag="refused"):
    why: str


class Failed(Answer, frozen=True, tag="failed"):
    why: str


Prompt = LookQuestion | RoomQuestion | FileQuestion  # nothing is solved or compiled for these
Questions = MoveQuestion | PositionQuestion | GameQuestion | ExploreQuestion | Prompt
Answers = Started | Moved | Analysed | Reviewed | Explored | Told | Refused | Failed
encode = msgspec.json.Encoder().encode
question_of = msgspec.json.Decoder(Questions).decode
answer_of = msgspec.json.Decoder(Answers).decode


# --- answering -----------------------------------------------------------------------------------------------------
@lru_cache(maxsize=REMEMBERED)
def _game(name: str, parameters: tuple[tuple[str, int | str], ...]) -> Any:
    from hazard.rulebook import make_game

    return make_game(name, dict(parameters))


def _move(question: MoveQuestion, game: Any, say: Any) -> Answer:
    from hazard.analysis.players import decision

    ready = decision(game.parse(question.position), question.agent, question.seed, question.number)
    say(Started())
    began = time.perf_counter()
    move = ready.move()
    return Moved(move, time.perf_counter() - began)


def _analyse(question: PositionQuestion, game: Any, say: Any) -> Answer:
    from hazard.analysis.positions import analyse
    from hazard.analysis.why import explained

    position = game.parse(question.position)
    say(Started())
    found, tally = analyse(position, question.tally, SLICE)
    return Analysed(explained(position, found) if found else None, tally)


def _review(question: GameQuestion, game: Any, say: Any) -> Answer:
    from hazard.analysis.review import review

    start = game.parse(question.start)
    say(Started())
    return Reviewed(*review(start, question.steps, question.tally, SLICE))


def _explore(question: ExploreQuestion, game: Any, say: Any) -> Answer:
    """All of it counts as loading: the first time, the game is solved and code is compiled."""
    return Explored(explored(game, question.position))


def explored(game: Any, position: str) -> dict[str, Any]:
    """What the game declares to be explored, with the advice on a position where that goes with it."""
    from hazard.analysis.advice import advise_report
    from hazard.errors import BadInput

    explorer = game.declaration.explore
    if explorer is None:
        raise BadInput(f"{game.name}: there is nothing to explore")
    answer = explorer.explore(game, position)
    shown = game.parse(position) if position else game.start()
    if explorer.advice and not (shown.over or shown.rolling):
        answer |= advise_report(game, str(shown), 1e-9, None, None, None)
    return answer


def _look(question: LookQuestion) -> dict[str, Any]:
    game = _game(question.game, tuple(sorted(question.parameters.items())))
    position = game.parse(question.position) if question.position else game.start()
    if question.about == "board":
        board = game.declaration.board
        return {"board": board(game.table, position.state) if board else None}
    return {"game": game.name, "parameters": game.parameters} | described(position)


def _check_room(question: RoomQuestion) -> dict[str, Any]:
    setting, game = checked(question.setting, Limits(longest_answer=question.longest_answer))
    start = game.parse(setting.start) if setting.start else game.start()
    return {"parameters": game.parameters, "moves": start.moves}


def _check_file(question: FileQuestion) -> dict[str, Any]:
    from hazard.server.rooms.checks import verified
    from hazard.server.rooms.game_file import read_file, replayed

    file = read_file(question.content.encode())
    record = replayed(file)
    return {"parameters": record.game.parameters, "checks": verified(file)}


def _prompt(question: Prompt, say: Any) -> Answer:
    """The time limit is for all that a stranger may ask for, so it begins before anything is made."""
    ways: dict[type, Any] = {LookQuestion: _look, RoomQuestion: _check_room, FileQuestion: _check_file}
    say(Started())
    began = time.perf_counter()
    return Told(ways[type(question)](question), time.perf_counter() - began)


def answer_to(question: Questions, say: Any) -> Answer:
    """Answer one question; `say` sends `Started` before that."""
    from hazard.errors import BadInput

    ways: dict[type, Any] = {
        MoveQuestion: _move,
        PositionQuestion: _analyse,
        GameQuestion: _review,
        ExploreQuestion: _explore,
    }
    try:
        if isinstance(question, Prompt):
            return _prompt(question, say)
        game = _game(question.game, tuple(sorted(question.parameters.items())))
        return ways[type(question)](question, game, say)
    except BadInput as problem:
        return Refused(str(problem))
    except MemoryError:
        return Refused("this takes more memory than the server allows; take a smaller game")
    except Exception as problem:
        return Failed(f"{type(problem).__name__}: {problem}")


# --- the process -----------------------------------------------------------------------------------------------------
def _listen(source: BinaryIO, waiting: queue.Queue[bytes]) -> None:
    """Queue questions; at the end of the input the process ends at once, even during an answer."""
    for line in source:
        waiting.put(line)
    os._exit(0)


def main() -> None:
    """Answer until the input ends. Anything that is printed goes to standard error, so that answers stay intact."""
    import numpy as np

    np.seterr(over="ignore")  # plain rules wrap 64-bit integers as compiled ones do
    seal()
    limit_memory(int(os.environ.get(MEMORY, "0")))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    waiting: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), daemon=True).start()

    def say(answer: Answer) -> None:
        out.write(encode(answer) + b"\n")
        out.flush()

    while True:
        say(answer_to(question_of(waiting.get()), say))


if __name__ == "__main__":
    main()

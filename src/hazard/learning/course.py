"""A course: rounds of lessons, with the network fitted to them, checkpoints, and measurements of strength.

What is learnt depends only on the seed and the number of rounds, not on time or on interruptions.
"""

from __future__ import annotations

import io
import time
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from hazard.errors import BadInput
from hazard.files import check_folder, write_whole
from hazard.learning import curve, weights
from hazard.learning.network import Learner, fresh
from hazard.learning.strength import Strength, measure
from hazard.rulebook import Game

SIGN, CHECKPOINT, WEIGHTS = "course.json", "checkpoint.npz", "weights.bin"
SPACED = 15.0  # seconds between checkpoints, at the least


class Lesson(NamedTuple):
    """Examples to learn from."""

    seen: np.ndarray  # rows of the numbers of inputs that are on, filled up with the number of inputs
    targets: np.ndarray  # chances of all seats
    games: int  # that were played for it


def joined(lessons: Sequence[Lesson]) -> Lesson:
    """Several lessons as one."""
    seen, targets = (np.concatenate([lesson[n] for lesson in lessons]) for n in (0, 1))
    return Lesson(seen, targets, sum(lesson.games for lesson in lessons))


class Plan(msgspec.Struct, frozen=True):
    """The settings of a course."""

    rate: float = 8e-3  # of the first round; it fades
    fade: float = 0.97  # from round to round
    slow: float = 5e-4  # and stays here
    batch: int = 256
    window: int = 8  # lessons of the last rounds that each round learns from
    hold: float = 0.9993  # how much of the running mean of weights stays at every step
    watching: int = 3  # passes over the first lesson, each more slowly


@dataclass(frozen=True, kw_only=True)
class Subject(ABC):
    """What there is to learn in a game: a network's inputs, and lessons for it."""

    game: Game
    agent: str  # that plays by the weights
    features: str  # version of the inputs
    sizes: list[int]  # of the layers: inputs first, chances last
    on: int  # inputs that are on, about
    rivals: tuple[str, ...]
    plan: Plan
    watched: int  # positions of the first lesson
    practised: int  # and of every other

    @abstractmethod
    def watch(self, seed: int) -> Lesson:
        """The first lesson: games of others, and how they ended."""

    @abstractmethod
    def practise(self, memory: np.ndarray, seed: int) -> Lesson:
        """Positions of own games with these weights, and what these say a turn ahead."""

    def blank(self, rows: int, most_on: int) -> tuple[np.ndarray, np.ndarray]:
        """The arrays of a lesson, with no input on and no chances yet."""
        return np.full((rows, most_on), self.sizes[0], np.int16), np.zeros((rows, self.sizes[-1]), np.float32)


class Sign(msgspec.Struct, frozen=True):
    """What identifies the course of a folder; no other one may go on there."""

    game: str
    parameters: dict[str, int | str]
    rules: str
    features: str
    sizes: list[int]
    plan: Plan
    seed: int


class Point(msgspec.Struct, frozen=True):
    """A place on the curve."""

    round: int
    minutes: float
    games: int
    strength: list[Strength]


@dataclass
class Course:
    """A course under way."""

    game: Game
    subject: Subject
    seed: int
    folder: Path
    command: str  # that goes on with it
    learner: Learner = field(init=False)
    lessons: list[Lesson] = field(default_factory=list)  # of the last rounds
    rounds: int = 0  # done, the first lesson included
    games: int = 0
    positions: int = 0
    seconds: float = 0.0
    points: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_folder(self.folder, SIGN)
        self.learner = Learner(fresh(self.subject.sizes, self.subject.on, self._rng(0)))
        if (self.folder / SIGN).exists():
            self._resume()
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / SIGN, msgspec.json.encode(self._sign))

    def _rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, *numbers])

    # --- learning ------------------------------------------------------------------------------------------------
    def learn(self, minutes: float | None, rounds: int | None, every: int, games: int, say: Callable) -> None:
        """Go on until the minutes or rounds are spent; `say(course, point or None)` is called after every round."""
        began, saved = time.monotonic() - self.seconds, time.monotonic()
        while not self._enough(minutes, rounds):
            self._round()
            self.seconds = time.monotonic() - began
            point = self.measured(games) if (self.rounds - 1) % every == 0 else None
            self.seconds = time.monotonic() - began
            if time.monotonic() - saved > SPACED:
                self.save()
                saved = time.monotonic()
            say(self, point)
        if not self.points or self.points[-1].round != self.rounds:
            say(self, self.measured(games))
        self.seconds = time.monotonic() - began
        self.save()

    def _enough(self, minutes: float | None, rounds: int | None) -> bool:
        late = minutes is not None and self.seconds >= 60 * minutes
        return self.rounds > 0 and (late or (rounds is not None and self.rounds >= rounds))

    def _round(self) -> None:
        """Learn from one more lesson and the last ones; the first lesson is passed over several times, then dropped."""
        plan, first, rng = self.subject.plan, self.rounds == 0, self._rng(1, self.rounds)
        lesson = self._lesson(int(rng.integers(1 << 62)))
        self.lessons = [*self.lessons, lesson][-plan.window :]
        rate = max(plan.slow, plan.rate * plan.fade**self.rounds)
        seen, targets, _ = joined(self.lessons)
        for n in range(plan.watching if first else 1):
            self.learner.fit(seen, targets, rate / 4**n, plan.hold, plan.batch, rng.permutation(len(seen)))
        if first:
            self.lessons = []
        self.rounds += 1
        self.games += lesson.games
        self.positions += len(lesson.seen)

    def _lesson(self, seed: int) -> Lesson:
        if self.rounds == 0:
            return self.subject.watch(seed)
        return self.subject.practise(weights.as_memory(self.learner.mean), seed)

    def measured(self, games: int) -> Point:
        """Add a point to the curve: save the weights, and measure their strength as they are saved, with 16 bits."""
        memory = weights.as_memory([x.astype(weights.NUMBERS) for x in self.learner.mean])
        strength = measure(self.game, self.subject.agent, memory, self.subject.rivals, games, self.seed)
        self.points.append(Point(self.rounds, round(self.seconds / 60, 3), self.games, strength))
        curve.write(self.folder, self.title, self.points)
        weights.save(self.folder / WEIGHTS, self.note, self.learner.mean)
        return self.points[-1]

    @property
    def title(self) -> str:
        """The agent, the game, and the parameters that differ from their defaults."""
        defaults = {p.name: p.default for p in self.game.notation.PARAMETERS}
        chosen = [f"{key}={value}" for key, value in self.game.parameters.items() if defaults[key] != value]
        return " ".join([self.subject.agent, "learns", self.game.name, *chosen])

    # --- saving --------------------------------------------------------------------------------------------------
    @property
    def _sign(self) -> Sign:
        s = self.subject
        return Sign(self.game.name, self.game.parameters, self.game.version, s.features, s.sizes, s.plan, self.seed)

    @property
    def note(self) -> weights.Note:
        last = [msgspec.to_builtins(s) for s in self.points[-1].strength]
        return weights.Note(
            game=self.game.name,
            parameters=self.game.parameters,
            rules=self.game.version,
            features=self.subject.features,
            sizes=self.subject.sizes,
            seed=self.seed,
            rounds=self.rounds,
            games=self.games,
            positions=self.positions,
            minutes=round(self.seconds / 60, 1),
            command=self.command,
            strength=last,
        )

    def save(self) -> None:
        """Write a checkpoint: all that the next round needs."""
        arrays = {f"{name}{n}": x for name in _SAVED for n, x in enumerate(getattr(self.learner, name))}
        for n, lesson in enumerate(self.lessons):
            arrays |= {f"seen{n}": lesson.seen, f"targets{n}": lesson.targets}
        state = [self.learner.steps, self.rounds, self.games, self.positions]
        points = np.frombuffer(msgspec.json.encode(self.points), np.uint8)
        out = io.BytesIO()
        np.savez(out, allow_pickle=False, state=state, seconds=self.seconds, points=points, **arrays)
        write_whole(self.folder / CHECKPOINT, out.getvalue())

    def _resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        self._check_sign()
        if not (path := self.folder / CHECKPOINT).exists():
            return
        try:
            with np.load(path) as saved:
                self._restore(dict(saved))
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, msgspec.MsgspecError):
            raise BadInput(f"{path}: the checkpoint is damaged; remove {self.folder} to start over") from None

    def _check_sign(self) -> None:
        path = self.folder / SIGN
        try:
            sign = msgspec.json.decode(path.read_bytes(), type=Sign)
        except (OSError, msgspec.MsgspecError):
            raise BadInput(f"{path}: damaged; remove {self.folder} to start over") from None
        for name in Sign.__struct_fields__:
            theirs, mine = getattr(sign, name), getattr(self._sign, name)
            if theirs != mine:
                raise BadInput(
                    f"{self.folder}: a course with {name} {theirs}, not {mine}; name another folder for --out"
                )

    def _restore(self, saved: dict[str, np.ndarray]) -> None:
        for name in _SAVED:
            setattr(self.learner, name, [saved[f"{name}{n}"] for n in range(len(self.learner.layers))])
        self.learner.steps, self.rounds, self.games, self.positions = map(int, saved["state"])
        self.seconds = float(saved["seconds"])
        self.points = msgspec.json.decode(saved["points"].tobytes(), type=list[Point])
        count = sum(name.startswith("seen") for name in saved)
        self.lessons = [Lesson(saved[f"seen{n}"], saved[f"targets{n}"], 0) for n in range(count)]


_SAVED = ("layers", "mean", "drift", "power")  # of a learner

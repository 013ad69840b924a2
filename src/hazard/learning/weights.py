"""Files of weights: one line of JSON that says where they come from, then the numbers.

A file for another game, for other rules, inputs or sizes, or a damaged one, is refused with the reason.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from hazard.agents import seating
from hazard.errors import BadInput
from hazard.files import write_whole
from hazard.learning.network import Layers, sizes_of
from hazard.rulebook import Game, make_game

KIND = "hazard weights 1"
NUMBERS = "<f2"  # as they are stored: three digits are enough to play by
DIGESTS = 1 << 24  # digests of weights; a 32-bit float holds any of them


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Where weights come from."""

    kind: str = KIND
    game: str
    parameters: dict[str, int | str]
    rules: str  # version of the rules
    features: str  # version of the inputs
    sizes: list[int]  # of the layers, inputs first
    seed: int
    rounds: int
    games: int  # played to learn from
    positions: int  # learnt from
    minutes: float
    command: str  # that made them
    strength: list[dict]  # the last measurement
    digest: str = ""  # of the numbers


def pack(note: Note, layers: Layers) -> bytes:
    numbers = np.concatenate([x.ravel() for x in layers]).astype(NUMBERS).tobytes()
    note = msgspec.structs.replace(note, digest=hashlib.sha256(numbers).hexdigest()[:16])
    return msgspec.json.encode(note) + b"\n" + numbers


def save(path: Path, note: Note, layers: Layers) -> None:
    write_whole(path, pack(note, layers))


def read(path: Path) -> tuple[Note, Layers]:
    """A file of weights as it is, whatever it was made for."""
    try:
        line, _, numbers = path.read_bytes().partition(b"\n")
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror}); make weights with `hazard learn`") from None
    try:
        note = msgspec.json.decode(line, type=Note)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadInput(f"{path}: not a file of weights; make one with `hazard learn`") from None
    if note.kind != KIND:
        raise BadInput(f"{path}: {note.kind!r}, not {KIND!r}; make new weights with `hazard learn {note.game}`")
    if hashlib.sha256(numbers).hexdigest()[:16] != note.digest or len(numbers) != _length(note.sizes):
        raise BadInput(f"{path}: damaged: its numbers are not those it was made with")
    return note, _unpack(np.frombuffer(numbers, NUMBERS).astype(np.float32), note.sizes)


def _length(sizes: Sequence[int]) -> int:
    return sum((below + 1) * above for below, above in pairwise(sizes)) * np.dtype(NUMBERS).itemsize


def _unpack(numbers: np.ndarray, sizes: Sequence[int]) -> Layers:
    found: Layers = []
    at = 0
    for below, above in pairwise(sizes):
        found.append(numbers[at : at + below * above].reshape(below, above))
        found.append(numbers[at + below * above : at + (below + 1) * above])
        at += (below + 1) * above
    return found


def load(path: Path, game: Game, features: str, sizes: list[int]) -> Layers:
    """The weights of a file made for these rules, these inputs, and layers of these sizes."""
    note, layers = read(path)
    _check(path, game, "for", note.game, game.name)
    learnt = make_game(note.game, note.parameters)  # weights may serve other parameters than they were learnt with
    _check(path, game, "for rules", note.rules, learnt.version)
    _check(path, game, "for inputs", note.features, features)
    _check(path, game, "with layers of", note.sizes, sizes)
    return layers


def _check(path: Path, game: Game, what: str, theirs: object, ours: object) -> None:
    if theirs != ours:
        raise BadInput(f"{path}: made {what} {theirs}, not {ours}; make weights with `hazard learn {game.name}`")


def in_use(shipped: Path, game: Game, features: str, sizes: list[int]) -> np.ndarray:
    """Weights as compiled code reads them: those that ship, or those of the file that HAZARD_WEIGHTS names."""
    return as_memory(load(Path(os.environ.get("HAZARD_WEIGHTS") or shipped), game, features, sizes))


def as_memory(layers: Layers) -> np.ndarray:
    """Weights as compiled code reads them: 32-bit floats, first a digest and the sizes of all layers but the last.

    By the digest agents tell what they worked out with these weights from what they did with others.
    """
    flat = np.concatenate([x.ravel() for x in layers]).astype(np.float32)
    digest = zlib.crc32(flat.tobytes()) % DIGESTS
    return seating.as_memory(np.concatenate([np.array([digest, *sizes_of(layers)[:-1]], np.float32), flat]))

"""Files of weights: one line of JSON that says where they come from, then the numbers.

A file of another game, of other rules, inputs or sizes, or one that was damaged, is refused with the reason.
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

from hazard.errors import BadInput
from hazard.files import write_whole
from hazard.learning.network import Layers, sizes_of
from hazard.rulebook import Game, make_game

KIND = "hazard weights 1"
NUMBERS = "<f2"  # as they are stored: three digits are enough to play by
MARKS = 1 << 24  # marks of weights; a float holds any of them


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
        raise BadInput(f"{path}: {note.kind!r}, not {KIND!r}; make weights anew with `hazard learn {note.game}`")
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
    learnt = make_game(note.game, note.parameters)  # weights may serve other parameters than they were learnt with
    made = [
        ("for", note.game, game.name),
        ("for rules", note.rules, learnt.version),
        ("for inputs", note.features, features),
        ("with layers of", note.sizes, sizes),
    ]
    for what, theirs, mine in made:
        if theirs != mine:
            raise BadInput(f"{path}: made {what} {theirs}, not {mine}; make weights with `hazard learn {game.name}`")
    return layers


def in_use(shipped: Path, game: Game, features: str, sizes: list[int]) -> np.ndarray:
    """Weights as compiled code reads them: those that ship, or those of the file that HAZARD_WEIGHTS names."""
    return as_memory(load(Path(os.environ.get("HAZARD_WEIGHTS") or shipped), game, features, sizes))


def as_memory(layers: Layers) -> np.ndarray:
    """Weights as compiled code reads them: numbers of 4 bytes, first a mark of their own and the sizes but the last."""
    flat = np.concatenate([x.ravel() for x in layers]).astype(np.float32)
    mark = zlib.crc32(flat.tobytes()) % MARKS
    found = np.concatenate([np.array([mark, *sizes_of(layers)[:-1]], np.float32), flat]).view(np.uint8)
    found.flags.writeable = False
    return found

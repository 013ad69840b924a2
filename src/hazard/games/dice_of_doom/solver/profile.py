"""Play in which each side maximises its own wins and ties are worth nothing: one profile, named and certified.

Both sides take the first attack, in the order of moves, within MARGIN of the most wins, and end a turn only for more
than MARGIN. Once the moves reproduce themselves they are fixed. Play is then a chain of chances, whose wins and losses
are proven with the turns left in it, by one sweep up and one down, as in `solver`.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver.profile_mixing import settle
from hazard.games.dice_of_doom.solver.profile_table import ASIDE, COUNTED, Board, Passed
from hazard.games.dice_of_doom.solver.profile_turns import Part
from hazard.games.dice_of_doom.solver.solution import keeping
from hazard.games.dice_of_doom.solver.table import EPS
from hazard.games.dice_of_doom.tiles import CHOSEN
from hazard.rulebook import Game

MARGIN = 1e-9  # wins that differ by no more are equal
FOUND = 1e-11  # change of a sweep below which moves are fixed and looked at again
ROUNDS = 12  # of fixing moves, at most
MOST_SWEEPS = 3_000
FINER = 1_000  # how many times smaller than the tolerance changes must be before a proof is tried
ATTEMPTS = 8
LONGER = 1.05  # turns left are taken for more than they are found to be
WIN, LOSE = 0, 1


class Proof(NamedTuple):
    """Wins and losses of every place are within d times its turns left."""

    d: float
    weights: np.ndarray
    sweeps: int

    @property
    def error(self) -> float:
        """For ties too, which are the rest of 1."""
        return 2 * (self.d * float(self.weights.max()) + EPS)


class Profile:
    """The moves of both sides, and what they bring at the start of turns: values[win or lose, own mask, dice]."""

    def __init__(self, game: Game) -> None:
        self.board = board = Board(game)
        self.values = np.zeros((2, board.masks, board.size))
        self.notes = np.zeros((board.masks, board.held * board.size), np.uint8)
        most = max(block.gain for block in board.blocks) if board.how == CHOSEN else 0
        self.placed = np.zeros((board.masks, most * board.size), np.uint8)

    def last(self, mask: int, which: int) -> float:
        """The share of wins or losses of a mover who cannot attack at the start of its turn."""
        own = mask.bit_count()
        ahead = own - (self.board.tiles - own)
        return float(ahead > 0 if which == WIN else ahead < 0)

    # --- sweeps --------------------------------------------------------------------------------------------------
    def choose(self, margin: float = MARGIN) -> None:
        """A sweep that chooses every move anew."""
        for mask, _, (win, lose) in self.board.visit():
            self.chosen(mask, win, margin, self.notes[mask], self.placed[mask])
            self.followed(mask, lose, LOSE)
            self.values[WIN, mask], self.values[LOSE, mask] = win.starts, lose.starts

    def chosen(self, mask: int, win: Part, margin: float, notes: np.ndarray, placed: np.ndarray) -> None:
        self.board.hand_over(mask, self.values[LOSE], win, ASIDE)
        self.board.place_best(mask, win, margin, placed)
        self.board.choose(mask, win, margin, self.last(mask, WIN), notes)

    def follow(self) -> None:
        """A sweep that keeps to the moves."""
        for mask, _, parts in self.board.visit():
            for which in (WIN, LOSE):
                self.followed(mask, parts[which], which)
            self.values[WIN, mask], self.values[LOSE, mask] = parts[WIN].starts, parts[LOSE].starts

    def followed(
        self, mask: int, part: Part, which: int, way: Passed = ASIDE, weights: np.ndarray | None = None
    ) -> None:
        """What one side's wins are the other's losses."""
        heavy = self.values[0] if weights is None else weights
        self.board.hand_over(mask, self.values[1 - which], part, way, heavy)
        self.board.place_as(mask, part, self.placed[mask], way.eps)
        self.board.follow(mask, part, self.last(mask, which), self.notes[mask], way.eps)

    def count_turns(self, weights: np.ndarray) -> None:
        for mask, _, (part, _) in self.board.visit():
            self.board.hand_over(mask, weights, part, COUNTED)
            self.board.place_as(mask, part, self.placed[mask])
            self.board.follow(mask, part, 0.0, self.notes[mask])
            weights[mask] = part.starts

    # --- what is true of it --------------------------------------------------------------------------------------
    def renewed(self) -> int:
        """Choose all moves for the values at hand; how many are other ones."""
        changed = 0
        for mask, _, (win, _) in self.board.visit():
            notes, placed = np.full_like(self.notes[mask], 0), np.zeros_like(self.placed[mask])
            self.chosen(mask, win, MARGIN, notes, placed)
            changed += int((notes != self.notes[mask]).sum() + (placed != self.placed[mask]).sum())
            self.notes[mask], self.placed[mask] = notes, placed
        return changed

    def gain(self) -> float:
        """The most wins that a player can add by playing one turn in another way."""
        most = 0.0
        for mask, _, (best, mine) in self.board.visit():
            notes, placed = np.zeros_like(self.notes[mask]), np.zeros_like(self.placed[mask])
            self.chosen(mask, best, 0.0, notes, placed)
            self.followed(mask, mine, WIN)
            used = slice(self.board.held_by(mask) * self.board.size)
            most = max(most, float((best.here[used] - mine.here[used]).max()))
            most = max(most, float((best.starts - mine.starts).max()))
        return most

    def beyond(self, weights: np.ndarray, d: float) -> float:
        """How far one sweep takes values + d w above themselves and values - d w below; not positive: proven."""
        most = -np.inf
        for sign in (1.0, -1.0):
            way = Passed(0.0, 1.0, sign * d, sign * EPS)
            for mask, _, parts in self.board.visit():
                for which in (WIN, LOSE):
                    self.followed(mask, parts[which], which, way, weights)
                    bound = self.values[which, mask] + sign * d * weights[mask]
                    most = max(most, float((sign * (parts[which].starts - bound)).max()) + EPS)
        return most

    def prove(self, d: float, say: Callable[[int], None]) -> Proof | None:
        """Bounds on wins and losses; None if no d up to some hundred times the one given will do."""
        weights = np.zeros(self.values.shape[1:])
        sweeps, _ = settle(weights, lambda: self.count_turns(weights), 0.02, MOST_SWEEPS, say, np.inf)
        weights *= LONGER
        weights += 1.0
        for _ in range(ATTEMPTS):
            sweeps += 2
            if self.beyond(weights, d) <= 0.0:
                return Proof(d, weights, sweeps)
            d *= 2
        return None


class Found(NamedTuple):
    """A profile and what it took to find it."""

    profile: Profile
    proof: Proof
    sweeps: int
    rounds: int
    unsettled: int  # moves that changed in the last round


def find(game: Game, tolerance: float, say: Callable[[int], None]) -> Found:
    """Choose moves until they reproduce themselves, then prove what they win and lose."""
    profile = Profile(game)
    sweeps, _ = settle(profile.values, profile.choose, FOUND, 300, say, 1.0)
    finer, changed, rounds = min(tolerance / FINER, FOUND), -1, 0
    while changed and rounds < ROUNDS:
        changed, rounds = profile.renewed(), rounds + 1
        more, change = settle(profile.values, profile.follow, finer, MOST_SWEEPS, say, 1.0)
        sweeps += more
    proof = None
    for _ in range(3):
        proof = profile.prove(max(2 * change, 2e-14), say)
        if proof is not None and proof.error <= tolerance:
            return Found(profile, proof, sweeps, rounds, changed)
        finer /= 30
        more, change = settle(profile.values, profile.follow, finer, MOST_SWEEPS, say, 1.0)
        sweeps += more
    known = "nothing" if proof is None else f"{proof.error:.2g}"
    raise BadInput(f"--tolerance {tolerance:g}: {known} can be proven after {sweeps} sweeps; ask for no less")


def solve(game: Game, tolerance: float, folder: Path, progress: Any) -> None:
    """Find and prove the profile of a game without a limit of turns, and keep it."""
    began = time.perf_counter()
    found = find(game, tolerance, lambda number: progress(number, 0) if progress else None)
    profile, board, seconds = found.profile, found.profile.board, time.perf_counter() - began
    meta = {
        "objective": "own-win",
        "states": board.size * sum(1 + board.held_by(mask) for mask in board.all),
        "error": found.proof.error,
        "gain": profile.gain(),
        "margin": MARGIN,
        "rounds": found.rounds,
        "unsettled": found.unsettled,
        "turns_left": float(found.proof.weights.max()),
        "sweeps": found.sweeps,
        "proof_sweeps": found.proof.sweeps,
        "seconds": time.perf_counter() - began,
        "boards_per_second": found.sweeps * board.masks * board.size / seconds,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    keep(folder, game, profile, meta)


def keep(folder: Path, game: Game, profile: Profile, meta: dict[str, Any]) -> None:
    """Write wins, losses and moves of every place, and the means of wins and losses."""
    board, sums = profile.board, np.zeros(2)
    with keeping(folder, game, (2, 1 + board.held, board.masks, board.size), meta) as (out, aside):
        for mask, _, parts in board.visit():
            for which in (WIN, LOSE):
                profile.followed(mask, parts[which], which)
                rows = np.vstack([parts[which].starts, parts[which].here.reshape(board.held, -1)])
                rows[1 + board.held_by(mask) :] = 0.0
                out[which, :, mask] = rows
                sums[which] += rows.sum()
        np.save(aside / "policy.npy", _moves(profile, game))
        win, lose = (float(total / meta["states"]) for total in sums)
        meta["mean"] = {"win": win, "lose": lose, "tie": max(0.0, 1.0 - win - lose)}


def _moves(profile: Profile, game: Game) -> np.ndarray:
    """Moves by their numbers: at the start, where the turn may be ended, and for each die still to be placed."""
    from hazard.games.dice_of_doom.rules import END

    board, dies = profile.board, profile.placed.shape[1] // profile.board.size
    table = np.zeros((1 + board.held + dies, board.masks, board.size), np.uint8)
    for mask in board.all:
        edges = np.array([*board.edges[mask], *[0] * (128 - len(board.edges[mask]))], np.uint8)
        notes = profile.notes[mask].reshape(board.held, -1)
        table[0, mask] = edges[notes[0] % 128]
        table[1 : 1 + board.held, mask] = np.where(notes >= 128, END, edges[notes % 128])
        own = np.array([t for t in range(board.tiles - 1, -1, -1) if mask >> t & 1] or [0], np.uint8)
        table[1 + board.held :, mask] = own[profile.placed[mask].reshape(dies, board.size)]
    return table

"""Play in which each side maximises its own wins and ties are worth nothing: one policy of both sides, certified.

Both sides take the first attack, in the order of moves, within MARGIN of the most wins, and end a turn only for more
than MARGIN. Once the moves reproduce themselves they are fixed. Play is then a chain of chances, whose wins and losses
are proven as values are. `ValueTable` cannot do this: one player's wins are not the rest of the other's, so that wins
and losses are backed up side by side, and by the same moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hazard.games.dice_of_doom.rules import END
from hazard.games.dice_of_doom.solver.block_backup import Backup, EndOfTurn
from hazard.games.dice_of_doom.solver.policy_backup import ENDS
from hazard.games.dice_of_doom.solver.policy_blocks import MOST_SWEEPS, ONE_MORE, SAME, PolicyBlocks, bound_of, excess
from hazard.games.dice_of_doom.solver.solution import effort, keeping
from hazard.games.dice_of_doom.solver.value_table import EPS
from hazard.games.dice_of_doom.tiles import CHOSEN
from hazard.rulebook import Game
from hazard.solving.certify import Certificate, not_proven
from hazard.solving.mixing import converge
from hazard.solving.solution import Progress

MARGIN = 1e-9  # wins that differ by no more are equal
FOUND = 1e-11  # change of a sweep below which moves are fixed and looked at again
ROUNDS = 12  # of fixing moves, at most
FIRST_SWEEPS = 300  # that choose all moves, at most
FINER = 1_000  # how many times smaller than the tolerance changes must be before a proof is tried
WIN, LOSE = 0, 1


class Profile:
    """The moves of both sides, and what they bring at the start of turns: values[win or lose, own mask, dice]."""

    def __init__(self, game: Game) -> None:
        self.board = board = PolicyBlocks(game)
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
        """A sweep that chooses every move."""
        for mask, (win, lose) in self.board.visit():
            self.chosen(mask, win, margin, self.notes[mask], self.placed[mask])
            self.followed(mask, lose, LOSE)
            self.values[WIN, mask], self.values[LOSE, mask] = win.starts, lose.starts

    def chosen(self, mask: int, win: Backup, margin: float, notes: np.ndarray, placed: np.ndarray) -> None:
        self.board.hand_over(mask, self.values[LOSE], win, SAME)
        self.board.place_best(mask, win, margin, placed)
        self.board.choose(mask, win, margin, self.last(mask, WIN), notes)

    def follow(self) -> None:
        """A sweep that keeps to the moves."""
        for mask, parts in self.board.visit():
            for which in (WIN, LOSE):
                self.followed(mask, parts[which], which)
            self.values[WIN, mask], self.values[LOSE, mask] = parts[WIN].starts, parts[LOSE].starts

    def followed(
        self,
        mask: int,
        part: Backup,
        which: int,
        way: EndOfTurn = SAME,
        weights: np.ndarray | None = None,
        eps: float = 0.0,
    ) -> None:
        """Back up wins or losses by the moves that are fixed. One side's wins are the other's losses."""
        self.board.hand_over(mask, self.values[1 - which], part, way, weights, eps)
        self.board.place_as(mask, part, self.placed[mask], eps)
        self.board.follow(mask, part, self.last(mask, which), self.notes[mask], eps)

    def count_turns(self, weights: np.ndarray) -> None:
        for mask, (part, _) in self.board.visit():
            self.board.hand_over(mask, weights, part, ONE_MORE)
            self.board.place_as(mask, part, self.placed[mask])
            self.board.follow(mask, part, 0.0, self.notes[mask])
            weights[mask] = part.starts

    # --- what can be said of it --------------------------------------------------------------------------------------
    def renewed(self) -> int:
        """Choose all moves once more by the values; how many have changed."""
        changed = 0
        for mask, (win, _) in self.board.visit():
            notes, placed = np.zeros_like(self.notes[mask]), np.zeros_like(self.placed[mask])
            self.chosen(mask, win, MARGIN, notes, placed)
            changed += int((notes != self.notes[mask]).sum() + (placed != self.placed[mask]).sum())
            self.notes[mask], self.placed[mask] = notes, placed
        return changed

    def gain(self) -> float:
        """The most wins that a player can add by playing one turn in another way."""
        most = 0.0
        for mask, (best, mine) in self.board.visit():
            notes, placed = np.zeros_like(self.notes[mask]), np.zeros_like(self.placed[mask])
            self.chosen(mask, best, 0.0, notes, placed)
            self.followed(mask, mine, WIN)
            used = slice(self.board.held_by(mask) * self.board.size)
            most = max(most, float((best.here[used] - mine.here[used]).max()))
            most = max(most, float((best.starts - mine.starts).max()))
        return most

    def beyond(self, bounds: Certificate) -> float:
        """How far one sweep takes upper bounds up or lower bounds down; not positive: proven."""
        beyond = []
        for sign in (1.0, -1.0):
            way = SAME._replace(scale=sign * bounds.slope, shift=sign * bounds.base)
            for mask, parts in self.board.visit():
                for which in (WIN, LOSE):
                    self.followed(mask, parts[which], which, way, bounds.weights, sign * EPS)
                    bound = bound_of(self.values[which], bounds, mask, sign)
                    beyond.append(excess(parts[which].starts, bound, sign))
        return float(np.max(beyond))

    def prove(self, d: float, say: Callable[[int], None]) -> Certificate | None:
        """Bounds on wins, and as good ones on losses."""
        return self.board.prove(self.values, self.count_turns, self.beyond, d, say)


class Solved(NamedTuple):
    """A proven profile, and what it took to find it."""

    profile: Profile
    proof: Certificate
    sweeps: int
    rounds: int
    unsettled: int  # moves that changed in the last round

    @property
    def error(self) -> float:
        """Of wins, losses and ties: these are the rest of 1."""
        return 2 * self.proof.error


def find(game: Game, tolerance: float, say: Callable[[int], None]) -> Solved:
    """Choose moves until they reproduce themselves, then prove what they win and lose."""
    profile = Profile(game)
    sweeps, _ = converge(profile.values, profile.choose, FOUND, FIRST_SWEEPS, say, 1.0)
    finer, changed, rounds = min(tolerance / FINER, FOUND), -1, 0
    while changed and rounds < ROUNDS:
        changed, rounds = profile.renewed(), rounds + 1
        more, change = converge(profile.values, profile.follow, finer, MOST_SWEEPS, say, 1.0)
        sweeps += more
    proof = None
    for _ in range(3):
        proof = profile.prove(max(2 * change, 2e-14), say)
        if proof is not None and (solved := Solved(profile, proof, sweeps, rounds, changed)).error <= tolerance:
            return solved
        finer /= 30
        more, change = converge(profile.values, profile.follow, finer, MOST_SWEEPS, say, 1.0)
        sweeps += more
    raise not_proven(tolerance, proof and 2 * proof.error, sweeps)


def solve(game: Game, tolerance: float, folder: Path, progress: Progress | None) -> None:
    """Find and prove the policy of a game without a limit of turns, and keep it."""
    began = time.perf_counter()
    solved = find(game, tolerance, lambda number: progress(number, 0) if progress else None)
    profile, proof, board, seconds = solved.profile, solved.proof, solved.profile.board, time.perf_counter() - began
    meta = {
        "objective": "own-win",
        "states": board.size * sum(1 + board.held_by(mask) for mask in board.all),
        "error": solved.error,
        "gain": profile.gain(),
        "margin": MARGIN,
        "rounds": solved.rounds,
        "unsettled": solved.unsettled,
        "turns_left": proof.width(float(proof.weights.max())) / proof.base,  # as many as the proof reckons with
        **effort(solved.sweeps, proof.sweeps, seconds, solved.sweeps * board.masks * board.size / seconds),
    }
    sums = np.zeros(2)
    with keeping(folder, game, (2, 1 + board.held, board.masks, board.size), meta) as (out, aside):
        for mask, parts in board.visit():
            for which in (WIN, LOSE):
                profile.followed(mask, parts[which], which)
                rows = np.vstack([parts[which].starts, parts[which].here.reshape(board.held, -1)])
                rows[1 + board.held_by(mask) :] = 0.0
                out[which, :, mask] = rows
                sums[which] += rows.sum()
        np.save(aside / "policy.npy", _moves(profile))
        win, lose = (float(total / meta["states"]) for total in sums)
        meta["mean"] = {"win": win, "lose": lose, "tie": max(0.0, 1.0 - win - lose)}


def _moves(profile: Profile) -> np.ndarray:
    """Moves by their numbers: at the start, where the turn may be ended, and for each die still to be placed."""
    board, dies = profile.board, profile.placed.shape[1] // profile.board.size
    table = np.zeros((1 + board.held + dies, board.masks, board.size), np.uint8)
    for mask in board.all:
        edges = np.array([*board.edges[mask], *[0] * (ENDS - len(board.edges[mask]))], np.uint8)
        notes = profile.notes[mask].reshape(board.held, -1)
        table[0, mask] = edges[notes[0] % ENDS]
        table[1 : 1 + board.held, mask] = np.where(notes >= ENDS, END, edges[notes % ENDS])
        own = np.array([t for t in range(board.tiles - 1, -1, -1) if mask >> t & 1] or [0], np.uint8)
        table[1 + board.held :, mask] = own[profile.placed[mask].reshape(dies, board.size)]
    return table

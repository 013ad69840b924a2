"""A log of attacks: what each promised (Eq. 1 and what it is made of), and whether the territory was held.

Held means: taken, and still owned when the attacker's next turn begins or the game ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hazard.agents.seating import line_up_seed
from hazard.arena.play.compiled import LineUp, line_up, set_up
from hazard.contract import deal, decide, over
from hazard.dice import AGENTS, BOARD, DICE
from hazard.games.dice_wars.land import MOST, owned, owner
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.corrected import Outlook, outlook
from hazard.games.dice_wars.rules import END, play
from hazard.jit import rule
from hazard.rulebook import Game

GAME, PLACE, TARGET, WON, HELD, PROMISE = range(6)  # columns; an Outlook from PROMISE on
COLUMNS = ("game", "place", "target", "won", "held", *Outlook._fields)
PART = 500  # games logged at once
ROOM = 4 * MOST  # attacks of each player in a game that a log has room for at first


@rule
def note_held(s: Any, seat: int, turns: Any, log: Any) -> None:
    """Note of a player's latest attacks, rows turns[seat, 0] to turns[seat, 1], whether the territory was held."""
    for n in range(turns[seat, 0], min(turns[seat, 1], log.shape[0])):
        held = owner(s, np.int64(log[n, TARGET])) == seat
        log[n, HELD] = log[n, WON] if held else 0.0
    turns[seat, 0] = turns[seat, 1]


@rule
def log_attack(g: Any, s: Any, m: int, game: int, place: int, line: Any) -> None:
    """Log an attack, as far as it is known beforehand."""
    row = map_of(g, s)
    o = outlook(g, s, row, owned(s, s.mover, whole(g, row)), m)
    line[GAME], line[PLACE], line[TARGET], line[WON], line[HELD] = game, place, g.scratch.edges[row, m, 1], 0.0, 0.0
    for n in range(len(o)):
        line[PROMISE + n] = o[n]


@rule
def log_game(g: Any, agents: Any, memory: Any, game: int, room: Any, turns: Any, log: Any, rows: int) -> int:
    """Play a game and log its attacks from row `rows` on, as far as there is room; where the log ends is returned."""
    s, turn = deal(g, room.rng[BOARD]), -1
    turns[:] = rows
    while not over(g, s):
        mover = s.mover
        if s.turn != turn:
            note_held(s, mover, turns, log)
            turn, turns[mover, 0] = s.turn, rows
        a = room.sitting[mover]
        m = decide(agents[a], g, s, room.moves, memory[a], room.rng[AGENTS + a])
        attack, fits = m != END, rows < log.shape[0]
        if attack and fits:
            log_attack(g, s, m, game, a, log[rows])
        s = play(g, s, m, room.rng[DICE + mover])
        if attack and fits:
            log[rows, WON] = 1.0 if owner(s, np.int64(log[rows, TARGET])) == mover else 0.0
        rows += 1 if attack else 0
        turns[mover, 1] = rows
    for seat in range(g.players):
        note_held(s, seat, turns, log)
    return rows


@rule
def log_games(
    g: Any, agents: Any, memory: Any, seed: Any, first: int, games: int, room: Any, turns: Any, log: Any
) -> int:
    """Log the attacks of some games; how many there were is returned, even if not all found room."""
    rows = 0
    for number in range(first, first + games):
        set_up(g, seed, False, number, room)
        rows = log_game(g, agents, memory, number, room, turns, log, rows)
    return rows


def attacks(game: Game, agents: Sequence[str], games: int, seed: int = 1, first: int = 0) -> np.ndarray:
    """Every attack of games between some agents; the columns are COLUMNS. Games are independent, seats rotate."""
    who = line_up(game, agents, line_up_seed(seed, agents), shared=False)
    parts = [_part(who, n, min(PART, first + games - n)) for n in range(first, first + games, PART)]
    return np.concatenate(parts) if parts else np.zeros((0, len(COLUMNS)))


def _part(who: LineUp, first: int, games: int) -> np.ndarray:
    """The attacks of some games. If the log is too short for them, the games are played again with a longer one."""
    game, room = who.game, who.room()
    rows = games * ROOM * game.seats
    while True:
        log, turns = np.zeros((rows, len(COLUMNS)), np.float32), np.zeros((game.seats, 2), np.int64)
        seated = (game.table, who.numbers, who.memory, np.uint64(who.seed))
        logged = int(game.compiled(log_games)(*seated, first, games, room, turns, log))
        if logged <= rows:
            return log[:logged]
        rows = logged

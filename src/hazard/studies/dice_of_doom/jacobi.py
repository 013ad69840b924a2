"""The thesis' own computation, repeated: Jacobi iteration, every state's chances from those of its successors in the
table before.

A state is a board and whether the turn may be ended. Its number is the thesis': tile by tile (owner, dice), then the
flag. A state has three numbers, the mover's chances to win, to lose and to tie; the mover takes the move with the
greatest chance to win, and a tie is worth nothing to it.

Attacks, reinforcement and the greedy strategy are written again for these numbers. The rules make a new position for
every move, which would take many times as long; the solver's blocks back up whole turns in place, and printed digits of
boards that had not converged come from single moves in this order alone. A test compares all of it with the rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.tiles import widths
from hazard.jit import rule
from hazard.rulebook import Game

WIN, LOSE, TIE = 0, 1, 2


class Land(NamedTuple):
    """A board, as tables that the computation reads."""

    tiles: int
    dice: int  # the most on a tile
    unit: np.ndarray  # unit[tile]: what one more in the tile's digit adds to the board's number
    source: np.ndarray  # source[edge]: tiles in reading order, targets in the strategies' order
    target: np.ndarray
    odds: np.ndarray  # odds[attacker's dice, defender's dice]
    gain: np.ndarray  # gain[own mask]: new dice at the end of the turn


def land_of(game: Game) -> Land:
    g = game.table
    beside = [[u for u in range(g.tiles) if int(g.near[t]) >> u & 1] for t in range(g.tiles)]
    unit = np.array([(2 * g.max_dice) ** (g.tiles - 1 - t) for t in range(g.tiles)], np.int64)
    return Land(g.tiles, g.max_dice, unit, g.source, g.target, g.odds, widths(beside))


@rule
def read_board(land: Any, e: int, digits: Any) -> int:
    """Write the tiles' digits and return the mask of own tiles.

    A digit is the number of dice less one; on tiles of the other player, plus the most dice on a tile.
    """
    own = 0
    for t in range(land.tiles - 1, -1, -1):
        digits[t] = e % (2 * land.dice)
        e //= 2 * land.dice
        if digits[t] < land.dice:
            own |= 1 << t
    return own


@rule
def after_turn(land: Any, e: int, own: int, digits: Any) -> int:
    """The board after reinforcement, as the other player sees it."""
    left = land.gain[own]
    for t in range(land.tiles):
        if digits[t] >= land.dice:
            e -= land.dice * land.unit[t]
        else:
            e += land.dice * land.unit[t]
            if left > 0 and digits[t] < land.dice - 1:
                e += land.unit[t]
            left -= 1
    return e


@rule
def can_fight(land: Any, edge: int, digits: Any) -> bool:
    mine = digits[land.source[edge]]
    return 0 < mine < land.dice <= digits[land.target[edge]]


@rule
def lost_board(land: Any, e: int, edge: int, digits: Any) -> int:
    t = land.source[edge]
    return e - digits[t] * land.unit[t]


@rule
def won_board(land: Any, e: int, edge: int, digits: Any) -> int:
    t, u = land.source[edge], land.target[edge]
    return e - digits[t] * land.unit[t] + (digits[t] - 1 - digits[u]) * land.unit[u]


@rule
def chance_of(land: Any, edge: int, digits: Any) -> float:
    return land.odds[digits[land.source[edge]] + 1, digits[land.target[edge]] - land.dice + 1]


@rule
def attack_worth(land: Any, e: int, edge: int, digits: Any, table: Any, what: int) -> float:
    p = chance_of(land, edge, digits)
    won, lost = won_board(land, e, edge, digits), lost_board(land, e, edge, digits)
    return p * table[2 * won + 1, what] + (1.0 - p) * table[2 * lost + 1, what]


@rule
def best_attack(land: Any, e: int, digits: Any, table: Any) -> int:
    """The first attack with the greatest chance to win, -1 if there is none."""
    best, most = -1, -1.0
    for edge in range(land.source.size):
        if can_fight(land, edge, digits):
            value = attack_worth(land, e, edge, digits, table, WIN)
            if value > most:
                best, most = edge, value
    return best


@rule
def end_game(land: Any, own: int, state: Any) -> None:
    """Chances where no attack is left at the start of a turn: most tiles win."""
    held = 0
    for t in range(land.tiles):
        held += (own >> t) & 1
    state[WIN] = 1.0 if 2 * held > land.tiles else 0.0
    state[LOSE] = 1.0 if 2 * held < land.tiles else 0.0
    state[TIE] = 1.0 if 2 * held == land.tiles else 0.0


@rule
def update_board(land: Any, e: int, digits: Any, table: Any, new: Any) -> None:
    """New chances of a board's two states from the old table. Among equal moves, an attack comes before the end."""
    own = read_board(land, e, digits)
    edge = best_attack(land, e, digits, table)
    end = 2 * after_turn(land, e, own, digits)
    if edge < 0:
        end_game(land, own, new[2 * e])
    else:
        for what in range(3):
            new[2 * e, what] = attack_worth(land, e, edge, digits, table, what)
    if edge >= 0 and new[2 * e, WIN] >= table[end, LOSE]:
        for what in range(3):
            new[2 * e + 1, what] = new[2 * e, what]
    else:
        new[2 * e + 1, WIN] = table[end, LOSE]
        new[2 * e + 1, LOSE] = table[end, WIN]
        new[2 * e + 1, TIE] = table[end, TIE]


@rule
def update_boards(land: Any, first: int, last: int, digits: Any, table: Any, new: Any) -> float:
    """Update some boards; the greatest change of a chance to win is returned."""
    most = 0.0
    for e in range(first, last):
        update_board(land, e, digits, table, new)
        for state in range(2 * e, 2 * e + 2):
            most = max(most, abs(new[state, WIN] - table[state, WIN]))
    return most


@rule
def begin_boards(land: Any, first: int, last: int, digits: Any, table: Any) -> None:
    """Chances before the first update: known where the game is over, otherwise nothing."""
    for e in range(first, last):
        own = read_board(land, e, digits)
        if best_attack(land, e, digits, table) < 0:
            end_game(land, own, table[2 * e])


# --- to and from the tables of solvers, values[own mask, dice] ------------------------------------------------------
@rule
def place(land: Any, own: int, digits: Any) -> int:
    """The place in such a table of the board whose digits have been read: own tiles' dice come first."""
    number = 0
    for side in range(2):
        for t in range(land.tiles):
            if (digits[t] < land.dice) == (side == 0):
                number = number * land.dice + digits[t] % land.dice
    return own * land.dice**land.tiles + number


@rule
def fill_memory(land: Any, first: int, last: int, digits: Any, table: Any, memory: Any) -> None:
    """Write what the agent `optimal` reads, so that it plays for its own win by this table.

    The agent takes 1 less the opponent's value for its own, so 1 less the opponent's chance to lose is written.
    """
    for e in range(first, last):
        at = place(land, read_board(land, e, digits), digits)
        memory[0, at] = 1.0 - table[2 * e, LOSE]
        memory[1, at] = table[2 * e + 1, WIN]


@rule
def take_over(land: Any, first: int, last: int, digits: Any, table: Any, wins: Any, losses: Any) -> None:
    """Fill the table from wins[flag, place] and losses likewise."""
    for e in range(first, last):
        at = place(land, read_board(land, e, digits), digits)
        for skip in range(2):
            table[2 * e + skip, WIN] = wins[skip, at]
            table[2 * e + skip, LOSE] = losses[skip, at]
            table[2 * e + skip, TIE] = 1.0 - wins[skip, at] - losses[skip, at]


# --- how good moves are --------------------------------------------------------------------------------------------
@rule
def greedy_score(land: Any, edge: int, own: int, digits: Any) -> float:
    """What an attack is expected to add to the own dice and the largest own territory."""
    p = chance_of(land, edge, digits)
    growth = land.gain[own | (1 << land.target[edge])] - land.gain[own]
    return p * growth - (1.0 - p) * digits[land.source[edge]]


@rule
def greedy_attack(land: Any, own: int, digits: Any) -> int:
    """The first attack with the best score."""
    best, most = -1, -1.0e9
    for edge in range(land.source.size):
        if can_fight(land, edge, digits):
            score = greedy_score(land, edge, own, digits)
            if score > most:
                best, most = edge, score
    return best


@rule
def price_board(land: Any, e: int, digits: Any, table: Any, out: Any) -> None:
    """For a board's two states: the chance to win by the best, the greedy and a random move, and the last's variance.

    Where no move can be made, the first is -1.
    """
    own = read_board(land, e, digits)
    end = table[2 * after_turn(land, e, own, digits), LOSE]
    count, total, squares, best = 0, 0.0, 0.0, -1.0
    for edge in range(land.source.size):
        if can_fight(land, edge, digits):
            value = attack_worth(land, e, edge, digits, table, WIN)
            count, total, squares, best = count + 1, total + value, squares + value * value, max(best, value)
    greedy = greedy_attack(land, own, digits)
    by_greed = attack_worth(land, e, greedy, digits, table, WIN) if greedy >= 0 else -1.0
    for skip in range(2):
        row = out[2 * e + skip]
        if skip == 1:
            count, total, squares, best = count + 1, total + end, squares + end * end, max(best, end)
            if greedy < 0 or greedy_score(land, greedy, own, digits) <= 0.0:
                by_greed = end
        row[0], row[1], row[2] = best, by_greed, total / max(count, 1)
        row[3] = max(0.0, squares / max(count, 1) - row[2] ** 2)


@rule
def price_boards(land: Any, first: int, last: int, digits: Any, table: Any, out: Any) -> None:
    for e in range(first, last):
        price_board(land, e, digits, table, out)


@rule
def declined(land: Any, first: int, last: int, digits: Any, table: Any, margin: float) -> Any:
    """Where a turn may be ended or go on: the positions, those in which greedy ends its turn, those in which that loses
    more than the margin, and what it loses in all; then the same two for attacks where greedy should have ended."""
    places, ends, wrong, lost, rash, burnt = 0, 0, 0, 0.0, 0, 0.0
    for e in range(first, last):
        own = read_board(land, e, digits)
        best = best_attack(land, e, digits, table)
        if best < 0:
            continue
        end = table[2 * after_turn(land, e, own, digits), LOSE]
        greedy, places = greedy_attack(land, own, digits), places + 1
        if greedy_score(land, greedy, own, digits) <= 0.0:
            ends += 1
            cost = attack_worth(land, e, best, digits, table, WIN) - end
            if cost > margin:
                wrong, lost = wrong + 1, lost + cost
        else:
            cost = end - attack_worth(land, e, best, digits, table, WIN)
            if cost > margin:
                rash, burnt = rash + 1, burnt + cost
    return places, ends, wrong, lost, rash, burnt

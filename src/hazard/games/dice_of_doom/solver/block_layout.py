"""The blocks of a board of Dice of Doom, as its solver needs them: who owns what, and what is known of the dice.

Where new dice come in reading order, a player has more than one die on its first tiles after its turn, on as many as
it got dice. So dice cannot lie in all ways at the start of the other player's turn, nor in most of the rest of it. Only
the columns that can come up are there. The first turn of a game may begin otherwise; such boards follow in the end from
the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.tiles import widths
from hazard.jit import rule

CHUNK = 256  # numbers of a row that are worked on at a time, at most
RUN = 25  # numbers that make a loop of their own worth while
NONE = np.zeros(0, np.int64)


class Block(NamedTuple):
    """What does not depend on the dice: who owns what. Tiles of both players are counted from the last one."""

    dice: int  # the most on a tile
    own: int  # tiles of the mover
    other: int
    gain: int  # dice the mover gets after the turn
    last: float  # what the mover gets if it cannot attack at the start of its turn
    attackers: np.ndarray  # for each attack the own tile, counted among own tiles
    targets: np.ndarray  # and the other's tile, counted among these
    up: np.ndarray  # where the block with the target added begins
    strides: np.ndarray  # strides[attack, own tile] in that block
    lift: np.ndarray  # stride of the target there
    fresh: int = 0  # first tiles of the other player that have more than one die at the start of the turn
    sure: int = 0  # those that are sure to have it later in the turn too
    passed: int = 0  # the mover's first tiles that have more than one die after its turn
    columns: int = 0  # numbers in a row
    fast: int = 0  # tiles of the other player whose dice change within a chunk of a row; the last ones
    slow: np.ndarray = NONE  # slow[attack]: where the next two begin for it, a number for each chunk
    places: np.ndarray = NONE  # where the row above has the chunk
    met: np.ndarray = NONE  # dice less one of a target that is not among the fast tiles


def make_block(
    neighbours: Sequence[Sequence[int]], mask: int, dice: int, begins: Sequence[int], columns: Sequence[int]
) -> Block:
    """The block of an own mask; begins[mask] is where a block begins, columns[mask] how long its rows are."""
    last_first = range(len(neighbours) - 1, -1, -1)
    own = [t for t in last_first if mask >> t & 1]
    other = [t for t in last_first if not mask >> t & 1]
    attacks = [(t, u) for t in sorted(own) for u in neighbours[t] if u in other]
    rows = {"attackers": [], "targets": [], "up": [], "strides": [], "lift": []}  # type: dict[str, list]
    for t, u in attacks:
        above = mask | 1 << u
        place = {w: n for n, w in enumerate(w for w in last_first if above >> w & 1)}
        rows["attackers"].append(own.index(t))
        rows["targets"].append(other.index(u))
        rows["up"].append(begins[above])
        rows["strides"].append([dice ** place[w] * columns[above] for w in own])
        rows["lift"].append(dice ** place[u] * columns[above])
    attackers, targets, up, strides, lift = (np.array(rows[name], np.int64) for name in rows)
    last = 1.0 if len(own) > len(other) else 0.5 if len(own) == len(other) else 0.0
    numbers = dice, len(own), len(other), int(widths(neighbours)[mask]), last
    strides = strides.reshape(len(attacks), len(own))
    return Block(*numbers, attackers, targets, up, strides, lift, columns=columns[mask])


class Shapes(NamedTuple):
    """The blocks of all own masks in one, for compiled code; `block_of` takes one out."""

    dice: int
    tiles: int
    fast: int  # tiles whose dice change within a chunk, at most
    own: np.ndarray  # by mask
    gains: np.ndarray
    lasts: np.ndarray
    fresh: np.ndarray
    sure: np.ndarray
    passed: np.ndarray
    begins: np.ndarray  # begins[mask]: where its block begins
    offsets: np.ndarray  # offsets[mask]: where its values at the start of a turn begin; the next one's ends them
    first: np.ndarray  # first[mask]: where its attacks begin; the next mask's first ends them
    attackers: np.ndarray  # by attack
    targets: np.ndarray
    up: np.ndarray
    strides: np.ndarray
    lift: np.ndarray
    slow: np.ndarray
    places: np.ndarray
    met: np.ndarray


class Known(NamedTuple):
    """What is known of dice, by mask of the mover; see `Block`."""

    fresh: np.ndarray
    sure: np.ndarray
    passed: np.ndarray


def nothing_known(tiles: int) -> Known:
    return Known(*np.zeros((3, 1 << tiles), np.int64))


def known_dice(neighbours: Sequence[Sequence[int]], dice: int) -> Known:
    """What is known where new dice come in reading order.

    A tile of a set can have a single die only if it is behind the first ones of some larger set, which had new dice.
    With more than two dice nothing is made of what is known of the other player's last two tiles: so loops are longer.
    """
    tiles = len(neighbours)
    masks, gains = np.arange(1 << tiles), widths(neighbours).astype(np.int64)
    behind, held = np.full(1 << tiles, tiles), np.zeros(1 << tiles, np.int64)  # the first tile without new dice
    for tile in range(tiles):
        held += masks >> tile & 1
        behind = np.where((masks >> tile & 1 == 1) & (held == gains + 1), tile, behind)
    for tile in range(tiles):
        without = masks[masks >> tile & 1 == 0]
        behind[without] = np.minimum(behind[without], behind[without | 1 << tile])
    sure = np.zeros_like(held)
    for tile in range(tiles):
        sure += (masks >> tile & 1) * (tile < behind)
    sure = np.minimum(sure, np.maximum(own_tiles(tiles) - (2 if dice > 2 else 0), 0))
    return Known(gains[::-1].copy(), sure[::-1].copy(), gains)  # the complement of a mask is as far from the last one


def counts(dice: int, tiles: int, first: np.ndarray) -> np.ndarray:
    """By mask, in how many ways dice can lie if some first tiles of the other player have more than one."""
    own = own_tiles(tiles)
    return dice**own * row_lengths(dice, tiles, first)


def row_lengths(dice: int, tiles: int, first: np.ndarray) -> np.ndarray:
    return (dice - 1) ** first * dice ** (tiles - own_tiles(tiles) - first)


def own_tiles(tiles: int) -> np.ndarray:
    return np.array([mask.bit_count() for mask in range(1 << tiles)], np.int64)


def make_shapes(
    neighbours: Sequence[Sequence[int]], dice: int, known: Known, begins: np.ndarray, compiled: Any
) -> Shapes:
    """The blocks of a board, where they begin being given."""
    tiles = len(neighbours)
    columns = row_lengths(dice, tiles, known.sure)
    lists = begins.tolist(), columns.tolist()
    all_ = [make_block(neighbours, mask, dice, *lists) for mask in range(1 << tiles)]
    first = np.cumsum([0, *(b.attackers.size for b in all_)])
    strides = np.zeros((first[-1], tiles), np.int64)
    for b, begin in zip(all_, first, strict=False):
        strides[begin : begin + b.attackers.size, : b.own] = b.strides
    own, gains = own_tiles(tiles), np.array([b.gain for b in all_], np.int64)
    parts = [np.concatenate([getattr(b, name) for b in all_]) for name in ("attackers", "targets", "up", "lift")]
    offsets = np.cumsum([0, *counts(dice, tiles, known.fresh)])
    fast = next(n for n in range(1, 12) if dice ** (n + 1) > CHUNK)
    chunks = columns // dice ** np.minimum(tiles - own - known.sure, fast)
    slow = np.cumsum([0, *np.repeat(chunks, np.diff(first))])
    rest = slow[:-1], np.zeros(slow[-1], np.int32), np.zeros(slow[-1], np.uint8)
    lasts = np.array([b.last for b in all_])
    by_mask = own, gains, lasts, *known, begins, offsets, first
    shapes = Shapes._make([dice, tiles, fast, *by_mask, *parts[:3], strides, parts[3], *rest])
    compiled(fill_slow)(shapes)
    return shapes


@rule
def block_of(shapes: Any, mask: int) -> Block:
    """The block of a mask."""
    a, z, own = shapes.first[mask], shapes.first[mask + 1], shapes.own[mask]
    other, sure = shapes.tiles - own, shapes.sure[mask]
    return Block(
        shapes.dice,
        own,
        other,
        shapes.gains[mask],
        shapes.lasts[mask],
        shapes.attackers[a:z],
        shapes.targets[a:z],
        shapes.up[a:z],
        shapes.strides[a:z],
        shapes.lift[a:z],
        shapes.fresh[mask],
        sure,
        shapes.passed[mask],
        (shapes.dice - 1) ** sure * shapes.dice ** (other - sure),
        min(other - sure, shapes.fast),
        shapes.slow[a:z],
        shapes.places,
        shapes.met,
    )


@rule
def fill_slow(shapes: Any) -> None:
    """Find for each attack and each chunk of a row where the row above has it, and the target's dice."""
    for mask in range(shapes.own.size):
        block = block_of(shapes, mask)
        for q in range(block.attackers.size):
            target = nth_other(shapes.tiles, mask, block.targets[q])
            free = block.other - 1 - shapes.sure[mask | 1 << target]
            for k in range(block.columns // block.dice**block.fast):
                fill_chunk(block, q, k, free)


@rule
def nth_other(tiles: int, mask: int, n: int) -> int:
    """The tile of the other player with n of its tiles behind it."""
    for tile in range(tiles - 1, -1, -1):
        if not (mask >> tile) & 1:
            if n == 0:
                return tile
            n -= 1
    return -1


@rule
def fill_chunk(block: Any, q: int, k: int, free: int) -> None:
    """The k-th chunk of an attack; `free` tiles of the block above may have a single die."""
    rest, stride, to, above = k, 1, 0, 0
    for y in range(block.other):
        least = 1 if y >= block.other - block.sure else 0
        digit = rest % (block.dice - least) + least if y >= block.fast else 0
        rest = rest // (block.dice - least) if y >= block.fast else rest
        if y == block.targets[q]:
            block.met[block.slow[q] + k] = digit
            continue
        least = 1 if above >= free else 0
        to += (digit - least) * stride if y >= block.fast else 0
        stride *= block.dice - least
        above += 1
    block.places[block.slow[q] + k] = to


class Runs(NamedTuple):
    """Where dice lie, among all ways they can, if some first tiles have more than one die and the others one."""

    begins: np.ndarray
    first: np.ndarray  # first[all tiles, first tiles]: where the runs of these begin


def make_runs(dice: int, tiles: int) -> Runs:
    begins, first, count = [], np.zeros((tiles + 1, tiles + 1), np.int64), 0  # type: tuple[list, np.ndarray, int]
    for all_ in range(tiles + 1):
        for some in range(all_ + 1):
            first[all_, some] = count
            begins.append(with_more(dice, some) * dice ** (all_ - some))
            count += begins[-1].size
    return Runs(np.concatenate(begins), first)


def one_run(tiles: int) -> Runs:
    """Runs of blocks in which nothing is left out: there is one, from the beginning."""
    return Runs(np.zeros(1, np.int64), np.zeros((tiles + 1, tiles + 1), np.int64))


class Spread(NamedTuple):
    """How the dice of a tile under attack repeat along a chunk of a row; chunks stay in the fastest memory."""

    quick: int  # tiles whose dice change so fast that outcomes are better repeated first
    spots: np.ndarray  # spots[tile, number in the chunk]: where the block above has it
    shares: np.ndarray  # shares[attacker's dice - 1, tile, number in the chunk]: odds of the attack
    runs: Runs


def make_spread(dice: int, odds: np.ndarray, tiles: int, fast: int) -> Spread:
    number, units = np.arange(dice**fast), [dice**t for t in range(fast)]
    spots = np.array([number // (unit * dice) * unit + number % unit for unit in units], np.uint16)
    shares = np.array([[odds[a, number // unit % dice] for unit in units] for a in range(dice)])
    quick = min(fast, next(n for n in range(1, 12) if dice**n >= RUN))
    return Spread(quick, spots, shares, make_runs(dice, tiles))


def with_more(dice: int, tiles: int) -> np.ndarray:
    """The numbers of all ways dice can lie on some tiles with more than one die each."""
    found = np.zeros(1, np.int64)
    for _ in range(tiles):
        found = (found[:, None] * dice + np.arange(1, dice)).reshape(-1)
    return found

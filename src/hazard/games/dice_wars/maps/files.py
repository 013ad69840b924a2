"""Maps of Dice Wars as files: hexes and the territories they belong to, in JSON; loading checks them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from hazard.errors import BadInput
from hazard.files import given, write_whole
from hazard.games.dice_wars.land import MOST
from hazard.games.dice_wars.maps.grow import SIDES, beside

FORMAT = 1


def save_map(path: Path, areas: np.ndarray) -> None:
    """Write the territory of every hex, from 1; 0 is water."""
    rows = [[int(land) + 1 if land >= 0 else 0 for land in row] for row in areas]
    write_whole(path, json.dumps({"hazard": "dice-wars map", "format": FORMAT, "hexes": rows}).encode())


def read_areas(name: str) -> np.ndarray:
    """The territory of every hex, from 0; -1 is water."""
    file = given(name)
    try:
        found = json.loads(file.read_text())
        hexes = np.array(found["hexes"], np.int64) - 1
        right = found["format"] == FORMAT and hexes.ndim == 2
    except FileNotFoundError:
        raise BadInput(f"map={name}: there is no such file; give random, the number of a map, or a file") from None
    except (OSError, ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise BadInput(f"map={name}: this is not a map of Dice Wars in format {FORMAT}")
    return hexes


def neighbours(areas: np.ndarray) -> list[int]:
    """For each territory the bits of those it shares a side with."""
    flat, near = areas.reshape(-1), [0] * (int(areas.max()) + 1)
    for hex_, around in enumerate(beside(*areas.shape)):
        for side in range(SIDES):
            other = around[side]
            if other >= 0 and flat[hex_] >= 0 and flat[other] >= 0 and flat[hex_] != flat[other]:
                near[flat[hex_]] |= 1 << int(flat[other])
    return near


def load_map(name: str, players: int) -> np.ndarray:
    """The territories of a map in a file, if it can be played on."""
    areas = read_areas(name)
    lands = sorted(set(areas[areas >= 0].tolist()))
    if lands != list(range(len(lands))) or not players <= len(lands) <= MOST:
        raise BadInput(f"map={name}: territories must be numbered from 1, {players} to {MOST} of them")
    for land in lands:
        if not _is_whole(areas, land):
            raise BadInput(f"map={name}: territory {land + 1} is in pieces; its hexes must touch each other")
    near = neighbours(areas)
    reached = _reached(0, lambda land: [other for other in lands if near[land] >> other & 1])
    if lost := sorted(set(lands) - reached):
        raise BadInput(
            f"map={name}: the map is not connected: territory {lost[0] + 1} cannot be reached from territory 1"
        )
    return areas


def _is_whole(areas: np.ndarray, land: int) -> bool:
    around, hexes = beside(*areas.shape), set(np.flatnonzero(areas.reshape(-1) == land).tolist())
    return _reached(min(hexes), lambda hex_: hexes & set(around[hex_].tolist())) == hexes


def _reached(first: int, near: Callable[[int], Iterable[int]]) -> set[int]:
    """All that can be reached step by step."""
    found, waiting = {first}, [first]
    while waiting:
        new = set(near(waiting.pop())) - found
        found |= new
        waiting += new
    return found

"""What `advise` adds for Pickomino: how the turn is likely to end after each move, and what is at stake.

The chances of tiles are exact: of a turn that is played for the values of its endings, and the best of a turn that is
played for one tile alone. Endings are valued by the solution, or else by the best judge there is.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from hazard.declaration import MoreAdvice
from hazard.errors import BadInput
from hazard.games.pickomino.players import master
from hazard.games.pickomino.players.turn_player import fill_ends
from hazard.games.pickomino.rules import CENTRE, LOWEST, STEAL, Params, State, over, points, top, worms
from hazard.games.pickomino.rules import within_reach as tile_within_reach
from hazard.games.pickomino.solver.solution import Pickomino
from hazard.games.pickomino.turn.endings import Ends, Turn, after_move, ends_of
from hazard.rulebook import Position
from hazard.solving.solution import solved, within_reach

FAIL = "fail"
SHOWN = 4  # chances in a table, those above the least
LEAST = 0.005


def values_of_endings(position: Position) -> np.ndarray:
    """What the endings of the turn are worth to its player, as `Turn` takes them.

    They are chances of winning in a solved game, or by the network of `master` where there are weights for the game;
    else they are worms, as `turn` counts them.
    """
    game, s = position.game, position.state
    if within_reach(game):
        solution = solved(game)
        assert isinstance(solution, Pickomino)
        return (solution.ends(s, True) + solution.ends(s, False)) / 2
    with suppress(BadInput):  # there are weights for some parameters only
        return master.values_of_endings(position)
    t = game.table.scratch.turns
    t.keys[0] = 0  # the row is not to be found again
    fill_ends(game.table, s, 0)
    return t.rows[0, t.states :].copy()


def advise(position: Position) -> MoreAdvice:
    """For each move the chances of endings after it, and what is at stake in the turn."""
    g, s = position.game.g, position.state
    chances = _chances(g, s, position.legal(), values_of_endings(position))
    return MoreAdvice({"at_stake": at_stake(g, s)}, dict(zip(position.moves, chances, strict=True)))


# --- chances ---------------------------------------------------------------------------------------------------------
def _chances(g: Params, s: State, moves: list[int], values: np.ndarray) -> list[dict[str, Any]]:
    """For each move how the turn ends, played for the values; and the best chance of each tile, played for that."""
    ends = ends_of(g, s)
    tiles = sorted([*ends.centre, *ends.stolen])
    turn, alone = Turn(g.dice, values), {tile: Turn(g.dice, _only(g, ends, tile)) for tile in tiles}
    return [_after(g, s, m, ends, turn, alone) for m in moves]


def _after(g: Params, s: State, m: int, ends: Ends, turn: Turn, alone: dict[int, Turn]) -> dict[str, Any]:
    if m in (CENTRE, STEAL):
        tile = int(tile_within_reach(g, s)) if m == CENTRE else int(points(s.kept)) - LOWEST
        sure = {str(tile + LOWEST): 1.0}
        return {"endings": sure | {FAIL: 0.0}, "best_chances": sure}
    where = after_move(g, s, m)
    chances = turn.chances(*where)
    likely = {str(tile + LOWEST): chance for tile, chance in ends.by_tile(chances).items() if chance > 0}
    best = {str(tile + LOWEST): single.value(*where) for tile, single in alone.items()}
    return {"endings": likely | {FAIL: float(chances[-1])}, "best_chances": {k: v for k, v in best.items() if v > 0}}


def _only(g: Params, ends: Ends, tile: int) -> np.ndarray:
    """Values of endings to one who is after one tile alone."""
    wanted = ends.centre.get(tile) or ends.stolen[tile]
    return ends.valued(g.dice, lambda after: 1.0 if after is wanted else 0.0)


def at_stake(g: Params, s: State) -> dict[str, Any]:
    """What a failure costs: the tile given back, the one turned down, and whether it ends the game."""
    after = ends_of(g, s).failed
    own = int(top(s, s.mover))
    turned = [tile for tile in range(g.tiles) if s.centre >> tile & 1 and not after.centre >> tile & 1]
    return {
        "given_back": own + LOWEST if own >= 0 else None,
        "worms": int(worms(own)) if own >= 0 else 0,
        "turned_down": turned[0] + LOWEST if turned else None,
        "ends_the_game": bool(over(g, after)),
    }


# --- in a table ------------------------------------------------------------------------------------------------------
def remark(facts: dict[str, Any]) -> str:
    """What is at stake, in words."""
    stake = facts["at_stake"]
    lost = f"{stake['worms']} worm" + "s" * (stake["worms"] > 1)
    said = [f"gives {stake['given_back']} back ({lost})"] if stake["given_back"] else []
    said += [f"turns {stake['turned_down']} down"] if stake["turned_down"] else []
    said += ["ends the game"] if stake["ends_the_game"] else []
    return f"a failure {' and '.join(said) or 'costs nothing'}"


def show(report: dict[str, Any]) -> tuple[str, dict[str, list[str]]]:
    """What is at stake in words, and columns for each move: the likeliest endings, and the best chances of tiles."""
    endings, best = [], []
    for row in report["moves"]:
        tiles = {tile: chance for tile, chance in row["endings"].items() if tile != FAIL}
        endings.append(", ".join([*_likely(tiles), f"{FAIL}: {row['endings'][FAIL]:.0%}"]))
        best.append(", ".join(_likely(row["best_chances"])))
    return remark(report), {"likely endings": endings, "played for one tile": best}


def _likely(chances: dict[str, float]) -> list[str]:
    most = sorted(chances.items(), key=lambda pair: -pair[1])[:SHOWN]
    return [f"{name}: {chance:.0%}" for name, chance in most if chance >= LEAST]

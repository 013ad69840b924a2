"""The table drawn in text: all players on their way to the goal, the points at stake, and the ones set aside."""

from __future__ import annotations

from hazard.drawing.tracks import track
from hazard.games.great_rolled_ones.rules import Params, State, score

PAINT = ((r"\+{1,}(?=[.\]])", "yellow"), (r"={1,}", "green"), (r"\[1\]", "red"))


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    seats = [track(f"p{n + 1}", int(score(s, n)), s.pot, g.goal, n == s.mover) for n in range(g.players)]
    ones = "[1]" * s.ones + "[ ]" * (g.bust - s.ones)
    last = [f"the last round: more than {s.lead} wins"] if s.lead else []
    return [*seats, *last, f"ones aside: {ones}  dice to roll: {g.dice - s.ones}"]

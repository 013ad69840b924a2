"""The table drawn in text: both players on their way to the goal, and the pot."""

from __future__ import annotations

from hazard.drawing.tracks import track
from hazard.games.pig.rules import Params, State

PAINT = ((r"\+{1,}(?=[.\]])", "yellow"), (r"={1,}", "green"))


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    points = [s.me, s.you] if s.mover == 0 else [s.you, s.me]
    return [track(f"p{seat + 1}", points[seat], s.pot, g.goal, seat == s.mover) for seat in range(g.players)]

"""Tracks drawn in text: how far a player has come, and what more is at stake."""

from __future__ import annotations

LONG = 40  # letters


def track(name: str, points: int, pot: int, goal: int, active: bool) -> str:
    """A line such as `> p1   32 + 7  [=============+++......]`: the mover is marked, and has points at stake."""
    done = min(LONG, LONG * points // goal)
    more = min(LONG, LONG * (points + pot) // goal) - done if active else 0
    score = f"{points} + {pot}" if active and pot else f"{points}"
    return f"{'>' if active else ' '} {name} {score:>9}  [{'=' * done}{'+' * more}{'.' * (LONG - done - more)}]"

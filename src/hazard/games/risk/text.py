"""The battle drawn in text: both armies, and the dice on the table."""

from __future__ import annotations

from hazard.games.risk.rules import ATTACKER, Params, State, assault

PAINT = ((r"(?<=attacker ).*", "red"), (r"(?<=defender ).*", "blue"))
SHOWN = 60  # armies that are drawn one by one; of more, each letter stands for several


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    each = 1 + max(s.attackers, s.defenders, 1) // (SHOWN + 1)
    note = [f"each figure stands for {each} armies"] if each > 1 else []
    return [_army("attacker", s.attackers, each), _army("defender", s.defenders, each), *note, *_dice(g, s)]


def _army(name: str, armies: int, each: int) -> str:
    return f"{name} {max(0, armies):>4} {'o' * -(-max(0, armies) // each)}"


def _dice(g: Params, s: State) -> list[str]:
    """The attacker's dice that are compared, if they lie on the table, and how many the defender takes."""
    faces = g.faces[ATTACKER, assault(g, s), s.roll] if s.roll >= 0 else []
    thrown = "".join(f"[{face}]" for face in faces if face)
    chosen = "[?]" * s.guard
    return [f"dice of the {who}: {dice}" for who, dice in (("attacker", thrown), ("defender", chosen)) if dice]

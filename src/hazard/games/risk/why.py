"""Why to defend with so many dice, or to attack: what each side loses on average, and at most."""

from __future__ import annotations

from fractions import Fraction

from hazard.games.risk.notation import faces_of
from hazard.games.risk.rules import ANSWER, CLASSIC, DUTCH, STOP, Params, State, assault
from hazard.reasons import Case, Leaf, counted, often, sentence


def why(case: Case) -> str:
    g, s = case.game.g, case.position.state
    if s.phase == ANSWER:
        return _answer(case, g, s)
    return _stop(s) if case.number == STOP else _attack(case, g, s)


def _losses(s: State, leaves: list[Leaf]) -> tuple[Fraction, Fraction]:
    """What attacker and defender lose on average."""
    lost = [(leaf.probability, s.attackers - leaf.position.state.attackers) for leaf in leaves]
    fallen = [(leaf.probability, s.defenders - leaf.position.state.defenders) for leaf in leaves]
    return (sum((p * n for p, n in lost), Fraction(0)), sum((p * n for p, n in fallen), Fraction(0)))


def _answer(case: Case, g: Params, s: State) -> str:
    leaves = case.leaves
    if leaves is None:
        return ""
    lost, fallen = _losses(s, leaves)
    dice, met = case.number, f" against {faces_of(g, s)}" if s.roll >= 0 else ""
    pairs = min(dice, int(assault(g, s)))
    nothing = sum((leaf.probability for leaf in leaves if leaf.position.state.defenders == s.defenders), Fraction(0))
    rolled = f"{sentence(counted(dice, 'die', 'dice'))}{met}"
    average = f"you lose {float(fallen):.2f} armies on average and the attacker {float(lost):.2f}"
    return (
        f"{rolled}: {average}. You can lose {counted(pairs, 'army', 'armies')} at most, and lose none {often(nothing)}."
    )


def _attack(case: Case, g: Params, s: State) -> str:
    dice = counted(int(assault(g, s)), "die", "dice")
    if g.rule == CLASSIC and case.leaves is not None:
        lost, fallen = _losses(s, case.leaves)
        return f"With {dice} you lose {float(lost):.2f} armies on average, and the defender {float(fallen):.2f}."
    seen = "sees your dice before choosing" if g.rule == DUTCH else "chooses without seeing your dice"
    return f"You attack with {dice}; the defender {seen} how many to roll."


def _stop(s: State) -> str:
    kept = counted(s.attackers, "army", "armies")
    return f"It ends the battle: you keep {kept}, and the defender holds with {s.defenders}."

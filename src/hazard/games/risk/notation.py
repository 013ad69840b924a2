"""Risk in words: its parameters, and positions as text.

`a10 d8`: ten armies attack eight, and the attacker is to decide. `a10 d8 roll 5-4`: the attacker's dice lie on the
table (the highest that are compared), and the defender answers. `a10 d8 blind`: the defender answers
without seeing them. With `rolling` dice are in the air, after `dice 2` the defender's too; `stopped` ends the battle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hazard.declaration import Parameter
from hazard.dice import top_rolls
from hazard.errors import BadInput
from hazard.games.risk.rules import (
    ANSWER,
    ANSWERED,
    ATTACK,
    ATTACKER,
    BLIND,
    CLASSIC,
    DEFENDER,
    DUTCH,
    LOSSES,
    READY,
    STOP,
    STOPPED,
    THROWN,
    Params,
    State,
    assault,
    most_guards,
    over,
)
from hazard.notation import read, whole

RULES = ("dutch", "classic", "blind")
OBJECTIVES = ("hold", "difference", "losses")
PARAMETERS = (
    Parameter("mode", "battle", "the whole battle, or Koole's problem of a stake", choices=("battle", "stake")),
    Parameter("attackers", 10, "armies on the attacking territory, the one that stays included", 2, 1000),
    Parameter("defenders", 10, "armies on the defending territory", 1, 1000),
    Parameter("stake", 10, "with mode=stake: the armies that may be lost on both sides", 1, 1000),
    Parameter(
        "rule",
        "dutch",
        "the defender sees the attacker's roll; both roll all; the defender chooses blind",
        choices=RULES,
    ),
    Parameter(
        "objective", "hold", "what is fought for: the territory, armies left, the attacker's armies", choices=OBJECTIVES
    ),
    Parameter("stop", "never", "whether the attacker may stop", choices=("never", "optional")),
    Parameter("attack_dice", 3, "the attacker's most dice", 1, 6),
    Parameter("defend_dice", 2, "the defender's most dice", 1, 6),
    Parameter("sides", 6, "sides of a die", 2, 20),
)
EXAMPLE = "a10 d8 roll 5-4"
_PARTS = (
    r"a(?P<a>-?\d{1,5})",
    r" d(?P<d>-?\d{1,5})",
    r"(?P<blind> blind)?",
    r"( roll (?P<roll>\d{1,2}(-\d{1,2})*))?",
    r"( dice (?P<guard>\d))?",
    r"(?P<rolling> rolling)?",
    r"(?P<stopped> stopped)?",
)


def make(parameters: Mapping[str, Any]) -> Params:
    """The parameters as numbers, with every way the dice can fall; a stake is fought with armies to spare."""
    staked = parameters["mode"] == "stake"
    stake = parameters["stake"] if staked else 0
    attack, defend, sides = parameters["attack_dice"], parameters["defend_dice"], parameters["sides"]
    if sides ** max(attack, defend) > 10**6:
        raise BadInput(
            f"sides={sides} with {max(attack, defend)} dice: more than a million rolls; take fewer sides or dice"
        )
    counts, weights, faces = _tables(attack, defend, sides)
    return Params(
        attackers=stake + attack if staked else parameters["attackers"],
        defenders=stake + defend - 1 if staked else parameters["defenders"],
        stake=stake,
        rule=DUTCH if staked else RULES.index(parameters["rule"]),
        objective=LOSSES if staked else OBJECTIVES.index(parameters["objective"]),
        stop=0 if staked else int(parameters["stop"] == "optional"),
        attack_dice=attack,
        defend_dice=defend,
        players=2,
        counts=counts,
        weights=weights,
        faces=faces,
    )


def _tables(attack: int, defend: int, sides: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ways = [
        [top_rolls(k, defend, sides) for k in range(attack + 1)],
        [top_rolls(k, attack, sides) for k in range(defend + 1)],
    ]
    dice, most = max(attack, defend) + 1, max(len(w) for side in ways for w in side)
    counts = np.zeros((2, dice), np.int64)
    weights = np.zeros((2, dice, most), np.int64)
    faces = np.zeros((2, dice, most, dice), np.int8)
    for side in (ATTACKER, DEFENDER):
        for k, rolls in enumerate(ways[side]):
            counts[side, k] = len(rolls)
            for i, (shown, weight) in enumerate(rolls):
                weights[side, k, i] = weight
                faces[side, k, i, : len(shown)] = shown
    return counts, weights, faces


def fit(parameters: dict[str, Any], text: str) -> dict[str, Any]:
    """Parameters with room for the armies of a position, where the user has not set them."""
    parts = read(text, _PARTS, EXAMPLE)
    room = {"attackers": max(whole(parts, "a"), 2), "defenders": max(whole(parts, "d"), 1)}
    return room | parameters


def _faces(g: Params, side: int, k: int, i: int) -> str:
    return "-".join(str(n) for n in g.faces[side, k, i] if n)


def faces_of(g: Params, s: State) -> str:
    """The attacker's dice on the table, highest first."""
    return _faces(g, ATTACKER, assault(g, s), s.roll)


def faces(g: Params, s: State, i: int) -> list[int | str]:
    """The dice of the side that rolls; nothing where both roll at once."""
    if s.guard and s.roll < 0:
        return []
    side, dice = (DEFENDER, s.guard) if s.guard else (ATTACKER, assault(g, s))
    return [int(n) for n in g.faces[side, dice, i] if n]


def text(g: Params, s: State) -> str:
    words = [f"a{s.attackers} d{s.defenders}"]
    if s.phase == ANSWER and s.roll < 0:
        words.append("blind")
    if s.roll >= 0:
        words.append(f"roll {faces_of(g, s)}")
    if s.phase == ANSWERED:
        words.append(f"dice {s.guard}")
    if s.phase in (THROWN, ANSWERED):
        words.append("rolling")
    if s.phase == STOPPED:
        words.append("stopped")
    return " ".join(words)


def parse(g: Params, text: str) -> State:
    parts = read(text, _PARTS, EXAMPLE)
    a, d, guard = (whole(parts, name) for name in ("a", "d", "guard"))
    if not 1 <= a <= g.attackers or not 0 <= d <= g.defenders:
        most = f"attackers={g.attackers} and defenders={g.defenders}"
        raise BadInput(f"{text!r}: armies must be from 1 and 0 up to {most}; set those for more")
    ready = State(a, d, READY, -1, 0, ATTACKER)
    s = _phase(g, text, parts, ready, guard)
    if s.phase != READY and over(g, ready):
        raise BadInput(f"{text!r}: the battle is over, so nothing is rolled")
    return s


def _phase(g: Params, text: str, parts: dict[str, str | None], s: State, guard: int) -> State:
    a, d = s.attackers, s.defenders
    if parts["stopped"]:
        if not g.stop:
            raise BadInput(f"{text!r}: the attacker may not stop here; see stop=optional")
        return State(a, d, STOPPED, -1, 0, ATTACKER)
    if guard > most_guards(g, s):
        raise BadInput(f"{text!r}: the defender may roll at most {most_guards(g, s)} dice")
    roll = -1
    if parts["roll"]:
        shown = [_faces(g, ATTACKER, assault(g, s), i) for i in range(g.counts[ATTACKER, assault(g, s)])]
        if g.rule != DUTCH or parts["roll"] not in shown:
            right = f"such as {shown[0]!r}, highest first" if g.rule == DUTCH and a > 1 else "not part of this position"
            raise BadInput(f"{text!r}: the attacker's roll {parts['roll']!r} must be {right}")
        roll = shown.index(parts["roll"])
    if guard:
        return State(a, d, ANSWERED, roll, guard, DEFENDER)
    if parts["rolling"]:
        return State(a, d, THROWN, -1, most_guards(g, s) if g.rule == CLASSIC else 0, ATTACKER)
    if roll >= 0 or (g.rule == BLIND and parts["blind"]):
        return State(a, d, ANSWER, roll, 0, DEFENDER)
    return s


def move_text(g: Params, s: State, m: int) -> str:
    if s.phase == ANSWER:
        return f"{m} {'die' if m == 1 else 'dice'}"
    return {ATTACK: "attack", STOP: "stop"}[m]


def outcome_text(g: Params, s: State, i: int) -> str:
    if s.guard == 0:
        return _faces(g, ATTACKER, assault(g, s), i)
    ways = g.counts[DEFENDER, s.guard]
    answer = _faces(g, DEFENDER, s.guard, i % ways)
    return answer if s.roll >= 0 else f"{_faces(g, ATTACKER, assault(g, s), i // ways)} against {answer}"

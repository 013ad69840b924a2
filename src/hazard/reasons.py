"""Why a move is worth what it is worth, in one or two sentences made from numbers.

A game may declare its own sentences (`why` of its `Declaration`); the others get those that the rules alone allow: how
often the turn ends, how often the game does, and what the next player can do. Every number in a sentence is computed
from the rules, or from a judgement of positions that is given: a solution, or a network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from hazard.errors import BadInput
from hazard.rulebook import Game, Position

Chances = Callable[[Position], tuple[float, ...]]
MOST_LEAVES = 2_000  # positions that are looked at for one move
MOST_REPLIES = 40  # answers of the next player that are compared
RARE = 0.0005  # what is said as "almost never"
SIMPLE = 20  # the largest denominator of a chance that is said as "1 time in 6"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Leaf(NamedTuple):
    """Where a move can lead: to the next decision, or to the end."""

    probability: Fraction
    position: Position


@dataclass(frozen=True)
class Case:
    """A move that is to be explained."""

    position: Position
    move: str
    chances: Chances | None = None  # what positions are worth to the seats, if that is known at once
    exact: bool = False  # whether that is proven
    error: float = 0.0  # of it

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def mover(self) -> int:
        return self.position.mover

    @property
    def number(self) -> int:
        """The move as rules know it."""
        return self.position.legal()[self.position.moves.index(self.move)]

    @cached_property
    def after(self) -> Position:
        return self.position.move(self.move)

    @cached_property
    def leaves(self) -> list[Leaf] | None:
        """All that can follow, until somebody has to decide again; None if that is too much to look at."""
        return leaves_of(self.after)

    def worth(self, leaves: Sequence[Leaf]) -> float | None:
        """What the mover can expect, on average over some of the ways it can go."""
        if self.chances is None or not leaves:
            return None
        whole = sum((leaf.probability for leaf in leaves), Fraction(0))
        told = sum(float(leaf.probability / whole) * self.chances(leaf.position)[self.mover] for leaf in leaves)
        return float(told)

    def amount(self, value: float) -> str:
        """A value as it is said: a chance, or an amount of what the game is played for."""
        if self.game.is_chance:
            return percent(value)
        return f"{value:.2f}"


def leaves_of(position: Position, most: int = MOST_LEAVES) -> list[Leaf] | None:
    """All ways that dice can land from a position on, equal ends put together; None if there are more than `most`."""
    found: dict[Position, Fraction] = {}
    open_, looked = [(Fraction(1), position)], 0
    while open_:
        probability, now = open_.pop()
        if not now.rolling:
            found[now] = found.get(now, Fraction(0)) + probability
            continue
        ways = int(now.game.ask("chance", now.state))
        looked += ways
        if looked > most:
            return None
        open_ += [(probability * way.probability, way.position) for way in now.outcomes()]
    return [Leaf(probability, end) for end, probability in found.items()]


# --- words -----------------------------------------------------------------------------------------------------------
def percent(value: float) -> str:
    """A chance, with a decimal only where it says something."""
    points = 100 * value
    return f"{points:.1f} %" if 0 < points < 10 or 90 < points < 100 else f"{points:.0f} %"


def often(chance: Fraction | float) -> str:
    """How often something happens: "1 time in 6", or a percentage."""
    if isinstance(chance, Fraction) and chance.numerator == 1 and 1 < chance.denominator <= SIMPLE:
        return f"1 time in {chance.denominator}"
    if 0 < chance < RARE:
        return "almost never"
    return "nearly always" if 1 - RARE < chance < 1 else f"{percent(float(chance))} of the time"


def counted(number: int, one: str, more: str = "") -> str:
    """ "one die", "two dice", "12 dice"."""
    said = WORDS[number] if 0 <= number < len(WORDS) else str(number)
    return f"{said} {one if number == 1 else more or one + 's'}"


def sentence(*parts: str) -> str:
    """Parts that say something, with a capital at the start."""
    said = " ".join(part for part in parts if part)
    return said[:1].upper() + said[1:]


def joined(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def attack(dice: int, against: int, won: Fraction, ahead: int, behind: int) -> str:
    """A battle of dice against dice, and what the enemies beside the field taken, and the field left, then have.

    `ahead` and `behind` are the most dice of an enemy there, 0 if there is none.
    """
    stay, first = dice - 1, f"{sentence(counted(dice, 'die', 'dice'))} against {against}"
    if won == 0:
        return f"{first}: this battle cannot be won."
    said = f"{first}: you win the battle {'for sure' if won == 1 else often(won)}."
    if ahead >= stay:
        said += f" If you win it, your {counted(stay, 'die', 'dice')} there will face an enemy with {ahead}."
    elif ahead:
        said += f" If you win it, no enemy beside your {counted(stay, 'die', 'dice')} there has more than {ahead}."
    else:
        said += " If you win it, no enemy can strike back there."
    if behind > 1:
        said += f" One die stays behind, beside an enemy with {behind}."
    return said


# --- what the rules alone say ----------------------------------------------------------------------------------------
def why(case: Case) -> str:
    """The game's own sentences about a move, or those that any game has; empty if there is nothing to say."""
    own = case.game.declaration.why
    try:
        return (own(case) if own else "") or generic(case)
    except BadInput:  # what judges positions does not know one that follows
        return ""


def generic(case: Case) -> str:
    """How often the game or the turn ends, what that is worth, and the next player's best answer."""
    leaves = case.leaves
    if leaves is None:
        return ""
    if len(leaves) == 1:
        return _sure(case, leaves[0].position)
    over = [leaf for leaf in leaves if leaf.position.over]
    passed = [leaf for leaf in leaves if not leaf.position.over and leaf.position.mover != case.mover]
    goes_on = [leaf for leaf in leaves if not leaf.position.over and leaf.position.mover == case.mover]
    return sentence(_ends(case, over), _turn(case, passed, goes_on), _range(case, leaves))


def _sure(case: Case, after: Position) -> str:
    if after.over:
        return "It ends the game: " + _result(case, after) + "."
    if after.mover == case.mover:
        return "" if case.game.seats == 1 else "Your turn goes on."
    reply = best_reply(case, after)
    who = case.game.seat_name(after.mover)
    return f"It ends your turn. {sentence(who)} is to move" + (f"; the best answer is `{reply}`." if reply else ".")


def _result(case: Case, end: Position) -> str:
    paid = end.payoffs
    if not case.game.is_chance:
        return f"you get {paid[case.mover]:g}"
    if paid[case.mover] == max(paid):
        return "you win" if paid.count(max(paid)) == 1 else "a tie"
    return "you lose"


def _ends(case: Case, over: Sequence[Leaf]) -> str:
    if not over:
        return ""
    told: dict[str, Fraction] = {}
    for leaf in over:
        said = _result(case, leaf.position)
        told[said] = told.get(said, Fraction(0)) + leaf.probability
    if len(told) > 3:
        whole = sum(told.values(), Fraction(0))
        return f"the game ends {often(whole)}." if whole < 1 else ""
    parts = [f"{said} at once {often(chance)}" for said, chance in told.items()]
    return sentence(joined(parts)) + "."


def _turn(case: Case, passed: Sequence[Leaf], goes_on: Sequence[Leaf]) -> str:
    if not passed:
        return ""
    chance = sum((leaf.probability for leaf in passed), Fraction(0))
    if not goes_on:
        return "It ends your turn." if chance == 1 else sentence(f"your turn ends {often(chance)}.")
    lost, kept = case.worth(passed), case.worth(goes_on)
    if lost is None or kept is None:
        return sentence(f"your turn ends {often(chance)}.")
    noun = "your chance to win is" if case.game.is_chance else "you can then expect"
    return sentence(f"your turn ends {often(chance)}: {noun} {case.amount(lost)} then, and {case.amount(kept)} if not.")


def _range(case: Case, leaves: Sequence[Leaf]) -> str:
    """How much hangs on the dice where they do not decide whose turn it is."""
    if case.chances is None or len({(leaf.position.over, leaf.position.mover) for leaf in leaves}) > 1:
        return ""
    values = sorted((case.chances(leaf.position)[case.mover], leaf.probability) for leaf in leaves)
    (low, _), (high, _) = values[0], values[-1]
    if high - low <= max(2 * case.error, 0.005 * (abs(high) + abs(low))):
        return ""
    noun = "your chance to win" if case.game.is_chance else "what you can expect"
    return sentence(f"{noun} is {case.amount(low)} after the worst roll and {case.amount(high)} after the best.")


def best_reply(case: Case, after: Position) -> str:
    """The next player's best move, where it is known and one move is clearly the best."""
    if case.chances is None or after.over or after.rolling:
        return ""
    moves = after.moves
    if not 1 < len(moves) <= MOST_REPLIES:
        return ""
    rows = sorted(((case.chances(after.move(name))[after.mover], name) for name in moves), reverse=True)
    return rows[0][1] if rows[0][0] - rows[1][0] > 2 * case.error + 1e-9 else ""


def threshold(case: Case, stop: str, at: Callable[[int], Position], here: int, most: int) -> int | None:
    """The least amount at risk from which on `stop` is best, seen from the amount at hand; None if it is not proven.

    Looking upward from an amount at which going on is best, the first at which stopping is. Looking downward from one
    at which stopping is best, the last for which that holds without a break.
    """
    if not case.exact or case.chances is None:
        return None
    now = _stops(case, stop, at(here))
    if now is None:
        return None
    if now:
        while here > 1 and _stops(case, stop, at(here - 1)):
            here -= 1
        return here
    return next((amount for amount in range(here + 1, most + 1) if _stops(case, stop, at(amount))), None)


def _stops(case: Case, stop: str, position: Position) -> bool | None:
    """Whether stopping is best; None where that is not beyond the error."""
    assert case.chances is not None
    values = {name: case.chances(position.move(name))[case.mover] for name in position.moves}
    if stop not in values:
        return False
    others = [value for name, value in values.items() if name != stop]
    if not others:
        return True
    ahead = values[stop] - max(others)
    return None if abs(ahead) <= 2 * case.error else ahead > 0

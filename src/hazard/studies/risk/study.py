"""Koole's article on Risk: his figures in exact fractions, and the whole battle that he leaves aside.

Everything shown here is computed when the study runs; only the published figures are read from a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import ClassVar

import numpy as np

import hazard
from hazard.games.risk.exact import Battles, battles
from hazard.games.risk.koole import Problem, Settled, Stakes
from hazard.studies.parts import Parts
from hazard.studies.report import (
    NOT_REPRODUCED,
    REPRODUCED,
    Figure,
    Finding,
    Study,
    Table,
    judge,
    published,
)
from hazard.studies.risk.figures import answers_text, draw_conquer, draw_departures, draw_gap, draw_limit, shown

NAME = "risk"
SOURCE = "G. Koole, An Optimal Dice Rolling Policy for Risk, Nieuw Archief voor Wiskunde 12, 1994, 49-52"
STAKE = 1000  # the largest stake whose best answers are compared with those of the limit
SHOWN = 20  # the largest stake in the table and the figure
SIZES = (2, 3, 5, 10, 20, 50, 100)  # armies in the tables of battles
RULES = ("dutch", "classic", "blind")
DEFENDERS = ("koole", "most-dice", "one-die")
PICTURES = 4


def study(full: bool = False, progress: Parts | None = None) -> Study:
    """All findings; `full` widens the exact map of the battle."""
    progress = progress or Parts()
    progress.plan(2 + War.games_solved + PICTURES)
    progress("Koole's problem in exact fractions")
    koole = Koole(Problem())
    paper = Study(NAME, "Risk: how many dice should the defender roll?", SOURCE)
    paper.findings += [_finding(koole, row) for row in published("risk.csv")]
    paper.tables += [_stakes_table(koole), _limit_table(koole.problem)]
    progress.finish()
    progress("battles by three rules")
    war = War(max(SIZES), progress)
    paper.tables += [_conquer_table(war), _defence_table(war), _stop_table(war)]
    most = 200 if full else 100
    progress(f"battles of up to {most} against {most} armies in exact numbers")
    exact = battles(most, most)
    progress.finish()
    paper.tables.append(_departure_table(war, exact))
    paper.figures += _figures(koole, war, exact)
    return paper


# --- Koole's problem -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Koole:
    """His problem, solved."""

    problem: Problem

    @cached_property
    def stakes(self) -> Stakes:
        return self.problem.stakes(STAKE)

    @cached_property
    def settled(self) -> Settled:
        return self.problem.settled(STAKE)

    @cached_property
    def narrowest(self) -> tuple[Fraction, str]:
        """The least margin in the limit, and the roll it belongs to."""
        margins = zip(self.problem.limit.margins, self.problem.rolls, strict=True)
        return min((margin, roll.text) for margin, roll in margins if margin is not None)

    def loss(self, roll: str, dice: int) -> Fraction:
        return next(r for r in self.problem.rolls if r.text == roll).losses[dice - 1]

    @cached_property
    def highest_second(self) -> int | None:
        """The highest second die answered with two dice; None unless these are exactly the rolls answered so."""
        answers = list(zip(self.problem.rolls, self.problem.limit_best, strict=True))
        most = max(roll.faces[1] for roll, best in answers if best == (2,))
        return most if all((best == (2,)) == (roll.faces[1] <= most) for roll, best in answers) else None


OURS: dict[str, Callable[[Koole], Fraction | int | None]] = {
    "attacker's expected loss against roll 5-3 defending with one die": lambda k: k.loss("5-3", 1),
    "attacker's expected loss against roll 5-3 defending with two dice": lambda k: k.loss("5-3", 2),
    "attacker's expected loss against roll 6-5 defending with one die": lambda k: k.loss("6-5", 1),
    "attacker's expected loss against roll 6-5 defending with two dice": lambda k: k.loss("6-5", 2),
    "stake n from which the optimal actions no longer change": lambda k: k.settled.since,
    "highest second die of the attacker against which two dice are optimal": lambda k: k.highest_second,
    "limit of V_n - V_(n-1)": lambda k: k.problem.limit.gain,
    "attacker's loss per army when the defender always rolls two dice": lambda k: k.problem.always(2),
    "attacker's loss per army when the defender always rolls one die": lambda k: k.problem.always(1),
}


def _finding(koole: Koole, row: dict[str, str]) -> Finding:
    """A published figure beside ours; fractions and whole numbers must be equal, decimals equal when rounded."""
    where, quantity, value = row["where"], row["quantity"], row["value"]
    ours = OURS[quantity](koole)
    if "." in value:
        assert ours is not None
        return replace(judge(where, quantity, value, float(ours)), ours=f"{ours} = {float(ours):.10f}")
    verdict = REPRODUCED if ours is not None and Fraction(value) == ours else NOT_REPRODUCED
    note = _settled_note(koole, int(value)) if quantity.startswith("stake n") else ""
    return Finding(where, quantity, value, str(ours), verdict, note)


def _settled_note(koole: Koole, claimed: int) -> str:
    """What still changes after the stake that the article gives."""
    later: dict[str, list[int]] = {}
    for n in range(claimed, koole.settled.last + 1):
        for roll, best in koole.stakes.departures(n).items():
            later.setdefault(f"{_dice(best)} best against {roll}", []).append(n)
    changes = "; ".join(f"{what} for n = {', '.join(map(str, ns))}" for what, ns in later.items())
    margin, roll = koole.narrowest
    return (
        f"After n = {claimed}, {changes}. From n = {koole.settled.since} on nothing changes: V_n - V_(n-1) never gets "
        f"further from its limit, and before n = {koole.settled.proven} it has come nearer than the least margin, "
        f"{margin} at {roll}. Checked up to n = {koole.settled.checked}."
    )


def _dice(best: Sequence[int]) -> str:
    words = {1: "one die is", 2: "two dice are"}
    return words[best[0]] if len(best) == 1 else "one die and two dice are both"


def _stakes_table(koole: Koole) -> Table:
    stakes, rows = koole.stakes, []
    for n in range(1, SHOWN + 1):
        value, gain = stakes.value(n), stakes.value(n) - stakes.value(n - 1)
        rows.append((n, value, f"{float(value):.10f}", f"{float(gain):.10f}", _answers(stakes, n)))
    note = f"In the limit V_n - V_(n-1) is {koole.problem.limit.gain} = {float(koole.problem.limit.gain):.10f}."
    columns = ("n", "V_n", "decimal", "V_n - V_(n-1)", "best answers")
    return Table(f"The attacker's loss with n armies at stake, n up to {SHOWN}", columns, rows, note)


def _answers(stakes: Stakes, n: int) -> str:
    if n < 2:
        return "one die: no more than one army can fall"
    changes: dict[tuple[int, ...], list[str]] = {}
    for roll, best in stakes.departures(n).items():
        changes.setdefault(best, []).append(roll)
    texts = [f"{_dice(best)} best against {', '.join(rolls)}" for best, rolls in changes.items()]
    return "as in the limit" + "".join(f", but {text}" for text in texts)


def _limit_table(problem: Problem) -> Table:
    rows = []
    for roll, best, margin in zip(problem.rolls, problem.limit_best, problem.limit.margins, strict=True):
        one, two = roll.losses
        rows.append((roll.text, roll.probability, one, two, two - one, " or ".join(map(str, best)), margin))
    note = (
        "R1 and R2 are the attacker's expected losses against one die and two. The second die is worth its army if "
        f"R2 - R1 is more than the loss per army in the long run, {problem.limit.gain}; the margin is the distance."
    )
    columns = ("attacker's roll", "probability", "R1", "R2", "R2 - R1", "best number of dice", "margin")
    return Table("One die or two, with any number of armies at stake", columns, rows, note)


# --- the whole battle ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class War:
    """Battles of up to `most` armies on both sides; tables are indexed [a - 2, d - 1]."""

    most: int
    progress: Parts = field(default_factory=Parts)
    games_solved: ClassVar[int] = len(RULES) + 2 * len(DEFENDERS) + 1

    def game(self, **parameters: str) -> hazard.Game:
        return hazard.game(NAME, attackers=self.most, defenders=self.most, **parameters)

    def counted(self, solution: hazard.Solution) -> hazard.Solution:
        """The solution, which is one more part of the study."""
        self.progress.finish()
        return solution

    def table(self, solution: hazard.Solution) -> np.ndarray:
        """What the attacker can expect: the middle of the certified bounds."""
        total = 0.0 if solution.game.parameters["objective"] != "hold" else 1.0
        low = solution.tables()["low"]
        middle = (low[:, 0] + total - low[:, 1]) / 2
        return middle.reshape(self.most - 1, self.most)

    @cached_property
    def solved(self) -> dict[str, hazard.Solution]:
        return {rule: self.counted(hazard.solve(self.game(rule=rule))) for rule in RULES}

    @cached_property
    def conquer(self) -> dict[str, np.ndarray]:
        return {rule: self.table(solution) for rule, solution in self.solved.items()}

    @cached_property
    def against(self) -> dict[str, np.ndarray]:
        """The probability to conquer from agents that do not do their best; all attackers here only attack."""
        return {name: self.table(self._against(name)) for name in DEFENDERS}

    def _against(self, name: str) -> hazard.Solution:
        return self.counted(hazard.evaluate(self.game(), ["most-dice", name]))


def _battles_shown(most: int) -> list[tuple[int, int]]:
    """Pairs of sizes in which neither side is far superior."""
    return [(a, d) for a in SIZES for d in SIZES if max(a, d) <= min(most, 2.5 * min(a, d))]


def _conquer_table(war: War) -> Table:
    rows = []
    for a, d in _battles_shown(war.most):
        dutch, classic, blind = (float(war.conquer[rule][a - 2, d - 1]) for rule in RULES)
        rows.append((a, d, f"{dutch:.6f}", f"{classic:.6f}", f"{blind:.6f}", f"{round(dutch - classic, 6) + 0.0:.6f}"))
    error = max(solution.error for solution in war.solved.values())
    blind_gain = np.abs(war.conquer["classic"] - war.conquer["blind"]).max()
    note = (
        "a counts the army that stays behind. Dutch: the defender sees the attacker's dice; classic: both roll all "
        f"they may; blind: the defender chooses without seeing. No value is more than {error:.1e} from the truth. "
        f"Up to {war.most} armies a blind choice changes no value by more than {blind_gain:.1e}."
    )
    columns = ("a", "d", *RULES, "Dutch - classic")
    return Table("The probability that a armies conquer the territory of d", columns, rows, note)


def _defence_table(war: War) -> Table:
    best, rows = war.conquer["dutch"], []
    for a, d in _battles_shown(war.most):
        costs = [float(war.against[name][a - 2, d - 1] - best[a - 2, d - 1]) for name in DEFENDERS]
        rows.append((a, d, f"{1 - float(best[a - 2, d - 1]):.6f}", *(f"{cost:.6f}" for cost in costs)))
    columns = ("a", "d", "optimal defence holds", *(f"less with {name}" for name in DEFENDERS))
    note = "Dutch rule. The last columns say by how much the probability to hold falls with each simpler way to defend."
    return Table("What optimal defence is worth", columns, rows, note)


def _stop_table(war: War) -> Table:
    game = war.game(objective="difference", stop="optional")
    tables = [war.table(war.counted(hazard.solve(game)))]
    tables += [war.table(war.counted(hazard.best_response(game, [None, name]))) for name in DEFENDERS]
    rows = [
        (a, d, *(f"{float(table[a - 2, d - 1]) - (a - d):.6f}" for table in tables))
        for a, d in _battles_shown(war.most)
    ]
    columns = ("a", "d", "against optimal defence", *(f"against {name}" for name in DEFENDERS))
    note = (
        "Dutch rule; what counts is how many armies more the attacker has at the end, and he may stop at any time. "
        "Shown is what attacking gains over not attacking at all when he plays his best against each defender."
    )
    return Table("What a free attacker gains in armies", columns, rows, note)


# --- where the optimal defender departs from Koole's rule ------------------------------------------------------------
def _departure_table(war: War, exact: Battles) -> Table:
    cells = [(a, d) for a in range(2, exact.attackers + 1) for d in range(2, exact.defenders + 1)]
    every = [exact.departures(a, d) for a, d in cells]
    departing = sum(map(bool, every))
    answers = Counter(answer for departures in every for answer in departures.items())
    ties = Counter((a, faces) for a, d in cells for faces in exact.ties(a, d))
    rows: list[tuple[object, ...]] = [
        (f"battles of 2 to {exact.attackers} armies on either side", len(cells)),
        ("in which some answer departs from Koole's rule", f"{departing} ({departing / len(cells):.1%})"),
    ]
    rows += [(f"in which it is {answers_text(dict([answer]))}", count) for answer, count in answers.most_common()]
    rows += [(f"in which answers to a roll of {shown(faces)} tie, at a = {a}", n) for (a, faces), n in ties.items()]
    rows += [_worst(war), *_misjudged(war, exact)]
    note = "Dutch rule, an attacker who never stops, a defender who wants to hold; compared in whole numbers."
    return Table("How often optimal defence departs from Koole's rule", ("what", "value"), rows, note)


def _worst(war: War) -> tuple[str, object]:
    cost = war.against["koole"] - war.conquer["dutch"]
    a, d = np.unravel_index(int(cost.argmax()), cost.shape)
    what = f"most that Koole's rule costs, in probability to hold, up to {war.most} armies"
    return what, f"{cost.max():.6f} (a = {a + 2}, d = {d + 1})"


def _misjudged(war: War, exact: Battles) -> list[tuple[str, object]]:
    """How many answers read off floating-point values are not among the exactly best, and what they cost at most."""
    policy = war.solved["dutch"].policy.reshape(war.most - 1, war.most, -1)[..., 1:].astype(np.int64)
    best = exact.best[2 : war.most + 1, 1 : war.most + 1]
    wrong = np.argwhere((best > 0) & (best & np.left_shift(1, np.maximum(policy - 1, 0)) == 0)).tolist()
    costs = [exact.costs(a + 2, d + 1, exact.attacks(a + 2)[i][0])[policy[a, d, i] - 1] for a, d, i in wrong]
    return [
        (f"answers by floating-point values, up to {war.most} armies, that are not exactly best", len(wrong)),
        ("most that one of these costs, in probability to hold", f"{float(max(costs, default=0)):.1e}"),
    ]


# --- figures ---------------------------------------------------------------------------------------------------------
def _figures(koole: Koole, war: War, exact: Battles) -> list[Figure]:
    conquer, gap = war.conquer["dutch"], war.conquer["dutch"] - war.conquer["classic"]
    differences = [koole.stakes.value(n) - koole.stakes.value(n - 1) for n in range(1, SHOWN + 1)]
    margin, roll = koole.narrowest
    return [
        Figure(
            "risk-limit.svg",
            "The loss per army settles",
            "Left: what the n-th army at stake adds to the attacker's loss. Right: how far that is from the limit. A "
            f"point above the line, if n is odd, makes another answer to {roll} best with n + 1 armies at stake.",
            partial(draw_limit, differences, koole.problem.limit.gain, margin, roll),
        ),
        Figure(
            "risk-conquer.svg",
            "Who wins the battle",
            "The probability that the attacker conquers the territory by the Dutch rule, against the best defence.",
            partial(draw_conquer, conquer),
        ),
        Figure(
            "risk-dutch-classic.svg",
            "What seeing the attacker's dice is worth",
            "The probability to conquer by the Dutch rule minus that by the classic rule.",
            partial(draw_gap, gap),
        ),
        Figure(
            "risk-departures.svg",
            "Where the best defence is not Koole's rule",
            "Dutch rule, attacker never stops. Colours name the best answers that are not those of Koole's rule: two "
            "dice if the second die is at most 3, else one.",
            partial(draw_departures, exact),
        ),
    ]

"""A grade as tables for the terminal: each has a title, columns, and rows of text."""

from __future__ import annotations

from hazard.arena.grading.figures import Band, Estimate, Grade, SeatGrade, Slip
from hazard.declaration import declared

Table = tuple[str, list[str], list[list[str]]]


def rows(grade: Grade) -> list[Table]:
    """First what it loses by seat, then its decisions, then the positions that cost most."""
    exact = grade.loss_per_game is not None
    found = [_seats(grade) if exact else _seats_sampled(grade), _decisions(grade), _bands(grade)]
    found += [_kinds(grade)] if grade.kinds else []
    slips = [("costliest positions in the long run", grade.costliest), ("largest single losses", grade.worst)]
    return found + [_slips(title, listed) for title, listed in slips if listed]


def _game(grade: Grade) -> str:
    """The game with the parameters that are not the usual ones."""
    usual = {p.name: p.default for p in declared(grade.game).parameters}
    return " ".join([grade.game, *(f"-p {k}={v}" for k, v in grade.parameters.items() if v != usual[k])])


def _figure(x: float | None) -> str:
    return "unknown" if x is None else f"{x:.6f}"


def _estimate(e: Estimate) -> str:
    if e.low is None or e.high is None:
        return f"{e.mean:.6f}"
    return f"{e.mean:.6f} ({e.low:.6f} to {e.high:.6f})"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _seats(grade: Grade) -> Table:
    """With means over the seats, which are what an agent that takes turns in them has per game."""
    title = f"{grade.agent} in {_game(grade)}: exact values"
    columns = ["seat", "optimal play", "the agent", "it loses", "a best response", "which gains"]
    listed = [[s.seat, *(_figure(x) for x in _exact(s))] for s in grade.seats]
    means = ["mean", "", "", _figure(grade.loss_per_game), "", _figure(grade.gain_of_best_response)]
    return title, columns, [*listed, means]


def _exact(s: SeatGrade) -> tuple[float | None, ...]:
    return s.value, s.expects, s.loss, s.response, s.gain


def _seats_sampled(grade: Grade) -> Table:
    listed = [[s.seat, str(s.games), _figure(s.value), _estimate(s.sampled_loss)] for s in grade.seats]
    return f"{grade.agent} in {_game(grade)}", ["seat", "games", "optimal play", "it loses per game"], listed


def _decisions(grade: Grade) -> Table:
    rate = grade.error_rate
    between = (
        f" ({_percent(rate.low)} to {_percent(rate.high)})" if rate.low is not None and rate.high is not None else ""
    )
    return (
        f"its decisions in {grade.games} games, with 95 % intervals",
        ["", ""],
        [
            ["decisions per game", f"{grade.decisions_per_game:.2f}"],
            ["of which with a choice", f"{grade.choices_per_game:.2f}"],
            ["choices that give something away", _percent(rate.mean) + between],
            ["loss per game", _estimate(grade.sampled_loss_per_game)],
            ["loss per decision", _estimate(grade.loss_per_decision)],
            ["loss per choice", _estimate(grade.loss_per_choice)],
            *([f"left out: {reason}", f"{times} games"] for reason, times in grade.faults.items()),
            *([what, said] for what, said in grade.remarks.items()),
        ],
    )


def _bands(grade: Grade) -> Table:
    listed = [[_band(b), _percent(b.share), _percent(b.share_of_loss)] for b in grade.bands]
    return "its choices by what they give away", ["loss", "of choices", "of the loss"], listed


def _band(b: Band) -> str:
    if b.up_to is None:
        return f"above {b.above:g}"
    return f"up to {b.up_to:g}" if b.up_to > 0 else "none"


def _kinds(grade: Grade) -> Table:
    listed = [[k.seat, k.move, k.best, _percent(k.share), _percent(k.share_of_loss)] for k in grade.kinds]
    return "its errors by kind", ["seat", "it plays", "best", "of choices", "of the loss"], listed


def _slips(title: str, slips: list[Slip]) -> Table:
    columns = ["position", "it plays", "best", "loss", "per 1000 games", "loss in 1000 games"]
    listed = [[s.position, s.move, s.best, f"{s.loss:.6f}", *_often(s)] for s in slips]
    return title, columns, listed


def _often(s: Slip) -> list[str]:
    return [f"{1000 * s.per_game:.3g}", f"{1000 * s.per_game * s.loss:.4f}"]

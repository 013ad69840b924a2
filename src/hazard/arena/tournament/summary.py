"""A tournament in one plain dictionary, as `--json` prints it and the page shows it, and as tables for the terminal.

Figures that are not known, such as the error of a single deal or a ratio without bound, are None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite, sqrt

from hazard.arena.statistics.counting import COUNT, TIES, WINS
from hazard.arena.statistics.intervals import NOTHING, Z95, Ratio, Tally, gain
from hazard.arena.statistics.ratings import Ratings, rate

Rows = list[list[str]]
BARS = 40  # at most, in the histogram of lengths


def summarise(
    setting: dict, agents: Sequence[str], line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]
) -> dict:
    """All that a tournament says. `line_ups` name agents by number, one for each place; a tally belongs to each."""
    return {
        **setting,
        "agents": list(agents),
        "seats": tallies[0].seats if tallies else 0,
        "games_played": sum(tally.games for tally in tallies),
        "games_cut": sum(tally.cut for tally in tallies),
        "ratings": _ratings(agents, rate(len(agents), line_ups, tallies), line_ups, tallies),
        "cross_table": _cross_table(len(agents), line_ups, tallies),
        "line_ups": [_line_up(setting, agents, *pair) for pair in zip(line_ups, tallies, strict=True)],
        "shared_dice": _shared_dice(setting, tallies),
        "luck": _luck(tallies),
        "lengths": _lengths(tallies),
        "faults": _faults(agents, line_ups, tallies),
    }


def _known(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _estimate(ratio: Ratio, interval: tuple[float, float]) -> dict:
    return {
        "mean": _known(ratio.mean),
        "error": _known(ratio.error),
        "low": interval[0],
        "high": interval[1],
    }


def _places(agent: int, line_up: Sequence[int]) -> list[int]:
    return [place for place, seated in enumerate(line_up) if seated == agent]


# --- ratings and the cross-table -------------------------------------------------------------------------------------
def _ratings(
    agents: Sequence[str], found: Ratings, line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]
) -> list[dict]:
    """Best first, group by group."""
    order = sorted(range(len(agents)), key=lambda a: (found.groups[a], -found.elo[a], a))
    rows = []
    for a, following in zip(order, [*order[1:], None], strict=True):
        alone = list(found.groups).count(found.groups[a]) == 1
        elo, error = float(found.elo[a]), found.error(a)
        last = following is None or found.groups[following] != found.groups[a]
        lead = (None, None) if last or following is None else found.difference(a, following)
        row = {"agent": agents[a], "elo": None if alone else elo, "error": None if alone else error}
        row |= {"low": None if alone else elo - Z95 * error, "high": None if alone else elo + Z95 * error}
        row |= {"lead": lead[0], "lead_error": lead[1]}
        row |= {"group": int(found.groups[a]) + 1, "one_sided": bool(found.one_sided[a])}
        rows.append(row | _standing(a, line_ups, tallies))
    return rows


def _standing(agent: int, line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]) -> dict:
    """An agent's figures over all its line-ups; games in which it sits in several places count once."""
    rank, payoff, games = NOTHING, NOTHING, 0
    for line_up, tally in zip(line_ups, tallies, strict=True):
        places = _places(agent, line_up)
        games += tally.games if places else 0
        for place in places:
            payoff = payoff.plus(tally.payoff(place))
        rank = rank.plus(tally.rank(*places)) if places else rank
    return {
        "games": games,
        "mean_payoff": _known(payoff.mean),
        "mean_rank": _known(rank.mean),
        "rank_error": _known(rank.error),
    }


def _cross_table(agents: int, line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]) -> list[list[dict | None]]:
    """Row a, column b: the share of points that a took from b in games in which both sat, or None."""
    met: dict[tuple[int, int], Ratio] = {}
    games: Counter[tuple[int, int]] = Counter()
    for line_up, tally in zip(line_ups, tallies, strict=True):
        for a in set(line_up):
            for b in set(line_up) - {a}:
                met[a, b] = met.get((a, b), NOTHING).plus(tally.points(_places(a, line_up), _places(b, line_up)))
                games[a, b] += tally.games
    return [
        [
            {**_estimate(met[a, b], met[a, b].interval(0, 1)), "games": games[a, b]} if games[a, b] else None
            for b in range(agents)
        ]
        for a in range(agents)
    ]


# --- line-ups --------------------------------------------------------------------------------------------------------
def _line_up(setting: dict, agents: Sequence[str], line_up: Sequence[int], tally: Tally) -> dict:
    return {
        "agents": [agents[a] for a in line_up],
        "games": tally.games,
        "deals": tally.deals,
        "cut": tally.cut,
        "places": [_place(setting, agents[a], place, tally) for place, a in enumerate(line_up)],
        "pairs": [_pair(i, j, tally) for i, j in tally.pairs],
    }


def _place(setting: dict, agent: str, place: int, tally: Tally) -> dict:
    seats, ratio = tally.by_seat[place], tally.payoff(place)
    rank = tally.rank(place)
    adjusted = tally.adjusted(place)
    return {
        "agent": agent,
        **_estimate(ratio, tally.interval(ratio)),
        "wins": int(seats[:, WINS].sum()),
        "ties": int(seats[:, TIES].sum()),
        "wins_by_seat": [int(n) for n in seats[:, WINS]],
        "ties_by_seat": [int(n) for n in seats[:, TIES]],
        "games_by_seat": [int(n) for n in seats[:, COUNT]],
        "mean_rank": _known(rank.mean),
        "rank_error": _known(rank.error),
        "shared_dice": _shared(place, tally) if setting.get("shared") else None,
        "adjusted": _adjusted(place, adjusted, tally) if adjusted else None,
    }


def _shared(place: int, tally: Tally) -> dict:
    """What shared board and dice did: the error without them, and how many games would then be needed for one."""
    apart = tally.apart(place)
    return {
        "error_without": _known(sqrt(apart)),
        "variance_ratio": _known(gain(apart, tally.payoff(place).variance)),
    }


def _adjusted(place: int, adjusted: Ratio, tally: Tally) -> dict:
    """The estimate without luck, and how many games without adjustment would be as good."""
    ratio = gain(tally.payoff(place).variance, adjusted.variance)
    luck = tally.luck(place)
    return {
        **_estimate(adjusted, tally.interval(adjusted)),
        "variance_ratio": _known(ratio),
        "games_saved": round(tally.games * (ratio - 1)) if isfinite(ratio) else None,
        "mean_luck": _known(luck.mean),
        "luck_error": _known(luck.error),
    }


def _pair(i: int, j: int, tally: Tally) -> dict:
    """Games in which place i got more than place j, as much, and less."""
    won, lost = int(tally.beaten[i, j]), int(tally.beaten[j, i])
    return {"places": [i, j], "wins": won, "ties": tally.games - won - lost, "losses": lost}


# --- the whole -------------------------------------------------------------------------------------------------------
def _shared_dice(setting: dict, tallies: Sequence[Tally]) -> dict | None:
    """What shared board and dice did to the variance of mean payoffs, over all line-ups."""
    if not setting.get("shared"):
        return None
    every = [(tally.apart(p), tally.payoff(p).variance) for tally in tallies for p in range(tally.seats)]
    known = [(a, b) for a, b in every if isfinite(a) and isfinite(b)]
    return {"variance_ratio": _known(gain(sum(a for a, _ in known), sum(b for _, b in known)))}


def _luck(tallies: Sequence[Tally]) -> dict | None:
    """What taking luck off did to the variance of mean payoffs, over all line-ups whose luck is known."""
    every = [(t.payoff(p).variance, t.adjusted(p), t.games) for t in tallies for p in range(t.seats)]
    known = [(plain, a.variance, games) for plain, a, games in every if a and isfinite(plain)]
    if not known:
        return None
    ratio = gain(sum(plain for plain, _, _ in known), sum(a for _, a, _ in known))
    games = sum(t.games for t in tallies if t.adjusted(0))
    return {
        "variance_ratio": _known(ratio),
        "games": games,
        "games_saved": round(games * (ratio - 1)) if isfinite(ratio) else None,
    }


def _lengths(tallies: Sequence[Tally]) -> dict | None:
    lengths: Counter[int] = Counter()
    for tally in tallies:
        lengths.update(tally.lengths)
    if not lengths:
        return None
    games, shortest, longest = lengths.total(), min(lengths), max(lengths)
    width = (longest - shortest) // BARS + 1
    bars = [0] * ((longest - shortest) // width + 1)
    seen, median = 0, shortest
    for length, count in sorted(lengths.items()):
        bars[(length - shortest) // width] += count
        median = length if seen < games / 2 else median
        seen += count
    mean = sum(length * count for length, count in lengths.items()) / games
    return {"mean": mean, "median": median, "shortest": shortest, "longest": longest, "width": width, "bars": bars}


def _faults(agents: Sequence[str], line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]) -> list[dict]:
    """Forfeits by agent and reason, with the last words of the latest."""
    found: dict[tuple[int, str], tuple[int, str]] = {}
    for line_up, tally in zip(line_ups, tallies, strict=True):
        for (place, reason), (count, words) in tally.faults.items():
            key = line_up[place], reason
            found[key] = found.get(key, (0, ""))[0] + count, words
    return [
        {"agent": agents[a], "reason": reason, "count": count, "words": words}
        for (a, reason), (count, words) in sorted(found.items())
    ]


# --- the terminal ----------------------------------------------------------------------------------------------------
def tables(summary: dict) -> list[tuple[str, list[str], Rows]]:
    """Ratings, cross-table and line-ups as titles, columns and rows of text."""
    found = [("Ratings", *_rating_rows(summary)), ("Share of points, %, with 95 % intervals", *_cross_rows(summary))]
    return [*found, ("Line-ups: mean payoff with 95 % interval", *_line_up_rows(summary))]


def text(value: float | None, places: int = 1, sign: bool = False) -> str:
    """A figure as text; a dash for one that is not known."""
    return "–" if value is None else f"{value:{'+' if sign else ''},.{places}f}"


def times(ratio: float | None, before: float | None, after: float | None) -> str:
    """A ratio of variances as text, with the errors before and after: if none is left, it has no bound."""
    if ratio is None:
        return "∞" if before and after == 0 else "–"
    return f"{ratio:,.{2 if ratio < 10 else 1 if ratio < 100 else 0}f}×"


def by_rating(summary: dict) -> list[int]:
    """The agents' numbers, best first."""
    return [summary["agents"].index(row["agent"]) for row in summary["ratings"]]


def _rating_rows(summary: dict) -> tuple[list[str], Rows]:
    columns = ["", "agent", "Elo", "± 95 %", "ahead of the next", "games"]
    ranked, grouped = summary["seats"] > 2, summary["ratings"] and summary["ratings"][-1]["group"] > 1
    rows = []
    for place, row in enumerate(summary["ratings"], 1):
        margin = None if row["error"] is None else Z95 * row["error"]
        lead = "" if row["lead"] is None else f"{row['lead']:.1f} ± {Z95 * row['lead_error']:.1f}"
        line = [str(place), row["agent"], text(row["elo"], sign=True), text(margin), lead, f"{row['games']:,}"]
        line += [f"{text(row['mean_rank'], 3)} ± {text(row['rank_error'], 3)}"] if ranked else []
        rows.append(line + ([str(row["group"])] if grouped else []))
    return columns + ["mean rank ± s.e."] * ranked + ["group"] * bool(grouped), rows


def _cross_rows(summary: dict) -> tuple[list[str], Rows]:
    order, rows = by_rating(summary), []
    for place, a in enumerate(order, 1):
        cells = [summary["cross_table"][a][b] for b in order]
        rows.append([f"{place} {summary['agents'][a]}", *(cross_text(cell) for cell in cells)])
    return ["", *(str(place) for place in range(1, len(order) + 1))], rows


def cross_text(cell: dict | None) -> str:
    return "" if cell is None else f"{100 * cell['mean']:.1f} ({100 * cell['low']:.1f}–{100 * cell['high']:.1f})"


def _line_up_rows(summary: dict) -> tuple[list[str], Rows]:
    columns = ["line-up", "agent", "mean", "95 %", "wins by seat", "ties"]
    ranked, shared, lucky = summary["seats"] > 2, summary["shared_dice"], summary["luck"]
    columns += ["rank"] * ranked + ["shared dice"] * bool(shared) + ["less luck", "95 %", "worth"] * bool(lucky)
    rows: Rows = []
    for number, line_up in enumerate(summary["line_ups"], 1):
        for place in line_up["places"]:
            rows.append([str(number), *_place_cells(place, ranked, bool(shared), bool(lucky))])
    return columns, rows


def _place_cells(place: dict, ranked: bool, shared: bool, lucky: bool) -> list[str]:
    cells = [place["agent"], text(place["mean"], 4), span(place)]
    cells += [" ".join(f"{n:,}" for n in place["wins_by_seat"]), f"{place['ties']:,}"]
    cells += [text(place["mean_rank"], 3)] * ranked
    return cells + [shared_text(place)] * shared + adjusted_text(place) * lucky


def shared_text(place: dict) -> str:
    """How many times the games without shared dice would be as good."""
    shared = place["shared_dice"]
    return times(shared["variance_ratio"], shared["error_without"], place["error"]) if shared else "–"


def adjusted_text(place: dict) -> list[str]:
    """The mean without luck, its interval, and how many times the games without adjustment would be as good."""
    found = place["adjusted"]
    if not found:
        return ["–"] * 3
    return [text(found["mean"], 4), span(found), times(found["variance_ratio"], place["error"], found["error"])]


def span(estimate: dict) -> str:
    """An interval as text."""
    return f"{estimate['low']:.4f}–{estimate['high']:.4f}"

"""The page of a tournament: one HTML file with its pictures inside, which needs neither scripts nor a network.

Pictures take the colours of the page, so they can be read in light and in dark. Equal summaries give equal files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from hazard.arena.statistics.intervals import Z95
from hazard.arena.tournament.summary import adjusted_text, by_rating, shared_text, span, text, times

STYLE = """
:root { color-scheme: light dark; --line: #8884; --mark: #0072b2; --other: #b34f00 }
:root { --more: 0 114 178; --less: 213 94 0 }
@media (prefers-color-scheme: dark) { :root { --mark: #56b4e9; --other: #f0a04b } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; white-space: nowrap }
.wide { overflow-x: auto } .note { color: GrayText; font-size: .9em } td svg { max-width: none }
.name { min-width: 11rem; max-width: 20rem; overflow-wrap: anywhere }
.cross td, .cross th { text-align: center; padding: .2rem .35rem; white-space: nowrap; line-height: 1.2 }
.cross th.name { text-align: left; font-weight: normal; white-space: normal }
.cross th.name { position: sticky; left: 0; background: Canvas; max-width: 14rem }
details :is(td, th) { padding: .25rem .45rem }
td small { display: block; font-size: .72em; opacity: .85 }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem } .facts dt { color: GrayText }
.facts dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; max-height: 12rem; overflow-y: auto; font-size: .9em }
tr.first td { border-top: 2px solid var(--line) } summary { cursor: pointer; font-weight: 600 }
svg { display: block; max-width: 100%; height: auto; font: 13px system-ui, sans-serif } svg text { fill: currentColor }
.grid { stroke: var(--line) } .mark { stroke: var(--mark); fill: var(--mark) }
.other { stroke: var(--other); fill: var(--other) }
"""
MANY = 30  # line-ups beyond which their table is folded
MOST = 1000  # line-ups in the table
WIDE = 10  # agents beyond which the cross-table shows half an interval's width instead of its ends


def write_page(path: Path, summary: dict) -> None:
    """Write the page of a summary made by `hazard.arena.tournament.summary.summarise`."""
    path.write_text(page(summary), encoding="utf-8")


def page(summary: dict) -> str:
    title = escape(f"Hazard: a tournament of {summary.get('game', 'a game')}")
    parts = [_facts(summary), _ratings(summary), cross_table(summary), _line_ups(summary), _lengths(summary)]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>\n" + "\n".join(parts) + _faults(summary)
    ) + "</html>\n"


def _facts(summary: dict) -> str:
    """What was played, and how it is gone on with."""
    given = " ".join(f"{key}={value}" for key, value in (summary.get("parameters") or {}).items())
    planned = (summary.get("games") or 0) * len(summary["line_ups"])
    missing = f" of {planned:,}" if summary["games_played"] < planned else ""
    cut = f", of which {summary['games_cut']:,} did not end and count as ties" if summary["games_cut"] else ""
    facts = [
        ("parameters", given or "none"),
        ("rules", summary.get("rules", "")),
        ("seed", _seed(summary)),
        ("games", f"{summary['games_played']:,}{missing} in {_count(summary)}{cut}"),
        ("dice", _dice(summary)),
        *([("luck", _luck(summary["luck"]))] if summary["luck"] else []),
    ]
    rows = "".join(f"<dt>{key}</dt><dd>{escape(str(value))}</dd>" for key, value in facts)
    again = f"<dt>resume, extend</dt><dd><pre>{escape(str(summary.get('command', '')))}</pre></dd>"
    return f"<dl class=facts>{rows}{again}</dl>"


def _seed(summary: dict) -> str:
    seed = summary.get("seed", "")
    return "secret until all games have been played" if seed is None else str(seed)


def _dice(summary: dict) -> str:
    if not summary["shared_dice"]:
        return "every game has its own"
    ratio = summary["shared_dice"]["variance_ratio"]
    worth = f"; this is worth {times(ratio, None, None)} the games" if ratio else ""
    return f"games that differ only in who sits where share board and dice{worth}"


def _luck(luck: dict) -> str:
    games, saved = luck["games"], luck["games_saved"]
    return f"{games:,} games without it are as good as {games + saved:,} with it" if saved is not None else "taken off"


def table_of(columns: Sequence[tuple[str, str]], rows: Sequence[str]) -> str:
    """Columns are titles with the class of their cells."""
    head = "".join(f"<th scope=col class='{kind}'>{escape(title)}</th>" for title, kind in columns)
    return f"<div class=wide><table><tr>{head}</tr>\n" + "\n".join(rows) + "</table></div>"


def table_row(cells: Sequence[str], columns: Sequence[tuple[str, str]], kind: str = "") -> str:
    """Cells are HTML."""
    line = "".join(f"<td class='{name}'>{cell}</td>" for cell, (_, name) in zip(cells, columns, strict=True))
    return f"<tr class='{kind}'>{line}</tr>"


def remark(words: str) -> str:
    return f"<p class=note>{escape(words)}</p>"


# --- ratings ---------------------------------------------------------------------------------------------------------
def _ratings(summary: dict) -> str:
    rows, ranked = summary["ratings"], summary["seats"] > 2
    grouped = any(row["group"] > 1 for row in rows)
    columns = [("", "n"), ("agent", "name"), ("Elo", "n"), ("± 95 %", "n"), ("ahead of the next", "n"), ("games", "n")]
    columns += [("mean payoff", "n")] + [("mean rank", "n")] * ranked + [("group", "n")] * grouped
    lines = [table_row(_rating(place, row, ranked, grouped), columns) for place, row in enumerate(rows, 1)]
    return "<h2>Ratings</h2>" + rating_dots(rows) + table_of(columns, lines) + _rating_notes(rows, grouped)


def _rating(place: int, row: dict, ranked: bool, grouped: bool) -> list[str]:
    margin = None if row["error"] is None else Z95 * row["error"]
    lead = "" if row["lead"] is None else f"{row['lead']:.1f} ± {Z95 * row['lead_error']:.1f}"
    cells = [str(place), escape(row["agent"]), text(row["elo"], sign=True), text(margin), lead, f"{row['games']:,}"]
    error = None if row["rank_error"] is None else Z95 * row["rank_error"]
    rank = [f"{text(row['mean_rank'], 2)} ± {text(error, 2)}"] * ranked
    return [*cells, text(row["mean_payoff"], 4), *rank, *[str(row["group"])] * grouped]


def _rating_notes(rows: Sequence[dict], grouped: bool) -> str:
    notes = remark("Bradley and Terry's model; 400 points are odds of ten to one. Bars and ± are 95 %, from deals.")
    if any(row["one_sided"] for row in rows):
        notes += remark(
            "Somewhere points flowed only one way. Half a drawn game was added to each pair that met there, without "
            "which ratings would be infinite: large differences mean no more than “much stronger”."
        )
    if grouped:
        notes += remark("Agents of different groups are not linked by games: compare ratings within a group only.")
    return notes


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers from low to high."""
    rough = max(high - low, 1e-9) / most
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    return [n * step for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def rating_dots(rows: Sequence[dict]) -> str:
    """A dot for each rating with a bar for its interval."""
    known = [row for row in rows if row["elo"] is not None]
    if not known:
        return ""
    low, high = min(row["low"] for row in known), max(row["high"] for row in known)
    low, high = (low - 1, high + 1) if high - low < 2 else (low, high)
    left, width, height = 230, 700, 26 * len(known) + 30
    at = _scaler(low, high, left + 10, width - 20)
    lines = []
    for tick in ticks(low, high):
        lines.append(f"<path class=grid d='M{at(tick):.1f} 0V{height - 24}'/>")
        lines.append(f"<text x={at(tick):.1f} y={height - 8} text-anchor=middle>{f'{tick:+g}' if tick else 0}</text>")
    for number, row in enumerate(known):
        y = 26 * number + 14
        name = row["agent"] if len(row["agent"]) <= 32 else row["agent"][:31] + "…"
        lines.append(f"<text x={left} y={y + 4} text-anchor=end>{escape(name)}</text>")
        lines.append(_whisker("mark", at(row["low"]), at(row["elo"]), at(row["high"]), y, 5))
    return _svg(width, height, "Ratings with 95 % intervals", lines)


def _whisker(kind: str, low: float, middle: float, high: float, y: int, size: int) -> str:
    """An interval with its ends marked, and a dot for the estimate."""
    ends = "".join(f"M{x:.1f} {y - size}v{2 * size}" for x in (low, high))
    bar = f"<path class={kind} stroke-width=1.5 d='M{low:.1f} {y}H{high:.1f}{ends}'/>"
    return f"{bar}<circle class={kind} cx={middle:.1f} cy={y} r={size * 0.5} />"


def _scaler(low: float, high: float, left: float, right: float) -> Callable[[float], float]:
    """From a figure to its place in a picture."""
    return lambda value: left + (value - low) / (high - low) * (right - left)


def _svg(width: int, height: int, title: str, lines: Sequence[str]) -> str:
    head = f"<svg width={width} height={height} viewBox='0 0 {width} {height}' role=img><title>{escape(title)}</title>"
    return head + "".join(lines) + "</svg>"


# --- the cross-table -------------------------------------------------------------------------------------------------
def cross_table(summary: dict) -> str:
    order = by_rating(summary)
    names = summary["agents"]
    heads = [f"<th scope=col title='{escape(names[b])}'>{place}</th>" for place, b in enumerate(order, 1)]
    lines = ["<tr><td></td>" + "".join(heads) + "</tr>"]
    for place, a in enumerate(order, 1):
        cells = [_meeting(names[a], names[b], summary["cross_table"][a][b], len(order) > WIDE) for b in order]
        lines.append(f"<tr><th scope=row class=name>{place} {escape(names[a])}</th>{''.join(cells)}</tr>")
    note = "Of the points that row and column took from each other (1 for more payoff, ½ for as much), the row's share "
    note += "in percent, with its 95 % interval."
    return (
        "<h2>Cross-table</h2><div class=wide><table class=cross>" + "\n".join(lines) + "</table></div>" + remark(note)
    )


def _meeting(row: str, column: str, cell: dict | None, short: bool) -> str:
    """Blue where the row took more than half, orange where less; the stronger, the further from half."""
    if cell is None:
        return "<td></td>"
    share, low, high = (100 * cell[key] for key in ("mean", "low", "high"))
    colour = f"rgb(var(--{'more' if share >= 50 else 'less'}) / {0.65 * (abs(share - 50) / 50) ** 0.7:.2f})"
    told = f"{row} against {column}: {share:.2f} %, 95 % from {low:.2f} to {high:.2f}, {cell['games']:,} games"
    interval = f"±{(high - low) / 2:.1f}" if short else f"{low:.1f}–{high:.1f}"
    return f"<td title='{escape(told)}' style='background: {colour}'>{share:.1f}<small>{interval}</small></td>"


# --- line-ups --------------------------------------------------------------------------------------------------------
def _line_ups(summary: dict) -> str:
    ranked, shared, lucky = summary["seats"] > 2, bool(summary["shared_dice"]), bool(summary["luck"])
    columns = [("", "n"), ("agent", "name"), ("games", "n"), ("mean, 95 %", "n")]
    columns += [("less luck, 95 %", "n"), ("worth", "n")] * lucky + [("", "")] + [("shared dice", "n")] * shared
    columns += [("mean rank", "n")] * ranked + [("wins by seat, %", "n"), ("ties", "n")]
    scale = _scale(summary)
    lines = []
    for number, line_up in enumerate(summary["line_ups"][:MOST], 1):
        for n, place in enumerate(line_up["places"]):
            cells = ["", escape(place["agent"]), ""] if n else _first(number, line_up)
            cells += [_figure(place), *_less_luck(place) * lucky, _bars(place, *scale), *[shared_text(place)] * shared]
            cells += [text(place["mean_rank"], 2)] * ranked + [_wins(place), f"{place['ties']:,}"]
            lines.append(table_row(cells, columns, "" if n else "first"))
    rest = remark(f"The first {MOST:,}; --json prints all.") if len(summary["line_ups"]) > MOST else ""
    body = table_of(columns, lines) + rest + _line_up_notes(shared, lucky)
    start = "" if len(summary["line_ups"]) > MANY else " open"
    return f"<h2>Line-ups</h2><details{start}><summary>{_count(summary)}</summary>{body}</details>"


def _count(summary: dict) -> str:
    count = len(summary["line_ups"])
    return f"{count:,} line-up{'' if count == 1 else 's'}"


def _first(number: int, line_up: dict) -> list[str]:
    return [str(number), escape(line_up["agents"][0]), f"{line_up['games']:,}"]


def _figure(estimate: dict) -> str:
    return f"{text(estimate['mean'], 4)}<small>{span(estimate)}</small>"


def _less_luck(place: dict) -> list[str]:
    return [_figure(place["adjusted"]), adjusted_text(place)[2]] if place["adjusted"] else ["–", "–"]


def _wins(place: dict) -> str:
    """Wins in percent of the games in each seat, and their numbers."""
    rows = list(zip(place["wins_by_seat"], place["games_by_seat"], strict=True))
    shares = " · ".join(f"{100 * won / games:.1f}" if games else "–" for won, games in rows)
    return f"{shares}<small>{' · '.join(f'{won:,}' for won, _ in rows)}</small>"


def _scale(summary: dict) -> tuple[float, float, float]:
    """The ends of all intervals, and the payoff of an even game."""
    places = [place for line_up in summary["line_ups"] for place in line_up["places"]]
    every = places + [place["adjusted"] for place in places if place["adjusted"]]
    means = [place["mean"] for place in places if place["mean"] is not None]
    even = sum(means) / max(len(means), 1)
    low, high = min((e["low"] for e in every), default=0.0), max((e["high"] for e in every), default=1.0)
    return min(low, even), max(high, even, low + 1e-9), even


def _bars(place: dict, low: float, high: float, even: float) -> str:
    """The interval, and below it the one without luck; the line is an even game."""
    at = _scaler(low, high, 4, 136)
    lines = [f"<path class=grid stroke-width=2 d='M{at(even):.1f} 0V26'/>"]
    for y, kind, estimate in ((7, "mark", place), (18, "other", place["adjusted"])):
        if estimate and estimate["mean"] is not None:
            middle = min(max(at(estimate["mean"]), 0), 140)  # without luck, a mean of few games may be out of range
            lines.append(_whisker(kind, at(estimate["low"]), middle, at(estimate["high"]), y, 3))
    return _svg(140, 26, span(place), lines)


def _line_up_notes(shared: bool, lucky: bool) -> str:
    notes = remark(
        "Means are payoffs; the line is an even game. A best payoff is a win, or a tie where others share it."
    )
    if shared:
        notes += remark(
            "Shared dice: how many times the games would be needed for the same error if no dice were shared."
        )
    if lucky:
        notes += remark(
            "Less luck (lower bar): what chance gave is taken off each result, which changes no mean but lowers its "
            "error. Worth: how many times the games would be needed for the same error without this."
        )
    return notes


# --- lengths and forfeits --------------------------------------------------------------------------------------------
def _lengths(summary: dict) -> str:
    found = summary["lengths"]
    if not found:
        return ""
    told = f"Decisions a game: mean {found['mean']:.1f}, median {found['median']:,}, "
    told += f"from {found['shortest']:,} to {found['longest']:,}."
    return f"<h2>Lengths of games</h2>{_histogram(found)}{remark(told)}"


def _histogram(found: dict) -> str:
    bars, width, height = found["bars"], 700, 190
    end = found["shortest"] + found["width"] * len(bars)
    at = _scaler(found["shortest"], end, 10, width - 20)
    lines = [f"<path class=grid d='M10 {height - 24}H{width - 20}'/>"]
    for number, count in enumerate(bars):
        x, tall = at(found["shortest"] + found["width"] * number), (height - 34) * count / max(bars)
        low = found["shortest"] + found["width"] * number
        name = f"{low:,}" if found["width"] == 1 else f"{low:,} to {low + found['width'] - 1:,}"
        box = f"x={x:.1f} y={height - 24 - tall:.1f} width={max((width - 30) / len(bars) - 1, 1):.1f} height={tall:.1f}"
        lines.append(f"<rect class=mark stroke=none {box}><title>{name}: {count:,} games</title></rect>")
    half = 0.5 if found["width"] == 1 else 0
    for tick in ticks(found["shortest"], end - 2 * half):
        if tick == int(tick):
            lines.append(f"<text x={at(tick + half):.1f} y={height - 8} text-anchor=middle>{tick:,.0f}</text>")
    return _svg(width, height, "Games by their number of decisions", lines)


def _faults(summary: dict) -> str:
    if not summary["faults"]:
        return ""
    columns = [("agent", "name"), ("reason", ""), ("games", "n"), ("last words", "")]
    lines = []
    for fault in summary["faults"]:
        words = f"<pre>{escape(fault['words'])}</pre>" if fault["words"] else ""
        cells = [escape(fault["agent"]), escape(fault["reason"]), f"{fault['count']:,}", words]
        lines.append(table_row(cells, columns))
    return "<h2>Forfeits</h2>" + table_of(columns, lines)

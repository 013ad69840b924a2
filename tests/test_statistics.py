"""The statistics of a tournament against brute force, closed forms, scipy and simulation, and the page with them."""

import json
from html.parser import HTMLParser
from itertools import combinations
from math import inf, log, log10, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import rankdata

from hazard.arena.statistics.intervals import NOTHING, Tally, gain
from hazard.arena.statistics.ratings import elo_of, fit, rate, share_of
from hazard.arena.statistics.sequential import SHARES, SPECK, Sequential, likeliest, pair_counts
from hazard.arena.tournament.page import ticks, write_page
from hazard.arena.tournament.summary import summarise, tables
from hazard.errors import BadInput

SETTING = {"game": "pig", "parameters": {"goal": 100}, "rules": "0123456789ab", "seed": 7, "games": 10, "shared": True}
SETTING |= {"command": "hazard tournament pig a b --out there"}


def tally_of(payoffs: np.ndarray, luck: np.ndarray | None = None, **more: object) -> Tally:
    tally = Tally(payoffs.shape[1])
    tally.add(0, payoffs, np.full(len(payoffs), 9), luck, **more)  # type: ignore[arg-type]
    return tally


def pairs(rng: np.random.Generator, share: float, deals: int, split: float = 0.0) -> np.ndarray:
    """Two-seat games in which the dice alone decide a `split` of the deals, so that each agent wins once."""
    even, first = rng.random(deals) < split, rng.random(deals) < 0.5
    chance = (share - split / 2) / (1 - split)
    won = np.where(even[:, None], np.stack([first, ~first], axis=1), rng.random((deals, 2)) < chance).ravel()
    return np.stack([won, ~won], axis=1).astype(float)


def races(rng: np.random.Generator, strengths: np.ndarray, deals: int) -> np.ndarray:
    """Games paid by rank that follow Bradley and Terry's model; in half of the deals luck stays with the seats."""
    n = len(strengths)
    luck = rng.gumbel(size=(deals, n))
    shared = rng.random(deals) < 0.5
    found = np.zeros((deals, n, n))
    for game in range(n):
        seats = (np.arange(n) + game) % n
        other = np.where(shared[:, None], luck[:, seats], rng.gumbel(size=(deals, n)))
        found[:, game] = rankdata(other + strengths, axis=1)
    return found.reshape(-1, n)


# --- sums over deals -------------------------------------------------------------------------------------------------
def test_a_few_games_by_hand() -> None:
    payoffs = np.array([[1, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 0]])
    tally = tally_of(payoffs, faults=[(1, "late", "a"), (1, "late", "b")], cut=1)
    assert (tally.games, tally.deals, tally.cut) == (5, 3, 1)
    assert tally.payoff(0).mean == pytest.approx(0.7)
    assert tally.beaten.tolist() == [[0, 3], [1, 0]]
    assert tally.by_seat[0, :, 3].tolist() == [2, 1]  # place 0 sat in seat 0 in games 0, 2, 4
    assert tally.by_seat[1, :, 4].tolist() == [0, 1]
    assert tally.rank(1).mean == pytest.approx(1.7)
    assert tally.faults == {(1, "late"): (2, "b")}
    assert tally.lengths == {9: 5}
    assert tally.adjusted(0) is None


def test_places_move_on_by_one_seat() -> None:
    """Place 1 wins games 0, 1 and 4 of three seats, from seats 1, 2 and 2; in game 5 all are paid alike."""
    payoffs = np.eye(3)[[1, 1, 0, 2, 1, 0]]
    payoffs[5] = 1 / 3
    tally = tally_of(payoffs)
    assert tally.by_seat[1, :, 3].tolist() == [0, 1, 2]
    assert tally.by_seat[:, :, 4].tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_figures_against_brute_force(seats: int) -> None:
    rng = np.random.default_rng(seats)
    payoffs, luck = rng.integers(0, 4, (60 * seats, seats)) / 4, rng.normal(size=(60 * seats, seats))
    tally = tally_of(payoffs, luck)
    ranks = rankdata(-payoffs, axis=1)
    places = list(range(1, seats))
    points = np.mean([0.5 + 0.5 * np.sign(payoffs[:, 0] - payoffs[:, j]) for j in places], axis=0)
    for ratio, games in [
        (tally.payoff(1), payoffs[:, 1]),
        (tally.adjusted(1), (payoffs - luck)[:, 1]),
        (tally.luck(1), luck[:, 1]),
        (tally.rank(1), ranks[:, 1]),
        (tally.rank(0, 1), ranks[:, :2].mean(axis=1)),
        (tally.points([0], places), points),
        (tally.points(places, [0]), 1 - points),
    ]:
        deals = games.reshape(60, seats).mean(axis=1)
        assert ratio is not None
        assert ratio.mean == pytest.approx(games.mean())
        assert ratio.error == pytest.approx(deals.std(ddof=1) / sqrt(60))


def test_batches_add_up() -> None:
    rng = np.random.default_rng(1)
    payoffs, luck, lengths = rng.random((100, 3)), rng.random((100, 3)), rng.integers(1, 50, 100)
    whole, parts, last = Tally(3), Tally(3), Tally(3)
    whole.add(0, payoffs, lengths, luck, [(0, "late", "first"), (0, "late", "second")], 3)
    parts.add(0, payoffs[:30], lengths[:30], luck[:30], [(0, "late", "first")], 1)
    parts.add(30, payoffs[30:60], lengths[30:60], luck[30:60])
    last.add(60, payoffs[60:], lengths[60:], luck[60:], [(0, "late", "second")], 2)
    parts.merge(last)
    for name in ("games", "deals", "cut", "lucky", "lengths", "faults"):
        assert getattr(whole, name) == getattr(parts, name)
    for name in ("sums", "products", "by_seat", "beaten"):
        assert getattr(whole, name) == pytest.approx(getattr(parts, name))


def test_a_batch_begins_with_a_deal() -> None:
    with pytest.raises(BadInput, match="begin a deal"):
        Tally(2).add(3, np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(BadInput, match="3 places"):
        Tally(3).add(0, np.zeros((2, 2)), np.zeros(2))


@pytest.mark.parametrize(("deals", "share", "split"), [(5, 0.5, 0.3), (12, 0.9, 0), (50, 0.97, 0), (400, 0.6, 0.6)])
def test_intervals_hold_what_they_promise(deals: int, share: float, split: float) -> None:
    rng = np.random.default_rng(deals)
    rounds, held, width = 2000, 0, 0.0
    for _ in range(rounds):
        low, high = tally_of(pairs(rng, share, deals, split)).payoff(0).interval(0, 1)
        held += low <= share <= high
        width += (high - low) / rounds
    assert held / rounds > 0.95 - 4 * sqrt(0.95 * 0.05 / rounds)
    variance = (share - split / 2) * (1 - split / 2 - share) / (1 - split) / 2  # of a deal's mean, by the law of total
    assert width < 2 * 2 * 1.96 * sqrt(variance / deals) + 2 / deals


def test_equal_deals_are_not_certainty() -> None:
    drawn = tally_of(np.tile([[1.0, 0.0], [0.0, 1.0]], (10, 1)))
    assert drawn.payoff(0).error == 0
    low, high = drawn.payoff(0).interval(0, 1)
    assert 0.3 < low < 0.5 < high < 0.7
    low, high = tally_of(np.tile([[1.0, 0.0]], (20, 1))).payoff(0).interval(0, 1)
    assert 0.6 < low < 0.9
    assert high == 1
    assert tally_of(np.array([[1.0, 0.0]])).payoff(0).interval(0, 1) == pytest.approx((0, 1))
    assert NOTHING.interval(-2, 3) == (-2, 3)


def test_shared_dice_lower_the_variance_as_they_must() -> None:
    """With shares 1/2 and half the deals split, a pair's score has variance 1/4 instead of 1/2."""
    tally = tally_of(pairs(np.random.default_rng(3), 0.5, 40_000, split=0.5))
    assert gain(tally.apart(0), tally.payoff(0).variance) == pytest.approx(2, rel=0.05)
    apart = tally_of(pairs(np.random.default_rng(3), 0.5, 40_000))
    assert gain(apart.apart(0), apart.payoff(0).variance) == pytest.approx(1, rel=0.05)


def test_seats_do_not_pass_for_shared_dice() -> None:
    """If the first seat nearly always wins, the rotation lowers the variance, which is no merit of shared dice."""
    rng = np.random.default_rng(4)
    won = rng.random((40_000, 2)) < [[0.9, 0.1]]
    tally = tally_of(np.stack([won.ravel(), ~won.ravel()], axis=1).astype(float))
    assert gain(tally.apart(0), tally.payoff(0).variance) == pytest.approx(1, rel=0.05)


def test_luck_taken_off() -> None:
    rng = np.random.default_rng(5)
    luck = rng.normal(0, 0.3, 40_000)
    skill = rng.normal(0.55, 0.1, 40_000)
    paid = np.stack([skill + luck, 1 - skill - luck], axis=1)
    summary = summarise(SETTING, ["a", "b"], [(0, 1)], [tally_of(paid, np.stack([luck, -luck], axis=1))])
    place = summary["line_ups"][0]["places"][0]["adjusted"]
    assert place["variance_ratio"] == pytest.approx(10, rel=0.05)
    assert place["games_saved"] == round(40_000 * (place["variance_ratio"] - 1))
    assert abs(place["mean"] - 0.55) < 4 * place["error"]
    assert abs(place["mean_luck"]) < 4 * place["luck_error"]
    assert summary["luck"]["variance_ratio"] == pytest.approx(place["variance_ratio"])


def test_ratios_without_bound() -> None:
    assert gain(1, 0) == inf
    assert np.isnan(gain(0, 0))


# --- ratings ---------------------------------------------------------------------------------------------------------
def test_two_agents_in_closed_form() -> None:
    """Elo = 400 log10(p / (1 - p)), and by the delta method its error is that of p, times 400 / (ln 10 p (1 - p))."""
    tally = tally_of(pairs(np.random.default_rng(1), 0.7, 5000, 0.4))
    share = tally.payoff(0)
    found = rate(2, [(0, 1)], [tally])
    lead, error = found.difference(0, 1)
    assert lead == pytest.approx(400 * log10(share.mean / (1 - share.mean)))
    assert error == pytest.approx(share.error * 400 / log(10) / share.mean / (1 - share.mean), rel=1e-3)
    assert found.elo[0] == pytest.approx(-found.elo[1])
    assert found.error(0) == pytest.approx(error / 2)
    assert elo_of(share_of(123)) == pytest.approx(123)
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


def test_the_likelihood_is_greatest_there() -> None:
    rng = np.random.default_rng(2)
    points = rng.integers(1, 200, (7, 7)) / 2
    np.fill_diagonal(points, 0)
    points[0, 5] = points[5, 0] = 0  # never met
    points[1, 2], points[2, 1] = 0, 900

    def minus(theta: np.ndarray) -> float:
        return float(np.sum(points * np.logaddexp(0, theta[None, :] - theta[:, None])))

    oracle = minimize(minus, np.zeros(7), method="BFGS", options={"gtol": 1e-7}).x
    assert fit(points, np.zeros(7, int)) == pytest.approx(oracle - oracle.mean(), abs=1e-5)


def test_far_apart() -> None:
    """Where the likelihood is greatest, everyone is expected to take the points that it took."""
    points = np.array([[0, 1e6, 1e6], [1, 0, 1e6], [1, 1, 0]])
    theta = fit(points, np.zeros(3, int))
    expected = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    assert ((points + points.T) * expected).sum(axis=1) == pytest.approx(points.sum(axis=1), rel=1e-6)


def covered(found: list[tuple[float, float]], rounds: int) -> None:
    """Errors are right: of `rounds` estimates, each with its error, about 95 % lie within 1.96 errors of 0."""
    held = np.mean([abs(miss) <= 1.96 * error for miss, error in found])
    slack = 4 * sqrt(0.95 * 0.05 / rounds)  # as if all figures of one round were the same
    assert 0.95 - slack < held < 0.95 + slack


def test_coverage_with_correlated_pairs() -> None:
    """400 round robins of four agents; were pairs taken for independent games, errors would be far too large."""
    rng = np.random.default_rng(6)
    strengths = np.array([0.0, 0.3, 0.6, 1.2])
    truth = (strengths - strengths.mean()) * 400 / log(10)
    line_ups = list(combinations(range(4), 2))
    found = []
    for _ in range(400):
        tallies = [
            tally_of(pairs(rng, 1 / (1 + np.exp(strengths[b] - strengths[a])), 100, split=0.4)) for a, b in line_ups
        ]
        ratings = rate(4, line_ups, tallies)
        found += [(ratings.elo[a] - truth[a], ratings.error(a)) for a in range(4)]
    covered(found, 400)


def test_coverage_with_four_seats() -> None:
    """The pairs of one game hang together; an agent may sit in two places."""
    rng = np.random.default_rng(7)
    strengths = np.array([0.0, 0.2, 0.5, 0.9, -0.4])
    truth = (strengths - strengths.mean()) * 400 / log(10)
    line_ups = [*combinations(range(5), 4), (0, 0, 1, 2)]
    found = []
    for _ in range(400):
        ratings = rate(5, line_ups, [tally_of(races(rng, strengths[list(up)], 40)) for up in line_ups])
        found += [(ratings.elo[a] - truth[a], ratings.error(a)) for a in range(5)]
        lead, error = ratings.difference(3, 4)
        found.append((lead - (truth[3] - truth[4]), error))
    covered(found, 400)


def test_somebody_never_loses() -> None:
    rng = np.random.default_rng(8)
    always = np.tile([[1.0, 0.0]], (100, 1))
    tallies = [tally_of(always), tally_of(always), tally_of(pairs(rng, 0.5, 50))]
    found = rate(3, [(0, 1), (0, 2), (1, 2)], tallies)
    assert found.one_sided.all()
    lead, error = found.difference(0, 1)
    assert 600 < lead < 1500
    assert 100 < error < 1000
    assert found.difference(1, 2)[1] < 60
    assert not rate(2, [(0, 1)], [tallies[2]]).one_sided.any()


def test_those_who_never_met_are_not_compared() -> None:
    rng = np.random.default_rng(9)
    tallies = [tally_of(pairs(rng, 0.6, 50)), tally_of(pairs(rng, 0.4, 50))]
    found = rate(5, [(0, 2), (1, 3)], tallies)
    assert found.groups.tolist() == [0, 1, 0, 1, 2]
    assert found.elo[0] == pytest.approx(-found.elo[2])
    summary = summarise(SETTING, list("abcde"), [(0, 2), (1, 3)], tallies)
    assert [row["group"] for row in summary["ratings"]] == [1, 1, 2, 2, 3]
    assert summary["ratings"][1]["lead"] is None
    assert summary["ratings"][4]["elo"] is None
    assert summary["cross_table"][0][1] is None


def test_an_even_score_on_every_deal() -> None:
    """Equal agents that do not draw from their streams split every deal: the rating is known better and better."""
    errors = []
    for deals in (3, 3000):
        found = rate(2, [(0, 1)], [tally_of(np.tile([[1.0, 0.0], [0.0, 1.0]], (deals, 1)))])
        assert found.elo.tolist() == [0, 0]
        errors.append(found.error(0))
    assert errors[0] > 20
    assert 0 < errors[1] < 1


# --- the sequential test ---------------------------------------------------------------------------------------------
def test_pairs_are_counted() -> None:
    payoffs = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0.5, 0.5], [0, 1], [0, 1], [0, 1]])
    assert pair_counts(payoffs) == [1, 1, 1, 0, 1]
    with pytest.raises(BadInput, match="3 games"):
        pair_counts(payoffs[:3])


def brute_force(counts: list[float], mean: float) -> float:
    """The greatest log-likelihood of any distribution with this mean, over the logarithms of its weights."""
    scores, weights = np.array(SHARES), np.array(counts)

    def chances(x: np.ndarray) -> np.ndarray:
        return np.exp(x - x.max()) / np.exp(x - x.max()).sum() + 1e-300

    limits = {"type": "eq", "fun": lambda x: chances(x) @ scores - mean}
    start = np.log(weights)
    found = minimize(
        lambda x: -weights @ np.log(chances(x)), start, constraints=limits, options={"maxiter": 1000, "ftol": 1e-13}
    )
    return -float(found.fun)


@pytest.mark.parametrize("counts", [[10, 20, 50, 30, 15], [3, 1, 90, 2, 9], [40, 5, 20, 1, 2]])
def test_llr_against_brute_force(counts: list[int]) -> None:
    test = Sequential(-10, 35)
    test.counts = counts
    expected = brute_force(counts, share_of(35)) - brute_force(counts, share_of(-10))
    assert test.llr == pytest.approx(expected, abs=1e-5)
    best = likeliest(counts, share_of(35))
    assert sum(best) == pytest.approx(1)
    assert sum(p * x for p, x in zip(best, SHARES, strict=True)) == pytest.approx(share_of(35))


def test_scores_that_have_not_come_up() -> None:
    test = Sequential(0, 50)
    test.counts = [0, 0, 20, 0, 7]
    counts = [n or SPECK for n in test.counts]
    assert test.llr == pytest.approx(brute_force(counts, share_of(50)) - brute_force(counts, 0.5), abs=1e-3)


def test_swapping_the_agents_mirrors_the_test() -> None:
    here, there = Sequential(-5, 20, 0.05, 0.1), Sequential(-20, 5, 0.1, 0.05)
    here.counts, there.counts = [5, 9, 40, 14, 8], [8, 14, 40, 9, 5]
    assert here.llr == pytest.approx(-there.llr)
    assert here.bounds == pytest.approx(tuple(-bound for bound in reversed(there.bounds)))


@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (50, "H0")])
def test_errors_of_the_test(truth: float, wrong: str) -> None:
    """Batches of four pairs, of which 40 % are split by the dice: errors stay near the 0.1 allowed."""
    rng, rounds, mistaken, played = np.random.default_rng(10), 600, 0, 0
    for _ in range(rounds):
        test = Sequential(0, 50, 0.1, 0.1)
        while test.decision is None:
            test.add(pair_counts(pairs(rng, share_of(truth), 4, split=0.4)))
        mistaken += test.decision == wrong
        played += test.pairs
    assert 0.03 < mistaken / rounds < 0.1 + 4 * sqrt(0.1 * 0.9 / rounds)
    fixed = (2 * 1.2816 / (share_of(50) - 0.5)) ** 2 * 0.6 * 0.25 / 2  # pairs that a test of fixed length would take
    assert fixed / 4 < played / rounds < fixed


def test_what_was_decided() -> None:
    test = Sequential(0, 50)
    assert test.llr == 0
    assert test.report("a", "b")["elo"] is None
    assert test.add([0, 0, 6, 0, 6]) is None
    assert test.sentence("a", "b").startswith("Not decided after 12 pairs")
    assert test.add([0, 0, 20, 0, 40]) == "H1"
    assert "a is more than 0 Elo better than b" in test.sentence("a", "b")
    report = test.report("a", "b")
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["elo"] == pytest.approx(elo_of((13 + 46) / 72))
    assert report["elo_interval"][0] < report["elo"] < report["elo_interval"][1]
    with pytest.raises(BadInput, match="decided after 72 pairs"):
        test.add([0, 0, 1, 0, 0])
    equal = Sequential(0, 50)
    assert equal.add([0, 0, 100, 0, 0]) == "H0"
    assert "a is less than 50 Elo better than b" in equal.sentence("a", "b")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((5, 5), "elo0=5, elo1=5"), ((0, inf), "elo1=inf"), ((0, 5, 0), "alpha=0"), ((0, 5, 0.05, 0.7), "beta=0.7")],
)
def test_tests_that_cannot_be(arguments: tuple[float, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Sequential(*arguments)


# --- summary and page ------------------------------------------------------------------------------------------------
def four_seats() -> dict:
    rng = np.random.default_rng(11)
    line_ups = list(combinations(range(5), 4))
    tallies = []
    for up in line_ups:
        tally = Tally(4, 1, 4)
        payoffs = races(rng, np.array(up) / 4, 20)[:78]
        luck = rng.normal(size=payoffs.shape)
        tally.add(0, payoffs, rng.integers(10, 200, 78), luck, [(0, "late", '<i>no</i> & "time"')], cut=1)
        tallies.append(tally)
    return summarise(SETTING, ["a", "b", "<b>c</b>", "d'e", "f"], line_ups, tallies)


def test_summary_is_plain_and_adds_up() -> None:
    summary = four_seats()
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["games_played"] == 5 * 78
    assert summary["games_cut"] == 5
    assert [row["agent"] for row in summary["ratings"]] == ["f", "d'e", "<b>c</b>", "b", "a"]
    assert sum(row["mean_rank"] for row in summary["ratings"]) == pytest.approx(12.5)
    table = summary["cross_table"]
    assert table[1][3]["mean"] + table[3][1]["mean"] == pytest.approx(1)
    assert table[1][3]["games"] == 3 * 78
    assert summary["faults"] == [
        {"agent": "a", "reason": "late", "count": 4, "words": '<i>no</i> & "time"'},
        {"agent": "b", "reason": "late", "count": 1, "words": '<i>no</i> & "time"'},
    ]
    assert sum(summary["lengths"]["bars"]) == 5 * 78
    assert len(summary["lengths"]["bars"]) <= 40
    place = summary["line_ups"][0]["places"][2]
    assert 1 <= place["low"] < place["mean"] < place["high"] <= 4
    assert sum(place["games_by_seat"]) == 78


def test_tables_are_rectangular() -> None:
    pair = summarise({**SETTING, "shared": False}, ["a", "b"], [(0, 1)], [tally_of(np.array([[1.0, 0.0]]))])
    for summary in (four_seats(), pair):
        for _, columns, rows in tables(summary):
            assert rows
            assert {len(row) for row in rows} == {len(columns)}
            assert all(isinstance(cell, str) for row in rows for cell in row)


class Tags(HTMLParser):
    """The tags of a page, which must nest."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)


def test_page(tmp_path: Path) -> None:
    write_page(tmp_path / "one.html", four_seats())
    write_page(tmp_path / "two.html", four_seats())
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "two.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.seen & {"b", "i", "script", "img", "link"} == set()
    assert "&lt;b&gt;c&lt;/b&gt;" in page
    assert "&lt;i&gt;no&lt;/i&gt; &amp; &quot;time&quot;" in page
    assert "http" not in page
    for words in ("hazard tournament pig a b --out there", "0123456789ab", "goal=100", "mean rank", "Forfeits"):
        assert words in page


def test_page_says_what_ratings_rest_on(tmp_path: Path) -> None:
    won, met = tally_of(np.tile([[1.0, 0.0]], (10, 1))), tally_of(pairs(np.random.default_rng(1), 0.5, 20))
    write_page(tmp_path / "page.html", summarise(SETTING, list("abcd"), [(0, 1), (2, 3)], [won, met]))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Half a drawn game" in page
    assert "different groups" in page
    write_page(tmp_path / "page.html", summarise(SETTING, list("ab"), [(0, 1)], [met]))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Half a drawn game" not in page
    assert "different groups" not in page


def test_a_page_before_any_game(tmp_path: Path) -> None:
    summary = summarise(SETTING, ["a", "b"], [(0, 1)], [Tally(2)])
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    write_page(tmp_path / "page.html", summary)
    assert [len(rows) for _, _, rows in tables(summary)] == [2, 2, 2]


def test_ticks_are_round() -> None:
    assert ticks(-31, 42) == [-30, -20, -10, 0, 10, 20, 30, 40]
    assert ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])

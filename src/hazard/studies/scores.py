"""How far two samples are apart, and how far they may be before chance is no explanation."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

RARE = 10  # expected counts below this are compared by Fisher's exact test
LEVEL = 0.05  # chance that a study calls any figure different though none is


def limit(comparisons: int) -> float:
    """The |z| that the largest of all differences exceeds with a chance of `LEVEL` if nothing differs (Bonferroni)."""
    return NormalDist().inv_cdf(1 - LEVEL / (2 * comparisons))


def z_score(ours: int, of: int, theirs: int, all_of: int) -> float:
    """How many standard errors our share is above theirs; Fisher's exact test where expected counts are small."""
    share = (ours + theirs) / (of + all_of)
    if share in (0.0, 1.0):
        return 0.0
    if min(share, 1 - share) * min(of, all_of) < RARE:
        return _exact(ours, of, theirs, all_of)
    return (ours / of - theirs / all_of) / sqrt(share * (1 - share) * (1 / of + 1 / all_of))


def _exact(ours: int, of: int, theirs: int, all_of: int) -> float:
    from scipy.stats import fisher_exact, norm

    p = float(fisher_exact([[ours, of - ours], [theirs, all_of - theirs]]).pvalue)
    return float(norm.isf(min(p, 1.0) / 2)) * (1 if ours * all_of >= theirs * of else -1)

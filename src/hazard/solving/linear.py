"""Small systems of linear equations, for steps of Newton's method."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.jit import rule


@rule
def solve_linear(a: Any, b: Any, n: int) -> None:
    """Solve a x = b in place by elimination with pivots, for all columns of b, in which the solution is left.

    If there is none, or more than one, it is not a number.
    """
    for c in range(n):
        pivot = c
        for i in range(c + 1, n):
            if abs(a[i, c]) > abs(a[pivot, c]):
                pivot = i
        if a[pivot, c] == 0.0:
            b[:n] = np.nan
            return
        for j in range(n):
            a[c, j], a[pivot, j] = a[pivot, j], a[c, j]
        for j in range(b.shape[1]):
            b[c, j], b[pivot, j] = b[pivot, j], b[c, j]
        for i in range(c + 1, n):
            f = a[i, c] / a[c, c]
            if f != 0.0:
                for j in range(c, n):
                    a[i, j] -= f * a[c, j]
                for j in range(b.shape[1]):
                    b[i, j] -= f * b[c, j]
    for j in range(b.shape[1]):
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                b[i, j] -= a[i, k] * b[k, j]
            b[i, j] /= a[i, i]

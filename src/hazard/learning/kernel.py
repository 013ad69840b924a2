"""Networks as compiled code runs them, one position at a time: sparse inputs, then dense layers.

The weights are one flat array (see `weights.as_memory`): HEAD numbers, then layer by layer a matrix, with a row for
each input or neuron below, and a row of offsets. Rows are added one by one, or four at once, which is faster for small
layers. The two differ in how sums are rounded, and so now and then in a move; a game keeps to the one its results were
made with. `network` does the same for training, with numpy: that takes whole batches, and needs gradients.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from hazard.jit import leaf

ONE, FOUR = 1, 4  # rows added at once
HEAD = 4  # numbers before the weights: a digest of them, then the sizes of all layers but the last


# --- sparse inputs -------------------------------------------------------------------------------------------------
@leaf
def weights_at(first: Any, n: int) -> int:
    """Where the weights of an input begin; after the last input come the offsets."""
    return HEAD + n * first.size


@leaf
def set_offsets(first: Any, w: Any, inputs: int) -> None:
    """Begin the first layer of a network with that many inputs: none is on."""
    at = weights_at(first, inputs)
    for i in range(first.size):
        first[i] = w[at + i]


@leaf
def swap_inputs(first: Any, w: Any, old: int, new: int) -> None:
    """Turn one input off, and another on."""
    at, bt = weights_at(first, old), weights_at(first, new)
    a, b = w[at : at + first.size], w[bt : bt + first.size]
    for i in range(first.size):
        first[i] += b[i] - a[i]


@leaf
def add_row(first: Any, w: Any, at: int) -> None:
    row = w[at : at + first.size]
    for i in range(first.size):
        first[i] += row[i]


@leaf
def add_four(first: Any, w: Any, at: int, bt: int, ct: int, dt: int) -> None:
    n = first.size
    a, b, c, d = w[at : at + n], w[bt : bt + n], w[ct : ct + n], w[dt : dt + n]
    for i in range(n):
        first[i] += (a[i] + b[i]) + (c[i] + d[i])


@leaf
def add_inputs(first: Any, w: Any, base: int, seen: Any, n: int, at_once: int) -> None:
    """Turn on the inputs seen[0] to seen[n - 1], counted from input `base` on."""
    k = 0
    while at_once == FOUR and k + 4 <= n:
        at, bt = weights_at(first, base + seen[k]), weights_at(first, base + seen[k + 1])
        ct, dt = weights_at(first, base + seen[k + 2]), weights_at(first, base + seen[k + 3])
        add_four(first, w, at, bt, ct, dt)
        k += 4
    while k < n:
        add_row(first, w, weights_at(first, base + seen[k]))
        k += 1


# --- dense layers --------------------------------------------------------------------------------------------------
@leaf
def add_product(above: Any, x: float, row: Any) -> None:
    for i in range(above.size):
        above[i] += x * row[i]


@leaf
def add_four_products(above: Any, below: Any, rows: Any) -> None:
    n = above.size
    a, b = max(below[0], np.float32(0)), max(below[1], np.float32(0))
    c, d = max(below[2], np.float32(0)), max(below[3], np.float32(0))
    p, q, r, s = rows[0:n], rows[n : 2 * n], rows[2 * n : 3 * n], rows[3 * n : 4 * n]
    for i in range(n):
        above[i] += (a * p[i] + b * q[i]) + (c * r[i] + d * s[i])


@leaf
def run_layer(w: Any, at: int, below: Any, above: Any, at_once: int) -> int:
    """Work out a layer whose weights begin at `at`; where they end is returned. Negative neurons below count as 0."""
    k, n, end = 0, above.size, at + (below.size + 1) * above.size
    for i in range(n):
        above[i] = w[end - n + i]
    while at_once == FOUR and k + 4 <= below.size:
        add_four_products(above, below[k : k + 4], w[at + k * n : at + (k + 4) * n])
        k += 4
    while k < below.size:
        if below[k] > 0:
            add_product(above, below[k], w[at + k * n : at + (k + 1) * n])
        k += 1
    return end


@leaf
def soften(chances: Any) -> None:
    """Softmax: from the last layer to chances that add up to 1."""
    most, total = chances[0], np.float32(0)
    for i in range(chances.size):
        most = max(most, chances[i])
    for i in range(chances.size):
        chances[i] = exp(chances[i] - most)
        total += chances[i]
    for i in range(chances.size):
        chances[i] /= total


@leaf
def first_of_two(w: Any, at: int, below: Any) -> float:
    """The first of two chances, from the layer before the last. Only the difference of the last two sums matters."""
    end = at + 2 * below.size
    lead = w[end] - w[end + 1]
    for k in range(below.size):
        lead += max(below[k], np.float32(0)) * (w[at + 2 * k] - w[at + 2 * k + 1])
    return 1 / (1 + exp(-float(lead)))

"""What a sample says: intervals for shares and means."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054  # standard errors on either side of a 95 % interval


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share; it stays within 0 and 1 and is honest for rare events."""
    if trials <= 0:
        return 0.0, 1.0
    share = hits / trials
    scale = 1 + z * z / trials
    middle = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

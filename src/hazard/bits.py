"""Sets as the bits of a number, 63 at most, and regions of a map: territories or tiles that hang together.

On a map, `near[n]` is the set of the neighbours of n.
"""

from typing import Any

from hazard.jit import rule


@rule
def count(bits: int) -> int:
    """How many members a set has. The compiler knows these lines, and makes one machine instruction of them."""
    bits = int(bits)  # in plain Python a number of numpy would overflow below
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0xFF


@rule
def lowest(bits: int) -> int:
    """The first member of a set that is not empty."""
    return count((bits & -bits) - 1)


@rule
def nth(bits: int, n: int) -> int:
    """The member that has n others before it."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule
def region(near: Any, own: int, inside: int) -> int:
    """Flood fill: those of `own` that hang together with the ones inside."""
    area, rim = inside, inside
    while rim:
        new = near[lowest(rim)] & own & ~area
        rim = (rim & (rim - 1)) | new
        area |= new
    return area


@rule
def largest_region(near: Any, own: int) -> int:
    """The largest region of `own`; of several, the one with the lowest member."""
    best, most = 0, 0
    while count(own) > most:
        area = region(near, own, own & -own)
        own &= ~area
        if count(area) > most:
            best, most = area, count(area)
    return best

"""Who asks: visitors are told apart by their addresses, and each has a fair share of what the server can do.

Whoever has an IPv6 address has a whole network of them, 2**64, so such a network counts as one visitor.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from typing import Generic, TypeVar

from hazard.errors import BadInput

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
T = TypeVar("T")

# For whom the server is at work: set where a request comes in, and inherited by all tasks that it starts.
visitor: ContextVar[str] = ContextVar("visitor", default="")


def visitor_at(address: str) -> str:
    """The name that a visitor is counted under."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def networks_of(texts: Collection[str]) -> tuple[Network, ...]:
    """The addresses and networks of proxies that are trusted, or BadInput."""
    try:
        return tuple(ipaddress.ip_network(text, strict=False) for text in texts)
    except ValueError as problem:
        raise BadInput(f"--trusted-proxy: {problem}; write an address or a network such as 10.0.0.0/8") from None


def is_in(address: str, networks: Collection[Network]) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    plain = getattr(found, "ipv4_mapped", None) or found
    return any(plain in network for network in networks)


def real_address(peer: str, forwarded: str, proxies: Collection[Network]) -> str:
    """The address of a client: that of the connection, or the one that the last trusted proxy saw.

    `forwarded` is the header X-Forwarded-For. Each proxy adds the address it was called from at the end, so it is read
    from there; what stands before the first address that is no trusted proxy may be made up.
    """
    found = peer
    for address in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):
        if not is_in(found, proxies):
            break
        found = address.removeprefix("[").partition("]")[0]
    return found


class FairQueue(Generic[T]):
    """What waits, in turn for each visitor: one who asks for much waits for his own questions, not others for him."""

    def __init__(self) -> None:
        self.places: OrderedDict[str, deque[T]] = OrderedDict()

    def add(self, who: str, place: T) -> None:
        self.places.setdefault(who, deque()).append(place)

    def discard(self, who: str, place: T) -> None:
        """Forget what waits no longer."""
        places = self.places.get(who, deque())
        if place in places:
            places.remove(place)
            if not places:
                del self.places[who]

    def waiting(self, who: str) -> int:
        """How much of this visitor waits."""
        return len(self.places.get(who, ()))

    def pop(self) -> T | None:
        """The first of the visitor whose turn it is; the visitor then goes to the end."""
        if not self.places:
            return None
        who, places = next(iter(self.places.items()))
        found = places.popleft()
        self.places.move_to_end(who)
        if not places:
            del self.places[who]
        return found

    def __iter__(self) -> Iterator[T]:
        return (place for places in self.places.values() for place in places)

    def __len__(self) -> int:
        return sum(map(len, self.places.values()))

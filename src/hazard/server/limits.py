"""The limits of a server: sizes, rates, numbers and times; and what counts rates and connections."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from hazard.errors import BadInput, unknown
from hazard.server.protocol import Refusal


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a server."""

    message: int = 16 << 10  # bytes of one message over WebSocket
    body: int = 64 << 10  # bytes of one HTTP request
    upload: int = 8 << 20  # bytes of a game file
    rate: float = 50.0  # messages a second of one connection, in the long run ...
    burst: float = 100.0  # ... and at once
    requests: float = 50.0  # HTTP requests a second from one address
    patience: int = 50  # messages in a row, malformed or beyond the rate, after which a connection is closed
    ping: float = 20.0  # seconds between pings; a client that does not answer within that time is disconnected
    queue: int = 512  # messages that may wait for a slow reader ...
    unread: int = 1 << 20  # ... and their bytes, besides the largest: a long game may come first
    rooms: int = 1000  # rooms that are open at once
    rooms_each: int = 100  # of them by one visitor
    agent_rooms: int = 8  # and of those without a person
    unwatched: float = 60.0  # seconds after which a game of agents waits that nobody looks at
    connections: int = 2000  # in all
    per_address: int = 64  # connections from one address
    sockets: int = 256  # connections of any kind from one address, those that ask for pages included
    header: float = 10.0  # seconds for the header of a request ...
    reading: float = 120.0  # ... and for its body
    held: int = 32 << 20  # bytes sent to one address that it has not read
    memory: int = 2048  # megabytes of each worker, and of each program that the server starts
    solutions: int = 4096  # megabytes of solutions on the disk, beyond which visitors' questions add none
    questions: int = 64  # of one visitor that may wait for workers: analyses, explored games, agents' moves
    write_rate: float = (
        20_000.0  # bytes a second that one visitor may have stored in the long run: a room counts 20,000
    )
    write_burst: float = 32 << 20  # ... and at once
    disk: int = 4096  # megabytes of all games, beyond which no new ones begin
    enter: float = 10.0  # seconds to say `enter`
    idle: float = 900.0  # seconds after which an empty room is closed; it stays on disk
    longest_answer: float = 7 * 86400.0  # the most seconds that a room may give for an answer
    pace: float = 0.25  # seconds between moves of a game in which only agents sit
    decisions: int = 100_000  # after which a game is cut off
    tournament: int = 100_000  # games of a tournament that is started from a page; a hundredth with agents that search


def limits_of(texts: Iterable[str]) -> Limits:
    """Limits with some changed, each written as KEY=VALUE."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Limits)}
    changed: dict[str, Any] = {}
    for text in texts:
        key, _, value = text.partition("=")
        if key not in kinds:
            raise unknown("limit", key, kinds)
        try:
            changed[key] = kinds[key](value)
        except ValueError:
            changed[key] = 0
        if not 0 < changed[key] < 1e12:
            raise BadInput(f"--limit {text}: must be a number above 0, e.g. {key}={getattr(Limits(), key)}")
    return Limits(**changed)


REQUESTS = 200  # connections besides those of players and spectators, for requests
KNOWN = 10_000  # addresses whose rates are remembered


class RateLimit:
    """A token bucket: allows `rate` a second in the long run, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.left, self.seen = burst, time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Whether that many more are allowed; if so, they are counted."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + max(0.0, now - self.seen) * self.rate)
        self.seen = now
        if self.left < count:
            return False
        self.left -= count
        return True

    @property
    def full(self) -> bool:
        """Whether nothing was taken for so long that it is as new."""
        return self.left + (time.monotonic() - self.seen) * self.rate >= self.burst


class Traffic:
    """Counts connections, and requests by address."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.connected: Counter[str] = Counter()  # by address
        self.sockets: Counter[str] = Counter()  # connections of any kind
        self.held: Counter[str] = Counter()  # bytes that were sent and not read
        self.rates: dict[str, RateLimit] = {}

    def socket_comes(self, address: str) -> bool:
        """Count a connection, unless there are too many, of this address or in all."""
        if self.sockets[address] >= self.limits.sockets or self.sockets.total() >= self.limits.connections + REQUESTS:
            return False
        self.sockets[address] += 1
        return True

    def socket_goes(self, address: str) -> None:
        _less(self.sockets, address, 1)

    def hold(self, address: str, size: int) -> bool:
        """Count bytes that wait to be read, or that wait no longer if `size` is negative; False if it gets too much."""
        if size <= 0:
            _less(self.held, address, -size)
            return True
        self.held[address] += size
        return self.held[address] <= self.limits.held

    def enter(self, address: str) -> None:
        if self.connected.total() >= self.limits.connections:
            raise Refusal("full", f"{self.limits.connections} connections are open; try again later")
        if self.connected[address] >= self.limits.per_address:
            raise Refusal("full", f"{self.limits.per_address} connections from this address are open; close one")
        self.connected[address] += 1

    def leave(self, address: str) -> None:
        _less(self.connected, address, 1)

    def request(self, address: str, count: int = 1) -> None:
        """Count a request over HTTP, which may count as several."""
        rate = self.limits.requests
        if not bucket(self.rates, address, rate, 4 * rate).take(count):
            raise Refusal("rate", f"more than {rate:g} requests a second from this address; wait a little")


def _less(counter: Counter[str], address: str, count: int) -> None:
    counter[address] -= count
    if counter[address] <= 0:
        del counter[address]


def bucket(rates: dict[str, RateLimit], address: str, rate: float, burst: float) -> RateLimit:
    """The bucket of an address. Those that are full again need not be remembered."""
    if len(rates) > KNOWN:
        for known in [known for known, found in rates.items() if found.full]:
            del rates[known]
        for known in list(rates)[: max(0, len(rates) - KNOWN // 2)]:  # everybody is busy: who came first is forgotten
            del rates[known]
    return rates.setdefault(address, RateLimit(rate, burst))

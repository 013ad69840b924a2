"""What a bot may use, and what is said of one that breaks the protocol or its limits."""

from __future__ import annotations

from typing import Literal

import msgspec

from hazard.errors import BadInput

CRASH, TIMEOUT, ILLEGAL, MALFORMED, FLOOD = "crash", "timeout", "illegal", "malformed", "flood"
MEMORY, PROCESSES, START, SUSPENDED = "memory", "processes", "start", "suspended"
REASONS = (START, CRASH, TIMEOUT, ILLEGAL, MALFORMED, FLOOD, MEMORY, PROCESSES, SUSPENDED)


class Limits(msgspec.Struct, frozen=True):
    """What a bot may use, and what follows a fault."""

    bank: float = 10.0  # seconds for all answers of one game
    increment: float = 0.1  # seconds added after each answer
    memory: int = 512  # megabytes resident, of the bot and all processes it starts together
    processes: int = 32  # the bot itself and all processes it starts
    disk: int = 64  # megabytes that it may write to its temporary folder
    start: float = 10.0  # seconds from the start of the command to `ready`
    strikes: int = 3  # faults without a clean game between them, after which the bot is suspended
    fallback: Literal["forfeit", "random"] = "forfeit"  # what a fault costs: the game, or a random legal move instead
    isolated: bool = True  # it is kept from the rest of the machine, where the machine can
    insist: bool = False  # without isolation it is not started
    reads: tuple[str, ...] = ()  # more folders that it may read
    hidden: tuple[str, ...] = ()  # what it may not read, though it is in a folder that it may

    def __post_init__(self) -> None:
        for name, least in (("memory", 1), ("processes", 1), ("disk", 1), ("strikes", 1), ("increment", 0)):
            if not getattr(self, name) >= least:
                raise BadInput(f"{name}={getattr(self, name)}: must be {least} or more")
        for name in ("bank", "start"):
            if not 0 < getattr(self, name) < 1e6:
                raise BadInput(f"{name}={getattr(self, name)}: must be more than 0 seconds and less than a million")
        if self.fallback not in ("forfeit", "random"):
            raise BadInput(f"fallback={self.fallback}: must be forfeit or random")


class Fault(msgspec.Struct, frozen=True):
    """Something that a bot did wrong in a game."""

    seat: int
    place: int  # in the line-up
    reason: str  # one of REASONS
    words: str  # the end of what the bot wrote to standard error
    detail: str = ""  # what was seen, in one line


class BotError(Exception):
    """A bot has done something wrong; its process has been ended or is about to be."""

    def __init__(self, reason: str, detail: str, words: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail, self.words = reason, detail, words

"""Where bots play, whatever the command: a seed that nobody can know, and walls around bots."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from hazard.arena.bots.limits import Limits


def among(agents: Iterable[str]) -> bool:
    """Whether one of the agents is a bot."""
    from hazard.arena.bots.command import is_bot

    return any(map(is_bot, agents))


def chosen_seed(agents: Iterable[str], given: int | None, begun: int | None = None) -> int:
    """The seed: as given, or as a tournament was begun with; else secret where bots play, and 1 where none does."""
    if not among(agents):
        return (begun or 1) if given is None else given
    if given is not None:
        tell(f"--seed {given}: a bot that knows the seed can compute its dice; without --seed it is drawn in secret")
        return given
    return secrets.randbits(53) if begun is None else begun


def chosen_limits(agents: Iterable[str], reads: Sequence[str], trust_bots: bool, **limits: Any) -> Limits:
    """What bots may do. Where bots play that cannot be isolated here, that is said aloud."""
    from hazard.arena.bots.isolation import check_reads
    from hazard.arena.bots.limits import Limits

    found = Limits(isolated=not trust_bots, reads=check_reads(reads), **limits)
    tell_isolation(agents, found)
    return found


def tell_isolation(agents: Iterable[str], limits: Limits) -> None:
    """Say aloud if bots are not isolated."""
    from hazard.arena.bots.isolation import missing

    if among(agents):
        if not limits.isolated:
            tell("WARNING: bots run as you do, and can read and change all that you can")
        elif why := missing():
            tell(f"WARNING: bots are not isolated on this machine ({why}): run only programs that you trust")


def tell(line: str) -> None:
    click.secho(f"hazard: {line}", err=True, fg="yellow")

"""Wishes to take back: at once where all other seats are agents, otherwise when all people and bots have agreed."""

from __future__ import annotations

from hazard.server.protocol import Agree, Answered, Back, Proposed, Refusal
from hazard.server.rooms.table import Step, Table


def back(table: Table, seat: int, said: Back) -> list[Step]:
    """The steps that a wish to take back leads to: the taking back, or a proposal to the others."""
    if said.at != table.ask:
        raise Refusal("stale", f"question {said.at} is not on the table; {table.ask} is")
    if table.proposal:
        raise Refusal("state", f"proposal {table.proposal.seq} has to be answered first")
    stop = table.place_to_go_back(seat, said.to)
    if _others(table, seat):
        return [Step(Proposed(table.seq + 1, seat, stop.seq))]
    return table.take_back(seat, stop)


def agree(table: Table, seat: int, said: Agree) -> list[Step]:
    """The steps that an answer to a proposal leads to; the last to agree takes the game back."""
    proposal = table.proposal
    if proposal is None or proposal.seq != said.proposal:
        raise Refusal("stale", f"there is no proposal {said.proposal}")
    if seat in table.agreed:
        raise Refusal("stale", f"seat {seat} has agreed already")
    steps = [Step(Answered(table.seq + 1, seat, proposal.seq, said.yes))]
    if said.yes and _others(table, proposal.seat) <= {*table.agreed, seat}:
        stop = next(stop for stop in table.trail if stop.seq == proposal.to)
        steps += table.take_back(proposal.seat, stop, after=1)
    return steps


def _others(table: Table, seat: int) -> set[int]:
    """The other seats that people and bots hold."""
    return {other for other, sat in table.sitting.items() if sat.kind != "agent" and other != seat}

"""Taking back: at once if all other seats are agents, otherwise when all other people and bots have agreed."""

from __future__ import annotations

from hazard.server.protocol import Agree, Answered, Back, Proposed, Refusal
from hazard.server.rooms.game_record import GameRecord
from hazard.server.rooms.played import Step


def ask_to_take_back(record: GameRecord, seat: int, request: Back) -> list[Step]:
    """The steps that follow when a seat asks to take back: it is done, or proposed to the others."""
    if request.at != record.ask:
        raise Refusal("stale", f"question {request.at} is not on the table; {record.ask} is")
    if record.proposal:
        raise Refusal("state", f"proposal {record.proposal.seq} has to be answered first")
    stop = record.place_to_go_back(seat, request.to)
    if _others(record, seat):
        return [Step(Proposed(record.seq + 1, seat, stop.seq))]
    return record.take_back(seat, stop)


def answer_proposal(record: GameRecord, seat: int, answer: Agree) -> list[Step]:
    """The steps that follow from an answer to a proposal; the last to agree takes the game back."""
    proposal = record.proposal
    if proposal is None or proposal.seq != answer.proposal:
        raise Refusal("stale", f"there is no proposal {answer.proposal}")
    if seat in record.agreed:
        raise Refusal("stale", f"seat {seat} has agreed already")
    steps = [Step(Answered(record.seq + 1, seat, proposal.seq, answer.yes))]
    if answer.yes and _others(record, proposal.seat) <= {*record.agreed, seat}:
        stop = next(stop for stop in record.trail if stop.seq == proposal.to)
        steps += record.take_back(proposal.seat, stop, after=1)
    return steps


def _others(record: GameRecord, seat: int) -> set[int]:
    """The other seats that people and bots hold."""
    return {other for other, sat in record.sitting.items() if sat.kind != "agent" and other != seat}

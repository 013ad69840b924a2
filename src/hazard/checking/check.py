"""`hazard check`: everything that is wrong with a game, each with a position that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hazard.agents.seating import decider, seat_agents
from hazard.checking.findings import Failure, Finding, shown
from hazard.checking.play import compared, endless, growing, positions
from hazard.checking.position import Look, Looker
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.rulebook import Game

POSITIONS = 4_000  # looked at
AGENTS = 40  # positions in which every agent is asked, 3 for one that searches


@dataclass(frozen=True)
class Report:
    """What was found."""

    positions: int
    all: bool  # whether these are all positions that play can reach
    findings: list[Finding]

    @property
    def passed(self) -> bool:
        return not any(found.wrong for found in self.findings)


def check(game: Game, most: int = POSITIONS) -> Report:
    """Run the conformance test on a game."""
    looker = Looker(game)
    looks: list[Look] = []
    kinds: dict[str, Finding] = {}
    for s, found in positions(looker, most):
        if isinstance(found, Failure):
            _note(kinds, Finding(found.what, shown(game, s)))
        else:
            looks.append(found)
    for finding in of_plain(looker, looks):
        _note(kinds, finding)
    if not any(finding.wrong for finding in kinds.values()):
        for finding in of_compiled(looker, looks):
            _note(kinds, finding)
    return Report(len(looks), len(looks) < most // 2, list(kinds.values()))


def _note(kinds: dict[str, Finding], finding: Finding) -> None:
    """Keep the first finding of each kind: those that differ in numbers only are of one."""
    kind = "".join(" " if letter.isdigit() else letter for letter in finding.what).split(" gives ")[0][:60]
    kinds.setdefault(kind, finding)


def of_plain(looker: Looker, looks: list[Look]) -> Iterator[Finding]:
    """Texts and payoffs."""
    texts: dict[str, Any] = {}
    for found in looks:
        try:
            yield from looker.words(found)
            other = texts.setdefault(str(looker.game.notation.text(looker.g, found.state)), found.state)
        except Exception as problem:
            yield Finding(f"its words fail: {type(problem).__name__}: {problem}", shown(looker.game, found.state))
            continue
        if other != found.state:
            yield Finding(f"text writes the same for {other} and {found.state}", shown(looker.game, found.state))
    yield from _sums(looker.game, looks)


def _sums(game: Game, looks: list[Look]) -> Iterator[Finding]:
    """Payoffs that do not add up, or lie outside what the game says."""
    ends = [found for found in looks if found.over]
    sums = {round(sum(found.payoffs), 9): found for found in ends}
    scoring = next((found for found in looks if any(found.gains)), None)
    if scoring and game.seats == 2:
        said = "gain scores for the mover alone: what seats get then need not add up; that is allowed"
        yield Finding(f"{said}, but such a game of two is played and not solved", shown(game, scoring.state), False)
    beyond = [found for found in ends if not 0 <= min(found.payoffs) <= max(found.payoffs) <= 1]
    if beyond and game.file and not game.declaration.lab.unit:
        said = f"payoffs such as {beyond[0].payoffs[0]:g} would be shown as percentages in the lab"
        yield Finding(f'{said}; say what they are, e.g. UNIT = "points"', shown(game, beyond[0].state), False)
    if len(sums) > 1 and game.seats == 2 and "purse" not in game.contract:
        said = f"payoffs add up to {min(sums):g} in some ends and to {max(sums):g} in others; that is allowed"
        yield Finding(
            f"{said}, but there is then no value that both sides agree on", shown(game, sums[max(sums)].state), False
        )
    if "purse" in game.contract:
        whole, least = float(game.ask("purse")), float(game.ask("floor"))
        for found in ends:
            if abs(sum(found.payoffs) - whole) > 1e-9 * max(1.0, abs(whole)):
                yield Finding(
                    f"payoffs add up to {sum(found.payoffs):g}, but purse says {whole:g}", shown(game, found.state)
                )
            if "floor" in game.contract and min(found.payoffs) < least:
                yield Finding(f"a payoff is {min(found.payoffs):g}, but floor says {least:g}", shown(game, found.state))


def of_compiled(looker: Looker, looks: list[Look]) -> Iterator[Finding]:
    """What needs compiled rules: they agree with plain ones, play ends, agents make legal moves."""
    from hazard.own_games.faults import explain

    game = looker.game
    try:
        yield from compared(game, looks)
        yield from filter(None, [endless(game) or growing(looker)])
        yield from _agents(game, [found for found in looks if len(found.moves) > 1])
    except BadInput:
        raise
    except Exception as problem:
        said = explain(problem, [game.file.path] if game.file else [])
        if said is None:
            raise
        yield Finding(said, shown(game, game.start().state))


def _agents(game: Game, decisions: list[Look]) -> Iterator[Finding]:
    """Agents that make moves which are not legal."""
    names = [name for name, agent in game.agents.items() if not agent.solved]
    _, memories = seat_agents(game, names)
    rng, room = stream(1), np.zeros(int(game.ask("fanout")), np.int64)
    for name, memory in zip(names, memories, strict=True):
        count = 3 if game.agents[name].slow else AGENTS
        for found in decisions[:: max(1, len(decisions) // count)][:count]:
            made = int(decider(game, name)(game.table, found.state, room, memory, rng))
            if made not in found.moves:
                yield Finding(f"agent {name} makes move {made}, which is not in the list", shown(game, found.state))
                break

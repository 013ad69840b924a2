"""Playing in the terminal: seats are people or agents; the dice come from a seed that is printed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import click

from hazard import dice
from hazard.arena.line_up import agent_move, seat_agents
from hazard.errors import BadInput
from hazard.rulebook import Game, Position

HUMAN = "human"


def play_in_terminal(game: Game, seats: Sequence[str], seed: int | None) -> None:
    """Play one game to its end."""
    seats = list(seats) or [HUMAN, *[_opponent(game)] * (game.seats - 1)]
    if len(seats) != game.seats:
        raise BadInput(f"{len(seats)} seats named, but {game.name} has {game.seats}; name human or an agent for each")
    numbers, memory = seat_agents(game, [None if name == HUMAN else name for name in seats])
    seed = secrets.randbelow(2**31) if seed is None else seed
    if seed < 0:
        raise BadInput(f"seed={seed}: must be 0 or more")
    streams = [dice.stream(seed, 0, n) for n in range(dice.AGENTS + game.seats)]
    click.echo(f"{game.notation.TITLE}: " + ", ".join(f"{game.seat_name(p)} is {name}" for p, name in enumerate(seats)))
    click.echo(f"Seed {seed}. Type a move or its number; `advice` shows what each is worth, `quit` ends.")
    position = game.deal(streams[dice.BOARD])
    while not position.over:
        if position.rolling:
            outcome = position.roll(streams[dice.DICE + position.mover])
            click.echo(f"  the dice: {outcome.text}")
            position = outcome.position
            continue
        who = position.mover
        click.echo(f"{position}   {game.seat_name(who)} ({seats[who]})")
        if numbers[who] < 0:
            move = _ask(position)
            if move is None:
                return
        else:
            move = agent_move(position, numbers[who], memory[who], streams[dice.AGENTS + who])
            click.echo(f"  plays {move}")
        position = position.move(move)
    click.echo(f"{position}   over")
    for seat, payoff in enumerate(position.payoffs):
        click.echo(f"  {game.seat_name(seat)} ({seats[seat]}): {payoff:g}")


def _opponent(game: Game) -> str:
    """The best that can play at once."""
    from hazard.solving.store import can_be_solved

    if "optimal" in game.agents and can_be_solved(game):
        return "optimal"
    return next((name for name in ("greedy", "random") if name in game.agents), next(iter(game.agents)))


def _ask(position: Position) -> str | None:
    """A legal move from the person at the terminal; None to quit."""
    names = position.moves
    if len(names) == 1:
        click.echo(f"  only move: {names[0]}")
        return names[0]
    menu = "  ".join(f"{n}: {name}" for n, name in enumerate(names, 1))
    while True:
        try:
            said = click.prompt(f"  {menu}", prompt_suffix=" > ").strip().lower()
        except click.Abort:
            click.echo()
            return None
        if said == "quit":
            return None
        if said == "advice":
            _advise(position)
            continue
        fitting = [name for n, name in enumerate(names, 1) if said == str(n)] or [
            n for n in names if n.startswith(said)
        ]
        if len(fitting) == 1:
            return fitting[0]
        click.echo(f"  {said!r} is not one of: {', '.join(names)}")


def _advise(position: Position) -> None:
    from hazard.solving.store import solved

    for row in solved(position.game).advise(position):
        click.echo(f"    {row.move}: {row.value:.4f}" + (f" (costs {row.cost:.4f})" if row.cost > 0 else ""))

"""Seats a local agent or bot in a room of a server, and answers the server's questions until the game has ended."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from msgspec.structs import replace

from hazard import dice
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.bots.bot import Bot
from hazard.arena.bots.command import command_of, is_bot
from hazard.arena.bots.limits import BotError, Limits
from hazard.arena.bots.messages import PROTOCOL, Ask, End, Move, NewGame, Ready
from hazard.errors import BadInput
from hazard.rulebook import Game, make_game
from hazard.server.guest.client import Guest, ask_server, place_of, sit_down
from hazard.server.protocol import Ended, Snapshot

Player = Callable[[Ask, NewGame], Move]
LONGEST = 86_400.0  # seconds that a bot gets where the room sets no limit


def join_room(
    url: str, agent: str, seat: int | None, name: str, token: str, limits: Limits | None = None
) -> dict[str, Any]:
    """Play one game; the result says how it ended. Without a token, a seat is taken first."""
    place = place_of(url)
    room = ask_server(place.server, f"/api/rooms/{place.room}")
    game = make_game(room["game"], room["parameters"])
    with ExitStack() as stack:
        player = _player(game, agent, stack, limits or Limits())
        token = token or sit_down(url, seat, "bot", name).token
        guest = stack.enter_context(Guest(url, token, game=game))
        return _play(guest, player, agent)


def _play(guest: Guest, player: Player, agent: str) -> dict[str, Any]:
    now = NewGame(0, 0, 0, LONGEST, 0.0)
    while True:
        message = guest.hear()
        match message:
            case NewGame():
                now = message
                guest.say(Ready(PROTOCOL, agent))
            case Ask():
                guest.say(player(message, now))
            case End():
                return {"payoffs": message.payoffs, "reason": message.reason}
            case Snapshot(status="over"):
                ended = next(event for event in message.events if isinstance(event, Ended))
                return {"payoffs": ended.payoffs, "reason": ended.reason}


def _player(game: Game, agent: str, stack: ExitStack, limits: Limits) -> Player:
    """The function that answers questions: by a bot's process, or by an agent of the game."""
    return _bot(game, agent, stack, limits) if is_bot(agent) else _built_in(game, agent)


def _built_in(game: Game, agent: str) -> Player:
    (number,), (memory,) = seat_agents(game, [agent])

    def answer(ask: Ask, now: NewGame) -> Move:
        rng = dice.stream(now.seed, ask.ask, dice.AGENTS)
        return Move(ask.ask, agent_move(game.parse(ask.position), number, memory, rng))

    return answer


def _bot(game: Game, agent: str, stack: ExitStack, limits: Limits) -> Player:
    bot = stack.enter_context(Bot(command_of(agent), game, limits))

    def answer_ask(ask: Ask, now: NewGame) -> Move:
        try:
            if bot.now != now:
                bot.limits = replace(limits, bank=min(now.bank, LONGEST), increment=0.0)
                bot.begin(now.game, now.seat, now.seed)
                bot.now = now
            bot.bank = min(ask.remaining, LONGEST)
            answer = bot.ask(game.parse(ask.position).state)
        except BotError as fault:
            raise BadInput(f"{agent}: {fault}" + (f"; its last words: {fault.words}" if fault.words else "")) from None
        return Move(ask.ask, ask.moves[ask.numbers.index(answer.move)], answer.comment)

    return answer_ask

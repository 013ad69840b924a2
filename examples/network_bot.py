#!/usr/bin/env python3
"""A bot over the network: takes a seat in a room of a Hazard server and plays it. python network_bot.py URL

It holds at 20 points in the pot; in a game without a pot it takes the first legal move. The messages are those of a
bot on standard input and output, except for the first one, `enter`, and for its part in the dice: it promises a part of
every throw and tells it when the server asks, so that nobody can know or choose the dice beforehand. A bot may leave
that out; then its seat takes no part in them.
"""

import hashlib
import hmac
import json
import secrets
import sys
import urllib.request

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def choose(ask: dict) -> str:
    moves, pot = ask["moves"], ask["state"].get("pot", 0)
    return "hold" if pot >= 20 and "hold" in moves else moves[0]


SECRET = secrets.token_bytes(32)  # of the parts in the dice; nobody else knows it
told: dict[int, int] = {}  # for which event the part in a throw was told


def part_in(throw: int) -> bytes:
    return hmac.digest(SECRET, f"throw {throw}".encode(), "sha256")[:16]


def promise_of(throw: int) -> str:
    return hashlib.sha256(part_in(throw)).hexdigest()


def part_for(asked: dict) -> dict:
    """The part in a throw. It is told once: a server that asks again for another place in the game gets none."""
    throw, at = asked["throw"], asked["at"]
    if told.setdefault(throw, at) != at or throw < max(told):
        sys.exit("the server asks twice for the same part; its dice cannot be trusted")
    return {"type": "part", "throw": throw, "part": part_in(throw).hex(), "next": promise_of(throw + 1)}


def take_seat(server: str, room: str) -> str:
    """Take the first open seat; its token is the key to it."""
    wish = json.dumps({"kind": "bot", "name": "hold at 20", "promise": promise_of(1)}).encode()
    request = urllib.request.Request(f"{server}/api/rooms/{room}/seats", wish, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]


def play(server: str, room: str, token: str) -> bool:
    """Answer what is asked; whether the game has ended."""
    with connect(f"ws{server.removeprefix('http')}/ws") as socket:
        socket.send(json.dumps({"type": "enter", "room": room, "token": token}))
        for line in socket:
            message = json.loads(line)
            if message["type"] == "hello":
                socket.send(json.dumps({"type": "ready", "protocol": 1, "name": "hold at 20"}))
            elif message["type"] == "throw":
                socket.send(json.dumps(part_for(message)))
            elif message["type"] == "ask":
                socket.send(json.dumps({"type": "move", "ask": message["ask"], "move": choose(message)}))
            elif message["type"] == "end":
                print("payoffs by seat:", message["payoffs"])
                return True
    return False


if __name__ == "__main__":
    server, _, room = sys.argv[1].rpartition("/rooms/")
    token = take_seat(server, room)
    while True:
        try:
            if play(server, room, token):
                break
        except (ConnectionClosed, OSError):
            continue  # come back; the server asks again what it asked before

#!/usr/bin/env python3
"""Holds at 20 points in the pot; in a game without a pot it takes the first legal move."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "name": "hold at 20"}), flush=True)
    elif message["type"] == "ask":
        moves, pot = message["moves"], message["state"].get("pot", 0)
        move = "hold" if pot >= 20 and "hold" in moves else moves[0]
        print(json.dumps({"type": "move", "ask": message["ask"], "move": move}), flush=True)

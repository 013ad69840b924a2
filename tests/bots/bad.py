"""Bots that misbehave, each in its own way: `bad.py WAY`. All but their fault they do as a good bot would."""

import json
import os
import sys
import time

WAY = sys.argv[1]


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def answer(ask: dict, /, **changed: object) -> None:
    say(**{"type": "move", "ask": ask["ask"], "move": ask["moves"][0]} | changed)


def hang() -> None:
    while True:
        time.sleep(60)


def forked(work: object) -> None:
    """Run something in a grandchild that belongs to no one and has a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            work()  # type: ignore[operator]
        os._exit(0)
    os.wait()


def fill(megabytes: int) -> None:
    kept = []
    for _ in range(megabytes):
        kept.append(bytearray(b"x") * (1 << 20))
        time.sleep(0.001)
    hang()


# --- before the first line is read -----------------------------------------------------------------------------------
if WAY == "dies":
    sys.exit("I will not play")
if WAY == "mute":
    hang()
if WAY == "deaf":
    say(type="ready", protocol=1)
    hang()
if WAY == "chatty":
    print("Good morning!", flush=True)
if WAY == "stubborn":
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if WAY == "orphans":
    forked(hang)
    forked(hang)

# --- the game --------------------------------------------------------------------------------------------------------
game, count = 0, 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        say(type="ready", protocol=2 if WAY == "newer" else 1, name=WAY)
    elif kind == "game":
        game = message["game"]
    elif kind != "ask":
        if WAY == "strict" and kind not in ("end", "bye"):
            raise ValueError(f"unknown message {kind}")
    elif WAY == "crash" or (WAY == "odd" and game // 2 % 2):
        count += 1
        if count == 3 or WAY == "odd":
            raise ValueError("my last words\x1b[2J")
        answer(message)
    elif WAY == "hang":
        hang()
    elif WAY == "late":
        time.sleep(1)
        answer(message)
    elif WAY == "illegal":
        answer(message, move="cheat")
    elif WAY == "words":
        print("I roll", flush=True)
    elif WAY == "typed":
        answer(message, move=1)
    elif WAY == "bytes":
        os.write(1, b'{"type":"move","ask":\xff}\n')
    elif WAY == "deep":
        os.write(1, b'{"type":"move","x":' + b"[" * 50_000 + b"\n")
    elif WAY == "counts":
        count += 1
        answer(message, ask=count + 1)
    elif WAY == "twice":
        answer(message)
        answer(message)
    elif WAY == "flood":
        os.write(1, b"{}\n" * 10_000)
        while True:
            os.write(1, b"{}\n" * 10_000)
    elif WAY == "long":
        while True:
            os.write(1, b"x" * 65536)
    elif WAY == "loud":
        for _ in range(20):
            os.write(2, b"noise " * 10_000)
        os.write(2, b"the end of the noise\n")
        answer(message)
    elif WAY == "hog":
        fill(400)
    elif WAY == "family":
        forked(lambda: fill(400))
        hang()
    elif WAY == "greedy":
        kept = bytearray(1 << 36)
        answer(message)
    elif WAY == "bomb":
        for _ in range(60):
            if os.fork() == 0:
                hang()
        hang()
    elif WAY == "runaway":
        while True:
            os.fork()
    elif WAY == "closes":
        os.close(1)
        hang()
    elif WAY == "murder":
        forked(hang)
        os.kill(os.getppid(), 9)
        hang()
    elif WAY == "dice":
        import random

        answer(message, move=random.SystemRandom().choice(message["moves"]))
    elif WAY == "comments":
        answer(message, comment=f"of {len(message['moves'])}\a", more="ignored")
    else:
        answer(message)
if WAY == "stubborn":
    hang()

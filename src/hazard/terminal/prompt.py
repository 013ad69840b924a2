"""The prompt for the person at the terminal: a move by its name, its beginning or its number, or a command word."""

from __future__ import annotations

from collections.abc import Sequence

import click

HINT, BACK, LUCK, QUIT, RESIGN = "?", "back", "luck", "quit", "resign"
WORDS = {"?": HINT, "hint": HINT, "advice": HINT, "back": BACK, "luck": LUCK, "quit": QUIT}
HELP = "Type a move or its number; `?` shows what each is worth, `back` takes back, `luck` sums up, `quit` ends."


def ask(moves: Sequence[str], more: Sequence[str] = ()) -> str:
    """Ask until the answer is a move, one of the words, or one of `more` words; the end of the input is `quit`."""
    while True:
        try:
            typed = click.prompt(" ", prompt_suffix="> ", show_default=False).strip()
        except click.Abort:
            click.echo()
            return QUIT
        meanings = meanings_of(typed, moves, more)
        if len(meanings) == 1:
            return meanings[0]
        if meanings:
            click.echo(f"  {typed!r} may be any of: {', '.join(meanings)}")
        else:
            click.echo(f"  {typed!r} is not one of: {', '.join(moves)}")


def meanings_of(typed: str, moves: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """What may be meant. Moves come before words, whole names before beginnings."""
    typed = typed.lower()
    for matching in (
        [move for move in moves if move.lower() == typed],
        [move for n, move in enumerate(moves, 1) if typed == str(n)],
        [WORDS[typed]] if typed in WORDS else [word for word in more if word == typed],
    ):
        if matching:
            return matching
    return [move for move in moves if typed and move.lower().startswith(typed)]

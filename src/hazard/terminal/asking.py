"""Asking the person at the terminal: a move by its name, the beginning of it or its number, or a word for the table."""

from __future__ import annotations

from collections.abc import Sequence

import click

HINT, BACK, LUCK, QUIT, RESIGN = "?", "back", "luck", "quit", "resign"
WORDS = {"?": HINT, "hint": HINT, "advice": HINT, "back": BACK, "luck": LUCK, "quit": QUIT}
HELP = "Type a move or its number; `?` shows what each is worth, `back` takes back, `luck` sums up, `quit` ends."


def ask(moves: Sequence[str], more: Sequence[str] = ()) -> str:
    """One of the moves, of the words, or of more words; the end of the input is `quit`."""
    while True:
        try:
            said = click.prompt(" ", prompt_suffix="> ", show_default=False).strip()
        except click.Abort:
            click.echo()
            return QUIT
        found = understood(said, moves, more)
        if len(found) == 1:
            return found[0]
        if found:
            click.echo(f"  {said!r} may be any of: {', '.join(found)}")
        else:
            click.echo(f"  {said!r} is not one of: {', '.join(moves)}")


def understood(said: str, moves: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """What may be meant. Moves come before words, whole names before beginnings."""
    said = said.lower()
    for fitting in (
        [move for move in moves if move.lower() == said],
        [move for n, move in enumerate(moves, 1) if said == str(n)],
        [WORDS[said]] if said in WORDS else [word for word in more if word == said],
    ):
        if fitting:
            return fitting
    return [move for move in moves if said and move.lower().startswith(said)]

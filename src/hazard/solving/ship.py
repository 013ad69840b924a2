"""Makes the solutions that ship with the package again: `make solved`, after a change to the rules of their games.

A game whose folder has a folder `solved` ships its solution with default parameters, and the table of all best moves,
so that a newcomer's first advice and first game against `optimal` wait for nothing.
"""

from __future__ import annotations

from hazard.declaration import game_names
from hazard.rulebook import game
from hazard.solving.solution import save, shipped_at, solve


def main() -> None:
    for name in game_names():
        chosen = game(name)
        if (folder := shipped_at(chosen)) and folder.is_dir():
            solution = solve(chosen)
            _ = solution.policy  # is then kept, too
            print(save(solution, folder))


if __name__ == "__main__":
    main()

"""Puzzles: what they claim is so by the values they were made of; those that ship go with the rules of today."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hazard
from hazard.analysis.puzzles import LEAST_COST, SAME, collection_of, load, make_puzzles, shipped_at
from hazard.declaration import declared, game_names
from hazard.solving.solution import solved, within_reach
from tests.waiting import PATIENCE

SHIPPED = [name for name in game_names() if shipped_at(name).exists()]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hazard", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_most_games_ship_some() -> None:
    assert set(SHIPPED) >= {"pig", "great-rolled-ones", "risk", "pickomino", "dice-of-doom"}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_puzzles_go_with_the_rules(name: str) -> None:
    """They are of the game that the lab offers first; every position is one, with the moves that are legal there."""
    found = collection_of(name)
    assert found, f"the rules of {name} have changed: make its puzzles again (`make solved`)"
    game = hazard.game(name, **found.parameters)
    usual = hazard.game(name, **declared(name).lab.parameters)
    assert game == usual
    assert len({puzzle.id for puzzle in found.puzzles}) == len(found.puzzles) >= 50
    for puzzle in found.puzzles[::7]:
        position = game.parse(puzzle.position)
        assert sorted(position.moves) == sorted(choice.move for choice in puzzle.choices)
        costs = [choice.cost for choice in puzzle.choices]
        assert costs == sorted(costs)
        assert costs[0] == 0
        assert 1 <= puzzle.level <= 5
        assert set(puzzle.fooled) <= set(game.agents)
        assert puzzle.choices[0].why


@pytest.mark.parametrize("name", [name for name in SHIPPED if within_reach(hazard.game(name))])
def test_costs_are_those_of_the_solution(name: str) -> None:
    found = collection_of(name)
    assert found
    game = hazard.game(name, **found.parameters)
    if not within_reach(game):
        pytest.skip("takes long to solve")
    solution = solved(game)
    for puzzle in found.puzzles[::5]:
        rows = {row.move: row.cost for row in solution.advise(game.parse(puzzle.position))}
        for choice in puzzle.choices:
            assert abs(rows[choice.move] - choice.cost) < 2e-6


def test_made_again_they_are_the_same() -> None:
    game = hazard.game("pig", goal=25)
    one, two = (make_puzzles(game, 12, seed=5) for _ in range(2))
    assert one == two
    span = 1.0
    for puzzle in one.puzzles:
        wrong = [choice.cost for choice in puzzle.choices if choice.cost > SAME * span]
        assert min(wrong) >= LEAST_COST * span


def test_what_has_no_values_makes_no_puzzles(tmp_path: Path) -> None:
    done = run("puzzles", "dice-wars", "--count", "3", "--out", str(tmp_path / "x.json"))
    assert done.returncode == 2
    assert "neither solved nor judged" in done.stderr


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "pig.json"
    done = run("puzzles", "pig", "-p", "goal=20", "--count", "5", "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["puzzles"] == 5
    assert (report["parameters"]["goal"], report["known"]) == (20, "exact")
    assert load(out)
    out.write_text(out.read_text()[:-20])
    assert load(out) is None

"""Recorded games stay the same, move by move. It takes seconds, since nothing is compiled: run it after every change.

Games by agents that search or have solved the game are in `test_compiled.py`.
"""

import pytest

import hazard
from tests.conftest import EVERY, UNCOUNTED, name_of
from tests.traces import check_trace, playthrough, record_of

STEPS = 60  # of games by agents
PLAYED = [  # a dealt game of each kind by agents that think
    ("pig", {}, ["hold-at-20", "optimal"]),
    ("great-rolled-ones", {}, ["optimal", "keep-pace"]),
    ("great-rolled-ones", {"players": 3, "goal": 30}, ["keep-pace", "fixed-hold-at", "random"]),
    ("risk", {"attackers": 12, "defenders": 12}, ["optimal", "koole"]),
    ("dice-of-doom", {"board": "3x3", "max_dice": 3}, ["greedy", "random"]),
    ("pickomino", {"players": 5}, ["turn", "s1", "s2", "s3", "random"]),
    ("dice-wars", {}, ["ste", "sdc"]),
]
MORE = [  # several seats where a game has them, and agents that search: these take long to compile
    ("dice-of-doom", {"board": "2x2", "max_dice": 2}, ["optimal", "expectimax"]),
    ("dice-of-doom", {"board": "3x4", "max_dice": 4, "players": 4, "reinforcement": "weighted"}, ["greedy"] * 4),
    ("pickomino", {}, ["turn", "s3"]),
    ("pickomino", {"tiles": 3, "players": 2}, ["optimal", "master"]),
    ("dice-wars", {"players": 5}, ["master-fast", "ste", "sdc", "naive", "ste-corrected"]),
]


def played_name(name: str, parameters: dict, agents: list[str]) -> str:
    return "-".join([name_of((name, parameters)), "by", *agents])


def is_quick(name: str, parameters: dict, agents: list[str]) -> bool:
    """Whether all of them decide at once in plain Python."""
    known = hazard.game(name, **parameters).agents
    return not any(known[agent].slow or known[agent].solved for agent in agents)


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAZARD_JIT", "0")


@pytest.mark.parametrize("case", [*EVERY, *UNCOUNTED], ids=name_of)
def test_recorded_games(case: tuple[str, dict]) -> None:
    game = hazard.game(case[0], **case[1])
    check_trace(name_of(case), playthrough(game, ["random"] * game.seats, seed=5)[0])


QUICK = [case for case in (*PLAYED, *MORE) if is_quick(*case)]


@pytest.mark.parametrize("case", QUICK, ids=lambda case: played_name(*case))
def test_recorded_games_by_agents_begin_the_same(case: tuple[str, dict, list[str]]) -> None:
    name, parameters, agents = case
    lines, _ = playthrough(hazard.game(name, **parameters), agents, seed=7, dealt=True, most=STEPS)
    assert lines == record_of(played_name(*case)).read_text().splitlines()[:STEPS]

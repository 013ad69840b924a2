"""The games in examples/games: rules alone, short, right, and played like any other."""

from pathlib import Path

import pytest

import hazard
from hazard.checking.check import check
from hazard.rulebook import Position

FOLDER = Path(__file__).parents[2] / "examples" / "games"
SMALL = {
    "pig_rules": {"goal": 12},
    "great_rolled_ones_rules": {"goal": 6, "ceiling": 14},
    "cant_stop": {"sides": 2},
    "risk_battle": {"attackers": 5, "defenders": 4},
}


def example(name: str, **parameters: int) -> hazard.Game:
    return hazard.game(str(FOLDER / f"{name}.py"), **parameters)


def test_all_examples_are_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_examples_pass_the_check_and_are_played(name: str) -> None:
    path = FOLDER / f"{name}.py"
    assert len(path.read_text().splitlines()) < 150
    game = example(name, **SMALL[name])
    report = check(game, 400)
    assert [finding for finding in report.findings if finding.wrong] == []
    agents = ["rollout", "random"][: game.seats]
    result = hazard.match(game, *agents, games=20)
    assert (result.games, result.cut) == (20, 0)


def both(one: Position, other: Position, translate: dict[str, str]) -> None:
    """Two games are the same: moves and dice correspond, whatever their positions are called."""
    seen, waiting = set(), [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if a.state in seen:
            continue
        seen.add(a.state)
        assert (a.over, a.rolling, a.mover) == (b.over, b.rolling, b.mover)
        if a.over:
            assert a.payoffs == b.payoffs
        elif a.rolling:
            assert [o.probability for o in a.outcomes()] == [o.probability for o in b.outcomes()]
            waiting += [(x.position, y.position) for x, y in zip(a.outcomes(), b.outcomes(), strict=True)]
        else:
            assert [translate.get(m, m) for m in a.moves] == b.moves
            waiting += [(a.move(x), b.move(y)) for x, y in zip(a.moves, b.moves, strict=True)]


def test_pig_is_the_pig_of_the_package() -> None:
    both(example("pig_rules", goal=12).start(), hazard.game("pig", goal=12).start(), {"0": "roll", "1": "hold"})


def test_great_rolled_ones_is_that_of_the_package() -> None:
    theirs = hazard.game("great-rolled-ones", goal=6)
    ours = example("great_rolled_ones_rules", goal=6, ceiling=int(theirs.g.ceiling))
    both(ours.start(), theirs.start(), {"0": "roll", "1": "hold"})


def test_cant_stop_by_hand() -> None:
    game = example("cant_stop")
    rolled = next(o.position for o in game.start().outcomes() if o.text == "3-2-2-1")
    assert rolled.moves == ["3 and 5", "4"] or set(rolled.moves) == {"3 and 5", "4 and 4"}
    climbed = rolled.move(rolled.moves[0])
    assert climbed.moves == ["roll", "stop"]
    stopped = climbed.move("stop")
    assert (stopped.mover, stopped.state.run, stopped.rolling) == (1, 0, True)
    assert stopped.state.you == climbed.state.run


def test_risk_is_the_battle_of_the_package() -> None:
    """The same chance for the attacker, who has no reason to stop."""
    ours = example("risk_battle", attackers=5, defenders=4)
    known: dict[object, float] = {}

    def value(position: Position) -> float:
        if position.state not in known:
            if position.over:
                found = position.payoffs[0]
            elif position.rolling:
                found = sum(float(o.probability) * value(o.position) for o in position.outcomes())
            else:
                best = max if position.mover == 0 else min
                found = best(value(position.move(m)) for m in position.moves)
            known[position.state] = found
        return known[position.state]

    theirs = hazard.solve(hazard.game("risk", attackers=5, defenders=4))
    assert value(ours.start()) == pytest.approx(theirs.value(theirs.game.start())[0], abs=1e-9)

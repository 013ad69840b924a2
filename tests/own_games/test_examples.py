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
    "dice_of_doom_rules": {"max_dice": 3},
}
OF_THE_PACKAGE = [  # the file and its parameters, and the same game of the package with its own solver
    ("pig_rules", {"goal": 30}, "pig", {"goal": 30}),
    ("great_rolled_ones_rules", {"goal": 8}, "great-rolled-ones", {"goal": 8}),
    ("risk_battle", {"attackers": 9, "defenders": 7}, "risk", {"attackers": 9, "defenders": 7}),
    *(
        ("dice_of_doom_rules", {"max_dice": n}, "dice-of-doom", {"board": "2x2", "max_dice": n, "turns": 0})
        for n in (2, 3, 4)
    ),
]


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


@pytest.mark.parametrize(("name", "parameters", "theirs", "same"), OF_THE_PACKAGE)
def test_the_solvers_of_the_package_agree(name: str, parameters: dict, theirs: str, same: dict) -> None:
    """Each value lies within the certified bounds of the other."""
    other = hazard.solve(hazard.game(theirs, **same))
    if name.startswith("great"):
        parameters = parameters | {"ceiling": int(other.game.g.ceiling)}
    one = hazard.solve(example(name, **parameters))
    (lower, _), (upper, _) = one.bounds(one.game.start())
    (low, _), (high, _) = other.bounds(other.game.start())
    assert lower <= high
    assert low <= upper
    assert upper - lower <= 2e-9
    assert high - low <= 2e-9


def iterated(game: hazard.Game) -> float:
    """The first player's value, by plain value iteration over all positions."""
    links: dict[Position, list[tuple[float, Position]]] = {}
    values: dict[Position, float] = {}
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        if position in links:
            continue
        ways = [(float(o.probability), o.position) for o in position.outcomes()]
        links[position] = ways or [(1.0, position.move(move)) for move in position.moves]
        values[position] = position.payoffs[0] if position.over else 0.0
        waiting += [after for _, after in links[position]]
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for position, ways in links.items():
            if not position.over:
                worths = [values[after] for _, after in ways]
                found = max(worths) if position.mover == 0 else min(worths)
                if position.rolling:
                    found = sum(p * values[after] for p, after in ways)
                change, values[position] = max(change, abs(found - values[position])), found
    return values[game.start()]


@pytest.mark.parametrize(
    ("name", "parameters"), [("pig_rules", {"goal": 8}), ("risk_battle", {"attackers": 3, "defenders": 2})]
)
def test_value_iteration_agrees(name: str, parameters: dict) -> None:
    game = example(name, **parameters)
    assert hazard.solve(game).value(game.start())[0] == pytest.approx(iterated(game), abs=1e-9)


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

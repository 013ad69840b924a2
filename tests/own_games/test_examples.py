"""The games in examples/games: rules alone, short, right, and played like any other."""

from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.checking.check import check
from hazard.rulebook import Position

FOLDER = Path(__file__).parents[2] / "examples" / "games"
SMALL = {
    "pig_rules": {"goal": 12},
    "great_rolled_ones_rules": {"goal": 6, "ceiling": 14},
    "hog": {"goal": 10, "most": 4},
    "shut_the_box": {"tiles": 6, "single": 1},
    "cant_stop": {"sides": 2},
    "ur": {"pieces": 1},
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


def cleared(game: hazard.Game) -> float:
    """The chance of the best play of one player, position by position."""
    known: dict[object, float] = {}

    def value(position: Position) -> float:
        if position.state not in known:
            if position.over:
                found = position.payoffs[0]
            elif position.rolling:
                found = sum(float(o.probability) * value(o.position) for o in position.outcomes())
            else:
                found = max(value(position.move(m)) for m in position.moves)
            known[position.state] = found
        return known[position.state]

    return value(game.start())


def test_shut_the_box_as_published() -> None:
    """7.1432 % with two dice always, 9.7614 % with one die when the tiles left add up to six or less (durangobill)."""
    assert cleared(example("shut_the_box")) == pytest.approx(0.071432, abs=5e-7)
    assert cleared(example("shut_the_box", single=1)) == pytest.approx(0.097614, abs=5e-7)


def hog_value(game: hazard.Game) -> float:
    """The first player's chance, by plain value iteration: mine[a, b] before a turn with a points against b."""
    g, goal = game.g, game.g.goal
    chances = [np.array(g.weights[d]) / g.weights[d].sum() for d in range(1, g.most + 1)]
    mine = np.zeros((goal + 1, goal + 1))
    for _ in range(10_000):
        before = mine.copy()
        for a in range(goal - 1, -1, -1):
            for b in range(goal - 1, -1, -1):
                best = 0.0
                for dice, chance in enumerate(chances, 1):
                    points = [g.one, *range(2 * dice, 2 * dice + len(chance) - 1)]
                    after = [1 - mine[b, a + p] if a + p < goal else 1.0 for p in points]
                    best = max(best, float(chance @ np.array(after)))
                mine[a, b] = best
        if np.abs(mine - before).max() < 1e-12:
            break
    return float(mine[0, 0])


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


@pytest.mark.parametrize(("name", "parameters"), [("ur", {"pieces": 1}), ("hog", {"goal": 12, "most": 3})])
def test_value_iteration_agrees(name: str, parameters: dict) -> None:
    game = example(name, **parameters)
    assert hazard.solve(game).value(game.start())[0] == pytest.approx(iterated(game), abs=1e-9)


def test_hog_is_solved() -> None:
    game = example("hog", goal=10, most=4)
    assert hazard.solve(game).value(game.start())[0] == pytest.approx(hog_value(game), abs=1e-9)


@pytest.mark.parametrize(("single", "chance"), [(0, 0.071432), (1, 0.097614)])
def test_shut_the_box_is_solved(single: int, chance: float) -> None:
    game = example("shut_the_box", single=single)
    assert hazard.solve(game).value(game.start())[0] == pytest.approx(chance, abs=5e-7)


def test_hog_agrees_with_a_match() -> None:
    """The first move is worth something, by the best play and in a match of equals."""
    game = example("hog", goal=10, most=4)
    assert 0.5 < hog_value(game) < 0.7
    result = hazard.match(game, "six-dice", "six-dice", games=4000)
    assert sum(wins[0] for wins in result.wins_by_seat) > sum(wins[1] for wins in result.wins_by_seat)


def test_ur_by_hand() -> None:
    """Finkel's rules, move by move."""
    game = example("ur", pieces=2)
    start = game.start()
    assert [str(o.probability) for o in start.outcomes()] == ["1/16", "1/4", "3/8", "1/4", "1/16"]
    assert start.outcomes()[0].position.mover == 1
    rosette = start.outcomes()[4].position.move("enter to 4")
    assert (rosette.mover, rosette.rolling) == (0, True)
    # player 2 sits on the shared rosette and on tile 9; a piece on 7 takes the one but not the other
    taken = game.parse(f"mover=0 me={1 << 7} you={1 << 8 | 1 << 9} mine=1 yours=0 roll=2").move("7 to 9")
    assert (taken.state.me, taken.state.yours, taken.mover) == (1 << 8, 1, 1)
    assert game.parse(f"mover=0 me={1 << 7} you={1 << 8} mine=1 yours=1 roll=1").moves == ["enter to 1"]
    home = game.parse(f"mover=0 me={1 << 14} you=0 mine=0 yours=2 roll=1").move("14 to home")
    assert (home.over, home.payoffs) == (True, (1.0, 0.0))
    assert game.parse(f"mover=0 me={1 << 14} you=0 mine=1 yours=2 roll=2").moves == ["enter to 2"]


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

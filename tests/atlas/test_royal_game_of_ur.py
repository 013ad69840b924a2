"""The Royal Game of Ur against a second program of its rules, which walks over the numbered board."""

from functools import cache

import pytest

import hazard
from tests.atlas.solving import certified

BELL = (9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 22, 21, 18), (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 22, 23, 20)
LONG = (
    (9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 20, 23, 22, 21, 18),
    (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 18, 21, 22, 23, 20),
)
ROSETTES = {0, 2, 10, 18, 20}
FOUR, THREE = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}, {1: 3, 2: 3, 3: 1, 4: 1}
RULES = {1: (BELL, FOUR, True, False), 2: (LONG, FOUR, False, True), 3: (LONG, THREE, False, False)}


def first_player(rules: int, pieces: int) -> float:
    """The first player's chance by value iteration over positions (mover, where each player's pieces are).

    A place is the number of tiles walked: 0 is off the board, one more than the path has tiles is home.
    """
    paths, dice, safe, capture_again = RULES[rules]
    home = len(paths[0]) + 1

    def tile(seat: int, place: int) -> int | None:
        return paths[seat][place - 1] if 0 < place < home else None

    @cache
    def moves(mover: int, both: tuple[tuple[int, ...], ...], roll: int) -> list:
        found = []
        for place in set(both[mover]):
            to = place + roll
            if to > home or roll == 0 or place == home or (to in both[mover] and to != home):
                continue
            theirs = [tile(1 - mover, p) for p in both[1 - mover]]
            hit = to != home and tile(mover, to) in theirs
            if hit and safe and tile(mover, to) in ROSETTES:
                continue
            mine, yours = list(both[mover]), list(both[1 - mover])
            mine.remove(place)
            mine.append(to)
            if hit:
                yours[theirs.index(tile(mover, to))] = 0
            again = tile(mover, to) in ROSETTES or (hit and capture_again)
            after = [tuple(sorted(mine)), tuple(sorted(yours))]
            found.append((mover if again else 1 - mover, tuple(after if mover == 0 else after[::-1])))
        return found or [(1 - mover, both)]

    start = 0, ((0,) * pieces, (0,) * pieces)
    values, waiting, rows = {start: 0.5}, [start], {}
    while waiting:
        position = mover, both = waiting.pop()
        done = [all(p == home for p in own) for own in both]
        if any(done):
            values[position] = float(done[0])
            continue
        rows[position] = [(share, moves(mover, both, roll)) for roll, share in dice.items()]
        for _, options in rows[position]:
            for option in options:
                if option not in values:
                    values[option] = 0.5
                    waiting.append(option)
    total = sum(dice.values())
    while True:
        change = 0.0
        for position, row in rows.items():
            best = min if position[0] else max
            new = sum(share * best(values[option] for option in options) for share, options in row) / total
            change, values[position] = max(change, abs(new - values[position])), new
        if change < 1e-14:
            return values[start]


@pytest.mark.parametrize("rules", RULES)
def test_one_piece_agrees_with_value_iteration(rules: int) -> None:
    low, high = certified("royal-game-of-ur", rules=rules, pieces=1)
    assert low - 1e-11 <= first_player(rules, 1) <= high + 1e-11


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_two_pieces_agree_with_value_iteration(rules: int) -> None:
    low, high = certified("royal-game-of-ur", rules=rules, pieces=2)
    assert low - 1e-11 <= first_player(rules, 2) <= high + 1e-11


def test_finkel_by_hand() -> None:
    game = hazard.game("royal-game-of-ur", pieces=2)
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


def test_the_far_end_is_walked_in_opposite_directions() -> None:
    """The twelfth tile of one player is the sixteenth of the other; a capture on it gives a roll in Blitz and Masters,
    since it is a rosette, but on the thirteenth in Blitz alone."""
    for rules, mover in ((2, 0), (3, 1)):
        game = hazard.game("royal-game-of-ur", rules=rules, pieces=1)
        rosette = game.parse(f"mover=0 me={1 << 11} you={1 << 16} mine=0 yours=0 roll=1").move("11 to 12")
        assert (rosette.state.you, rosette.state.yours, rosette.mover) == (0, 1, 0)
        plain = game.parse(f"mover=0 me={1 << 11} you={1 << 15} mine=0 yours=0 roll=2").move("11 to 13")
        assert plain.mover == mover

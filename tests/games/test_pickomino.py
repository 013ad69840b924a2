"""Pickomino: rules and texts, by hand-made cases and against a referee that keeps lists of tiles and dice.

The paper is N. Chetcuti-Sperandio, F. Delorme, S. Lagrue, D. Stackowiak, "Determination and Evaluation of Efficient
Strategies for a Stop or Roll Dice Game" (CIG 2008).
"""

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import hazard
from hazard import contract, dice
from hazard.errors import BadInput
from hazard.rulebook import Position

pytestmark = pytest.mark.filterwarnings("error")  # games are played in plain Python too, in a terminal


def make(**parameters: int | str) -> hazard.Game:
    return hazard.game("pickomino", **parameters)


def read(text: str, **parameters: int | str) -> Position:
    return make(**parameters).parse(text)


def landed(position: Position, roll: str) -> Position:
    """What follows when the dice in the air show this."""
    game, s = position.game, position.state
    texts = [way.text for way in position.outcomes()]
    return Position(game, game.plain(contract.land)(game.g, s, texts.index(roll)))


# --- a turn ----------------------------------------------------------------------------------------------------------
def test_a_turn_that_fails() -> None:
    """Examples 1 and 2 of the paper: two fours, a five, two twos, and then nothing new."""
    p = landed(make().start(), "11233445")
    assert p.moves == ["keep 11", "keep 2", "keep 33", "keep 44", "keep 5"]
    p = p.move("keep 44")
    assert str(p) == "p1 kept 44 rolling centre 21-36 stacks - / - turned -"
    p = landed(p, "113345")
    assert p.moves == ["keep 11", "keep 33", "keep 5"]
    p = landed(p.move("keep 5"), "11223")
    p = p.move("keep 22")
    assert str(p) == "p1 kept 22445 rolling centre 21-36 stacks - / - turned -"
    p = landed(p, "255")
    assert str(p) == "p2 kept - rolling centre 21-36 stacks - / - turned -"


def test_a_turn_that_scores() -> None:
    """Example 3 of the paper: two worms, a five, three threes make 24."""
    p = read("p2 kept - rolling centre 21-36 stacks - / - turned -")
    p = landed(p, "112334ww").move("keep ww")
    assert str(p) == "p2 kept ww rolling centre 21-36 stacks - / - turned -"
    p = landed(p, "112345").move("keep 5")
    p = landed(p, "13334").move("keep 333")
    assert str(p) == "p2 kept 3335ww centre 21-36 stacks - / - turned -"
    assert p.moves == ["take 24", "roll"]
    assert str(p.move("take 24")) == "p1 kept - rolling centre 21-23,25-36 stacks - / 24 turned -"
    assert str(p.move("roll")) == "p2 kept 3335ww rolling centre 21-36 stacks - / - turned -"


def test_the_chances_of_rolls() -> None:
    ways = {
        way.text: way.probability
        for way in read("p1 kept 555ww rolling centre 21 stacks - / - turned -", tiles=1).outcomes()
    }
    assert len(ways) == 56
    assert ways["123"] == Fraction(6, 216)
    assert ways["114"] == Fraction(3, 216)
    assert ways["www"] == Fraction(1, 216)
    assert sum(ways.values()) == 1


def test_without_a_worm_there_is_nothing_to_stop_for() -> None:
    p = read("p1 kept 44455 rolled 33w centre 21-36 stacks - / - turned -")
    assert str(p.move("keep 33")) == "p1 kept 3344455 rolling centre 21-36 stacks - / - turned -"
    assert p.move("keep w").moves == ["take 27", "roll"]


def test_all_dice_aside_without_a_worm_is_a_failure() -> None:
    p = read("p1 kept 444555 rolled 33 centre 21,24 stacks 22 / 23 turned -", tiles=4)
    assert str(p.move("keep 33")) == "p2 kept - rolling centre 21-22 stacks - / 23 turned 24"


def test_a_score_too_low_is_a_failure() -> None:
    p = read("p1 kept 1112233 rolled w centre 24 stacks 22,23 / 21 turned -", tiles=4)
    assert str(p.move("keep w")) == "p2 kept - rolling centre 23 stacks 22 / 21 turned 24"


def test_the_tile_below_the_score_is_taken() -> None:
    p = read("p1 kept 55www centre 21-22,26-36 stacks 23 / 25,24 turned -")
    assert p.moves == ["take 22", "roll"]
    assert str(p.move("take 22")) == "p2 kept - rolling centre 21,26-36 stacks 23,22 / 25,24 turned -"


def test_scores_beyond_the_last_tile_take_it() -> None:
    p = read("p1 kept 5555wwww centre 21-36 stacks - / - turned -")
    assert p.moves == ["take 36"]
    assert read("p1 kept 55www centre 21-22 stacks - / - turned -", tiles=2).moves == ["take 22", "roll"]


def test_stealing_needs_the_exact_score_and_the_top_tile() -> None:
    stacks = "stacks 23 / 24,25 turned -"
    assert read(f"p1 kept 55www centre 21-22,26-36 {stacks}").moves == ["steal 25 from p2", "take 22", "roll"]
    assert read(f"p1 kept 4555w centre 21-22,26-36 {stacks}").moves == ["take 22", "roll"]  # 24 lies under 25
    assert read(f"p2 kept 3555w centre 21-22,26-36 {stacks}").moves == ["steal 23 from p1", "take 22", "roll"]
    assert read(f"p2 kept 3555w centre 26-36 {stacks.replace('turned -', 'turned 21-22')}").moves == [
        "steal 23 from p1",
        "roll",
    ]


def test_the_player_chooses_where_both_are_possible() -> None:
    p = read("p1 kept 55www centre 21-24,27-36 stacks 26 / 25 turned -")
    assert p.moves == ["steal 25 from p2", "take 24", "roll"]
    assert str(p.move("steal 25 from p2")) == "p2 kept - rolling centre 21-24,27-36 stacks 26,25 / - turned -"
    assert str(p.move("take 24")) == "p2 kept - rolling centre 21-23,27-36 stacks 26,24 / 25 turned -"


# --- failures --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("centre 21-24,27-36 stacks 26,25 / -", "centre 21-25,27-35 stacks 26 / - turned 36"),
        ("centre 21-35 stacks 36 / -", "centre 21-36 stacks - / - turned -"),  # given back, and the highest
        ("centre 21-34 stacks 36,35 / -", "centre 21-35 stacks 36 / - turned -"),
        ("centre 21-35 stacks - / 36", "centre 21-35 stacks - / 36 turned -"),
    ],
)
def test_a_failure(before: str, after: str) -> None:
    p = read(f"p1 kept 12345 rolling {before} turned -")
    assert str(landed(p, "115")) == f"p2 kept - rolling {after}"


def test_a_failure_with_an_empty_stack_may_turn_nothing() -> None:
    text = "p1 kept 12345 rolling centre 21-35 stacks - / 36 turned -"
    assert str(landed(read(text, empty="turn"), "115")) == "p2 kept - rolling centre 21-34 stacks - / 36 turned 35"
    assert str(landed(read(text, empty="keep"), "115")) == "p2 kept - rolling centre 21-35 stacks - / 36 turned -"


# --- the end ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stacks", "tiles", "payoffs"),
    [
        ("21,22 / 25", 5, (0, 1)),  # two worms each: the highest tile decides
        ("26 / 21,22", 6, (1, 0)),
        ("21,22,23 / 25", 5, (1, 0)),
        ("- / 21", 5, (0, 1)),
        ("- / -", 5, (0.5, 0.5)),
        ("21 / 22,23 / 26", 6, (0, 0, 1)),
        ("- / - / -", 6, (Fraction(1, 3),) * 3),
        ("36 / 21,22,23,24 / 25,26 / 27,28 / - / - / -", 16, (1, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_the_end(stacks: str, tiles: int, payoffs: tuple[float, ...]) -> None:
    held = {int(tile) for stack in stacks.split(" / ") for tile in stack.split(",") if tile != "-"}
    turned = ",".join(str(t) for t in range(21, 21 + tiles) if t not in held) or "-"
    game = make(players=stacks.count("/") + 1, tiles=tiles)
    state = game.notation.parse(game.g, f"p1 kept - centre - stacks {stacks} turned {turned}")
    assert Position(game, state).payoffs == pytest.approx([float(x) for x in payoffs])


def test_the_last_tile_ends_the_game() -> None:
    p = read("p2 kept 4444w centre 21 stacks 23 / 22 turned -", tiles=3).move("take 21")
    assert str(p) == "p1 kept - centre - stacks 23 / 22,21 turned -"
    assert p.over
    assert p.moves == []
    assert p.payoffs == (0, 1)
    p = landed(read("p1 kept 12345 rolling centre 21 stacks - / 22 turned 23", tiles=3, empty="turn"), "111")
    assert str(p) == "p2 kept - centre - stacks - / 22 turned 21,23"
    assert p.payoffs == (0, 1)


# --- a referee that shares nothing with the rules --------------------------------------------------------------------
class Referee:
    """Lists of tiles and letters for dice; the rules of the paper read again."""

    def __init__(self, players: int = 2, tiles: int = 16, dice: int = 8, empty: str = "keep") -> None:
        self.centre = {*range(21, 21 + tiles)}
        self.all, self.dice, self.empty = sorted(self.centre), dice, empty
        self.stacks: list[list[int]] = [[] for _ in range(players)]
        self.mover, self.aside, self.rolled, self.air = 0, "", "", True

    @property
    def score(self) -> int:
        return sum(5 if mark == "w" else int(mark) for mark in self.aside)

    def stops(self) -> dict[str, int]:
        """The tiles that can be had now, by the move that takes them."""
        if "w" not in self.aside:
            return {}
        found = {
            f"steal {self.score} from p{seat + 1}": self.score
            for seat, stack in enumerate(self.stacks)
            if seat != self.mover and stack[-1:] == [self.score]
        }
        if below := [tile for tile in self.centre if tile <= self.score]:
            found[f"take {max(below)}"] = max(below)
        return found

    def moves(self) -> set[str]:
        if self.rolled:
            return {f"keep {mark * n}" for mark, n in Counter(self.rolled).items() if mark not in self.aside}
        return {*self.stops(), *(["roll"] if len(self.aside) < self.dice else [])}

    def land(self, roll: str) -> None:
        self.air, self.rolled = False, roll
        if not set(roll) - set(self.aside):
            self.fail()

    def do(self, move: str) -> None:
        verb, what, *_ = [*move.split(), ""]
        if verb == "keep":
            self.aside, self.rolled = self.aside + what, ""
            if not self.stops():
                self.air = len(self.aside) < self.dice
                if not self.air:
                    self.fail()
        elif verb == "roll":
            self.air = True
        else:
            tile = int(what)
            for stack in [s for s in self.stacks if tile in s] if verb == "steal" else []:
                stack.remove(tile)
            self.centre -= {tile}
            self.stacks[self.mover].append(tile)
            self.pass_on()

    def fail(self) -> None:
        stack = self.stacks[self.mover]
        given = {stack.pop()} if stack else set()
        if given or self.empty == "turn":
            self.centre = (self.centre | given) - ({max(self.centre | given)} - given)
        self.pass_on()

    def pass_on(self) -> None:
        self.mover = (self.mover + 1) % len(self.stacks)
        self.aside, self.rolled, self.air = "", "", bool(self.centre)

    def payoffs(self) -> list[float]:
        worth = [(sum((t - 17) // 4 for t in stack), max(stack, default=0)) for stack in self.stacks]
        return [float(mine == max(worth)) / worth.count(mine) for mine in worth]

    def text(self) -> str:
        """The position, written from lists."""
        held = {tile for stack in self.stacks for tile in stack}
        stacks = " / ".join(",".join(map(str, stack)) or "-" for stack in self.stacks)
        lying = " rolling" if self.air else f" rolled {''.join(sorted(self.rolled))}" if self.rolled else ""
        turned = [tile for tile in self.all if tile not in held | self.centre]
        return (
            f"p{self.mover + 1} kept {''.join(sorted(self.aside)) or '-'}{lying} "
            f"centre {runs(sorted(self.centre))} stacks {stacks} turned {runs(turned)}"
        )


def runs(tiles: list[int]) -> str:
    """21,23-25 for 21 23 24 25."""
    found: list[list[int]] = []
    for tile in tiles:
        if found and tile == found[-1][-1] + 1:
            found[-1].append(tile)
        else:
            found.append([tile])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in found) or "-"


def any_move(here: Position, choose: Random) -> str:
    """Mostly stops where it can, so that stacks grow."""
    stops = [m for m in here.moves if m.startswith(("take", "steal"))]
    return choose.choice(stops) if stops and choose.random() < 0.7 else choose.choice(here.moves)


def follow(game: hazard.Game, seed: int) -> list[str]:
    """Play a random game beside the referee: every position, its moves and the end are alike. Returns the moves."""
    parameters = {k: game.parameters[k] for k in ("players", "tiles", "dice", "empty")}
    referee, here, rng, choose = Referee(**parameters), game.start(), dice.stream(seed), Random(seed)  # type: ignore[arg-type]
    roll, land, made = game.plain(contract.roll), game.plain(contract.land), []
    while not here.over:
        assert str(here) == referee.text()
        assert game.parse(str(here)) == here
        if here.rolling:
            i = int(roll(game.g, here.state, rng))
            referee.land(game.notation.outcome_text(game.g, here.state, i))
            here = Position(game, land(game.g, here.state, i))
        else:
            assert set(here.moves) == referee.moves()
            made.append(any_move(here, choose))
            referee.do(made[-1])
            here = here.move(made[-1])
    assert str(here) == referee.text()
    assert here.payoffs == pytest.approx(referee.payoffs())
    return made


@pytest.mark.parametrize(
    "parameters",
    [{}, {"players": 3}, {"players": 7}, {"empty": "turn"}, {"tiles": 5, "dice": 7}, {"dice": 10, "players": 4}],
    ids=str,
)
def test_games_go_as_the_referee_has_them(parameters: dict[str, int | str]) -> None:
    game = make(**parameters)
    made = [move.split()[0] for seed in range(20) for move in follow(game, seed)]
    assert set(made) == {"keep", "take", "steal", "roll"}


# --- texts -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p1 kept - rolling centre 21-36 stacks 25 / - turned -", "tile 25 is in two places: the centre and the stack"),
        ("p1 kept - rolling centre 21-35 stacks - / - turned 35,36", "tile 35 is in two places: the centre and those"),
        ("p1 kept - rolling centre 21-35 stacks - / - turned -", "tile 36 is nowhere"),
        ("p1 kept 444444444 rolling centre 21-36 stacks - / - turned -", "9 dice, but there are 8"),
        ("p1 kept 44 rolled 1234512 centre 21-36 stacks - / - turned -", "7 dice, but 2 are aside, so 6 are rolled"),
        ("p1 kept 4w4 rolling centre 21-36 stacks - / - turned -", "face 4 is set aside twice"),
        ("p1 kept 1234w rolled 123 centre 21-36 stacks - / - turned -", "so the turn has failed"),
        ("p1 kept - rolling centre 21-36 stacks - / - / - turned -", "3 stacks, but there are 2 players"),
        ("p1 kept - rolling centre 21-37 stacks - / - turned -", "there is no tile 37; tiles are 21 to 36"),
        ("p1 kept 44 rolling rolled 123455 centre 21-36 stacks - / - turned -", "not both"),
        ("p1 kept 44 rolled 12 rolled 34 centre 21-36 stacks - / - turned -", "rolled 34"),
        ("p3 kept - rolling centre 21-36 stacks - / - turned -", "p3 is not a player; players are p1 to p2"),
        ("p1 kept 44w centre 21-36 stacks - / - turned -", "no tile to stop for"),
        ("p1 kept 5555wwww rolling centre 21-36 stacks - / - turned -", "no dice are left"),
        ("p1 kept 44 rolling centre - stacks - / - turned 21-36", "the game is over"),
        ("p1 kept 4w rolling centre 21--36 stacks - / - turned -", "tiles are written like"),
        ("p1 kept w4 rolling centre 21-36 stacks - / - turned -", "the nearest position is"),
        ("p1 kept 46 rolling centre 21-36 stacks - / - turned -", "46"),
        ("", "p1 kept 44w rolled 12235"),
    ],
)
def test_texts_that_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)) as refusal:
        make().parse(text)
    assert "\n" not in str(refusal.value)


def test_parameters_that_are_refused() -> None:
    for name, value in {"players": 8, "tiles": 17, "dice": 0, "empty": "both"}.items():
        with pytest.raises(BadInput, match=f"{name}={value}"):
            make(**{name: value})

"""Dice Wars: rules against a plain referee, the deal, ranks, the published players, and Eq. 1 by hand."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.contract import decide
from hazard.dice import battle, stream
from hazard.games.dice_wars.land import owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.corrected import estimate, outlook, remembered
from hazard.games.dice_wars.players.turecek import hold
from hazard.rulebook import Position


class Referee:
    """The rules once more, on lists and sets; positions are read from their texts."""

    def __init__(self, game: hazard.Game, text: str, near: list[set[int]]) -> None:
        words = text.split()
        self.near, self.most, self.cap = near, game.g.max_dice, game.g.max_reserve
        self.head, self.players, self.turns = words[1], game.seats, game.table.turns
        lands = words[3 : words.index("reserves")]
        self.owner, self.dice = [w[0] for w in lands], [int(w[1:]) for w in lands]
        self.reserve = {"ABCDEFGH"[n]: int(d) for n, d in enumerate(words[words.index("reserves") + 1].split(","))}
        self.mover, self.out, self.turn, self.doing = "ABCDEFGH"[int(words[2][1:]) - 1], [], 0, ""

    def own(self) -> list[int]:
        return [n for n, letter in enumerate(self.owner) if letter == self.mover]

    def moves(self) -> list[str]:
        found = [
            f"{a + 1}>{b + 1}"
            for a in self.own()
            if self.dice[a] > 1
            for b in sorted(self.near[a])
            if self.owner[b] != self.mover
        ]
        return [*found, "end"]

    def attack(self, move: str, won: bool) -> None:
        a, b = (int(n) - 1 for n in move.split(">"))
        if won:
            loser, self.owner[b], self.dice[b] = self.owner[b], self.mover, self.dice[a] - 1
            if loser not in self.owner:
                self.out.append(loser)
        self.dice[a] = 1
        self.doing = "over" if len(set(self.owner)) == 1 else ""

    def region(self) -> int:
        """The size of the largest region."""
        left, best = set(self.own()), 0
        while left:
            waiting, size = [left.pop()], 0
            while waiting:
                size += 1
                new = self.near[waiting.pop()] & left
                left -= new
                waiting += new
            best = max(best, size)
        return best

    def end(self) -> None:
        self.left = min(self.cap, self.reserve[self.mover] + self.region())
        self.next_die()

    def next_die(self) -> None:
        if self.left and self.room():
            self.doing = f"placing {self.left}"
            return
        self.reserve[self.mover], self.doing = self.left, ""
        letters = "ABCDEFGH"[: self.players]
        after = letters[letters.index(self.mover) + 1 :] + letters
        self.mover = next(letter for letter in after if letter in self.owner)
        self.turn += 1
        self.doing = "over" if self.turn == self.turns else ""

    def room(self) -> list[int]:
        return [n for n in self.own() if self.dice[n] < self.most]

    def die(self, land: int) -> None:
        self.dice[land] += 1
        self.left -= 1
        self.next_die()

    def text(self) -> str:
        lands = " ".join(f"{letter}{dice}" for letter, dice in zip(self.owner, self.dice, strict=True))
        kept, out = ",".join(str(n) for n in self.reserve.values()), ",".join(self.out) or "-"
        doing = f" {self.doing}" if self.doing else ""
        seat = "ABCDEFGH".index(self.mover) + 1
        return f"map {self.head} p{seat} {lands} reserves {kept} out {out}{doing} turn {self.turn}"


def bits(number: int) -> set[int]:
    return {n for n in range(31) if int(number) >> n & 1}


def row_of(game: hazard.Game, s: object) -> int:
    """Where the map of a position is kept; it may have to be grown again."""
    with np.errstate(over="ignore"):
        return map_of(game.table, s)


def near_of(game: hazard.Game, position: Position) -> list[set[int]]:
    row = row_of(game, position.state)
    return [bits(game.table.scratch.near[row, land]) for land in range(int(game.table.scratch.counts[row, 0]))]


SETTINGS = [
    {"players": 2, "territories": "6-8", "grid": "14x16"},
    {"players": 3, "territories": "9", "grid": "16x16", "max_dice": 4, "max_reserve": 5},
    {"players": 8, "territories": "29-31", "turns": 60},
]


@pytest.mark.parametrize("parameters", SETTINGS)
@pytest.mark.parametrize("seed", [1, 2])
def test_games_go_as_the_referee_says(parameters: dict, seed: int) -> None:
    """Every position of games in which moves are drawn at random, turns seldom ended."""
    game, rng, draw = hazard.game("dice-wars", **parameters), stream(seed), Random(seed)
    position = game.deal(rng)
    referee = Referee(game, str(position), near_of(game, position))
    plies = 0
    while not position.over and plies < 1500:
        plies += 1
        assert position.moves == referee.moves()
        move = draw.choice(position.moves)
        position = position.move(move)
        if move == "end":
            referee.end()
        else:
            assert f" attack {move} " in str(position)
        while position.rolling:
            outcome = position.roll(rng)
            if move == "end":
                room = [f"a die on {n + 1}" for n in referee.room()]
                assert [o.text for o in position.outcomes()] == room
                referee.die(int(outcome.text.rpartition(" ")[2]) - 1)
            else:
                referee.attack(move, outcome.text == "won")
            position = outcome.position
        assert str(position) == referee.text()
        assert game.parse(str(position)) == position
    assert position.over
    standing = {"ABCDEFGH".index(letter) for letter in referee.owner}
    assert position.payoffs == tuple(1 / len(standing) if n in standing else 0 for n in range(game.seats))


def test_odds_of_battles() -> None:
    """Three dice against two by counting all rolls, ties to the defender; eight against eight by the table."""
    game = hazard.game("dice-wars", territories="2", grid="9x9")
    wins = sum(sum(r[:3]) > sum(r[3:]) for r in product(range(1, 7), repeat=5))
    position = game.parse("map 1 p1 A3 B2 reserves 0,0 out - turn 0").move("1>2")
    assert {o.text: o.probability for o in position.outcomes()}["won"] == Fraction(wins, 6**5)
    position = game.parse("map 1 p1 A8 B8 reserves 0,0 out - turn 0").move("1>2")
    assert [o.probability for o in position.outcomes()] == [battle(8, 8), 1 - battle(8, 8)]


def test_the_reserve_is_capped_before_dice_are_placed() -> None:
    """62 in reserve and a region of 4 make 64, of which one fits."""
    game = hazard.game("dice-wars", territories="5", grid="12x12", map="3")
    lands = ["A8", "A8", "A8", "A8", "B1"]
    near = near_of(game, game.start())
    alone = next(n for n in range(5) if len(near[n]) < 4 and joined(near, set(range(5)) - {n}))
    lands[alone], lands[4] = lands[4], lands[alone]
    first = next(n for n in range(5) if lands[n] == "A8")
    lands[first] = "A7"
    position = game.parse(f"map 3 p1 {' '.join(lands)} reserves 62,0 out - turn 0").move("end")
    assert "placing 64" in str(position)
    after = position.outcomes()[0].position
    assert " reserves 63,0 " in str(after)
    assert after.mover == 1


def joined(near: list[set[int]], lands: set[int]) -> bool:
    reached, waiting = set(), [min(lands)]
    while waiting:
        land = waiting.pop()
        reached.add(land)
        waiting += (near[land] & lands) - reached
    return reached == lands


# --- the deal --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 7, 8])
def test_the_deal(players: int) -> None:
    """Late seats get the surplus; dice are 3 a territory less up to 5, shared by rounding from the last seat on."""
    game, rng, fewer = hazard.game("dice-wars", players=players), stream(players), Counter()
    for _ in range(12):
        words = str(game.deal(rng)).split()
        lands = words[3 : words.index("reserves")]
        assert 29 <= len(lands) <= 31
        dealt = Counter("ABCDEFGH"[players - 1 - n % players] for n in range(len(lands)))
        assert Counter(w[0] for w in lands) == dealt
        total = sum(int(w[1:]) for w in lands)
        fewer[3 * len(lands) - total] += 1
        for seat in range(players - 1, -1, -1):
            held = [int(w[1:]) for w in lands if w[0] == "ABCDEFGH"[seat]]
            share = round(total / (seat + 1))
            assert sum(held) == share
            assert 1 <= min(held) <= max(held) <= 8
            total -= share
    assert set(fewer) <= set(range(6))
    assert len(fewer) > 1


# --- a map of one row, for positions made by hand --------------------------------------------------------------------
@pytest.fixture
def row_map(tmp_path: Path) -> str:
    """Five territories in a row."""
    path = tmp_path / "row.json"
    path.write_text(json.dumps({"hazard": "dice-wars map", "format": 1, "hexes": [[1, 2, 3, 4, 5]]}))
    return str(path)


def choice(game: hazard.Game, agent: str, lands: str, seed: int = 1, rest: str = "reserves 0,0 out - turn 0") -> str:
    numbers, memory = seat_agents(game, [agent])
    position = game.parse(f"map 0 p1 {lands} {rest}")
    return agent_move(position, numbers[0], memory[0], stream(seed))


def choices(game: hazard.Game, agent: str, lands: str) -> Counter:
    return Counter(choice(game, agent, lands, seed) for seed in range(200))


def test_naive_draws_a_territory_then_a_target(row_map: str) -> None:
    """Territory 2 has two targets and 4 has one: a quarter, a quarter and a half."""
    game = hazard.game("dice-wars", map=row_map)
    found = choices(game, "naive", "B1 A2 B1 A2 A1")
    assert set(found) == {"2>1", "2>3", "4>3"}
    for move, share in (("2>1", 0.25), ("2>3", 0.25), ("4>3", 0.5)):
        assert abs(found[move] - 200 * share) < 4 * (200 * share * (1 - share)) ** 0.5
    assert choice(game, "naive", "A1 B8 A2 B8 B8") in ("3>2", "3>4")
    assert choice(game, "naive", "A1 B8 A1 B8 B8") == "end"


def test_sdc_takes_the_greatest_difference(row_map: str) -> None:
    game = hazard.game("dice-wars", map=row_map)
    assert choice(game, "sdc", "A3 B2 B1 A4 B2") == "4>3"
    ties = choices(game, "sdc", "A3 B2 B3 A4 B3")
    assert set(ties) == {"1>2", "4>3", "4>5"}
    assert all(abs(n - 200 / 3) < 4 * (200 * 2 / 9) ** 0.5 for n in ties.values())
    assert choice(game, "sdc", "A3 B3 B8 B8 B8") == "1>2"  # zero is attacked
    assert choice(game, "sdc", "A3 B4 B8 B8 B8") == "end"


def test_equation_one_by_hand(row_map: str) -> None:
    """Four dice take two; three of them stand against the five of territory 3; enemies of one die do not count."""
    game = hazard.game("dice-wars", map=row_map)

    def held(lands: str, move: str) -> float:
        s = game.parse(f"map 0 p1 {lands} reserves 0,0 out - turn 0").state
        own = owned(s, 0, whole(game.table, 0))
        edge = next(
            e
            for e in range(8)
            if f"{game.table.scratch.edges[0, e, 0] + 1}>{game.table.scratch.edges[0, e, 1] + 1}" == move
        )
        found = hold(game.table, s, 0, own, edge)
        o = outlook(game.table, s, 0, own, edge)
        assert estimate(o, remembered(0.2).view(np.float64)) == pytest.approx(found)
        return found

    assert held("A4 B2 B5 B1 B1", "1>2") == pytest.approx(float(battle(4, 2) * (1 - battle(5, 3))))
    assert held("A4 B2 B1 B8 B8", "1>2") == pytest.approx(float(battle(4, 2)))
    both = held("B6 A4 B2 B5 B1", "2>3")  # 6 dice threaten the territory left behind, which is not counted
    assert both == pytest.approx(float(battle(4, 2) * (1 - battle(5, 3))))
    assert held("A3 B2 A5 B1 B1", "3>2") == pytest.approx(float(battle(5, 2)))


def test_ste_takes_the_likeliest_above_a_fifth(row_map: str) -> None:
    game = hazard.game("dice-wars", map=row_map)
    assert battle(4, 2) * (1 - battle(4, 3)) > Fraction(1, 5) > battle(3, 2) * (1 - battle(4, 2))
    assert choice(game, "ste", "A4 B2 B4 B1 B1") == "1>2"
    assert choice(game, "ste", "A3 B2 B4 B1 B1") == "end"
    assert choice(game, "ste", "A8 B8 B8 B1 B1") == "1>2"  # eight dice attack whatever comes
    assert choice(game, "ste", "A7 B7 B8 B1 B1") == "end"
    assert choice(game, "ste", "A8 B8 B2 A3 B1") == "4>5"  # the greatest, not the eight
    low = hazard.game("dice-wars", map=row_map, max_dice=6)
    assert choice(low, "ste", "A6 B6 B6 B1 B1") == "1>2"  # as many as a territory holds


def test_the_corrected_player_with_a_threshold_alone_is_ste() -> None:
    game = hazard.game("dice-wars", players=3)
    one, other = (list(game.agents).index(name) for name in ("ste-corrected", "ste"))
    rng, moves, ask = stream(2), np.zeros(256, np.int64), game.plain(decide)
    for _ in range(15):
        s = game.deal(rng).state
        assert ask(one, game.table, s, moves, remembered(0.2), rng) == ask(
            other, game.table, s, moves, remembered(0.2), rng
        )


# --- ranks -----------------------------------------------------------------------------------------------------------
def test_players_are_listed_in_the_order_they_fell(row_map: str) -> None:
    game = hazard.game("dice-wars", map=row_map, players=4)
    position = game.parse("map 0 p1 C1 A8 D1 A8 B1 reserves 0,0,0,0 out - turn 7")
    for move, out in (("2>3", "D"), ("4>5", "D,B")):
        position = position.move(move).outcomes()[0].position
        assert f" out {out} turn 7" in str(position)
    assert not position.over
    position = game.parse("map 0 p1 C1 A8 A1 A1 A1 reserves 0,0,0,0 out D,B turn 7").move("2>1").outcomes()[0].position
    assert str(position) == "map 0 p1 A7 A1 A1 A1 A1 reserves 0,0,0,0 out D,B,C over turn 7"
    assert position.payoffs == (1, 0, 0, 0)

"""The player that learnt: what it sees, what its network works out, what it learns from, and how strong it is."""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.compiled import line_up
from hazard.cli import main
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.games.dice_wars.land import BATTLE, CHOOSE, PLACE, State, dice_on, owner, reserve
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players import features, glance, learn
from hazard.games.dice_wars.players.features import ENDED, INPUTS, KINDS, MOST_ON, MOVING, SUMS, TABLE, VERSION, see
from hazard.games.dice_wars.players.master import LEAST, SIZES, choose, judge, weights_of
from hazard.games.dice_wars.rules import END
from hazard.learning.network import chances, fresh
from hazard.learning.weights import as_memory, read, save

SHIPPED = Path(learn.__file__).parents[1] / "weights" / "all.bin"
ROOM = 187  # places of `moves`
SMALL = "map 5 p1 A1 B2 A3 A5 B4 B2 reserves 0,0 out - turn 0"


def small(**other: int) -> hazard.Game:
    return hazard.game("dice-wars", territories=6, grid="14x14", **other)


def some_layers(seed: int = 1) -> list[np.ndarray]:
    """Weights at random, large enough for chances to differ."""
    layers = fresh(SIZES, MOST_ON, np.random.default_rng(seed))
    return [x * np.float32(4 if n == 4 else 1) for n, x in enumerate(layers)]


def some_positions(game: hazard.Game, games: int, seed: int = 1) -> list[State]:
    """Decisions of games of the published players."""
    names = ["ste", "sdc", "naive"] * 3
    _, log = line_up(game, names[: game.seats], seed=seed).play_and_record(0, games)
    return [State(*map(int, row[1:])) for row in log]


# --- what it sees ------------------------------------------------------------------------------------------------
def regions(lands: set[int], near: dict[int, set[int]]) -> list[set[int]]:
    """The pieces that hang together."""
    found: list[set[int]] = []
    for land in lands:
        joined = {land}.union(*(piece for piece in found if piece & near[land]))
        found = [piece for piece in found if not piece & joined] + [joined]
    return found


class Analysed:
    """A position taken apart slowly."""

    def __init__(self, game: hazard.Game, s: State) -> None:
        row = map_of(game.table, s)
        lands = range(game.table.scratch.counts[row, 0])
        self.near = {a: {b for b in lands if int(game.table.scratch.near[row, a]) >> b & 1} for a in lands}
        self.dice = {a: dice_on(s, a) for a in lands}
        self.owner = {a: owner(s, a) for a in lands}
        self.alive = [p for p in range(game.seats) if p in self.owner.values()]
        self.lands = {p: {a for a in lands if self.owner[a] == p} for p in self.alive}
        self.regions = {p: regions(self.lands[p], self.near) for p in self.alive}
        self.wide = {p: max(map(len, self.regions[p])) for p in self.alive}
        self.sum = {p: sum(self.dice[a] for a in self.lands[p]) for p in self.alive}
        self.kept = {p: reserve(s, p) for p in self.alive}

    def foes(self, seat: int, land: int) -> list[int]:
        """The dice of those beside it on the other side."""
        mine = self.owner[land] == seat
        return [self.dice[b] for b in self.near[land] if (self.owner[b] == seat) != mine]

    def kind(self, seat: int, land: int) -> tuple[int, int]:
        """The input of a territory, less the last bit, and how large its region is."""
        first, second = [*sorted(self.foes(seat, land), reverse=True), 0, 0][:2]
        company = second >= max(2, first - 1)
        piece = next(r for r in self.regions[self.owner[land]] if land in r)
        return (0 if self.owner[land] == seat else KINDS) + 2 * (18 * (self.dice[land] - 1) + 2 * first + company), len(
            piece
        )


@pytest.mark.parametrize("players", [2, 4, 8])
def test_territories_are_seen_as_they_are(players: int) -> None:
    game = hazard.game("dice-wars", players=players)
    for s in some_positions(game, 2)[::7]:
        seen = np.zeros(MOST_ON, np.int64)
        n, table = see(game.table, s, s.mover, MOVING, seen), Analysed(game, s)
        at = 0 if len(table.alive) == 2 else 2 * TABLE
        kinds = [table.kind(s.mover, land) for land in table.near]
        assert [(x - at) // 2 * 2 for x in seen[SUMS:n]] == [kind for kind, _ in kinds]
        cores = Counter(table.owner[land] for land, x in enumerate(seen[SUMS:n]) if (x - at) % 2)
        assert cores == table.wide
        assert all(
            size == table.wide[table.owner[land]]
            for land, (_, size) in enumerate(kinds)
            if (seen[SUMS + land] - at) % 2
        )


@pytest.mark.parametrize("players", [2, 5])
def test_sums_are_seen_as_they_are(players: int) -> None:
    game = hazard.game("dice-wars", players=players)
    for s in some_positions(game, 2)[::5]:
        seen, table, me = np.zeros(MOST_ON, np.int64), Analysed(game, s), s.mover
        see(game.table, s, me, ENDED, seen)
        at = TABLE if len(table.alive) == 2 else 3 * TABLE
        others = [(me + k) % players for k in range(1, players) if (me + k) % players in table.alive]
        dice, mine = sorted((table.sum[p] for p in others), reverse=True), table.sum[me]
        wide = max(table.wide[p] for p in others)
        sides = [(len(table.lands[me]), table.wide[me], table.kept[me], mine)]
        sides += [(max(len(table.lands[p]) for p in others), wide, max(table.kept[p] for p in others), dice[0])]
        right = []
        for side, (lands, largest, kept, total) in zip((features.MINE_AT, features.THEIRS_AT), sides, strict=True):
            right += [side + lands, side + 32 + largest, side + 64 + min(kept // 2, 31), side + 96 + total // 4]
        right += [features.LEAD_AT + 32 + min(max((mine - dice[0]) // 3, -32), 31)]
        right += [features.WIDTH_AT + 32 + table.wide[me] - wide]
        more = ([*dice, 0][1], sum(dice), table.sum[others[0]])
        right += [features.SECOND_AT + 64 * n + total // 4 for n, total in enumerate(more)]
        right += [features.RIVALS_AT + len(others), features.AHEAD_AT + sum(x > mine for x in dice)]
        right += [features.ROOM_AT + min((8 * len(table.lands[me]) - mine) // 4, 31)]
        assert [x - at for x in seen[:SUMS]] == right


def test_seats_look_the_same_from_the_mover_on() -> None:
    game = small(players=3)
    views = []
    for turn in range(3):
        a, b, c = ("ABC"[(n + turn) % 3] for n in range(3))
        reserves = [5, 0, 2]
        shifted = ",".join(str(reserves[(n - turn) % 3]) for n in range(3))
        text = f"map 5 p{turn + 1} {a}1 {b}2 {a}3 {c}5 {b}4 {c}2 reserves {shifted} out - turn 0"
        seen = np.zeros(MOST_ON, np.int64)
        n = see(game.table, game.parse(text).state, turn, MOVING, seen)
        views.append(list(seen[:n]))
    assert views[0] == views[1] == views[2]
    assert max(views[0]) < INPUTS


# --- what it works out -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 6])
def test_compiled_and_plain_networks_agree_with_numpy(players: int) -> None:
    game = hazard.game("dice-wars", players=players)
    layers = some_layers()
    positions = some_positions(game, 1)[::9]
    for ended in (MOVING, ENDED):
        rows = np.full((len(positions), MOST_ON), INPUTS)
        for s, row in zip(positions, rows, strict=True):
            see(game.table, s, s.mover, ended, row)
        right = chances(layers, rows)[:, 0]
        for run in (game.compiled(judge), game.plain(judge)):
            found = [run(game.table, s, s.mover, ended, as_memory(layers)) for s in positions]
            assert found == pytest.approx(right, rel=1e-4)
        assert right.max() - right.min() > 0.01


@pytest.mark.parametrize("players", [2, 3, 6])
def test_moves_are_valued_by_both_their_outcomes(players: int) -> None:
    """What is worked out from what a battle changes is what the network gives afresh."""
    game = hazard.game("dice-wars", players=players)
    memory, run = as_memory(some_layers()), game.compiled(judge)

    def value(position: hazard.Position) -> float:
        if position.over:
            return position.payoffs[position.mover]
        return run(game.table, position.state, position.mover, MOVING, memory)

    for s in some_positions(game, 2)[::11]:
        position = hazard.Position(game, s)
        found = {END: run(game.table, s, s.mover, ENDED, memory)}
        for text, m in zip(position.moves[:-1], position.legal()[:-1], strict=True):
            ways = position.move(text).outcomes()
            if ways[0].probability >= LEAST:
                found[m] = sum(float(way.probability) * value(way.position) for way in ways)
        m, most = game.compiled(choose)(game.table, s, np.zeros(ROOM, np.int64), memory)
        assert most == pytest.approx(max(found.values()), abs=1e-5)
        assert found[m] == pytest.approx(most, abs=1e-5)


def test_the_room_is_large_enough() -> None:
    assert hazard.game("dice-wars").ask("fanout") == ROOM


# --- what it learns from -----------------------------------------------------------------------------------------
def test_watched_games_are_worth_how_they_ended() -> None:
    lesson = replace(learn.subject(hazard.game("dice-wars")), watched=4000).watch(5)
    assert len(lesson.seen) == 4000
    assert lesson.targets.sum(axis=1) == pytest.approx(1)
    assert set(lesson.targets[:, 0]) == {0.0, 1.0}
    assert 0.2 < lesson.targets[:, 0].mean() < 0.7
    assert lesson.games > 10


def test_what_came_later_counts_in_part() -> None:
    """From the end of a game back, for each seat apart; a stray move tells nothing of the position before it."""
    game = small()
    over = game.parse("map 5 p1 A1 A2 A3 A5 A4 A2 reserves 0,0 out B over turn 3").state
    notes = np.array([[0, 0.5, 0.5], [1, 0.4, 0.5], [0, 0.7, 0.0], [0, 0.8, 0.5], [1, 0.2, 1.0]])
    targets = np.zeros((5, 2), np.float32)
    room = learn.Room(*np.zeros((4, 2)))
    learn.set_targets(game.table, over, notes, 0, 5, targets, room)
    last, stray = 0.5 * 0.8 + 0.5 * 1, 0.7
    assert targets[:, 0] == pytest.approx([0.5 * 0.5 + 0.5 * stray, 0.5 * 0.4, stray, last, 0.0])
    assert targets.sum(axis=1) == pytest.approx(1)


def test_lessons_are_from_all_numbers_of_players_there_is_room_for() -> None:
    subject = learn.subject(small(players=3))
    assert [game.seats for game, _ in subject.tables] == [2, 3, 4, 5, 6]
    assert sum(share for _, share in subject.tables) == pytest.approx(1)
    lesson = replace(subject, practised=500).practise(as_memory(some_layers()), 1)
    crowded = (lesson.seen[:, 0] >= 2 * TABLE).mean()
    assert 0.2 < crowded < 0.9
    assert lesson.targets.sum(axis=1) == pytest.approx(1)
    assert ((lesson.targets > 0) & (lesson.targets < 1)).all(axis=1).mean() > 0.5  # the network's own values


# --- how it plays ------------------------------------------------------------------------------------------------
def test_the_weights_that_ship_say_where_they_come_from() -> None:
    game = hazard.game("dice-wars")
    note, _ = read(SHIPPED)
    assert (note.game, note.rules, note.features, note.sizes) == ("dice-wars", game.version, VERSION, SIZES)
    assert note.command.startswith("hazard learn dice-wars")
    assert note.games > 10_000
    assert SHIPPED.stat().st_size < 500_000
    for players in range(2, 9):
        assert np.array_equal(weights_of(hazard.game("dice-wars", players=players)), weights_of(game))


@pytest.mark.parametrize("agent", ["master-fast", pytest.param("master", marks=pytest.mark.slow)])
def test_a_win_at_hand_is_taken_and_a_lost_cause_left(agent: str) -> None:
    game = small()
    (number,), (memory,) = seat_agents(game, [agent])
    won = game.parse("map 5 p1 A1 A2 A3 A5 A4 B1 reserves 0,0 out - turn 0")
    assert agent_move(won, number, memory, stream(1)) in ("4>6", "5>6")
    weak = game.parse("map 5 p1 A8 B8 A8 A2 B8 B8 reserves 0,0 out - turn 0")
    assert not agent_move(weak, number, memory, stream(1)).startswith("4>")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rival", "least"), [(2, "ste", 0.6), (2, "sdc", 0.6), (6, "ste", 1 / 6), (6, "sdc", 0.3)]
)
def test_it_beats_the_published_players(players: int, rival: str, least: float) -> None:
    """By more than chance: three standard errors above what is asked for."""
    game = hazard.game("dice-wars", players=players)
    found = hazard.match(game, "master-fast", *[rival] * (players - 1), games=600, seed=3)
    mean, error = found.payoffs[0]
    assert error is not None
    assert mean > least + 3 * error


@pytest.mark.slow
def test_looking_ahead_plays_the_same_game_again() -> None:
    """Its sampling depends on the seed alone."""
    game = small()
    one, other = (hazard.match(game, "master", "ste", games=6, seed=4) for _ in range(2))
    assert one == other


# --- bad input -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"rules": "0123"}, "made for rules 0123, not "),
        ({"features": "dice-wars 0"}, f"made for inputs dice-wars 0, not {VERSION}"),
        ({"sizes": [INPUTS, 8, 4, 2]}, f"made with layers of [{INPUTS}, 8, 4, 2], not {SIZES}"),
        ({"game": "pickomino"}, "made for pickomino, not dice-wars"),
    ],
)
@pytest.mark.parametrize("agent", ["master-fast", "master"])
def test_weights_of_something_else_are_refused(
    agent: str, other: dict, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    note, layers = read(SHIPPED)
    if "sizes" in other:
        layers = fresh(other["sizes"], MOST_ON, np.random.default_rng(1))
    save(tmp_path / "w.bin", msgspec.structs.replace(note, **other), layers)
    monkeypatch.setenv("HAZARD_WEIGHTS", str(tmp_path / "w.bin"))
    monkeypatch.setattr(sys, "argv", ["hazard", "match", "dice-wars", agent, "ste", "--games", "2"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_weights_that_cannot_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAZARD_WEIGHTS", str(tmp_path / "none.bin"))
    with pytest.raises(BadInput, match=r"none\.bin: cannot be read"):
        weights_of(hazard.game("dice-wars"))
    (tmp_path / "none.bin").write_bytes(SHIPPED.read_bytes()[:-2])
    with pytest.raises(BadInput, match=r"none\.bin: damaged"):
        weights_of(hazard.game("dice-wars"))


def test_chances_at_a_glance_are_shares_of_one() -> None:
    """Also while a battle is fought, dice are placed, and with some who are out; a battle is the mean of its ends."""
    seen = set()
    for players in (2, 4):
        game = hazard.game("dice-wars", players=players, territories="6", grid="14x14", turns=8)
        rng = stream(players)
        position = game.deal(rng)
        while not position.over:
            found = glance.chances(position)
            assert sum(found) == pytest.approx(1)
            assert all(0 <= share <= 1 for share in found)
            seen.add(position.state.phase)
            if position.state.phase == BATTLE:
                ends = [(float(o.probability), glance.chances(o.position)) for o in position.outcomes()]
                assert found == pytest.approx([sum(p * end[seat] for p, end in ends) for seat in range(players)])
            position = position.roll(rng).position if position.rolling else position.move(position.moves[0])
        assert glance.chances(position) == position.payoffs
    assert seen == {CHOOSE, BATTLE, PLACE}

"""Games with bots, with real processes: good bots in two languages, and what a fault costs."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

import hazard
from hazard import dice
from hazard.agents.seating import seat_agents
from hazard.arena.bots.bot import Bot
from hazard.arena.bots.games import BotGame, play_bot_games
from hazard.arena.bots.limits import REASONS, Limits
from hazard.arena.bots.messages import End, Message, NewGame
from hazard.arena.play.steps import place_at, play_steps, seat_of, streams_of
from hazard.contract import decide, floor, purse
from hazard.errors import BadInput
from tests.conftest import MISSING
from tests.waiting import COMPILING

HOME = Path(__file__).parents[1]
PYTHON = shlex.join([sys.executable, str(HOME / "examples/bots/hold20.py")])
NODE = pytest.param(
    shlex.join(["node", str(HOME / "examples/bots/any.mjs")]),
    id="node",
    marks=pytest.mark.skipif(
        shutil.which("node") is None, reason=f"{MISSING}the example bot in JavaScript, as there is no Node"
    ),
)
PIG = hazard.game("pig", goal=30)


def bad(way: str) -> str:
    return shlex.join([str(HOME / "tests/bots/bad.py"), way])


def play(*line_up: str, first: int = 0, count: int = 2, game: hazard.Game = PIG, **limits: object) -> list[BotGame]:
    """Bots have all the time they need on a machine that is busy, unless told otherwise."""
    allowed = Limits(**{"bank": COMPILING, "start": COMPILING} | limits)  # type: ignore[arg-type]
    return play_bot_games(game, line_up, 5, first, count, True, allowed)


def reasons(games: list[BotGame]) -> list[list[str]]:
    return [[fault.reason for fault in game.faults] for game in games]


def built_in_moves(game: hazard.Game, line_up: list[str], number: int) -> list[int]:
    """The same game with built-in agents only, told step by step."""
    agents, memory = seat_agents(game, line_up)
    streams, room = streams_of(game, 5, number, True), dice.np.zeros(9, dice.np.int64)
    moves: list[int] = []

    def choose(s: object) -> int:
        place = place_at(s.mover, number, game.seats)  # type: ignore[attr-defined]
        rng = streams[dice.AGENTS + place]
        moves.append(int(game.plain(decide)(agents[place], game.table, s, room, memory[place], rng)))
        return moves[-1]

    assert list(play_steps(game, streams, choose))
    return moves


# --- good bots -------------------------------------------------------------------------------------------------------
def test_a_bot_plays_as_the_agent_it_copies() -> None:
    games = play(PYTHON, "random", count=4)
    for number, game in enumerate(games):
        assert game.moves == built_in_moves(PIG, ["hold-at-20", "random"], number)
        assert game.length == len(game.moves) == sum(not event.rolled for event in game.trail)
        assert game.payoffs == list(hazard.rulebook.Position(PIG, game.trail[-1].after).payoffs)
        assert not game.faults
        assert not game.cut


@pytest.mark.parametrize("bot", [pytest.param(PYTHON, id="python"), NODE])
def test_the_same_games_however_they_are_split(bot: str, small_game: hazard.Game) -> None:
    line_up = [bot] * (small_game.seats - 1) + ["random"]
    whole = play(*line_up, count=4, game=small_game)
    assert reasons(whole) == [[]] * 4
    assert whole == play(*line_up, count=2, game=small_game) + play(*line_up, first=2, count=2, game=small_game)


@pytest.mark.parametrize("bot", [NODE])
def test_the_seed_makes_the_difference(bot: str) -> None:
    one, other = (play_bot_games(PIG, [bot, bot], seed, 0, 1, True, Limits())[0] for seed in (1, 2))
    assert one.moves != other.moves


def test_comments_are_kept_with_their_decisions() -> None:
    (game,) = play(bad("comments"), "random", count=1)
    decisions = [event for event in game.trail if not event.rolled]
    assert [n for n, _ in game.comments] == [n for n, event in enumerate(decisions) if event.state.mover == 0]
    assert game.comments[0] == (0, "of 1\N{REPLACEMENT CHARACTER}")


# --- faults ----------------------------------------------------------------------------------------------------------
def test_a_forfeit_is_charged_to_the_right_seat() -> None:
    for place, line_up in enumerate(([bad("illegal"), "random"], ["random", bad("illegal")])):
        for number, game in enumerate(play(*line_up)):
            (fault,) = game.faults
            assert (fault.place, fault.seat) == (place, seat_of(place, number, 2))
            assert game.payoffs == [float(seat != fault.seat) for seat in range(2)]
            assert fault.reason == "illegal"
            assert "'cheat'" in fault.detail


def test_a_forfeit_costs_the_most_and_the_others_share() -> None:
    risk = hazard.game("risk", attackers=5, defenders=4, objective="losses")
    for number, game in enumerate(play(bad("words"), "random", game=risk)):
        least = float(risk.plain(floor)(risk.g))
        assert game.payoffs[number] == least
        assert sum(game.payoffs) == pytest.approx(float(risk.plain(purse)(risk.g)))
    three = hazard.game("great-rolled-ones", goal=4, players=3)
    assert play("random", bad("words"), "random", game=three, count=1)[0].payoffs == [0.5, 0, 0.5]


def test_two_bots_that_cannot_start_share_the_game() -> None:
    (game,) = play(bad("dies"), bad("dies"), count=1)
    assert game.payoffs == [0.5, 0.5]
    assert [fault.reason for fault in game.faults] == ["start", "start"]
    assert game.length == 0


def test_a_bot_is_suspended_after_three_strikes() -> None:
    games = play(bad("crash"), "random", count=6)
    assert reasons(games) == [["crash"], ["suspended"]] * 3, "games in which it has the same seat come first"
    assert [game.length > 0 for game in games] == [True, False] * 3
    assert [game.payoffs[number % 2] for number, game in enumerate(games)] == [0.0] * 6


def test_a_clean_game_clears_the_strikes() -> None:
    assert reasons(play(bad("odd"), "random", count=8)) == [[], [], ["crash"], ["crash"]] * 2


def test_a_fault_of_one_bot_does_not_touch_the_other() -> None:
    games = play(bad("words"), PYTHON, count=5)
    assert {fault.place for game in games for fault in game.faults} == {0}
    assert reasons(games) == [["malformed"], ["suspended"]] * 2 + [["malformed"]]


def test_no_process_meets_the_same_dice_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot could remember what the other seat rolled, and be in that seat in the next game."""
    told: list[tuple[str, int]] = []
    tell_bot = Bot.tell

    def tell(bot: Bot, message: Message) -> None:
        if isinstance(message, NewGame) and bot.process:
            told.append((bot.process.mark, message.game))
        tell_bot(bot, message)

    monkeypatch.setattr(Bot, "tell", tell)
    play(PYTHON, bad("good"), count=6)
    deals = [(process, number // 2) for process, number in told]
    assert len(deals) == len(set(deals)) == 12
    assert len({process for process, _ in deals}) == 4, "one for each bot and seat"


def test_every_end_follows_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a bot whose opponent is suspended, so that games are not played."""
    told: list[Message] = []
    tell_bot = Bot.tell
    monkeypatch.setattr(Bot, "tell", lambda bot, message: (told.append(message), tell_bot(bot, message)))
    play(bad("dies"), PYTHON, count=5)
    games = [message.game for message in told if isinstance(message, NewGame)]
    ends = [(message.game, message.reason) for message in told if isinstance(message, End)]
    assert games == [0, 2, 4], "first those in which it has the same seat"
    assert sorted(set(ends)) == [(0, "forfeit"), (2, "forfeit"), (4, "forfeit")]


def test_fallback_to_random_moves() -> None:
    games = play(bad("crash"), "hold-at-20", count=4, fallback="random")
    assert [game.cut for game in games] == [False] * 4
    for game in games:
        assert game.trail[-1].after.you >= PIG.g.goal, "played to the end"
    found = [reason for some in reasons(games) for reason in some]
    assert (set(found), found.count("crash")) == ({"crash", "suspended"}, 3)
    assert reasons(games)[-1] == ["suspended"]
    again = play(bad("crash"), "hold-at-20", count=4, fallback="random")
    assert [game.moves for game in games] == [game.moves for game in again]


def test_fallback_when_nothing_starts() -> None:
    (game,) = play(bad("dies"), "random", count=1, fallback="random")
    assert reasons([game]) == [["start"] * 3]
    assert game.length > 3


def test_games_without_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.arena.bots.games.MOST", 3)
    (game,) = play(PYTHON, "random", count=1)
    assert (game.cut, game.length, game.payoffs) == (True, 3, [0.5, 0.5])


def test_bad_limits_are_refused() -> None:
    for limits in ({"bank": 0}, {"memory": 0}, {"strikes": 0}, {"increment": -1}, {"fallback": "hope"}, {"start": 1e9}):
        (name,) = limits
        with pytest.raises(BadInput, match=f"^{name}="):
            Limits(**limits)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="1 agents for 2 seats"):
        play(PYTHON)
    assert len(set(REASONS)) == 9

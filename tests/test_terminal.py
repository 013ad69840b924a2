"""Playing in the terminal: boards in text, hints, take back, colours only where they belong, and a seat in a room."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import hazard
from hazard import dice
from hazard.cli import cli
from hazard.declaration import game_names
from hazard.games.dice_of_doom.boards import HOLE
from hazard.server.guest.client import Guest, ask_server, sit_down
from hazard.server.protocol import Answered, Ask, Back, Move, Proposed, Resign, Sat, TookBack
from hazard.terminal.prompt import BACK, HINT, LUCK, QUIT, meanings_of
from hazard.terminal.room import harmless
from tests.waiting import COMPILING, PATIENCE

PLAY = [sys.executable, "-m", "hazard", "play"]
PIG = ["pig", "human", "hold-at-20", "-p", "goal=30", "--seed", "3"]


def play(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PLAY, *arguments], input=typed, capture_output=True, text=True, timeout=COMPILING)


def on_a_terminal(*arguments: str, typed: str, **environment: str) -> str:
    """What is shown if standard output is a terminal."""
    mine, theirs = pty.openpty()
    done = subprocess.Popen(
        [*PLAY, *arguments],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    assert done.stdin
    done.stdin.write(typed.encode())
    done.stdin.close()
    shown = b""
    try:
        while part := os.read(mine, 65536):
            shown += part
    except OSError:  # how a terminal ends on Linux
        pass
    os.close(mine)
    assert done.wait(PATIENCE) == 0
    return shown.decode()


# --- what is understood -----------------------------------------------------------------------------------------------
def test_moves_come_before_words_and_whole_names_before_beginnings() -> None:
    moves = ["a1", "a12", "back", "b2-c3"]
    assert meanings_of("a1", moves) == ["a1"]
    assert meanings_of("A1", moves) == ["a1"]
    assert meanings_of("a", moves) == ["a1", "a12"]
    assert meanings_of("4", moves) == ["b2-c3"]
    assert meanings_of("back", moves) == ["back"]
    assert meanings_of("b2", moves) == ["b2-c3"]
    assert meanings_of("5", moves) == meanings_of("0", moves) == meanings_of("", moves) == meanings_of("x", moves) == []


def test_words() -> None:
    moves = ["roll", "hold"]
    assert [meanings_of(said, moves) for said in ("?", "hint", "advice")] == [[HINT]] * 3
    assert [meanings_of(said, moves) for said in (BACK, LUCK, QUIT)] == [[BACK], [LUCK], [QUIT]]
    assert meanings_of("resign", moves) == []
    assert meanings_of("resign", moves, ["resign"]) == ["resign"]


# --- boards in text ---------------------------------------------------------------------------------------------------
BOARDS = ["3x3", "triangle:4", "map:aab,a.b,ccd", "1x3", "4x8"]


@pytest.mark.parametrize("board", BOARDS)
def test_every_tile_of_a_board_is_drawn_once(board: str) -> None:
    game = hazard.game("dice-of-doom", board=board, players=3)
    position = game.deal(dice.stream(2, 0, dice.BOARD))
    lines = game.declaration.drawing.draw(game.table, position.state)
    text = "\n".join(lines)
    owners = re.findall(r"\b([rbgy]):(\d)", text)
    tiles = re.findall(r"[rbgy]\d+", str(position).partition(" | ")[0].split(" ", 1)[1])
    assert sorted(a + b for a, b in owners) == sorted(tiles)
    assert sorted(re.findall(r"\b[a-z]\d+\b", text)) == sorted(game.notation.layout(game.table).tiles)


def test_hexagons_have_walls_where_a_tile_ends() -> None:
    game = hazard.game("dice-of-doom", board="map:aab,a.b,ccd")
    assert HOLE in game.table.grid
    lines = game.declaration.drawing.draw(game.table, game.start().state)
    assert lines == [
        r" / \ / \ / \ ".rstrip(),
        r"|a1     |a3 |",
        r"|r:3    |b:3|",
        r" \     / \   \ ".rstrip(),
        r"  |   |   |   |",
        r"  |   |   |   |",
        r"   \ / \ / \ / \ ".rstrip(),
        r"    |c1     |c3 |",
        r"    |r:3    |b:3|",
        r"     \ / \ / \ /",
    ]


def test_the_table_of_pickomino() -> None:
    game = hazard.game("pickomino")
    draw = game.declaration.drawing.draw
    lines = draw(
        game.table, game.parse("p2 kept 44w rolled 12235 centre 21,33 stacks 25,22 / - turned 23-24,26-32,34-36").state
    )
    assert lines == [
        "+--+--+",
        "|21|33|",
        "|1w|4w|",
        "+--+--+",
        "  p1: 25 22  (3 w)",
        "> p2: no tiles",
        "turned down: 23-24,26-32,34-36",
        "aside: [4][4][w]  (score 13)",
        "rolled: [1][2][2][3][5]",
    ]
    over = game.parse("p1 kept - centre - stacks - / 21 turned 22-36")
    assert draw(game.table, over.state)[0] == "the centre is empty"


# --- at a table of one's own ------------------------------------------------------------------------------------------
def drawn(name: str, text: str = "", **parameters: int | str) -> list[str]:
    game = hazard.game(name, **parameters)
    return game.declaration.drawing.draw(game.table, (game.parse(text) if text else game.start()).state)


def test_scores_are_drawn_as_tracks() -> None:
    one, two = drawn("pig", "p2 32:41 pot 7")
    assert (one.count("="), one.count("+"), one.count(".")) == (12, 0, 28)
    assert two.startswith("> p2    41 + 7  [================+++")
    first, second, aside = drawn("great-rolled-ones", "p1 32:41 k7 o1")
    assert first.startswith("> p1    32 + 7")
    assert second.startswith("  p2        41")
    assert aside == "ones aside: [1][ ][ ]  dice to roll: 4"


def test_a_battle_is_drawn() -> None:
    assert drawn("risk", "a10 d8 roll 5-4") == [
        "attacker   10 oooooooooo",
        "defender    8 oooooooo",
        "dice of the attacker: [5][4]",
    ]
    assert "each figure stands for 2 armies" in drawn("risk", "a100 d8", attackers=100)


def test_a_map_of_dice_wars_is_drawn() -> None:
    lines = drawn("dice-wars", players=3, map=7)
    picture, standing = lines[: lines.index("")], lines[lines.index("") + 1 :]
    game = hazard.game("dice-wars", players=3, map=7)
    lands = int(game.table.scratch.counts[0, 0])
    for land in range(1, lands + 1):
        assert sum(f"{land:02}" in re.findall(r"[A-C]\d|\d\d", line) for line in picture) == 1
    assert [line[:4] for line in standing] == ["> A:", "  B:", "  C:"]
    assert sum(int(re.findall(r"(\d+) territories", line)[0]) for line in standing) == lands


def test_take_back_brings_the_same_dice() -> None:
    """Rolls after `back` are those before it; the end is that of the game without it."""
    straight, with_back = (
        play(*PIG, typed=typed).stdout for typed in ("roll\nroll\nquit\n", "roll\nback\nroll\nroll\nquit\n")
    )
    rolled = [re.findall(r"the dice: (\d)", text) for text in (straight, with_back)]
    assert len(rolled[0]) == 3
    assert rolled[1] == [*rolled[0][:2], *rolled[0][1:]]
    assert "taken back; the same moves will meet the same dice" in with_back
    assert straight.splitlines()[-4:] == with_back.splitlines()[-4:]


def test_nothing_to_take_back() -> None:
    shown = play(*PIG, typed="back\nquit\n")
    assert shown.returncode == 0
    assert "there is nothing to take back" in shown.stdout


def test_hints_and_luck_say_how_they_are_known() -> None:
    shown = play("pig", "human", "hold-at-20", "-p", "goal=12", "--seed", "3", typed="?\nluck\nquit\n").stdout
    assert re.search(r"chances: player 1 0\.\d{4}, player 2 0\.\d{4}   exact", shown)
    assert re.search(
        r"roll  0\.\d{4}   best\n +A 1 ends the turn|roll  0\.\d{4}   best\n +(A 1|There is nothing)", shown
    )
    assert re.search(r"hold  0\.\d{4}   costs 0\.\d{4}\n +You bank", shown)
    assert "luck and skill, exact:" in shown
    assert re.search(r"player 1 \(human\): 0\.6839 at first, luck -?0\.\d{4}, gave away 0\.0000", shown)


def test_every_game_can_be_played() -> None:
    for name in game_names():
        shown = play(name, *["random"] * hazard.game(name).seats, "--seed", "1", typed="")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert "over" in shown.stdout.splitlines()


def test_the_same_seed_plays_the_same_game() -> None:
    one, two = (play(*PIG, typed="roll\nhold\n" * 40).stdout for _ in range(2))
    assert one == two
    assert "over" in one.splitlines()
    assert "Seed 3." in one


def test_colours_only_on_a_terminal() -> None:
    coloured = on_a_terminal(*PIG, typed="quit\n")
    assert "\x1b[" in coloured
    assert "\x1b[" not in on_a_terminal(*PIG, typed="quit\n", NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(*PIG, typed="quit\n", TERM="dumb")
    assert "\x1b[" not in play(*PIG, typed="quit\n").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pig", "human"], "1 seats named, but pig has 2"),
        (["pig", "human", "nobody"], "no agent of pig 'nobody'"),
        (["pig", "--seed", "-1"], "seed=-1: must be from 0"),
        ([], "Missing argument 'GAME'"),
        (["pig", "--room", "http://127.0.0.1:9/rooms/ab"], "leave out GAME"),
        (["--room", "nowhere"], "'nowhere': not a room"),
        (["--room", "http://127.0.0.1:9/rooms/ab"], "no Hazard server answers there"),
    ],
)
def test_bad_input(arguments: list[str], says: str) -> None:
    shown = play(*arguments, typed="")
    assert (shown.returncode, len(shown.stderr.splitlines())) == (2, 1)
    assert says in shown.stderr


def test_help_names_the_words() -> None:
    text = cli.commands["play"].help or ""
    assert all(f"`{word}`" in text for word in ("?", BACK, LUCK, QUIT))


# --- in a room of a server --------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    command = [sys.executable, "-m", "hazard", "serve", "--port", "0", "--data", str(tmp_path_factory.mktemp("rooms"))]
    command += ["--limit", "pace=0.01"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    found = re.search(r"http://\S+:\d+", process.stdout.readline())
    assert found
    yield found[0]
    process.terminate()
    process.wait(PATIENCE)


def open_room(server: str, *agents: str | None, **options: object) -> str:
    seats = [{"agent": agent} if agent else {} for agent in agents]
    room = {"game": "pig", "parameters": {"goal": 30}, "seats": seats, **options}
    return f"{server}/rooms/{ask_server(server, '/api/rooms', {'room': room})['room']}"


ROLLED = "roll\n" * 200  # whatever happens


def test_a_game_in_a_room(server: str) -> None:
    url = open_room(server, None, "hold-at-20")
    shown = play("--room", url, "--name", "Ann", typed=ROLLED)
    assert shown.returncode == 0, shown.stderr
    assert "player 1 (Ann), player 2 (hold-at-20)" in shown.stdout
    assert "the game has ended (over)" in shown.stdout
    assert ask_server(server, f"/api/rooms/{url.rpartition('/')[2]}")["status"] == "over"


def test_whoever_quits_comes_back_with_the_token(server: str) -> None:
    url = open_room(server, "hold-at-20", None, parameters={"goal": 1000, "sides": 100})  # long enough to be asked
    begun = play("--room", url, typed="quit\n")
    assert begun.returncode == 0, begun.stderr
    token = re.search(r"HAZARD_TOKEN=(\S+)", begun.stdout)
    assert token
    assert ask_server(server, f"/api/rooms/{url.rpartition('/')[2]}")["status"] == "playing"
    ended = play("--room", url, "--token", token[1], typed=ROLLED)
    assert "the game has ended (over)" in ended.stdout
    again = play("--room", url, "--token", token[1], typed="")
    assert "the game has ended (over)" in again.stdout
    wrong = play("--room", url, "--token", token[1][::-1], typed="")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)
    assert "the token is not that of a seat" in wrong.stderr
    taken = play("--room", url, typed="")
    assert (taken.returncode, len(taken.stderr.splitlines())) == (2, 1)
    assert "all seats are taken" in taken.stderr


def test_looking_on(server: str) -> None:
    url = open_room(server, "hold-at-20", "hold-at-25")
    shown = play("--room", url, "--watch", typed="")
    assert shown.returncode == 0, shown.stderr
    assert "you look on" in shown.stdout
    assert "HAZARD_TOKEN" not in shown.stdout
    assert "the game has ended (over)" in shown.stdout


def test_a_server_plays_no_tricks_with_the_terminal() -> None:
    bad = "\x1b[2Jname\x07"
    heard = harmless(Sat(1, 0, "person", bad))
    assert "\x1b" not in heard.name
    assert "name" in heard.name
    nested = harmless({"moves": [{"move": bad, "value": 0.5}], "games": 3})
    assert "\x1b" not in nested["moves"][0]["move"]
    assert nested["games"] == 3


def test_hints_back_and_luck_in_a_room(server: str) -> None:
    url = open_room(server, None, "hold-at-20", parameters={"goal": 1000, "sides": 100})
    shown = play("--room", url, typed="?\nroll\nback\nluck\nresign\n").stdout
    assert re.search(r"chances: .*rollout of [\d,]+ games each, played on by hold-at-20", shown)
    assert "player 1 (guest) takes back" in shown
    assert "luck and skill, rollout" in shown
    assert "the game has ended (forfeit)" in shown


def test_a_room_without_analysis_says_so(server: str) -> None:
    url = open_room(server, None, "hold-at-20", parameters={"goal": 1000, "sides": 100}, analysis=False)
    shown = play("--room", url, typed="?\nluck\nquit\n")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("there is no analysis in this room before the game is over") == 2


def test_back_goes_past_moves_without_a_choice(server: str) -> None:
    """A turn begins with a roll that nobody chooses; taking back leads to the choice before it."""
    for _ in range(5):
        url = open_room(server, None, "hold-at-20", parameters={"goal": 1000, "sides": 100})
        shown = play("--room", url, typed="roll\nhold\nback\nback\nback\nquit\n").stdout
        if not re.search(r"the dice: 1$", shown, re.MULTILINE):  # a one would end a turn early
            break
    places = re.findall(r"^p1 \S+ pot \d+$", shown, re.MULTILINE)
    assert len(places) == 5
    assert [places[0], places[1]] == [places[4], places[3]]
    assert shown.count("player 1 (guest) takes back") == 2
    assert shown.count("there is nothing to take back") == 1


def hear(guest: Guest, kind: type) -> Any:
    """The next message of a kind."""
    while not isinstance(message := guest.hear(PATIENCE), kind):
        assert message is not None
    return message


@pytest.mark.parametrize("answer", ["y", "n"])
def test_nothing_is_taken_back_unless_the_person_agrees(server: str, answer: str) -> None:
    url = open_room(server, None, None, parameters={"goal": 1000, "sides": 100})
    ben = sit_down(url, 0, "person", "Ben")
    command = [*PLAY, "--room", url, "--name", "Ann"]
    ann = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with Guest(url, ben.token) as guest:
        guest.say(Move(hear(guest, Ask).ask, "roll"))
        question = hear(guest, Ask)
        guest.say(Back(question.ask))
        hear(guest, Proposed)
        assert ann.stdin
        ann.stdin.write(f"{answer}\n")
        ann.stdin.flush()
        hear(guest, TookBack if answer == "y" else Answered)
        guest.say(Resign())
        shown, _ = ann.communicate(timeout=PATIENCE)
    assert re.search(r"player 1 \(Ben\) would like to take back\n +do you agree\?", shown)
    taken = [e for e in room_events(server, url) if e["type"] in ("took_back", "answered")]
    assert [e["type"] for e in taken] == (["answered", "took_back"] if answer == "y" else ["answered"])


def room_events(server: str, url: str) -> list[dict[str, Any]]:
    return ask_server(server, f"/api/rooms/{url.rpartition('/')[2]}")["events"]

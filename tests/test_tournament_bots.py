"""Bots in tournaments: faults are counted and shown, and a bot that hangs is expelled."""

import sys
from pathlib import Path

from hazard.arena.bots.limits import Limits
from hazard.arena.tournament.query import query
from hazard.arena.tournament.replay import replay
from hazard.arena.tournament.run import BEHIND, SUSPENSIONS, run
from hazard.arena.tournament.setting import round_robin, settle
from tests.tournaments import EXAMPLES, contents, hazard_command, pig


def test_bots_take_part(tmp_path: Path) -> None:
    bot = str(EXAMPLES / "hold20.py")
    crash = tmp_path / "crash.py"
    crash.write_text("import sys\nsys.exit('I had a bad day')\n")
    agents = [bot, "hold-at-20", str(crash)]
    setting = settle(pig(), agents, round_robin(agents, 2), games=8, seed=1)
    found = run(tmp_path / "x", setting, processes=2)
    assert run(tmp_path / "y", setting)["line_ups"] == found["line_ups"]
    assert contents(tmp_path / "x") == contents(tmp_path / "y")
    fault = found["faults"][0]
    assert (fault["agent"], fault["reason"]) == (str(crash), "start")
    assert sum(f["count"] for f in found["faults"]) == 16
    assert "I had a bad day" in fault["words"]
    assert "I had a bad day" in (tmp_path / "x" / "report.html").read_text()
    _, rows = query(tmp_path / "x", "select game from games where line_up = 0 order by game")
    for (number,) in rows:
        assert replay(tmp_path / "x", number)["over"]
    _, rows = query(tmp_path / "x", "select agent, avg(payoff) from results group by all order by 2")
    assert rows[0] == (str(crash), 0.0)
    forfeited = replay(tmp_path / "x", setting.game_id(1, 0))
    assert (forfeited["over"], forfeited["faults"][0]["reason"]) == (False, "start")


def test_a_bot_that_hangs_is_expelled(tmp_path: Path) -> None:
    """It may waste its time in some batches, but not in all."""
    hang = f"{sys.executable} {Path(__file__).parent / 'bots' / 'bad.py'} hang"
    limits = Limits(bank=0.05, increment=0.0, strikes=2)
    setting = settle(pig(), [hang, "random"], [[0, 1]], games=80, seed=1, batch=4, limits=limits)
    for folder, processes in (("x", 1), ("y", 2)):
        found = run(tmp_path / folder, setting, processes=processes)
        faults = {fault["reason"]: fault["count"] for fault in found["faults"]}
        played = SUSPENSIONS + BEHIND  # batches before it is expelled
        assert faults == {"timeout": 2 * played, "suspended": 80 - 2 * played}
        assert found["ratings"][1]["agent"] == hang


def test_bots_may_fall_back_on_random_moves(tmp_path: Path) -> None:
    illegal = f"{sys.executable} {Path(__file__).parent / 'bots' / 'bad.py'} illegal"
    limits = Limits(fallback="random")
    found = run(tmp_path / "x", settle(pig(), [illegal, "random"], [[0, 1]], games=8, seed=1, limits=limits))
    assert found["faults"][0]["reason"] == "illegal"
    assert 0 < found["line_ups"][0]["places"][0]["wins"] < 8
    assert all(replay(tmp_path / "x", n)["over"] for n in range(8))


def test_what_bots_say_is_kept(tmp_path: Path) -> None:
    bot = tmp_path / "talker.py"
    text = (EXAMPLES / "hold20.py").read_text()
    bot.write_text(text.replace('"move": move}', '"move": move, "comment": f"the pot is {pot}"}'))
    run(tmp_path / "x", settle(pig(), [str(bot), "random"], [[0, 1]], games=2, seed=1))
    found = replay(tmp_path / "x", 0)
    decisions = [event for event in found["events"] if "move" in event]
    assert [comment["ply"] for comment in found["comments"]] == [
        n for n, event in enumerate(decisions) if event["agent"] == str(bot)
    ]
    assert f'{bot}: roll   "the pot is 0"' in hazard_command("replay", tmp_path / "x", 0).stdout

"""Records: replays, queries, recorded moves, luck, more than two seats."""

import json
from pathlib import Path

import pytest

import hazard
from hazard.arena.tournament.query import query
from hazard.arena.tournament.replay import replay
from hazard.arena.tournament.run import run, tallies
from hazard.arena.tournament.setting import round_robin, settle
from hazard.arena.tournament.store import Store, read_setting
from tests.tournaments import AGENTS, hazard_command, make, pig


def test_every_game_can_be_replayed(undisturbed: Path) -> None:
    _, rows = query(undisturbed, "select game, seat_1, seat_2, payoff_1, length from games order by game")
    assert [row[0] for row in rows] == list(range(180))
    for number, first, second, paid, length in rows[::7]:
        found = replay(undisturbed, number)
        assert [seat["agent"] for seat in found["seats"]] == [first, second]
        assert sum("move" in event for event in found["events"]) == length
        assert pig().parse(found["end"]).payoffs[0] == paid == found["payoffs"][0]


def test_a_replay_on_the_command_line(undisturbed: Path) -> None:
    found = json.loads(hazard_command("replay", undisturbed, 5, "--json").stdout)
    assert found == replay(undisturbed, 5)
    position = pig().start()
    for event in found["events"]:
        assert str(position) == event["position"]
        if "dice" in event:
            position = position.outcomes()[event["dice_number"]].position
        else:
            position = position.move(event["move"])
    assert str(position) == found["end"]
    text = hazard_command("replay", undisturbed, 5).stdout
    assert text.splitlines()[0].startswith("game 5: player 1 is")
    assert hazard_command("replay", undisturbed, 180).returncode == 2


def test_games_agree_with_matches(undisturbed: Path) -> None:
    """The same seed and line-up play the same games wherever they are played."""
    found = hazard.match(pig(), "optimal", "random", games=60, seed=3)
    assert query(undisturbed, "select count(*) from games where line_up = 1 and winner = 'optimal'")[1] == [
        (found.wins[0],)
    ]


def test_tallies_agree_with_sql(undisturbed: Path) -> None:
    found = tallies(Store(undisturbed, read_setting(undisturbed)), pig(), {})
    _, rows = query(
        undisturbed,
        "select l.line_up, l.place, avg(r.payoff), avg(r.length) from results r join line_ups l "
        "on l.line_up = r.line_up and l.agent = r.agent group by all order by all",
    )
    assert len(rows) == 6
    for n, place, mean, length in rows:
        assert found[n].payoff(place).mean == pytest.approx(mean, abs=1e-12)
        assert sum(k * times for k, times in found[n].lengths.items()) / 60 == pytest.approx(length)


def test_moves_are_recorded(tmp_path: Path) -> None:
    run(tmp_path / "x", make(record=True), processes=1)
    columns, rows = query(tmp_path / "x", "from moves order by game, ply")
    assert columns[:7] == ["game", "ply", "seat", "position", "move", "move_number", "payoff"]
    told = [
        (n, event["seat"], event["position"], event["move"])
        for n in range(180)
        for event in replay(tmp_path / "x", n)["events"]
        if "move" in event
    ]
    assert [(row[0], *row[2:5]) for row in rows] == told
    state = pig().rules.State(*rows[3][7:])
    assert pig().notation.text(pig().g, state) == rows[3][3]
    wrong = "select count(*) from moves m join results r using (game, seat) where m.payoff <> r.payoff"
    assert query(tmp_path / "x", wrong)[1] == [(0,)]


def test_luck_is_kept(tmp_path: Path) -> None:
    run(tmp_path / "x", make(luck=True))
    summary = json.loads((tmp_path / "x" / "summary.json").read_text())
    plain, adjusted = (summary["line_ups"][0]["places"][0][key] for key in ("error", "adjusted"))
    assert adjusted["error"] < plain
    exact = [hazard.evaluate(pig(), names).value(pig().start()) for names in (AGENTS[:2], AGENTS[1::-1])]
    assert abs(adjusted["mean"] - (exact[0][0] + exact[1][1]) / 2) < 4 * adjusted["error"]


def test_a_query_that_is_wrong(undisturbed: Path) -> None:
    found = hazard_command("results", undisturbed, "--sql", "select nothing from games")
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1)
    other = undisturbed / "x.csv"
    assert hazard_command("results", undisturbed, "--sql", f"copy games to '{other}'").returncode == 2
    assert not other.exists()


def test_a_million_games_are_small(tmp_path: Path) -> None:
    """From a sixteenth of them: a batch of 62,500 games may take a sixteenth of 5 MB."""
    game = hazard.game("great-rolled-ones")
    agents = ["fixed-hold-at", "keep-pace"]
    run(tmp_path / "x", settle(game, agents, [[0, 1]], games=62_500, seed=1, batch=7_812))
    size = sum(path.stat().st_size for path in (tmp_path / "x").rglob("*") if path.is_file())
    assert size < 5_000_000 / 16


def test_more_than_two_seats(tmp_path: Path) -> None:
    game = hazard.game("great-rolled-ones", goal=6, players=3)
    agents = ["random", "fixed-hold-at", "roll-with-4-or-5", "keep-pace"]
    found = run(tmp_path / "x", settle(game, agents, round_robin(agents, 3), games=30, seed=1), processes=2)
    assert (found["seats"], len(found["line_ups"]), found["games_played"]) == (3, 4, 120)
    assert all(1 <= row["mean_rank"] <= 3 for row in found["ratings"])
    _, rows = query(tmp_path / "x", "select agent, seat, count(*) from results group by all")
    assert {row[2] for row in rows} == {30}
    assert replay(tmp_path / "x", 100)["seats"][2]["agent"] in agents
    repeated = run(tmp_path / "y", settle(game, agents[:2], [[0, 0, 1]], games=30, seed=1))
    assert repeated["ratings"][0]["games"] == 30

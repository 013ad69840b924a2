"""Learning: networks fit, courses are the same however they are broken off, and files of weights are what they say."""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hazard
from hazard.cli import main
from hazard.errors import BadInput
from hazard.games.dice_wars.players import learn as dice_wars
from hazard.games.pickomino.players import learn as pickomino
from hazard.learning import weights
from hazard.learning.course import CHECKPOINT, WEIGHTS, Course, Lesson, Plan
from hazard.learning.network import Learner, chances, fresh, sizes_of, slopes

SIZES = [5, 4, 3, 2]
PLAN = Plan(batch=16, window=2)


def examples(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two of four inputs on, the fifth never; the chance depends on which."""
    rng = np.random.default_rng(seed)
    seen = np.array([[*rng.permutation(4)[:2], 5] for _ in range(rows)])
    mine = 0.2 + 0.2 * (seen == 1).any(axis=1) + 0.4 * (seen == 2).any(axis=1)
    return seen, np.stack([mine, 1 - mine], axis=1).astype(np.float32)


def test_a_network_by_hand() -> None:
    layers = [
        np.array([[1.0, -1.0], [0.5, 2.0]]),
        np.array([0.0, -1.5]),
        np.array([[1.0, 0.0], [0.0, 2.0]]),
        np.zeros(2),
    ]
    found = chances([x.astype(np.float32) for x in layers], np.array([[0, 1], [0, 2], [2, 2]]))
    sums = [[1.5, 0.0], [1.0, 0.0], [0.0, 0.0]]  # of both, of the first alone, of none
    assert found[:, 0] == pytest.approx([1 / (1 + np.exp(b - a)) for a, b in sums])
    assert found.sum(axis=1) == pytest.approx(1.0)


def test_slopes_are_those_of_the_cross_entropy() -> None:
    layers = [x.astype(np.float64) for x in fresh(SIZES, 2, np.random.default_rng(1))]
    seen, targets = examples(6, 2)

    def entropy() -> float:
        return float(-(targets * np.log(chances(layers, seen))).sum(axis=1).mean())

    for layer, slope in zip(layers, slopes(layers, seen, targets), strict=True):
        for at in np.ndindex(layer.shape):
            kept = layer[at]
            layer[at] = kept + 1e-6
            above = entropy()
            layer[at] = kept - 1e-6
            below = entropy()
            layer[at] = kept
            assert slope[at] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_a_learner_finds_what_there_is_to_learn() -> None:
    learner = Learner(fresh([5, 16, 8, 2], 2, np.random.default_rng(3)))
    seen, targets = examples(512, 4)
    for n in range(60):
        order = np.random.default_rng(n).permutation(len(seen))
        learner.fit(seen, targets, 8e-3, 0.99, 32, order)
    new, right = examples(100, 5)
    assert chances(learner.layers, new) == pytest.approx(right, abs=0.02)
    assert chances(learner.mean, new) == pytest.approx(right, abs=0.02)


# --- weights ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def game() -> hazard.Game:
    return hazard.game("pig", goal=10)


def note(game: hazard.Game, other: dict | None = None) -> weights.Note:
    told = {"parameters": game.parameters, "rules": game.version, "features": "test 1", "sizes": SIZES, "seed": 1}
    spent = {"rounds": 3, "games": 4, "positions": 5, "minutes": 0.1, "command": "hazard learn", "strength": []}
    return weights.Note(**{"game": game.name, **told, **spent, **(other or {})})  # type: ignore[arg-type]


def test_weights_come_back_as_they_were_stored(game: hazard.Game, tmp_path: Path) -> None:
    layers = fresh(SIZES, 2, np.random.default_rng(1))
    weights.save(tmp_path / "w", note(game), layers)
    found = weights.load(tmp_path / "w", game, "test 1", SIZES)
    assert sizes_of(found) == SIZES
    for one, other in zip(found, layers, strict=True):
        assert one == pytest.approx(other, rel=1e-3, abs=1e-7)
    line = (tmp_path / "w").read_bytes().split(b"\n")[0]
    assert json.loads(line)["rounds"] == 3
    memory = weights.as_memory(found).view(np.float32)
    assert list(memory[1:4]) == SIZES[:-1]
    assert memory[4:] == pytest.approx(np.concatenate([x.ravel() for x in found]))


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"game": "risk"}, "made for risk, not pig"),
        ({"rules": "0123"}, "made for rules 0123, not "),
        ({"features": "test 0"}, "made for inputs test 0, not test 1"),
        ({"sizes": [5, 4, 1]}, "made with layers of [5, 4, 1], not [5, 4, 3, 2]"),
        ({"kind": "hazard weights 0"}, "'hazard weights 0', not 'hazard weights 1'"),
    ],
)
def test_weights_of_something_else_are_refused(game: hazard.Game, tmp_path: Path, other: dict, told: str) -> None:
    sizes = other.get("sizes", SIZES)
    weights.save(tmp_path / "w", note(game, other), fresh(sizes, 2, np.random.default_rng(1)))
    with pytest.raises(BadInput) as refused:
        weights.load(tmp_path / "w", game, "test 1", SIZES)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_damaged_weights_are_refused(game: hazard.Game, tmp_path: Path) -> None:
    path = tmp_path / "w"
    weights.save(path, note(game), fresh(SIZES, 2, np.random.default_rng(1)))
    whole = path.read_bytes()
    for damaged, told in (
        (whole[:-2], "damaged"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "damaged"),
        (b"nothing of the sort", "not a file of weights"),
        (b"\xff" + whole, "not a file of weights"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=told):
            weights.load(path, game, "test 1", SIZES)
    with pytest.raises(BadInput, match="cannot be read"):
        weights.load(tmp_path / "none", game, "test 1", SIZES)


# --- courses ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Toy:
    """Lessons that depend on what has been learnt so far; the agent does not read what it learns."""

    agent: str = "hold-at-20"
    features: str = "test 1"
    sizes: tuple = tuple(SIZES)
    on: int = 2
    rivals: tuple = ("random",)
    plan: Plan = PLAN

    def watch(self, seed: int) -> Lesson:
        return Lesson(*examples(64, seed), 7)

    def practise(self, memory: np.ndarray, seed: int) -> Lesson:
        seen, targets = examples(32, seed)
        return Lesson(seen, (targets + abs(memory.view(np.float32)[5]) % 0.1).astype(np.float32), 2)


def toy(**other: object) -> Toy:
    return replace(Toy(sizes=SIZES), **other)  # type: ignore[arg-type]


def taught(game: hazard.Game, folder: Path, *stops: int, seed: int = 1) -> Course:
    """Learn up to each of some numbers of rounds, beginning again from the folder each time."""
    for rounds in stops:
        course = Course(game, toy(), seed, folder, "hazard learn")
        course.learn(None, rounds, 2, 10, lambda *_: None)
    return course


def test_a_course_is_the_same_however_it_is_broken_off(game: hazard.Game, tmp_path: Path) -> None:
    whole, broken = taught(game, tmp_path / "a", 6), taught(game, tmp_path / "b", 1, 4, 6)
    for one, other in zip(whole.learner.layers, broken.learner.layers, strict=True):
        assert np.array_equal(one, other)
    assert [whole.games, whole.positions] == [broken.games, broken.positions] == [7 + 5 * 2, 64 + 5 * 32]
    files = [weights.read(tmp_path / name / WEIGHTS) for name in "ab"]
    assert files[0][0].digest == files[1][0].digest
    assert msgspec.structs.replace(files[0][0], minutes=0) == msgspec.structs.replace(files[1][0], minutes=0)


def test_another_seed_learns_otherwise(game: hazard.Game, tmp_path: Path) -> None:
    courses = [taught(game, tmp_path / str(seed), 2, seed=seed) for seed in (1, 2)]
    assert not np.array_equal(courses[0].learner.layers[0], courses[1].learner.layers[0])


def test_the_curve_has_a_point_wherever_strength_was_measured(game: hazard.Game, tmp_path: Path) -> None:
    taught(game, tmp_path / "a", 4)
    found = json.loads((tmp_path / "a" / "curve.json").read_text())
    assert [point["round"] for point in found["points"]] == [1, 3, 4]
    strength = found["points"][-1]["strength"][0]
    assert strength["rival"] == "random"
    assert strength["low"] < strength["mean"] < strength["high"]
    assert strength["mean"] > 0.5


def test_a_folder_of_another_course_is_left_alone(game: hazard.Game, tmp_path: Path) -> None:
    taught(game, tmp_path / "a", 1)
    with pytest.raises(BadInput, match="a course with seed 1, not 2"):
        taught(game, tmp_path / "a", 1, seed=2)
    with pytest.raises(BadInput, match="a course with plan"):
        Course(game, toy(plan=Plan(batch=8)), 1, tmp_path / "a", "")
    (tmp_path / "a" / CHECKPOINT).write_bytes(b"PK")
    with pytest.raises(BadInput, match="the checkpoint is damaged"):
        taught(game, tmp_path / "a", 2)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(BadInput, match="holds something else"):
        taught(game, tmp_path / "mine", 1)


# --- the command -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["pig"], "pig cannot be learnt; dice-wars, pickomino can"),
        (["pigs"], "no game 'pigs'; did you mean 'pig'?"),
        (["pickomino", "--minutes", "0"], "--minutes 0: must be more than 0"),
        (["pickomino", "--rounds", "-1"], "--rounds -1: must be more than 0"),
        (["pickomino", "--seed", "-1"], "--seed -1: must be from 0 to 2^63 - 1"),
        (["pickomino", "-p", "players=9"], "players=9: must be from 2 to 7"),
    ],
)
def test_refusals(words: list[str], told: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["hazard", "learn", *words, "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert err == f"hazard: {told}\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "course", "agents"),
    [("dice-wars", dice_wars, ("master-fast", "naive")), ("pickomino", pickomino, ("master", "s1"))],
)
def test_the_command_learns_and_goes_on(name: str, course, agents, tmp_path: Path, monkeypatch, capsys) -> None:
    folder, found = tmp_path / "out", []
    monkeypatch.setattr(course, "WATCHED", 3000)
    monkeypatch.setattr(course, "PRACTISED", 500)
    for rounds in (2, 3):
        words = [name, "--rounds", str(rounds), "--games", "20", "--out", str(folder), "--json"]
        monkeypatch.setattr(sys, "argv", ["hazard", "learn", *words])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        out, err = capsys.readouterr()
        assert f"if this is stopped, go on with:\nhazard learn {name} --rounds" in err
        found.append(json.loads(out))
    assert [one["rounds"] for one in found] == [2, 3]
    assert found[1]["games"] > found[0]["games"]
    assert {path.name for path in folder.iterdir()} == {
        *("checkpoint.npz", "course.json", "weights.bin"),
        *("curve.json", "curve.png", "curve.svg"),
    }
    monkeypatch.setenv("HAZARD_WEIGHTS", str(folder / WEIGHTS))
    assert hazard.match(hazard.game(name), *agents, games=20).games == 20

"""The folder of results: written as a whole, by one program at a time, with what was there before; and its progress."""

import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hazard.cli import cli
from hazard.errors import BadInput
from hazard.files import replacing
from hazard.results import read_results
from hazard.studies.parts import Parts
from hazard.studies.report import REPRODUCED, Figure, Finding, Study, write
from hazard.studies.risk import STUDY

NAMES = ["a", "b", "c", "d", "e", "f"]


def study(name: str) -> Study:
    found = Study(name, name, "a source", [Finding("here", "it", "1", "1", REPRODUCED)])
    found.figures = [Figure(f"{name}.svg", "a picture", "", lambda path: _draw(path))]
    return found


def _draw(path: Path) -> None:
    path.write_text("<svg/>")


def _write(name: str, folder: Path) -> None:
    write([study(name)], folder)


def test_programs_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    programs = [context.Process(target=_write, args=(name, tmp_path / "results")) for name in NAMES]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
        assert program.exitcode == 0
    assert list(read_results(tmp_path / "results")) == NAMES
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
    assert all((tmp_path / "results" / f"{name}.svg").exists() for name in NAMES)


def test_what_was_there_stays_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "results"
    write([study("a")], folder)
    bad = study("b")
    bad.figures = [Figure("b.svg", "", "", lambda path: os.mkdir(path / "nowhere" / "x"))]
    with pytest.raises(OSError, match="nowhere"):
        write([bad], folder)
    assert list(read_results(folder)) == ["a"]
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "own").mkdir(parents=True)
    (tmp_path / "results").symlink_to(tmp_path / "elsewhere" / "own")
    write([study("a")], tmp_path / "results")
    write([study("b")], tmp_path / "results")
    assert (tmp_path / "results").is_symlink()
    assert list(read_results(tmp_path / "results")) == ["a", "b"]
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["own"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else"), replacing(tmp_path, "findings.json"):
        pass
    with pytest.raises(BadInput, match="something else"):
        write([study("a")], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_parts_are_counted() -> None:
    told: list[tuple[str, int, int]] = []
    parts = Parts(lambda *line: told.append(line))
    parts.plan(2)
    parts("first")
    parts.finish()
    parts("second")
    parts.finish()
    assert told == [("first", 0, 2), ("first", 1, 2), ("second", 1, 2), ("second", 2, 2)]


def run_quickly(full: bool, progress: Parts) -> Study:
    progress.plan(2)
    progress("all of it")
    progress.finish()
    return study("risk")


def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    monkeypatch.setattr("hazard.studies.risk.STUDY", type(STUDY)(game=STUDY.game, run=run_quickly))
    return CliRunner().invoke(cli, ["reproduce", "risk", "--out", str(tmp_path / "results"), *words])


def test_steps_are_lines_of_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.loads(line) for line in invoke(tmp_path, monkeypatch, "--steps").stdout.splitlines()]
    assert [(line["doing"], line["done"]) for line in lines] == [
        ("all of it", 0),
        ("all of it", 1),
        ("drawing risk.svg", 1),
        ("drawing risk.svg", 2),
    ]
    assert {(line["study"], line["planned"]) for line in lines} == {("risk", 2)}
    assert list(read_results(tmp_path / "results")) == ["risk"]


def test_steps_and_json_exclude_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = invoke(tmp_path, monkeypatch, "--steps", "--json")
    assert isinstance(ran.exception, BadInput)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("twice", [False, True])
def test_a_study_that_was_named_twice_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, twice: bool) -> None:
    ran = invoke(tmp_path, monkeypatch, "--json", *(["risk"] if twice else []))
    assert json.loads(ran.stdout)["studies"] == ["risk"]

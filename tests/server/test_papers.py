"""Papers over HTTP: those that were run and those that were not, and pictures from the folder of results alone."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hazard.server.http.app import Lab, make_app
from hazard.server.http.papers import PAPERS
from hazard.server.limits import Limits
from hazard.studies import study_names
from hazard.studies.report import LEFT_OUT, NOT_REPRODUCED, REPRODUCED, Figure, Finding, Study, Table, write
from tests.server.talk import FirstMove


@contextmanager
def serving(tmp_path: Path, results: Path | None) -> Iterator[TestClient]:
    lab = Lab(tmp_path / "data", Limits(requests=1000.0), tmp_path / "cups", FirstMove(), results)
    with TestClient(make_app(lab), base_url="http://localhost:8000") as found:
        yield found


def study(name: str) -> Study:
    found = Study(name, name.title(), "a source")
    found.findings = [Finding("table 1", f"figure {n}", "1", "1", REPRODUCED) for n in range(3)]
    found.findings += [Finding("table 2", "last", "1", "2", NOT_REPRODUCED, "apart"), Finding("", "", "", "", LEFT_OUT)]
    found.tables = [Table("Ours", ["a", "b"], [[1, 0.5]], "a note")]
    found.figures = [Figure(f"{name}.svg", "A picture", "Its caption", lambda path: _draw(path, name))]
    return found


def _draw(path: Path, name: str) -> None:
    path.write_text(f"<svg xmlns='http://www.w3.org/2000/svg'><title>{name}</title></svg>")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    write([study("risk")], tmp_path / "results")
    return tmp_path / "results"


def test_every_study_has_its_paper() -> None:
    assert {paper.name for paper in PAPERS} == set(study_names())


def test_papers_that_were_run_and_that_were_not(tmp_path: Path, results: Path) -> None:
    with serving(tmp_path, results) as client:
        rows = {row["name"]: row for row in client.get("/api/papers").json()["papers"]}
        paper = client.get("/api/papers/risk").json()
        other = client.get("/api/papers/pickomino").json()
    assert [name for name, row in rows.items() if row["run"]] == ["risk"]
    assert rows["risk"]["verdicts"] == {
        "reproduced": 3,
        "not reproduced": 1,
        "published in error": 0,
        "left to --full": 1,
    }
    assert len(paper["study"]["findings"]) == 5
    assert paper["study"]["tables"][0]["rows"] == [["1", "0.5"]]
    assert other["study"] is None
    assert other["command"] == f"hazard reproduce pickomino --out {results}"


def test_pictures(tmp_path: Path, results: Path) -> None:
    with serving(tmp_path, results) as client:
        answer = client.get("/api/pictures/risk.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "risk" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "name", ["index.html", "findings.json", "secret.svg", "away.svg", "..%2fsecret.svg", "%2fetc%2fpasswd", "none.png"]
)
def test_nothing_else_is_served(tmp_path: Path, results: Path, name: str) -> None:
    (results / "secret.svg").write_text("<svg/>")  # in the folder, but of no study
    (tmp_path / "secret.svg").write_text("<svg/>")
    (results / "away.svg").symlink_to(tmp_path / "secret.svg")
    data = json.loads((results / "studies.json").read_text())
    named = [{"file": file, "title": "", "caption": ""} for file in ("away.svg", "../secret.svg", "index.html")]
    data["risk"]["figures"] += named
    (results / "studies.json").write_text(json.dumps(data))
    with serving(tmp_path, results) as client:
        assert client.get(f"/api/pictures/{name}").status_code == 404


def test_a_paper_that_is_none(tmp_path: Path) -> None:
    with serving(tmp_path, None) as client:
        answer = client.get("/api/papers/chess")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
        assert not any(row["run"] for row in client.get("/api/papers").json()["papers"])


def test_folders_of_before_and_damaged_ones(tmp_path: Path, results: Path) -> None:
    (results / "studies.json").unlink()
    with serving(tmp_path, results) as client:
        assert len(client.get("/api/papers/risk").json()["study"]["findings"]) == 5
        (results / "findings.json").write_text("{")
        assert client.get("/api/papers").json()["code"] == "state"


def test_studies_that_are_not_made_anew_stay(results: Path) -> None:
    write([study("pickomino")], results)
    data = json.loads((results / "studies.json").read_text())
    assert list(data) == list(json.loads((results / "findings.json").read_text())) == ["pickomino", "risk"]
    assert (results / "risk.svg").exists()
    page = (results / "index.html").read_text()
    assert "id=risk" in page
    assert "id=pickomino" in page
    before = (results / "index.html").read_text()
    write([study("pickomino")], results)
    assert (results / "index.html").read_text() == before

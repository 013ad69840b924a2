"""Pictures of positions: every tile, die and move that the text has, and nothing else."""

import json
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import hazard
from hazard.cli import main
from hazard.dice import stream
from hazard.games.dice_of_doom.boards import HOLE, neighbours
from hazard.games.dice_of_doom.pictures.svg import RADIUS, WIDTH, board_svg
from hazard.rulebook import Position
from hazard.solving.solution import Advice, solved

SPACE = "{http://www.w3.org/2000/svg}"
BOARDS = ["3x3", "1x2", "triangle:4", "map:aab,acd,..efg,...gg"]


def drawn(position: Position, advice: list[Advice] | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(position.game, position, advice))


def made_up(position: Position) -> list[Advice]:
    """Every move, the first best."""
    return [Advice(m, 0.9 - n / 50, 0.0, 1.0, n / 50, "rollout") for n, m in enumerate(position.moves)]


def polygons(svg: ElementTree.Element) -> list[tuple[str, list[tuple[float, float]]]]:
    """The hexagons: the tile each belongs to, and its corners."""
    found = [e for e in svg.iter(f"{SPACE}polygon") if "data-tile" in e.attrib]
    return [
        (e.attrib["data-tile"], [tuple(map(float, p.split(","))) for p in e.attrib["points"].split()]) for e in found
    ]


def middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / 6, sum(y for _, y in points) / 6


def words(svg: ElementTree.Element, kind: str) -> list[str]:
    return [e.text or "" for e in svg.iter(f"{SPACE}text") if e.attrib["class"] == kind]


@pytest.mark.parametrize("board", BOARDS)
def test_hexagons_touch_where_tiles_do(board: str) -> None:
    game = hazard.game("dice-of-doom", board=board)
    names, grid = game.notation.layout(game.table).tiles, tuple(map(tuple, game.table.grid.tolist()))
    cells = [(names.index(name), middle(points)) for name, points in polygons(drawn(game.start()))]
    assert len(cells) == sum(tile != HOLE for row in grid for tile in row)
    touching: dict[int, set[int]] = {tile: set() for tile in range(game.g.tiles)}
    for tile, (x, y) in cells:
        for other, (u, v) in cells:
            if other != tile and ((x - u) ** 2 + (y - v) ** 2) ** 0.5 < 1.01 * WIDTH:
                touching[tile].add(other)
    assert touching == {tile: set(some) for tile, some in enumerate(neighbours(grid))}


def test_rows_lie_half_a_tile_to_the_right() -> None:
    cells = dict(polygons(drawn(hazard.game("dice-of-doom", board="3x3").start())))
    (x, y), (u, v) = middle(cells["a1"]), middle(cells["b1"])
    assert u - x == pytest.approx(WIDTH / 2, abs=0.1)
    assert v - y == pytest.approx(1.5 * RADIUS, abs=0.1)


def test_a_merged_tile_has_lines_around_it_only() -> None:
    """Three hexagons in a triangle have 12 sides outside and 3 within, and the other tile hangs on by two."""
    svg = drawn(hazard.game("dice-of-doom", board="map:aab,a").start())
    lines = [e for e in svg.iter(f"{SPACE}line") if e.attrib["class"] == "rim"]
    assert len(lines) == 12 + 6 - 1
    assert words(svg, "name") == ["a1", "a3"]
    assert len(polygons(svg)) == 4


@pytest.mark.parametrize("board", BOARDS)
def test_owners_and_dice_are_shown(board: str) -> None:
    game = hazard.game("dice-of-doom", board=board)
    position = game.deal(stream(5))
    svg = drawn(position)
    said = [w for w in str(position).partition(" | ")[0].split()[1:] if w not in ("/", "-")]
    assert words(svg, "count") == said
    paint = Counter(e.attrib["fill"] for e in svg.iter(f"{SPACE}polygon") if "data-tile" in e.attrib)
    assert set(paint) == {f"url(#{word[0]})" for word in said}
    dice = [e for e in svg.iter(f"{SPACE}rect") if e.attrib.get("rx")]
    assert len(dice) == sum(int(word[1:]) for word in said)
    assert svg.find(f"{SPACE}title").text == str(position)
    assert words(svg, "word") == ["the game is over" if position.over else "red to move, first attack"]


def test_arrows_are_the_moves_of_the_advice() -> None:
    game = hazard.game("dice-of-doom", board="2x3", max_dice=3)
    position = game.parse("2x3 r2 b1 r3 / b3 r3 b1 | r to move, attack again or end")
    svg = drawn(position, made_up(position))
    attacks = [m for m in position.moves if m != "end"]
    shafts = [e for g in svg.iter(f"{SPACE}g") if g.attrib["class"] == "arrow" for e in g.iter(f"{SPACE}path")]
    assert len(shafts) == len(attacks) == 7
    assert [float(e.attrib["stroke-width"]) for e in shafts] == [3.0] * 6 + [8.0]
    cells = {name: middle(points) for name, points in polygons(svg)}
    for shaft, name in zip(shafts, reversed(attacks), strict=True):
        x, y = map(float, shaft.attrib["d"][1:].split("L")[0].split())
        near = min(cells, key=lambda c: (cells[c][0] - x) ** 2 + (cells[c][1] - y) ** 2)
        assert near == name.partition("-")[0]
    assert sorted(words(svg, "label")) == sorted(["0.900", *(f"−{n / 50:.3f}" for n in range(1, 7))])
    assert "end the turn: −0.140" in words(svg, "word")


def test_ending_the_turn_may_be_best() -> None:
    game = hazard.game("dice-of-doom", board="2x2", max_dice=3)
    position = game.parse("2x2 r3 r3 / r2 b3 | r to move, attack again or end")
    advice = [Advice("end", 0.75, 0.7, 0.8, 0.0, "exact"), Advice("a2-b2", 0.75, 0.7, 0.8, 0.0, "exact")]
    svg = drawn(position, advice)
    assert "end the turn: best, 0.750" in words(svg, "word")
    assert words(svg, "label") == ["as good"]
    heads = [g for g in svg.iter(f"{SPACE}g") if g.attrib["class"] == "arrow"]
    assert [g.find(f"{SPACE}path").attrib["stroke-width"] for g in heads] == ["3.0"]


def test_dice_in_the_air_and_dice_to_place() -> None:
    game = hazard.game("dice-of-doom", board="2x2", max_dice=3, reinforcement="chosen", turns=0)
    svg = drawn(game.parse("2x2 r3 b1 / b2 r1 | r attacks a1-a2"))
    assert len([g for g in svg.iter(f"{SPACE}g") if g.attrib["class"] == "arrow"]) == 1
    assert words(svg, "label") == []
    assert words(svg, "word") == ["red attacks a1-a2"]
    position = game.parse("2x2 r2 r1 / b3 b1 | r places 2")
    svg = drawn(position, solved(game).advise(position))
    assert len(words(svg, "label")) == 2
    assert len(list(svg.iter(f"{SPACE}circle"))) == 2  # one ring, light and dark


# --- the command -----------------------------------------------------------------------------------------------------
TEXT = "2x2 r2 b1 / b3 r3 | r to move, first attack"


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["hazard", "advise", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0), *capsys.readouterr()


def test_the_command_draws(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "x.svg"
    asked = ("dice-of-doom", TEXT, "-p", "max_dice=3", "--picture", place, "--json")
    code, out, _ = run(monkeypatch, capsys, *asked)
    assert code == 0
    found = json.loads(out)
    assert found["picture"] == str(place)
    svg = ElementTree.fromstring(place.read_text())
    assert f"{found['moves'][0]['value']:.3f}" in words(svg, "label")
    place.write_text("old")
    assert run(monkeypatch, capsys, *asked)[0] == 0
    assert place.read_text().startswith("<svg")


def test_pictures_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for words_, said in (
        (
            ("pig", "p1 0:0 pot 0", "--picture", tmp_path / "x.svg"),
            "there are no pictures of pig, only of dice-of-doom",
        ),
        (("dice-of-doom", TEXT, "--picture", tmp_path / "x.png"), "pictures are SVG; name the file x.svg"),
        (("dice-of-doom", TEXT, "--picture", tmp_path / "no" / "x.svg"), "name a file in a folder that exists"),
    ):
        code, out, err = run(monkeypatch, capsys, *words_)
        assert code == 2
        assert said in err
        assert len(err.strip().splitlines()) == 1
        assert not out
    assert not list(tmp_path.iterdir())

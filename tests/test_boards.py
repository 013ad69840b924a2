"""What a browser draws boards from: every field in one shape where it belongs, and the way of every attack."""

import json
import re
from math import hypot, sqrt
from pathlib import Path
from typing import Any

import pytest

import hazard
from hazard.dice import stream
from hazard.drawing.hexagons import AROUND, inmost, outline
from hazard.games.dice_wars.maps.files import save_map
from hazard.games.dice_wars.pictures.geometry import areas_of
from hazard.rulebook import Game, Position

Point = tuple[float, float]
DOOM = ["3x3", "5x5", "1x2", "triangle:4", "map:aab,acd,..efg,...gg", "map:aaaa,a.ba,aaaa"]


def board_of(position: Position) -> dict[str, Any]:
    """As the server tells it."""
    board = position.game.declaration.board
    assert board
    return json.loads(json.dumps(board(position.game.table, position.state)))


def lines_of(path: str) -> list[list[Point]]:
    assert re.fullmatch(r"(M[\d.]+ [\d.]+(L[\d.]+ [\d.]+)+Z)+", path)
    parts = [line.rstrip("Z").split("L") for line in path.split("M")[1:]]
    return [[(float(x), float(y)) for x, y in map(str.split, points)] for points in parts]


def area_of(path: str) -> float:
    """By the shoelace formula; holes go the other way round, so that they are taken off."""
    pairs = [pair for line in lines_of(path) for pair in zip(line, [*line[1:], line[0]], strict=True)]
    return sum(x * v - u * y for (x, y), (u, v) in pairs) / 2


def holds(path: str, point: Point) -> bool:
    """Whether a ray to the right leaves the shape."""
    x, y = point
    pairs = [pair for line in lines_of(path) for pair in zip(line, [*line[1:], line[0]], strict=True)]
    over = [(a, b) for a, b in pairs if (a[1] > y) != (b[1] > y)]
    return sum(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > x for a, b in over) % 2 == 1


def check(found: dict[str, Any], cells: dict[str, int], half: float) -> None:
    """Fields have the area of their hexagons and hold their middles; ways are one step over a border."""
    shapes = {field["name"]: field["path"] for field in found["fields"]}
    assert list(shapes) == list(cells)
    for field in found["fields"]:
        assert area_of(field["path"]) == pytest.approx(cells[field["name"]] * 2 * sqrt(3) * half**2, rel=0.01)
        assert holds(field["path"], tuple(field["middle"]))
    for move, (x, y, u, v) in found["ways"].items():
        source, target = re.split("[->]", move)
        assert holds(shapes[source], (x, y))
        assert holds(shapes[target], (u, v))
        assert hypot(u - x, v - y) == pytest.approx(2 * half, rel=0.01)
    points = [point for path in shapes.values() for line in lines_of(path) for point in line]
    assert [min(x for x, _ in points), min(y for _, y in points)] == [0, 0]
    assert [max(x for x, _ in points), max(y for _, y in points)] == found["size"]


def moves_of(game: Game, games: int) -> set[str]:
    """All attacks that came up in some games, dealt and played at random."""
    found: set[str] = set()
    for n in range(games):
        position = game.deal(stream(n))
        found |= set(position.moves if not position.over else [])
    return found - {"end"}


@pytest.mark.parametrize("name", DOOM)
def test_tiles_of_dice_of_doom(name: str) -> None:
    game = hazard.game("dice-of-doom", board=name)
    tiles = game.notation.layout(game.table).tiles
    cells = {tile: int((game.table.grid == n).sum()) for n, tile in enumerate(tiles)}
    found = board_of(game.start())
    check(found, cells, 43.0)
    assert len(found["ways"]) == game.table.edges
    assert moves_of(game, 20) <= set(found["ways"])


def test_a_tile_around_another_has_a_hole() -> None:
    found = board_of(hazard.game("dice-of-doom", board="map:aaa,aba,aaa").start())
    assert [len(lines_of(field["path"])) for field in found["fields"]] == [2, 1]


def test_territories_of_dice_wars() -> None:
    game = hazard.game("dice-wars", players=5)
    for n in range(3):
        position = game.deal(stream(n))
        areas = areas_of(game.table, int(position.state.map))
        found = board_of(position)
        check(found, {str(land + 1): int((areas == land).sum()) for land in range(areas.max() + 1)}, 10.5)
        assert set(position.moves) - {"end"} <= set(found["ways"])
        assert set(found["ways"]) == {">".join(reversed(move.split(">"))) for move in found["ways"]}


def test_the_same_map_from_its_number_and_from_a_file(tmp_path: Path) -> None:
    plain, path = hazard.game("dice-wars", map=12), tmp_path / "map.json"
    save_map(path, areas_of(plain.table, 12))
    filed = hazard.game("dice-wars", map=str(path), grid="40x40")
    loose = hazard.game("dice-wars").parse(str(plain.start()))
    assert board_of(filed.start()) == board_of(plain.start()) == board_of(loose)


def test_a_board_is_small_enough_to_send() -> None:
    assert len(json.dumps(board_of(hazard.game("dice-wars").start()))) < 30_000


def test_outlines_of_one_hexagon_and_of_a_ring() -> None:
    assert [len(line) for line in outline([(0, 0)])] == [6]
    assert sorted(len(line) for line in outline(AROUND)) == [6, 18]
    assert inmost([(0, 0), *AROUND]) == (0, 0)

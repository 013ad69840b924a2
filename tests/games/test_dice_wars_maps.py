"""Maps of Dice Wars: what they look like over many, as files and as pictures; and what is refused."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import hazard
from hazard.cli import main
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.games.dice_wars.maps.files import neighbours, read_areas, save_map
from hazard.games.dice_wars.maps.grow import AREA, LARGEST, SMALLEST, draw_map
from hazard.games.dice_wars.pictures.geometry import areas_of
from hazard.games.dice_wars.pictures.svg import HALF, THIRD, board_svg, map_svg
from hazard.solving.solution import Advice

SPACE = "{http://www.w3.org/2000/svg}"
MANY = 400


@pytest.fixture(scope="module")
def maps() -> list[tuple[np.ndarray, list[int]]]:
    """Many maps as hexes, with the neighbours that play goes by."""
    game = hazard.game("dice-wars")
    draw, g = game.compiled(draw_map), game.table
    found = []
    for number in range(1, MANY + 1):
        draw(g, number, 0)
        lands = int(g.scratch.counts[0, 0])
        found.append(
            (
                g.scratch.hexes[AREA, : 28 * 32].reshape(28, 32).copy().clip(-1),
                [int(n) for n in g.scratch.near[0, :lands]],
            )
        )
    return found


def touching(areas: np.ndarray) -> list[set[int]]:
    """Territories that share a side, by the distance of hexes: two touch if their middles are one width apart."""
    spots = [(c + 0.5 * (r % 2), r * 3**0.5 / 2, int(areas[r, c])) for r, c in np.argwhere(areas >= 0)]
    x, y, land = (np.array(column) for column in zip(*spots, strict=True))
    close = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < 1.1
    found: list[set[int]] = [set() for _ in range(int(areas.max()) + 1)]
    for a, b in np.argwhere(close & (land[:, None] != land)):
        found[land[a]].add(int(land[b]))
    return found


def bits(number: int) -> set[int]:
    return {n for n in range(31) if number >> n & 1}


def test_figures_to_match(maps: list) -> None:
    """About 15.3 hexes a territory and 3.25 neighbours; four standard errors and what `about` may mean."""
    sizes = np.array([(areas >= 0).sum() / len(near) for areas, near in maps])
    beside = np.array([sum(n.bit_count() for n in near) / len(near) for _, near in maps])
    assert abs(sizes.mean() - 15.3) < 0.05 + 4 * sizes.std() / MANY**0.5
    assert abs(beside.mean() - 3.25) < 0.01 + 4 * beside.std() / MANY**0.5
    numbers = [len(near) for _, near in maps]
    assert all(abs(numbers.count(n) - MANY / 3) < 4 * (MANY * 2 / 9) ** 0.5 for n in (29, 30, 31))


def test_maps_are_connected_and_their_territories_whole(maps: list) -> None:
    for areas, near in maps:
        reached, waiting = {0}, [0]
        while waiting:
            new = bits(near[waiting.pop()]) - reached
            reached |= new
            waiting += new
        assert reached == set(range(len(near)))
        counts = np.bincount(areas[areas >= 0])
        assert counts.min() >= SMALLEST
        assert counts.max() <= LARGEST + 6  # a few that lie deep are added


def test_neighbours_are_those_that_share_a_side(maps: list) -> None:
    for areas, near in maps[:25]:
        assert touching(areas) == [bits(n) for n in near]
        assert neighbours(areas) == near


def test_a_number_is_one_map() -> None:
    one, other = (hazard.game("dice-wars", players=n) for n in (2, 5))
    assert (areas_of(one.table, 77) == areas_of(other.table, 77)).all()
    assert (areas_of(one.table, 77) != areas_of(one.table, 78)).any()
    fixed = hazard.game("dice-wars", map=77)
    assert (areas_of(fixed.table, 77) == areas_of(one.table, 77)).all()
    assert str(fixed.deal(stream(1))).startswith("map 77 ")


def test_maps_are_kept_in_files(tmp_path: Path) -> None:
    game, path = hazard.game("dice-wars", map=12), tmp_path / "map.json"
    areas = areas_of(game.table, 12)
    save_map(path, areas)
    assert (read_areas(str(path)) == areas).all()
    again = hazard.game("dice-wars", map=str(path))
    lands = int(game.table.scratch.counts[0, 0])
    assert int(again.table.scratch.counts[0, 0]) == lands
    assert (again.table.scratch.near[0] == game.table.scratch.near[0]).all()
    assert (areas_of(again.table, 0) == areas).all()
    assert str(again.deal(stream(3))).split()[3:] == str(game.deal(stream(3))).split()[3:]


# --- pictures --------------------------------------------------------------------------------------------------------
def lines_of(path: str) -> list[list[tuple[float, float]]]:
    """The closed lines of an outline."""
    found = []
    for line in path.split("M")[1:]:
        found.append([tuple(map(float, p.split())) for p in line.rstrip("Z").split("L")])
    return found


def area_of(line: list[tuple[float, float]]) -> float:
    """By the shoelace formula; lines around holes go the other way round."""
    turned = [*line[1:], line[0]]
    return sum(x * v - u * y for (x, y), (u, v) in zip(line, turned, strict=True)) / 2


def test_outlines_hold_just_the_hexes_of_their_territory() -> None:
    game = hazard.game("dice-wars")
    areas = areas_of(game.table, 7)
    svg = ElementTree.fromstring(map_svg(areas, "map 7"))
    lands = [e for e in svg.iter(f"{SPACE}path") if "data-land" in e.attrib]
    assert [int(e.attrib["data-land"]) for e in lands] == list(range(1, int(areas.max()) + 2))
    for land, element in enumerate(lands):
        size = sum(area_of(line) for line in lines_of(element.attrib["d"]))
        assert size == pytest.approx((areas == land).sum() * 6 * HALF * THIRD, rel=1e-6)


def test_positions_are_drawn_with_owners_dice_and_arrows() -> None:
    game = hazard.game("dice-wars", players=4)
    position = game.deal(stream(8))
    advice = [Advice(m, 0.5 - n / 100, 0.0, 1.0, n / 100, "rollout") for n, m in enumerate(position.moves)]
    svg = ElementTree.fromstring(board_svg(game, position, advice))
    words = [e.text for e in svg.iter(f"{SPACE}text") if e.attrib["class"] == "count"]
    assert words == str(position).split(" reserves")[0].split()[3:]
    paint = {e.attrib["data-land"]: e.attrib["fill"] for e in svg.iter(f"{SPACE}path") if "data-land" in e.attrib}
    letters = {str(n + 1): word[0] for n, word in enumerate(words)}
    assert len(set(paint.values())) == len(set(letters.values())) == 4
    assert len({(paint[n], letters[n]) for n in paint}) == 4
    arrows = [e for e in svg.iter(f"{SPACE}g") if e.attrib.get("class") == "arrow"]
    assert len(arrows) == len(position.moves) - 1
    labels = [e.text for e in svg.iter(f"{SPACE}text") if e.attrib["class"] == "label"]
    assert labels[-1] == "0.500"
    assert "end the turn: −" in board_svg(game, position, advice)
    rolling = ElementTree.fromstring(board_svg(game, position.move(position.moves[0])))
    assert len([e for e in rolling.iter(f"{SPACE}g") if e.attrib.get("class") == "arrow"]) == 1


# --- commands and refusals -------------------------------------------------------------------------------------------
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["hazard", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0), *capsys.readouterr()


def test_the_command_draws_and_saves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("map.svg", "map.json"):
        code, out, _ = run(monkeypatch, capsys, "map", "dice-wars", 7, "--out", tmp_path / name, "--json")
        assert code == 0
        assert json.loads(out)["territories"] == 30
    assert ElementTree.fromstring((tmp_path / "map.svg").read_text()).tag == f"{SPACE}svg"
    game = hazard.game("dice-wars", map=str(tmp_path / "map.json"))
    assert int(game.table.scratch.counts[0, 1]) == 2 * json.loads(out)["borders"]


def written(path: Path, hexes: object, number: int = 1) -> Path:
    path.write_text(json.dumps({"hazard": "dice-wars map", "format": number, "hexes": hexes}))
    return path


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    apart = written(tmp_path / "apart.json", [[1, 2, 0, 3]])
    pieces = written(tmp_path / "pieces.json", [[1, 2, 1]])
    old, torn = written(tmp_path / "old.json", [[1, 2]], 9), tmp_path / "torn.json"
    torn.write_text("{")
    few = written(tmp_path / "few.json", [[1, 3]])
    match = ("match", "dice-wars", "ste", "sdc", "--games", "1")
    for words, said in (
        ((*match, "-p", "territories=1"), "territories=1: must be from 2 to 31"),
        ((*match, "-p", "territories=31-29"), "territories=31-29: must be from 2 to 31, the fewest first"),
        ((*match, "-p", "players=8", "-p", "territories=7"), "8 players need 8 territories or more"),
        ((*match, "-p", "players=9"), "players=9: must be from 2 to 8"),
        ((*match, "-p", "turns=0"), "turns=0: must be from 1 to"),
        ((*match, "-p", "grid=9x9"), "grid=9x9: 81 hexes, but 31 territories need"),
        ((*match, "-p", "grid=big"), "grid=big: write it like 28x32"),
        ((*match, "-p", f"map={apart}"), "the map is not connected: territory 3 cannot be reached from territory 1"),
        ((*match, "-p", f"map={pieces}"), "territory 1 is in pieces"),
        ((*match, "-p", f"map={few}"), "territories must be numbered from 1, 2 to 31 of them"),
        ((*match, "-p", f"map={old}"), "this is not a map of Dice Wars in format 1"),
        ((*match, "-p", f"map={torn}"), "this is not a map of Dice Wars in format 1"),
        ((*match, "-p", f"map={tmp_path / 'none.json'}"), "there is no such file"),
        (("map", "pig", 7, "--out", tmp_path / "x.svg"), "pig is not played on maps; dice-wars is"),
        (("map", "dice-wars", 7, "--out", tmp_path / "x.png"), "name a file that ends in .svg"),
        (("map", "dice-wars", 7, "--out", tmp_path / "no" / "x.svg"), "name a file in a folder that exists"),
    ):
        code, out, err = run(monkeypatch, capsys, *words)
        assert code == 2, words
        assert said in err
        assert len(err.strip().splitlines()) == 1
        assert not out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("map 1 p1 A3 C1 B2 reserves 0,0 out - turn 0", "C1: there is no player C; players are A to B"),
        ("map 1 p1 A3 B9 B2 reserves 0,0 out - turn 0", "B9: a territory has 1 to 8 dice"),
        ("map 1 p1 A3 B1 reserves 0,0 out - turn 0", "2 territories, but map 1 has 3"),
        ("map 1 p3 A3 B1 B1 reserves 0,0 out - turn 0", "p3"),
        ("map 1 p1 A3 B1 B1 reserves 0 out - turn 0", "reserves 0: there are 2 players with up to 64 dice each"),
        ("map 1 p1 A3 B1 B1 reserves 0,65 out - turn 0", "reserves 0,65"),
        ("map 1 p1 A3 B1 B1 reserves 0,0 out B turn 0", "out B: those without a territory are -"),
        ("map 1 p1 A3 A1 A1 reserves 0,0 out B turn 0", "`over` is written just where one player owns all"),
        ("map 1 p1 A3 B1 B1 reserves 0,0 out - over turn 0", "`over` is written just where one player owns all"),
        ("map 1 p1 A1 B1 B1 reserves 0,0 out - attack 1>2 turn 0", "attack 1>2: not an attack that p1 can make"),
        (
            "map 1 p1 A8 B1 B1 reserves 0,0 out - placing 3 turn 0",
            "placing 3: from 1 to 64 dice, and there must be room",
        ),
        ("map 0 p1 A3 B1 B1 reserves 0,0 out - turn 0", "map 0: numbers of maps begin with 1"),
        ("map 1 p1 A3 B1 B1 reserves 0,0 out - turn 6000", "turn"),
        ("nonsense", "nonsense"),
    ],
)
def test_positions_that_cannot_be(text: str, said: str) -> None:
    with pytest.raises(BadInput) as problem:
        hazard.game("dice-wars", territories="3", grid="10x10").parse(text)
    assert said in str(problem.value)
    assert len(str(problem.value).splitlines()) == 1

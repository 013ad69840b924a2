"""The house is in order: imports point one way, games are declared once, one module knows numba, the start is quick."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hazard.declaration import declared, game_names

PACKAGE = Path(__file__).parents[1] / "src" / "hazard"
# Each may import what stands before it, and its own kind.
FLOORS = [
    ["errors", "fingerprint", "files", "jit", "background", "bits"],
    ["drawing", "results"],
    ["dice"],
    ["contract", "notation"],
    ["declaration"],
    ["rulebook"],
    ["reasons"],
    ["agents"],
    ["solving"],
    ["arena"],
    ["learning"],
    ["games", "own_games"],
    ["atlas"],
    ["checking"],
    ["analysis"],
    ["studies"],
    ["server"],
    ["terminal", "cli", "__main__"],
]
LEVEL = {name: level for level, names in enumerate(FLOORS) for name in names}
FILES = sorted(PACKAGE.rglob("*.py"))
OUTSIDE = [path for path in FILES if not {"games", "studies"} & set(path.relative_to(PACKAGE).parts)]


def imported(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} if node.module != "hazard" else {f"hazard.{alias.name}" for alias in node.names}
    return found


def types_only(tree: ast.Module) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING`: it is not imported when the program runs."""
    blocks = [n for n in tree.body if isinstance(n, ast.If) and getattr(n.test, "id", "") == "TYPE_CHECKING"]
    return {part for block in blocks for part in ast.walk(block)}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts == ("__init__",):
        return
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if node not in types_only(tree)]
    for name in imported(tree):
        if name.startswith("numba"):
            assert parts == ("jit",)
        if name.startswith("hazard.") and name != "hazard.__version__":
            assert LEVEL[name.split(".")[1]] <= LEVEL[parts[0]], name
            assert not (name.startswith("hazard.studies") and parts[0] not in ("studies", "cli")), (
                "nothing needs studies"
            )
            if name.startswith("hazard.games."):
                assert parts[0] in ("games", "studies"), "games are known by what they declare"
                if parts[0] == "games":
                    assert name.split(".")[2] == parts[1], "games do not import each other"


def test_games_are_found_by_their_folders_alone() -> None:
    """Modules are looked up by name in three places: games, studies, and what `hazard` itself offers."""
    allowed = {"__init__.py", "declaration.py", "studies/__init__.py"}
    users = {str(p.relative_to(PACKAGE)) for p in FILES if re.search(r"import_module\(|__import__\(", p.read_text())}
    assert users <= allowed


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_knows_a_game_or_an_agent_by_name(path: Path) -> None:
    """Outside the games' own folders there is no list of games or agents, and no question which rules a game has."""
    games = set(game_names())
    agents = {agent for game in games for agent in declared(game).agents}
    agents -= {"random", "rollout", "expectimax", "mcts", "optimal"}  # what every game may have
    agents -= {"turn"}  # a common word
    tree = ast.parse(path.read_text())
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert not texts & games
    assert not texts & agents
    assert not re.search(r"(hasattr|getattr)\(\w*\.?(rules|notation)\b", path.read_text())


def test_every_folder_is_small() -> None:
    """A folder that grows beyond a screenful wants to be split by topic."""
    for folder in {path.parent for path in FILES}:
        assert len(list(folder.glob("*.py"))) <= 20, folder


def test_heavy_libraries_are_loaded_when_needed() -> None:
    heavy = "('numba', 'scipy', 'matplotlib', 'rich', 'numpy')"
    code = f"import sys, hazard, hazard.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""The house is in order: imports point one way, only one module knows numba, the start is quick."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "hazard"
# Each may import what stands before it, and its own kind.
FLOORS = [
    ["errors", "jit"],
    ["files", "hexagons", "plots", "tracks"],
    ["bits", "dice"],
    ["contract", "notation"],
    ["rulebook"],
    ["solving", "agents", "arena"],
    ["learning"],
    ["games"],
    ["studies"],
    ["analysis"],
    ["server"],
    ["terminal", "cli", "__main__"],
]
LEVEL = {name: level for level, names in enumerate(FLOORS) for name in names}
FILES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} if node.module != "hazard" else {f"hazard.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts == ("__init__",):
        return
    for name in imported(path):
        if name.startswith("numba"):
            assert parts == ("jit",)
        if name.startswith("hazard.") and name.split(".")[1] in LEVEL:
            assert LEVEL[name.split(".")[1]] <= LEVEL[parts[0]], name
            if name.startswith("hazard.games.") and parts[0] == "games":
                assert name.split(".")[2] == parts[1], "games do not import each other"


def test_heavy_libraries_are_loaded_when_needed() -> None:
    heavy = "('numba', 'scipy', 'matplotlib', 'rich', 'numpy')"
    code = f"import sys, hazard, hazard.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""The server knows no game and no study: it reads what games declare, and the files that studies write."""

import ast
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "src" / "hazard" / "server"
ALLOWED = {
    "agents",
    "analysis",
    "arena",
    "contract",
    "declaration",
    "dice",
    "errors",
    "files",
    "fingerprint",
    "jit",
    "results",
    "rulebook",
}
ALLOWED |= {"atlas", "server", "solving"}


@pytest.mark.parametrize("path", sorted(SERVER.rglob("*.py")), ids=lambda path: str(path.relative_to(SERVER)))
def test_the_server_imports_neither_games_nor_studies(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if names == ["hazard"]:
            names = [f"hazard.{alias.name}" for alias in node.names]
        for name in names:
            assert not name.startswith("hazard.") or name.split(".")[1] in ALLOWED, name

"""The virtual environment of the rivals, made when first needed; their code runs there and prints JSON."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HOME = HERE / ".rivals"
REQUIREMENTS = HERE / "requirements.txt"


@cache
def python() -> Path:
    """The interpreter that has the rivals; the environment is made anew when the requirements change."""
    program, ready = HOME / "bin" / "python", HOME / "ready"
    if not ready.exists() or ready.read_text() != REQUIREMENTS.read_text():
        print("installing the rivals ...", file=sys.stderr)
        venv.create(HOME, clear=True, with_pip=True)
        pip = [program, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--require-hashes", "-r", REQUIREMENTS], check=True)
        ready.write_text(REQUIREMENTS.read_text())
    return program


def ask(script: str, *arguments: object, timeout: float | None = None) -> dict[str, Any]:
    """What a script of this folder prints when the rivals' interpreter runs it."""
    command = [str(python()), str(HERE / script), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, timeout=timeout, stdout=subprocess.PIPE).stdout)

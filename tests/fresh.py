"""A Python process of its own, with a cache of its own: nothing is compiled there yet."""

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import COMPILING


def run_python(code: str, cache: Path, *options: str, **environment: str) -> str:
    """What a program prints. It must end well."""
    setting = os.environ | {"HAZARD_CACHE": str(cache)} | environment
    command = [sys.executable, *options, "-c", code]
    done = subprocess.run(command, env=setting, capture_output=True, text=True, timeout=COMPILING, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout

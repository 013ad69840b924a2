"""Papers reproduced: one folder a paper, with what was published beside what comes out here.

A study is found by its folder: `studies/<paper>/__init__.py` declares it in `STUDY`. There is no list of studies.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hazard.errors import unknown
from hazard.fingerprint import PACKAGE

if TYPE_CHECKING:
    from hazard.studies.parts import Parts
    from hazard.studies.report import Study


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A study as its own folder declares it, in `STUDY`."""

    game: str  # the game that the paper is about
    run: Callable[[bool, Parts], Study]  # run(full, progress): all findings, tables and figures


def study_names() -> list[str]:
    """The studies there are, by the names of their folders."""
    modules = pkgutil.iter_modules([str(PACKAGE / "studies")])
    return sorted(module.name.replace("_", "-") for module in modules if module.ispkg)


def declared(name: str) -> Declaration:
    """The declaration of the study of that name."""
    if name not in study_names():
        raise unknown("study", name, study_names())
    return importlib.import_module(f"hazard.studies.{name.replace('-', '_')}").STUDY

"""What the documents show is what the program does: sessions are run, links lead somewhere."""

import doctest
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hazard.cli import main

HOME = Path(__file__).parents[1]
PAGES = [HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted((HOME / "docs").glob("*.md"))]
CHECKER = doctest.OutputChecker()


def fenced(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


LONG = {"dice-wars.md", "hazard grade dice-of-doom greedy -p board=2x2 -p max_dice=3 --worst 3"}  # to compile


def with_long_ones_slow(cases: Iterable[Any], name_of: Callable[[Any], str]) -> list[Any]:
    return [
        pytest.param(*case, id=name_of(case), marks=[pytest.mark.slow] if name_of(case) in LONG else [])
        for case in cases
    ]


@pytest.mark.parametrize("page", with_long_ones_slow([(page,) for page in PAGES], lambda case: case[0].name))
def test_python_sessions(page: Path) -> None:
    globs: dict[str, object] = {}
    for number, text in enumerate(fenced(page, "python")):
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, globs, f"{page.name} {number}", str(page), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, clear_globs=False)
            globs = test.globs
            assert runner.failures == 0


def commands(page: Path) -> list[tuple[str, str]]:
    """The commands of console sessions with the output shown."""
    found = []
    for text in fenced(page, "console"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


SHOWN = [(page, *pair) for page in PAGES for pair in commands(page) if pair[1].strip()]


@pytest.mark.parametrize(("page", "command", "shown"), with_long_ones_slow(SHOWN, lambda case: case[1]))
def test_console_sessions(
    page: Path, command: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(command)
    monkeypatch.setattr(sys, "argv", words)
    assert words[0].endswith("hazard")
    with pytest.raises(SystemExit):
        main()
    out, err = capsys.readouterr()
    lines = [line.rstrip() for line in (out + err).strip().splitlines() if not line.startswith("compiling ")]
    got = "\n".join(lines) + "\n"
    assert CHECKER.check_output(shown.strip() + "\n", got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), got


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target

"""What commands show: tables or one JSON object on standard output, progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


def print_json(data: object) -> None:
    click.echo(json.dumps(data))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    if title:
        click.echo(title)
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 140, highlight=False, markup=False).print(table)


class Bar:
    """Told how much is done, of how much, and what there is to say about it."""

    def __init__(self, update: Callable[..., None]) -> None:
        self.update = update

    def __call__(self, done: int, total: int) -> None:
        self.update(completed=done, total=total)

    def say(self, text: str) -> None:
        self.update(said=text)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error if that is a terminal; otherwise nothing is shown."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    times = TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[said]}")
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), *times)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, said="")
        yield Bar(lambda **facts: bar.update(task, **facts))


@contextmanager
def playing_bar(label: str, command: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left, and below it the command that resumes the work."""
    if not sys.stderr.isatty():
        click.echo(f"if this is stopped, go on with:\n{command}", err=True)
        yield lambda done, total: None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    rate, left = TextColumn("{task.fields[rate]}"), TimeRemainingColumn(elapsed_when_finished=True)
    bar = Progress(TextColumn(label), BarColumn(), rate, left)
    task = bar.add_task(label, total=None, rate="")
    shown = Group(bar, Text(f"if this is stopped, go on with:\n{command}", overflow="fold"))

    def progress(done: int, total: int) -> None:
        speed = bar.tasks[0].speed
        rate = f"{_short(done)} of {_short(total)}" + (f", {_short(speed)}/s" if speed else "")
        bar.update(task, completed=done, total=total, rate=rate)

    with Live(shown, console=Console(stderr=True), transient=True):
        yield progress


def _short(number: float) -> str:
    """A number in few characters."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= 10 * size:
            return f"{number / size:,.4g}{unit}"
    return f"{number:,.0f}"


def tell_compiling(title: str, done: int, parts: int) -> None:
    """Say on standard error what is being compiled and how far it is: on one line where that can be written again,
    otherwise now and then."""
    text = f"compiling {title}: {done} of {parts} parts"
    if sys.stderr.isatty() and sys.stderr is sys.__stderr__:
        click.echo(f"\r{text:<78}" if done < parts else f"\r{'':<78}\r", nl=False, err=True)
    elif (title, done * 4 // parts) not in _told:
        _told.add((title, done * 4 // parts))
        click.echo(text, err=True)


_told: set[tuple[str, int]] = set()  # quarters of work that have been told of


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """One line on standard error that says what is being done, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield lambda text: status.update(text)

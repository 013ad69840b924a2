"""The command that reproduces papers' tables and figures."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, status_line
from hazard.errors import BadInput


@click.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...", shell_complete=options.complete_study)
@click.option("--full", is_flag=True, help="As many games and as large tables as the paper, or more.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the page and its pictures.",
)
@click.option("--steps", is_flag=True, help="Print a line of JSON for each step: what is done, and parts done of all.")
@options.as_json
def reproduce(studies: tuple[str, ...], full: bool, out: Path, steps: bool, as_json: bool) -> None:
    """Reproduce a paper's tables and figures: published, ours, verdict. Without STUDY, all papers.

    Each is written when it is finished, and stays if the next is stopped.
    """
    from dataclasses import asdict

    from hazard.files import check_folder
    from hazard.studies import declared, report, study_names
    from hazard.studies.parts import Parts

    declarations = {name: declared(name) for name in studies or study_names()}
    if steps and as_json:
        raise BadInput("--steps and --json: one of them, as --json prints nothing else")
    check_folder(out, report.SIGN)
    results, page = [], out
    with status_line() as say:
        for name, declaration in declarations.items():
            progress = Parts(partial(_print_step, name) if steps else partial(_say_step, say))
            results.append(declaration.run(full, progress))
            page = report.write(results[-1:], out, progress)
    if steps:
        return None
    if as_json:
        findings = [{"study": study.name} | asdict(finding) for study in results for finding in study.findings]
        return print_json({"studies": [study.name for study in results], "findings": findings, "page": str(page)})
    for study in results:
        print_table(study.title, *report.summary(study))
        click.echo()
    return click.echo(f"tables and pictures: {page}")


def _say_step(say: Callable[[str], None], text: str, done: int, planned: int) -> None:
    say(f"{text} ({done} of {planned} parts done)" if planned else text)


def _print_step(study: str, text: str, done: int, planned: int) -> None:
    print_json({"study": study, "doing": text, "done": done, "planned": planned})
    sys.stdout.flush()

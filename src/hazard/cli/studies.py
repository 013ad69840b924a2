"""The command that reproduces papers' tables and figures."""

from __future__ import annotations

from pathlib import Path

import click

from hazard.cli import options
from hazard.cli.output import print_json, print_table, status_line


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
@options.as_json
def reproduce(studies: tuple[str, ...], full: bool, out: Path, as_json: bool) -> None:
    """Reproduce a paper's tables and figures: published, ours, verdict. Without STUDY, all papers."""
    from dataclasses import asdict

    from hazard.files import check_folder
    from hazard.studies import declared, report, study_names

    declarations = [declared(name) for name in studies or study_names()]
    check_folder(out, report.SIGN)
    with status_line() as say:
        results = [declaration.run(full, say) for declaration in declarations]
        page = report.write(results, out, say)
    if as_json:
        findings = [{"study": study.name} | asdict(finding) for study in results for finding in study.findings]
        return print_json({"studies": [study.name for study in results], "findings": findings, "page": str(page)})
    for study in results:
        print_table(study.title, *report.summary(study))
        click.echo()
    return click.echo(f"tables and pictures: {page}")

"""`aimsciqa doctor` as it is typed, and how its findings are printed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa.files import json_text
from aimsciqa_assets.cli.config import ConfigOption, PresetOption
from aimsciqa_assets.cli.terminal import console, errors

_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


def doctor_command(
    *,
    preset: PresetOption = None,
    config: ConfigOption = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="leave out what reads much: blocks, journal, ingested files")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print the findings as JSON")] = False,
) -> None:
    """Look at all that a run needs, and say what to do about what is missing. Nothing is changed.

    Exit code 1: there is a problem. Keys are looked for, sent to their servers, and never printed.
    """
    from aimsciqa_assets.cli.doctor.checks import CHECKS
    from aimsciqa_assets.cli.doctor.findings import Examined, Finding, findings_of
    from aimsciqa_assets.platform.home import Home

    examined = Examined(Home.from_environment(), preset)

    def findings() -> Iterator[tuple[str, Finding]]:
        for check in CHECKS:
            if quick and check.reads_much:
                continue
            with errors.status(f"{check.name} ..."):
                found = list(findings_of(check, examined))
            yield from ((check.name, one) for one in found)

    told = []
    for name, finding in findings():
        told.append((name, finding))
        if not as_json:
            _print(name, finding.state, finding.said, finding.advice)
    states = Counter(finding.state for _, finding in told)
    if as_json:
        rows = [{"check": name} | asdict(finding) for name, finding in told]
        console.print_json(json_text(rows))
    else:
        console.print(f"{_number(states['problem'], 'problem')}, {_number(states['warning'], 'warning')}.")
    if states["problem"]:
        raise typer.Exit(1)


def _print(name: str, state: str, said: str, advice: str) -> None:
    line = f"[{_COLOURS[state]}]{state:<8}[/] {name:<11} {escape(said)}"
    console.print(line, highlight=False, soft_wrap=True)
    if advice:
        console.print(f"{'':<20} {escape(advice)}", highlight=False, soft_wrap=True)


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

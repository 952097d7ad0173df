"""The files that steps leave besides their rows, for steps and people on other workers.

With a shared place they are published before the rows are written: who reads in between takes newer files for
those of the earlier rows, and is made again, while the reverse would pass for current.
"""

from collections.abc import Iterator

import polars as pl

from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.records import Record, Records
from aimsciqa_assets.platform.steps import STEPS, Resources, Step, StepRun


def publish_left(step: Step, run: StepRun, rows: pl.DataFrame, record: Record) -> None:
    """Publish what a step left with these rows, which are not written yet. Raises `SharedPlaceError`."""
    if step.leaves_files and (published := Home(run.home).published):
        published.publish(step.writes[0], run.home, step.leaves(run, rows).values(), record.fingerprint)


def are_left(step: Step, run: StepRun, records: Records) -> bool:
    """Whether the files of a step are as it left them; where workers share a place, those that lie there.

    Raises `SharedPlaceError`.
    """
    if not (step.leaves_files and (published := Home(run.home).published)):
        return step.is_there(run)
    found, record = published.find(step.writes[0]), records.get(step.writes[0], run.part)
    return found is not None and record is not None and found.state == record.fingerprint


def fetch_read(step: Step, run: StepRun) -> None:
    """Put into this home the files that other steps left and this one reads. Raises `SharedPlaceError`."""
    for table in step.upstream:
        if table in STEPS and STEPS[table].leaves_files:
            Home(run.home).fetch(table)


def publish_as_recorded(resources: Resources) -> Iterator[str]:
    """Publish what steps left in this home before workers shared a place; gives their tables.

    Only files that are as a step left them are published, and only those that nobody has published.
    """
    steps = [step for step in dict.fromkeys(STEPS.values()) if step.leaves_files]
    ledger = Ledger.read(resources["warehouse"], steps, resources["settings"])
    for step in steps:
        table = step.writes[0]
        run, record = StepRun.of(step, "", resources), ledger.records.get(table, "")
        published = Home(run.home).published
        if published and record and not published.find(table) and step.is_there(run):
            publish_left(step, run, run.read(table), record)
            yield table

"""A run of a step: rows are computed and written with what determined them, unless they are there already."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from aimsciqa_assets.platform.determinants import Determinants
from aimsciqa_assets.platform.frames import keys_of
from aimsciqa_assets.platform.kept_rows import Made, in_memory
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.left import fetch_read, publish_left
from aimsciqa_assets.platform.plans import changes_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.platform.writing import adopt_tables, write_failure, write_rows


def bring_up_to_date(step: Step, run: StepRun, about_to_write: Callable[[], None] = lambda: None) -> bool:
    """Compute and write unless the rows are already there; returns whether they were.

    `about_to_write` is called when the rows are computed, before they are written.
    Whoever else makes the same rows meanwhile, from another command or the web UI, is waited for.
    """
    name = f"{step.writes[0]}.{quote(run.part, safe='') or 'all'}"
    with run.warehouse.one_at_a_time(f"steps/{name}"):
        return _bring_up_to_date(step, run, about_to_write)


def _bring_up_to_date(step: Step, run: StepRun, about_to_write: Callable[[], None]) -> bool:
    adopt_tables(run.warehouse)
    # Read first: what another run writes meanwhile makes these rows stale, never falsely current.
    with run.warehouse.one_state(brief=True):
        ledger = Ledger.read(run.warehouse, [step], run.settings, part=run.part)
        now = step.determinants(run, ledger.records)
        if not changes_of(step, run, ledger, now):
            return True
    try:
        fetch_read(step, run)
        made, now = _computed(step, run, ledger, now)
        records = [now.record(table, run.part, made[table].height) for table in step.writes]
        about_to_write()
        publish_left(step, run, in_memory(made[step.writes[0]]), records[0])
        write_rows(run.warehouse, made, run.part, records, run.accounts)
    except Exception as error:
        # What the model was asked before it went wrong stays on the account.
        write_failure(run.warehouse, step.writes, run.part, error, run.accounts)
        raise
    for table in step.writes:
        shutil.rmtree(run.unfinished(table), ignore_errors=True)
    return False


def _computed(step: Step, run: StepRun, ledger: Ledger, now: Determinants) -> tuple[Made, Determinants]:
    """The rows of a step, and what they were determined by."""
    if step.compute is None:
        raise ValueError(f"{step.writes[0]} comes from outside: nothing computes it")
    made = step.compute(run)
    if step.stale_alone:
        now = replace(now, made=keys_of({table: in_memory(rows) for table, rows in made.items()}))
    if unanswered := [key for account in run.accounts for key in account.unanswered]:
        # Not what a run with all replies would have written: the next one asks for these again, once.
        marked = replace(now, unanswered=tuple(unanswered))
        recorded = [ledger.records.get(table, run.part) for table in step.writes]
        if not any(record and record.fingerprint == marked.fingerprint for record in recorded):
            now = marked
    return made, now

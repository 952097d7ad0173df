"""What the command line made, reported to Dagster as events without a run: the web UI shows it at once.

Events are written beside the work, by a thread of their own. What was written to the warehouse and not yet
reported is noted in a file, which the process keeps locked: if the process is killed, the next one reports
what is in it.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

import dagster as dg

from aimsciqa_assets.orchestration.presentation import (
    CHECK_NAME,
    UNVERSIONED,
    Metadata,
    result_of,
    told_by_check,
    upstream_of,
)
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.tables import TABLES

Event = dg.AssetMaterialization | dg.AssetObservation | dg.AssetCheckEvaluation

_NOTED, _DONE = "noted", "done"
_SECONDS = "seconds of the step"
_VERSION = "dagster/data_version"


class Reports:
    """The reports of one process."""

    def __init__(self, instance: dg.DagsterInstance, folder: Path) -> None:
        self._instance = instance
        self._folder = folder
        self._notes = _locked_file(folder)
        self._writer = ThreadPoolExecutor(1, "reports")
        self._written: list[Future[None]] = []

    def note(self, step: Step, part: str) -> None:
        """Note that the rows of a part are about to be written."""
        for table in step.writes:
            self._append(_NOTED, table, part)

    def made(self, step: Step, run: StepRun, *, unchanged: bool, seconds: float) -> dict[str, str]:
        """Report the tables of a step for a part; returns what is wrong with those that are not sound.

        `seconds` is how long the step took: the web UI has no run to take that from.
        """
        wrong: dict[str, str] = {}
        with run.warehouse.one_state(brief=True):
            results = {
                table: result_of(run, TABLES[table], step, unchanged=unchanged) for table in step.writes
            }
        for table, result in results.items():
            failed = [check for check in result.check_results or () if not check.passed]
            if not unchanged:
                took: Metadata = {_SECONDS: dg.MetadataValue.float(round(seconds, 3))}
                self._report(step, table, run.part, result, took)
            else:
                # The event that told of these rows stands.
                self._write(*(_evaluation(check) for check in failed))
            wrong.update((table, told_by_check(check)) for check in failed)
        return wrong

    def failed(self, step: Step, part: str, message: str) -> None:
        """Report that a run of a step failed."""
        for table in step.writes:
            self._write(
                dg.AssetObservation(
                    TABLES[table].asset_key,
                    description="The run of this step failed.",
                    partition=part or None,
                    metadata={"failure": message},
                )
            )

    def checked(self, check: dg.AssetCheckResult) -> None:
        """Report the result of a check."""
        self._write(_evaluation(check))

    def catch_up(self, resources: Mapping[str, Any]) -> None:
        """Report what processes that were killed had written and not yet reported."""
        for path in sorted(self._folder.glob("*.jsonl")):
            with suppress(FileNotFoundError), path.open() as notes:
                try:
                    fcntl.flock(notes, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue  # its process is alive, this one perhaps
                if not path.exists():
                    continue  # another process was quicker
                left = [(table, part) for table, part in _pending(notes) if table in STEPS]
                for table, part in left:
                    self._append(_NOTED, table, part)
                path.unlink()
                self._report_what_is_there(left, resources)

    def close(self) -> None:
        """Wait until everything is written. Raises what went wrong with that: the next process reports it."""
        self._writer.shutdown()
        self._notes.seek(0)
        if not list(_pending(self._notes)):
            Path(self._notes.name).unlink(missing_ok=True)
        self._notes.close()
        for written in self._written:
            written.result()

    def _report_what_is_there(self, left: list[tuple[str, str]], resources: Mapping[str, Any]) -> None:
        if not left:
            return
        records = Ledger.read(resources["warehouse"], (), resources["settings"]).records
        for table, part in left:
            if part in records.of_table(table):
                run = StepRun.of(STEPS[table], part, resources)
                step = STEPS[table]
                self._report(step, table, part, result_of(run, TABLES[table], step, unchanged=False))
            else:
                self._append(_DONE, table, part)

    def _report(
        self,
        step: Step,
        table: str,
        part: str,
        result: dg.MaterializeResult[None],
        more: Metadata | None = None,
    ) -> None:
        metadata = {**(result.metadata or {}), **(more or {})}
        checks = [*map(_evaluation, result.check_results or ())]

        def write() -> None:
            made = dg.AssetMaterialization(
                TABLES[table].asset_key,
                partition=part or None,
                metadata=metadata,
                tags=provenance(self._instance, step, result.data_version),
            )
            self._send(made, *checks)
            self._append(_DONE, table, part)

        self._written.append(self._writer.submit(write))

    def _write(self, *events: Event) -> None:
        self._written.append(self._writer.submit(self._send, *events))

    def _send(self, *events: Event) -> None:
        for event in events:
            self._instance.report_runless_asset_event(event)

    def _append(self, what: str, table: str, part: str) -> None:
        # One call, appended as a whole: two threads write here.
        os.write(self._notes.fileno(), (json.dumps([what, table, part]) + "\n").encode())


def provenance(instance: dg.DagsterInstance, step: Step, version: dg.DataVersion | None) -> dict[str, str]:
    """Return the tags by which Dagster sees whether rows are stale, as it sets them in its own runs."""
    read = {dg.AssetKey(table.asset_key): (UNVERSIONED, "NULL") for table in upstream_of(step)}
    for record in instance.get_asset_records(list(read)) if read else ():
        if last := record.asset_entry.last_materialization_record:
            tags = last.event_log_entry.tags or {}
            read[record.asset_entry.asset_key] = (tags.get(_VERSION, UNVERSIONED), str(last.storage_id))
    return {
        "dagster/code_version": step.code_version,
        _VERSION: version.value if version else UNVERSIONED,
        **{f"dagster/input_data_version/{key.to_user_string()}": was for key, (was, _) in read.items()},
        **{f"dagster/input_event_pointer/{key.to_user_string()}": at for key, (_, at) in read.items()},
    }


@contextmanager
def reports_to(instance: dg.DagsterInstance, folder: Path) -> Iterator[Reports]:
    """The reports of this process, all written at the end. `folder` holds the notes."""
    reports = Reports(instance, folder)
    try:
        yield reports
    finally:
        reports.close()


def _locked_file(folder: Path) -> IO[str]:
    """A file of this process, for as long as it lives."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        path = folder / f"{uuid4().hex}.jsonl"
        notes = path.open("a+")
        fcntl.flock(notes, fcntl.LOCK_EX)
        if path.exists():  # nobody took it for that of a dead process before it was locked
            return notes
        notes.close()


def _pending(notes: IO[str]) -> Iterator[tuple[str, str]]:
    """What was noted and not done; a last line that was cut by a kill does not count."""
    pending: dict[tuple[str, str], None] = {}
    for line in notes:
        with suppress(json.JSONDecodeError):
            what, table, part = json.loads(line)
            if what == _NOTED:
                pending[table, part] = None
            else:
                pending.pop((table, part), None)
    yield from pending


def _evaluation(check: dg.AssetCheckResult) -> dg.AssetCheckEvaluation:
    if check.asset_key is None or check.check_name is None:
        raise ValueError("a check says which asset it is about, and its name")
    return dg.AssetCheckEvaluation(
        asset_key=check.asset_key,
        check_name=check.check_name,
        passed=check.passed,
        metadata=check.metadata,
        severity=check.severity,
        blocking=check.check_name == CHECK_NAME,
    )

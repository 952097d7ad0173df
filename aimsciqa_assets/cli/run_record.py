"""A run of the command line as a run of the web UI: its home page and its list of runs show it.

The steps themselves are reported without a run (`reports.py`), because that costs a fraction of the time.
This record says when `aimsciqa run` began, when it ended, and what failed. It has no steps of its own.
"""

import time
from collections.abc import Sequence

import dagster as dg
from dagster._core.events import DagsterEvent, DagsterEventType
from dagster._core.events.log import EventLogEntry
from dagster._core.remote_origin import (
    RegisteredCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.utils import make_new_run_id

JOB = "aimsciqa_run"
_LOCATION = "aimsciqa"
_REPOSITORY = "__repository__"


def record_run(instance: dg.DagsterInstance, began: float, failures: Sequence[str]) -> None:
    """Add a run that began at `began` (seconds since 1970) and ended now; without `failures` it succeeded."""
    origin = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(_LOCATION), _REPOSITORY)
    run = dg.DagsterRun(
        job_name=JOB,
        run_id=make_new_run_id(),
        tags={"aimsciqa/started_by": "command line"},
        remote_job_origin=RemoteJobOrigin(origin, JOB),
    )
    instance.add_run(run)
    ended = DagsterEventType.PIPELINE_FAILURE if failures else DagsterEventType.PIPELINE_SUCCESS
    _tell(instance, run, DagsterEventType.PIPELINE_START, began, "`aimsciqa run` was started.")
    _tell(instance, run, ended, time.time(), "\n".join(failures) or "Everything is up to date.")


def _tell(
    instance: dg.DagsterInstance, run: dg.DagsterRun, kind: DagsterEventType, when: float, message: str
) -> None:
    event = DagsterEvent(kind.value, run.job_name, message=message)
    entry = EventLogEntry(  # type: ignore[no-untyped-call]
        error_info=None,
        level="INFO",
        user_message=message,
        run_id=run.run_id,
        timestamp=when,
        job_name=run.job_name,
        dagster_event=event,
    )
    instance.handle_new_event(entry)

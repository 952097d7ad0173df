"""A run of the command line as a run of the web UI: its home page and its list of runs show it.

The steps themselves are reported without a run (`reports.py`), because that costs a fraction of the time.
This record says when `aimsciqa run` began, when it ended, and what failed. It has no steps of its own.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import active_children
from traceback import format_exception_only

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
_SUCCESS = DagsterEventType.PIPELINE_SUCCESS
_FAILURE = DagsterEventType.PIPELINE_FAILURE
_CANCELED = DagsterEventType.PIPELINE_CANCELED


@contextmanager
def recorded_run(instance: dg.DagsterInstance, failures: Sequence[object]) -> Iterator[None]:
    """Add a run that lasts as long as the block, however that ends.

    It succeeded if the block put nothing into `failures`. Ctrl-C, a signal and an error are its end, too.
    """
    began = time.time()
    kind, message = _SUCCESS, "What the run was asked for is up to date."
    try:
        with _signals_as_ctrl_c():
            yield
        if failures:
            kind, message = _FAILURE, "\n".join(map(str, failures))
    except KeyboardInterrupt:
        kind, message = _CANCELED, "The run was interrupted. The next run goes on from there."
        raise
    except BaseException as error:
        kind, message = _FAILURE, "".join(format_exception_only(error)).strip()
        raise
    finally:
        _record(instance, began, kind, message)


@contextmanager
def _signals_as_ctrl_c() -> Iterator[None]:
    """Let SIGTERM and a closed terminal interrupt the block, unless somebody handles or ignores them."""
    is_main = threading.current_thread() is threading.main_thread()
    ending = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if is_main and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in ending:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(_number: int, _frame: object) -> None:
    """Interrupt this process and those that it started, as a terminal does."""
    for child in active_children():
        if child.pid:
            os.kill(child.pid, signal.SIGINT)
    raise KeyboardInterrupt


def _record(instance: dg.DagsterInstance, began: float, ended: DagsterEventType, message: str) -> None:
    origin = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(_LOCATION), _REPOSITORY)
    run = dg.DagsterRun(
        job_name=JOB,
        run_id=make_new_run_id(),
        tags={"aimsciqa/started_by": "command line"},
        remote_job_origin=RemoteJobOrigin(origin, JOB),
    )
    instance.add_run(run)
    _tell(instance, run, DagsterEventType.PIPELINE_START, began, "`aimsciqa run` was started.")
    _tell(instance, run, ended, time.time(), message)


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

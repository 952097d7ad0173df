"""Runs on Celery workers: which of them are still worked on, also when nobody tells that a worker died.

A worker holds an advisory lock in Dagster's Postgres while it works on a task. Postgres frees the lock when
the process or its machine is gone, and the next look of Dagster's run monitoring finds that out: another
worker goes on with the run. `docker/celery/` uses both halves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, Final

from celery import signals
from celery.states import PENDING, STARTED
from dagster import DagsterInstance, DagsterRun
from dagster._core.launcher import CheckRunHealthResult, ResumeRunContext, WorkerStatus
from dagster._grpc.types import ResumeRunArgs
from dagster._serdes import pack_value
from dagster_celery.config import TASK_RESUME_JOB_NAME
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG
from dagster_celery.tasks import create_resume_job_task
from sqlalchemy import Connection, NullPool, create_engine, text

_SESSION: Final = (
    "set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3; "
    "set client_connection_check_interval = '2s'"
)
_held: dict[str, Connection] = {}


class WatchedCeleryRunLauncher(CeleryRunLauncher):  # type: ignore[misc]
    """Dagster's launcher, which also tells when the worker of a run is gone, and can resume the run."""

    def resume_run(self, context: ResumeRunContext) -> None:
        """Let another worker go on. Dagster's own launcher names the argument of the task wrongly."""
        run = context.dagster_run
        assert run.job_code_origin is not None, "a run that was launched came from somewhere"
        resumed = ResumeRunArgs(
            job_origin=run.job_code_origin,
            run_id=run.run_id,
            instance_ref=self._instance.get_ref(),
            set_exit_code_on_failure=True,
        )
        task = create_resume_job_task(self.celery).si(resume_job_args_packed=pack_value(resumed))
        self._launch_celery_task_run(run=run, task_signature=task, routing_key=TASK_RESUME_JOB_NAME)

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """What Celery says of the task; failed where it says started and no worker holds its lock."""
        task = run.tags[DAGSTER_CELERY_TASK_ID_TAG]
        state = self.celery.AsyncResult(task).state
        # Dagster's own launcher takes a resumed run that waits for a worker for lost.
        if state == PENDING:
            return CheckRunHealthResult(WorkerStatus.RUNNING, "The run waits for a worker.")
        if state == STARTED and self._is_left(task):
            return CheckRunHealthResult(WorkerStatus.FAILED, "The worker of this run is gone.")
        told: CheckRunHealthResult = super().check_run_worker_health(run)
        return told

    def _is_left(self, task: str) -> bool:
        """Whether a task that began has no worker any more."""
        with _connected(self._instance) as connection:
            if connection is None or not _taken(connection, task):
                return False
        # A worker writes the end of a task before it frees the lock.
        return bool(self.celery.AsyncResult(task).state == STARTED)


def hold(task_id: str, **_told: Any) -> None:
    """Hold the lock of a task from before it counts as started."""
    with DagsterInstance.get() as instance:
        connection = _connection(instance)
    if connection is not None:
        connection.execute(text(_SESSION))
        connection.execute(text("select pg_advisory_lock(:key)"), {"key": _key(task_id)})
        _held[task_id] = connection


def release(task_id: str, **_told: Any) -> None:
    """Free the lock of a task that ended."""
    if (connection := _held.pop(task_id, None)) is not None:
        connection.close()


signals.task_prerun.connect(hold)
signals.task_postrun.connect(release)


@contextmanager
def _connected(instance: DagsterInstance) -> Iterator[Connection | None]:
    connection = _connection(instance)
    try:
        yield connection
    finally:
        if connection is not None:
            connection.close()


def _connection(instance: DagsterInstance) -> Connection | None:
    """A connection to Dagster's Postgres; None where its records lie elsewhere."""
    address = getattr(instance.run_storage, "postgres_url", None)
    if address is None:
        return None
    engine = create_engine(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    return engine.connect()


def _taken(connection: Connection, task: str) -> bool:
    """Take the lock of a task, if nobody holds it; the connection frees it again when it is closed."""
    return bool(connection.execute(text("select pg_try_advisory_lock(:key)"), {"key": _key(task)}).scalar())


def _key(task: str) -> int:
    return int.from_bytes(blake2b(f"run {task}".encode(), digest_size=8).digest(), signed=True)

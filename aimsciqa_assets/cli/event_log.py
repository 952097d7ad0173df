"""Dagster's SQLite event log, with its databases kept open: a tenth of a night's run would be their opening.

Dagster opens a database for every event, compiles its statements anew and closes it, whereupon SQLite writes
the whole log of changes back. The files are the same: whatever else looks at them finds what it expects.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import dagster as dg
import sqlalchemy as sql
from dagster._core.instance.ref import InstanceRef
from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._serdes import ConfigurableClassData

_INDEX = "index"
_PATIENCE_SECONDS = 30
_RELAXED = "pragma synchronous = normal"


def instance_in(folder: Path) -> dg.DagsterInstance:
    """The Dagster instance whose `dagster.yaml` lies in a folder; one with another storage stays as it is."""
    plain = InstanceRef.from_dir(str(folder))
    events = plain.event_storage_data
    if events is None or events.class_name != SqliteEventLogStorage.__name__:
        return dg.DagsterInstance.from_ref(plain)
    kept_open = {"module": __name__, "class": OpenEventLog.__name__, "config": events.config_dict}
    return dg.DagsterInstance.from_ref(
        InstanceRef.from_dir(str(folder), overrides={"event_log_storage": kept_open})
    )


class OpenEventLog(SqliteEventLogStorage):
    """The event log of one process: the index stays open, and the database of the run that was last met."""

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._engines: dict[str, sql.Engine] = {}
        self._turn = RLock()
        super().__init__(base_dir, inst_data)

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "OpenEventLog":
        """What `dagster.yaml` describes."""
        return cls(config_value["base_dir"], inst_data)

    @contextmanager
    def run_connection(self, run_id: str | None = None) -> Iterator[sql.Connection]:
        """A transaction in the database of a run; one at a time in this process."""
        shard = str(run_id)
        with self._turn:
            if shard not in self._engines:
                with super().run_connection(shard):
                    pass  # makes the database where it is missing
                self._close_runs()
                self._engines[shard] = self._opened(shard)
            with self._engines[shard].begin() as connection:
                yield connection

    def index_connection(self) -> AbstractContextManager[sql.Connection]:
        """A transaction in the database of what concerns all runs."""
        return self.run_connection(_INDEX)

    def dispose(self) -> None:
        """Close everything."""
        with self._turn:
            self._close_runs()
            for engine in self._engines.values():
                engine.dispose()
        super().dispose()

    def _opened(self, shard: str) -> sql.Engine:
        engine = sql.create_engine(
            self.conn_string_for_shard(shard), connect_args={"timeout": _PATIENCE_SECONDS}
        )
        # A power cut may cost the last events of a log, never the log; nothing is decided by them.
        sql.event.listen(engine, "connect", lambda connection, _: connection.execute(_RELAXED))
        return engine

    def _close_runs(self) -> None:
        for shard in self._engines.keys() - {_INDEX}:
            self._engines.pop(shard).dispose()

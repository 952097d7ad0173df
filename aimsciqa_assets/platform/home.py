"""Where everything lies: one folder, `AIMSCIQA_HOME`, by default `data/` in the working directory."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from aimsciqa_resources.settings_file import general

if TYPE_CHECKING:
    from aimsciqa_resources.file_store import FileStore
    from aimsciqa_resources.language_model.journal_places import JournalPlace
    from aimsciqa_resources.warehouse import Warehouse

    from aimsciqa_assets.platform.published import Published

REPORT_PORT = 3001
"""Where `make ui` and `aimsciqa report` serve the report; the web UI links to it."""

SNAPSHOT = "inspect"
"""The name under which the snapshot is published."""

_INSTANCE = """\
telemetry:
  enabled: false
nux:
  enabled: false
# The web UI tells when the nightly run is late.
freshness:
  enabled: true
# A run whose daemon is gone would count as running for ever.
run_monitoring:
  enabled: true
  max_runtime_seconds: 86400
concurrency:
  runs:
    max_concurrent_runs: 5
    # A nightly run always finds a place beside a backfill.
    tag_concurrency_limits:
      - key: dagster/backfill
        limit: 4
"""


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of a corpus and all that is made of it."""

    folder: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Home":
        """`AIMSCIQA_HOME`, or `data` here."""
        return cls(Path(environment.get("AIMSCIQA_HOME") or "data").absolute())

    @property
    def database(self) -> Path:
        """The DuckDB file of the pipeline, where no lake takes its place."""
        return self.folder / "warehouse.duckdb"

    @property
    def reading_report(self) -> Path:
        """The table of what the last ingest of new files read in them."""
        return self.folder / "reading-report.csv"

    @property
    def warehouse_named(self) -> dict[str, str]:
        """Which warehouse it is, for those who open it: that file, or the lake in `AIMSCIQA_WAREHOUSE`."""
        if named := general("AIMSCIQA_WAREHOUSE"):
            data = general("AIMSCIQA_WAREHOUSE_DATA")
            return {"database": named, "data": data, "folder": str(self.folder)}
        return {"database": str(self.database)}

    @property
    def warehouse(self) -> "Warehouse":
        """The warehouse, opened when it is used."""
        from aimsciqa_resources.warehouse import Warehouse

        return Warehouse(**self.warehouse_named)

    @property
    def snapshot(self) -> Path:
        """The copy of it for people."""
        return self.folder / "inspect.duckdb"

    @property
    def files(self) -> Path:
        """The ingested files; of a shared file store, the copies that this worker has."""
        return self.folder / "files"

    @property
    def file_store(self) -> "FileStore":
        """The file store: this folder, or the place in `AIMSCIQA_SHARED` with copies in it."""
        if shared := general("AIMSCIQA_SHARED"):
            from aimsciqa_resources.shared_file_store import SharedFileStore

            return SharedFileStore(folder=str(self.files), shared=shared)
        from aimsciqa_resources.file_store import FileStore

        return FileStore(folder=str(self.files))

    @property
    def published(self) -> "Published | None":
        """What workers made for others in `AIMSCIQA_SHARED`; None where the home is all there is."""
        if not (shared := general("AIMSCIQA_SHARED")):
            return None
        from aimsciqa_resources.shared_place import shared_place

        from aimsciqa_assets.platform.published import Published

        return Published(shared_place(shared))

    def fetch(self, name: str) -> None:
        """Put into this home what any worker has published under a name, such as a table whose step leaves
        files. Raises `SharedPlaceError`.
        """
        if published := self.published:
            published.fetch(name, self.folder)

    def publish_snapshot(self) -> None:
        """Copy the warehouse to the snapshot, for this home and for others."""
        self.warehouse.publish(self.snapshot)
        if published := self.published:
            published.publish(SNAPSHOT, self.folder, [self.snapshot])

    @property
    def snapshot_at(self) -> float:
        """When the snapshot was copied last, in seconds since 1970; 0.0 where there is none."""
        if published := self.published:
            found = published.find(SNAPSHOT)
            return found.at if found else 0.0
        return self.snapshot.stat().st_mtime if self.snapshot.exists() else 0.0

    @property
    def unfinished(self) -> Path:
        """What a step has ready before all of it is."""
        return self.folder / "unfinished"

    def unfinished_part(self, table: str, part: str = "") -> Path:
        """The folder in it for a part of a table; "" is the whole table."""
        return self.unfinished / f"{table}.{quote(part, safe='') or 'all'}"

    @property
    def journal(self) -> "JournalPlace":
        """The replies of language models: a file, or beside the catalogue of a lake, for all its workers.

        `AIMSCIQA_JOURNAL` names another file, or `postgres:` and a connection string.
        """
        from aimsciqa_resources.language_model.journal_places import journal_place

        if named := general("AIMSCIQA_JOURNAL"):
            return journal_place(named)
        lake = general("AIMSCIQA_WAREHOUSE").removeprefix("ducklake:")
        return journal_place(lake) if lake else (self.folder / "journal.sqlite").absolute()

    @property
    def recordings(self) -> Path:
        """The recorded replies of people and models; the setting `recordings` names another file."""
        return self.folder / "recordings.jsonl"

    def prepare(self) -> None:
        """Create what the Dagster instance needs: its folder and its settings, without telemetry."""
        self.dagster.mkdir(parents=True, exist_ok=True)
        config = self.dagster / "dagster.yaml"
        if not config.exists():
            config.write_text(_INSTANCE)

    @property
    def dagster(self) -> Path:
        """The Dagster instance: `DAGSTER_HOME`."""
        return self.folder / "dagster"

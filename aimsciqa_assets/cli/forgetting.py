"""Forgetting what was made, all of it or from some stage on, so that the next run makes it anew.

The reply journal, the recorded replies and the sheets of `aimsciqa audit` stay: what was paid for, and what
people may have filled in, is not thrown away with what was made of it.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.release import PROVENANCE
from aimsciqa_assets.airqa.store.publishing import published_files
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import STAGE_NAMES, forgotten_from
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.report.assets import PAGE
from aimsciqa_assets.tables import BOOKKEEPING, TABLES

_RELEASE = STAGE_NAMES.index("release")


def forget_from(warehouse: Warehouse, stage: str) -> list[str]:
    """Drop the tables of a stage and the later ones, with their records; what was taken in stays.

    Returns the tables that held rows.
    """
    dropped = _tables_from(stage)
    there = warehouse.read("select schema_name || '.' || table_name as name from duckdb_tables()")["name"]
    held = [name for name in dropped if name in set(there) and _has_rows(warehouse, name)]
    warehouse.drop(dropped)
    create_tables(warehouse)
    return held


def files_made(home: Home, stage: str | None) -> list[Path]:
    """The files and folders of a home that a stage and the later ones made; None: all but what stays."""
    found = [*_of_releases(home)] if stage is None or STAGE_NAMES.index(stage) <= _RELEASE else []
    if stage is not None:
        found += (part for table in _tables_from(stage) for part in home.unfinished.glob(f"{table}.*"))
    else:
        found += home.folder.glob(f"{home.database.name}*")
        found += home.folder.glob(f".{home.snapshot.name}.*")
        found += [home.snapshot, home.files, home.dagster, home.unfinished, home.reading_report]
        found += [*published_files(home.folder), *home.folder.glob("airqa/observations.sqlite*")]
        found += [home.folder / "partitions.lock", home.folder / f"{home.recordings.name}.lock"]
    return sorted(path for path in found if path.exists() or path.is_symlink())


def remove(path: Path) -> None:
    """Remove a file, a folder with all that is in it, or a link but not what it leads to."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        # Its own path is relative to a folder inside.
        raise OSError(error.errno, error.strerror, str(path)) from error


def _tables_from(stage: str) -> list[str]:
    """The tables that a stage and the later ones made."""
    return [table for table in forgotten_from(stage, TABLES) if table not in BOOKKEEPING]


def _of_releases(home: Home) -> Iterator[Path]:
    """The report and the releases, finished or not; whatever else lies in their folder is not ours."""
    yield home.folder / PAGE
    yield from home.folder.glob(f".{PAGE}.*")
    releases = releases_in(home.folder)
    own = [path for path in releases.glob("*") if path.name.startswith(".") or (path / PROVENANCE).exists()]
    alone = releases.is_dir() and len(own) == len(list(releases.iterdir()))
    yield from [releases] if alone else own


def _has_rows(warehouse: Warehouse, table: str) -> bool:
    return not warehouse.read(f"select 1 from {table} limit 1").is_empty()

"""Checks of a lake: its catalogue and the clock of Postgres, the lock of writers, the place of its rows."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning
from aimsciqa_assets.cli.doctor.folders import size_of

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse.lake import LakePlace

_NO_LAKE: Final = ok("the warehouse is a file of this machine")
_OLDEST: Final = 14
_HELD_LONG: Final = 600.0
_OFF, _FAR_OFF = 5.0, 300.0
_LEAST: Final = 2**30


def catalogue_answers(examined: Examined) -> Iterator[Finding]:
    """Postgres answers and is new enough, lets this user write, and its clock agrees with this one.

    Raises `ClusterSetUpError` and `CatalogueError`.
    """
    lake = _lake_of(examined)
    if lake is None:
        yield _NO_LAKE
        return
    from aimsciqa_resources.warehouse.lake_condition import catalogue_at

    seen = catalogue_at(lake.conninfo)
    faults = []
    if seen.postgres < _OLDEST:
        faults.append(
            problem(
                f"this is Postgres {seen.postgres}; a lake needs {_OLDEST} or newer",
                "Move the database to a newer server: `pg_dump` there, `pg_restore` here (docs/clusters.md).",
            )
        )
    if not seen.writable:
        faults.append(
            problem(
                f"this user may not write in {lake.name}",
                "Let it own the database; or grant it all on schema public and on all tables in it.",
            )
        )
    ahead = seen.clock - examined.now()
    if abs(ahead) > _OFF:
        report = problem if abs(ahead) > _FAR_OFF else warning
        side = "behind" if ahead > 0 else "ahead of"
        faults.append(
            report(
                f"this clock is {abs(ahead):,.0f} s {side} that of Postgres",
                "Set both (`timedatectl set-ntp true`): `aimsciqa maintain` deletes old files by time.",
            )
        )
    yield from faults
    if not faults:
        made = f"DuckLake {seen.version}" if seen.version else "no lake yet: the first ingest makes it"
        yield ok(f"Postgres {seen.postgres}, {made}, {size_of(seen.size)}")


def lock_can_be_taken(examined: Examined) -> Iterator[Finding]:
    """Nobody has held the lock of writers for long. Raises `ClusterSetUpError` and `CatalogueError`."""
    lake = _lake_of(examined)
    if lake is None:
        yield _NO_LAKE
        return
    from aimsciqa_resources.warehouse.lake import PUBLICATION
    from aimsciqa_resources.warehouse.lake_condition import holder_of

    holder = holder_of(lake.conninfo, PUBLICATION)
    if holder is None:
        yield ok("free")
    elif holder.seconds < _HELD_LONG:
        yield ok(f"a writer at {holder.address} holds it since {holder.seconds:,.0f} s")
    else:
        yield warning(
            f"a writer at {holder.address} holds it since {holder.seconds:,.0f} s, and all others wait",
            "Look at what runs there. A copy or `aimsciqa maintain` may take long; what hangs can be ended: "
            f"`select pg_terminate_backend({holder.process})`. Nothing half-written remains.",
        )


def rows_can_be_written(examined: Examined) -> Iterator[Finding]:
    """Rows can be written and read where the lake has them, and there is room for more.

    Raises `ClusterSetUpError`, `CatalogueError` and `WarehouseMissingError`.
    """
    lake = _lake_of(examined)
    if lake is None:
        yield _NO_LAKE
    elif lake.on_s3:
        lake.try_writing()
        yield ok(f"{lake.data_path} can be read and written")
    else:
        yield _of_folder(Path(lake.data))


def _of_folder(folder: Path) -> Finding:
    if not folder.is_dir():
        return problem(
            f"there is no folder {folder}",
            "Mount it: AIMSCIQA_WAREHOUSE_DATA names the folder that all workers share. Before the first "
            "ingest, make it.",
        )
    try:
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        return problem(
            f"nothing can be written in {folder}: {error.strerror}",
            "Make this folder writable for the user of every worker.",
        )
    if free < _LEAST:
        return problem(
            f"{size_of(free)} free for {folder}",
            "Free some space there; `aimsciqa maintain` deletes files that no state needs.",
        )
    return ok(f"{folder} can be written, {size_of(free)} free")


def _lake_of(examined: Examined) -> "LakePlace | None":
    """The lake; None where the warehouse is a file. Raises `ClusterSetUpError`."""
    if not examined.warehouse.is_lake:
        return None
    from aimsciqa_resources.warehouse.lake import LakePlace

    place = examined.warehouse.place
    return place if isinstance(place, LakePlace) else None

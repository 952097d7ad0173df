"""Six processes that publish vectors to one lake at once, with the lock of writers and without it."""

import time
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from tests.lake.servers import new_database

WRITERS = 6
TIMES = 4
ROWS, DIMENSION = 2000, 384
ROUNDS = 3
_DDL = f"create table if not exists s.vectors (batch varchar not null, v float[{DIMENSION}] not null)"
_AT_MOST = 200
_CONFLICT = "conflict"


def publication(work: Path, postgres: str) -> dict[str, Any]:
    """Seconds, conflicts, files and rows, with the lock and without it, in turns."""
    told: dict[str, list[dict[str, Any]]] = {"with the lock": [], "without it": []}
    for number in range(ROUNDS):
        for way, runs in told.items():
            name = f"writers_{number}_{len(way)}"
            with new_database(postgres, name) as catalogue:
                lake = Warehouse(f"ducklake:postgres:{catalogue}", str(work / name), str(work))
                runs.append(_measured(lake, locked=way == "with the lock"))
    one = Warehouse(str(work / "one.duckdb"))
    return {
        "writers": WRITERS,
        "replacements_each": TIMES,
        "rows": ROWS,
        "dimension": DIMENSION,
        **told,
        "a file, one writer after another": _in_turns(one),
    }


def _measured(lake: Warehouse, *, locked: bool) -> dict[str, Any]:
    lake.replace([_write("first")])
    context = get_context("spawn")
    start, results = context.Barrier(WRITERS), context.Queue()
    named = lake.database, lake.data, lake.folder
    processes = [
        context.Process(target=_publish, args=(f"w{number}", named, locked, start, results))
        for number in range(WRITERS)
    ]
    for process in processes:
        process.start()
    spans = [results.get(timeout=600) for _ in processes]
    for process in processes:
        process.join()
    began, ended, conflicts, longest = zip(*spans, strict=True)
    rows = lake.read("select count(*) as n from s.vectors")["n"][0]
    return {
        "seconds": round(max(ended) - min(began), 2),
        "longest_publication": round(max(longest), 2),
        "conflicts": sum(conflicts),
        "files": sum(1 for _ in Path(lake.data).rglob("*.parquet")),
        "rows_are_all_there": rows == (WRITERS + 1) * ROWS,
    }


def _publish(name: str, named: tuple[str, str, str], locked: bool, start: Any, results: Any) -> None:
    if not locked:
        _without_lock()
    lake = Warehouse(*named)
    write = _write(name)
    lake.read("select 1")
    start.wait()
    began, conflicts, longest = time.time(), 0, 0.0
    for _ in range(TIMES):
        before = time.monotonic()
        for _ in range(_AT_MOST):
            try:
                lake.replace([write])
                break
            except duckdb.Error as error:
                if _CONFLICT not in str(error).lower():
                    raise
                conflicts += 1
        longest = max(longest, time.monotonic() - before)
    results.put((began, time.time(), conflicts, longest))


def _in_turns(file: Warehouse) -> dict[str, float]:
    writes = [_write(f"w{number}") for number in range(WRITERS)]
    file.replace([_write("first")])
    began = time.monotonic()
    for write in writes * TIMES:
        file.replace([write])
    return {"seconds": round(time.monotonic() - began, 2)}


def _write(name: str) -> Write:
    vectors = np.random.default_rng(len(name)).random((ROWS, DIMENSION), dtype=np.float32)
    rows = pl.DataFrame(
        {"batch": [name] * ROWS, "v": vectors}, schema_overrides={"v": pl.Array(pl.Float32, DIMENSION)}
    )
    return Write("s.vectors", _DDL, rows, {"batch": name})


def _without_lock() -> None:
    import psycopg
    from aimsciqa_resources.warehouse.lake import LakePlace

    @contextmanager
    def unlocked(place: LakePlace) -> Any:
        with psycopg.connect(place.conninfo, autocommit=True) as connection:
            yield connection

    LakePlace.alone = unlocked  # type: ignore[method-assign, assignment]

"""What each step fetches to learn what was made before: `python -m benchmarks.million.ledger`.

Records of all batches are written to a lake on this machine, as the steps of a run write them, and read as a
step of one more batch reads them, and as a run reads them once for each phase.
"""

import argparse
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import MATERIALIZATIONS
from benchmarks.machine import peak_memory_mb
from benchmarks.million.measuring import PLANNING, Meter
from tests.lake.servers import new_database, postgres_server
from tests.s3_server import access_to, s3_server

BUCKET = "rows"
_DETERMINANTS = 1_000
"""Hexadecimal digits of what determined a part: nobody reads them here."""


def main() -> None:
    """Measure and print a line of JSON for each number of batches."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--batches", type=int, nargs="+", required=True, help="from few to many")
    chosen = parser.parse_args()
    for batches in chosen.batches:
        with tempfile.TemporaryDirectory(prefix="million") as folder:
            print(json.dumps(read(Path(folder), batches)), flush=True)


def read(work: Path, batches: int) -> dict[str, Any]:
    """What it takes to read the records of so many batches."""
    settings = Settings.preset_of("paper", {"AIMSCIQA_REPRODUCTION_NAMED_MODELS": "any"})
    with ExitStack() as servers:
        postgres = servers.enter_context(postgres_server(work / "pg"))
        catalogue = servers.enter_context(new_database(postgres, "ledger"))
        os.environ |= access_to(servers.enter_context(s3_server(work, BUCKET)))
        lake = Warehouse(f"ducklake:postgres:{catalogue}", f"s3://{BUCKET}/lake", str(work))
        create_tables(lake)
        rows = records_of(batches, settings)
        lake.replace([Write(MATERIALIZATIONS.name, MATERIALIZATIONS.ddl(), rows, {})])
        meter = Meter(lake)
        meter.begin()
        one = [step for step in STEPS.values() if step.batched][:1]
        by_step = measured(meter, lambda: Ledger.read(lake, one, settings, part="batch-new"))
        by_phase = measured(meter, lambda: Ledger.read(lake, PHASES[0].steps, settings))
        return {
            "batches": batches,
            "records": rows.height,
            "by_step": by_step,
            "by_phase": by_phase,
            "phases": len(PHASES),
            "peak_memory_mb": peak_memory_mb(),
        }


def records_of(batches: int, settings: Settings) -> pl.DataFrame:
    """Rows of `ops.materializations` after a run: steps that look across batches have seen all of them."""
    names = [f"batch-{number:04d}" for number in range(batches)]
    rows = [
        {
            "table_name": table,
            "part": name,
            **{column: secrets.token_hex(16) for column in ("fingerprint", "own", "inputs")},
            "seen": names if step.across_for(settings) else [],
            "rows": 1,
            "determinants": secrets.token_hex(_DETERMINANTS // 2),
            "lacking": None,
        }
        for table, step in STEPS.items()
        if step.batched
        for name in names
    ]
    return frame_of(MATERIALIZATIONS.name, rows)


def measured(meter: Meter, work: Callable[[], object]) -> dict[str, float]:
    """Bytes, requests, and seconds of some reading."""
    meter.spent.clear()
    meter.turn_to(PLANNING)
    meter.spent.clear()
    begun = time.perf_counter()
    work()
    seconds = time.perf_counter() - begun
    meter.turn_to(PLANNING)
    spent = meter.spent[PLANNING]
    return {"seconds": round(seconds, 2), "cpu": round(spent.cpu, 2), "gets": spent.gets, "read": spent.read}


if __name__ == "__main__":
    main()

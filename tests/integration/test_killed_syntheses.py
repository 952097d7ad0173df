"""HopWeaver's syntheses, killed in the middle: the next run asks nothing twice but what was in flight."""

import signal
import threading
from collections import Counter

import duckdb
import pytest

from benchmarks.synthetic.documents import write_documents
from benchmarks.synthetic.hops import Hops
from tests.model_server import ModelServer
from tests.shell import Shell

pytestmark = [pytest.mark.slow, pytest.mark.long]

DOCUMENTS, IN_FLIGHT, KILLED_AT = 20, 6, 100
TABLES = ("attempts", "comparisons", "bridges", "replies", "items", "evidence")


def shell_at(home, url: str, tiny_encoder: dict[str, str]) -> Shell:
    """Where both kinds are made by the server at `url`, which also polishes."""
    server = {"backend": "server", "name": "m", "base_url": url}
    server |= {"in_flight": str(IN_FLIGHT), "most_in_flight": str(IN_FLIGHT)}
    return Shell(
        home,
        hopweaver_kinds="bridge comparison",
        hopweaver_unmentioned="asked",
        # The made-up documents differ in names alone, and all are weirs: rules that look at names find them.
        hopweaver_first_hop="segment",
        hopweaver_masked_rank="0",
        hopweaver_question_rank="0",
        hopweaver_listed_only="asked",
        hopweaver_kin="asked",
        hopweaver_in_common="unasked",
        hopweaver_direction="free",
        hopweaver_repeats="any",
        hopweaver_draws="any",
        hopweaver_reader="false",
        **{
            f"{task}_model_{name}": value
            for task in ("hopweaver", "polisher")
            for name, value in server.items()
        },
        **tiny_encoder,
    )


def rows_of(home) -> dict[str, list[tuple]]:
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        return {
            table: connection.execute(f"select * from hopweaver.{table} order by all").fetchall()
            for table in TABLES
        }


def test_a_run_that_is_killed_among_its_syntheses_asks_again_only_what_was_in_flight(tmp_path, tiny_encoder):
    write_documents(tmp_path / "weirs.jsonl", DOCUMENTS)
    enough = threading.Event()

    def plan(seen):
        if seen.number >= KILLED_AT:
            enough.set()

    with ModelServer(answer=Hops()) as server:
        undisturbed = shell_at(tmp_path / "undisturbed", server.url, tiny_encoder)
        undisturbed("ingest", str(tmp_path / "weirs.jsonl"))
        undisturbed("run", "--quiet", "--only-items")
        asked = Counter(seen.key for seen in server.seen)
    with ModelServer(answer=Hops(), plan=plan, latency=lambda _number: 0.02) as server:
        killed = shell_at(tmp_path / "killed", server.url, tiny_encoder)
        killed("ingest", str(tmp_path / "weirs.jsonl"))
        process = killed.start("run", "--quiet", "--only-items")
        assert enough.wait(timeout=120)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        killed("run", "--quiet", "--only-items")
        sent = Counter(seen.key for seen in server.seen)
    assert set(asked.values()) == {1}
    assert len(asked) > 2 * KILLED_AT
    assert sent.keys() == asked.keys()
    assert sum(number - 1 for number in sent.values()) <= IN_FLIGHT
    assert rows_of(killed.home) == rows_of(undisturbed.home)
    # Two comparisons of the same two documents are one: the other is left out.
    assert set(statuses(killed.home)) == {("accepted", None), ("rejected", "mirrored")}


def statuses(home) -> list[tuple]:
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute("select distinct status, rejection_reason from hopweaver.items").fetchall()

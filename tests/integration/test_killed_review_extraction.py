"""Pairs of reviews, killed in the middle: the next run asks nothing twice but what was in flight."""

import signal
import threading
from collections import Counter

import duckdb
import pytest

from benchmarks.synthetic.review_model import answer
from benchmarks.synthetic.review_threads import write_threads
from tests.model_server import ModelServer
from tests.shell import Shell

pytestmark = [pytest.mark.slow, pytest.mark.long]

FORUMS, IN_FLIGHT = 15, 4
REQUESTS_OF_A_STEP = 4 * FORUMS
TABLES = ("discussions", "requests", "extractions", "qa_pairs", "edits")


def shell_at(home, url: str) -> Shell:
    """Where the reviews are in two batches, and the model is the server at `url`."""
    server = {"backend": "server", "name": "m", "base_url": url}
    server |= {"in_flight": str(IN_FLIGHT), "most_in_flight": str(IN_FLIGHT)}
    return Shell(
        home,
        systems="",
        scidqa_extraction="true",
        scidqa_forums_per_batch="8",
        **{f"scidqa_model_{name}": value for name, value in server.items()},
    )


def rows_of(home) -> dict[str, list[tuple]]:
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        return {
            table: connection.execute(f"select * from scidqa.{table} order by all").fetchall()
            for table in TABLES
        }


@pytest.fixture(scope="module")
def threads(tmp_path_factory):
    """Made-up notes: four discussions of each forum have a reply of the authors."""
    file = tmp_path_factory.mktemp("threads") / "notes.jsonl.gz"
    write_threads(file, FORUMS, 10 * FORUMS)
    return file


@pytest.fixture(scope="module")
def undisturbed(threads, tmp_path_factory):
    """The rows of a run that nobody disturbed, and what it asked."""
    with ModelServer(answer=answer) as server:
        shell = shell_at(tmp_path_factory.mktemp("undisturbed") / "home", server.url)
        shell("reviews", "import", str(threads))
        shell("run", "--quiet", "--only-items")
        return rows_of(shell.home), Counter(seen.key for seen in server.seen)


@pytest.mark.parametrize(
    "killed_at",
    [
        pytest.param(REQUESTS_OF_A_STEP // 4, id="while pairs are looked for"),
        pytest.param(REQUESTS_OF_A_STEP * 3 // 2, id="while pairs are judged"),
    ],
)
def test_a_killed_run_asks_again_only_what_was_in_flight(killed_at, threads, undisturbed, tmp_path):
    rows, asked = undisturbed
    enough = threading.Event()

    def plan(seen):
        if seen.number >= killed_at:
            enough.set()

    with ModelServer(answer=answer, plan=plan, latency=lambda _number: 0.05) as server:
        shell = shell_at(tmp_path / "killed", server.url)
        shell("reviews", "import", str(threads))
        process = shell.start("run", "--quiet", "--only-items")
        assert enough.wait(timeout=300)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        assert len(server.seen) < 2 * REQUESTS_OF_A_STEP
        shell("run", "--quiet", "--only-items")
        sent = Counter(seen.key for seen in server.seen)
    assert set(asked.values()) == {1}
    assert asked.total() == 2 * REQUESTS_OF_A_STEP
    assert sent.keys() == asked.keys()
    assert sum(number - 1 for number in sent.values()) <= IN_FLIGHT
    assert rows_of(shell.home) == rows
    assert len(rows["qa_pairs"]) == 2 * REQUESTS_OF_A_STEP

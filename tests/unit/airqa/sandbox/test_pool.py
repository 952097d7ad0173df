"""Many threads on few processes: each gets its own rows, also while others are killed."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from aimsciqa_resources.untrusted_sql.pool import (
    LateStatementError,
    Limits,
    RefusedStatementError,
    SqlPool,
    StatementError,
    UnfitWorkerError,
)
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.airqa_store import store_at

pytestmark = pytest.mark.slow
ENDLESS = "with recursive t as (select 1 i union all select i + 1 from t) select max(i) from t"


@pytest.fixture
def store(tmp_path):
    return store_at(tmp_path / "papers.duckdb")


def test_threads_share_processes_and_a_kill_disturbs_nobody(store):
    def value(number):
        if number % 20 == 7:
            with pytest.raises(LateStatementError):
                pool.run(ENDLESS, 1, seconds=0.2)
            return number
        ((found,),) = [column["values"] for column in pool.run(f"select {number} as n", 1)]
        return found

    with SqlPool(store, processes=2) as pool, ThreadPoolExecutor(12) as threads:
        assert list(threads.map(value, range(60))) == list(range(60))


def test_a_statement_that_grows_is_told_and_the_next_one_runs(store):
    with SqlPool(store, Limits(duckdb_bytes=50 * 2**20), processes=1) as pool:
        with pytest.raises(StatementError, match="Out of Memory"):
            pool.run("select array_agg(i) from range(100000000) t(i)", 1)
        assert pool.run("select 1 as n", 1)[0]["values"] == [1]


def test_rows_cells_and_columns_are_bounded(store):
    with SqlPool(store, processes=1) as pool:
        assert pool.run("select i from range(1000000000000) t(i)", 11)[0]["values"] == list(range(11))
        (cell,) = pool.run("select repeat('x', 500000) as a", 1)[0]["values"]
        assert cell == "x" * 400_000 + "... # 100000 more characters are left out"
        with pytest.raises(StatementError, match=r"larger than 2,000,000 characters: select fewer"):
            pool.run("select repeat('x', 400000) as a from range(11)", 11)
        with pytest.raises(StatementError, match="1,001 columns"):
            pool.run(f"select {', '.join('1' for _ in range(1001))}", 1)
        with pytest.raises(RefusedStatementError, match="longer than 100,000 characters"):
            pool.run("select 1" + " " * 100_000, 1)


def test_a_closed_pool_and_a_missing_file_are_told(store, tmp_path):
    pool = SqlPool(store)
    pool.close()
    with pytest.raises(UnfitWorkerError, match="closed"):
        pool.run("select 1", 1)
    with SqlPool(tmp_path / "none.duckdb") as pool, pytest.raises(UnfitWorkerError, match="cannot be asked"):
        pool.run("select 1", 1)


def test_the_command_prints_the_observation_of_a_file(store, tmp_path):
    file = tmp_path / "question.sql"
    file.write_text("SELECT title, authors FROM metadata")
    words = ["airqa", "query", str(file), "--database", str(store)]
    assert CliRunner().invoke(app, words).stdout == (
        '{"title":"Title one","authors":"[\'A B\' \'C D\']"}\n\n'
        "In total, 1 rows are displayed in JSON format.\n"
    )
    file.write_text("DROP TABLE pages")
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 0
    assert refused.stdout.startswith(
        "[Error]: Runtime error during SQL execution and output formatting: Only a SELECT"
    )
    missing = CliRunner().invoke(app, ["airqa", "query", str(file)])
    assert missing.exit_code == 1

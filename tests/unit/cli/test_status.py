"""`aimsciqa status`: a batch is up to date only if a run would make nothing of it."""

import pytest
from rich.console import Console

from aimsciqa_assets.cli.summary import print_status
from aimsciqa_assets.cli.why import Line, state_of
from tests.fakes import write_corpus
from tests.small_home import pipeline_at


def line(step: str, state: str, *parts: str) -> Line:
    return Line(step, parts or ("batch-0001",), state, "")


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ([], "up to date"),
        ([line("corpus.papers", "current"), line("multi_hop.items", "current")], "up to date"),
        ([line("corpus.papers", "current"), line("multi_hop.items", "due")], "due from multi_hop.items"),
        (
            [line("relations.clusters", "due"), line("multi_hop.items", "waits")],
            "due from relations.clusters",
        ),
        (
            [line("relations.clusters", "waits"), line("multi_hop.items", "due")],
            "due from relations.clusters",
        ),
        ([line("corpus.papers", "current"), line("multi_hop.items", "waits")], "due from multi_hop.items"),
        (
            [line("corpus.papers", "current"), line("multi_hop.items", "failed", "batch-0002", "batch-0003")],
            "failed at multi_hop.items",
        ),
        ([line("corpus.papers", "failed"), line("multi_hop.items", "waits")], "failed at corpus.papers"),
        ([line("corpus.papers", "due"), line("multi_hop.items", "failed")], "failed at multi_hop.items"),
        ([line("corpus.papers", "failed"), line("corpus.keywords", "failed")], "failed at corpus.papers"),
        ([line("corpus.papers", "waits"), line("corpus.keywords", "failed")], "failed at corpus.keywords"),
        ([line("corpus.papers", "waits"), line("corpus.keywords", "current")], "due from corpus.papers"),
    ],
)
def test_the_state_names_the_first_step_that_failed_or_is_to_be_made(lines, state):
    assert state_of(lines) == state


def printed(pipeline, *, why: bool = False) -> list[str]:
    console = Console(record=True, width=200)
    print_status(pipeline.home, "demo", console, why=why)
    return [" ".join(row.split()) for row in console.export_text().splitlines()]


@pytest.mark.slow
def test_what_was_interrupted_is_due_and_what_failed_is_told(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(tmp_path / "papers")
    header, batch, over_all, to_make = printed(pipeline)
    assert header == "batch files papers rejected pairs relations items state"
    assert batch == "batch-0001 3 0 0 0 0 0 due from corpus.papers"
    assert over_all.startswith("Over all batches: due from ")
    assert to_make.endswith(" to make: aimsciqa run; why: aimsciqa status --why")
    # As after Ctrl-C behind the first phase.
    assert pipeline.run_phase(0, "batch-0001") == []
    _, batch, *_ = printed(pipeline)
    assert batch.startswith("batch-0001 3 3 0 0 0 0 due from ")
    assert "corpus.papers" not in batch
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(
            "insert into ops.failures values ('multi_hop.items', 'batch-0001', 'OSError: full', '', '')"
        )
    header, batch, over_all, *why = printed(pipeline, why=True)
    assert batch == "batch-0001 3 3 0 0 0 0 failed at multi_hop.items"
    assert "failed multi_hop.items of batch-0001" in why

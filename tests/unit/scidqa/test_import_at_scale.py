"""The made-up threads of the benchmark, in small: every forum whole, whatever the order of the notes."""

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.intake.importing import import_notes
from benchmarks.synthetic.review_threads import write_threads

pytestmark = pytest.mark.slow


def test_the_threads_of_the_benchmark_become_whole_forums(tmp_path):
    file, warehouse = tmp_path / "notes.jsonl.gz", Warehouse(database=str(tmp_path / "w.duckdb"))
    write_threads(file, 30, 300)
    written = import_notes(file, warehouse, forums_per_batch=10, most_bytes=10**6).written
    assert (written.new, written.new_forums, written.problems) == (300, 30, 0)
    kinds = warehouse.read("select kind, count(*) from scidqa.notes group by all order by all").rows()
    assert kinds == [("response", 120), ("review", 150), ("submission", 30)]
    batches = warehouse.read("select batch, count(*) from scidqa.forums group by all order by all").rows()
    assert batches == [("batch-0001", 10), ("batch-0002", 10), ("batch-0003", 10)]

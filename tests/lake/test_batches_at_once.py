"""Batches on different workers wait for each other while one publishes, and at no other time."""

import threading
from dataclasses import replace

import pytest

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.platform.writing import create_tables
from tests.two_batches import pipeline_at

pytestmark = pytest.mark.slow
SECONDS = 120
TABLES = ("relations.section_pairs", "relations.clusters", "single_hop.triplets")


def made(step: Step, part: str, resources) -> bool:
    return not bring_up_to_date(step, StepRun.of(step, part, resources))


@pytest.mark.parametrize("table", TABLES)
def test_a_batch_is_made_while_another_is_computed(lake, tmp_path, table):
    create_tables(lake)
    resources = pipeline_at(tmp_path / "home").resources | {"warehouse": lake}
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()
    nothing = {table: frame_of(table, [])}

    def compute_slowly(_run):
        begun.set()
        assert may_end.wait(SECONDS)
        return nothing

    def first():
        made(replace(STEPS[table], compute=compute_slowly), "a", resources)
        ended.set()

    threading.Thread(target=first, daemon=True).start()
    assert begun.wait(SECONDS)
    assert made(replace(STEPS[table], compute=lambda _run: nothing), "b", resources)
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(SECONDS)
    written = lake.read(f"select part from ops.materializations where table_name = '{table}' order by part")
    assert written["part"].to_list() == ["a", "b"]

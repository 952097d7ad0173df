"""What is due and what is ready, on a warehouse of records alone."""

from dataclasses import replace

import pytest
from aimsciqa_assets.platform.dueness import State
from aimsciqa_assets.platform.fingerprints import Record, Records, digest

from aimsciqa_assets.corpus.intake.allocation import InputFile, take_in
from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

assert MODULES
FOLLOWING = {table: step for table, step in STEPS.items() if not step.on_request}
SETTINGS = Settings.preset_of("demo", {})
PARSED, ASKED, PAIRS = (
    STEPS["corpus.papers"],
    STEPS["single_hop.extractions"],
    "relations.section_pairs",
)


class Site:
    """Batches and records; `make` does what a run would do, in an order that respects what is read."""

    def __init__(self, *nights: tuple[str, ...]):
        self.records = Records(frame_of("ops.materializations", []))
        rows = frame_of("corpus.input_files", [])
        for number, night in enumerate(nights):
            files = [InputFile(f"{number}-{name}", name, 1, None) for name in night]
            rows = take_in(rows, files, [], 1)
        self.input_files = rows
        self.batches = sorted(rows["batch"])
        for batch in self.batches:
            self.put(Record("corpus.input_files", batch, f"files of {batch}", "", "", frozenset(), 1))

    def put(self, record):
        self.records._records[record.table_name, record.batch] = record

    def state(self, *, failed=None, stale=None):
        return State(self.records, self.input_files, stale or {}, SETTINGS, failed or {})

    def make(self, table, part, fingerprint=""):
        step = STEPS[table]
        inputs = digest(step.inputs(part, self.records))
        seen = step.visible(SETTINGS, self.records)
        for one in step.writes:
            self.put(Record(one, part, fingerprint or f"{one} of {part}", "", inputs, seen, 1))

    def make_all(self):
        """Run whatever is due and ready, until nothing is."""
        made = []
        while asked := self.asked():
            made += asked
            for table, part in asked:
                self.make(table, part)
        return made

    def asked(self, **state):
        now = self.state(**state)
        return [
            (step.writes[0], part)
            for step in dict.fromkeys(FOLLOWING.values())
            for part in (self.batches if step.batched else [""])
            if part not in (state.get("failed") or {}).get(step.writes[0], ())
            if now.is_due(step, part) and now.is_ready(step, part)
        ]


def test_without_anything_nothing_is_due():
    assert Site().asked() == []


def test_everything_is_made_once_and_then_nothing_is_due():
    site = Site(("a", "b"))
    made = site.make_all()
    assert len(made) == len(set(made))
    assert {table for table, _ in made} == {step.writes[0] for step in FOLLOWING.values()}


def test_a_batch_of_a_later_night_leaves_the_others_alone():
    site = Site(("a",))
    site.make_all()
    later = Site(("a",), ("b",))
    for record in site.records._records.values():
        later.put(record)
    parts = {part for _, part in later.make_all()}
    assert parts == {"batch-0002", ""}


def test_a_step_waits_for_the_batches_of_its_night_and_for_none_that_failed():
    site = Site(("a", "b"))
    for batch in site.batches:
        site.make("corpus.papers", batch)
    for table in ("corpus.citation_edges", "corpus.source_papers", "citation_guided.pairs"):
        site.make(table, "")
    for table in ("single_hop.extractions", "single_hop.similarities", "single_hop.qa_pairs"):
        site.make(table, "batch-0001")
    pairs = STEPS[PAIRS]
    assert not site.state().is_ready(pairs, "batch-0001")
    failed = {"single_hop.extractions": {"batch-0002"}}
    assert site.state(failed=failed).is_ready(pairs, "batch-0001")
    site.make(PAIRS, "batch-0001")
    assert not site.state().is_due(pairs, "batch-0001")
    for table in ("single_hop.extractions", "single_hop.similarities", "single_hop.qa_pairs"):
        site.make(table, "batch-0002")
    assert site.state().is_due(pairs, "batch-0001"), "its sibling is there now"


def test_a_change_upstream_is_waited_for_through_every_step_between():
    site = Site(("a", "b"))
    site.make_all()
    stale = {PAIRS: frozenset({"batch-0001"}), "relations.clusters": frozenset({"batch-0001"})}
    state = site.state(stale=stale)
    assert state.is_due(STEPS["relations.clusters"], "batch-0001")
    assert not state.is_ready(STEPS["relations.clusters"], "batch-0001")
    assert state.is_ready(STEPS[PAIRS], "batch-0001")
    together = ["relations.candidate_relations"]
    assert state.is_ready(STEPS["relations.clusters"], "batch-0001", together)
    assert not state.is_ready(STEPS["multi_hop.statistics"], "")


def test_another_fingerprint_of_an_input_makes_a_step_due_and_another_code_does_not():
    site = Site(("a",))
    site.make_all()
    state = site.state()
    assert not state.is_due(replace(ASKED, code="2", prompt_version="new"), "batch-0001")
    site.make("corpus.papers", "batch-0001", fingerprint="another version of a paper")
    assert site.state().is_due(ASKED, "batch-0001")


@pytest.mark.parametrize("table", [name for name in FOLLOWING if not TABLES[name].batched])
def test_a_table_over_all_batches_is_made_although_a_batch_failed(table):
    site = Site(("a", "b"))
    site.make_all()
    failed = {"corpus.papers": {"batch-0002"}}
    site.put(replace(site.records.get("corpus.input_files", "batch-0002"), fingerprint="new"))
    assert site.state().is_due(PARSED, "batch-0002")
    assert site.state(failed=failed).is_ready(STEPS[table], "")

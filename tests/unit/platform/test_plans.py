"""What is current, due, waits or failed, on a ledger of records alone."""

from dataclasses import replace

import pytest

from aimsciqa_assets.corpus.intake.allocation import InputFile, take_in
from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.plans import Graph, changes_of_data, plan
from aimsciqa_assets.platform.records import Record, Records
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.settings import Settings

assert MODULES
FOLLOWING = [step for step in dict.fromkeys(STEPS.values()) if not step.on_request]
SETTINGS = Settings.preset_of("demo", {})
PARSED, ASKED, PAIRS = (
    STEPS["corpus.papers"],
    STEPS["single_hop.extractions"],
    STEPS["relations.section_pairs"],
)
CLUSTERS = STEPS["relations.clusters"]
SINGLE_HOP = (
    "single_hop.extractions",
    "single_hop.triplets",
    "single_hop.similarities",
    "single_hop.qa_pairs",
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
            for table in ("corpus.input_files", "scidqa.notes"):
                self.put(Record(table, batch, f"what came to {batch}", "", "", frozenset(), 1))

    def put(self, record):
        self.records._records[record.table_name, record.part] = record

    def plan(self, *, failed=(), stale=None, steps=FOLLOWING):
        ledger = Ledger(self.records, self.input_files, stale or {}, {})
        graph = Graph({"batch": self.batches}, ledger, SETTINGS)
        changes = changes_of_data(ledger, SETTINGS)
        return plan(steps, graph, changes, dict.fromkeys(failed, "its last run failed"))

    def make(self, table, part, fingerprint=""):
        step = STEPS[table]
        inputs = digest(step.inputs(part, self.records))
        seen = step.visible(SETTINGS, self.records)
        for one in step.writes:
            self.put(Record(one, part, fingerprint or f"{one} of {part}", "", inputs, seen, 1))

    def make_all(self):
        """Run whatever is due, until nothing is."""
        made = []
        while due := self.due():
            made += due
            for table, part in due:
                self.make(table, part)
        return made

    def due(self, **state):
        now = self.plan(**state)
        return [
            (step.writes[0], part)
            for step in FOLLOWING
            for part in (self.batches if step.batched else [""])
            if now.of(step, part).state == "due"
        ]


def test_without_anything_nothing_is_due():
    assert Site().due() == []


def test_everything_is_made_once_and_then_nothing_is_due():
    site = Site(("a", "b"))
    made = site.make_all()
    assert len(made) == len(set(made))
    assert {table for table, _ in made} == {step.writes[0] for step in FOLLOWING}


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
    for table in (
        *("corpus.citation_edges", "corpus.source_papers", "corpus.admitted_papers"),
        "citation_guided.pairs",
    ):
        site.make(table, "")
    for table in SINGLE_HOP:
        site.make(table, "batch-0001")
    before = site.plan().of(PAIRS, "batch-0001")
    assert before.state == "waits"
    assert before.why == ("waits for single_hop.qa_pairs, relations.embeddings", "its rows are missing")
    failed = {("single_hop.extractions", "batch-0002")}
    assert site.plan(failed=failed).of(PAIRS, "batch-0001").state == "due"
    assert site.plan(failed=failed).of(ASKED, "batch-0002").state == "failed"
    held_up = site.plan(failed=failed).of(STEPS["single_hop.triplets"], "batch-0002")
    assert held_up.state == "waits"
    assert held_up.why == ("waits for single_hop.extractions, which failed", "its rows are missing")
    site.make("relations.section_pairs", "batch-0001")
    assert site.plan(failed=failed).of(PAIRS, "batch-0001").state == "current"
    for table in SINGLE_HOP:
        site.make(table, "batch-0002")
    sibling = site.plan().of(PAIRS, "batch-0001")
    assert (sibling.state, sibling.why) == ("due", ("batch-0002 is new",))


def test_a_change_upstream_is_waited_for_through_every_step_between():
    site = Site(("a", "b"))
    site.make_all()
    stale = {"section_pairs": frozenset({"batch-0001"}), "clusters": frozenset({"batch-0001"})}
    now = site.plan(stale=stale)
    clusters = now.of(CLUSTERS, "batch-0001")
    assert clusters.state == "waits"
    assert clusters.why == (
        "waits for relations.candidate_relations",
        "its rows lead to papers that are there no more",
    )
    assert not now.may_be_made(CLUSTERS, "batch-0001", [])
    assert now.of(PAIRS, "batch-0001").state == "due"
    assert now.may_be_made(CLUSTERS, "batch-0001", ["relations.candidate_relations"])
    assert now.of(STEPS["multi_hop.statistics"], "").state == "waits"
    assert now.of(CLUSTERS, "batch-0002").state == "current"


def test_another_fingerprint_of_an_input_makes_a_step_due_and_another_code_does_not():
    site = Site(("a",))
    site.make_all()
    changed = replace(ASKED, code="2", prompt_version="new")
    assert site.plan(steps=[changed]).of(changed, "batch-0001").state == "current"
    site.make("corpus.papers", "batch-0001", fingerprint="another version of a paper")
    due = site.plan().of(ASKED, "batch-0001")
    assert (due.state, due.why) == ("due", ("what it reads was made anew",))


def test_a_step_that_a_query_watches_is_made_anew_only_where_the_query_says_so():
    site = Site(("a", "b"))
    site.make_all()
    items = STEPS["multi_hop.items"]
    site.put(replace(site.records.get("relations.mirrors", ""), fingerprint="made anew"))
    assert site.plan().of(items, "batch-0001").state == "current"
    stale = {"items": frozenset({"batch-0002"})}
    due = site.plan(stale=stale).of(items, "batch-0002")
    assert (due.state, due.why) == ("due", (items.stale_why,))
    assert site.plan(stale=stale).of(items, "batch-0001").state == "current"


@pytest.mark.parametrize("table", [table for step in FOLLOWING if not step.by for table in step.writes])
def test_a_table_over_all_batches_is_made_although_a_batch_failed(table):
    site = Site(("a", "b"))
    site.make_all()
    failed = {("corpus.papers", "batch-0002")}
    site.put(replace(site.records.get("corpus.input_files", "batch-0002"), fingerprint="new"))
    assert site.plan().of(PARSED, "batch-0002").state == "due"
    assert site.plan().of(STEPS[table], "").state == "waits"
    assert site.plan(failed=failed).of(STEPS[table], "").state == "current"


def test_a_failure_is_over_when_the_rows_are_what_a_run_would_make():
    site = Site(("a",))
    site.make_all()
    assert site.plan(failed={("corpus.papers", "batch-0001")}).of(PARSED, "batch-0001").state == "current"

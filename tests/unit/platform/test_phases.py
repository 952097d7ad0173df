"""The order of the steps, and the phases that follow from what they read."""

from dataclasses import replace

import pytest

from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.platform.phases import in_order, phases_of
from aimsciqa_assets.platform.steps import STEPS, Step

assert MODULES


def names(steps) -> list[list[str]]:
    return [[step.writes[0] for step in phase.steps] for phase in phases_of(steps)]


def test_every_step_comes_after_those_that_it_reads():
    made = set()
    for step in in_order(STEPS.values()):
        assert {table for table in step.upstream if table in STEPS} <= made
        made |= set(step.writes)
    assert made == set(STEPS)


def test_the_phases_of_the_main_line():
    phases = phases_of(STEPS.values())
    assert [(phase.by, phase.on_request) for phase in phases] == [
        ("batch", False),
        ("batch", False),
        ("", False),
        ("batch", False),
        ("batch", False),
        ("batch", False),
        ("", False),
        ("batch", False),
        ("", False),
        ("judge", True),
        ("run_id", True),
        ("", True),
        ("batch", True),
        ("retriever", True),
        ("answerer", True),
        ("model", True),
        ("", True),
    ]
    assert names(STEPS.values())[0] == [
        *("corpus.papers", "scidqa.discussions", "findings.papers", "hopweaver.documents", "airqa.papers"),
        *("baseline_sets.evidence", "scidqa.changes", "scidqa.extractions", "findings.quantities"),
        *("findings.card_vectors", "hopweaver.document_vectors", "airqa.vectors", "airqa.summaries"),
        *("scidqa.qa_pairs", "airqa.summary_vectors"),
        "scidqa.answerability",
    ]
    assert names(STEPS.values())[1] == ["hopweaver.attempts", "hopweaver.items", "hopweaver.feedback"]
    assert "corpus.admitted_papers" in names(STEPS.values())[2]
    assert names(STEPS.values())[3] == [
        *("findings.neighbourhoods", "single_hop.extractions", "findings.groups", "single_hop.triplets"),
        *("findings.drafts", "single_hop.similarities", "findings.items"),
        "findings.relabellings",
    ]
    assert names(STEPS.values())[4] == ["single_hop.qa_pairs"], "it may look across all batches"
    assert names(STEPS.values())[5] == [
        "relations.section_pairs",
        "relations.candidate_relations",
        "relations.clusters",
        "relations.retrieval_questions",
    ]
    assert names(STEPS.values())[7] == ["multi_hop.items"], "of all mirrors, one is asked about"


@pytest.mark.parametrize("number", range(len(phases_of(STEPS.values()))))
def test_a_phase_looks_only_at_what_earlier_phases_finished(number):
    phases = phases_of(STEPS.values())
    finished = {table for phase in phases[:number] for step in phase.steps for table in step.writes}
    in_phase = set()
    for step in phases[number].steps:
        own = {table for table in step.reads if table not in step.across} & in_phase
        assert {table for table in step.upstream if table in STEPS} <= finished | own
        in_phase |= set(step.writes)


def test_a_new_phase_begins_where_the_parts_change_or_a_step_looks_across():
    papers = Step(writes=("corpus.papers",))
    asked = Step(writes=("single_hop.extractions",), reads=("corpus.papers",))
    counted = Step(writes=("single_hop.statistics",), reads=("single_hop.extractions",))
    assert names([counted, asked, papers]) == [
        ["corpus.papers", "single_hop.extractions"],
        ["single_hop.statistics"],
    ]
    across = replace(asked, across=("corpus.papers",))
    assert names([across, papers]) == [["corpus.papers"], ["single_hop.extractions"]]


def test_what_people_ask_for_comes_last():
    queries = Step(writes=("benchmark.queries",))
    counted = Step(writes=("single_hop.statistics",))
    assert names([queries, counted]) == [["single_hop.statistics"], ["benchmark.queries"]]

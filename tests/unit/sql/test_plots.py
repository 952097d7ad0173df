"""What is plotted beside the tables."""

from aimsciqa_assets.orchestration.plots import SHOWN_AT_ONCE, plot
from aimsciqa_assets.platform.queries import queries_in
from tests.report_warehouse import insert
from tests.unit.sql.querying import plotted


def test_questions_are_plotted_by_kind_of_section_for_the_batch_alone(connection):
    kinds = ("methods", "methods", "results")
    insert(connection, "corpus.sections", *({"section_id": f"S{i}", "kind": k} for i, k in enumerate(kinds)))
    pairs = [("Q1", "S0", "kept"), ("Q2", "S1", "kept"), ("Q3", "S2", "kept"), ("Q4", "S2", "rejected")]
    insert(
        connection,
        "single_hop.qa_pairs",
        *({"qa_id": qa, "section_id": section, "status": status} for qa, section, status in pairs),
        {"qa_id": "Q5", "section_id": "S0", "batch": "another"},
    )
    assert plotted(connection, "plots.questions_per_section_kind").rows() == [
        ("methods", 2, "kept"),
        ("results", 1, "kept"),
        ("results", 1, "rejected"),
    ]


def test_relations_are_plotted_by_strength_and_variant(connection):
    strengths = {"a": 0.62, "b": 0.64, "c": 0.71}
    insert(
        connection,
        "relations.candidate_relations",
        *({"relation_id": name, "strength": value} for name, value in strengths.items()),
        {"relation_id": "d", "strength": 0.99, "variant": "cim"},
    )
    assert plotted(connection, "plots.relation_strength").rows() == [
        (0.6, 2, "im"),
        (0.7, 1, "im"),
        (0.95, 1, "cim"),
    ]


def test_what_is_plotted_has_a_table_of_its_own_and_is_shown_at_once(connection):
    tables = {query.table for query in queries_in("plots").values()}
    assert {"single_hop.qa_pairs", "single_hop.similarities", "relations.candidate_relations"} <= tables
    insert(connection, "multi_hop.items", *({"item_id": str(n), "status": "accepted"} for n in range(3)))
    markdown = plot(plotted(connection, "plots.items_by_fate"), "Items.")
    assert markdown == "|status|im|\n|---|---|\n|accepted|████████████ 3|\n\nItems."
    assert len(markdown) < SHOWN_AT_ONCE

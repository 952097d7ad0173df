"""QA pairs: Table 2, figure 3, and the check of quotes."""

from tests.report_warehouse import insert
from tests.unit.sql.querying import run


def pair(number: int, **columns) -> dict:
    return {
        "qa_id": f"q{number}",
        "paper_id": "P1",
        "section_id": "s1",
        "paragraph_id": "g1",
        "question": "q" * 10 * number,
        "answer": "a" * 5,
        "evidence_start": 0,
        "evidence_end": 4,
        "status": "kept",
    } | columns


def test_the_figures_of_table_2(connection):
    insert(
        connection,
        "single_hop.qa_pairs",
        pair(1),
        pair(2),
        pair(3, paper_id="P2", section_id="s2", paragraph_id="g2"),
        pair(4, status="rejected", rejection_reason="low_alignment"),
        pair(5, status="rejected", evidence_start=None, evidence_end=None, normalised_match=True),
        pair(6, status="rejected", rejection_reason="repeated"),
    )
    figures = dict(run(connection, "single_hop.statistics").select("item", "value").rows())
    assert figures == {
        "QA pairs asked for and written": 6,
        "QA pairs with exact evidence": 4,
        "QA pairs kept": 3,
        "average question length": 20,
        "average answer length": 5,
        "QA pairs per paper, before the alignment filter": 2,
        "QA pairs per paper": 1.5,
        "QA pairs per section": 1.5,
        "evidence spans with two or more QA pairs": 1,
        "QA pairs a normalised match would have kept besides": 1,
    }


def test_sections_without_pairs_count_in_figure_3(connection):
    sections = [{"section_id": f"s{n}", "paper_id": "P1", "kind": "results"} for n in (1, 2)]
    insert(connection, "corpus.sections", *sections, {"section_id": "s3", "paper_id": "P2"})
    insert(connection, "corpus.admitted_papers", {"paper_id": "P1"})
    insert(connection, "single_hop.qa_pairs", pair(1), pair(2), pair(3, status="rejected"))
    assert run(connection, "single_hop.pairs_by_section").rows() == [("results", 2, 2, 1.0)]


def test_the_quote_check_finds_a_shifted_offset(connection):
    insert(connection, "corpus.paragraphs", {"paragraph_id": "g1", "text": "µIron rose – twice."})
    right = pair(1, evidence="Iron", evidence_start=1, evidence_end=5)
    insert(
        connection, "single_hop.qa_pairs", right, pair(2, evidence="Iron", evidence_start=0, evidence_end=4)
    )
    assert run(connection, "tests.evidence_is_an_exact_quote")["qa_id"].to_list() == ["q2"]

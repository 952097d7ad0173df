"""Which papers are sources, are admitted, are cited and may be passed on."""

import polars
import pytest

from aimsciqa_assets.settings import Settings
from tests.report_warehouse import insert
from tests.unit.sql.querying import run


def paper(number: int, **columns) -> dict:
    return {"paper_id": f"P{number}", "abstract": "A.", "has_full_text": True, "source": "jats"} | columns


def test_source_papers_and_the_reasons_of_the_others(connection):
    insert(
        connection,
        "corpus.papers",
        paper(1),
        paper(2, abstract=""),
        paper(3, has_full_text=False),
        paper(4, retracted=True, retraction="withdrawn"),
        paper(5),
        paper(6),
    )
    cited = [{"reference_id": f"r{n}", "paper_id": f"P{n}", "key": "k"} for n in (1, 2, 3, 4, 5)]
    insert(
        connection, "corpus.references", *cited, {"reference_id": "r1b", "paper_id": "P1", "pmcid": "PMC7"}
    )
    insert(
        connection,
        "corpus.citation_edges",
        {"citing_paper_id": "P1", "cited_paper_id": "P2", "method": "doi", "reference_ids": ["r1"]},
    )
    rows = run(connection, "corpus.source_papers").sort("paper_id")
    assert rows["rejection_reason"].to_list() == [
        None,
        "no_abstract",
        "no_full_text",
        "withdrawn",
        "too_few_accessible_citations",
        "no_references",
    ]
    assert rows["accessible_citations"].to_list() == [1, 0, 0, 0, 0, 0]
    in_pmc = Settings.preset_of("demo", {"AIMSCIQA_SELECTION_SCOPE": "pmc"})
    counts = dict(
        run(connection, "corpus.source_papers", in_pmc).select("paper_id", "accessible_citations").rows()
    )
    assert counts["P1"] == 2


def test_the_method_works_on_all_papers_or_on_the_eligible_ones(connection):
    insert(connection, "corpus.source_papers", {"paper_id": "P1", "eligible": True}, {"paper_id": "P2"})
    eligible = Settings.preset_of("demo", {"AIMSCIQA_SELECTION_CORPUS": "eligible"})
    assert run(connection, "corpus.admitted_papers", eligible).rows() == [("P1",)]
    assert set(run(connection, "corpus.admitted_papers").rows()) == {("P1",), ("P2",)}


def test_each_cited_paper_counts_once_however_its_references_lead_to_it(connection):
    insert(connection, "corpus.papers", paper(1), paper(2))
    insert(
        connection,
        "corpus.references",
        {"reference_id": "in corpus", "paper_id": "P1", "doi": "10.1/p2", "pmcid": "PMC2"},
        {"reference_id": "by all", "paper_id": "P1", "doi": "10.1/a", "pmid": "11", "pmcid": "PMC11"},
        {"reference_id": "by doi", "paper_id": "P1", "doi": "10.1/b", "pmid": "99"},
        {"reference_id": "by pmid", "paper_id": "P1", "doi": "10.1/unknown", "pmid": "13"},
        {"reference_id": "unknown", "paper_id": "P1", "doi": "10.1/unknown", "pmid": "99"},
        {"reference_id": "without ids", "paper_id": "P1"},
        {"reference_id": "in corpus again", "paper_id": "P1", "doi": "10.1/p2"},
        {"reference_id": "by doi again", "paper_id": "P1", "doi": "10.1/b"},
    )
    insert(
        connection,
        "corpus.citation_edges",
        {
            "citing_paper_id": "P1",
            "cited_paper_id": "P2",
            "method": "doi",
            "reference_ids": ["in corpus", "in corpus again"],
        },
    )
    articles = [
        {"pmcid": "PMC2", "doi": "10.1/p2"},
        {"pmcid": "PMC11", "doi": "10.1/a", "pmid": "11"},
        {"pmcid": "PMC12", "doi": "10.1/b", "pmid": "12"},
        {"pmcid": "PMC12000", "doi": "10.1/b"},
        {"pmcid": "PMC13", "pmid": "13"},
        {"pmcid": "PMC14"},
    ]
    insert(connection, "corpus.pmc_ids", *articles)
    counts = {}
    for scope in ("corpus", "pmc"):
        settings = Settings.preset_of("demo", {"AIMSCIQA_SELECTION_SCOPE": scope})
        rows = run(connection, "corpus.source_papers", settings).select("paper_id", "accessible_citations")
        counts[scope] = dict(rows.rows())
    assert counts == {"corpus": {"P1": 1, "P2": 0}, "pmc": {"P1": 4, "P2": 0}}


def test_only_single_citations_lead_to_a_target(connection):
    insert(
        connection,
        "corpus.citation_edges",
        {"citing_paper_id": "P1", "cited_paper_id": "P2", "method": "doi", "reference_ids": ["r1", "r9"]},
    )
    insert(
        connection,
        "corpus.citation_mentions",
        {"mention_id": "m1", "paper_id": "P1", "reference_ids": ["r1"], "is_single": True},
        {"mention_id": "m2", "paper_id": "P1", "reference_ids": ["r1", "r2"], "is_single": False},
        {"mention_id": "m3", "paper_id": "P1", "reference_ids": ["r3"], "is_single": True},
    )
    assert run(connection, "citation_guided.pairs").is_empty(), "P2 is not admitted"
    insert(connection, "corpus.admitted_papers", {"paper_id": "P2"})
    rows = run(connection, "citation_guided.pairs")
    assert rows.select("mention_id", "source_paper_id", "target_paper_id").rows() == [("m1", "P1", "P2")]


def test_releasable_papers_and_the_reasons_of_the_others(connection):
    licences = ["CC BY", "CC0", "public domain", "CC BY-NC-SA", "CC BY-ND", "CC BY-NC-ND", "TDM", "", "other"]
    papers = [paper(number, licence=licence) for number, licence in enumerate(licences)]
    unreliable = [
        paper(10 + number, licence="CC BY", retracted=True, retraction=retraction)
        for number, retraction in enumerate(["retracted", "withdrawn", "expression_of_concern"])
    ]
    insert(connection, "corpus.papers", *papers, *unreliable)
    rows = run(connection, "corpus.releasable_papers").sort(polars.col("paper_id").str.slice(1).cast(int))
    assert rows["rejection_reason"].to_list() == [
        None,
        None,
        None,
        None,
        "no_derivatives",
        "no_derivatives",
        "text_mining_only",
        "licence_unknown",
        "licence_unknown",
        "retracted",
        "withdrawn",
        "expression_of_concern",
    ]
    assert rows["releasable"].to_list() == [reason is None for reason in rows["rejection_reason"]]


TITLE = {"title_key": "zincinbarleybreadanditsloss", "year": 2019}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"doi": "10.1/a"}, {"doi": "10.1/a"}),
        ({**TITLE, "first_author": "Doe"}, {**TITLE, "first_author": "Jane Doe"}),
        ({**TITLE, "first_author": "Müller", "doi": "10.1/a"}, {**TITLE, "first_author": "Muller"}),
    ],
)
def test_a_paper_that_is_another_row_already_is_neither_a_source_nor_admitted(connection, first, second):
    insert(connection, "corpus.papers", paper(1, source="pdf", **first), paper(2, **second), paper(3))
    sources = run(connection, "corpus.source_papers").sort("paper_id")
    assert sources["rejection_reason"].to_list() == ["duplicate_paper", "no_references", "no_references"]
    insert(connection, "corpus.source_papers", *sources.to_dicts())
    assert sorted(run(connection, "corpus.admitted_papers").rows()) == [("P2",), ("P3",)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"doi": "10.1/a"}, {"doi": "10.1/b"}),
        ({**TITLE, "first_author": "Doe"}, {**TITLE, "first_author": "Roe"}),
        ({**TITLE, "first_author": "Doe"}, {**TITLE, "first_author": "Doe", "year": 2020}),
        ({**TITLE, "first_author": ""}, {**TITLE, "first_author": ""}),
        ({"doi": "10.1/a"}, {"doi": "10.1/a", "article_type": "manuscript"}),
    ],
)
def test_papers_that_share_less_are_two(connection, first, second):
    insert(connection, "corpus.papers", paper(1, **first), paper(2, **second))
    reasons = run(connection, "corpus.source_papers")["rejection_reason"].to_list()
    assert "duplicate_paper" not in reasons


@pytest.mark.parametrize(
    ("columns", "pairs"),
    [
        ({"doi": "10.1/other", "title_key": "denseattentionoverlongtexts"}, [("q1", "P1")]),
        ({"doi": "10.1/own", "title_key": "denseattentionoverlongtexts"}, []),
        ({"doi": None, "title_key": "sparseattentionforlongtexts"}, []),
    ],
)
def test_the_published_form_of_a_manuscript_is_no_second_document(connection, columns, pairs):
    own = {"doi": "10.1/own", "title_key": "sparseattentionforlongtexts", "article_type": "manuscript"}
    insert(connection, "corpus.papers", {**paper(0, **own), "paper_id": "f.final"}, paper(1, **columns))
    insert(
        connection,
        "scidqa.manuscripts",
        {"forum_id": "f", "version": "final", "paper_id": "f.final"},
    )
    insert(
        connection,
        "corpus.references",
        {"reference_id": "r1", "paper_id": "f.final", "title_key": columns["title_key"]},
    )
    edge = {"citing_paper_id": "f.final", "cited_paper_id": "P1", "method": "doi", "reference_ids": ["r1"]}
    insert(connection, "corpus.citation_edges", edge)
    told = f"Is it like {columns['title_key']}?"
    insert(
        connection,
        "scidqa.qa_pairs",
        {"qa_id": "q1", "forum_id": "f", "status": "accepted", "question": told},
    )
    assert run(connection, "scidqa.cited").select("qa_id", "paper_id").rows() == pairs

"""The SQL models over small tables."""

import duckdb
import polars as pl
import pytest

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.parts import PARTS
from aimsciqa_assets.orchestration.plots import SHOWN_AT_ONCE, plot
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.queries import Query, form_query, queries_in, query_of, sql_folder
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

SETTINGS = Settings.preset_of("demo", {"AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS": "1"})
DEFAULTS = {
    "VARCHAR": "x",
    "VARCHAR[]": [],
    "INTEGER": 1,
    "BIGINT": 1,
    "DOUBLE": 0.5,
    "DOUBLE[]": [],
    "BOOLEAN": False,
}


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as database:
        for table in TABLES.values():
            database.execute(f"create schema if not exists {table.schema}")
            database.execute(table.ddl(2))
        yield database


@pytest.fixture
def connection(database):
    """A connection to empty tables; what a test writes is undone."""
    database.begin()
    yield database
    database.rollback()


def insert(connection, table: str, *rows: dict) -> None:
    """Insert rows; columns that are not given get a value of their type, or null where that is allowed."""
    columns = TABLES[table].columns
    full = [
        {
            c.name: row.get(c.name, None if c.null else (c.values[0] if c.values else DEFAULTS[c.type]))
            for c in columns
        }
        for row in rows
    ]
    connection.register("incoming", frame_of(table, full).to_arrow())
    connection.execute(f"insert into {table} by name from incoming")
    connection.unregister("incoming")


def run(connection, name: str, settings: Settings = SETTINGS, **parameters: object) -> pl.DataFrame:
    query = query_of(name)
    return connection.sql(query.text, params=dict(query.parameters(settings)) | parameters).pl()


def plotted(connection, name: str, batch: str = "x") -> pl.DataFrame:
    return run(connection, name, **{"batch": batch} if TABLES[query_of(name).table].batched else {})


# Those of `verify/` ask the files of a release: tests/unit/release.
QUERIES = sorted(
    path for path in sql_folder().rglob("*.sql") if not {"verify", "slices", "items"} & {*path.parts[:-1]}
)
# The queries of `export/` are asked slice by slice.
EVERYTHING = {"first": "", "before": "~"}
NEEDED = {
    "audit.items": {"ids": ["none"]},
    "audit.single_hop": {"ids": ["none"]},
    "audit.subjects": {"kinds": ["im"]},
    "cli.items": dict.fromkeys(("gate", "paper", "reason", "split", "status", "text", "variant"))
    | {"most": 5, "with_reviews": False},
    "cli.reply_tokens": {"model": "m", "task": "t"},
    "judging.rated": {"ids": ["none"]},
    "show": {"id": "none"},
    "shown": {"batch": "x"},
    "browse.articles": {"ids": ["none"]},
    "browse.index": {"most": 20, "with_reviews": True},
    "review.subjects": {"ids": ["none"]},
    "shared.ranked_items": {"with_reviews": True},
    "vectors.of_papers": {"papers": ["none"], "level": "qa", "encoder": "e", "revision": "1"},
    "vectors.of_rows": {"rows": [0, 1]},
}


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_every_query_runs_on_empty_tables_and_says_what_it_is(connection, path):
    name = f"{path.parent.name}.{path.stem}"
    folder = path.parent.name
    needed = (
        NEEDED.get(folder, {})
        | NEEDED.get(name, {})
        | (EVERYTHING if "$first" in query_of(name).text else {})
    )
    rows = plotted(connection, name) if folder == "plots" else run(connection, name, **needed)
    assert query_of(name).comment
    if folder == "tests":
        assert rows.is_empty()
        assert query_of(name).table in TABLES
        assert len(query_of(name).advice) > 40
    elif folder == "plots":
        assert 2 <= len(rows.columns) <= 3
        assert "rows" in rows.columns[1:]
    elif folder == "stale":
        assert rows.columns == ["batch"]
    elif name in ("audit.items", "audit.single_hop"):
        assert rows.columns[:3] == ["subject_id", "question", "answer"]
    elif folder == "vectors":
        assert rows.columns[0] == "row"
    elif name in TABLES:
        as_declared(name, rows)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", FORMS)
def test_what_a_system_says_of_its_items_has_the_declared_columns(connection, form, part):
    query = form_query(FORMS[form], part)
    given = connection.sql(query.text).pl()
    assert set(given.columns) <= {column.name for column in PARTS[part].columns}
    assert {column.name for column in PARTS[part].columns if not column.null} <= set(given.columns)
    assert query.comment.startswith("One row:")
    asked = Query("a.b", f"-- One row: it.\nselect * from item_{part}\n")
    columns = ["form", *(column.name for column in PARTS[part].columns)]
    assert connection.sql(asked.text).pl().columns == columns


def paper(number: int, **columns) -> dict:
    return {"paper_id": f"P{number}", "abstract": "A.", "has_full_text": True, "source": "jats"} | columns


def test_source_papers_and_the_reasons_of_the_others(connection):
    insert(
        connection,
        "corpus.papers",
        paper(1),
        paper(2, abstract=""),
        paper(3, has_full_text=False),
        paper(4, retracted=True),
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
        "retracted",
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


def test_table_3_counts_words(connection):
    insert(
        connection,
        "multi_hop.items",
        {
            "item_id": "i1",
            "retrieval_question": "Which  paper is it?",
            "inter_document_question": "One two three?",
            "merged_question": "One two three four five six?",
            "inter_document_answer": "a b",
            "merged_answer": "a b c",
        },
    )
    insert(connection, "multi_hop.splits", {"item_id": "i1", "variant": "im", "split": "test"})
    rows = run(connection, "multi_hop.statistics").rows()
    assert rows == [("im", "test", 1, 1, 0, 0, 4.0, 3.0, 6.0, 2.0, 3.0)]


def relation(name: str, source: str, target: str, **columns) -> dict:
    return {
        "relation_id": name,
        "variant": "im",
        "batch": "b1",
        "source_paper_id": source.upper(),
        "target_paper_id": target.upper(),
        "core_source_qa_id": source,
        "core_target_qa_id": target,
        "strength": 0.9,
        "rank": 1,
    } | columns


BOTH_WAYS = (relation("ab", "a", "b", rank=2), relation("ba", "b", "a"))


@pytest.mark.parametrize(
    ("relations", "dropped"),
    [
        (BOTH_WAYS, [("ab", "ba")]),
        ((BOTH_WAYS[0] | {"batch": "b2"}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0] | {"strength": 0.91}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0] | {"rank": 1}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0], BOTH_WAYS[1] | {"variant": "cim"}), []),
        ((BOTH_WAYS[0], BOTH_WAYS[1] | {"core_target_qa_id": "another"}), []),
    ],
)
def test_one_of_two_relations_that_mirror_each_other_is_kept(connection, relations, dropped):
    files = [{"file_id": f"f{n}", "batch": f"b{n}", "ingest": n} for n in (1, 2)]
    insert(connection, "corpus.input_files", *files)
    insert(connection, "relations.candidate_relations", *relations)
    rows = run(connection, "relations.mirrors")
    assert rows.select("relation_id", "kept_relation_id").rows() == dropped
    both = Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_MIRRORS": "both"})
    assert run(connection, "relations.mirrors", both).is_empty()


def test_table_3_says_how_many_facts_the_items_rest_on(connection):
    pairs = [("a", "b"), ("b", "a"), ("a", "c")]
    items = [
        {"item_id": f"i{n}", "core_source_qa_id": source, "core_target_qa_id": target}
        for n, (source, target) in enumerate(pairs)
    ]
    insert(connection, "multi_hop.items", *items)
    insert(connection, "multi_hop.splits", *({"item_id": item["item_id"]} for item in items))
    insert(connection, "relations.mirrors", {"relation_id": "r1"}, {"relation_id": "r2", "variant": "cim"})
    (row,) = run(connection, "multi_hop.statistics").rows(named=True)
    named = ("items", "core_pairs", "mirrored_items", "dropped_mirrors")
    assert [row[name] for name in named] == [3, 2, 2, 1]


def test_a_batch_is_stale_where_mirrors_and_items_do_not_fit(connection):
    batches = {"r1": "b1", "r2": "b2", "r3": "b3"}
    relations = [relation(name, name, "t", batch=batch) for name, batch in batches.items()]
    insert(connection, "relations.candidate_relations", *relations)
    insert(connection, "relations.mirrors", {"relation_id": "r1"})
    insert(
        connection,
        "multi_hop.items",
        *({"item_id": name, "relation_id": name, "batch": batches[name]} for name in ("r1", "r2")),
    )
    assert set(run(connection, "stale.items")["batch"]) == {"b1", "b3"}


def test_the_quote_check_finds_a_shifted_offset(connection):
    insert(connection, "corpus.paragraphs", {"paragraph_id": "g1", "text": "µIron rose – twice."})
    right = pair(1, evidence="Iron", evidence_start=1, evidence_end=5)
    insert(
        connection, "single_hop.qa_pairs", right, pair(2, evidence="Iron", evidence_start=0, evidence_end=4)
    )
    assert run(connection, "tests.evidence_is_an_exact_quote")["qa_id"].to_list() == ["q2"]


def member(relation: str, paper_id: str, role: str = "distractor", *, of: int = 30) -> dict:
    return {
        "batch": "b",
        "cluster_size": of,
        "relation_id": relation,
        "variant": "im",
        "source_paper_id": "S",
        "paper_id": paper_id,
        "role": role,
        "origin": "keyword",
    }


AS_LARGE_AS_IT_MAY_BE = "tests.clusters_are_as_large_as_the_corpus_allows"


def test_clusters_of_a_small_corpus_are_small_and_say_so(connection):
    of_batch = [member(relation, f"P{n}", of=4) for relation in ("r1", "r2") for n in range(4)]
    insert(connection, "relations.clusters", *of_batch)
    assert run(connection, AS_LARGE_AS_IT_MAY_BE).is_empty()
    connection.execute("update relations.clusters set cluster_size = 30 where relation_id = 'r2'")
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r2"]


def test_a_cluster_that_is_too_large_is_found(connection):
    insert(connection, "relations.clusters", *(member("r1", f"P{n}", of=31) for n in range(31)))
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r1"]


def test_the_cluster_checks_find_what_they_are_for(connection):
    whole = [member("r1", "T", "target"), *(member("r1", f"P{n}") for n in range(29))]
    short = [member("r2", "S", of=29), *(member("r2", f"P{n}", of=29) for n in range(28))]
    insert(connection, "relations.clusters", *whole, *short)
    relations = [{"relation_id": f"r{n}", "variant": "im", "target_paper_id": "T"} for n in (1, 2)]
    insert(connection, "relations.candidate_relations", *relations)
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r2"]
    assert run(connection, "tests.clusters_hold_their_target")["relation_id"].to_list() == ["r2"]
    assert run(connection, "tests.no_source_in_its_own_cluster")["relation_id"].to_list() == ["r2"]


def test_releasable_papers_and_the_reasons_of_the_others(connection):
    licences = ["CC BY", "CC0", "public domain", "CC BY-NC-SA", "CC BY-ND", "CC BY-NC-ND", "TDM", "", "other"]
    papers = [paper(number, licence=licence) for number, licence in enumerate(licences)]
    insert(connection, "corpus.papers", *papers, paper(9, licence="CC BY", retracted=True))
    rows = run(connection, "corpus.releasable_papers").sort("paper_id")
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
    ]
    assert rows["releasable"].to_list() == [reason is None for reason in rows["rejection_reason"]]


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

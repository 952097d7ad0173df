"""A small warehouse for tests of the report: papers, items between them, and an evaluation."""

import duckdb

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.release.report.browsing import Browsed
from aimsciqa_assets.release.report.page import html_of
from aimsciqa_assets.tables import TABLES

_VALUES = {"VARCHAR": "x", "INTEGER": 1, "BIGINT": 1, "DOUBLE": 0.5}
_NAMED = {"variant": "im"}
_RETRIEVERS = ("bm25", "all-MiniLM-L6-v2")
_MEASURES = {"cluster": ("Hit@1", "Hit@3", "MRR@5", "MAP"), "full": ("Hit@1", "Hit@50", "MRR@50")}


def empty_warehouse() -> duckdb.DuckDBPyConnection:
    """All tables, without a row."""
    connection = duckdb.connect()
    for table in TABLES.values():
        connection.execute(f"create schema if not exists {table.schema}")
        connection.execute(table.ddl(2))
    return connection


def insert(connection, table: str, *rows: dict) -> None:
    """Insert rows; a column that is not given is null, or some value of its type where it may not be."""

    def value(column, row):
        usual = [] if column.type.endswith("[]") else _VALUES.get(column.type, False)
        some = None if column.null else column.values[0] if column.values else usual
        return row.get(column.name, _NAMED.get(column.name, some))

    full = [{column.name: value(column, row) for column in TABLES[table].columns} for row in rows]
    connection.register("incoming", frame_of(table, full).to_arrow())
    connection.execute(f"insert into {table} by name from incoming")
    connection.unregister("incoming")


def browsed(connection, most: int = 20_000) -> Browsed:
    """The items that the tables hold, for the report."""

    def read(query, parameters):
        return connection.sql(query.text, params=parameters).pl().to_dicts()

    return Browsed.of(read, most)


def page_of(connection, name: str = "test-set", most: int = 20_000) -> str:
    """The report on what the tables hold."""
    rows = {
        query: connection.sql(asked.text).pl().to_dicts() for query, asked in queries_in("report").items()
    }
    return html_of(rows, name, browsed(connection, most))


def add_paper(connection, paper: str, *, text: str = "Zinc rose. Iron fell.", **columns) -> None:
    """A paper with a section and a paragraph, and two kept QA pairs on it: `<paper>-core` and `-retrieval`.

    The evidence of the first is the text before the first full stop, of the second what follows.
    """
    reason = columns.pop("reason", None)
    releasable = columns.pop("releasable", True)
    words = columns.pop("words", f"of {paper}")
    insert(
        connection,
        "corpus.papers",
        {"paper_id": paper, "title": f"Title {words}", "licence": "CC BY", "journal": "Journal"} | columns,
    )
    insert(
        connection,
        "corpus.releasable_papers",
        {"paper_id": paper, "licence": "CC BY", "releasable": releasable, "rejection_reason": reason},
    )
    insert(
        connection, "corpus.sections", {"section_id": paper, "paper_id": paper, "title": f"Results {words}"}
    )
    insert(
        connection,
        "corpus.paragraphs",
        {"paragraph_id": paper, "paper_id": paper, "section_id": paper, "text": text, "subsection": ""},
    )
    stop = text.index(".") + 1
    for role, start, end in (("core", 0, stop), ("retrieval", stop, len(text))):
        pair = {
            "qa_id": f"{paper}-{role}",
            "paper_id": paper,
            "section_id": paper,
            "paragraph_id": paper,
            "question": f"Question {role} {words}?",
            "answer": f"Answer {role} {words}.",
            "evidence": text[start:end],
            "evidence_start": start,
            "evidence_end": end,
            "status": "kept",
            "model": "scripted",
        }
        insert(connection, "single_hop.qa_pairs", pair)


def add_item(connection, item: str, source: str, target: str, *, words: str = "", **columns) -> None:
    """An accepted item between two papers."""
    row = {
        "item_id": item,
        "variant": "im",
        "source_paper_id": source,
        "target_paper_id": target,
        "core_source_qa_id": f"{source}-core",
        "core_target_qa_id": f"{target}-core",
        "retrieval_qa_id": f"{target}-retrieval",
        "retrieval_question": f"Which paper {words}?",
        "retrieval_answer": f"Identified {words}.",
        "inter_document_question": f"How does it compare {words}?",
        "inter_document_answer": f"It differs {words}.",
        "merged_question": f"Merged question of {item} {words}?",
        "merged_answer": f"Merged answer {words}.",
        "fluency": "accept",
        "completeness": "accept",
        "cross_reference_necessity": "accept",
        "relational_appropriateness": "reject",
        "status": "accepted",
        "model": "scripted",
    } | columns
    insert(connection, "multi_hop.items", row)
    split = {"item_id": item, "variant": row["variant"], "source_paper_id": source, "split": "dev"}
    insert(connection, "multi_hop.splits", split)


def add_evaluation(connection, item: str, *, words: str = "") -> None:
    """Everything that the benchmark says of an item and of the whole."""
    for place, retriever in enumerate(_RETRIEVERS, 1):
        ranking = {
            "retriever": retriever,
            "item_id": item,
            "setting": "cluster",
            "rank": place,
            "candidates": 30,
        }
        insert(connection, "benchmark.rankings", ranking)
        scores = [
            {
                "retriever": retriever,
                "variant": variant,
                "setting": setting,
                "measure": measure,
                "queries": 74,
            }
            | {"value": 0.1 * place + 0.05 * number, "low": 0.1, "high": 0.4}
            for variant in ("im", "cim")
            for setting, measures in _MEASURES.items()
            for number, measure in enumerate(measures)
        ]
        insert(connection, "benchmark.retrieval_scores", *scores)
    compared = {"retriever": "bm25", "other": "all-MiniLM-L6-v2", "measure": "Hit@1", "difference": -0.125}
    insert(connection, "benchmark.retrieval_comparisons", compared | {"low": -0.2, "high": 0.05})
    for setting, found, value in (("oracle", None, 0.625), ("realistic", False, 0.25)):
        answer = {"answer_id": setting, "answerer": "extractive", "item_id": item, "setting": setting}
        told = {"prediction": f"Prediction {setting} {words}", "found_target": found, "token_f1": 0.375}
        insert(connection, "benchmark.answers", answer | told | {"model": "scripted"})
        judged = {"judge": "lexical", "kind": "lexical", "score": 0.5}
        insert(connection, "benchmark.judgements", answer | judged)
        scores = [
            answer
            | {"measure": "accuracy", "judge": "lexical", "value": value, "low": 0.2, "high": 0.7}
            | {"failed": 3, "no_text": 1, "unreadable": 2},
            answer | {"measure": "token_f1", "judge": "", "value": value - 0.125},
            answer | {"measure": "bert_score", "judge": "", "value": value - 0.5},
        ]
        insert(connection, "benchmark.answering_scores", *scores)
    gates = [{"item_id": item, "gate": "closed_book", "verdict": "fail", "detail": f"detail {words}"}]
    gates += [{"item_id": "other", "gate": "closed_book", "verdict": "pass"}]
    insert(connection, "benchmark.gates", *gates)
    coverage = {
        "section_id": item,
        "kind": "results",
        "sentences": 8,
        "evidence_sentences": 2,
        "coverage": 0.25,
    }
    insert(connection, "benchmark.evidence_coverage", coverage)
    rated = {"judge": "gemma", "item_id": item, "dimension": "fluency", "score": 4}
    insert(connection, "benchmark.ratings", rated, rated | {"run": 2, "score": None})
    insert(connection, "benchmark.ratings", rated | {"dimension": "multi_hop", "score": 1})
    reliable = {"judge": "gemma", "dimension": "fluency", "mean": 4.0, "krippendorff_alpha": None}
    insert(connection, "benchmark.reliability", reliable)
    chosen = {"judge": "gemma", "place": 1, "mean_rank": 1.25, "chosen": True, "counts": True}
    family = {"judge": "qwen", "chosen": False, "counts": False, "rejection_reason": "own_family"}
    insert(connection, "benchmark.judge_choice", chosen | {"krippendorff_alpha": 0.75}, family)
    together = {"shown": "paragraphs", "dimension": "fluency", "value": 4.25, "low": 4.0, "high": 4.5}
    insert(connection, "benchmark.rating_scores", together | {"items": 12, "judges": 2})
    accessible = {"retriever": "bm25", "measure": "MAP", "value": 0.625, "low": 0.5, "high": 0.75}
    missed = {"queries": 40, "without_gold": 3, "without_ranking": 2, "missing": "zero"}
    insert(connection, "benchmark.evidence_access", accessible | missed)
    answerable = {"answerer": "extractive", "measure": "token_f1_bridge", "judge": "", "answers": 40}
    means = {"question_only": 0.125, "with_documents": 0.5, "gain": 0.375}
    insert(connection, "benchmark.answerability", answerable | means)
    audited = {"sheet": "sheet-1", "kind": "multi_hop", "criterion": "completeness", "score": 5.0}
    insert(connection, "benchmark.audit_ratings", audited, audited | {"rater": "other", "score": 2.0})
    agreed = {"sheet": "sheet-1", "kind": "multi_hop", "criterion": "completeness", "mean": 3.5}
    insert(connection, "benchmark.audit_agreement", agreed | {"gwet_ac1": 0.9375})
    insert(connection, "release.items", {"item_id": item, "split": "dev", "released": True})


def full_warehouse(words: str = "") -> duckdb.DuckDBPyConnection:
    """Two papers, an item of each variant between them, their evaluation and the tables of statistics."""
    connection = empty_warehouse()
    text = f"Zinc rose to 12 mg {words}. Iron fell {words}."
    add_paper(connection, "PMC1", text=text, words=words, pmcid="PMC1", year=2021)
    add_paper(connection, "doi:10.5/a", text=text, words=words, doi="10.5/a b<c>")
    add_item(connection, "item-im", "PMC1", "doi:10.5/a", words=words)
    add_item(connection, "item-cim", "doi:10.5/a", "PMC1", words=words, variant="cim")
    add_evaluation(connection, "item-im", words=words)
    insert(connection, "corpus.input_files", {"file_id": "1"}, {"file_id": "2"})
    kinds = [{"kind": "abstract", "pairs": 1, "pairs_per_section": 0.5}]
    kinds += [{"kind": "results", "pairs": 1234, "pairs_per_section": 2.25}]
    insert(connection, "single_hop.pairs_by_section", *kinds)
    figures = [{"item": "QA pairs kept", "value": 1235.0, "unit": "pairs"}]
    figures += [{"item": "average answer length", "value": None, "unit": "characters"}]
    insert(connection, "single_hop.statistics", *figures)
    insert(connection, "multi_hop.statistics", {"variant": "im", "split": "dev", "items": 1})
    rejected = {"table_name": "multi_hop.items", "rejection_reason": f"refused {words}", "rows": 51}
    insert(connection, "ops.rejections", rejected)
    return connection

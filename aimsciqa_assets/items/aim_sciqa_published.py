"""The shape in which AIM-SciQA's items are published: source, target and steps have columns of their own."""

from typing import Final

import pyarrow as pa

from aimsciqa_assets.items.published import (
    EVIDENCE,
    GATE_VERDICTS,
    MADE_BY,
    NUMBER,
    ORIGINAL,
    PAPER,
    TEXT,
    Published,
    Row,
    fields,
    required,
)

_QA_COLUMNS: Final = (
    *("qa_id", "section", "section_kind", "question", "answer", "evidence", "paragraph_id"),
    *("evidence_start", "evidence_end"),
)
_QUESTION_AND_ANSWER = pa.struct(fields("question", "answer"))
_QA = pa.struct([*fields("qa_id", "section", "section_kind"), *EVIDENCE])
_CITATION = pa.struct(
    [
        *fields("paragraph_id", "sentence"),
        required("sentence_start", NUMBER),
        required("sentence_end", NUMBER),
        required("markers", pa.list_(TEXT)),
    ]
)
_VERDICTS = (
    "fluency",
    "completeness",
    "cross_reference_necessity",
    "relational_appropriateness",
    "decision",
)

_FLAT: Final = (
    *("retrieval_question", "retrieval_answer", "inter_document_question", "inter_document_answer"),
    *("source_paper_id", "source_title", "source_evidence"),
    *("target_paper_id", "target_title", "target_evidence", "retrieval_evidence"),
)
"""Columns that repeat the most used parts of the nested ones, for tables and spreadsheets."""

_SCHEMA: Final = pa.schema(
    [
        *fields("item_id", "variant", "split", "question", "answer", *_FLAT),
        ORIGINAL,
        required("facts", pa.list_(TEXT)),
        required("find_target_paper", _QUESTION_AND_ANSWER),
        required("inter_document_qa", _QUESTION_AND_ANSWER),
        required("source", pa.struct([*PAPER, required("core_qa", _QA)])),
        required("target", pa.struct([*PAPER, required("core_qa", _QA), required("retrieval_qa", _QA)])),
        required(
            "relation",
            pa.struct(
                [
                    required("relation_id"),
                    required("section_similarity", pa.float64()),
                    required("core_qa_similarity", pa.float64()),
                    required("rank", NUMBER),
                ]
            ),
        ),
        required("cluster", pa.list_(TEXT)),
        required("citations", pa.list_(_CITATION)),
        required(
            "validation",
            # The model may leave out its own decision.
            pa.struct([*fields(*_VERDICTS), pa.field("decision_by_model", TEXT)]),
        ),
        required("gates", GATE_VERDICTS),
        required("provenance", pa.struct(MADE_BY)),
    ]
)


def _row(item: Row) -> Row:
    retrieval, inter_document = (
        {name: step[name] for name in ("question", "answer")} for step in item["steps"]
    )
    source, target = item["documents"]
    details = item["details"]
    return {
        **{name: item[name] for name in ("item_id", "variant", "split", "question", "answer", "original")},
        **_flat(retrieval, inter_document, _paper(source), _paper(target)),
        "facts": item["facts"],
        "find_target_paper": retrieval,
        "inter_document_qa": inter_document,
        "source": _paper(source),
        "target": _paper(target),
        "relation": details["relation"],
        "validation": details["validation"],
        "provenance": item["provenance"],
        "cluster": item["pool"],
        "citations": details["citations"],
        "gates": item["gates"],
    }


def _flat(retrieval: Row, inter_document: Row, source: Row, target: Row) -> Row:
    values = (
        *(retrieval["question"], retrieval["answer"]),
        *(inter_document["question"], inter_document["answer"]),
        *(source["paper_id"], source["title"], source["core_qa"]["evidence"]),
        *(target["paper_id"], target["title"], target["core_qa"]["evidence"]),
        target["retrieval_qa"]["evidence"],
    )
    return dict(zip(_FLAT, values, strict=True))


def _paper(document: Row) -> Row:
    pairs = {
        f"{quote['name']}_qa": {name: quote[name] for name in _QA_COLUMNS} for quote in document["quotes"]
    }
    return {name: document[name] for name in ("paper_id", "title", "licence")} | pairs


def _item(row: Row) -> Row:
    return {
        **{name: row[name] for name in ("item_id", "variant", "split", "question", "answer")},
        "query": row["find_target_paper"]["question"],
        "steps": [
            {"name": "retrieval", **row["find_target_paper"]},
            {"name": "inter_document", **row["inter_document_qa"]},
        ],
        "documents": [
            _document(row, "source", in_hand=True, pairs=("core",)),
            _document(row, "target", in_hand=False, pairs=("core", "retrieval")),
        ],
        "pool": row["cluster"],
        "facts": row["facts"],
    }


def _document(row: Row, role: str, *, in_hand: bool, pairs: tuple[str, ...]) -> Row:
    paper = row[role]
    return {
        "role": role,
        **{name: paper[name] for name in ("paper_id", "title", "licence")},
        "in_hand": in_hand,
        "gold": not in_hand,
        "quotes": [{"name": name, **paper[f"{name}_qa"]} for name in pairs],
    }


PUBLISHED: Final = Published(_SCHEMA, _row, _item)

"""What the columns of published items mean, and a record as an example, for the dataset card."""

from typing import Any, Final

import pyarrow as pa

from aimsciqa.files import json_text
from aimsciqa_assets.release.layout import Row

MEANINGS: Final = {
    "item_id": "the id of the item",
    "variant": "`im`: source and target are similar; `cim`: the source cites the target",
    "split": "`dev` or `test`",
    "question": "the whole question, which needs both papers",
    "answer": "the right answer",
    "original": "question and answer as they were made, where reviewers edited one of them; else empty",
    "retrieval_question": "step 1: the question that leads to the target",
    "retrieval_answer": "its answer: which paper it is",
    "inter_document_question": "step 2: the question about source and target together",
    "inter_document_answer": "its answer",
    "source_paper_id": "the paper that the reader has",
    "source_title": "its title",
    "source_evidence": "the sentences of the source that carry the answer, word for word",
    "target_paper_id": "the paper to be found",
    "target_title": "its title",
    "target_evidence": "the sentences of the target that carry the answer, word for word",
    "retrieval_evidence": "the sentences of the target that the retrieval question is about, word for word",
    "facts": "the quotes that the item sets against each other; items that share one are not independent",
    "find_target_paper": "step 1 again, nested: question and answer",
    "inter_document_qa": "step 2 again, nested: question and answer",
    "source": "the source with its licence and the question-answer pair (`core_qa`) that it gave",
    "target": "the target with its licence and two pairs: `core_qa` and `retrieval_qa`",
    "relation": "how similar the sections and the core pairs of the papers are, and the rank of the relation",
    "cluster": "the papers among which the target is to be found; the source is not among them",
    "citations": "`cim`: the sentences of the source that cite the target, with their markers",
    "validation": "the verdicts of the model that wrote the item",
    "gates": "the verdicts of the quality gates; empty where a gate had no data",
    "provenance": "the model that wrote the item, and the version of its prompt",
    "query": "what a search is asked; empty where nothing is to be found",
    "evaluator": "how answers are marked where judges do not",
    "steps": "the questions that the item was made of",
    "documents": "the papers with their roles and quotes",
    "pool": "the papers among which the gold papers are to be found",
    "forum_id": "the forum of OpenReview",
    "version": "the version of the manuscript that the answer is about: `initial` or `revised`",
    "multi_document": "other papers are needed, as the model says",
    "question_quote": "where the question stands: note, offsets, and the note's licence",
    "answer_quote": "where the answer stands: note, offsets, and the note's licence",
    "answerable": "whether each version of the manuscript answers the question; empty where nobody asked",
}
_SHOWN_OF_A_LIST: Final = 3
_SHOWN_OF_A_TEXT: Final = 160


def field_rows(schema: pa.Schema) -> list[Row]:
    """A row for each column: its name, its type and what it means."""
    return [
        {"field": f"`{column.name}`", "type": _type(column.type), "meaning": MEANINGS[column.name]}
        for column in schema
    ]


def example(row: Row) -> str:
    """A record as JSON; of long texts and lists only the beginning."""
    return json_text(_shortened(row), indent=1)


def _type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_type(kind.value_type)}"
    if pa.types.is_struct(kind):
        return "struct"
    return "text" if pa.types.is_string(kind) else str(kind)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shortened(part) for name, part in value.items()}
    if isinstance(value, list):
        more = len(value) - _SHOWN_OF_A_LIST
        return [_shortened(part) for part in value[:_SHOWN_OF_A_LIST]] + (
            [f"... {more} more"] if more > 0 else []
        )
    if isinstance(value, str) and len(value) > _SHOWN_OF_A_TEXT:
        return f"{value[:_SHOWN_OF_A_TEXT].rsplit(' ', 1)[0]} ..."
    return value

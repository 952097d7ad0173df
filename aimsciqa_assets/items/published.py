"""The shape in which a release holds items, and the way back from it to the general one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from aimsciqa_assets.tables.benchmark import GATES

Row = dict[str, Any]
TEXT: Final = pa.string()
NUMBER: Final = pa.int32()


def required(name: str, kind: pa.DataType = TEXT) -> pa.Field:
    """A column that is never null."""
    return pa.field(name, kind, nullable=False)


def fields(*names: str) -> list[pa.Field]:
    """Texts that are never null."""
    return [required(name) for name in names]


EVIDENCE: Final = [
    *fields("question", "answer", "evidence", "paragraph_id"),
    required("evidence_start", NUMBER),
    required("evidence_end", NUMBER),
]
PAPER: Final = fields("paper_id", "title", "licence")
GATE_VERDICTS: Final = pa.struct([pa.field(gate, TEXT) for gate in GATES])
MADE_BY: Final = fields("model", "model_revision", "prompt_version")

_QUOTE = pa.struct(
    [
        required("name"),
        *(pa.field(name, TEXT) for name in ("qa_id", "question", "answer")),
        *fields("section", "section_kind", "evidence", "paragraph_id"),
        required("evidence_start", NUMBER),
        required("evidence_end", NUMBER),
    ]
)
_DOCUMENT = pa.struct(
    [
        required("role"),
        *PAPER,
        required("in_hand", pa.bool_()),
        required("gold", pa.bool_()),
        required("quotes", pa.list_(_QUOTE)),
    ]
)
_STEP = pa.struct([required("name"), *(pa.field(name, TEXT) for name in ("question", "answer"))])

ORIGINAL: Final = pa.field("original", pa.struct(fields("question", "answer")))
"""Question and answer as they were made, where reviewers edited one of them; else null."""

ITEM: Final = pa.schema(
    [
        *fields("item_id", "variant", "split", "question", "answer"),
        ORIGINAL,
        pa.field("query", TEXT),
        pa.field("evaluator", TEXT),
        required("steps", pa.list_(_STEP)),
        required("documents", pa.list_(_DOCUMENT)),
        required("pool", pa.list_(TEXT)),
        required("facts", pa.list_(TEXT)),
        required("gates", GATE_VERDICTS),
        required("provenance", pa.struct([pa.field(field.name, TEXT) for field in MADE_BY])),
    ]
)


@dataclass(frozen=True, slots=True)
class Published:
    """A shape of items: `schema` of its Parquet files, `row` from the general shape, `item` back to it.

    An item in the general shape has the columns of `ITEM`. Where the form has a SELECT `details.sql`, `row`
    finds its columns under `details`. What `item` gives needs what the other files of a release tell: ids,
    question, answer, query, documents with their quotes, pool, facts.
    """

    schema: pa.Schema
    row: Callable[[Row], Row]
    item: Callable[[Row], Row]


def _as_it_is(row: Row) -> Row:
    return {name: row[name] for name in ITEM.names}


GENERAL: Final = Published(ITEM, _as_it_is, _as_it_is)
"""The shape of all items whose form does not say otherwise."""

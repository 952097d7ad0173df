"""The shape in which questions of reviews are published: the general one, and their places in the notes."""

from typing import Final

import pyarrow as pa

from aimsciqa_assets.items.published import (
    GENERAL,
    ITEM,
    NUMBER,
    TEXT,
    Published,
    Row,
    fields,
    required,
)

_PLACE: Final = pa.struct(
    [required("note_id"), required("start", NUMBER), required("end", NUMBER), required("licence")]
)
_MORE: Final = (
    *fields("forum_id"),
    pa.field("version", TEXT),
    required("multi_document", pa.bool_()),
    required("question_quote", _PLACE),
    required("answer_quote", _PLACE),
    required("answerable", pa.struct([pa.field(version, TEXT) for version in ("initial", "final")])),
)


def _row(item: Row) -> Row:
    return GENERAL.row(item) | {column.name: item["details"][column.name] for column in _MORE}


PUBLISHED: Final = Published(pa.schema([*ITEM, *_MORE]), _row, GENERAL.item)

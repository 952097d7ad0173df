"""A parsed paper as text that can be kept, so that a file is read once for its paper's id and for its rows.

Only reading processes make this text and take it apart.
"""

import json
import zlib
from base64 import b64decode, b64encode
from typing import Any

from aimsciqa_assets.reading.paper import Caption, Keyword, Marker, Paper, Paragraph, Reference, Section
from aimsciqa_assets.reading.paper_table import PaperTable, Slot
from aimsciqa_assets.reading.reader import read_paper

_MOST = 4 * 2**20
"""A paper of more bytes is not kept: many are held at once, and taking one apart must cost little memory."""


def read_once(data: bytes, file_name: str, kept: str) -> Paper:
    """The paper in a file's bytes; they are not read if `kept` is what `to_keep` made of it.

    Raises `RejectedFileError`.
    """
    return _paper(json.loads(zlib.decompress(b64decode(kept)))) if kept else read_paper(data, file_name)


def to_keep(paper: Paper) -> str:
    """The text to keep; empty for a very long paper."""
    content = json.dumps(paper, default=_fields).encode()
    return b64encode(zlib.compress(content, 1)).decode() if len(content) <= _MOST else ""


def _fields(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__slots__}


def _paper(fields: dict[str, Any]) -> Paper:
    parts = {
        "sections": [_section(section) for section in fields["sections"]],
        "keywords": [Keyword(**keyword) for keyword in fields["keywords"]],
        "references": [Reference(**reference) for reference in fields["references"]],
        "captions": [Caption(**caption) for caption in fields["captions"]],
        "tables": [_table(table) for table in fields["tables"]],
    }
    return Paper(**fields | parts)


def _table(fields: dict[str, Any]) -> PaperTable:
    return PaperTable(**fields | {"slots": [Slot(**slot) for slot in fields["slots"]]})


def _section(fields: dict[str, Any]) -> Section:
    return Section(**fields | {"paragraphs": [_paragraph(paragraph) for paragraph in fields["paragraphs"]]})


def _paragraph(fields: dict[str, Any]) -> Paragraph:
    markers = [
        Marker(marker["start"], marker["end"], tuple(marker["reference_keys"]))
        for marker in fields["markers"]
    ]
    return Paragraph(**fields | {"markers": markers})

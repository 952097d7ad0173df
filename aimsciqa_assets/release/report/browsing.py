"""The items of the report: a list of all with what is searched and filtered, and the articles, packed.

An article is made by the template, where everything is escaped. Many together are compressed, because the
page holds all of them; the browser unpacks a chunk when somebody looks at one of its items.
"""

import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa.files import json_text
from aimsciqa_assets.platform.queries import Query, query_of
from aimsciqa_assets.release.report.evidence import shortened
from aimsciqa_assets.release.report.items import anchor_of

Row = dict[str, Any]
Read = Callable[[Query, Mapping[str, Any]], list[Row]]
"""Asks the warehouse a query with parameters."""

ITEMS_AT_ONCE: Final = 100
FILTERS: Final = (
    ("status", "Status"),
    ("variant", "Variant"),
    ("split", "Split"),
    ("reason", "Reason"),
    ("gate", "Gate failed"),
    ("verdict", "Verdict against"),
    ("review", "Review"),
)
"""What the list is filtered by, as name and title; `values_of` gives the values in this order."""
_MOST_OF_A_TEXT = 1200


@dataclass(frozen=True, slots=True)
class Browsed:
    """The rows of `browse.index`, the best item first, and what gives those of `browse.articles` for ids."""

    listed: Sequence[Row]
    read: Read

    @classmethod
    def of(cls, read: Read, most: int) -> "Browsed":
        """The items of a warehouse, so many at most."""
        return cls(read(query_of("browse.index"), {"most": most}), read)

    def articles(self, ids: Sequence[str]) -> list[Row]:
        """All about some items, in this order."""
        rows = {row["item_id"]: row for row in self.read(query_of("browse.articles"), {"ids": list(ids)})}
        return [rows[item_id] for item_id in ids]


def values_of(row: Mapping[str, Any]) -> list[Any]:
    """An item as the list of the page has it: id, anchor, filters, question, and what else is searched.

    A filter has one value, or several in a list.
    """
    filters = [
        _status(row),
        row["variant"],
        row["split"] or "none",
        _plain(row["reason"] or ""),
        row["failed_gates"] or [],
        row["rejecting"] or [],
        row["review"] or "none",
    ]
    searched = [row["answer"], *(row["others"] or []), *row["titles"]]
    return [
        row["item_id"],
        anchor_of(row["item_id"]),
        *([_plain(one) for one in value] if isinstance(value, list) else value for value in filters),
        shortened(row["question"] or "", _MOST_OF_A_TEXT),
        shortened(" ".join(text for text in searched if text), _MOST_OF_A_TEXT),
    ]


def packed(articles: Sequence[str]) -> str:
    """Articles as zlib-compressed JSON in base64: what `DecompressionStream("deflate")` unpacks."""
    return b64encode(zlib.compress(json_text(articles).encode(), 6)).decode()


def _status(row: Mapping[str, Any]) -> str:
    if row["status"] != "accepted":
        return _plain(row["status"])
    if row["released"]:
        return "released"
    return "not released" if row["reason"] else "accepted"


def _plain(name: str) -> str:
    """A name of a column, gate or reason as people read it."""
    return shortened(name.replace("_", " "), 80)

"""The cells of the paper store that a model may fill, and what it is shown for each of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from aimsciqa_resources.tokens import first_tokens

from aimsciqa_assets.airqa.store.schema import SUMMARY_COLUMNS
from aimsciqa_assets.airqa.summaries.tasks import SUMMARY, TAGGING, TLDR
from aimsciqa_assets.asking.task import Task

CUT: Final = "\n[...]"
"""Ends a text of which the model is not shown the rest."""

_SHOWN_BY: Final[Mapping[str, tuple[str, str, str]]] = {
    "pages": ("page", "", "page_content"),
    "sections": ("section", "section_title", "section_content"),
    "tables": ("table", "table_caption", "table_content"),
    "images": ("figure", "image_caption", ""),
}
"""By table: what a row of it is, and the columns with its heading or caption and with its text."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """An empty cell, the task that fills it and what that is shown; `box` is where a figure stands.

    Without anything to read in what is `shown`, the cell stays empty, unless the figure can be seen.
    """

    table: str
    column: str
    key: str
    uuid: str
    page: int
    task: Task[str]
    shown: Mapping[str, Any]
    is_readable: bool
    was_cut: bool = False
    box: tuple[int, ...] = ()


def empty_cells(kept: pl.DataFrame, tokens: int) -> Iterator[Cell]:
    """The cells without a summary, tldr or tags in rows of `airqa.rows`, paper by paper.

    A text that the model is shown is cut after so many `tokens`. A cell that somebody filled is none.
    """
    for of_paper in kept.partition_by("uuid", maintain_order=True):
        rows: dict[str, list[tuple[Row, Row]]] = {}
        for one in of_paper.iter_rows(named=True):
            if one["table_name"] in SUMMARY_COLUMNS:
                rows.setdefault(one["table_name"], []).append((one, json.loads(one["row"])))
        ((paper, metadata),) = rows.pop("metadata")
        pages = sorted((row for _, row in rows.get("pages", ())), key=lambda row: row["page_number"])
        text = "\n\n".join(row["page_content"] or "" for row in pages)
        yield from _of_paper(paper, metadata, text, tokens)
        for table in _SHOWN_BY:
            for part, row in rows.get(table, ()):
                if not row[SUMMARY_COLUMNS[table]]:
                    yield _of_part(part, row, metadata["title"], tokens)


def _of_paper(one: Row, metadata: Row, text: str, tokens: int) -> Iterator[Cell]:
    shown, was_cut = _cut(text, tokens)
    told = {"title": metadata["title"], "abstract": metadata["abstract"] or "", "text": shown}
    for column, task in (("tldr", TLDR), ("tags", TAGGING)):
        if not metadata[column]:
            is_readable = bool(told["abstract"] or shown)
            yield Cell(
                "metadata", column, one["primary_key"], one["uuid"], -1, task, told, is_readable, was_cut
            )


def _of_part(one: Row, row: Row, title: str, tokens: int) -> Cell:
    table = one["table_name"]
    kind, heading, text = _SHOWN_BY[table]
    shown, was_cut = _cut(row[text] or "" if text else "", tokens)
    told: dict[str, Any] = {
        "kind": kind,
        "title": title,
        "heading": row[heading] if heading else "",
        "text": shown,
        "page": one["page_number"],
        "picture": "",
    }
    # A heading alone tells nothing of a section.
    is_readable = bool(shown) or (table in ("tables", "images") and bool(told["heading"]))
    return Cell(
        table,
        SUMMARY_COLUMNS[table],
        one["primary_key"],
        one["uuid"],
        one["page_number"],
        SUMMARY,
        told,
        is_readable,
        was_cut,
        tuple(row["bounding_box"] or ()) if table == "images" else (),
    )


def _cut(text: str, tokens: int) -> tuple[str, bool]:
    """The text without white space around it, and whether it was cut."""
    text = text.strip()
    beginning = first_tokens(text, tokens)
    return (text, False) if beginning == text else (beginning + CUT, True)

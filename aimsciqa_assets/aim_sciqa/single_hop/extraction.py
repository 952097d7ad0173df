"""Asking a language model about every paragraph of a batch, and keeping every reply."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import Dialogue, LanguageModel, beginning_with

from aimsciqa_assets.aim_sciqa.single_hop.replies import ParsedReply
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.platform.frames import frame_of

Row = dict[str, Any]
_TABLE = "single_hop.extractions"
_ROWS_AT_ONCE = 1000


def paragraph_dialogues(
    paragraphs: pl.DataFrame,
    sections: pl.DataFrame,
    papers: pl.DataFrame,
    keywords: pl.DataFrame,
) -> Iterator[Dialogue[Outcome[ParsedReply]]]:
    """One dialogue per paragraph. Those of a paper follow each other, for the prefix cache of a server."""
    asked = paragraph_variables(paragraphs, sections, papers, keywords)
    for paper, (paragraph, told) in zip(paragraphs["paper_id"], asked, strict=True):
        yield beginning_with(paper, SINGLE_HOP.ask(paragraph, **told))


def paragraph_variables(
    paragraphs: pl.DataFrame, sections: pl.DataFrame, papers: pl.DataFrame, keywords: pl.DataFrame
) -> Iterator[tuple[str, Row]]:
    """The id of each paragraph, and what the model is told about it."""
    titles = dict(papers.select("paper_id", "title").iter_rows())
    section_titles = dict(sections.select("section_id", "title").iter_rows())
    by_paper = keywords.filter(pl.col("origin") == "author").group_by("paper_id", maintain_order=True)
    written: dict[str, list[str]] = dict(by_paper.agg("as_written").iter_rows())
    for row in paragraphs.iter_rows(named=True):
        yield (
            row["paragraph_id"],
            {
                "paper_title": titles[row["paper_id"]],
                "section_title": section_titles[row["section_id"]],
                "subsection": row["subsection"],
                "keywords": "; ".join(written.get(row["paper_id"], [])),
                "paragraph": row["text"],
            },
        )


def extractions_of(
    outcomes: Iterable[Outcome[ParsedReply]], paragraphs: pl.DataFrame, model: LanguageModel
) -> pl.DataFrame:
    """Rows of `single_hop.extractions`, one per paragraph, sorted by id."""
    places = paragraphs.select("paragraph_id", "batch", "paper_id", "section_id")
    by_id = {row["paragraph_id"]: row for row in places.iter_rows(named=True)}
    made_by = {"model": model.name, "model_revision": model.revision, "prompt_version": SINGLE_HOP.version}
    rows = (_extraction_row(outcome, by_id[outcome.key]) | made_by for outcome in outcomes)
    # Rows become columns piece by piece: dictionaries of a large batch would fill the memory.
    frames = [frame_of(_TABLE, some) for some in _in_pieces(rows)]
    return pl.concat([frame_of(_TABLE, []), *frames]).sort("paragraph_id")


def _in_pieces(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while piece := list(islice(rows, _ROWS_AT_ONCE)):
        yield piece


def _extraction_row(outcome: Outcome[ParsedReply], paragraph: Mapping[str, Any]) -> Row:
    parsed = outcome.value or ParsedReply()
    return {
        "paragraph_id": outcome.key,
        "batch": paragraph["batch"],
        "paper_id": paragraph["paper_id"],
        "section_id": paragraph["section_id"],
        "status": "rejected" if outcome.reason else "answered",
        "rejection_reason": outcome.reason,
        "pairs": len(parsed.triplets) + len(parsed.rejected),
        "reply": outcome.text,
    }

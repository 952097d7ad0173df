"""The text of a paper as a model reads it: title, and all paragraphs under their section titles.

Blank lines separate the blocks. The first block is the title; a block that starts with "# " is a section
title. The bibliography is left out. Captions and tables are there only for items that may rest on them
(`Kind.tables`); a row of a table is a line.
"""

from collections.abc import Iterable
from typing import Final

import polars as pl

from aimsciqa_assets.platform.steps import StepRun

SECTION_MARK: Final = "# "


def texts_of(run: StepRun, papers: Iterable[str], *, tables: bool) -> dict[str, str]:
    """The texts of these papers, by id, with captions and tables or without; none has no paragraphs."""
    of_papers = "paper_id in (select unnest($papers))"
    read = {"papers": sorted(papers)}
    return paper_texts(
        run.read("corpus.papers", of_papers, "paper_id, title", **read),
        run.read("corpus.sections", of_papers, "section_id, position, title", **read),
        run.read(
            "corpus.paragraphs",
            of_papers if tables else f"{of_papers} and kind = 'text'",
            "paper_id, section_id, position, kind, text",
            **read,
        ),
    )


def paper_texts(papers: pl.DataFrame, sections: pl.DataFrame, paragraphs: pl.DataFrame) -> dict[str, str]:
    """Text by paper id, for papers that have paragraphs.

    `papers` has `paper_id, title`; `sections` `section_id, position, title`; `paragraphs` `paper_id,
    section_id, position, kind, text`.
    """
    placed = sections.select("section_id", section="position", section_title="title")
    ordered = paragraphs.join(placed, on="section_id").sort("paper_id", "section", "section_id", "position")
    titles: dict[str, str] = dict(papers.select("paper_id", "title").iter_rows())
    blocks: dict[str, list[str]] = {}
    in_section = ""
    for row in ordered.iter_rows(named=True):
        of_paper = blocks.setdefault(row["paper_id"], [_one_line(titles.get(row["paper_id"], ""))])
        if row["section_id"] != in_section and row["section_title"].strip():
            of_paper.append(SECTION_MARK + _one_line(row["section_title"]))
        in_section = row["section_id"]
        lines = row["text"].split("\n") if row["kind"] == "table" else [row["text"]]
        of_paper.append("\n".join(filter(None, map(_one_line, lines))))
    return {paper: "\n\n".join(filter(None, of_paper)) for paper, of_paper in blocks.items()}


def _one_line(text: str) -> str:
    """The text on one line, because a blank line would end its block."""
    return " ".join(text.split())

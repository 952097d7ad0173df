"""The parts of manuscripts that are compared: sections, paragraphs, figures, tables and references."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

Kind = Literal["section", "paragraph", "figure", "table", "reference"]
Versions = tuple[str, str]
"""The papers that are the initial and the final version."""

_KINDS: Final[Mapping[str, Kind]] = {"text": "paragraph", "caption": "figure", "table": "table"}
_NAME_LENGTH: Final = 80
_NUMBER: Final = re.compile(r"^\s*(?:\d+(?:\.\d+)*|[IVX]+)\.?\s+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a version. Parts with the same `anchor`, where it is not empty, are the same part."""

    part_id: str
    name: str
    text: str
    anchor: str = ""


Parts = Mapping[tuple[str, Kind], list[Part]]
"""The parts of each paper by kind, in reading order."""


def both_versions(manuscripts: pl.DataFrame) -> dict[str, Versions]:
    """The papers of forums that have both versions; both are the same paper where the files are equal."""
    papers: dict[str, dict[str, str]] = defaultdict(dict)
    for forum, version, paper in manuscripts.select("forum_id", "version", "paper_id").iter_rows():
        papers[forum][version] = paper
    return {
        forum: (of_forum["initial"], of_forum["final"])
        for forum, of_forum in sorted(papers.items())
        if len(of_forum) > 1
    }


def parts_of(sections: pl.DataFrame, paragraphs: pl.DataFrame, references: pl.DataFrame) -> Parts:
    """The parts of all papers in rows of the tables of the corpus.

    A reference is known by its DOI or its title, so that another style of the bibliography changes none.
    """
    parts: dict[tuple[str, Kind], list[Part]] = defaultdict(list)
    places: dict[str, int] = dict(sections.select("section_id", "position").iter_rows())
    texts: dict[str, list[str]] = defaultdict(list)
    in_order = paragraphs.with_columns(
        place=pl.col("section_id").replace_strict(places, default=None, return_dtype=pl.Int64)
    ).sort("paper_id", "place", "position")
    for row in in_order.iter_rows(named=True):
        parts[row["paper_id"], _KINDS[row["kind"]]].append(
            Part(row["paragraph_id"], _beginning(row["text"]), row["text"])
        )
        if row["kind"] == "text":
            texts[row["section_id"]].append(row["text"])
    for row in sections.sort("paper_id", "position").iter_rows(named=True):
        text = "\n\n".join(texts[row["section_id"]])
        name = row["title"] or _beginning(text)
        parts[row["paper_id"], "section"].append(Part(row["section_id"], name, text, _bare(row["title"])))
    for row in references.sort("paper_id", "position").iter_rows(named=True):
        anchor = row["doi"] or row["title_key"] or ""
        name = row["title"] or _beginning(row["text"])
        parts[row["paper_id"], "reference"].append(Part(row["reference_id"], name, row["text"], anchor))
    return parts


def _bare(title: str) -> str:
    """A title without its number, in small letters: sections are numbered anew."""
    return " ".join(_NUMBER.sub("", title).casefold().split())


def _beginning(text: str) -> str:
    return text if len(text) <= _NAME_LENGTH else f"{text[:_NAME_LENGTH].rstrip()} ..."

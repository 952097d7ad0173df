"""The in-text citations of a source paper: which markers a model may choose, and where each leads.

As in the citation-guided items themselves, only sentences that name a single reference are offered.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

NoPaper = Literal["unknown_marker", "ambiguous_marker", "marker_not_in_corpus"]


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations of one paper.

    `sentences` are (marker, citing sentence); `references` are the entries that a marker may mean, by its
    `marker_key`; `papers` has the paper of the corpus for each entry that names one.
    """

    sentences: list[tuple[str, str]] = field(default_factory=list)
    references: dict[str, set[str]] = field(default_factory=dict)
    papers: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> str:
        """The sentences as the prompt shows them: a marker and its sentence in a line, a tab between."""
        return "\n".join(f"{marker}\t{' '.join(sentence.split())}" for marker, sentence in self.sentences)

    def paper_of(self, marker: str) -> str | None:
        """The paper that a marker leads to; None if it leads to none (`fault_of` says why)."""
        references = self.references.get(marker_key(marker), set())
        return self.papers.get(next(iter(references))) if len(references) == 1 else None

    def fault_of(self, marker: str) -> NoPaper:
        """Why a marker leads to no paper."""
        references = self.references.get(marker_key(marker), set())
        if not references:
            return "unknown_marker"
        return "ambiguous_marker" if len(references) > 1 else "marker_not_in_corpus"


def marker_key(marker: str) -> str:
    """A marker without its brackets, however it is written: "[4]", "4" and a superscript 4 are one."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", marker).casefold()))


def citations_of(
    mentions: pl.DataFrame, references: pl.DataFrame, edges: pl.DataFrame
) -> dict[str, Citations]:
    """The citations by paper, in the order of the bibliography.

    `mentions` are rows of `corpus.citation_mentions`, `references` of `corpus.references`, `edges` of
    `corpus.citation_edges`, all of the same source papers. An entry can also be named by its label, unless
    that is the marker of a sentence.
    """
    found: dict[str, Citations] = {}
    places = {row["reference_id"]: row["position"] for row in references.iter_rows(named=True)}
    for row in sorted(
        mentions.filter(pl.col("is_single")).iter_rows(named=True),
        key=lambda row: (places.get(row["reference_ids"][0], 0), row["paragraph_id"], row["sentence_start"]),
    ):
        citations = found.setdefault(row["paper_id"], Citations())
        for marker in dict.fromkeys(row["markers"]):
            citations.sentences.append((marker, row["sentence"]))
            citations.references.setdefault(marker_key(marker), set()).add(row["reference_ids"][0])
    _add_labels(found, references)
    for row in edges.iter_rows(named=True):
        if row["citing_paper_id"] in found:
            papers = found[row["citing_paper_id"]].papers
            papers |= dict.fromkeys(row["reference_ids"], row["cited_paper_id"])
    return found


def _add_labels(found: Mapping[str, Citations], references: pl.DataFrame) -> None:
    labels: dict[tuple[str, str], set[str]] = {}
    row: dict[str, Any]
    for row in references.iter_rows(named=True):
        if key := marker_key(row["label"]):
            labels.setdefault((row["paper_id"], key), set()).add(row["reference_id"])
    for (paper, key), named in labels.items():
        if paper in found:
            found[paper].references.setdefault(key, named)

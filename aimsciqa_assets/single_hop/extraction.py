"""Asking a language model about every paragraph of a batch, and keeping every reply."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest

from aimsciqa_assets.single_hop.replies import parse_triplets
from aimsciqa_assets.single_hop.requests import single_hop_prompt, single_hop_request

Row = dict[str, Any]


def paragraph_requests(
    paragraphs: pl.DataFrame, sections: pl.DataFrame, papers: pl.DataFrame, keywords: pl.DataFrame
) -> Iterator[ModelRequest]:
    """One request per paragraph, a paper's requests in a row (for the prefix cache of a server)."""
    titles = dict(papers.select("paper_id", "title").iter_rows())
    section_titles = dict(sections.select("section_id", "title").iter_rows())
    by_paper = keywords.filter(pl.col("origin") == "author").group_by("paper_id", maintain_order=True)
    written: dict[str, list[str]] = dict(by_paper.agg("as_written").iter_rows())
    for row in paragraphs.iter_rows(named=True):
        yield single_hop_request(
            row["paragraph_id"],
            paper_title=titles[row["paper_id"]],
            section_title=section_titles[row["section_id"]],
            subsection=row["subsection"],
            keywords=written.get(row["paper_id"], []),
            paragraph=row["text"],
        )


def extract(
    requests: Iterable[ModelRequest],
    paragraphs: pl.DataFrame,
    model: LanguageModel,
    advance: Callable[[int], None] = lambda _paragraphs: None,
) -> Iterator[Row]:
    """Rows of `single_hop.extractions`, one per paragraph, as the replies come."""
    by_id = {row["paragraph_id"]: row for row in paragraphs.iter_rows(named=True)}
    made_by = {
        "model": model.name,
        "model_revision": model.revision,
        "prompt_version": single_hop_prompt().version,
    }
    for reply in model.replies(requests):
        yield _extraction_row(reply, by_id[reply.key]) | made_by
        advance(1)


def _extraction_row(reply: ModelReply, paragraph: Mapping[str, Any]) -> Row:
    parsed = parse_triplets(reply.text)
    reason = reply.failure or parsed.failure
    return {
        "paragraph_id": reply.key,
        "batch": paragraph["batch"],
        "paper_id": paragraph["paper_id"],
        "section_id": paragraph["section_id"],
        "status": "rejected" if reason else "answered",
        "rejection_reason": reason,
        "pairs": len(parsed.triplets) + len(parsed.rejected),
        "reply": reply.text,
    }

"""The texts of papers as the ledger reads them."""

import polars as pl

from aimsciqa_assets.judging.necessity.reading import Text


def texts_of(papers: pl.DataFrame, sections: pl.DataFrame, paragraphs: pl.DataFrame) -> dict[str, Text]:
    """Title and paragraphs in their order, by paper; the abstract where there are no paragraphs.

    A paper that has neither is left out. `papers` has `paper_id, title, abstract`, `sections` has
    `section_id, section`, `paragraphs` has `paper_id, section_id, position, text`.
    """
    ordered = paragraphs.join(sections, on="section_id").sort("paper_id", "section", "position")
    of_papers = dict(ordered.group_by("paper_id", maintain_order=True).agg("text").iter_rows())
    found = {}
    for paper, title, abstract in papers.select("paper_id", "title", "abstract").iter_rows():
        written = tuple(of_papers.get(paper) or filter(None, [abstract.strip()]))
        if written:
            found[paper] = Text(paper, title.strip(), written)
    return found

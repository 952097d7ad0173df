"""The papers that may be retrieved, as retrievers read them."""

from typing import Final

import polars as pl

from aimsciqa.documents import Documents
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.documents import chunks, questions, title_and_abstract

RETRIEVABLE: Final = (
    "not retracted and "
    "(article_type = 'evaluation' or paper_id in (select paper_id from corpus.admitted_papers))"
)


def retrieved_documents(run: StepRun) -> Documents:
    """All papers that may be retrieved, in the form that the settings choose."""
    return Documents.of(_texts(run))


def _texts(run: StepRun) -> dict[str, list[str]]:
    """The passages of all papers that may be retrieved, in the form that the settings choose."""
    chosen = run.settings.benchmark
    papers = run.read("corpus.papers", RETRIEVABLE, "paper_id, title, abstract")
    paragraphs = _paragraphs(run, papers)
    if chosen.document_text == "chunks":
        return chunks(papers, paragraphs, chosen.chunk_words)
    if chosen.document_text == "questions":
        kept = run.read("single_hop.qa_pairs", "status = 'kept'", "paper_id, question")
        return questions(papers, paragraphs, kept)
    return title_and_abstract(papers, paragraphs)


def _paragraphs(run: StepRun, papers: pl.DataFrame) -> pl.DataFrame:
    """The paragraphs in reading order; all if documents are chunks, else those of papers without abstract."""
    needed = (
        papers
        if run.settings.benchmark.document_text == "chunks"
        else papers.filter(pl.col("abstract").str.strip_chars() == "")
    )
    sections = run.read("corpus.sections", columns="section_id, position as section")
    paragraphs = run.read(
        "corpus.paragraphs",
        "paper_id in (select unnest($papers)) and kind = 'text'",
        "paper_id, section_id, position, text",
        papers=needed["paper_id"].to_list(),
    )
    return paragraphs.join(sections, on="section_id").sort("paper_id", "section", "position")

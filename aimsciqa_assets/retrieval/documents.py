"""The text of a paper for retrieval: one passage or several, of which the best one counts."""

from collections.abc import Iterable, Iterator

import polars as pl

from aimsciqa_assets.text.sentences import sentence_spans


def title_and_abstract(papers: pl.DataFrame, paragraphs: pl.DataFrame) -> dict[str, list[str]]:
    """A passage for each row of `corpus.papers`: title and abstract, or title and first paragraph.

    Without any text the passage is the paper's id, so that no document is empty.
    """
    first = dict(paragraphs.group_by("paper_id", maintain_order=True).agg(pl.first("text")).iter_rows())
    return {
        paper: ["\n".join(filter(None, (title.strip(), abstract.strip() or first.get(paper, "")))) or paper]
        for paper, title, abstract in papers.select("paper_id", "title", "abstract").iter_rows()
    }


def chunks(papers: pl.DataFrame, paragraphs: pl.DataFrame, words: int) -> dict[str, list[str]]:
    """The text of each paper in passages of at most `words` words: the title, and whole sentences.

    `paragraphs` (`paper_id`, `section_id`, `text`) are in reading order. No passage spans two sections. A
    title is cut to half a passage, and a sentence that does not fit into a passage is divided. A paper
    without paragraphs has its title and abstract.
    """
    found = title_and_abstract(papers, paragraphs)
    titles: dict[str, str] = dict(papers.select("paper_id", "title").iter_rows())
    texts: dict[str, list[str]] = {}
    for (paper, _), rows in paragraphs.group_by("paper_id", "section_id", maintain_order=True):
        title = titles.get(str(paper), "").split()[: words // 2]
        packed = _packed(_sentences(rows["text"]), words - len(title))
        texts.setdefault(str(paper), []).extend(" ".join([*title, *passage]) for passage in packed)
    return {paper: texts.get(paper) or passages for paper, passages in found.items()}


def questions(papers: pl.DataFrame, paragraphs: pl.DataFrame, kept: pl.DataFrame) -> dict[str, list[str]]:
    """The kept questions of each paper (`paper_id`, `question`); without any, its title and abstract."""
    asked = dict(kept.group_by("paper_id", maintain_order=True).agg("question").iter_rows())
    found = title_and_abstract(papers, paragraphs)
    return {paper: asked.get(paper, passages) for paper, passages in found.items()}


def _sentences(texts: Iterable[str]) -> Iterator[list[str]]:
    for text in texts:
        for start, end in sentence_spans(text):
            yield text[start:end].split()


def _packed(sentences: Iterable[list[str]], words: int) -> Iterator[list[str]]:
    """Sentences joined into passages of at most `words` words."""
    passage: list[str] = []
    for sentence in sentences:
        if passage and len(passage) + len(sentence) > words:
            yield passage
            passage = []
        passage = [*passage, *sentence]
        while len(passage) > words:
            yield passage[:words]
            passage = passage[words:]
    if passage:
        yield passage

"""What a setting shows of a paper in place of its whole text: title and abstract, or the nearest passages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from aimsciqa_resources.language_model import Dialogue

from aimsciqa.documents import Documents
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.papers import SECTION_MARK
from aimsciqa_assets.benchmark.answering.readings import Reading, answering_dialogues
from aimsciqa_assets.benchmark.answering.shortening import GAP
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.retrievers import Retriever
from aimsciqa_assets.text.chunks import Rules, window_chunks

RetrieverOf = Callable[[Documents], Retriever]


def abstracts_of(run: StepRun, papers: Iterable[str]) -> dict[str, str]:
    """Title and abstract of these papers, by id; without those that have neither."""
    found = run.read(
        "corpus.papers",
        "paper_id in (select unnest($papers))",
        "paper_id, title, abstract",
        papers=sorted(papers),
    )
    texts = {
        paper: "\n\n".join(" ".join(part.split()) for part in (title, abstract) if part.strip())
        for paper, title, abstract in found.iter_rows()
    }
    return {paper: text for paper, text in texts.items() if text}


def nearest_passages(
    texts: Mapping[str, str],
    question: str,
    retriever_of: RetrieverOf,
    count: int,
    rules: Rules = "meant",
) -> dict[str, str]:
    """Title and nearest passages of the papers that have any of the `count` best ones, in reading order.

    Passages are windows of ten sentences within a paragraph (SciDQA, Algorithm 1); those of all papers are
    ranked together. `[...]` stands between two of them. The authors' code has no passages: `released` ones
    are those of the algorithm as it is printed.
    """
    passages = [(paper, passage) for paper, text in texts.items() for passage in _passages(text, rules)]
    if not passages:
        return {}
    documents = Documents.of({f"{place:06}": [text] for place, (_, text) in enumerate(passages)})
    ranked = retriever_of(documents).search([question]).ranked(0, np.arange(len(passages)))
    shown: dict[str, list[str]] = {}
    for place in sorted(ranked.papers[:count].tolist()):
        paper, passage = passages[place]
        blocks = shown.setdefault(paper, [_title(texts[paper])])
        blocks += [GAP, passage] if len(blocks) > 1 else [passage]
    return {paper: "\n\n".join(blocks) for paper, blocks in shown.items()}


def passage_dialogues(
    readings: Iterable[Reading],
    texts: Mapping[str, str],
    retriever_of: RetrieverOf,
    count: int,
    rules: Rules = "meant",
) -> Iterator[Dialogue[Outcome[str]]]:
    """One dialogue per reading without a reason: it shows the passages nearest the question."""
    for reading in readings:
        if reading.reason is None:
            whole = {paper: texts[paper] for paper in reading.papers}
            shown = nearest_passages(whole, reading.item["question"], retriever_of, count, rules)
            yield from answering_dialogues([replace(reading, given=tuple(shown))], shown)


def _title(text: str) -> str:
    return text.partition("\n\n")[0]


def _passages(text: str, rules: Rules) -> list[str]:
    _, *blocks = text.split("\n\n")
    paragraphs = [block for block in blocks if not block.startswith(SECTION_MARK)]
    windows = window_chunks("\n".join(paragraphs), as_printed=rules != "meant")
    return [chunk.text for chunk in windows if chunk.text.strip()]

"""The extractive reader, a baseline without a model: of each paper the sentence that fits the question best.

It knows nothing but what it is given, so that it declines if it is given no paper.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa.documents import Documents
from aimsciqa_assets.text.sentences import sentence_spans

DECLINED: Final = "I cannot tell without the papers."


def answer_from_papers(told: Mapping[str, Any]) -> str:
    """Return the reply to a request of `answering`: a sentence of each paper, those of the source last."""
    papers = sorted(told["papers"], key=lambda paper: paper["name"] == "source_paper")
    stated = (_stated(paper["name"], paper["text"], told["question"]) for paper in papers)
    return _answer(" ".join(filter(None, stated)))


def answer_from_passages(told: Mapping[str, Any]) -> str:
    """Return the reply to a request of `airqa_answer`: one sentence of all that is shown."""
    shown = [shown["text"] for shown in (*told["papers"], *told["passages"])]
    sentences = [sentence for text in shown for sentence in _sentences(text)]
    place = _best(tuple(sentences), told["question"])
    return _answer("" if place is None else " ".join(sentences[place].split()))


def cited_marker(told: Mapping[str, Any]) -> str:
    """Return the reply to a request of `citation_marker`: the marker of the best citing sentence, or none."""
    lines = [line.partition("\t") for line in told["citing_sentences"].splitlines() if line.strip()]
    place = _best(tuple(sentence for _, _, sentence in lines), told["question"])
    return json.dumps({"marker": "" if place is None else lines[place][0]}, ensure_ascii=False)


def selected_answer(told: Mapping[str, Any]) -> str:
    """Return the reply to a request of `answer_selection`: the number of the best answer, or the first."""
    answers = told["answers"]
    place = _best(tuple(answer["text"] for answer in answers), told["question"])
    return json.dumps({"number": answers[place or 0]["number"]})


def _stated(name: str, text: str, question: str) -> str:
    title, _, body = text.partition("\n\n")
    sentences = _sentences(body)
    place = _best(sentences, question)
    if place is None:
        return ""
    if name == "source_paper":
        return f"The source paper reports: {sentences[place]}"
    return f"The paper in question is '{title}'. It reports: {sentences[place]}"


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of blocks that are neither a heading nor a gap."""
    blocks = [block for block in text.split("\n\n") if not block.startswith("# ") and block != "[...]"]
    return tuple(block[start:end] for block in blocks for start, end in sentence_spans(block))


def _best(sentences: Sequence[str], question: str) -> int | None:
    """Return the place of the sentence that BM25 ranks first; None if no sentence shares a word."""
    ranked = _search(tuple(sentences)).search([question]).first(0, 1)
    return int(ranked.papers[0]) if len(ranked.papers) and ranked.scores[0] > 0 else None


@lru_cache(maxsize=512)
def _search(sentences: tuple[str, ...]) -> Bm25Retriever:
    width = len(str(len(sentences)))
    return Bm25Retriever(Documents.of({f"{place:0{width}}": [text] for place, text in enumerate(sentences)}))


def _answer(text: str) -> str:
    return json.dumps({"answer": text or DECLINED}, ensure_ascii=False)

"""Cuts a paper that does not fit into a model's context to the paragraphs nearest the question."""

import re
from collections import Counter
from math import log
from typing import Final

from aimsciqa_assets.benchmark.answering.papers import SECTION_MARK

GAP: Final = "[...]"
_WORD = re.compile(r"[^\W_]+")
# The usual constants of BM25.
_K1: Final = 1.2
_B: Final = 0.75


def half_of(paper: str, question: str) -> str | None:
    """The title, and the paragraphs nearest the question, with about half of the words.

    Paragraphs keep their order and section titles; `[...]` shows where others were left out. None when the
    paper has fewer than two paragraphs.
    """
    title, *blocks = paper.split("\n\n")
    places = [place for place, block in enumerate(blocks) if _is_paragraph(block)]
    if len(places) < 2:
        return None
    scores = _scores([blocks[place] for place in places], question)
    budget = sum(len(blocks[place].split()) for place in places) / 2
    kept: set[int] = set()
    for _, place in sorted(zip(scores, places, strict=True), key=lambda scored: (-scored[0], scored[1])):
        words = len(blocks[place].split())
        if not kept or words <= budget:
            kept.add(place)
            budget -= words
    # At least one paragraph must go, so that the paper becomes shorter.
    if len(kept) == len(places):
        kept.discard(min(zip(scores, places, strict=True))[1])
    return "\n\n".join([title, *_joined(blocks, kept)])


def fitted(paper: str, question: str, characters: int) -> str:
    """The title and the paragraphs nearest the question, as far as they fit; `[...]` stands for the others.

    Where not even the nearest one fits, its beginning is there.
    """
    if len(paper) <= characters:
        return paper
    title, *blocks = paper.split("\n\n")
    places = [place for place, block in enumerate(blocks) if _is_paragraph(block)]
    scores = _scores([blocks[place] for place in places], question) if places else []
    nearest = [
        place for _, place in sorted(zip(scores, places, strict=True), key=lambda one: (-one[0], one[1]))
    ]
    kept: set[int] = set()
    text = title
    for place in nearest:
        longer = "\n\n".join([title, *_joined(blocks, kept | {place})])
        if len(longer) <= characters:
            kept.add(place)
            text = longer
    if not kept and nearest:
        text = f"{title}\n\n{blocks[nearest[0]]}"
    return text if len(text) <= characters else text[:characters].rsplit(" ", 1)[0]


def _joined(blocks: list[str], kept: set[int]) -> list[str]:
    """The kept paragraphs, with the titles of their sections and gaps."""
    shown: list[str] = []
    heading = ""
    for place, block in enumerate(blocks):
        if block.startswith(SECTION_MARK):
            heading = block
        elif place in kept:
            shown += [heading, block] if heading else [block]
            heading = ""
        elif not shown or shown[-1] != GAP:
            shown.append(GAP)
    return shown


def _scores(paragraphs: list[str], question: str) -> list[float]:
    """BM25 of each paragraph for the question, among these paragraphs."""
    asked = set(_words(question))
    counts = [Counter(_words(paragraph)) for paragraph in paragraphs]
    mean = sum(found.total() for found in counts) / len(counts)
    holding = Counter(word for found in counts for word in found)
    weights = {
        word: log(1 + (len(counts) - holding[word] + 0.5) / (holding[word] + 0.5)) for word in sorted(asked)
    }
    scores = []
    for found in counts:
        length = _K1 * (1 - _B + _B * found.total() / max(mean, 1.0))
        scores.append(
            sum(weight * found[word] * (_K1 + 1) / (found[word] + length) for word, weight in weights.items())
        )
    return scores


def _is_paragraph(block: str) -> bool:
    return not block.startswith(SECTION_MARK) and block != GAP


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]

"""Citation mentions: the sentences of a paragraph that cite, and the references that each names.

The citation-guided variant (CIM-SciQA) starts from sentences that name a single reference (CIM-SciQA).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from aimsciqa_assets.reading.paper import Marker, Paragraph
from aimsciqa_assets.text.sentences import sentence_spans

_NUMERIC_MARKER = re.compile(r"[\[(]?\s*\d(?:[\d\s,;&–—‒―‐‑−~∼-]|\b(?:and|to|through|thru)\b)*[\])]?")
_NUMBER = re.compile(r"\d+")
_SENTENCE_OPENING = re.compile(r"\s*(?:[\"'“‘(\[]*[^\W\d_a-z]|$)")


@dataclass(frozen=True, slots=True)
class CitationMention:
    """A sentence that cites.

    `start` and `end` are offsets in the paragraph's text; `markers` are the markers as a reader sees them,
    in order; `reference_keys` are the references they name, in order, each once. `is_single` says that the
    sentence names exactly one reference, however often, and holds no marker that leads nowhere, in whole or
    in part ("[1–400]" of a list of nine).
    """

    start: int
    end: int
    sentence: str
    markers: tuple[str, ...]
    reference_keys: tuple[str, ...]
    is_single: bool


def citation_mentions(paragraph: Paragraph) -> list[CitationMention]:
    """The citing sentences of a paragraph, in order.

    A marker belongs to the sentence in which it starts; one that follows the full stop ("applied. 12 The"),
    to the sentence before.
    """
    markers = sorted(paragraph.markers, key=lambda marker: (marker.start, marker.end))
    spans = _with_trailing_markers(paragraph.text, sentence_spans(paragraph.text), markers)
    if not spans:
        return []
    starts = [start for start, _ in spans]
    of_sentence: dict[int, list[Marker]] = {}
    for marker in markers:
        sentence = max(0, bisect_right(starts, marker.start) - 1)
        of_sentence.setdefault(sentence, []).append(marker)
    return [_mention(paragraph.text, spans[sentence], cited) for sentence, cited in of_sentence.items()]


def _mention(text: str, span: tuple[int, int], markers: Sequence[Marker]) -> CitationMention:
    start, end = span
    keys = tuple(dict.fromkeys(key for marker in markers for key in marker.reference_keys))
    shown = tuple(text[marker.start : marker.end] for marker in markers)
    leads_nowhere = any(not marker.reference_keys for marker in markers) or any(map(_is_list, shown))
    return CitationMention(
        start=start,
        end=end,
        sentence=text[start:end],
        markers=shown,
        reference_keys=keys,
        is_single=len(keys) == 1 and not leads_nowhere,
    )


def _is_list(shown: str) -> bool:
    """Return whether a marker prints several numbers: a list or a range."""
    return _NUMERIC_MARKER.fullmatch(shown) is not None and len(_NUMBER.findall(shown)) > 1


def _with_trailing_markers(
    text: str, spans: Sequence[tuple[int, int]], markers: Sequence[Marker]
) -> list[tuple[int, int]]:
    """Give a numeric marker that opens a sentence to the sentence before, when a capital follows it.

    "... was applied. 12 Another ..." can only be told from a number by knowing that 12 is a marker.
    """
    ends_of_numeric = {
        marker.start: marker.end
        for marker in markers
        if _NUMERIC_MARKER.fullmatch(text, marker.start, marker.end)
    }
    moved: list[tuple[int, int]] = []
    for start, end in spans:
        behind = ends_of_numeric.get(start)
        if moved and behind is not None and behind <= end and _SENTENCE_OPENING.match(text, behind):
            moved[-1] = (moved[-1][0], behind)
            rest = len(text[behind:end].lstrip())
            if rest:
                moved.append((end - rest, end))
        else:
            moved.append((start, end))
    return moved

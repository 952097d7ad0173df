"""The sentences around a quote: what a model is shown so that it finds the conditions of a finding."""

from aimsciqa_assets.text.sentences import sentence_spans


def surroundings(paragraph: str, start: int, end: int, beside: int = 1) -> str:
    """The sentences that hold the characters from `start` to `end`, and those `beside` them."""
    spans = sentence_spans(paragraph)
    touched = [number for number, (first, last) in enumerate(spans) if first < end and start < last]
    if not touched:
        return paragraph[start:end]
    first, last = max(0, touched[0] - beside), min(len(spans) - 1, touched[-1] + beside)
    return paragraph[spans[first][0] : spans[last][1]].strip()

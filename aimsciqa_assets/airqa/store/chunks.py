"""The text of a page in pieces of bounded length, cut between words, without overlap."""

from collections.abc import Callable, Iterator, Sequence


def chunks_of(text: str, size: int, count: Callable[[Sequence[str]], Sequence[int]]) -> Iterator[str]:
    """Pieces of at most `size`; `count` says how long words are. A longer word is a piece of its own."""
    words = text.split()
    chunk: list[str] = []
    length = 0
    for word, long in zip(words, count(words), strict=True):
        if chunk and length + long > size:
            yield " ".join(chunk)
            chunk, length = [], 0
        chunk.append(word)
        length += long
    if chunk:
        yield " ".join(chunk)


def characters(words: Sequence[str]) -> list[int]:
    """Lengths in characters, the blank behind each word included."""
    return [len(word) + 1 for word in words]

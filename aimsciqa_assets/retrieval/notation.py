"""How the settings write a retriever.

    bm25           BM25
    NAME           a model of sentence-transformers: a folder, or a name on the hub
    server:NAME    a model of the embedding server
    A+B            both, fused by their ranks
    A>NAME         the first papers of A, put into another order by the cross-encoder NAME

Fusion binds more strongly: `A+B>NAME` reorders what is fused. A name holds no blank, `+` or `>`.
"""

import re
from dataclasses import dataclass

SETTING = "AIMSCIQA_BENCHMARK_RETRIEVERS"
_SERVER = "server:"
_BM25 = "bm25"


class RetrieverNotationError(ValueError):
    """A retriever that is not written in this notation."""

    def __init__(self, written: str, problem: str) -> None:
        super().__init__(
            f"{SETTING}: the retriever {written!r} {problem}. Write bm25, NAME, server:NAME, A+B or A>NAME."
        )


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25."""

    def __str__(self) -> str:
        return _BM25


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence encoder."""

    model: str

    def __str__(self) -> str:
        return self.model


@dataclass(frozen=True, slots=True)
class Served:
    """A model of the embedding server."""

    model: str

    def __str__(self) -> str:
        return f"{_SERVER}{self.model}"


@dataclass(frozen=True, slots=True)
class Fused:
    """Several retrievers, fused by their ranks."""

    parts: tuple[Bm25 | Encoded | Served, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class Reranked:
    """A retriever whose first papers a cross-encoder puts into another order."""

    first: "Notation"
    cross_encoder: str

    def __str__(self) -> str:
        return f"{self.first}>{self.cross_encoder}"


Notation = Bm25 | Encoded | Served | Fused | Reranked


def parse(written: str) -> Notation:
    """Read a retriever; `str` writes it again. Raises `RetrieverNotationError`."""
    if re.search(r"\s", written):
        raise RetrieverNotationError(written, "has a blank in it")
    fused, *cross_encoders = written.split(">")
    parts = tuple(_single(part, written) for part in fused.split("+"))
    found: Notation = parts[0] if len(parts) == 1 else Fused(parts)
    if len(set(parts)) < len(parts):
        raise RetrieverNotationError(written, "is fused with itself")
    for name in cross_encoders:
        if "+" in name:
            raise RetrieverNotationError(written, "is fused after it is reordered: fuse first")
        model = _single(name, written)
        if not isinstance(model, Encoded):
            raise RetrieverNotationError(written, f"is reordered by {name}, which is no cross-encoder")
        found = Reranked(found, model.model)
    return found


def _single(name: str, written: str) -> Bm25 | Encoded | Served:
    if name == _BM25:
        return Bm25()
    if name.lower() == _BM25:
        raise RetrieverNotationError(written, f"names {name}, which is written bm25")
    if name.startswith(_SERVER):
        model = name.removeprefix(_SERVER)
        if model:
            return Served(model)
    elif name:
        return Encoded(name)
    raise RetrieverNotationError(written, "lacks a name")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.retrieval.notation import (
    Bm25,
    Encoded,
    Fused,
    Reranked,
    RetrieverNotationError,
    Served,
    parse,
)

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="+>", categories=("L", "N", "P")), min_size=1)
ENCODERS = NAMES.filter(lambda name: name.lower() != "bm25" and not name.startswith("server:")).map(Encoded)
SINGLE = st.one_of(st.just(Bm25()), ENCODERS, NAMES.map(Served))
FUSED = st.lists(SINGLE, min_size=2, max_size=4, unique=True).map(lambda parts: Fused(tuple(parts)))
NOTATIONS = st.recursive(
    SINGLE | FUSED, lambda first: st.builds(Reranked, first, ENCODERS.map(lambda encoder: encoder.model))
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bm25", Bm25()),
        ("all-MiniLM-L6-v2", Encoded("all-MiniLM-L6-v2")),
        ("BAAI/bge-large-en-v1.5", Encoded("BAAI/bge-large-en-v1.5")),
        ("server:nomic-embed-text:latest", Served("nomic-embed-text:latest")),
        ("bm25+a+server:b", Fused((Bm25(), Encoded("a"), Served("b")))),
        ("bm25>c", Reranked(Bm25(), "c")),
        ("bm25+a>c", Reranked(Fused((Bm25(), Encoded("a"))), "c")),
        ("bm25>c>d", Reranked(Reranked(Bm25(), "c"), "d")),
    ],
)
def test_what_is_written_and_what_is_meant(written, meant):
    assert parse(written) == meant


@pytest.mark.slow
@given(NOTATIONS)
def test_every_retriever_can_be_written_and_read(notation):
    assert parse(str(notation)) == notation


@given(st.text())
def test_any_text_is_a_retriever_or_a_clear_error(written):
    try:
        notation = parse(written)
    except RetrieverNotationError as error:
        said = str(error)
        assert said.startswith(f"AIMSCIQA_BENCHMARK_RETRIEVERS: the retriever {written!r}")
    else:
        assert str(notation) == written


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("", "lacks a name"),
        ("bm25+", "lacks a name"),
        (">c", "lacks a name"),
        ("server:", "lacks a name"),
        ("a b", "blank"),
        ("BM25", "written bm25"),
        ("bm25+bm25", "fused with itself"),
        ("bm25>c+a", "fuse first"),
        ("a>bm25", "no cross-encoder"),
        ("a>server:b", "no cross-encoder"),
    ],
)
def test_what_is_wrong_is_said(written, problem):
    with pytest.raises(RetrieverNotationError, match=problem):
        parse(written)

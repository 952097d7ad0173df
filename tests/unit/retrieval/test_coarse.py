"""Coarse search over many documents: exact, ties by id, and fused in five ways."""

import numpy as np
import pytest

from aimsciqa.bm25 import first_of
from aimsciqa_assets.retrieval import cosines
from aimsciqa_assets.retrieval.coarse import DenseCoarse, FusedCoarse, Hit, LexicalCoarse
from aimsciqa_assets.retrieval.fusion import fused, hits_to_ask_for
from tests.fakes import WordEncoder

TEXTS = {
    "D": "Sleep duration and blood pressure",
    "C": "Wild boars digging up gardens",
    "B": "Sleep duration and blood pressure",
    "A": "Cord clamping and iron stores of infants",
}
ENCODER = WordEncoder()


def dense() -> DenseCoarse:
    return DenseCoarse.of(TEXTS, ENCODER, "words")


def lexical() -> LexicalCoarse:
    return LexicalCoarse(TEXTS, ENCODER)


def ids(found: list[list[Hit]]) -> list[str]:
    return ["".join(hit.document_id for hit in hits) for hits in found]


QUERIES = ["sleep duration and blood pressure", "wild boars digging up gardens"]


def test_a_dense_search_ranks_by_cosine_and_breaks_ties_by_id():
    found = dense().search(QUERIES, 3)
    assert ids(found) == ["BDC", "CBD"]
    assert [hit.score for hit in found[0][:2]] == [1.0, 1.0]
    assert [len(hits) for hits in dense().search(QUERIES, 9)] == [4, 4]
    assert dense().search([], 3) == []
    assert dense().search(QUERIES, 0) == [[], []]


def test_a_lexical_search_gives_no_document_without_a_word_of_the_query():
    assert ids(lexical().search([*QUERIES, "zinc", ""], 3)) == ["BD", "C", "", ""]
    assert ids(lexical().search(QUERIES, 1)) == ["B", "C"]


@pytest.mark.parametrize("make", [dense, lexical])
def test_vectors_of_documents_come_in_the_order_asked_for(make):
    coarse = make()
    assert np.array_equal(coarse.vectors(["D", "A", "D"]), ENCODER.encode([TEXTS[one] for one in "DAD"]))
    assert np.array_equal(coarse.encode(["iron stores"]), ENCODER.encode(["iron stores"]))


def test_a_lexical_search_encodes_only_what_it_is_asked_for_and_once():
    encoder = WordEncoder()
    coarse = LexicalCoarse(TEXTS, encoder)
    coarse.search(QUERIES, 3)
    assert encoder.encoded == 0
    coarse.vectors(["A", "B", "A"])
    coarse.vectors(["B", "C"])
    assert encoder.encoded == 3


def test_ids_that_do_not_ascend_are_refused():
    with pytest.raises(ValueError, match="must ascend"):
        DenseCoarse(["B", "A"], ENCODER.encode(["x", "y"]), ENCODER)


@pytest.mark.parametrize("count", [0, 1, 5, 40, 100])
def test_blocks_of_any_size_find_what_sorting_all_cosines_finds(monkeypatch, count):
    dice = np.random.default_rng(7)
    # Few distinct vectors, so that there are many ties.
    documents = ENCODER.encode([f"w{one} w{other}" for one, other in dice.integers(0, 6, (60, 2))])
    queries = ENCODER.encode([f"w{one} w{one + 1}" for one in range(5)])
    expected = [np.argsort(-row, kind="stable")[:count] for row in cosines.cosines(queries, documents)]
    for block, at_once in ((1, 1), (7, 2), (64, 256)):
        monkeypatch.setattr(cosines, "_WIDENED_AT_ONCE", block)
        monkeypatch.setattr(cosines, "_QUERIES_AT_ONCE", at_once)
        found = cosines.most_similar(queries, documents, count)
        assert [one.papers.tolist() for one in found] == [one.tolist() for one in expected]


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-6, 1e-7])
def test_documents_that_lie_closer_than_float32_tells_are_still_in_the_right_order(monkeypatch, distance):
    monkeypatch.setattr(cosines, "_WIDENED_AT_ONCE", 300)
    dice = np.random.default_rng(3)
    near = dice.normal(size=(1, 384)) / np.sqrt(384) + distance * dice.normal(size=(1000, 384))
    documents = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    for query in documents[:5, None]:
        expected = np.argsort(-cosines.cosines(query, documents)[0], kind="stable")[:15].tolist()
        assert cosines.most_similar(query, documents, 15)[0].papers.tolist() == expected


def test_the_first_of_many_scores():
    assert first_of(np.array([1.0, 3.0, 2.0, 3.0, 3.0]), 2).papers.tolist() == [1, 3]
    assert first_of(np.array([1.0, 3.0]), 5).papers.tolist() == [1, 0]
    assert first_of(np.array([1.0, 3.0]), 0).papers.tolist() == []
    assert first_of(np.array([]), 3).papers.tolist() == []


DENSE = [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6)]
BM25 = [("c", 12.0), ("x", 9.0), ("y", 5.0)]


@pytest.mark.parametrize(
    ("fusion", "asked", "expected"),
    [
        ("default", 3, [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6), ("x", 9.0)]),
        ("interleave", 5, [("a", 0.9), ("c", 12.0), ("b", 0.8), ("x", 9.0), ("y", 5.0)]),
        ("dense_first", 5, [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6), ("x", 9.0)]),
        (
            "rrf",
            10,
            [
                ("c", pytest.approx(1 / 62 + 1 / 60)),
                ("a", pytest.approx(1 / 60)),
                ("b", pytest.approx(1 / 61)),
                ("x", pytest.approx(1 / 61)),
                ("y", pytest.approx(1 / 62)),
            ],
        ),
    ],
)
def test_two_rankings_are_fused(fusion, asked, expected):
    assert hits_to_ask_for(fusion, 5, 2) == asked
    assert fused(fusion, [DENSE, BM25], 5) == expected


def test_one_part_of_several_is_asked_for_a_share():
    assert [hits_to_ask_for("default", 15, parts) for parts in (1, 2, 3)] == [16, 8, 6]


@pytest.mark.parametrize(
    ("fusion", "expected"),
    [
        ("default", "BDC"),
        ("interleave", "BCD"),
        ("dense_first", "BDC"),
        ("bm25_first", "CBD"),
    ],
)
def test_a_fused_search_takes_hits_of_both(fusion, expected):
    class Fixed(DenseCoarse):
        def search(self, queries, count):
            return [[Hit(one, 1.0) for one in "BDCA"][:count] for _ in queries]

    parts = [Fixed(sorted(TEXTS), ENCODER.encode([TEXTS[one] for one in sorted(TEXTS)]), ENCODER), lexical()]
    found = FusedCoarse(parts, fusion).search(["gardens"], 3)
    assert ids(found) == [expected]
    assert FusedCoarse(parts, fusion).search([], 3) == []


def test_a_fused_search_has_the_vectors_of_its_dense_part():
    encoder = WordEncoder()
    coarse = FusedCoarse([LexicalCoarse(TEXTS, encoder), dense()])
    assert np.array_equal(coarse.vectors(["A"]), ENCODER.encode([TEXTS["A"]]))
    assert encoder.encoded == 0
    assert coarse.encode(["iron"]).shape == (1, 64)

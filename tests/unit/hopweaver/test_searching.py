"""The search for second documents, over a few vectors that can be checked by hand."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Barrier, Thread
from time import sleep

import numpy as np
import pytest

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.searching import Searching, StoredVectors
from aimsciqa_assets.retrieval.coarse import Hit
from aimsciqa_assets.retrieval.diversity import Weights
from tests.fakes import WordEncoder

VECTORS = {
    "source": (1.0, 0.0, 0.0),
    "alike": (1.0, 0.0, 0.0),
    "other": (0.0, 1.0, 0.0),
    "third": (0.0, 0.0, 1.0),
}
SCORES = {"source": 0.95, "alike": 0.9, "other": 0.8, "third": 0.7}
DOCUMENTS = {name: Document(name, name, (("p", f"text of {name}"),)) for name in VECTORS}
SEGMENT = (0.0, 1.0, 0.0)


class Coarse:
    """Finds the documents in the order of their scores, whatever is asked; notes what is asked together."""

    def __init__(self) -> None:
        self.blocks: list[tuple[list[str], int]] = []

    def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
        self.blocks.append((list(queries), count))
        return [[Hit(name, score) for name, score in list(SCORES.items())[:count]] for _ in queries]

    def vectors(self, document_ids: Sequence[str]) -> np.ndarray:
        return np.array([VECTORS[name] for name in document_ids], dtype=np.float32)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([SEGMENT for _ in texts], dtype=np.float32)


class Reader:
    """A reranker with an opinion on each document."""

    def scores(self, _query: str, texts: Sequence[str]) -> list[float]:
        opinions = {"other": 0.1, "third": 0.7, "alike": 0.9}
        return [opinions[text.split("\n")[0]] for text in texts]


def searching(pool=2, reranker=None, similarity="document", coarse=None) -> Searching:
    weights = Weights(0.5, 0.5, 0.0)
    return Searching(coarse or Coarse(), DOCUMENTS, weights, pool, similarity, reranker)


def test_candidates_are_not_like_the_source_which_is_left_out():
    found = searching().candidates("q", "source", "segment", 2)
    assert [(one.document_id, one.queries) for one in found] == [("other", ("q",)), ("third", ("q",))]
    assert found[0].selected.score == pytest.approx(0.4)
    assert (found[0].selected.relevance, found[0].selected.source) == (0.8, 0.0)


def test_the_segment_may_stand_for_the_source():
    found = searching(similarity="segment").candidates("q", "source", "segment", 2)
    assert [one.document_id for one in found] == ["alike", "third"]


def test_a_small_pool_leaves_fewer_candidates():
    coarse = Coarse()
    found = searching(pool=1, coarse=coarse).candidates("q", "source", "segment", 2)
    assert [one.document_id for one in found] == ["alike"], "the source took a place of the pool"
    assert coarse.blocks == [(["q"], 2)]


def test_holders_come_first_with_the_terms_of_their_scores():
    found = searching(pool=1).candidates("q", "source", "segment", 2, ["third", "alike"])
    assert [(one.document_id, one.queries) for one in found] == [("third", ()), ("alike", ("q",))]
    third, alike = (one.selected for one in found)
    assert (third.relevance, third.source, third.redundancy, third.score) == (0.0, 0.0, 0.0, 0.0)
    assert (alike.relevance, alike.source, alike.score) == (0.9, 1.0, pytest.approx(-0.05))
    behind = searching().candidates("q", "source", "segment", 3, ["third"])
    assert [one.document_id for one in behind] == ["third", "other", "alike"]


def test_whether_a_question_finds_a_document_by_the_retriever_or_by_words():
    class Words(Coarse):
        def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
            return [[Hit("third", 2.0)][:count] for _ in queries]

    search = searching()
    found = {
        (name, within): search.finds("q", name, "source", within=within)
        for name, within in (("alike", 1), ("other", 1), ("other", 2), ("third", 2))
    }
    assert found == {("alike", 1): True, ("other", 1): False, ("other", 2): True, ("third", 2): False}
    assert replace(search, lexical=Words()).finds("q", "third", "source", within=1)
    assert not replace(search, lexical=Words()).finds(" ", "third", "source", within=1)


def test_a_reranker_puts_what_was_selected_into_another_order():
    found = searching(reranker=Reader()).candidates("q", "source", "segment", 3)
    assert [(one.document_id, one.reranker_score) for one in found] == [
        ("alike", 0.9),
        ("third", 0.7),
        ("other", 0.1),
    ]


def test_without_a_document_to_leave_out_relevance_alone_counts():
    assert [one.document_id for one in searching()("q", None, 2)] == ["source", "alike"]


def test_queries_that_wait_for_each_other_are_searched_together():
    coarse = Coarse()
    search = searching(coarse=coarse)
    started, results = Barrier(4), {}

    def ask(number: int) -> None:
        started.wait()
        results[number] = search.candidates(f"q{number}", "source", "", 1 + number)

    search._turn.acquire()
    threads = [Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    started.wait()
    while len(search._waiting) < 3:
        sleep(0.001)
    search._turn.release()
    for thread in threads:
        thread.join()
    assert [(sorted(queries), count) for queries, count in coarse.blocks] == [(["q0", "q1", "q2"], 6)]
    assert [len(results[number]) for number in range(3)] == [1, 2, 3]


def test_stored_vectors_are_not_encoded_again():
    encoder = WordEncoder()
    stored = StoredVectors(encoder, {"a text": np.ones(3, dtype=np.float32)})
    assert stored.encode_documents(["a text", "a text"]).tolist() == [[1, 1, 1], [1, 1, 1]]
    assert encoder.encoded == 0
    assert stored.encode_documents(["a text", "another"]).shape == (2, 64)
    assert (stored.name, stored.revision) == ("words", "1")

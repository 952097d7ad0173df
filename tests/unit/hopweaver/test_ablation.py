"""The ablation: what the ways to find a second document do, and what is counted."""

import numpy as np
import pytest

from aimsciqa_assets.hopweaver.bridges import Bridge
from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.hops import Tried
from aimsciqa_assets.hopweaver.reranker.ablation import ablation_rows, results, search_of
from aimsciqa_assets.hopweaver.searching import Found, Searching
from aimsciqa_assets.retrieval.coarse import DenseCoarse
from aimsciqa_assets.retrieval.diversity import WEIGHTS, Selected

TEXTS = {"a": "weir", "b": "weir of stone", "c": "weir of stones", "d": "school"}
DOCUMENTS = {name: Document(name, text, ()) for name, text in TEXTS.items()}


class Planted:
    """An encoder that has three of the documents nearly alike."""

    name, revision = "planted", "1"

    def encode_documents(self, texts, progress=None):
        vectors = {"weir": (1, 0), "weir of stone": (0.96, 0.28), "weir of stones": (0.96, 0.28)}
        return np.array([vectors.get(text, (0.28, 0.96)) for text in texts], dtype=np.float32)

    def encode_queries(self, texts):
        return np.full((len(texts), 2), 0.5**0.5, dtype=np.float32)

    encode = encode_documents


class Last:
    """A reranker that likes the last one most."""

    def scores(self, query, texts):
        return [place / 10 for place in range(len(texts))]


def order(arm: str, rerankers=None) -> list[str]:
    search = Searching(DenseCoarse.of(TEXTS, Planted(), "planted"), DOCUMENTS, WEIGHTS["synthesizer"], pool=2)
    found = search_of(arm, search, rerankers or {}).candidates("query", "a", "", 2)
    return [one.document_id for one in found]


def test_the_ways_differ_in_what_they_choose():
    assert order("standard") == ["b", "c"]
    assert order("diverse") == ["d", "b"]
    assert order("diverse_zs", {"diverse_zs": Last()}) == ["b", "d"]
    assert order("diverse_ft", {"diverse_zs": Last()}) == ["d", "b"]


def attempt(name: str, reason: str | None, *outcomes: str, failure: str | None = None) -> Bridge:
    tried = tuple(Tried(Found(Selected("x", 1, 1, 0, 0)), outcome) for outcome in outcomes)
    return Bridge(name, Document(name, name, ()), tried=tried, reason=reason, failure=failure)


def test_success_rate_and_documents_tried_of_successes():
    made = [
        attempt("one", None, "chosen", "not_tried"),
        attempt("two", None, "rejected", "rejected", "chosen"),
        attempt("three", "every_document_failed", "rejected", "rejected", "rejected", "rejected"),
        attempt("four", "timeout", failure="timeout"),
    ]
    rows = ablation_rows("diverse", made)
    assert [(row["paper_id"], row["success"], row["documents_tried"]) for row in rows] == [
        ("one", True, 1),
        ("two", True, 3),
        ("three", False, 4),
    ]
    (result,) = results(rows)
    assert (result.arm, result.attempts, result.successes) == ("diverse", 3, 2)
    assert result.success_rate == pytest.approx(2 / 3)
    assert result.documents_tried == 2.0
    assert result.tried_interval == (1.0, 3.0)


def test_an_arm_without_a_success_has_no_documents_tried():
    (result,) = results(ablation_rows("standard", [attempt("one", "no_candidates")]))
    assert (result.success_rate, result.documents_tried, result.tried_interval) == (0.0, None, (None, None))

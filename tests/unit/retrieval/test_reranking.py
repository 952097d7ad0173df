"""Reordering by a cross-encoder, and what happens without one."""

import logging

import numpy as np
import pytest

from aimsciqa_assets.retrieval.reranking import CrossEncoderReranker, Reordered, open_reranker, rerank


class Lengths:
    """A cross-encoder whose score is the number of letters more than those of the query."""

    def scores(self, query, documents):
        return np.array([float(len(document) - len(query)) for document in documents])


def test_texts_are_ordered_by_the_sigmoid_of_the_score_and_ties_stay():
    found = rerank(CrossEncoderReranker(Lengths()), "xx", ["a", "abc", "bb", "cde"])
    assert [one.place for one in found] == [1, 3, 2, 0]
    assert [one.score for one in found] == pytest.approx([0.7310586, 0.7310586, 0.5, 0.2689414])


def test_no_texts_are_no_work_for_the_cross_encoder():
    assert rerank(CrossEncoderReranker(object()), "q", []) == []


def test_without_a_reranker_the_order_stays():
    assert rerank(None, "q", ["b", "a"]) == [Reordered(0, None), Reordered(1, None)]


@pytest.mark.slow
def test_a_model_that_cannot_be_loaded_is_a_warning_and_no_reranker(monkeypatch, caplog):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with caplog.at_level(logging.WARNING):
        assert open_reranker("bm52") is None
    assert "bm52 cannot be loaded" in caplog.text
    assert "keep the order" in caplog.text

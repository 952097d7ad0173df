"""Reordering by a cross-encoder, and what happens without one."""

import logging

import numpy as np
import pytest
from aimsciqa_resources.encoder import EncoderUnavailableError

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


class Loading(Lengths):
    """A cross-encoder that is nowhere, or has a name."""

    def __init__(self, model, *options) -> None:
        self.model, self.options = model, options

    def load(self) -> None:
        if self.model == "nowhere":
            raise EncoderUnavailableError("nowhere cannot be loaded: give the folder.")


@pytest.fixture
def loading(monkeypatch):
    monkeypatch.setattr("aimsciqa_assets.retrieval.reranking.CrossEncoderModel", Loading)


@pytest.mark.usefixtures("loading")
def test_a_model_that_cannot_be_loaded_is_a_warning_and_no_reranker(caplog):
    with caplog.at_level(logging.WARNING):
        assert open_reranker("nowhere") is None
    assert "nowhere cannot be loaded: give the folder. Candidates keep the order" in caplog.text


@pytest.mark.usefixtures("loading")
def test_a_model_is_opened_with_the_bounds_of_hopweaver_or_others(caplog):
    assert open_reranker("here")._cross_encoder.options == (512, 8196, 16)
    opened = open_reranker("here", 100, 200, 4)
    assert opened._cross_encoder.options == (100, 200, 4)
    assert opened.scores("xx", ["aaa"]) == pytest.approx([0.7310586])
    assert caplog.text == ""

"""Nearest neighbours, exact and by an index."""

import numpy as np

from aimsciqa_assets.retrieval.neighbours import Neighbours, nearest


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_nearest_come_first_and_ties_keep_their_order():
    vectors = unit(np.array([[1, 0], [1, 1], [0, 1], [1, 0]]))
    places, similarities = nearest(vectors[:1], vectors, 3)
    assert places.tolist() == [[0, 3, 1]]
    assert similarities.tolist() == [[1.0, 1.0, 0.707107]]


def test_an_index_finds_what_all_comparisons_find():
    random = np.random.default_rng(7)
    centres = random.normal(size=(40, 32))
    vectors = unit(centres[random.integers(40, size=2_000)] + 0.5 * random.normal(size=(2_000, 32)))
    exact, _ = nearest(vectors[:200], vectors, 10)
    by_index, similarities = nearest(vectors[:200], vectors, 10, exact=100)
    shared = [len(set(left) & set(right)) for left, right in zip(exact, by_index, strict=True)]
    assert np.mean(shared) / 10 >= 0.99
    assert (np.diff(np.round(similarities, 4), axis=1) <= 0).all()


def test_vectors_added_in_parts_are_found_as_if_added_at_once():
    vectors = unit(np.random.default_rng(8).normal(size=(300, 16)))
    for exact in (1_000, 100):
        parts = Neighbours(exact)
        for part in np.split(vectors, [40, 150, 151]):
            parts.add(part)
        whole, _ = nearest(vectors, vectors, 5, exact=exact)
        assert len(parts) == 300
        assert (parts.nearest(vectors, 5)[0] == whole).mean() > 0.99


def test_without_vectors_or_queries_there_is_nothing():
    none = np.zeros((0, 4), dtype=np.float32)
    assert nearest(none, none, 3)[0].shape == (0, 0)
    assert nearest(none, unit(np.ones((2, 4))), 3)[0].shape == (0, 2)

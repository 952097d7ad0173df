"""Unit vectors with the structure of question embeddings: common ground, topics, subtopics, and noise.

Questions of one topic have a cosine of about 0.4, those of one subtopic 0.65, others 0.1.
"""

import numpy as np
import numpy.typing as npt

from benchmarks.synthetic.shape import SUBTOPICS, TOPICS

DIMENSION = 384
_SEED = 20242
_PARTS = (0.35, 0.55, 0.45)
_NOISE = 0.6
_NOISES = 8192


class VectorSpace:
    """Where topics lie; vectors are drawn around them."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        random = np.random.default_rng([_SEED, dimension])
        self._common = _unit(random, 1, dimension) * _PARTS[0]
        self._topics = _unit(random, TOPICS, dimension) * _PARTS[1]
        self._subtopics = _unit(random, TOPICS * SUBTOPICS, dimension) * _PARTS[2]
        self._noises = _unit(random, _NOISES, dimension) * (_NOISE / np.sqrt(2))

    def vectors(
        self,
        topics: npt.NDArray[np.int64],
        subtopics: npt.NDArray[np.int64],
        noise: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.float32]:
        """`(n, dimension)` float32, rows of unit length; equal numbers give equal vectors."""
        first, second = noise % np.uint64(_NOISES), noise // np.uint64(_NOISES) % np.uint64(_NOISES)
        summed = self._topics[topics] + self._subtopics[topics * SUBTOPICS + subtopics]
        summed += self._common
        summed += self._noises[first]
        summed -= self._noises[second]
        summed /= np.linalg.norm(summed, axis=1, keepdims=True)
        return summed


def subtopics_of(random: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """Subtopics of so many questions; a paper turns round few of them."""
    return (random.integers(0, SUBTOPICS) + random.geometric(0.4, count)) % SUBTOPICS


def _unit(random: np.random.Generator, rows: int, dimension: int) -> npt.NDArray[np.float32]:
    drawn = random.normal(size=(rows, dimension))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)

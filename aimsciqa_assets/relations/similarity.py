"""Section similarity by question embeddings (section 4.3 of the paper, equations 4 and 5).

A source is compared with all its candidates in one matrix product; sections are ranges of rows, so their
sums and maxima are segment reductions, and nothing loops over section pairs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SectionQuestions:
    """Questions of several sections.

    `vectors` is `(n_questions, dim)`, rows of unit length; section `s` owns the rows from `starts[s]` up to
    `starts[s + 1]` (or the end). No section is empty.
    """

    vectors: Floats
    starts: Integers

    def rows(self, section: int) -> slice:
        """The rows of a section."""
        end = self.starts[section + 1] if section + 1 < len(self.starts) else len(self.vectors)
        return slice(int(self.starts[section]), int(end))


@dataclass(frozen=True, slots=True)
class SectionSimilarities:
    """All section pairs of a source and its candidates, `(n_source_sections, n_target_sections)` each.

    `similarity` is Sim (eq. 5), `pairs_over_tau` the number of question pairs in it, `strength` the highest
    cosine (eq. 4). `cosines` is K itself, `(n_source_questions, n_target_questions)`.
    """

    cosines: Floats
    similarity: Floats
    pairs_over_tau: Integers
    strength: Floats


def unit_rows(vectors: Floats) -> Floats:
    """Rows scaled to unit length; a zero row stays zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def section_similarities(
    source: SectionQuestions, target: SectionQuestions, tau: float
) -> SectionSimilarities:
    """Compare every section of `source` with every section of `target`.

    Sim sums |K| where K >= tau (eq. 5): it is not normalised, so longer sections score higher. Sums are
    taken in float64.
    """
    cosines = source.vectors @ target.vectors.T
    over = cosines >= tau
    return SectionSimilarities(
        cosines=cosines,
        similarity=_segment_sums(np.where(over, np.abs(cosines), 0), source, target, np.float64),
        pairs_over_tau=_segment_sums(over, source, target, np.int64),
        strength=np.maximum.reduceat(
            np.maximum.reduceat(cosines, source.starts, axis=0), target.starts, axis=1
        ),
    )


def core_pair(
    similarities: SectionSimilarities,
    source: SectionQuestions,
    target: SectionQuestions,
    pair: tuple[int, int],
) -> tuple[int, int]:
    """Rows of the most similar questions of a section pair; the first in row order where several tie."""
    rows, columns = source.rows(pair[0]), target.rows(pair[1])
    block = similarities.cosines[rows, columns]
    row, column = np.unravel_index(int(block.argmax()), block.shape)
    return rows.start + int(row), columns.start + int(column)


def _segment_sums(
    values: npt.NDArray[Any],
    source: SectionQuestions,
    target: SectionQuestions,
    dtype: type[np.float64 | np.int64],
) -> npt.NDArray[Any]:
    by_row = np.add.reduceat(values, source.starts, axis=0, dtype=dtype)
    return np.add.reduceat(by_row, target.starts, axis=1, dtype=dtype)

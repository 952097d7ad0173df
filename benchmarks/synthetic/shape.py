"""How large a made-up corpus is and how its parts are spread: as in AIM-SciQA's, where the paper says so.

Paper `k` is the same in a corpus of any size and cites papers before it: a larger corpus holds a smaller one.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PAPERS = 8_211
QUESTIONS = 411_409
"""Kept questions of the paper's corpus (section 4.2)."""

_SEED = 20241
_KEYWORDS = 20_000
# Zipf's law, with a head so flat that the most common keyword stands in one of twenty papers.
_SHIFT = 15
KEYWORDS_OF_A_PAPER = (4, 6)
TOPICS, SUBTOPICS = 400, 20
# Of the paper: 5.3 sections with the abstract, 10.49 kept pairs a section.
_CONCLUSION = 0.3
_QUESTIONS_OF_A_SECTION = QUESTIONS / PAPERS / (5 + _CONCLUSION)
_CITED = 3.5


@dataclass(frozen=True, slots=True)
class PaperPlan:
    """What a paper is about, how long it is, and which earlier papers it cites.

    `questions` is how many each section gives; the abstract comes first. Numbers of keywords are their ranks:
    0 is the most common one.
    """

    number: int
    topic: int
    keywords: npt.NDArray[np.int64]
    questions: npt.NDArray[np.int64]
    cited: npt.NDArray[np.int64]


def plan(number: int) -> PaperPlan:
    """The plan of a paper."""
    random = np.random.default_rng([_SEED, number])
    sections = 5 + int(random.random() < _CONCLUSION)
    # Lengths of sections vary as they do in papers: a few are several times as long as most.
    lengths = random.lognormal(-0.18, 0.6, sections) * _QUESTIONS_OF_A_SECTION
    keywords = np.unique(_ranks(random.random(random.integers(*KEYWORDS_OF_A_PAPER, endpoint=True))))
    cited = random.integers(0, number, min(number, random.poisson(_CITED))) if number else np.array([], int)
    return PaperPlan(
        number=number,
        topic=int(keywords.max()) % TOPICS,
        keywords=keywords,
        questions=np.maximum(1, np.rint(lengths)).astype(np.int64),
        cited=np.unique(cited),
    )


def _ranks(drawn: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    return np.searchsorted(_CUMULATED, drawn * _CUMULATED[-1])


_CUMULATED = np.cumsum(1 / (np.arange(_KEYWORDS) + _SHIFT))

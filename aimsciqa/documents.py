"""Documents as retrievers read them: papers, each with one passage or several, of which the best counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Documents:
    """Papers sorted by id, and their passages: those of paper `i` follow each other from `starts[i]` on."""

    papers: tuple[str, ...]
    passages: tuple[str, ...]
    starts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, texts: Mapping[str, Sequence[str]]) -> "Documents":
        """Documents from the passages of each paper, at least one."""
        papers = tuple(sorted(texts))
        counts = [len(texts[paper]) for paper in papers]
        if 0 in counts:
            raise ValueError("a paper needs a passage")
        starts = np.cumsum([0, *counts])[:-1]
        return cls(papers, tuple(passage for paper in papers for passage in texts[paper]), starts)

    def best(self, scores: Numbers) -> npt.NDArray[np.float64]:
        """Scores of papers, `(n_queries, n_papers)`, from those of passages, `(n_queries, n_passages)`."""
        if not len(self.papers):
            return np.zeros((len(scores), 0))
        return np.maximum.reduceat(scores.astype(np.float64), self.starts, axis=1)

    def passages_of(self, paper: int) -> tuple[str, ...]:
        """The passages of the paper at this place."""
        end = self.starts[paper + 1] if paper + 1 < len(self.starts) else len(self.passages)
        return self.passages[self.starts[paper] : end]

"""What people rate, and on which scale (section 4.2 and figure 5 of the paper)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["single_hop", "multi_hop"]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion: its `name`, what the rater decides, and what each score means, the lowest first."""

    name: str
    decides: str
    scores: Mapping[float, str]

    @property
    def allowed(self) -> str:
        """The scores in words: `0, 0.5 or 1`."""
        *first, last = map(written, self.scores)
        return f"{', '.join(first)} or {last}"

    def read(self, text: str) -> float | None:
        """The score that somebody wrote, `0.5` or `0,5`; None when it is none of the scale."""
        try:
            score = float(text.strip().replace(",", "."))
        except ValueError:
            return None
        return score if score in self.scores else None


def written(score: float) -> str:
    """A score as it is written: `1`, `0.5`."""
    return f"{score:g}"


_LIKERT: Final = {1.0: "very poor", 2.0: "poor", 3.0: "fair", 4.0: "good", 5.0: "very good"}

CRITERIA: Final[Mapping[Kind, tuple[Criterion, ...]]] = {
    "single_hop": (
        Criterion(
            "score",
            "Can the question be understood by itself, does the answer answer it, and does the evidence, "
            "read in its paragraph, prove the answer?",
            {
                0.0: "no: question, answer and evidence do not belong together, or one of them is wrong",
                0.5: "partly: something is missing, vague or more than the evidence says",
                1.0: "yes, all of it",
            },
        ),
    ),
    "multi_hop": (
        Criterion("fluency", "Is the question correct English, as a person would write it?", _LIKERT),
        Criterion(
            "completeness", "Do the two pieces of evidence hold everything that the answer says?", _LIKERT
        ),
        Criterion(
            "cross_reference_necessity",
            "Are both papers needed? Very poor: one of them alone gives the answer.",
            _LIKERT,
        ),
        Criterion(
            "relational_appropriateness",
            "Does it make scientific sense to treat these two papers in one question?",
            _LIKERT,
        ),
        Criterion(
            "retrieval_question_unique",
            "Is the target the only paper that the retrieval question fits, as far as the titles under "
            "other_papers tell?",
            {0.0: "no: another paper fits it, too, or the target does not", 1.0: "yes"},
        ),
    ),
}
"""The criteria of each kind of sheet, in the order of its columns."""

"""The dimensions that a judge rates (HopWeaver, evaluation), and the words that it rates with."""

from typing import Final

MULTI_HOP: Final = "multi_hop"
LIKERT: Final = (
    "fluency",
    "clarity",
    "conciseness",
    "relevance",
    "consistency",
    "question_answerability",
    "answer_question_consistency",
    "information_integration_ability",
    "reasoning_path_guidance",
    "logical_sophistication",
)
DIMENSIONS: Final = (MULTI_HOP, *LIKERT)
OVERALL: Final = "overall"
"""The mean of the Likert dimensions of a rating that have a score."""

_LIKERT_WORDS: Final = {"Very Poor": 1, "Poor": 2, "Fair": 3, "Good": 4, "Very Good": 5}
_VERDICTS: Final = {"No": 0, "Yes": 1}


def words_of(dimension: str) -> dict[str, int]:
    """The words for a dimension, and the score of each."""
    return _VERDICTS if dimension == MULTI_HOP else _LIKERT_WORDS

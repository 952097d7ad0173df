"""AirQA: questions about whole papers, each with an evaluator of its own.

`score` is what others use of it: it gives the answer to a question 1 or 0 (docs/airqa.md).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aimsciqa_assets.airqa.evaluation.judges import Judge

__all__ = ["score"]


def score(evaluator: "Mapping[str, Any]", answer: Any, judge: "Judge | None" = None) -> float:
    """1 where the evaluator `{eval_func, eval_kwargs}` passes the answer, else 0 (`evaluation.scoring`)."""
    # Imported here: a worker process of the sandbox, which starts for a query, needs nothing of it.
    from aimsciqa_assets.airqa.evaluation import scoring

    return scoring.score(evaluator, answer, judge)

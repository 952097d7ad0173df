"""The light package: loads a release and evaluates retrievers and answers on it.

    import aimsciqa

    release = aimsciqa.load("path/to/aimsciqa-release")
    print(release.evaluate_retriever(aimsciqa.Bm25(), setting="cluster", split="test"))

It needs neither the platform that makes releases (`aimsciqa_assets`) nor anything that only the platform
needs. The platform computes its figures with the measures of this package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aimsciqa.evaluation import Evaluation, EvaluationError, Score
    from aimsciqa.release import Item, Paper, Query, Release, ReleaseFolderError, load
    from aimsciqa.retrieving import Bm25, Retriever

_HOMES = {
    "evaluation": ("Evaluation", "EvaluationError", "Score"),
    "release": ("Item", "Paper", "Query", "Release", "ReleaseFolderError", "load"),
    "retrieving": ("Bm25", "Retriever"),
}

__all__ = [
    "Bm25",
    "Evaluation",
    "EvaluationError",
    "Item",
    "Paper",
    "Query",
    "Release",
    "ReleaseFolderError",
    "Retriever",
    "Score",
    "load",
]


def __getattr__(name: str) -> Any:
    """Return a public name, and import its module then: the platform needs but the small ones of them."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"aimsciqa.{module}"), name)
    raise AttributeError(f"module 'aimsciqa' has no attribute {name!r}")

"""The light package: loads a release and evaluates retrievers and answers on it.

    import aimsciqa

    release = aimsciqa.load("path/to/aimsciqa-release")
    print(release.evaluate_retriever(aimsciqa.Bm25(), setting="cluster", split="test"))

It needs neither the platform that makes releases (`aimsciqa_assets`) nor anything that only the platform
needs. The platform computes its figures with the measures of this package.
"""

from aimsciqa.evaluation import Evaluation, EvaluationError, Score
from aimsciqa.release import Item, Paper, Query, Release, ReleaseFolderError, load
from aimsciqa.retrieving import Bm25, Retriever

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

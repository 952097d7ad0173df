"""The tasks of models: choose a citation marker, answer a question, score an answer (section 5.2)."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal

from pydantic import BaseModel

from aimsciqa_assets.asking.task import Task, Variables
from aimsciqa_assets.benchmark.answering.replies import read_score, read_text
from aimsciqa_assets.benchmark.answering.shortening import half_of


class _Answer(BaseModel):
    answer: str


class _Marker(BaseModel):
    marker: str


class _Mark(BaseModel):
    selection: Literal["1", "0.5", "0"]


def _with_shorter_papers(variables: Variables) -> Sequence[dict[str, Any]]:
    """Each paper cut to the half nearest the question; nothing when no paper can be halved any more.

    The halves are not asked about separately, because the answer has to combine the papers.
    """
    halves = [half_of(paper["text"], variables["question"]) for paper in variables["papers"]]
    if not any(halves):
        return ()
    papers = [
        {**paper, "text": half or paper["text"]}
        for paper, half in zip(variables["papers"], halves, strict=True)
    ]
    return [{**variables, "papers": papers}]


def _with_shorter_source(variables: Variables) -> Sequence[dict[str, Any]]:
    half = half_of(variables["source_paper"], variables["question"])
    return [] if half is None else [{**variables, "source_paper": half}]


ANSWERING: Final = Task[str](
    "answering", _Answer, partial(read_text, field="answer"), divided=_with_shorter_papers
)
CITATION_MARKER: Final = Task[str](
    "citation_marker", _Marker, partial(read_text, field="marker"), divided=_with_shorter_source
)
ANSWER_JUDGE: Final = Task[float]("answer_judge", _Mark, read_score)

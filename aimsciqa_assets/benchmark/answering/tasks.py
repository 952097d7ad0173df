"""The tasks of models: choose a citation marker, answer a question, score an answer (section 5.2)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import MALFORMED
from aimsciqa_assets.asking.task import Task, Variables
from aimsciqa_assets.benchmark.answering.replies import read_score, read_text
from aimsciqa_assets.benchmark.answering.shortening import half_of

NO_PAPER: Final = "No paper is given."

_PAPERS: Final = ("source_paper", "second_paper")
T = TypeVar("T")


class _Answer(BaseModel):
    answer: str


class _Marker(BaseModel):
    marker: str


class _Mark(BaseModel):
    selection: Literal["1", "0.5", "0"]


def _read(text: str, field: str, read: Callable[[str], T | None]) -> T | Fault[T]:
    """The one field that a reply has."""
    value = read(text)
    if value is not None:
        return value
    return Fault(MALFORMED, f'it is not a JSON object with the field "{field}"')


def _shortened(variables: Variables) -> Sequence[dict[str, Any]]:
    """Each paper cut to the half nearest the question; nothing when no paper can be halved any more.

    The halves are not asked about separately, because the answer has to combine both papers.
    """
    shorter = {
        name: half
        for name in _PAPERS
        if (half := half_of(variables.get(name, ""), variables["question"])) is not None
    }
    return [{**variables, **shorter}] if shorter else ()


def _with_papers(variables: Variables) -> dict[str, Any]:
    """The variables with the `papers` that may be read: those whose text is not empty."""
    # Not escaped: the model should see "p < 0.05" as in the paper, and nothing parses this text.
    papers = [f"<{name}>\n{variables[name]}\n</{name}>" for name in _PAPERS if variables[name]]
    return {**variables, "papers": "\n\n".join(papers) or NO_PAPER}


def _text_of(field: str) -> Callable[[str], str | Fault[str]]:
    return partial(_read, field=field, read=partial(read_text, field=field))


ANSWERING: Final = Task[str]("answering", _Answer, _text_of("answer"), shown=_with_papers, divided=_shortened)
CITATION_MARKER: Final = Task[str]("citation_marker", _Marker, _text_of("marker"), divided=_shortened)
ANSWER_JUDGE: Final = Task[float]("answer_judge", _Mark, partial(_read, field="selection", read=read_score))

"""Examples made of other benchmarks by rule: SciDQA, M3SciQA, and LitSearch's questions for a paper.

A row that cannot become an example is told with its reason. What is made of the first two is judged by their
own evaluators' names, which `score` knows beside the 19.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_DNS, uuid5

from aimsciqa_assets.airqa.examples.example import Evaluator, Example

Row = Mapping[str, Any]
SCOPE: Final = ("acl2023", "iclr2024", "neurips2024")
"""The conferences that AirQA searches in."""
TITLE_FORMAT: Final = "Your answer should be the title of the paper as a Python string, and nothing else."
_LITSEARCH_BY_AUTHORS: Final = "manual"


class NoExampleError(ValueError):
    """A row that cannot become an example, for this reason."""


class Converted(NamedTuple):
    """The examples of some rows, and of each other row its number, from 1, and the reason."""

    examples: list[Example]
    left: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper that a retrieval question looks for."""

    title: str
    conference: str


def converted(rows: Iterable[Row], convert: Callable[[Row], Example]) -> Converted:
    """All rows, converted."""
    examples, left = [], []
    for number, row in enumerate(rows, start=1):
        try:
            examples.append(convert(row))
        except NoExampleError as error:
            left.append((number, str(error)))
    return Converted(examples, left)


def of_scidqa(row: Row, papers: Mapping[str, str]) -> Example:
    """A question of a review of SciDQA; `papers` has the UUID of each OpenReview forum. "A: " stays."""
    question, answer = _text(row, "que"), _text(row, "ans")
    return Example(
        uuid=_uuid("scidqa", _text(row, "id")),
        question=question,
        answer_format="",
        tags=["single", "text", "subjective"],
        anchor_pdf=[_paper(row, "pid", papers)],
        reference_pdf=[],
        conference=[],
        evaluator=_evaluator("eval_scidqa", reference_answer=answer, question=question),
    )


def of_m3sciqa(row: Row, papers: Mapping[str, str]) -> Example:
    """A question of M3SciQA, its picture as `anchor_image`; `papers` has the UUID of each arXiv id."""
    question, answer = _text(row, "question"), _text(row, "answer")
    anchor, reference = (_paper(row, f"{role}_arxiv_id", papers) for role in ("anchor", "reference"))
    element = "table" if str(row.get("modal", "")).lower().startswith("tab") else "image"
    shape = {
        "uuid": _uuid("m3sciqa", f"{row['anchor_arxiv_id']}_{row['reference_arxiv_id']}_{question}"),
        "question": question,
        "answer_format": "",
        "tags": ["multiple", "text", element, "subjective"],
        "anchor_pdf": [anchor],
        "reference_pdf": [reference],
        "conference": [],
        "evaluator": _evaluator("eval_m3sciqa", reference_answer=answer, question=question),
        "anchor_image": _text(row, "figure"),
    }
    return Example.model_validate(shape)


def of_litsearch(row: Row, papers: Mapping[str, Paper], scope: Iterable[str] = SCOPE) -> Example:
    """A question of LitSearch that authors wrote for their paper; `papers` has those of the corpus by id.

    The question must be the authors' own (`query_set` begins with "manual"), and all its papers must be known
    and of one conference in scope. The example names the conference only: papers would
    tell the answer.
    """
    question = _text(row, "query")
    if not str(row.get("query_set", "")).startswith(_LITSEARCH_BY_AUTHORS):
        raise NoExampleError("its authors did not write the question")
    found = [papers.get(str(one)) for one in row.get("corpusids") or ()]
    if not found or None in found:
        raise NoExampleError("a paper that it looks for is not known")
    known = [paper for paper in found if paper]
    conferences = sorted({paper.conference for paper in known})
    if len(conferences) > 1 or conferences[0] not in set(scope):
        raise NoExampleError(f"its papers are of {', '.join(conferences)}")
    titles = [paper.title for paper in known]
    return retrieval_example(question, titles, conferences[0], "litsearch_manual")


def retrieval_example(question: str, titles: list[str], conference: str, annotator: str) -> Example:
    """An example whose answer is the title of a paper, one of several where several fit."""
    reference = titles[0] if len(titles) == 1 else titles
    name = "eval_paper_relevance_with_reference_answer"
    return Example(
        uuid=_uuid(annotator, f"{conference}_{question}"),
        question=question,
        answer_format=TITLE_FORMAT,
        tags=["retrieval", "text", "objective"],
        anchor_pdf=[],
        reference_pdf=[],
        conference=[conference],
        evaluator=_evaluator(name, question=question, reference_answer=reference),
        annotator=annotator,
    )


def _evaluator(name: str, **arguments: Any) -> Evaluator:
    return Evaluator(eval_func=name, eval_kwargs=arguments)


def _uuid(source: str, name: str) -> str:
    """The same UUID whenever the same row is converted."""
    return str(uuid5(NAMESPACE_DNS, f"{source}_{name}"))


def _text(row: Row, field: str) -> str:
    text = str(row.get(field) if row.get(field) is not None else "").strip()
    if not text:
        raise NoExampleError(f"{field} is empty")
    return text


def _paper(row: Row, field: str, papers: Mapping[str, str]) -> str:
    name = _text(row, field)
    if name not in papers:
        raise NoExampleError(f"there is no UUID for the paper {name}")
    return papers[name]

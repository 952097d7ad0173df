"""What judges and retrievers gave, in the files of the authors (formats 2.5 and 2.6)."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

from aimsciqa_assets.hopweaver.formats.objects import FormatError, Shape

LIKERT: Final = ("Very Poor", "Poor", "Fair", "Good", "Very Good")
DIMENSIONS: Final = (
    *("fluency", "clarity", "conciseness", "relevance", "consistency", "question_answerability"),
    *("answer_question_consistency", "information_integration_ability", "reasoning_path_guidance"),
    "logical_sophistication",
)
AVERAGES: Final = frozenset({"平均分", "总平均分"})
"""What the column `model` says in rows that hold averages: of a question, and of all."""
HUMAN: Final = "human"
METRICS: Final = ("map", "recall@5", "recall@10", "recall@20", "ndcg@5", "ndcg@10", "support_f1")

_MULTI_HOP, _OVERALL = "multi_hop_reasoning", "overall_quality"
_JUDGED: Final = (
    *("question_type", "id", "model", "question", "answer", "document_count", "documents", _MULTI_HOP),
    *(*DIMENSIONS, _OVERALL),
)
_REPEATED: Final = (
    *("sample_id", "sample_type", "model", "question", "repeat_idx", "document_count", _MULTI_HOP),
    *(*DIMENSIONS, _OVERALL),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A question as a judge marked it: `marks` from 1 to 5 by dimension, those that it gave.

    `overall` is the mean of the marks; None without any. `repeat` counts the runs of a judge from 0, where a
    file tells them apart.
    """

    id: str
    question_type: str
    model: str
    question: str
    answer: str = ""
    documents: tuple[str, ...] = ()
    multi_hop: bool | None = None
    marks: Mapping[str, int] = field(default_factory=dict)
    repeat: int | None = None

    @property
    def overall(self) -> float | None:
        """The plain mean of the marks; whether several hops are needed is no part of it."""
        return sum(self.marks.values()) / len(self.marks) if self.marks else None


def judged_rows(file: TextIO) -> Iterator[Judged]:
    """The marks of an evaluation file, or of the raw results of a self-consistency run.

    Rows of averages are left out, and so are the empty ones that wait for a person. Raises `FormatError` for
    a file without ids, and for a mark that is none.
    """
    rows = csv.DictReader(file)
    names = {name.lstrip("\ufeff") for name in rows.fieldnames or ()}
    if not names & {"id", "sample_id"} or "model" not in names:
        raise FormatError("No evaluation: it needs the columns id (or sample_id) and model.")
    for row in rows:
        cells = {name.lstrip("\ufeff"): (cell or "").strip() for name, cell in row.items() if name}
        if cells["model"] in AVERAGES:
            continue
        judged = _judged(cells)
        if judged.model != HUMAN or judged.marks or judged.multi_hop is not None:
            yield judged


def written_judged(judged: Iterable[Judged]) -> str:
    """An evaluation file: a row for each question and judge, and behind each question one for people."""
    listed = list(judged)
    text = io.StringIO()
    writer = csv.DictWriter(text, _JUDGED)
    writer.writeheader()
    for place, one in enumerate(listed):
        writer.writerow(_judged_cells(one))
        following = listed[place + 1].id if place + 1 < len(listed) else None
        if following != one.id and one.model != HUMAN:
            writer.writerow(_judged_cells(Judged(one.id, one.question_type, HUMAN, one.question)))
    return text.getvalue()


def written_repeats(judged: Iterable[Judged]) -> str:
    """The raw results of a self-consistency run, marks as numbers."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _REPEATED)
    writer.writeheader()
    for one in judged:
        writer.writerow(
            {
                "sample_id": one.id,
                "sample_type": one.question_type,
                "model": one.model,
                "question": one.question,
                "repeat_idx": one.repeat or 0,
                "document_count": len(one.documents),
                _MULTI_HOP: "" if one.multi_hop is None else int(one.multi_hop),
                **one.marks,
                _OVERALL: "" if one.overall is None else one.overall,
            }
        )
    return text.getvalue()


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """The measures of a retriever over `count` questions, by the names of `METRICS`."""

    method: str
    metrics: Mapping[str, float]
    count: int


def retrieval_shape(description: str, results: Iterable[RetrievalResult]) -> Shape:
    """The file `retrieval_eval_....json`."""
    listed = [
        {"method": one.method, **{name: one.metrics[name] for name in METRICS}, "sample_count": one.count}
        for one in results
    ]
    return {"evaluation_description": description, "results": listed}


def retrieval_results(shape: Mapping[str, Any]) -> list[RetrievalResult]:
    """The results of such a file. Raises `FormatError` for one that lacks a measure."""
    results = []
    for one in shape.get("results", ()):
        missing = [name for name in ("method", *METRICS, "sample_count") if name not in one]
        if missing:
            raise FormatError(f"The result of {one.get('method')!r} lacks {', '.join(missing)}.")
        metrics = {name: float(one[name]) for name in METRICS}
        results.append(RetrievalResult(str(one["method"]), metrics, int(one["sample_count"])))
    return results


def _judged(cells: Mapping[str, str]) -> Judged:
    question_id = cells.get("id") or cells.get("sample_id", "")
    # The authors write rows that they ask for again under another name.
    kind = cells.get("question_type") or cells.get("dataset") or cells.get("sample_type", "")
    return Judged(
        id=question_id,
        question_type=kind,
        model=cells["model"],
        question=cells.get("question", ""),
        answer=cells.get("answer", ""),
        documents=_documents(cells.get("documents", ""), question_id),
        multi_hop=_multi_hop(cells.get(_MULTI_HOP, ""), question_id),
        marks={
            name: mark
            for name in DIMENSIONS
            if (mark := _mark(cells.get(name, ""), f"{name} of {question_id}")) is not None
        },
        repeat=int(cells["repeat_idx"]) if cells.get("repeat_idx", "").isdecimal() else None,
    )


def _judged_cells(one: Judged) -> dict[str, object]:
    return {
        "question_type": one.question_type,
        "id": one.id,
        "model": one.model,
        "question": one.question,
        "answer": one.answer,
        "document_count": len(one.documents) or "",
        "documents": json.dumps(one.documents, ensure_ascii=False) if one.documents else "",
        _MULTI_HOP: "" if one.multi_hop is None else "Yes" if one.multi_hop else "No",
        **{name: LIKERT[mark - 1] for name, mark in one.marks.items()},
        _OVERALL: "" if one.overall is None else one.overall,
    }


def _documents(cell: str, question_id: str) -> tuple[str, ...]:
    if not cell:
        return ()
    try:
        listed = json.loads(cell)
    except ValueError as error:
        raise FormatError(f"The documents of {question_id} are no JSON list: {cell[:60]!r}.") from error
    return tuple(map(str, listed)) if isinstance(listed, list) else (str(listed),)


def _multi_hop(cell: str, question_id: str) -> bool | None:
    known = {"": None, "yes": True, "no": False, "1": True, "0": False, "1.0": True, "0.0": False}
    known |= {"true": True, "false": False}
    if cell.casefold() not in known:
        raise FormatError(f"{_MULTI_HOP} of {question_id} is {cell!r}: expected Yes or No.")
    return known[cell.casefold()]


def _mark(cell: str, what: str) -> int | None:
    """A mark from 1 to 5, written as a word or as a number."""
    if not cell:
        return None
    words = [word.casefold() for word in LIKERT]
    if cell.casefold() in words:
        return words.index(cell.casefold()) + 1
    try:
        mark = float(cell)
    except ValueError:
        mark = 0.0
    if mark not in range(1, len(LIKERT) + 1):
        raise FormatError(f"{what} is {cell!r}: expected one of {', '.join(LIKERT)}.")
    return int(mark)

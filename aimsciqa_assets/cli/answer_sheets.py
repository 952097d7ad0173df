"""Sheets on which a person answers the questions of the benchmark, and the answers that come back.

A sheet holds what a model would be asked. An answer becomes a recorded reply by `human:NAME`, so that it is
measured and judged like a model's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from aimsciqa_resources.language_model import ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import OneModel
from aimsciqa_resources.language_model.recorded import NOT_RECORDED
from aimsciqa_resources.language_model.recordings import Recording, Recordings, key_of_request
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.files import json_of, json_text, read_lines
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING
from aimsciqa_assets.judging.audit.sheet import AuditError, rows_of_csv, written_csv
from aimsciqa_assets.platform.kept_rows import in_memory
from aimsciqa_assets.platform.steps import STEPS, Resources, StepRun

_TABLE: Final = "benchmark.answers"
_ID: Final = "id:"
"""Written before an id: a spreadsheet would take 16 digits for a number and round it."""
_NEEDED: Final = ("answer_id", "answer")
_MADE_BY: Final = "aimsciqa answers sheet"
_LONGEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a person is asked in a setting, with the papers; `key` finds the reply."""

    answer_id: str
    item_id: str
    setting: str
    question: str
    papers: tuple[Mapping[str, str], ...]
    key: str


@dataclass(slots=True)
class _Nobody:
    """A model that answers nothing and keeps what it was asked."""

    name: str
    revision: str = ""
    sampling: str = ""
    asked: list[ModelRequest] = field(default_factory=list)

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        for request in requests:
            self.asked.append(request)
            yield ModelReply(request.key, None, NOT_RECORDED)


def questions_for(answerer: str, resources: Resources) -> list[Question]:
    """What the answerer `human:NAME` is asked, in the settings and of the items that the settings choose."""
    step = STEPS[_TABLE]
    nobody = _Nobody(answerer)
    run = replace(StepRun.of(step, answerer, resources), models=OneModel(nobody))
    if step.compute is None:
        raise ValueError(f"{_TABLE} is not computed")
    rows = in_memory(step.compute(run)[_TABLE])
    where = {row["answer_id"]: row for row in rows.iter_rows(named=True)}
    return [
        Question(
            request.key,
            where[request.key]["item_id"],
            where[request.key]["setting"],
            str(request.variables["question"]),
            tuple(request.variables["papers"]),
            key_of_request(request),
        )
        for request in nobody.asked
        if request.task == ANSWERING.name
    ]


def as_jsonl(questions: Iterable[Question]) -> bytes:
    """A line for each question, with the whole texts of the papers and an empty `answer`."""
    rows = (
        {
            "answer_id": one.answer_id,
            "item_id": one.item_id,
            "setting": one.setting,
            "question": one.question,
            "papers": one.papers,
            "answer": "",
        }
        for one in questions
    )
    return "".join(json_text(row) + "\n" for row in rows).encode()


def as_csv(questions: Sequence[Question], links: Mapping[str, str]) -> bytes:
    """A sheet for a spreadsheet: titles and links of the papers, because a cell does not hold a paper."""
    most = max((len(one.papers) for one in questions), default=0)
    columns = [f"{column}_{number}" for number in range(1, most + 1) for column in ("paper", "link")]
    rows = []
    for one in questions:
        titled = [cell for paper in one.papers for cell in _titled(paper["text"], links)]
        titled += [""] * (len(columns) - len(titled))
        rows.append([one.question, "", *titled, one.setting, one.item_id, _ID + one.answer_id])
    return written_csv(["question", "answer", *columns, "setting", "item_id", "answer_id"], rows)


def links_of(warehouse: Warehouse) -> dict[str, str]:
    """Where each paper can be read, by its title as a sheet shows it."""
    papers = warehouse.read("select title, pmcid, doi, paper_id from corpus.papers order by paper_id")
    return {
        " ".join(title.split()): f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
        if pmcid
        else (f"https://doi.org/{doi}" if doi else paper)
        for title, pmcid, doi, paper in papers.iter_rows()
    }


def _titled(text: str, links: Mapping[str, str]) -> tuple[str, str]:
    title = text.partition("\n\n")[0]
    return title, links.get(title, "")


@dataclass(slots=True)
class Returned:
    """What came of a sheet: counts of answers and of questions without one, and the problems by place."""

    new: int = 0
    changed: int = 0
    known: int = 0
    open: int = 0
    problems: list[str] = field(default_factory=list)


def take_answers(
    file: Path, answerer: str, questions: Sequence[Question], recordings: Recordings
) -> Returned:
    """Record the answers of a sheet as replies of the answerer; a later answer takes the place of an earlier.

    Rows that cannot be used become problems. The caller sees to it that nobody else records meanwhile. Raises
    `AuditError` for a file that is no sheet.
    """
    known = {one.answer_id: one for one in questions}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    returned = Returned()
    fresh: dict[str, Recording] = {}
    for place, answer_id, answer in _answers_in(file):
        if answer_id not in known:
            returned.problems.append(
                f"{place}: {answer_id!r} is no question for {answerer} in this benchmark"
            )
        elif not answer.strip():
            returned.open += 1
        elif len(answer) > _LONGEST:
            returned.problems.append(f"{place}: the answer has more than {_LONGEST:,} characters")
        elif known[answer_id].key in fresh:
            returned.problems.append(f"{place}: {answer_id} was answered already in this file")
        else:
            key, reply = known[answer_id].key, json_text({"answer": answer.strip()})
            before = recordings.find(key, [answerer])
            returned.new += before is None
            returned.known += before is not None and before.reply == reply
            returned.changed += before is not None and before.reply != reply
            fresh[key] = Recording(key, ANSWERING.name, answerer, now, reply)
    recordings.add([one for one in fresh.values() if not _is_recorded(one, recordings)])
    return returned


def _is_recorded(one: Recording, recordings: Recordings) -> bool:
    before = recordings.find(one.key, [one.by])
    return before is not None and before.reply == one.reply


def _answers_in(file: Path) -> Iterator[tuple[str, str, str]]:
    """Place, answer id and answer of each row of a CSV file or of JSON lines."""
    if not file.read_bytes()[:100].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        for number, row in rows_of_csv(file, _NEEDED, _MADE_BY):
            yield f"row {number}", row.get("answer_id", "").removeprefix(_ID), row.get("answer", "")
        return
    for number, line in read_lines(file):
        yield f"line {number}", *_answer(line, f"{file}: line {number}")


def _answer(line: bytes, place: str) -> tuple[str, str]:
    try:
        row = json_of(line)
        return str(row["answer_id"]), str(row["answer"] or "")
    except ValueError as error:
        raise AuditError(f"{place} is no JSON: {error}.") from None
    except (LookupError, TypeError):
        raise AuditError(
            f"{place} is no JSON object with answer_id and answer, as `{_MADE_BY}` writes it."
        ) from None

"""Whether a version of a manuscript answers a question, and which of its sentences do: beyond SciDQA.

A model reads the paragraphs that a retriever finds for question and answer. A quote counts where it stands in
its paragraph character by character, and a verdict that needs quotes counts with one of them at least.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from aimsciqa_resources.language_model import Dialogue
from pydantic import BaseModel

from aimsciqa.documents import Documents
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import read_object
from aimsciqa_assets.asking.task import Outcome, Task
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.retrieval.retrievers import Retriever
from aimsciqa_assets.text.grounding import ground

ANSWERABILITY: Final = "scidqa.answerability"
EVIDENCE: Final = "scidqa.evidence"
NOT_QUOTED: Final = "not_quoted"
QUOTED_ALL_THE_SAME: Final = "quoted_all_the_same"
NO_EXACT_QUOTE: Final = "no_exact_quote"
NO_TEXT: Final = "no_text"

Row = dict[str, Any]
Verdict = Literal["answerable", "partly", "unanswerable"]


class Quote(BaseModel):
    """Sentences that a model copied, and the number of the paragraph that it says they are from."""

    paragraph: int
    quote: str


class Support(BaseModel):
    """What a model says of a question and a version."""

    verdict: Verdict
    quotes: list[Quote]


def read_support(text: str) -> Support | Fault[Support]:
    """The verdict and the quotes in a reply, where they fit together."""
    read = read_object(text, Support)
    if isinstance(read, Fault):
        return read
    if read.verdict == "unanswerable" and read.quotes:
        return Fault(QUOTED_ALL_THE_SAME, "it quotes an answer and says that there is none")
    if read.verdict != "unanswerable" and not read.quotes:
        return Fault(NOT_QUOTED, f'it says "{read.verdict}" and quotes nothing')
    return read


SUPPORT: Final[Task[Support]] = Task("scidqa_evidence", Support, read_support)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a version of a manuscript, with the authors' answer."""

    qa_id: str
    forum_id: str
    version: str
    paper_id: str
    title: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paragraph that was found for a question, and what the retriever gave it."""

    paragraph_id: str
    section: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a question about a version. `read` are the paragraphs that the model was shown."""

    asked: Asked
    read: Sequence[Candidate]
    outcome: Outcome[Support]

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply."""
        return self.outcome.failure


def candidates_of(
    paragraphs: Sequence[Mapping[str, Any]],
    queries: Sequence[str],
    retriever_of: Callable[[Documents], Retriever],
    count: int,
) -> list[list[Candidate]]:
    """For each query the `count` best paragraphs of a paper (`paragraph_id, section, text`), in their order.

    The paragraphs come in reading order; of equal ones the earlier is better.
    """
    if not paragraphs:
        return [[] for _ in queries]
    documents = Documents.of({f"{place:06}": [row["text"]] for place, row in enumerate(paragraphs)})
    everything = np.arange(len(paragraphs))
    search = retriever_of(documents).search(queries)
    found = []
    for number in range(len(queries)):
        ranked = search.ranked(number, everything)
        best = sorted(zip(ranked.papers[:count].tolist(), ranked.scores[:count].tolist(), strict=True))
        found.append([_candidate(paragraphs[place], score) for place, score in best])
    return found


def judge(asked: Asked, read: Sequence[Candidate]) -> Dialogue[Judged]:
    """Ask whether the paragraphs answer the question; nothing is asked where there are none."""
    key = row_id(asked.qa_id, asked.version)
    if not read:
        return Judged(asked, read, Outcome(key, Fault(NO_TEXT), None))
    shown = [
        {"number": number, "section": one.section, "text": one.text}
        for number, one in enumerate(read, start=1)
    ]
    outcome = yield from SUPPORT.ask(
        key, title=asked.title, question=asked.question, answer=asked.answer, paragraphs=shown
    )
    return Judged(asked, read, outcome)


def evidence_rows(judged: Judged, batch: str) -> list[Row]:
    """Rows of `scidqa.evidence`: each quote with its place, or why it is none."""
    return [
        {
            "qa_id": judged.asked.qa_id,
            "version": judged.asked.version,
            "position": position,
            "batch": batch,
            "paper_id": judged.asked.paper_id,
            "evidence": quote.quote,
            **_place(quote, judged.read),
        }
        for position, quote in enumerate(_quotes(judged), start=1)
    ]


def answerability_row(judged: Judged, batch: str, quotes: Sequence[Row], made_by: Row) -> Row:
    """The row of `scidqa.answerability`, given the rows of its quotes."""
    support, reason = judged.outcome.value, judged.outcome.reason
    if support and support.quotes and all(row["rejection_reason"] for row in quotes):
        reason = NO_EXACT_QUOTE
    return {
        "qa_id": judged.asked.qa_id,
        "version": judged.asked.version,
        "batch": batch,
        "forum_id": judged.asked.forum_id,
        "paper_id": judged.asked.paper_id,
        "verdict": support.verdict if support and not reason else None,
        "rejection_reason": reason,
        "detail": judged.outcome.text if reason else None,
        "paragraphs_read": len(judged.read),
        **made_by,
    }


def _candidate(row: Mapping[str, Any], score: float) -> Candidate:
    return Candidate(row["paragraph_id"], row["section"], row["text"], score)


def _quotes(judged: Judged) -> Sequence[Quote]:
    return judged.outcome.value.quotes if judged.outcome.value else ()


def _place(quote: Quote, read: Sequence[Candidate]) -> Row:
    """Where a quote stands: in the paragraph that it names, else in the first other one that was shown."""
    named = [one for number, one in enumerate(read, start=1) if number == quote.paragraph]
    for one in _each_once((*named, *read)):
        found = ground(quote.quote, one.text)
        if found.reason is None:
            return _located(one, found.start, found.end)
    reason = ground(quote.quote, "").reason
    return _located(None, None, None) | {"rejection_reason": reason}


def _located(one: Candidate | None, start: int | None, end: int | None) -> Row:
    return {
        "paragraph_id": one.paragraph_id if one else None,
        "evidence_start": start,
        "evidence_end": end,
        "score": one.score if one else None,
        "rejection_reason": None,
    }


def _each_once(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    seen = set[str]()
    for one in candidates:
        if one.paragraph_id not in seen:
            seen.add(one.paragraph_id)
            yield one

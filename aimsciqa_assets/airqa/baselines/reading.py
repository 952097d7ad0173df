"""The baselines that ask once: with titles alone, abstracts, the beginnings of texts, or passages.

Papers have titles here, and no ids: there is no database to look them up in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue, ModelReply, ModelRequest
from aimsciqa_resources.tokens import first_tokens, token_counts
from aimsciqa_resources.warehouse.paper_texts import PaperText

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.agent.loop import ANSWER
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.agent.turns import UNPARSABLE, Answered, Turn, cut, spent
from aimsciqa_assets.airqa.environment import Found
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import AMBIGUOUS, fits_in, two_different
from aimsciqa_assets.asking.task import Outcome, T, Task

_NO_OBJECT: Final = 'it has no JSON object with the field "answer"'


def read_answer(text: str) -> tuple[Any] | Fault[tuple[Any]]:
    """The answer of a reply, whatever it is, as the only value; a fault where there is no such object."""
    fitting = fits_in(text, lambda value: (value["answer"],) if "answer" in value else None)
    if len(fitting) > 1:
        return Fault(AMBIGUOUS, two_different("answer"))
    return fitting[0] if fitting else Fault(UNPARSABLE, _NO_OBJECT)


READING: Final = Task[tuple[Any]]("airqa_answer", None, read_answer)


def read_once(
    key: str, question: Question, shown: Mapping[str, Any], repeat: int, tokens: int
) -> Dialogue[Answered]:
    """Ask with what is `shown`: papers and passages."""
    request = READING.request(key, run=repeat, **question.told, **shown)
    opened = opened_by(request, question, repeat)
    return (yield from answer_by(READING, request, opened, tokens))


def opened_by(request: ModelRequest, question: Question, repeat: int) -> Answered:
    """The beginning of a dialogue: no answer yet."""
    system, task = (message.text for message in request.messages)
    return Answered(question.example_id, repeat, "failed", None, (), system, task)


def answer_by(
    task: Task[tuple[Any]], request: ModelRequest, before: Answered, tokens: int
) -> Dialogue[Answered]:
    """The answer that a last request gives; a reply that cannot be read is the answer as it is."""
    replies, outcome = yield from heard(task, request)
    turns = list(before.turns)
    for reply in replies:
        # Another reply follows one that cannot be read.
        error = reply.failure if reply.text is None else UNPARSABLE
        turns.append(Turn(len(turns) + 1, reply.text or "", error=error, **spent(reply)))
    if outcome.text is None:
        return replace(before, turns=tuple(turns), failure=outcome.failure or outcome.reason)
    read = outcome.read
    unread = isinstance(read, Fault)
    given = outcome.text if isinstance(read, Fault) else read[0]
    answer, was_cut = cut(given, tokens)
    turns[-1] = replace(turns[-1], call=Call(ANSWER, {"answer": given}), error=UNPARSABLE if unread else None)
    return replace(before, status="answered", answer=answer, was_cut=was_cut, turns=tuple(turns))


def heard(task: Task[T], request: ModelRequest) -> Dialogue[tuple[tuple[ModelReply, ...], Outcome[T]]]:
    """The replies to a request, and what was read: one that cannot be read goes back to the model once."""
    reply = yield request
    outcome = task.outcome(reply)
    if reply.text is None or reply.truncated or not isinstance(outcome.read, Fault):
        return (reply,), outcome
    again = yield task.repair(request, reply.text, outcome.read)
    second = task.outcome(again)
    return (reply, again), outcome if isinstance(second.read, Fault) else second


def titles(question: Question, papers: Mapping[str, PaperText]) -> dict[str, Any]:
    """The titles of the papers that the question names."""
    return _shown([{"title": _title(paper, papers), "text": ""} for paper in question.anchors])


def abstracts(question: Question, papers: Mapping[str, PaperText]) -> dict[str, Any]:
    """Their titles and abstracts."""
    return _shown(
        [
            {"title": _title(paper, papers), "text": papers[paper].abstract if paper in papers else ""}
            for paper in question.anchors
        ]
    )


def beginnings(question: Question, papers: Mapping[str, PaperText], tokens: int) -> dict[str, Any]:
    """Their titles and texts, cut so that all have so many tokens at most.

    Each paper has an equal share, and what short papers leave of theirs.
    """
    texts = {paper: papers[paper].text if paper in papers else "" for paper in question.anchors}
    cut_texts: dict[str, str] = {}
    left = tokens
    # The shortest first: what it leaves is for the others.
    for place, paper in enumerate(sorted(texts, key=lambda paper: len(texts[paper]))):
        cut_texts[paper] = first_tokens(texts[paper], left // (len(texts) - place))
        left -= token_counts([cut_texts[paper]])[0]
    return _shown([{"title": _title(paper, papers), "text": cut_texts[paper]} for paper in question.anchors])


def passages(question: Question, papers: Mapping[str, PaperText], found: Sequence[Found]) -> dict[str, Any]:
    """Their titles, and what was retrieved."""
    shown = titles(question, papers)
    shown["passages"] = [
        {
            "title": _title(one.pdf_id, papers),
            "page": one.page_number if one.page_number > 0 else None,
            "text": one.text,
        }
        for one in found
    ]
    return shown


def _shown(papers: list[dict[str, str]]) -> dict[str, Any]:
    return {"papers": papers, "passages": []}


def _title(paper: str, papers: Mapping[str, PaperText]) -> str:
    """The title; the id of a paper that the store lacks."""
    return papers[paper].title if paper in papers else paper

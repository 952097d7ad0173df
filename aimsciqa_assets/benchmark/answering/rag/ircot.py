"""IRCoT (Trivedi et al. 2023): each sentence of a chain of thought is the next query.

The papers of all searches are merged, the best score first. The chain ends with its answer or after so many
sentences; then a reader answers from the merged papers.
"""

import re
from collections.abc import Iterable
from typing import Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.benchmark.answering.rag.inquiry import Found, Inquiry
from aimsciqa_assets.benchmark.answering.rag.standard import answer_from
from aimsciqa_assets.benchmark.answering.rag.tasks import THOUGHT
from aimsciqa_assets.text.sentences import first_sentence

_ANSWER: Final = re.compile(r"\bthe answer is\b:?\s*(\S.*)", re.IGNORECASE | re.DOTALL)


def ircot(inquiry: Inquiry) -> Dialogue[str]:
    """The answer at the end of the chain of thought, or else from the papers that it led to."""
    found = inquiry.search(inquiry.question)
    thoughts: list[str] = []
    for _ in range(inquiry.limits.iterations):
        shown = inquiry.shown(found)
        reply = yield from inquiry.ask("thought", THOUGHT, shown, thoughts=" ".join(thoughts))
        thought = first_sentence(reply.text or "")
        if answer := _ANSWER.search(thought):
            return answer[1]
        thoughts.append(thought)
        found = merged([*found, *inquiry.search(thought)])
    return (yield from answer_from(inquiry, found))


def merged(found: Iterable[Found]) -> list[Found]:
    """Each paper once, with its highest score; the best first, of equal ones the smaller id."""
    best: dict[str, Found] = {}
    for one in found:
        if one.paper_id not in best or one.score > best[one.paper_id].score:
            best[one.paper_id] = one
    return sorted(best.values(), key=lambda one: (-one.score, one.paper_id))

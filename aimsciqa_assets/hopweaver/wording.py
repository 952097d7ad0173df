"""Rules on the wording of bridge questions: what they may name, and that they need the bridge.

They hold where the first hop rests on the quote (`FIRST_HOP=quote`). A rule that is broken is a `Fault`:
its complaint goes back to the model.
"""

import re
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.constraints import broken_fusion, same
from aimsciqa_assets.hopweaver.documents import Document, plain
from aimsciqa_assets.hopweaver.drafts import Draft
from aimsciqa_assets.hopweaver.evidence import beyond, holds_answer
from aimsciqa_assets.hopweaver.replies import Declined, Fusion, SubQuestions

QUESTION_BEYOND_EVIDENCE: Final = "question_beyond_evidence"
UNQUOTED_FIRST: Final = "unquoted_first_question"
UNQUOTED_SECOND: Final = "unquoted_second_question"
DEICTIC: Final = "deictic_question"
SECOND_NAMED: Final = "second_document_named"
POLISHED_BEYOND_EVIDENCE: Final = "polished_beyond_evidence"
POLISHED_ANSWER: Final = "polished_answer_not_in_quote"
FOUND_WITHOUT_BRIDGE: Final = "found_without_bridge"
FOUND_BY_QUESTION: Final = "found_by_question"

_DEICTIC: Final = re.compile(
    r"\b(?:this|these|(?:the|our) (?:present |current )?(?:study|paper|article|document|passage|authors))\b",
    re.IGNORECASE,
)
_COMPLAINTS: Final = {
    "entity_in_question": "the question names the bridge",
    "wrong_fused_answer": "its answer is not the answer to the second sub-question",
}


def masked(question: str, name: str) -> str:
    """The question without the words of a name."""
    left_out = set(plain(name).split())
    return " ".join(
        word for word in question.split() if not set(plain(re.sub(r"['’]s\b", "", word)).split()) <= left_out
    )


def fault_of_hops(
    said: SubQuestions, entity: str, quotes: tuple[str, str]
) -> Fault[SubQuestions | Declined] | None:
    """A sub-question says a name or a number that its quote lacks, or points at a document."""
    if untold := beyond(said.question_1, quotes[:1]):
        complaint = (
            f"sub-question 1 says {', '.join(untold)}, and the quote of document A does not; ask by what "
            "that quote alone says"
        )
        return Fault(UNQUOTED_FIRST, complaint, said)
    if untold := beyond(said.question_2, (entity, quotes[1])):
        complaint = f"sub-question 2 says {', '.join(untold)}, and the document B quote does not"
        return Fault(UNQUOTED_SECOND, complaint, said)
    for question in (said.question_1, said.question_2):
        if pointing := _DEICTIC.search(question):
            return Fault(DEICTIC, _pointing(pointing[0]), said)
    return None


def unneeded_bridge(said: SubQuestions, entity: str) -> Fault[SubQuestions | Declined]:
    """What the model is told of a second question that finds its document without the bridge."""
    complaint = (
        f'a search for sub-question 2 without the name, "{masked(said.question_2, entity)}", finds document '
        f'B first, so that nobody needs "{entity}". Ask for a plainer fact of it, in fewer and more general '
        "words, such as when, where or by whom"
    )
    return Fault(FOUND_WITHOUT_BRIDGE, complaint, said)


def skipped_bridge(fused: Fusion) -> Fault[Fusion | Declined]:
    """What the model is told of a question that finds the second document by itself."""
    complaint = (
        f'a search for "{fused.question}" finds document B among the first, so that nobody needs the bridge. '
        "Leave out names, dates and words that both documents share, or reply with NONE"
    )
    return Fault(FOUND_BY_QUESTION, complaint, fused)


def fault_of_fusion(
    fused: Fusion | Declined, said: SubQuestions, entity: str, quote: str, second: Document
) -> Fault[Fusion | Declined] | None:
    """The fused question says what neither the quote nor question 2 says, or leads to the document itself."""
    if isinstance(fused, Declined):
        return None
    question = fused.question
    if broken := broken_fusion(question, fused.answer, entity, said.answer_2):
        return Fault(broken, _COMPLAINTS[broken], fused)
    if untold := beyond(question, (quote, masked(said.question_2, entity))):
        complaint = f"it says {', '.join(untold)}, and neither quote A nor sub-question 2 does"
        return Fault(QUESTION_BEYOND_EVIDENCE, complaint, fused)
    outside = beyond(question, (second.title,))
    # A word that quote A or document B writes in lower case is no name: "weir" in the title "Salter's Weir".
    common = {word for word in re.findall(r"\w+", f"{quote} {second.text}") if word.islower()}
    known = [
        word
        for word in beyond(question, ())
        if word not in outside and not word[0].isdigit() and word.lower() not in common
    ]
    if known:
        complaint = f"it says {', '.join(known)}, which stands in the title of document B and gives it away"
        return Fault(SECOND_NAMED, complaint, fused)
    if pointing := _DEICTIC.search(question):
        return Fault(DEICTIC, _pointing(pointing[0]), fused)
    return None


def broken_rewording(draft: Draft) -> str | None:
    """Why a bridge question that the polisher changed is none.

    It has a name or number that neither quote A nor a sub-question has, so that it may lead to document B; it
    points at a document; or quote B does not hold its answer.
    """
    question_1, _, question_2, answer_2 = draft.hops
    if beyond(draft.question, (draft.first_evidence, question_1, masked(question_2, draft.entity_a))):
        return POLISHED_BEYOND_EVIDENCE
    if _DEICTIC.search(draft.question):
        return DEICTIC
    if not same(draft.answer, answer_2) and not holds_answer(draft.second_evidence, draft.answer):
        return POLISHED_ANSWER
    return None


def _pointing(word: str) -> str:
    return f'a question says "{word}"; a reader who knows no document does not know what that is'

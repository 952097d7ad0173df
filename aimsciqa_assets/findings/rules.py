"""Rules that every question of Findings has to pass, whatever a model says of it (spec 5, stage 9)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from aimsciqa.measures.computing import ComputationError, Known, agrees, computed, names_in, sql_of
from aimsciqa.measures.facts import Fact, Sources
from aimsciqa.measures.numbers import has_numbers
from aimsciqa_assets.findings.wording import Wording

CLOSED: Final = re.compile(
    r"\s*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|might)\b"
    r"|.*\bwhich (?:of (?:the )?(?:two|these|both)|(?:one|paper|study) (?:is|was|has|had|reports?))\b"
    r"|.*\b(?:higher|lower|larger|smaller|more|less|fewer) (?:in|at|among|for) [^,?]+ or (?:in|at|among)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Questions that a word answers."""
_ORDINALS: Final = re.compile(r"\b(?:F|f|P|T|C)\d+\b|\bpaper [A-Z]\b")
NEEDS: Final = {
    "replication": ("within", "overlap"),
    "set_comparison": ("rank", "highest", "lowest", "minimum", "maximum", "count", "mean", "total"),
}
"""The functions of which a computation of the type has to use one."""


def form_fault(question: str, answer: str, words: int) -> str | None:
    """Return what is wrong with the form of a question or an answer; None if nothing is."""
    if not question.strip() or not answer.strip():
        return "empty_question"
    if not question.strip().endswith("?"):
        return "not_a_question"
    if CLOSED.match(question):
        return "closed_question"
    if len(question.split()) > words:
        return "long_question"
    if _ORDINALS.search(question) or _ORDINALS.search(answer):
        return "mark_in_text"
    return None


def rule_faults(wording: Wording, titles: Sequence[str], words: int) -> Iterator[str]:
    """Yield the reasons why a wording cannot be an item: form, title, numbers, computations, kinds."""
    fault = form_fault(wording.question, wording.answer, words)
    if fault:
        yield fault
    if len(wording.papers) < 2:
        yield "one_paper"
    if any(_holds(wording.question, title) for title in titles):
        yield "title_in_question"
    for fact in wording.facts:
        if not has_numbers(fact.evidence, fact.amount):
            yield "value_not_in_quote"
    yield from _computation_faults(wording)
    _, unsupported = _sources(wording).support(wording.answer, exact=True)
    if unsupported:
        yield "unsupported_number"
    needed = NEEDS.get(wording.type, ())
    proofs = [
        part.expression
        for part in wording.computations
        if any(f"{name}(" in part.expression for name in needed)
    ]
    # What is said of a set is a query over its facts, too.
    if needed and not any(sql_of(proof, "") or wording.type != "set_comparison" for proof in proofs):
        yield "no_computation"
    if wording.type == "set_comparison" and len(wording.papers) < 3:
        yield "set_of_two"


def _computation_faults(wording: Wording) -> Iterator[str]:
    known = [Known.of(fact.amount, fact.evidence) for fact in wording.facts]
    for computation in wording.computations:
        try:
            result = computed(computation.expression, known)
        except ComputationError:
            yield "computation_fails"
            continue
        if not names_in(computation.expression):
            yield "computation_without_facts"
        elif not agrees(result, computation.result):
            yield "computation_disagrees"


def _sources(wording: Wording) -> Sources:
    facts = [Fact(fact.amount, fact.unit, fact.evidence) for fact in wording.facts]
    return Sources(wording.question, facts, [part.result for part in wording.computations])


def _holds(question: str, title: str) -> bool:
    """Say whether a question holds a title, or eight consecutive words of it."""
    asked = _words(question)
    words = _words(title).split()
    if len(words) < 4:
        return False
    runs = [" ".join(words[at : at + 8]) for at in range(max(1, len(words) - 7))]
    return any(f" {run} " in f" {asked} " for run in runs)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))

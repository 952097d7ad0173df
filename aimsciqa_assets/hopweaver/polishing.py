"""The polisher: a model that accepts a question, mends its wording, writes it anew, or rejects it.

A reply opens with one of four tags, as they are written here; of several the first counts. What a reply does
not change stays as it was: an ADJUST without an answer keeps answer and question.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.hopweaver.delimited import named_values
from aimsciqa_assets.hopweaver.dialogues import asked_until
from aimsciqa_assets.hopweaver.drafts import Draft, common_of
from aimsciqa_assets.hopweaver.strict_reading import NOTHING_SHARED, Reading
from aimsciqa_assets.hopweaver.tasks import having
from aimsciqa_assets.platform.identity import row_id

Tag = Literal["PASS", "ADJUST", "REWORKED", "REJECTED"]
ERROR: Final = "ERROR"
UNREADABLE: Final = "unreadable_polishing"

PATH, QUESTION, ANSWER = "REFINED_REASONING_PATH", "REFINED_QUESTION", "REFINED_ANSWER"
ATTRIBUTE, REASON = "REFINED_ATTRIBUTE", "REASON"
FACT_A, FACT_B = "REFINED_FACT_A", "REFINED_FACT_B"
BRIDGE_NAMES: Final = (PATH, QUESTION, ANSWER)
_COMPARISON_NAMES: Final = (ATTRIBUTE, QUESTION, ANSWER, FACT_A, FACT_B)
_TAG: Final = re.compile(r"\[(PASS|ADJUST|REWORKED|REJECTED)\]")
_LINE: Final = 'line ::= [^\\n]+ "\\n"\n'


@dataclass(frozen=True, slots=True)
class Polishing:
    """What the polisher said. Texts that it did not give are None; `reason` is why it rejected."""

    tag: Tag
    question: str | None = None
    answer: str | None = None
    reasoning_path: str | None = None
    fact_a: str | None = None
    fact_b: str | None = None
    attribute: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Polished:
    """A draft after polishing: `status` as in `hopweaver.items`, what became of the draft, the last reply.

    `before` is the draft as it was, where it may have changed. `failure` says why the model gave no reply.
    `found`: a search for the changed question finds the second document. `guess` is what makes the changed
    answer a guess by the settings. `reading` is what the strict reader said; None where it was not asked.
    """

    status: str
    draft: Draft
    reason: str | None = None
    reply: str | None = None
    failure: str | None = None
    found: bool = False
    guess: str | None = None
    before: Draft | None = None
    reading: Reading | None = None


def tag_of(text: str) -> Tag | None:
    """The outcome that a reply names first."""
    found = _TAG.search(text)
    return cast(Tag, found[1]) if found else None


def read_bridge_polishing(text: str) -> Polishing | Fault[Polishing]:
    """A reply about a bridge question: a change has path and question, and an answer if it is a new one."""
    tag = tag_of(text)
    said = _said(text, (*BRIDGE_NAMES, REASON))
    if tag is None:
        return _no_tag()
    if tag in ("PASS", "REJECTED"):
        return Polishing(tag, reason=said.get(REASON))
    needed = BRIDGE_NAMES if tag == "REWORKED" else BRIDGE_NAMES[:2]
    return _missing(said, needed) or Polishing(tag, said[QUESTION], said.get(ANSWER), said[PATH])


def read_comparison_polishing(text: str) -> Polishing | Fault[Polishing]:
    """A reply about a comparison: a new question needs its answer, a wording does not."""
    tag = tag_of(text)
    said = _said(text, (*_COMPARISON_NAMES, REASON))
    if tag is None:
        return _no_tag()
    if tag in ("PASS", "REJECTED"):
        return Polishing(tag, reason=said.get(REASON))
    needed = (QUESTION, ANSWER) if tag == "REWORKED" else (() if ANSWER in said else (QUESTION,))
    return _missing(said, needed) or Polishing(
        tag,
        said.get(QUESTION),
        said.get(ANSWER),
        fact_a=said.get(FACT_A),
        fact_b=said.get(FACT_B),
        attribute=said.get(ATTRIBUTE),
    )


def _said(text: str, names: Sequence[str]) -> dict[str, str]:
    """What stands behind the names; nothing for a name with nothing behind it."""
    return {name: value for name, value in named_values(text, names, anywhere=True).items() if value}


def _no_tag() -> Fault[Polishing]:
    return Fault(UNREADABLE, "it names none of [PASS], [ADJUST], [REWORKED] and [REJECTED]")


def _missing(said: dict[str, str], names: Sequence[str]) -> Fault[Polishing] | None:
    missing = [name for name in names if name not in said]
    return Fault(UNREADABLE, f"it has nothing after {', '.join(missing)}") if missing else None


def _grammar(adjusted: Sequence[str], reworked: Sequence[str]) -> str:
    lines = {
        name: " ".join(f'"{line}: " line' for line in names)
        for name, names in (("ADJUST", adjusted), ("REWORKED", reworked), ("REJECTED", [REASON]))
    }
    changed = " | ".join(f'"[{name}]\\n" {body}' for name, body in lines.items())
    return f'root ::= "[PASS]" | {changed}\n{_LINE}'


BRIDGE_POLISHER: Final = Task[Polishing](
    "hopweaver_bridge_polisher", _grammar(BRIDGE_NAMES, BRIDGE_NAMES), read_bridge_polishing
)
COMPARISON_POLISHER: Final = Task[Polishing](
    "hopweaver_comparison_polisher",
    _grammar((QUESTION, ANSWER), _COMPARISON_NAMES),
    read_comparison_polishing,
    shown=having(**NOTHING_SHARED, most_years=0),
)
POLISHERS: Final = {"bridge": BRIDGE_POLISHER, "comparison": COMPARISON_POLISHER}


def polished(draft: Draft, tries: int, most_years: int = 0) -> Dialogue[Polished]:
    """Ask the polisher until its reply can be read, `tries` times at most."""
    told = _told(draft, most_years)
    asked = yield from asked_until(
        POLISHERS[draft.kind], row_id("polish", draft.attempt_id), told, _anything, tries
    )
    reply = asked.turns[-1].reply
    if asked.value is None:
        return Polished("error", draft, asked.reason, reply, asked.failure)
    said = asked.value
    if said.tag == "REJECTED":
        return Polished("rejected", draft, said.reason, reply)
    return Polished(said.tag.lower(), _changed(draft, said), None, reply, before=draft)


def _anything(_said: Polishing) -> None:
    """Whatever could be read is taken; what it must hold is decided with the item."""


def _changed(draft: Draft, said: Polishing) -> Draft:
    """The draft with what the reply changes; an adjusted wording changes neither facts nor attribute."""
    facts = draft.first_passage, draft.second_passage
    if said.tag == "REWORKED":
        facts = said.fact_a or facts[0], said.fact_b or facts[1]
        draft = replace(draft, attribute=said.attribute or draft.attribute)
    return replace(
        draft,
        question=said.question or draft.question,
        answer=said.answer or draft.answer,
        reasoning_path=said.reasoning_path or draft.reasoning_path,
        first_passage=facts[0],
        second_passage=facts[1],
    )


def _told(draft: Draft, most_years: int) -> dict[str, Any]:
    """The variables of the prompt of its kind."""
    told = {"question": draft.question, "answer": draft.answer}
    if draft.kind == "bridge":
        hops = dict(zip(("question_1", "answer_1", "question_2", "answer_2"), draft.hops, strict=True))
        segments = {"segment_a": draft.first_passage, "segment_b": draft.second_passage}
        quotes = {"quote_a": draft.first_evidence, "quote_b": draft.second_evidence}
        return told | hops | segments | quotes | {"reasoning_path": draft.reasoning_path}
    return told | {
        "attribute": draft.attribute,
        "entity_a": draft.entity_a,
        "fact_a": draft.first_passage,
        "passage_a": draft.first_evidence,
        "entity_b": draft.entity_b,
        "fact_b": draft.second_passage,
        "passage_b": draft.second_evidence,
        **common_of(draft),
        **({"most_years": most_years} if most_years else {}),
    }

"""The strict reader: a model that reads a finished question with its two quotes, and may reject it.

It solves the question from the quotes, then says yes or no to each check of its kind. Any "no" rejects.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.hopweaver.delimited import named_values, without_marks
from aimsciqa_assets.hopweaver.drafts import Draft, Kind, common_of
from aimsciqa_assets.hopweaver.tasks import having
from aimsciqa_assets.platform.identity import row_id

UNREADABLE_READING: Final = "reader_unreadable"
SOLUTION: Final = "SOLUTION"
_OF_BOTH: Final = {
    "ANSWERABLE": "reader_unanswerable",
    "RIGHT": "reader_wrong_or_other_answer",
    "BOTH_NEEDED": "reader_one_document_enough",
    "IDENTIFIED": "reader_unidentified_name",
    "PLAUSIBLE": "reader_nobody_asks",
}
REASONS: Final[Mapping[Kind, Mapping[str, str]]] = {
    "bridge": _OF_BOTH,
    "comparison": {**_OF_BOTH, "COMPARABLE": "reader_not_comparable", "KIN": "reader_no_kin"},
}
"""The checks of each kind in their order, each with the reason that a "no" gives."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader said: its own solution, and the checks that failed, in their order.

    `reason` is that of the first of them, or that the reply cannot be read; `failure` says why there is none.
    """

    solution: str = ""
    failed: tuple[str, ...] = ()
    reason: str | None = None
    reply: str | None = None
    failure: str | None = None

    @property
    def status(self) -> Literal["passed", "failed", "error"]:
        """As in `hopweaver.readings`."""
        if self.failure or self.reason == UNREADABLE_READING:
            return "error"
        return "failed" if self.failed else "passed"


def _read(kind: Kind, text: str) -> Reading | Fault[Reading]:
    """A reply with a clear yes or no to each check."""
    reasons = REASONS[kind]
    said = named_values(without_marks(text), (SOLUTION, *reasons))
    verdicts = {name: _verdict(said.get(name, "")) for name in reasons}
    if unclear := [name for name, verdict in verdicts.items() if verdict is None]:
        return Fault(UNREADABLE_READING, f"it says neither yes nor no after {', '.join(unclear)}")
    failed = tuple(name for name, verdict in verdicts.items() if not verdict)
    return Reading(said.get(SOLUTION, ""), failed, reasons[failed[0]] if failed else None, text)


def _verdict(said: str) -> bool | None:
    first = said.replace(",", " ").replace(".", " ").replace(":", " ").replace("*", " ").split()[:1]
    return {"yes": True, "no": False}.get(first[0].lower()) if first else None


def read_bridge_reading(text: str) -> Reading | Fault[Reading]:
    """A reply about a bridge question."""
    return _read("bridge", text)


def read_comparison_reading(text: str) -> Reading | Fault[Reading]:
    """A reply about a comparison."""
    return _read("comparison", text)


def _grammar(kind: Kind) -> str:
    lines = " ".join(f'"{name}: " verdict' for name in REASONS[kind])
    return (
        f'root ::= "{SOLUTION}: " line {lines}\n'
        'verdict ::= "yes" "\\n" | "no, " line\nline ::= [^\\n]+ "\\n"\n'
    )


NOTHING_SHARED: Final = {"in_common": "", "common_a": "", "common_b": ""}
"""The variables of what two subjects share, for a comparison of which that was not asked."""

READERS: Final = {
    "bridge": Task[Reading]("hopweaver_bridge_reader", _grammar("bridge"), read_bridge_reading),
    "comparison": Task[Reading](
        "hopweaver_comparison_reader",
        _grammar("comparison"),
        read_comparison_reading,
        shown=having(**NOTHING_SHARED),
    ),
}


def read_strictly(draft: Draft, titles: Mapping[str, str]) -> Dialogue[Reading]:
    """Ask the reader once; a reply that cannot be read goes back once."""
    outcome = yield from READERS[draft.kind].ask(row_id("read", draft.attempt_id), **_told(draft, titles))
    if not isinstance(outcome.read, Fault):
        return outcome.read
    return Reading(reason=UNREADABLE_READING, reply=outcome.text, failure=outcome.failure)


def _told(draft: Draft, titles: Mapping[str, str]) -> dict[str, Any]:
    told = {
        "question": draft.question,
        "answer": draft.answer,
        "title_a": titles.get(draft.first_paper_id, ""),
        "quote_a": draft.first_evidence,
        "title_b": titles.get(draft.second_paper_id, ""),
        "quote_b": draft.second_evidence,
    }
    if draft.kind == "bridge":
        names = ("question_1", "answer_1", "question_2", "answer_2")
        return told | dict(zip(names, draft.hops, strict=True))
    return told | {
        "attribute": draft.attribute,
        "entity_a": draft.entity_a,
        "fact_a": draft.first_passage,
        "entity_b": draft.entity_b,
        "fact_b": draft.second_passage,
        **common_of(draft),
    }

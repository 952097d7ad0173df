"""Step 4: the comparison that a document allows: a question with its answer, facts, quotes and paragraphs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.delimited import bare, named_values, without_marks

NO_PAIR: Final = "no_comparable_pair"

FIELDS: Final[Mapping[str, Sequence[str]]] = {
    "entity_a": (),
    "entity_b": (),
    "attribute_compared": ("attribute",),
    "multi_hop_question": ("question",),
    "answer": (),
    "fact_entity_a": ("fact_a",),
    "fact_entity_b": ("fact_b",),
    "relevant_paragraph_a": (),
    "relevant_paragraph_b": (),
}
"""The nine fields that a comparison has, with other names that models give them."""
QUOTES: Final[Mapping[str, Sequence[str]]] = dict.fromkeys(
    ("quote_a", "quote_b", "in_common", "common_quote_a", "common_quote_b"), ()
)
"""What our prompt asks for besides: the words of the documents that carry facts, and what the two share."""

_ALL: Final = {other: name for name, others in {**FIELDS, **QUOTES}.items() for other in (name, *others)}
_FAIL = re.compile(r"\W*(?:(?i:result|status|verdict)\s*:\W*)?FAIL(?:ED)?\b\W*")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question that compares two entities, as the model wrote it; quotes are empty where it gave none.

    `in_common` is what the two share besides their kind, and the quotes that say so.
    """

    entity_a: str
    entity_b: str
    attribute_compared: str
    multi_hop_question: str
    answer: str
    fact_entity_a: str
    fact_entity_b: str
    relevant_paragraph_a: str
    relevant_paragraph_b: str
    quote_a: str = ""
    quote_b: str = ""
    in_common: str = ""
    common_quote_a: str = ""
    common_quote_b: str = ""


@dataclass(frozen=True, slots=True)
class NoPair:
    """The model found nothing in the document to compare; `why` is its word, perhaps empty."""

    why: str


Built = Comparison | NoPair


def read_question(text: str) -> Built | Fault[Built]:
    """Read the reply to the fourth step; the word PASS may be missing when all fields are there."""
    written = without_marks(text)
    refused = _FAIL.match(written)
    if refused:
        return NoPair(written[refused.end() :].strip())
    values = values_in(written)
    missing = _missing(values)
    if missing:
        # All in one line, perhaps: that counts only if it gives everything.
        values = values_in(written, anywhere=True)
        if _missing(values):
            return Fault(
                f"missing_field:{missing[0]}", f"it lacks {', '.join(missing)}, and does not say FAIL"
            )
    values |= {name: bare(values.get(name, "")) for name in QUOTES}
    return Comparison(**values)


def values_in(text: str, *, anywhere: bool = False) -> dict[str, str]:
    """The values of a comparison by field, whichever of its names a field goes by."""
    found = named_values(text, _ALL, anywhere=anywhere)
    return {_ALL[name]: value for name, value in reversed(found.items()) if value}


def _missing(values: Mapping[str, str]) -> list[str]:
    return [name for name in FIELDS if not values.get(name)]

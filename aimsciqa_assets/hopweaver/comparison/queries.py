"""Step 3: what to search for, and how the lists of several queries become one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, TypeVar

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.names import same_name
from aimsciqa_assets.hopweaver.comparison.subjects import Attribute, Subject
from aimsciqa_assets.hopweaver.delimited import records, without_marks

RECOMMENDED: Final = "recall_focused_verify"
DIVERSIFIED: Final = "search_queries"
NO_QUERIES: Final = "no_queries"
HOW_MANY: Final = 3

_SHORTEST = 10
_LABELS: Final = ("1.", "2.", "3.", "query 1:", "query 2:", "query 3:", "query:", "- ")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An entity to compare with (direct recommendation), the attribute, and the query for its value."""

    entity: str
    attribute: str
    query: str

    @property
    def queries(self) -> tuple[str, ...]:
        """What is searched for."""
        return (self.query,)


@dataclass(frozen=True, slots=True)
class Diversified:
    """Three queries; `templated` says that they were made by rule, since the model gave none."""

    queries: tuple[str, ...]
    templated: bool = False


Queries = Recommendation | Diversified


def read_queries(text: str) -> Queries | Fault[Queries]:
    """Read the reply to the third step: a recommendation, or three queries, as records or line by line."""
    for one in records(text, (RECOMMENDED, DIVERSIFIED)):
        given = [field for field in one.fields if field]
        if len(given) >= HOW_MANY and one.tag == RECOMMENDED and len(given) == len(one.fields):
            return Recommendation(*given[:HOW_MANY])
        if len(given) >= HOW_MANY and one.tag == DIVERSIFIED:
            return Diversified(tuple(given[:HOW_MANY]))
    written = without_marks(text)
    lines = [line for line in queries_in_lines(written) if not line.endswith(":")]
    if "<|" not in written and len(lines) >= HOW_MANY:
        return Diversified(tuple(lines[:HOW_MANY]))
    return Fault(NO_QUERIES, f'it has neither three queries behind "{DIVERSIFIED}" nor a recommendation')


def fault_of(queries: Queries, subject: Subject, attributes: Sequence[Attribute]) -> Fault[Queries] | None:
    """What is wrong with queries that could be read."""
    if not isinstance(queries, Recommendation):
        return None
    if same_name(queries.entity, subject.name):
        return Fault("recommends_the_subject", "the entity that it recommends is the subject itself", queries)
    if not any(same_name(queries.attribute, one.name) for one in attributes):
        return Fault("unknown_attribute", f"the list has no attribute {queries.attribute!r}", queries)
    return None


def templates(subject: Subject) -> Diversified:
    """Three queries by rule, for a reply without any."""
    kind = subject.type.lower()
    queries = (
        f"Other {kind} similar to {subject.name}",
        f"Famous {kind} with characteristics like {subject.name}",
        f"Notable {kind} in the same field as {subject.name}",
    )
    return Diversified(queries, templated=True)


def queries_in_lines(text: str) -> list[str]:
    """Queries that stand line by line, numbered or quoted; nothing where the text speaks of no query."""
    if not re.search("query|search", text, re.IGNORECASE):
        return []
    cleaned = (_unlabelled(line) for line in map(str.strip, text.split("\n")) if _may_be_query(line))
    return [line for line in cleaned if len(line) > _SHORTEST]


def merged(lists: Sequence[Sequence[T]], *, truncated_to: int | None = None) -> list[T]:
    """One list without duplicates.

    The first of each list come first, then the second of each: so every query contributes. With
    `truncated_to`, the lists follow each other and the whole is cut, as in the authors' code: queries two and
    three then hardly ever contribute.
    """
    ordered = _in_turn(lists) if truncated_to is None else (one for each in lists for one in each)
    return list(dict.fromkeys(ordered))[:truncated_to]


def _in_turn(lists: Sequence[Sequence[T]]) -> Iterator[T]:
    nothing = object()
    for rank in zip_longest(*lists, fillvalue=nothing):
        yield from (one for one in rank if one is not nothing)  # type: ignore[misc]


def _may_be_query(line: str) -> bool:
    return bool(re.search("[:\"']", line)) and not line.startswith(("*", "#"))


def _unlabelled(line: str) -> str:
    """The line without numbers and labels in front, and without quotes around it."""
    for label in _LABELS:
        if line.lower().startswith(label):
            line = line[len(label) :].strip()
    return line.strip("\"'").strip()

"""The sets that the authors evaluate: questions as they were made, and as they were polished (formats 2.4).

The documents of a question are those that judges are shown: the two segments of a bridge question, the two
facts of a comparison. Sampled baselines (HotpotQA, 2Wiki, MuSiQue) have more documents, as "title: text".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.hopweaver.formats.objects import FormatError, Shape, text_of
from aimsciqa_assets.hopweaver.formats.results import (
    CHANGED,
    PASSED,
    BridgeResult,
    ComparisonResult,
    PolishResult,
)

_DOCUMENT: Final = re.compile(r"document(\d+)")
_COMPARED: Final = ("entity_a", "entity_b", "attribute_compared")
_SAMPLED: Final = ("question_type", "level")


@dataclass(frozen=True, slots=True)
class Example:
    """A question of such a set; `status` is there for polished ones, `more` has the fields of its kind."""

    id: str
    question: str
    answer: str
    documents: tuple[str, ...]
    status: str = ""
    more: tuple[tuple[str, str], ...] = ()


def example_shape(example: Example) -> Shape:
    """An example as the authors write it."""
    documents = {f"document{place}": text for place, text in enumerate(example.documents, start=1)}
    shape: Shape = {"id": example.id, "question": example.question, "answer": example.answer}
    more = dict(example.more)
    sampled = {name: more.pop(name) for name in _SAMPLED if name in more}
    return shape | sampled | documents | more | ({"status": example.status} if example.status else {})


def example(shape: Mapping[str, Any]) -> Example:
    """An example that was read. Raises `FormatError` for one without a question."""
    question = text_of(shape, "question")
    if not question:
        raise FormatError(f"The example {text_of(shape, 'id')!r} has no question.")
    numbers = sorted(int(found[1]) for name in shape if (found := _DOCUMENT.fullmatch(name)))
    return Example(
        text_of(shape, "id"),
        question,
        text_of(shape, "answer"),
        tuple(text_of(shape, f"document{number}") for number in numbers),
        text_of(shape, "status"),
        tuple((name, text_of(shape, name)) for name in (*_COMPARED, *_SAMPLED) if name in shape),
    )


def originals(results: Iterable[BridgeResult | ComparisonResult]) -> Iterator[Example]:
    """The questions as they were made: `orig_1`, `orig_2` and so on."""
    for number, result in enumerate(results, start=1):
        yield Example(
            f"orig_{number}", result.question, result.answer, _documents(result, None), "", _more(result)
        )


def polished_ones(results: Iterable[BridgeResult | ComparisonResult]) -> Iterator[Example]:
    """Those that the polisher passed, as they are, and those that it changed, as it changed them.

    `pass_3` and `polish_4` are the third and the fourth result. Rejected ones, and those of which it said
    nothing that could be read, are left out. What it did not write stays.
    """
    for number, result in enumerate(results, start=1):
        polish = result.polish
        if polish is not None and polish.status in (PASSED, *CHANGED):
            begins = "pass" if polish.status == PASSED else "polish"
            changed = polish if polish.status in CHANGED else PolishResult(PASSED)
            yield Example(
                f"{begins}_{number}",
                changed.question or result.question,
                changed.answer or result.answer,
                _documents(result, changed),
                polish.status,
                _more(result),
            )


def file_name(name: str, retrieval: str, made_at: str, version: str) -> str:
    """`wiki_mhqa_diverse_20261122_204500_polished.json`; `name` may be empty."""
    return f"{f'{name}_' if name else ''}mhqa_{retrieval}_{made_at}_{version}.json"


def _documents(result: BridgeResult | ComparisonResult, polish: PolishResult | None) -> tuple[str, str]:
    if isinstance(result, BridgeResult):
        return result.segment_a, result.segment_b
    first, second = (polish.fact_a, polish.fact_b) if polish else ("", "")
    return first or result.fact_a, second or result.fact_b


def _more(result: BridgeResult | ComparisonResult) -> tuple[tuple[str, str], ...]:
    if isinstance(result, BridgeResult):
        return ()
    values = (result.entity_a, result.entity_b, result.attribute)
    return tuple(zip(_COMPARED, values, strict=True))

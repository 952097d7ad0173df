"""What is wrong with examples, by the rules of the benchmark; of its evaluator, `defects` tells.

The benchmark's own checker misses a rule, because it asks for a tag that no example has: that a question
without a paper names a conference, and no paper, which would give the answer away.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final
from uuid import UUID

from aimsciqa_assets.airqa.examples.defects import defects_of
from aimsciqa_assets.airqa.examples.example import TAG_FAMILIES, WITHOUT_PAPER, Example

_CONFERENCE: Final = re.compile(r"[a-z]+[0-9]{4}|uncategorized")
_EXACTLY_ONE: Final = ("type", "evaluation")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an example: `rule` in one word, for counting, and what it means here."""

    uuid: str
    rule: str
    told: str


def problems_of(examples: Sequence[Example]) -> list[Problem]:
    """All problems of all examples, in their order."""
    found: list[Problem] = []
    times = Counter(example.uuid for example in examples)
    for example in examples:
        repeated = (
            [("repeated_uuid", f"{times[example.uuid]} examples have it")] if times[example.uuid] > 1 else []
        )
        rules = (_fields(example), _tags(example), _papers(example), defects_of(example.evaluator_shape))
        found += [Problem(example.uuid, rule, told) for one in (repeated, *rules) for rule, told in one]
    return found


def _fields(example: Example) -> Iterator[tuple[str, str]]:
    """Fields that must not be empty."""
    for name in ("uuid", "question"):
        if not getattr(example, name).strip():
            yield "empty_field", f"{name} is empty"
    if not example.evaluator.eval_func.strip() or not example.evaluator.eval_kwargs:
        yield "empty_field", "evaluator has no function, or nothing to call it with"
    if example.uuid.strip() and not _is_uuid(example.uuid):
        yield "malformed_uuid", f"{example.uuid!r} is no UUID"


def _tags(example: Example) -> Iterator[tuple[str, str]]:
    """One type and one kind of evaluation; one element or more; nothing else."""
    if not example.tags:
        yield "empty_field", "tags is empty"
        return
    for family, tags in TAG_FAMILIES.items():
        have = example.tags_of(family)
        if not have:
            yield "missing_tag", f"it has none of {', '.join(tags)}"
        elif len(have) > 1 and family in _EXACTLY_ONE:
            yield "too_many_tags", f"it is {' and '.join(have)}, and can only be one of them"
    known = [tag for tags in TAG_FAMILIES.values() for tag in tags]
    for tag in example.tags:
        if tag not in known:
            yield "unknown_tag", f"there is no tag {tag!r}{_near(tag, known)}"
    for tag, times in Counter(example.tags).items():
        if times > 1:
            yield "repeated_tag", f"{tag} stands there {times} times"


def _papers(example: Example) -> Iterator[tuple[str, str]]:
    """Where the answer is to be found."""
    papers = [*example.anchor_pdf, *example.reference_pdf]
    if not papers and not example.conference:
        yield "no_place", "anchor_pdf, reference_pdf and conference are all empty"
    for kind in example.tags_of("type"):
        if kind not in WITHOUT_PAPER:
            if example.conference:
                yield "needless_conference", f"a {kind} question has its papers and names no conference"
            continue
        if not example.conference:
            yield "missing_conference", f"a {kind} question names the conference to search in"
        if papers:
            yield (
                "given_away",
                f"a {kind} question names no paper: the papers in anchor_pdf or reference_pdf tell",
            )
    for paper in papers:
        if not _is_uuid(paper):
            yield "malformed_uuid", f"the paper {paper!r} is no UUID"
    for conference in example.conference:
        if not _CONFERENCE.fullmatch(conference):
            yield "malformed_conference", f"{conference!r} is not written like acl2023"


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _near(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f": {near[0]}?" if near else ""

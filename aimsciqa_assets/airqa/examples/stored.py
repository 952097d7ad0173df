"""What the papers and conferences of examples are in a paper store, and what of them it lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from aimsciqa_assets.airqa.examples.checks import Problem
from aimsciqa_assets.airqa.examples.example import Example


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of the values that all examples have in a field, how many there are, and how many the store has."""

    field: str
    named: int
    stored: int


def problems_with_store(examples: Iterable[Example], papers: Mapping[str, str]) -> Iterator[Problem]:
    """Papers and conferences of examples that a store lacks; `papers` has its conferences by id of paper.

    A conference is written like acl2023.
    """
    conferences = set(papers.values())
    for example in examples:
        for field, paper in [*_papers(example)]:
            if paper not in papers:
                told = f"the paper {paper} in {field} is not in the paper store"
                yield Problem(example.uuid, "paper_not_stored", told)
        for conference in dict.fromkeys(example.conference):
            if conference.lower() not in conferences:
                told = f"the paper store has no paper of {conference!r}"
                yield Problem(example.uuid, "conference_not_stored", told)


def coverage(examples: Sequence[Example], papers: Mapping[str, str]) -> list[Coverage]:
    """For each field with papers or conferences, how many of its values there are, and in the store."""
    named: dict[str, set[str]] = {"anchor_pdf": set(), "reference_pdf": set(), "conference": set()}
    for example in examples:
        for field, paper in _papers(example):
            named[field].add(paper)
        named["conference"] |= {one.lower() for one in example.conference}
    known = {"conference": set(papers.values())}
    return [
        Coverage(field, len(values), len(values & known.get(field, papers.keys())))
        for field, values in named.items()
    ]


def papers_by_conference(examples: Iterable[Example], papers: Mapping[str, str]) -> dict[str, int]:
    """How many papers of each conference of the examples the store has, in the order of their names."""
    there = Counter(papers.values())
    wanted = {one.lower() for example in examples for one in example.conference}
    return {conference: there[conference] for conference in sorted(wanted)}


def _papers(example: Example) -> Iterator[tuple[str, str]]:
    """The papers of an example with their field, each once; the store writes ids in small letters."""
    for field in ("anchor_pdf", "reference_pdf"):
        for paper in dict.fromkeys(one.strip().lower() for one in getattr(example, field)):
            yield field, paper

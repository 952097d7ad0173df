"""Multiple examples: two singles of different papers, joined by rule (AirQA, section 3.3)."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from aimsciqa_assets.airqa.extractor.quotas import MULTIPLE
from aimsciqa_assets.airqa.uuids import made_uuid

Row = dict[str, Any]

_QUESTION: Final = (
    'Two questions about two papers. First, about the paper "{}": {} Second, about the paper "{}": {}'
)
_FORMAT: Final = (
    "Your answer should be a list of two elements: the answer to the first question, then the answer to the "
    "second. The first element: {} The second element: {}"
)
_OBJECTIVE: Final = "objective"
_SUBJECTIVE: Final = "subjective"


@dataclass(frozen=True, slots=True)
class Single:
    """An example that may be joined with another one; `number` is where its row is kept."""

    example_id: str
    paper: str
    number: int


def pairs_of(singles: Sequence[Single], wanted: int) -> Iterator[tuple[Single, Single]]:
    """Pairs of singles of different papers, at most so many; each single is in one pair.

    There are as many as can be: with the singles of each paper side by side, the largest group first, half of
    the row lies between partners, which only a paper with more than half of all singles can fill.
    """
    paper = [single.paper for single in singles]
    number = Counter(paper)
    order = sorted(range(len(singles)), key=lambda at: (-number[paper[at]], paper[at]))
    partners = zip(order, order[(len(order) + 1) // 2 :], strict=False)
    apart = ((singles[one], singles[other]) for one, other in partners if paper[one] != paper[other])
    return islice(apart, wanted)


def merged(first: Row, second: Row, titles: Mapping[str, str], seed: int) -> Row:
    """What a multiple example has, made of two singles; `titles` are those of papers by uuid."""
    pair = (first, second)
    parts = [row["example_id"] for row in pair]
    evaluators = [json.loads(row["evaluator"]) for row in pair]
    evaluator = {
        "eval_func": "eval_conjunction",
        "eval_kwargs": {
            "eval_func_list": [one["eval_func"] for one in evaluators],
            "eval_kwargs_list": [one["eval_kwargs"] for one in evaluators],
        },
    }
    told = [part for row in pair for part in (titles[row["papers"][0]], row["question"])]
    return {
        "example_id": made_uuid(seed, MULTIPLE, *parts),
        "kind": MULTIPLE,
        "batch": first["batch"],
        "question": _QUESTION.format(*told),
        "answer": json.dumps([json.loads(row["answer"]) for row in pair], ensure_ascii=False),
        "answer_format": _FORMAT.format(*(row["answer_format"] for row in pair)),
        "eval_func": evaluator["eval_func"],
        "evaluator": json.dumps(evaluator, ensure_ascii=False),
        "tags": _tags(first["tags"], second["tags"]),
        "anchor_pdf": [paper for row in pair for paper in row["papers"]],
        "papers": [paper for row in pair for paper in row["papers"]],
        "parts": parts,
    }


def _tags(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The elements of both; subjective where one of them is."""
    both = list(dict.fromkeys((*first, *second)))
    kinds = {first[0], _OBJECTIVE, _SUBJECTIVE}
    verdict = _SUBJECTIVE if _SUBJECTIVE in both else _OBJECTIVE
    return [MULTIPLE, *(tag for tag in both if tag not in kinds), verdict]

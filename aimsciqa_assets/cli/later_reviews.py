"""How many requests about reviews the steps that wait for others would send at most.

A kept discussion is asked about once when its pairs are edited. Where nobody was asked for pairs yet, each
sentence of a review that asks something counts as one.
"""

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any, Final

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.asking.prompts import load_prompt
from aimsciqa_assets.cli.later_turns import CHARACTERS_PER_TOKEN, Later
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.scidqa.manuscripts.evidence import SUPPORT
from aimsciqa_assets.scidqa.pairs.editing import EDITING

REVIEW_QUESTION: Final = "review_question"


def review_questions(warehouse: Warehouse) -> int:
    """Questions of reviews that can be asked about a manuscript."""
    return sum(row["with_manuscript"] for row in _batches(warehouse).values())


def edits_at_most(run: StepRun) -> Iterator[Later]:
    """One request for each kept discussion of the batch, which shows less than its notes."""
    found = _batches(run.warehouse).get(run.part)
    if found and run.settings.scidqa.extraction:
        yield _later(run, EDITING.name, found["discussions"], found["characters"])


def evidence_at_most(run: StepRun) -> Iterator[Later]:
    """One request for each question and each version of its manuscript that the settings name."""
    found, chosen = _batches(run.warehouse).get(run.part), run.settings.scidqa
    if found and chosen.versions:
        requests = sum(found[version] for version in chosen.versions)
        (lengths,) = run.warehouse.read(query_of("cli.text_lengths").text).iter_rows(named=True)
        shown = chosen.evidence_paragraphs * lengths["manuscript_paragraph"]
        yield _later(run, SUPPORT.name, requests, requests * shown)


def _later(run: StepRun, task: str, requests: int, material: float) -> Later:
    characters = requests * len(load_prompt(task).text) + material
    return Later(task, run.model_settings, requests, ceil(characters / CHARACTERS_PER_TOKEN))


def _batches(warehouse: Warehouse) -> dict[str, Mapping[str, Any]]:
    rows = warehouse.read(query_of("cli.most_review_pairs").text)
    return {row["batch"]: row for row in rows.iter_rows(named=True)}


OF_REVIEWS: Final[Mapping[str, Callable[[StepRun], Iterator[Later]]]] = {
    "scidqa.qa_pairs": edits_at_most,
    "scidqa.answerability": evidence_at_most,
}
"""What a step that waits would ask at most about the reviews of a batch, by the table that it writes."""

"""A try to make an example: the explorer asks, the tracker fits an evaluator, and that is tried itself.

A try that fails ends with its reason, in one word, and what the reason is about.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.warehouse.store_elements import PAPER, Material

from aimsciqa_assets.airqa.extractor.exploring import (
    EXPLORER,
    RETRIEVAL,
    Evidence,
    Explored,
    evidence_of,
    shown_to_explorer,
)
from aimsciqa_assets.airqa.extractor.filters import (
    NO_VERDICT,
    Failure,
    gives_answer,
    gives_title,
    judged,
    wrong_answers,
)
from aimsciqa_assets.airqa.extractor.quotas import SINGLE, Quota
from aimsciqa_assets.airqa.extractor.tracking import TRACKER, Tracked, of_title
from aimsciqa_assets.airqa.uuids import made_uuid
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Outcome

_EMPTY = ("accepts_empty",)


@dataclass(frozen=True, slots=True)
class Seed:
    """What an example is made from: something that stands in a paper, drawn for a quota in a round."""

    quota: Quota
    paper: str
    key: str
    number: int

    @property
    def element(self) -> str:
        """The element as the store draws it; title and abstract are the paper."""
        return self.quota.element or PAPER

    def example_id(self, seed: int) -> str:
        """The id of the example: it depends on what was drawn alone."""
        return made_uuid(seed, self.quota.kind, self.element, self.key)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a try may show and must keep; see the settings of `extractor`."""

    context_tokens: int
    title_share: float
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a try. `title` and `venue` are the paper's, `explored` and `tracked` replies as given.

    `failure` says why a model gave no reply; then that is the reason as well.
    """

    seed: Seed
    example_id: str
    title: str
    venue: str
    explored: str | None = None
    tracked: str | None = None
    example: Tracked | None = None
    evidence: Evidence | None = None
    reason: str | None = None
    detail: str | None = None
    failure: str | None = None

    def rejected(self, failure: Failure) -> "Tried":
        """The same, with the reason why it is no example."""
        return replace(self, reason=failure[0], detail=failure[1] or None)


def trying(example_id: str, seed: Seed, material: Material, limits: Limits) -> Dialogue[Tried]:
    """Try to make an example of what was drawn."""
    tried = Tried(seed, example_id, material.title, material.venue)
    if seed.quota.element is None:
        tried = yield from _of_paper(tried, material)
    else:
        tried = yield from _of_element(tried, seed.quota.element, material, limits)
    if tried.example is None:
        return tried
    if given := _given_away(tried, tried.example, limits.title_share):
        return tried.rejected(given)
    wrong = wrong_answers(tried.example.answer)
    if seed.quota.element is None:
        # In a long title one digit hardly counts, and the evaluator is fixed.
        wrong = (one for one in wrong if one[0] in _EMPTY)
    return with_verdict(tried, (yield from judged(tried.example, wrong, example_id)))


def compared(tried: Tried, other: Any) -> Dialogue[Tried]:
    """The try, rejected where its evaluator passes the answer to another example."""
    assert tried.example is not None
    wrong = [("accepts_other_answer", other)]
    # A key of its own: the calls of the try itself are noted under the id of the example.
    key = f"{tried.example_id}:other"
    return with_verdict(tried, (yield from judged(tried.example, wrong, key, accepts=False)))


def with_verdict(tried: Tried, failure: Failure | None) -> Tried:
    """The try with what its evaluator is found to be."""
    if failure is None:
        return tried
    no_reply = failure[1] if failure[0] == NO_VERDICT else None
    return replace(tried.rejected(failure), failure=no_reply)


def other_answer(own: Any, others: Iterable[Any]) -> tuple[Any] | None:
    """The first of the answers to other examples that differs; where there is one, of the same type."""
    first: tuple[Any] | None = None
    for other in others:
        if _differs(other, own):
            if type(other) is type(own):
                return (other,)
            first = first or (other,)
    return first


def _differs(one: Any, other: Any) -> bool:
    return str(one).casefold().split() != str(other).casefold().split()


def _of_paper(tried: Tried, material: Material) -> Dialogue[Tried]:
    title, abstract = material.title, material.abstract
    outcome = yield from RETRIEVAL.ask(tried.example_id, title=title, abstract=abstract)
    tried = replace(tried, explored=outcome.text)
    if isinstance(outcome.read, Fault):
        return _without(tried, outcome)
    evidence = Evidence(abstract, "metadata", material.paper, None)
    return replace(tried, example=of_title(outcome.read, title), evidence=evidence)


def _of_element(tried: Tried, element: str, material: Material, limits: Limits) -> Dialogue[Tried]:
    finds = tried.seed.quota.kind != SINGLE
    shown = shown_to_explorer(element, material, limits.context_tokens, finds=finds)
    explored = yield from EXPLORER.ask(tried.example_id, **shown)
    tried = replace(tried, explored=explored.text)
    if isinstance(explored.read, Fault):
        return _without(tried, explored)
    found: Explored = explored.read
    evidence = evidence_of(element, material, found.quote)
    if evidence is None:
        return tried.rejected(("evidence_not_found", found.quote))
    tried = replace(tried, evidence=evidence)
    functions = list(limits.functions)
    tracked = yield from TRACKER.ask(
        tried.example_id, question=found.question, answer=found.answer, functions=functions
    )
    tried = replace(tried, tracked=tracked.text)
    if isinstance(tracked.read, Fault):
        return _without(tried, tracked)
    return replace(tried, example=tracked.read)


def _without(tried: Tried, outcome: Outcome[Any]) -> Tried:
    """The try that ends with a reply which cannot be used, or with none."""
    fault = outcome.read
    assert isinstance(fault, Fault)
    reason = outcome.reason or fault.reason
    return replace(tried, reason=reason, detail=fault.complaint or None, failure=outcome.failure)


def _given_away(tried: Tried, example: Tracked, share: float) -> Failure | None:
    quota = tried.seed.quota
    given = gives_answer(example) if quota.element else None
    if given or quota.kind == SINGLE:
        return given
    return gives_title(example.question, tried.title, share)

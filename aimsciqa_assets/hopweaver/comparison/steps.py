"""What a synthesis of a comparison is told, and what each of its steps gave, also where it failed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from aimsciqa_assets.hopweaver.comparison.constraints import Grounded
from aimsciqa_assets.hopweaver.comparison.queries import Queries
from aimsciqa_assets.hopweaver.comparison.questions import Comparison
from aimsciqa_assets.hopweaver.comparison.scores import Joined, Scores
from aimsciqa_assets.hopweaver.comparison.subjects import Attribute, Subject
from aimsciqa_assets.hopweaver.comparison.tasks import Reading
from aimsciqa_assets.hopweaver.dialogues import Turn
from aimsciqa_assets.hopweaver.documents import Document

Outcome = Literal["chosen", "rejected", "not_tried"]
Merging = Literal["all", "truncated"]


class Scored(Protocol):
    """A document that a search found, with its score and the terms of that (`retrieval.diversity`)."""

    @property
    def document_id(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def relevance(self) -> float: ...
    @property
    def source(self) -> float: ...
    @property
    def redundancy(self) -> float: ...


Search = Callable[[str, str | None, int], Sequence[Scored]]
"""Finds documents: the query, a document that is left out (None: none), and how many. Best first."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a comparison is made.

    `top_k` documents of each query are kept. `least_concreteness` and `least_comparability` are the scores
    that subject and attributes need. `merging`: all documents of all queries are tried, or, as the authors'
    code does, as many as one query gives. `guided`: a recommended entity and attribute must be those that are
    compared. `ordered`: only values that have an order are compared; years lie `most_years` apart at most (0:
    any number). `kin`: documents whose subject is of another kind are not tried. `tries` replies to a step
    are asked for at most. `in_common`: the two share more than their kind. `directed`: the seed says whether
    the lower or the higher value is asked for.
    """

    top_k: int = 3
    least_concreteness: float = 5
    least_comparability: float = 4
    merging: Merging = "all"
    guided: bool = True
    reading: Reading = "tolerant"
    tries: int = 3
    ordered: bool = False
    most_years: int = 0
    kin: bool = False
    in_common: bool = False
    directed: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that was found, and what came of it; `queries` are those that found it.

    `comparison` is what the model built of it, also where that was rejected; `violations` are all rules that
    it breaks, of which the first is the reason.
    """

    found: Scored
    queries: tuple[str, ...]
    outcome: Outcome = "not_tried"
    reason: str | None = None
    comparison: Comparison | None = None
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Synthesis:
    """All that a synthesis gave, as far as it came; without `grounded`, `reason` says why in one word.

    `joined` are the attributes that have a score, `kept` those whose score is high enough. `query_fault` says
    why the queries were made by rule, and `why` what the model said about a document without a subject.
    `failure` says why the model gave no reply to the last request.
    """

    attempt_id: str
    source: Document
    turns: tuple[Turn, ...] = ()
    subject: Subject | None = None
    why: str = ""
    scores: Scores | None = None
    joined: Joined = ()
    kept: tuple[Attribute, ...] = ()
    queries: Queries | None = None
    query_fault: str | None = None
    candidates: tuple[Candidate, ...] = ()
    grounded: Grounded | None = None
    reason: str | None = None
    failure: str | None = None

    @property
    def tried(self) -> int:
        """How many candidates the model was asked about."""
        return sum(one.outcome != "not_tried" for one in self.candidates)

"""A question on its way through a RAG baseline: it searches, asks, and keeps every step for the record.

The papers in hand are given with every request and never searched for. All others are found by a search over
the whole corpus.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from aimsciqa_resources.language_model import NO_LOGPROBS, Dialogue, ModelReply, ModelRequest

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Outcome, Task
from aimsciqa_assets.benchmark.answering.shortening import fitted

CHARACTERS_PER_TOKEN: Final = 4
"""A tokenizer is the server's business: lengths of documents are limited by this estimate."""


@dataclass(frozen=True, slots=True)
class Found:
    """A paper that a search found, the retriever's score, and the query."""

    paper_id: str
    score: float
    query: str


Search = Callable[[str, Collection[str], int], list[Found]]
"""Query, papers that are left out, how many: the papers found, the best first."""
Texts = Callable[[Sequence[str]], Mapping[str, str]]
"""The texts of papers, by id."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a method may read, write and search; see `Settings.benchmark`."""

    papers: int = 5
    input_tokens: int = 2048
    output_tokens: int = 256
    iterations: int = 2
    searches: int = 5
    replug: str = "candidates"


@dataclass(frozen=True, slots=True)
class Library:
    """What all inquiries share."""

    search: Search
    texts: Texts
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a search with the papers that it found, or a request with those that were shown.

    `number` is what the method makes of a step: a score, a probability.
    """

    kind: str
    query: str | None = None
    papers: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    text: str | None = None
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """Documents as a prompt shows them, and the papers among them that were found."""

    documents: tuple[dict[str, str], ...]
    papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a method came to: the answer or the reason why there is none, and its steps."""

    outcome: Outcome[str]
    steps: tuple[Step, ...]

    @property
    def failure(self) -> str | None:
        """Why a reply is missing; a server without log-probabilities has replied."""
        return None if self.outcome.failure == NO_LOGPROBS else self.outcome.failure

    @property
    def read(self) -> tuple[str, ...]:
        """The papers that were found and shown to the model, in the order in which it first read them."""
        shown = (paper for step in self.steps if step.kind != SEARCHED for paper in step.papers)
        return tuple(dict.fromkeys(shown))


SEARCHED: Final = "search"


class UnansweredError(Exception):
    """The method cannot go on: there is no reply, or none that it can use."""

    def __init__(self, reason: str, reply: ModelReply | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.reply = reply


@dataclass(eq=False, slots=True)
class Inquiry:
    """A question, the papers in hand, and what was done so far."""

    key: str
    question: str
    in_hand: tuple[str, ...]
    library: Library
    steps: list[Step] = field(default_factory=list)

    @property
    def limits(self) -> Limits:
        """The limits of the method."""
        return self.library.limits

    def search(self, query: str) -> list[Found]:
        """The papers that a search finds, without those in hand."""
        found = self.library.search(query, self.in_hand, self.limits.papers)
        self.note(
            Step(
                SEARCHED,
                query,
                tuple(one.paper_id for one in found),
                tuple(one.score for one in found),
            )
        )
        return found

    def shown(self, found: Iterable[Found] = ()) -> Shown:
        """The papers in hand and those found, in this order, as far as the limit of the input allows.

        Each has an equal share of it, in which the paragraphs nearest to its query stand. What short papers
        leave is for further ones.
        """
        others = list(found)
        texts = self.library.texts([*self.in_hand, *(one.paper_id for one in others)])
        left = self.limits.input_tokens * CHARACTERS_PER_TOKEN
        share = left // (len(self.in_hand) + self.limits.papers)
        named = [("source_paper", paper, self.question) for paper in self.in_hand]
        named += [("document", one.paper_id, one.query) for one in others]
        documents = []
        for name, paper, query in named:
            text = fitted(texts[paper], query, share)
            if len(text) > left:
                break
            left -= len(text)
            documents.append({"name": name, "text": text})
        count = max(len(documents) - len(self.in_hand), 0)
        return Shown(tuple(documents), tuple(one.paper_id for one in others[:count]))

    def request(self, task: Task[str], variables: Mapping[str, Any], **wishes: Any) -> ModelRequest:
        """The request of a task; `wishes` are fields of `ModelRequest`."""
        return replace(task.request(self.key, **variables), **wishes)

    def ask(
        self, kind: str, task: Task[str], shown: Shown | None = None, /, *, wishes: Any = None, **told: Any
    ) -> Dialogue[ModelReply]:
        """The reply to a task about the question, which is a step of this kind.

        Raises `UnansweredError` where there is none, or it lacks the log-probabilities that were wanted.
        """
        variables = told | {"question": self.question}
        if shown is not None:
            variables["documents"] = list(shown.documents)
        reply = yield from self.heard(self.request(task, variables, **(wishes or {})))
        self.note(Step(kind, papers=shown.papers if shown else (), text=reply.text))
        return reply

    def heard(self, request: ModelRequest) -> Dialogue[ModelReply]:
        """The reply to a request; raises `UnansweredError`."""
        reply = yield request
        if reply.text is None:
            raise UnansweredError(reply.failure or "empty_reply", reply)
        if request.logprobs is not None and not reply.logprobs:
            raise UnansweredError(NO_LOGPROBS, reply)
        if request.scored_from is not None and not reply.scored:
            raise UnansweredError(NO_LOGPROBS, reply)
        return reply

    def note(self, step: Step) -> None:
        """Keep a step for the record."""
        self.steps.append(step)

    def rate(self, number: float) -> None:
        """Say what the method makes of the last step."""
        self.steps[-1] = replace(self.steps[-1], number=number)


Method = Callable[[Inquiry], Dialogue[str]]
"""Answers a question. Raises `UnansweredError`."""


def inquire(method: Method, inquiry: Inquiry) -> Dialogue[Answered]:
    """Answer a question by a method; what stands in the way of an answer becomes its reason."""
    try:
        answer = yield from method(inquiry)
    except UnansweredError as error:
        text = error.reply.text if error.reply else None
        failure = error.reason if error.reply and text is None else None
        fault: Fault[str] = Fault(error.reason)
        return Answered(Outcome(inquiry.key, fault, text, failure), tuple(inquiry.steps))
    return Answered(Outcome(inquiry.key, answer.strip(), answer), tuple(inquiry.steps))

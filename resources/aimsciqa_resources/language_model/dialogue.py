"""A dialogue with a model: a generator that yields requests, gets their replies, and returns a result.

A repair, a long prompt asked in parts, candidates tried one after the other, a ReAct loop: each is a few
lines of Python with a `yield` where it needs a reply. `converse` holds many dialogues at once, over any
backend.

A dialogue must ask the same when it gets the same replies. Then a killed run can go on in the middle of it:
the answered turns are in the journal, and only the next one is asked. A dialogue that uses random numbers or
a clock would ask something else the second time.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, runtime_checkable

from aimsciqa_resources.language_model.interface import (
    Image,
    LanguageModel,
    ModelRefusedError,
    ModelReply,
    ModelRequest,
)

T = TypeVar("T")

Dialogue = Generator[ModelRequest, ModelReply, T]


@runtime_checkable
class HoldsDialogues(Protocol):
    """A backend that holds many dialogues at once by itself."""

    def hold(self, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
        """The result of each dialogue, in the order in which they end."""


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """The end of a dialogue."""

    result: T


def once(request: ModelRequest) -> Dialogue[ModelReply]:
    """The dialogue of a single request; its result is the reply."""
    return (yield request)


def beginning_with(affinity: str, dialogue: Dialogue[T]) -> Dialogue[T]:
    """The same dialogue about a paper (or whatever else its prompts begin with), named by `affinity`.

    Of several servers of a model, the same one is asked in all dialogues that begin with the same.
    """
    step = advance(dialogue, None, None)
    while not isinstance(step, Ended):
        step = advance(dialogue, step, (yield replace(step, affinity=affinity)))
    return step.result


def converse(model: LanguageModel, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
    """The result of each dialogue, in the order in which they end.

    An error in a dialogue ends all of them: it is a fault of the dialogue's code, which no reply would mend.
    The error is raised here, with a note on the last request. Answers stay in the journal, so that
    nothing is paid twice once the code is right.
    """
    held = model.hold(dialogues) if isinstance(model, HoldsDialogues) else _held(model, dialogues)
    with closing(held):
        yield from held


def advance(
    dialogue: Dialogue[T], asked: ModelRequest | None, reply: ModelReply | None
) -> ModelRequest | Ended[T]:
    """Give the dialogue the reply to what it asked; returns its next request or its end.

    Both are None at the beginning. An error of the dialogue gets a note that says after which reply.
    """
    try:
        return next(dialogue) if reply is None else dialogue.send(reply)
    except StopIteration as end:
        return Ended(end.value)
    except Exception as error:
        # For a dialogue within another one, the inner one has added the note already.
        if not getattr(error, "__notes__", None):
            where = f"the reply to {asked.key} (task {asked.task})" if asked else "the beginning"
            error.add_note(f"Raised by a dialogue with a language model, at {where}.")
        raise


def _held(model: LanguageModel, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
    """Hold dialogues over a backend that only has `replies`, by one stream of their due requests.

    A backend that reads all requests before its first reply gets a stream for each turn.
    """
    asked: dict[str, tuple[ModelRequest, Dialogue[T]]] = {}
    due: deque[tuple[ModelRequest, Dialogue[T]]] = deque()
    ended: deque[T] = deque()

    def begun() -> Iterator[tuple[ModelRequest, Dialogue[T]]]:
        for dialogue in dialogues:
            step = advance(dialogue, None, None)
            if isinstance(step, Ended):
                ended.append(step.result)
            else:
                yield step, dialogue

    new = begun()

    def requests() -> Iterator[ModelRequest]:
        postponed = []
        while (turn := due.popleft() if due else next(new, None)) is not None:
            request, _ = turn
            if request.key in asked:
                # Replies are matched by key alone: a second request with this key waits for the next stream.
                postponed.append(turn)
                continue
            _check(model, request)
            asked[request.key] = turn
            yield request
        due.extend(postponed)

    while True:
        replies = model.replies(requests())
        with closing(replies) if isinstance(replies, Generator) else nullcontext():
            for reply in replies:
                request, dialogue = asked.pop(reply.key)
                step = advance(dialogue, request, reply)
                if isinstance(step, Ended):
                    yield step.result
                else:
                    due.append((step, dialogue))
        while ended:
            yield ended.popleft()
        if asked:
            raise RuntimeError(f"{model.name} left requests without a reply: {', '.join(list(asked)[:5])}.")
        if not due:
            return


def _check(model: LanguageModel, request: ModelRequest) -> None:
    """Raise when a request has images and the backend does not declare that it accepts them."""
    has_images = any(isinstance(part, Image) for message in request.messages for part in message.parts)
    if has_images and not getattr(model, "takes_images", False):
        raise ModelRefusedError(
            f"The task {request.task} shows images, and the model {model.name} takes none: choose a model "
            "that does, behind the backend server or vllm (AIMSCIQA_MODEL_BACKEND, AIMSCIQA_MODEL_NAME)."
        )

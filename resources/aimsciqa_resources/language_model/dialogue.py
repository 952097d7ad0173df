"""A dialogue with a model: a generator that yields requests, gets their replies, and returns a result.

A repair, a long prompt asked in parts, candidates tried one after the other, a ReAct loop: each is a few
lines of Python with a `yield` where it needs a reply. `converse` holds many at once, over any backend.

A dialogue must ask the same when it gets the same replies. Then a run that was killed goes on in its middle:
the turns that were answered are in the journal, and only the next one is asked. What is drawn at random or
read from a clock would ask something else the second time.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
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
    """The dialogue that asks one request; its result is the reply."""
    return (yield request)


def converse(model: LanguageModel, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
    """The result of each dialogue, in the order in which they end.

    A dialogue that raises an error ends all: it is a fault of the dialogue's own code, which the next reply
    would not mend. The error comes out here, with a note on what was asked last. What was answered stays in
    the journal, so that nothing is paid again once the code is right.
    """
    held = model.hold(dialogues) if isinstance(model, HoldsDialogues) else _held(model, dialogues)
    with closing(held):
        yield from held


def advance(
    dialogue: Dialogue[T], asked: ModelRequest | None, reply: ModelReply | None
) -> ModelRequest | Ended[T]:
    """Give the dialogue the reply to what it asked; returns its next request or its end.

    Both are None at the beginning. Whatever the dialogue raises gets a note on where that was.
    """
    try:
        return next(dialogue) if reply is None else dialogue.send(reply)
    except StopIteration as end:
        return Ended(end.value)
    except Exception as error:
        # Of a dialogue within another, the inner one has said it.
        if not getattr(error, "__notes__", None):
            where = f"the reply to {asked.key} (task {asked.task})" if asked else "the beginning"
            error.add_note(f"Raised by a dialogue with a language model, at {where}.")
        raise


def _held(model: LanguageModel, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
    """Dialogues over a backend that only has `replies`: what is due goes into one stream of requests.

    A backend that wants all requests before its first reply gets a stream for each turn.
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
                # A reply is known by its key alone: the second of two waits for the next stream.
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
    """Refuse images to a backend that does not say that it takes them."""
    has_images = any(isinstance(part, Image) for message in request.messages for part in message.parts)
    if has_images and not getattr(model, "takes_images", False):
        raise ModelRefusedError(
            f"The task {request.task} shows images, and the model {model.name} takes none: choose a model "
            "that does, behind the backend server or vllm (AIMSCIQA_MODEL_BACKEND, AIMSCIQA_MODEL_NAME)."
        )

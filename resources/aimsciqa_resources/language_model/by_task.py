"""Several models as one: some tasks of a dialogue are put to another model than the rest.

Dialogues go on in waves. All that wait for a model are held by it until they end or need another one; then
those who wait for the next model have their turn.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from aimsciqa_resources.language_model.dialogue import Dialogue, Ended, advance, converse, once
from aimsciqa_resources.language_model.interface import LanguageModel, ModelReply, ModelRequest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Paused(Generic[T]):
    """A dialogue that waits for a reply of another model."""

    dialogue: Dialogue[T]
    request: ModelRequest


class ByTask:
    """A `LanguageModel` that hands some tasks over to others. Name, revision and sampling are its own."""

    def __init__(self, model: LanguageModel, others: Mapping[str, LanguageModel]) -> None:
        """`others` are models by the task that is put to them."""
        self.name, self.revision, self.sampling = model.name, model.revision, model.sampling
        self._model = model
        self._others = others

    def asked(self, task: str) -> LanguageModel:
        """The model that is asked a task."""
        return self._others.get(task, self._model)

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, those of the same model together."""
        return self.hold(map(once, requests))

    def hold(self, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
        """The result of each dialogue, in the order in which they end."""
        model = self._model
        held: Iterable[Dialogue[_Paused[T] | Ended[T]]] = (
            self._held(dialogue, None, self._model) for dialogue in dialogues
        )
        while True:
            paused: list[_Paused[T]] = []
            with closing(converse(model, held)) as results:
                for result in results:
                    if isinstance(result, Ended):
                        yield result.result
                    else:
                        paused.append(result)
            if not paused:
                return
            model = self.asked(paused[0].request.task)
            held = [self._held(one.dialogue, one.request, model) for one in paused]

    def _held(
        self, dialogue: Dialogue[T], request: ModelRequest | None, model: LanguageModel
    ) -> Dialogue[_Paused[T] | Ended[T]]:
        """A dialogue until it ends or needs another model; `request` is the one at which it was paused."""
        step = request or advance(dialogue, None, None)
        while not isinstance(step, Ended):
            if self.asked(step.task) is not model:
                return _Paused(dialogue, step)
            step = advance(dialogue, step, (yield step))
        return step

"""A model task as one object: its name, its prompt, the form of a reply, and how a reply is read.

The request, the prompt version, the repair of a bad reply and the division of a long prompt follow from it.
`docs/new-task.md` shows how a task is made.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from aimsciqa_resources.language_model import (
    PROMPT_TOO_LONG,
    Dialogue,
    Message,
    ModelReply,
    ModelRequest,
)
from aimsciqa_resources.language_model.interface import Purpose
from pydantic import BaseModel

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import read_object, schema_of
from aimsciqa_assets.asking.prompts import Prompt, load_prompt

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

Variables = Mapping[str, Any]
REPAIR = "repair"
LENGTH_LIMIT = "length_limit"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of asking a task.

    `read` is what was read in the reply, or the fault; `text` is that reply, None where there is none, and
    then `failure` says why in one word. `truncated` says that it was cut at the token limit, `parts` in how
    many parts a long prompt was asked.
    """

    key: str
    read: T | Fault[T]
    text: str | None
    failure: str | None = None
    truncated: bool = False
    parts: int = 0

    @property
    def value(self) -> T | None:
        """What was read, as far as anything was."""
        return self.read.partial if isinstance(self.read, Fault) else self.read

    @property
    def reason(self) -> str | None:
        """Why the reply could not be read, in one word; None where it could."""
        if not isinstance(self.read, Fault):
            return None
        return LENGTH_LIMIT if self.truncated else self.read.reason


class Task(Generic[T]):
    """A task of the name of its prompt, `prompts/<name>.md`.

    `reply` is the form that servers hold a reply to: a pydantic model, or a grammar (EBNF); None: text.
    `read` makes a value of the text of a reply, or a fault; it never raises. `shown` makes what the prompt
    shows of the variables, which are recorded as they are. `divided` gives the variables of the parts in
    which a prompt is asked that is too long, nothing where there are none; `joined` makes one reply of the
    values of several.
    """

    def __init__(
        self,
        name: str,
        reply: type[BaseModel] | str | None,
        read: Callable[[str], T | Fault[T]],
        *,
        shown: Callable[[Variables], Variables] = lambda variables: variables,
        divided: Callable[[Variables], Sequence[Variables]] = lambda _variables: (),
        joined: Callable[[Sequence[T]], str] | None = None,
    ) -> None:
        self.name = name
        self.read = read
        self.reply_schema = schema_of(reply) if isinstance(reply, type) else None
        self.reply_grammar = reply if isinstance(reply, str) else None
        self._shown = shown
        self._divided = divided
        self._joined = joined

    @property
    def prompt(self) -> Prompt:
        """The prompt that requests are rendered with."""
        return load_prompt(self.name)

    @property
    def version(self) -> str:
        """Changes with any text that a model is shown; belongs into every row."""
        return version_of(self)

    def request(self, key: str, /, *, run: int = 1, **variables: Any) -> ModelRequest:
        """The request with these variables; `key` comes back with the reply.

        `run` counts, from 1, how often the same is asked. Raises `PromptError` where the prompt is missing or
        broken, or wants other variables.
        """
        return self._request(key, variables, run, "answer")

    def ask(self, key: str, /, *, run: int = 1, **variables: Any) -> Dialogue[Outcome[T]]:
        """Ask, and read the reply; one that cannot be read goes back to the model once, with a complaint."""
        return (yield from self.put(self._request(key, variables, run, "answer")))

    def repair(self, request: ModelRequest, reply: str, fault: Fault[T]) -> ModelRequest:
        """The request again, with the reply and the complaint about it as further messages."""
        complaint = load_prompt(REPAIR).messages({"fault": fault.complaint})
        messages = (*request.messages, Message("assistant", reply), *complaint)
        return replace(request, messages=messages, purpose="repair")

    def outcome(self, reply: ModelReply) -> Outcome[T]:
        """A reply, read."""
        if reply.text is None:
            no_reply: Fault[T] = Fault(reply.failure or "empty_reply")
            return Outcome(reply.key, no_reply, None, reply.failure, reply.truncated)
        return Outcome(reply.key, self.read(reply.text), reply.text, None, reply.truncated)

    def _request(self, key: str, variables: Variables, run: int, purpose: Purpose) -> ModelRequest:
        return ModelRequest(
            self.name,
            key,
            variables,
            self.prompt.messages(self._shown(variables)),
            reply_schema=self.reply_schema,
            reply_grammar=self.reply_grammar,
            run=run,
            purpose=purpose,
        )

    def put(self, request: ModelRequest) -> Dialogue[Outcome[T]]:
        """The same with a request that was made before, and got an image, say."""
        reply = yield request
        if reply.failure == PROMPT_TOO_LONG and (parts := self._divided(request.variables)):
            outcomes = []
            for variables in parts:
                part = self._request(request.key, variables, request.run, "part")
                outcomes.append((yield from self.put(part)))
            return self._whole(request.key, outcomes)
        outcome = self.outcome(reply)
        # A reply that was cut off would be cut off again.
        if reply.text is None or not isinstance(outcome.read, Fault) or reply.truncated:
            return outcome
        again = self.outcome((yield self.repair(request, reply.text, outcome.read)))
        return outcome if isinstance(again.read, Fault) else again

    def _whole(self, key: str, outcomes: Sequence[Outcome[T]]) -> Outcome[T]:
        """The parts as one; one that cannot be used leaves the whole without a value, not in silence."""
        parts = sum(1 + outcome.parts for outcome in outcomes)
        faulty = [outcome for outcome in outcomes if isinstance(outcome.read, Fault)]
        if faulty or len(outcomes) == 1:
            unreadable = [outcome for outcome in faulty if outcome.text is not None]
            return replace((unreadable or faulty or outcomes)[0], parts=parts)
        if self._joined is None:
            raise TypeError(f"The task {self.name} is asked in parts and does not say how to join them.")
        values = [outcome.read for outcome in outcomes if not isinstance(outcome.read, Fault)]
        text = self._joined(values)
        truncated = any(outcome.truncated for outcome in outcomes)
        return Outcome(key, self.read(text), text, None, truncated, parts)


def json_task(name: str, reply: type[M], **more: Any) -> Task[M]:
    """A task whose reply is one JSON object of this form; `more` is what `Task` takes besides."""
    return Task(name, reply, partial(read_object, form=reply), **more)


def version_of(*tasks: Task[Any]) -> str:
    """The versions of all prompts of the tasks, that of the repair included."""
    prompts = [*(task.prompt for task in tasks), load_prompt(REPAIR)]
    return "+".join(prompt.version for prompt in prompts)

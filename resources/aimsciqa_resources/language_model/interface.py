"""The one interface to language models. A backend is anything with a name and a `replies` method."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    `task` names the prompt (`single_hop`, `multi_hop`); `key` comes back with the reply; `variables` are
    the values that were filled into the prompt, as they are (unescaped), for backends that need no prompt;
    `messages` are the rendered prompt; `reply_schema` is a JSON schema, or None for a free reply.
    """

    task: str
    key: str
    variables: Mapping[str, str]
    messages: tuple[Message, ...]
    reply_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back for the request with the same `key`.

    `text` is the raw reply; None when the model gave none, and then `failure` says why.
    """

    key: str
    text: str | None
    failure: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)


class LanguageModel(Protocol):
    """A backend. `name` and `revision` are recorded with every row that it makes."""

    @property
    def name(self) -> str:
        """The model's name, as recorded with its rows."""

    @property
    def revision(self) -> str:
        """The model's version; a change of it makes earlier replies stale."""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in the order in which they finish."""

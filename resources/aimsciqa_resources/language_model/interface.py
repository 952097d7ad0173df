"""The one interface to language models. A backend is anything with a name and a `replies` method."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Image:
    """An image in a message: the bytes of its file and their media type, such as `image/png`."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message: a text, or texts and images in the order in which the model sees them."""

    role: Literal["system", "user", "assistant"]
    content: str | tuple[str | Image, ...]

    @property
    def parts(self) -> tuple[str | Image, ...]:
        """The content as parts; a single text is one part."""
        return (self.content,) if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        """The text of the message, without its images."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


Purpose = Literal["answer", "repair", "part"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    `task` names the prompt (`single_hop`, `multi_hop`); `key` comes back with the reply; `variables` are
    the values that were filled into the prompt, as they are (unescaped), for backends that need no prompt:
    texts, or whatever JSON can hold. `messages` are the rendered prompt. `reply_schema` (a JSON schema, its
    root an object) or `reply_grammar` (EBNF as xgrammar reads it) gives the form of the reply to servers that
    can hold a model to it. `run` counts, from 1, repetitions of the same request: each run gets its own
    reply. `purpose` is only recorded: a first answer, the repair of one, or a part of a long question.
    `logprobs` asks for the log-probability of every token and of that many alternatives to each.
    `reply_tokens` takes the place of the limit that the settings set.

    A last message of the assistant is one that the model goes on with, where its server can do that (vLLM).
    `scored_from` asks for the log-probability of each token of the prompt from this place on, counted from 0:
    that of what the assistant is taken to have said, behind a prompt whose length is known.

    `tools` are functions that the model may call, as OpenAI's API describes them; calls come back as text
    (`tool_calls`). `acts` says that the dialogue carries something out once it has the reply, which may take
    minutes: that runs in a thread of its own, and the other dialogues go on.

    `affinity` names what the prompt begins with (a paper): of several servers of a model, the same one gets
    all requests of an affinity, for its prefix cache. Empty: the `key` of a dialogue's first request. It
    determines no reply and is no part of the journal's key.
    """

    task: str
    key: str
    variables: Mapping[str, Any]
    messages: tuple[Message, ...]
    reply_schema: Mapping[str, Any] | None = None
    reply_grammar: str | None = None
    run: int = 1
    purpose: Purpose = "answer"
    logprobs: int | None = None
    reply_tokens: int | None = None
    scored_from: int | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    acts: bool = False
    affinity: str = field(default="", compare=False)

    @property
    def is_continued(self) -> bool:
        """Whether the model shall go on with the last message, as with its own."""
        return bool(self.messages) and self.messages[-1].role == "assistant"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, as the server counted them; `cached` is part of `prompt`, `reasoning` of `reply`."""

    prompt: int = 0
    reply: int = 0
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was made for a request, or a reply from the journal.

    `outcome` is "ok" or the reason why there is no reply; `detail` says more. `passing` marks a transient
    failure: the same call may succeed another time. `cost` is the price of its tokens, None where unknown.
    `answered_at` is ISO 8601, UTC. `sampling` says how the reply was drawn, as JSON, where that is not as
    `LanguageModel.sampling` says: a server may refuse a temperature. `server` is the host and port of the
    server that was asked last; empty where nothing was sent.
    """

    purpose: Purpose
    fingerprint: str
    from_journal: bool
    outcome: str
    detail: str = ""
    passing: bool = False
    finish_reason: str = ""
    attempts: int = 0
    latency_seconds: float = 0.0
    usage: Usage = Usage()
    cost: float | None = None
    answered_at: str = ""
    sampling: str = ""
    server: str = ""


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """A token of a reply with its natural log-probability, and the likeliest tokens in its place."""

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


PROMPT_TOO_LONG = "too_long"
"""The failure of a request that does not fit into the model's context."""

NO_LOGPROBS = "no_logprobs"
"""The failure of a request for log-probabilities that the server does not give."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back for the request with the same `key`.

    `text` is the reply without the model's thinking; None when the model gave none, and then `failure` says
    why in one word. `truncated` says that the reply was cut at the token limit. `logprobs` are those of all
    tokens that the model wrote, thinking included; None when they were not asked for, or the model has none.
    `scored` are those of the prompt's tokens that the request wanted scored. The text is empty where a model
    that was to go on with a message had nothing to add.
    `calls` has the call that was made for it, if the backend records calls.
    """

    key: str
    text: str | None
    failure: str | None = None
    truncated: bool = False
    calls: tuple[Call, ...] = ()
    logprobs: tuple[TokenLogprob, ...] | None = None
    scored: tuple[TokenLogprob, ...] | None = None


class LanguageModel(Protocol):
    """A backend. `name`, `revision` and `sampling` determine its replies and are recorded with them.

    One that has no `hold` (`dialogue.HoldsDialogues`) gets no images, unless it has `takes_images = True`.
    """

    @property
    def name(self) -> str:
        """The model's name, as recorded with its rows."""

    @property
    def revision(self) -> str:
        """The model's version; another version makes earlier replies stale."""

    @property
    def sampling(self) -> str:
        """The sampling parameters as JSON; empty when there are none."""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in the order in which they finish."""


class ModelError(RuntimeError):
    """Further requests would fail too; the message says what to do. All replies so far are in the journal."""


class ModelRefusedError(ModelError):
    """The server refuses every request: a wrong key, an unknown model, an empty account."""


class ModelUnavailableError(ModelError):
    """The server does not answer any more, or never did."""

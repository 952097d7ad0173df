"""The form of a request to an OpenAI-compatible server, learned from what the server refuses.

Servers and models differ: one holds replies to a schema, another to any JSON object, a third to nothing; a
reasoning model wants `max_completion_tokens`, and its own temperature.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aimsciqa_resources.language_model.interface import ModelRequest
from aimsciqa_resources.language_model.messages import openai_messages
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.tool_calls import with_tool_roles

_SCHEMA, _OBJECT, _FREE = range(3)
_ABOUT_THE_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|guided|grammar", re.IGNORECASE
)
_REFUSES = re.compile(
    r"unsupported|not support|n't support|not (?:permitted|allowed|accepted)|unknown|unrecogni[sz]ed"
    r"|unexpected|deprecated|incompatible|only the default|cannot both|or unset"
    r"|only (?:be (?!between|from|in\b|less|greater)|supports? |accepts? )"
    r"|only \S+ (?:is|are) (?:allowed|supported|accepted)"
    r"|must be (?:set|equal) to \d",
    re.IGNORECASE,
)
_ONE_OF_TWO = re.compile(r"\bboth\b", re.IGNORECASE)
_LENGTH, _LENGTH_OF_REASONERS = "max_tokens", "max_completion_tokens"
_SAMPLING = ("temperature", "top_p", "seed")
_LIMITS = frozenset({"reply_tokens", "thinking_tokens"})
"""The settings that limit the length of a reply."""


@dataclass(frozen=True, slots=True)
class RequestForm:
    """How a request is written: how strictly the reply is held to its form, under which name its length is
    limited (empty: not at all), and which fields of sampling are `left_out`.
    """

    strictness: int = _SCHEMA
    length_field: str = _LENGTH
    left_out: frozenset[str] = frozenset()

    def body(self, request: ModelRequest, settings: ModelSettings, *, is_vllm: bool) -> dict[str, Any]:
        """The request; the settings' own further fields override everything."""
        messages = openai_messages(request.messages)
        body: dict[str, Any] = {
            "model": settings.name,
            "messages": with_tool_roles(messages) if request.tools else messages,
            "temperature": settings.temperature,
        }
        if request.tools:
            body["tools"] = list(request.tools)
        if self.length_field:
            body[self.length_field] = limited(settings, request).reply_tokens + settings.thinking_tokens
        if settings.top_p < 1:
            body["top_p"] = settings.top_p
        if (seed := settings.seed_of(request.run)) is not None:
            body["seed"] = seed
        for name in self.left_out:
            body.pop(name, None)
        if request.logprobs is not None:
            body |= {"logprobs": True, "top_logprobs": request.logprobs}
        if request.is_continued and is_vllm:
            body |= {"add_generation_prompt": False, "continue_final_message": True}
        if request.scored_from is not None:
            # 0 alternatives: the token itself.
            body["prompt_logprobs"] = 0
        if request.reply_schema is not None and self.strictness == _SCHEMA:
            schema = {"name": request.task, "schema": request.reply_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.reply_schema is not None and self.strictness == _OBJECT:
            body["response_format"] = {"type": "json_object"}
        elif request.reply_grammar is not None and self.strictness == _SCHEMA and is_vllm:
            body["structured_outputs"] = {"grammar": request.reply_grammar}
        return body | settings.more_fields

    def sampling(self, request: ModelRequest, settings: ModelSettings) -> str:
        """How replies to such a request are drawn, as JSON; empty: as the settings say."""
        unlimited = frozenset() if self.length_field else _LIMITS
        left_out = self.left_out | unlimited
        drawn = limited(settings, request)
        return drawn.sampling_without(left_out) if left_out or drawn != settings else ""

    def otherwise(
        self, message: str, request: ModelRequest, sent: Mapping[str, Any], *, is_vllm: bool
    ) -> "RequestForm | None":
        """The form to try next, if the server objects only to this one; `sent` is what it was sent."""
        refuses = _REFUSES.search(message) is not None
        if self.length_field == _LENGTH and (
            _LENGTH_OF_REASONERS in message or (refuses and _names(_LENGTH, message))
        ):
            return replace(self, length_field=_LENGTH_OF_REASONERS)
        refused = [name for name in _SAMPLING if refuses and name in sent and _names(name, message)]
        if len(refused) > 1 and _ONE_OF_TWO.search(message):
            refused = refused[1:]
        if not self.left_out.issuperset(refused):
            return replace(self, left_out=self.left_out.union(refused))
        if self.length_field == _LENGTH_OF_REASONERS and refuses and _names(_LENGTH_OF_REASONERS, message):
            return replace(self, length_field="")
        formed = request.reply_schema is not None or (request.reply_grammar is not None and is_vllm)
        if formed and self.strictness < _FREE and _ABOUT_THE_FORM.search(message):
            return replace(self, strictness=self.strictness + 1)
        return None

    def joined(self, other: "RequestForm") -> "RequestForm":
        """What two requests learned that were sent at the same time."""
        return RequestForm(
            max(self.strictness, other.strictness), other.length_field, self.left_out | other.left_out
        )


def limited(settings: ModelSettings, request: ModelRequest) -> ModelSettings:
    """The settings with the request's own limit of its reply, where it has one."""
    if request.reply_tokens is None:
        return settings
    return settings.model_copy(update={"reply_tokens": request.reply_tokens})


def _names(field: str, message: str) -> bool:
    return re.search(rf"\b{field}\b", message) is not None

"""Models that reply badly where no reply is recorded, so that the steps ask them to repair what they said.

`aimsciqa prompts sample` writes these repairs. The dialogues of the steps ask for them, so that they are what
a model is asked that replies as badly.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import ModelSource
from aimsciqa_resources.language_model.recorded import NOT_RECORDED
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.readable import FAULTS
from aimsciqa_assets.cli.watching import with_requests

_TALK = "I have read all of it. Shall I begin with the reply?"


@dataclass(frozen=True, slots=True)
class BadlyReplyingModels:
    """The models of `models`, with a bad reply in the place of each that is not recorded."""

    models: ModelSource

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model of the settings, which replies badly."""
        return _BadlyReplying(self.models.open(settings, tasks))

    def close(self) -> None:
        """Nothing was loaded."""


class _BadlyReplying:
    takes_images = True

    def __init__(self, model: LanguageModel) -> None:
        self.name, self.revision, self.sampling = model.name, model.revision, model.sampling
        self._model = model

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """The replies of the model. The request for a repair gets none: it is not asked a second time."""
        for request, reply in with_requests(self._model, requests):
            bad = bad_reply_to(request) if request.purpose == "answer" else None
            yield ModelReply(reply.key, bad) if bad and reply.failure == NOT_RECORDED else reply


def bad_reply_to(request: ModelRequest) -> str | None:
    """A reply that the task cannot read: one that breaks off, or talk; None where the task reads anything.

    Which of the two comes first is drawn by a hash of the request.
    """
    bad = [_begun(request), _TALK]
    if blake2b(request.key.encode(), digest_size=1).digest()[0] % 2:
        bad.reverse()
    return next((reply for reply in bad if FAULTS[request.task](reply) is not None), None)


def _begun(request: ModelRequest) -> str:
    """The beginning of a reply in the form that the task asks for."""
    if request.reply_schema is None:
        return "<outputs>\n<component"
    first = next(iter(request.reply_schema.get("properties", {})), "reply")
    return f"{{{json.dumps(first)}: "

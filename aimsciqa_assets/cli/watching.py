"""Models that are watched: what each would be asked is noted, and answered by what is known already.

Nobody is asked anew. The scripted model replies, recorded models reply from their recordings, and models of
servers and vLLM from the journal of replies.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest
from aimsciqa_resources.language_model.engine import fingerprint
from aimsciqa_resources.language_model.journal_places import JournalPlace, open_journal
from aimsciqa_resources.language_model.opening import ModelSource
from aimsciqa_resources.language_model.recorded import NOT_RECORDED
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.thinking import reply_text

from aimsciqa_assets.settings import Settings

NOT_ASKED = "not_asked"
NO_REPLY_YET = frozenset({NOT_ASKED, NOT_RECORDED})
"""Failures of requests that somebody still has to answer."""

Note = Callable[[ModelSettings, ModelRequest, ModelReply], None]
"""Told of each request, of the model, and of the reply; its failure is `NOT_ASKED` where none is known."""


@dataclass(frozen=True, slots=True)
class WatchedModels:
    """The models of `models`, of which none asks anybody."""

    models: ModelSource
    journal: JournalPlace
    note: Note

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model of the settings, watched."""
        model = self.models.open(settings, tasks)
        if settings.backend in ("server", "vllm"):
            model = _Remembering(model, settings.identity, self.journal)
        return _Watched(model, settings, self.note)

    def close(self) -> None:
        """Nothing was loaded."""


def patient(settings: Settings) -> Settings:
    """The same settings with models that may leave every request without a reply."""
    made = {name: getattr(settings, name) for name in type(settings).model_fields}
    models = {
        name: ModelSettings(**value.model_dump() | {"failure_share": 1.0})
        for name, value in made.items()
        if isinstance(value, ModelSettings)
    }
    return type(settings)(**made | models)


def with_requests(
    model: LanguageModel, requests: Iterable[ModelRequest]
) -> Iterator[tuple[ModelRequest, ModelReply]]:
    """The replies of a model as they come, each with its request."""
    asked: dict[str, ModelRequest] = {}

    def kept() -> Iterator[ModelRequest]:
        for request in requests:
            asked[request.key] = request
            yield request

    for reply in model.replies(kept()):
        yield asked.pop(reply.key), reply


class _Watched:
    takes_images = True

    def __init__(self, model: LanguageModel, settings: ModelSettings, note: Note) -> None:
        self.name, self.revision, self.sampling = model.name, model.revision, model.sampling
        self._model = model
        self._settings = settings
        self._note = note

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """The replies of the model, each noted."""
        for request, reply in with_requests(self._model, requests):
            self._note(self._settings, request, reply)
            yield reply


class _Remembering:
    """A model that replies from the journal only."""

    def __init__(self, model: LanguageModel, identity: str, journal: JournalPlace) -> None:
        self.name, self.revision, self.sampling = model.name, model.revision, model.sampling
        self._identity = identity
        self._journal = journal

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """The reply of the journal, or none."""
        if not self._journal.exists():
            yield from (ModelReply(request.key, None, NOT_ASKED) for request in requests)
            return
        with closing(open_journal(self._journal)) as journal:
            for request in requests:
                known = journal.find(fingerprint(self._identity, request))
                text = reply_text(known.text) if known else None
                yield ModelReply(request.key, text, None if known else NOT_ASKED)

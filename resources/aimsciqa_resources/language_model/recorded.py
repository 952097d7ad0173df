"""The backend `recorded`: a language model whose replies were recorded beforehand, by people or models.

Nothing is asked of anybody. A request without a recording has the reason `not_recorded`, and whoever runs
the pipeline is told how to have it answered. The name says that replies are recorded, and by whom:
`recorded:NAME`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from aimsciqa_resources.language_model.interface import Call, ModelReply, ModelRequest
from aimsciqa_resources.language_model.recordings import Recordings, key_of_request
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.thinking import reply_text

NOT_RECORDED = "not_recorded"
WHAT_TO_DO = "aimsciqa record requests FILE writes the requests, aimsciqa record replies FILE takes replies"

Note = Callable[[ModelRequest], None]
"""Told of each request without a recording."""


class RecordedModel:
    """A `LanguageModel` over recordings.

    `tasks` are those that it will be asked; its revision covers the recordings of these tasks only, so that
    new replies to one task leave the rows of others alone. Empty: any task.
    """

    takes_images = True
    """Whoever replies sees them in the file."""

    def __init__(
        self,
        settings: ModelSettings,
        recordings: Recordings,
        tasks: Collection[str] = (),
        note: Note = lambda _request: None,
    ) -> None:
        self._settings = settings
        self._recordings = recordings
        self._tasks = tuple(tasks)
        self._note = note

    @property
    def name(self) -> str:
        """`recorded:NAME`."""
        return self._settings.label

    @property
    def revision(self) -> str:
        """A hash of the recordings; raises `RecordingsError`."""
        return self._recordings.revision(self._settings.recorded_by, self._tasks)

    @property
    def sampling(self) -> str:
        """Nothing is drawn."""
        return ""

    def noting(self, note: Note) -> "RecordedModel":
        """The same model, which tells `note` of each request without a recording."""
        return RecordedModel(self._settings, self._recordings, self._tasks, note)

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in the order of the requests; raises `RecordingsError`."""
        for request in requests:
            yield self._reply(request)

    def _reply(self, request: ModelRequest) -> ModelReply:
        if self._tasks and request.task not in self._tasks:
            # Its recordings are no part of the revision: rows would not follow them.
            raise ValueError(
                f"A step asks for {request.task}, but its declaration names {', '.join(self._tasks)}."
            )
        key = key_of_request(request)
        found = self._recordings.find(key, self._settings.recorded_by)
        if found is None:
            self._note(request)
            missing = Call(request.purpose, key, False, NOT_RECORDED, WHAT_TO_DO)
            return ModelReply(request.key, None, NOT_RECORDED, calls=(missing,))
        said = f"recorded by {found.by}"
        call = Call(request.purpose, key, True, "ok", said, answered_at=found.recorded_at)
        return ModelReply(request.key, reply_text(found.reply), calls=(call,))

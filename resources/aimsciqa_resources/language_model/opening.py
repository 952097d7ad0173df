"""Makes the model of a task from its settings."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol

from aimsciqa_resources.language_model.durable import DurableModel
from aimsciqa_resources.language_model.engine import Engine
from aimsciqa_resources.language_model.interface import LanguageModel
from aimsciqa_resources.language_model.journal_places import JournalPlace
from aimsciqa_resources.language_model.prices import Price, PriceTableError, read_prices
from aimsciqa_resources.language_model.recorded import RecordedModel
from aimsciqa_resources.language_model.recordings import Recordings
from aimsciqa_resources.language_model.settings import ModelSettings, server_name


class ModelSource(Protocol):
    """Anything that gives the model for the settings of a task."""

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model. Opening it asks no server and loads nothing yet.

        `tasks` are those that it will be asked, for a model whose revision depends on them; empty: any.
        """

    def close(self) -> None:
        """Unload what was loaded; a model that is asked again is loaded again."""


class LanguageModels:
    """The models of all backends, with one reply journal for the backends `server` and `vllm`.

    `scripted` makes the model of the backend `scripted`, which knows the prompts of the tasks. `recordings`
    is the file of the backend `recorded` where the settings name no other; by default it lies beside a
    journal that is a file, else in the working directory. `fetch_recordings` is called before it is read for
    the first time, and may bring it from where workers share it.
    """

    def __init__(
        self,
        journal: JournalPlace,
        scripted: Callable[[], LanguageModel] | None = None,
        recordings: Path | None = None,
        fetch_recordings: Callable[[], None] = lambda: None,
    ) -> None:
        self.journal = journal
        self._scripted = scripted
        folder = journal.parent if isinstance(journal, Path) else Path.cwd()
        self._own_recordings = recordings or folder / "recordings.jsonl"
        self._fetch_recordings = fetch_recordings
        self._recordings: dict[Path, Recordings] = {}
        self._opened: dict[str, DurableModel] = {}

    def recordings(self, settings: ModelSettings | None = None) -> Recordings:
        """The recordings that these settings name, or those of the home."""
        named = settings.recordings if settings else ""
        path = Path(named).absolute() if named else self._own_recordings
        if path == self._own_recordings and path not in self._recordings:
            self._fetch_recordings()
        return self._recordings.setdefault(path, Recordings(path))

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model of these settings; equal settings share a model, which remembers what its server can do.

        Raises `PriceTableError`.
        """
        if settings.backend == "scripted":
            if self._scripted is None:
                raise ValueError(
                    "These language models have no model for the backend scripted: choose the backend server "
                    "or vllm, or give LanguageModels the argument scripted."
                )
            return self._scripted()
        if settings.backend == "recorded":
            return RecordedModel(settings, self.recordings(settings), tasks)
        mark = settings.model_dump_json()
        if mark not in self._opened:
            self._opened[mark] = DurableModel(
                settings, _engines_of(settings), self.journal, _price_of(settings)
            )
        return self._opened[mark]

    def close(self) -> None:
        """Unload the models that run in this process."""
        for model in self._opened.values():
            model.close()


class OneModel:
    """A model of your own for every task, whatever the settings say."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model."""
        return self._model

    def close(self) -> None:
        """It is yours to close."""


def _engines_of(settings: ModelSettings) -> dict[str, Engine]:
    """The engine of each server by its name."""
    if settings.backend == "vllm":
        from aimsciqa_resources.language_model.vllm_engine import VllmEngine

        return {"": VllmEngine(settings)}
    from aimsciqa_resources.language_model.openai_server import OpenAIServer

    return {
        server_name(address): OpenAIServer(settings.model_copy(update={"base_url": address}))
        for address in settings.base_urls
    }


def _price_of(settings: ModelSettings) -> Price | None:
    if not settings.prices:
        return None
    prices = read_prices(Path(settings.prices))
    if settings.name not in prices:
        raise PriceTableError(f"The price table {settings.prices} has no line for {settings.name}.")
    return prices[settings.name]

"""Which servers the settings name: of language models, and of the encoders of retrievers."""

from collections.abc import Iterator
from dataclasses import dataclass

from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.asking.asked import asked_models
from aimsciqa_assets.benchmark.answering.rag.running import rag_retriever
from aimsciqa_assets.retrieval.notation import Encoded, Served, parse
from aimsciqa_assets.retrieval.opening import chosen_model, encoded_parts, server_of
from aimsciqa_assets.settings import Settings


@dataclass(frozen=True, slots=True)
class EmbeddingServer:
    """A server of vectors, and the name of the variable that holds its key ("" for none)."""

    address: str
    key_variable: str


def models(settings: Settings) -> list[ModelSettings]:
    """The models that a whole run asks, each once."""
    return list(
        {model.model_dump_json(): model for _, model in asked_models(settings, evaluate=True)}.values()
    )


def model_servers(settings: Settings) -> Iterator[tuple[ModelSettings, list[str]]]:
    """The models of servers, each with the addresses where it is served."""
    for model in models(settings):
        if model.backend == "server":
            yield model, addresses_of(model)


def addresses_of(model: ModelSettings) -> list[str]:
    """The addresses of a model's servers."""
    return model.base_url.replace(",", " ").split()


def encoders(settings: Settings) -> list[Encoded | Served]:
    """The encoders in the retrievers of the settings, without the pipeline's own."""
    chosen = settings.benchmark
    names = [*chosen.retriever_names, *([rag_retriever(chosen)] if chosen.rag else [])]
    return [part for name in names for part in encoded_parts(parse(name), settings.encoder.model)]


def embedding_servers(settings: Settings) -> Iterator[EmbeddingServer]:
    """The servers of encoders; raises `RetrieverNotationError` for one without an address."""
    chosen = settings.benchmark
    for part in encoders(settings):
        if address := server_of(part, chosen):
            model = chosen_model(part, chosen)
            own = model.api_key_variable or ("" if model.base_url else chosen.embedding_api_key_variable)
            yield EmbeddingServer(address.rstrip("/"), own)

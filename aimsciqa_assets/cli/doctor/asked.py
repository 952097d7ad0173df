"""Which servers the settings name, of language models and of encoders, and what to do where one fails.

`aimsciqa doctor` looks at all of them, the check before a run at those that the run will ask.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from aimsciqa_resources.language_model.probing import Answer, Service
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.asking.asked import asked_models, chosen_by
from aimsciqa_assets.benchmark.answering.rag.running import rag_retriever
from aimsciqa_assets.retrieval.notation import Encoded, Served, parse
from aimsciqa_assets.retrieval.opening import chosen_model, encoded_parts, server_of
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.benchmark import BenchmarkSettings

_RETRIEVER_MODELS = "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS"


@dataclass(frozen=True, slots=True)
class AskedService:
    """A service that runs ask, the variable of its key ("" for none), and the settings that chose it."""

    service: Service
    key_variable: str
    name_setting: str
    address_setting: str
    key_setting: str


def models(settings: Settings) -> list[ModelSettings]:
    """The models that a whole run asks, each once."""
    return list(
        {model.model_dump_json(): model for _, model in asked_models(settings, evaluate=True)}.values()
    )


def services_of_models(
    settings: Settings, asked: Iterable[ModelSettings], environment: Mapping[str, str]
) -> Iterator[AskedService]:
    """Yield the models of servers, each at every address where it is served."""
    for model in asked:
        key = environment.get(model.api_key_variable, "").strip()
        for address in model.base_urls if model.backend == "server" else ():
            yield AskedService(
                Service(address, model.name, key),
                model.api_key_variable,
                chosen_by(settings, model, "name"),
                chosen_by(settings, model, "base_url"),
                chosen_by(settings, model, "api_key_variable"),
            )


def encoders(settings: Settings) -> list[Encoded | Served]:
    """The encoders in the retrievers of the settings, without the pipeline's own."""
    chosen = settings.benchmark
    names = [*chosen.retriever_names, *([rag_retriever(chosen)] if chosen.rag else [])]
    return [part for name in names for part in encoded_parts(parse(name), settings.encoder.model)]


def services_of_encoders(
    parts: Iterable[Encoded | Served], chosen: BenchmarkSettings, environment: Mapping[str, str]
) -> Iterator[AskedService]:
    """Yield the encoders that servers have; raises `RetrieverNotationError` for one without an address."""
    for part in parts:
        if address := server_of(part, chosen):
            model = chosen_model(part, chosen)
            variable = model.api_key_variable or ("" if model.base_url else chosen.embedding_api_key_variable)
            yield AskedService(
                Service(address.rstrip("/"), model.model, environment.get(variable, "").strip(), embeds=True),
                variable,
                f"AIMSCIQA_BENCHMARK_RETRIEVERS, or its name in {_RETRIEVER_MODELS},",
                f"AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL, or its base_url in {_RETRIEVER_MODELS}",
                "AIMSCIQA_BENCHMARK_EMBEDDING_API_KEY_VARIABLE, or its api_key_variable in "
                f"{_RETRIEVER_MODELS}",
            )


def complaint(asked: AskedService, answer: Answer) -> tuple[str, str]:
    """Return what is wrong with a server, and what to do; two empty texts where nothing is."""
    service, address, variable = asked.service, asked.service.address, asked.key_variable
    match answer.trouble:
        case "":
            return "", ""
        case "down":
            return (
                f"{address} cannot be reached ({answer.reason})",
                f"Start it, or mend {asked.address_setting}.",
            )
        case "slow":
            return (
                f"{address} is slow: {answer.reason}",
                "A run waits for it. Look at its log if that takes long.",
            )
        case "key" if service.key:
            return (
                f"{address} does not accept the key in {variable}{answer.reason and ': '}{answer.reason}",
                f"Put a valid key into this variable, or name another one in {asked.key_setting}.",
            )
        case "key":
            return (
                f"{address} wants a key, and {variable or 'no variable'} holds none",
                f"Put the key into the environment variable {variable or 'that the settings name for it'}.",
            )
        case "address":
            return (
                f"{address} is not the address of an OpenAI-compatible server ({answer.reason})",
                f"Set {asked.address_setting} to "
                f"{answer.better or 'the address of its API, which usually ends with /v1'}.",
            )
        case "model":
            offered = f"it serves {answer.offer.nearest(service.model) or f'no such model ({answer.reason})'}"
            return (
                f"{address} does not serve {service.model}; {offered}",
                f"Set {asked.name_setting} to the name of a model that it serves, or let it serve this one.",
            )

"""Checks of what answers from outside: model servers, embedding servers, and the clocks of both."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from aimsciqa_resources.language_model.prices import read_prices
from aimsciqa_resources.language_model.probing import Answer
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.doctor.asked import embedding_servers, model_servers, models
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning

_SHOWN = 5
_REFUSED = (401, 403)
# Servers tell whole seconds, and an answer takes a moment.
_OFF, _FAR_OFF = 30.0, 300.0


def model_servers_answer(examined: Examined) -> Iterator[Finding]:
    """Every server of a language model is up, takes the key and serves the model."""
    servers = list(model_servers(examined.settings))
    if not servers:
        yield ok("no language model is asked of a server")
    for model, addresses in servers:
        for address in addresses:
            yield _of_model(model, address, examined)


def _of_model(model: ModelSettings, address: str, examined: Examined) -> Finding:
    answer = examined.answers[address]
    if found := _trouble(address, answer, model.api_key_variable, examined, "AIMSCIQA_MODEL_BASE_URL"):
        return found
    if answer.models is None:
        return ok(f"{address} answers; it gives no list of models")
    # Ollama calls qwen3 qwen3:latest.
    if model.name not in answer.models and f"{model.name}:latest" not in answer.models:
        return problem(
            f"{address} does not serve {model.name}; it serves {_some(answer.models)}",
            "Set AIMSCIQA_MODEL_NAME to the name of a model that it serves, or let it serve this one.",
        )
    return ok(f"{address} serves {model.name}")


def embedding_servers_answer(examined: Examined) -> Iterator[Finding]:
    """Every server that encodes for a retriever is up and takes the key."""
    servers = list(dict.fromkeys(embedding_servers(examined.settings)))
    if not servers:
        yield ok("no retriever needs an embedding server")
    setting = "AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL, or its base_url in AIMSCIQA_BENCHMARK_RETRIEVER_MODELS"
    for server in servers:
        answer = examined.answers[server.address]
        found = _trouble(server.address, answer, server.key_variable, examined, setting)
        yield found or ok(f"{server.address} answers")


def _trouble(address: str, answer: Answer, variable: str, examined: Examined, setting: str) -> Finding | None:
    """What is wrong with any server."""
    if answer.fault and answer.fault.down:
        return problem(
            f"{address} cannot be reached ({answer.fault.reason})", f"Start it, or mend {setting}."
        )
    if answer.fault:
        return warning(
            f"{address} is slow: {answer.fault.reason}",
            "A run waits for it. Look at its log if that takes long.",
        )
    if answer.status in _REFUSED and not examined.environment.get(variable, "").strip():
        return problem(
            f"{address} wants a key, and {variable or 'no variable'} holds none",
            f"Put the key into the environment variable {variable or 'that the settings name for it'}.",
        )
    if answer.status in _REFUSED:
        return problem(
            f"{address} does not accept the key in {variable}",
            "Put a valid key into this variable, or name another one in AIMSCIQA_MODEL_API_KEY_VARIABLE.",
        )
    return None


def files_of_models_are_there(examined: Examined) -> Iterator[Finding]:
    """Price tables and recorded replies that the settings name can be read."""
    found = False
    for model in models(examined.settings):
        if model.prices:
            found = True
            yield _priced(model)
        if model.backend == "recorded":
            found = True
            yield _recorded(model, examined)
    if not found:
        yield ok("the settings name no price table and no recorded replies")


def _priced(model: ModelSettings) -> Finding:
    prices = read_prices(Path(model.prices))
    if model.name in prices:
        return ok(f"{model.prices} has a price for {model.name}")
    return problem(
        f"{model.prices} has no line for {model.name}", "Add it: model, input, cached_input, output."
    )


def _recorded(model: ModelSettings, examined: Examined) -> Finding:
    file = Path(model.recordings or examined.home.recordings).absolute()
    if file.is_file():
        return ok(f"{file} holds recorded replies")
    return problem(
        f"there are no recorded replies: {file} is missing",
        "Make them with `aimsciqa record requests` and `aimsciqa record replies` (docs/recorded.md), or set "
        "AIMSCIQA_MODEL_RECORDINGS to the file that holds them.",
    )


def clock_agrees(examined: Examined) -> Iterator[Finding]:
    """The clock agrees with those of the servers, and no file of the home comes from the future."""
    told = [answer.skew_seconds for answer in examined.answers.values() if answer.skew_seconds is not None]
    skew = max(told, key=abs, default=0.0)
    advice = "Set the clock of this machine, or of the server (`timedatectl set-ntp true`)."
    if abs(skew) > _OFF:
        side = "behind" if skew > 0 else "ahead of"
        report = problem if abs(skew) > _FAR_OFF else warning
        yield report(f"this clock is {abs(skew):,.0f} s {side} that of a server", advice)
    newest = max(_changes(examined), default=0.0) - examined.now()
    if newest > _OFF:
        yield warning(
            f"a file of the home was changed {newest:,.0f} s in the future",
            "Set the clock of this machine, and of others that write here: `aimsciqa` and Dagster order "
            "what happened by time.",
        )
    if abs(skew) <= _OFF and newest <= _OFF:
        yield ok("agrees with the servers" if told else "no file of the home comes from the future")


def _changes(examined: Examined) -> Iterable[float]:
    if examined.home.folder.is_dir():
        yield from (entry.lstat().st_mtime for entry in examined.home.folder.iterdir())


def _some(names: Iterable[str]) -> str:
    known = sorted(names)
    more = f" and {len(known) - _SHOWN:,} more" if len(known) > _SHOWN else ""
    return f"{', '.join(known[:_SHOWN]) or 'nothing'}{more}"

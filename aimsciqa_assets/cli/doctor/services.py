"""Checks of what answers from outside: model servers, embedding servers, and the clocks of both."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from aimsciqa_resources.language_model.prices import read_prices
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.doctor.asked import complaint, models
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning

# Servers tell whole seconds, and an answer takes a moment.
_OFF, _FAR_OFF = 30.0, 300.0


def model_servers_answer(examined: Examined) -> Iterator[Finding]:
    """Every server of a language model is up, takes the key and serves the model."""
    yield from _findings(examined, "no language model is asked of a server", embeds=False)


def embedding_servers_answer(examined: Examined) -> Iterator[Finding]:
    """Every server that encodes for a retriever is up, takes the key and serves the model."""
    yield from _findings(examined, "no retriever needs an embedding server", embeds=True)


def _findings(examined: Examined, none: str, *, embeds: bool) -> Iterator[Finding]:
    answers = [pair for pair in examined.answers.items() if pair[0].service.embeds == embeds]
    if not answers:
        yield ok(none)
    for asked, answer in answers:
        said, advice = complaint(asked, answer)
        if said:
            yield warning(said, advice) if answer.trouble == "slow" else problem(said, advice)
        elif answer.offer.serves(asked.service.model):
            yield ok(f"{asked.service.address} serves {asked.service.model}")
        else:
            listed = answer.offer.nearest(asked.service.model) or "no models"
            yield ok(f"{asked.service.address} answers; it lists {listed}")


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

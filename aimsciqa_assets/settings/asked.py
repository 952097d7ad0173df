"""Which models a run asks, as far as the settings tell."""

from collections.abc import Iterator
from itertools import chain

from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.settings.airqa_runs import agent_models
from aimsciqa_assets.settings.layered import Settings


def asked_models(settings: Settings, *, evaluate: bool) -> Iterator[tuple[str, ModelSettings]]:
    """The models of all systems that are on, each with what it does; those of the benchmark to `evaluate`."""
    if settings.corpus.single_hop:
        yield "single_hop", settings.single_hop_model
        yield "multi_hop", settings.multi_hop_model
    for task in settings.hopweaver.needed_models:
        yield task, settings.models[task]
    if settings.airqa.summarises:
        yield "summary", settings.summary_model
    if settings.scidqa.asks:
        yield "scidqa", settings.scidqa_model
    if not evaluate:
        return
    if settings.airqa.baselines:
        for model in agent_models(settings):
            yield "airqa", model
    for task in ("extractor", "tracker", "actor") if settings.extractor.examples else ():
        yield task, settings.models[task]
    for name in settings.answerer_names:
        yield "answering", settings.named_model("answering", name)
    judges = (settings.judge_names, settings.aspect_judge_names, settings.quality_judge_names)
    for name in dict.fromkeys(chain(*judges)):
        yield "judge", settings.named_model("judge", name)
    for name in settings.necessity.model_names:
        yield "necessity", settings.named_model("answering", name)

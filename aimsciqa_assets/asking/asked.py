"""Which models a run asks, as far as the settings tell, and which settings chose them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.settings.airqa_runs import agent_models
from aimsciqa_assets.settings.layered import FINDINGS_TASKS, LISTED_MODELS, Settings
from aimsciqa_assets.settings.places import SHARED_MODEL, variable_name


def asked_models(settings: Settings, *, evaluate: bool) -> Iterator[tuple[str, ModelSettings]]:
    """The models of all systems that are on, each with what it does; those of the benchmark to `evaluate`."""
    if settings.systems.aim_sciqa:
        yield "single_hop", settings.single_hop_model
        yield "multi_hop", settings.multi_hop_model
    for task in (*(FINDINGS_TASKS if settings.makes_findings else ()), *settings.hopweaver.needed_models):
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
    for name in dict.fromkeys(_judges(settings)):
        yield "judge", settings.named_model("judge", name)
    for name in settings.necessity.model_names:
        yield "necessity", settings.named_model("answering", name)


def _judges(settings: Settings) -> Iterator[str]:
    """Yield the judges by name, without those that belong to the family of all that they would judge."""
    benchmark = settings.benchmark
    answerers = settings.answerer_names
    examined = [*answerers, *settings.necessity.model_names]
    if settings.airqa.baselines:
        examined += [model.name for model in agent_models(settings)]

    def judges_some(judge: str, models: Iterable[str]) -> bool:
        own = benchmark.called(judge)
        return not all(same_family(own, benchmark.called(model)) for model in models)

    yield from (one for one in settings.judge_names if benchmark.same_family or judges_some(one, examined))
    yield from (one for one in settings.aspect_judge_names if judges_some(one, answerers))
    yield from settings.quality_judge_names


def chosen_by(settings: Settings, model: ModelSettings, setting: str) -> str:
    """Return the variable, or the variables, that gave a model its `setting` (name, base_url, ...).

    What most tasks have is said of all; `AIMSCIQA_BENCHMARK_MODELS` says what no task and no list says.
    """
    value = getattr(model, setting)
    shared = Counter(getattr(of_task, setting) for of_task in settings.models.values())
    if value == shared.most_common(1)[0][0]:
        return variable_name(SHARED_MODEL, setting)
    chosen = [
        variable_name(f"{task}_model", setting)
        for task, of_task in settings.models.items()
        if getattr(of_task, setting) == value
    ]
    lists = [
        variable_name(section, listed)
        for (section, listed) in LISTED_MODELS
        for entry in getattr(getattr(settings, section), listed).split()
        if value in (entry, *entry.split("@", 1))
    ]
    return ", ".join(dict.fromkeys(chosen or lists)) or variable_name("benchmark", "models")

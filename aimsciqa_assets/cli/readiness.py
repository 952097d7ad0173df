"""The checks before `aimsciqa run` starts: papers, servers with their models, BERTScore and BLEURT."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path

from aimsciqa_resources.language_model.interface import (
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
)
from aimsciqa_resources.language_model.journal_places import JournalPlace, open_journal
from aimsciqa_resources.language_model.offers import difference
from aimsciqa_resources.language_model.probing import Answer, answers_of
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.asking.asked import asked_models
from aimsciqa_assets.benchmark.answering.rag.running import rag_retriever
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE
from aimsciqa_assets.cli.doctor.asked import (
    AskedService,
    complaint,
    services_of_encoders,
    services_of_models,
)
from aimsciqa_assets.cli.outcome import makes_questions
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.summary import LEAST_DOCUMENTS, LEAST_PAPERS
from aimsciqa_assets.metrics import bertscore, bleurt
from aimsciqa_assets.orchestration.partitions import NoPapersError
from aimsciqa_assets.platform.plans import Plan
from aimsciqa_assets.platform.steps import BY_MODEL, STEPS, Step, StepRun
from aimsciqa_assets.retrieval.notation import Encoded, Served, parse
from aimsciqa_assets.retrieval.opening import chosen_model, encoded_parts, server_of
from aimsciqa_assets.settings import Settings, SettingsError
from aimsciqa_assets.settings.benchmark import BenchmarkSettings


class TooFewPapersError(NoPapersError):
    """The corpus has too few papers for a single question; the message says what to do."""


def check_readiness(pipeline: Pipeline, *, evaluate: bool) -> list[str]:
    """Warnings about what a run can do without.

    Raises `NoPapersError`, `TooFewPapersError`, `RetrieverNotationError`, `ModelUnavailableError` where a
    server that the run will ask is down (of several servers of a model: all of them), and `ModelRefusedError`
    where one refuses the key, has no such model or is at another address, or where the servers of a model do
    not serve the same one. A model that replied before may fail: its replies are in the journal.
    """
    pipeline.batches()
    _refuse_no_system(pipeline.settings)
    _refuse_too_few(pipeline.warehouse, pipeline.settings)
    made = plan_of_a_run(pipeline.resources)
    due = [
        StepRun.of(step, part, pipeline.resources)
        for step in dict.fromkeys(STEPS.values())
        if step.compute is not None and (evaluate or not step.on_request)
        for part in made.graph.parts_of(step.by)
        if _is_to_be_made(made, step, part)
    ]
    on = [model for _, model in asked_models(pipeline.settings, evaluate=evaluate)]
    asked = list(dict.fromkeys(model for run in due for model in _models_of(run) if model in on))
    return [
        *_idle_systems(pipeline.settings),
        *_warnings(pipeline, asked, _encoded_parts(due)),
        *_unverified(due),
        *_missing_measures(due),
    ]


def _refuse_no_system(settings: Settings) -> None:
    """Raise `SettingsError` where nothing is to be made: neither questions nor the paper store of AirQA."""
    if not (makes_questions(settings) or settings.airqa.store or settings.scidqa.extraction):
        raise SettingsError(
            f"No system would make questions: AIMSCIQA_SYSTEMS is '{settings.systems.systems}', and "
            "AIMSCIQA_HOPWEAVER_KINDS names no kind. Name systems (aim-sciqa, findings) or kinds (bridge, "
            "comparison). Findings needs a language model (docs/models.md)."
        )


def _idle_systems(settings: Settings) -> Iterator[str]:
    """Yield a line for a system that is named, but has no language model to ask."""
    if settings.systems.findings and not settings.makes_findings:
        yield (
            "Findings makes no items: it needs a language model. Set AIMSCIQA_MODEL_BACKEND "
            "(docs/models.md), or AIMSCIQA_SYSTEMS=aim-sciqa to do without Findings."
        )


def _refuse_too_few(warehouse: Warehouse, settings: Settings) -> None:
    """Files that were read and are no papers do not count; those that were not read yet do."""
    if not makes_questions(settings):
        return
    query = """select count(*) as papers from corpus.input_files
        where retired is null and duplicate_of is null
        and file_id not in (select file_id from corpus.rejected_files)"""
    papers = warehouse.read(query)["papers"][0]
    if not settings.systems.aim_sciqa and papers < LEAST_DOCUMENTS:
        raise TooFewPapersError(
            f"The corpus has {papers} document{'' if papers == 1 else 's'}. A question needs two, and many "
            "to choose from make better ones. Nothing was started. Take in more: aimsciqa ingest "
            "FILE.jsonl, or DIR"
        )
    if settings.systems.aim_sciqa and papers < LEAST_PAPERS:
        raise TooFewPapersError(
            f"The corpus has {papers} paper{'' if papers == 1 else 's'}. A question needs at "
            f"least {LEAST_PAPERS}: a source, a target, and one that the target must be told from; 30 and "
            "more make a benchmark. Nothing was started. Take in more papers: aimsciqa ingest DIR"
        )


def _is_to_be_made(made: Plan, step: Step, part: str) -> bool:
    return made.of(step, part).state != "current"


def _models_of(run: StepRun) -> Iterator[ModelSettings]:
    """The models of other servers that a run of a step asks."""
    if not run.task:
        return
    settings = run.settings
    names_others = run.by in BY_MODEL and BY_MODEL[run.by] != run.task
    judges = settings.aspect_judge_names if ASPECT_JUDGE.name in run.prompts else settings.judge_names
    names = judges if names_others else []
    models = [settings.named_model(run.task, name) for name in names] if names else [run.model_settings]
    models += run.other_models.values()
    yield from (model for model in models if model.backend == "server")


def _encoded_parts(due: list[StepRun]) -> list[tuple[Encoded | Served, BenchmarkSettings]]:
    """The encoders in the retrievers that a run uses, without the pipeline's own."""
    return [
        (part, run.settings.benchmark)
        for run in due
        if (retriever := _retriever_of(run))
        for part in encoded_parts(parse(retriever), run.encoder.name)
    ]


def _retriever_of(run: StepRun) -> str | None:
    """The retriever that a run of a step searches with."""
    if run.by == "retriever":
        return run.part
    chosen = run.settings.benchmark
    return rag_retriever(chosen) if run.task == ANSWERING.name and chosen.rag else None


def _unverified(due: list[StepRun]) -> list[str]:
    """Warnings about encoders of whose vectors we are not sure."""
    loaded = {
        str(part): chosen_model(part, settings).unverified
        for part, settings in _encoded_parts(due)
        if server_of(part, settings) is None
    }
    return [
        f"The retriever {name} is unverified: {doubt}. docs/benchmark.md says what to do."
        for name, doubt in loaded.items()
        if doubt
    ]


def _missing_measures(due: list[StepRun]) -> list[str]:
    """A warning where BERTScore or BLEURT is wanted of answers that are due and cannot be had."""
    return list(
        dict.fromkeys(
            f'There will be no {name}: {why}. Do that first. Or turn it off: {setting} = "" in [benchmark] '
            "of aimsciqa.toml. To add it later, forget the benchmark (aimsciqa reset --from benchmark): the "
            "answers in the journal are not paid again."
            for run in due
            if run.task == ANSWERING.name
            for name, setting, why in _why_not_measured(run.settings.benchmark)
            if why
        )
    )


def _why_not_measured(chosen: BenchmarkSettings) -> Iterator[tuple[str, str, str]]:
    """Of each measure by a model that is wanted: its name, its setting, and why there is none, or nothing."""
    if model := chosen.bert_score_model:
        folder = Path(chosen.bert_score_folder) if chosen.bert_score_folder else None
        yield "BERTScore", "bert_score_model", bertscore.why_none(model, folder)
    if chosen.bleurt_folder:
        yield "BLEURT", "bleurt_folder", bleurt.why_none(Path(chosen.bleurt_folder))


def _warnings(
    pipeline: Pipeline, models: list[ModelSettings], encoded: list[tuple[Encoded | Served, BenchmarkSettings]]
) -> list[str]:
    """Warnings about servers that a run can do without; raises `ModelError` for the others."""
    settings, journal = pipeline.settings, pipeline.home.journal
    of_models = {model: [*services_of_models(settings, [model], os.environ)] for model in models}
    of_encoders = [
        service for part, chosen in encoded for service in services_of_encoders([part], chosen, os.environ)
    ]
    everywhere = [*chain(*of_models.values()), *of_encoders]
    answers = answers_of(asked.service for asked in everywhere)
    answered = {asked: answers[asked.service] for asked in everywhere}
    slow = [
        f"The server {complaint(asked, answer)[0]}. The run goes on, and waits for it."
        for asked, answer in answered.items()
        if answer.trouble == "slow"
    ]
    failing = {asked: answer for asked, answer in answered.items() if answer.trouble not in ("", "slow")}
    for asked in of_encoders:
        if asked in failing:
            raise _refusal(f"The embedding server {complaint(asked, failing[asked])[0]}.", asked, failing)
    for model, services in of_models.items():
        offers = {asked.service.address: answered[asked].offer for asked in services}
        if unlike := difference(model.name, offers):
            raise ModelRefusedError(f"{unlike} Nothing was started.")
    told = [_of_model(model, services, failing, journal) for model, services in of_models.items()]
    return list(dict.fromkeys([*slow, *filter(None, told)]))


def _of_model(
    model: ModelSettings,
    services: list[AskedService],
    failing: Mapping[AskedService, Answer],
    journal: JournalPlace,
) -> str:
    """A warning where a run can do without the servers of a model that fail; raises `ModelError`."""
    troubled = [asked for asked in services if asked in failing]
    if not troubled:
        return ""
    said = " ".join(f"The model server {complaint(asked, failing[asked])[0]}." for asked in troubled)
    mistaken = [asked for asked in troubled if failing[asked].trouble != "down"]
    if len(troubled) < len(services) and not mistaken:
        return f"{said} The run goes on with the other servers of {model.name}."
    if model.name in _known_models(journal):
        return f"{said} The run goes on with the replies of {model.name} in the journal."
    raise _refusal(said, (mistaken or troubled)[0], failing)


def _refusal(said: str, asked: AskedService, failing: Mapping[AskedService, Answer]) -> ModelError:
    """The error that says what is wrong, and what to do about one of the servers."""
    kind = ModelUnavailableError if failing[asked].trouble == "down" else ModelRefusedError
    return kind(f"{said} Nothing was started. {complaint(asked, failing[asked])[1]}")


def _known_models(journal: JournalPlace) -> set[str]:
    """The models that replied before."""
    if not journal.exists():
        return set()
    with closing(open_journal(journal)) as opened:
        return {row["model"] for row in opened.summary()}

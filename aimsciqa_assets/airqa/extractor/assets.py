"""EXTRACTOR as assets: examples over the whole paper store, and trajectories by paper batch. Off at first."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing

import polars as pl
from aimsciqa_resources.language_model import Dialogue, LanguageModel
from aimsciqa_resources.warehouse.paper_texts import paper_texts
from aimsciqa_resources.warehouse.store_elements import StoreElements

from aimsciqa_assets.airqa.agent.carrying_out import Keeping
from aimsciqa_assets.airqa.agent.loop import AGENT
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.baselines.methods import BASELINES, told_by_code
from aimsciqa_assets.airqa.baselines.reading import READING, titles
from aimsciqa_assets.airqa.baselines.running import (
    ACTOR_RUN,
    environment_of,
    forget_unused,
    rules_of,
    store_of,
)
from aimsciqa_assets.airqa.evaluation.catalogue import told
from aimsciqa_assets.airqa.evaluation.judged import JUDGE_TASKS
from aimsciqa_assets.airqa.extractor.acting import (
    TRAJECTORIES,
    TURNS,
    Acted,
    acting,
    trajectory_row,
    turn_rows,
)
from aimsciqa_assets.airqa.extractor.exploring import EXPLORER, RETRIEVAL
from aimsciqa_assets.airqa.extractor.making import Making
from aimsciqa_assets.airqa.extractor.rows import ACCEPTED, EXAMPLES, QUOTAS
from aimsciqa_assets.airqa.extractor.tracking import TRACKER
from aimsciqa_assets.airqa.extractor.trying import Tried
from aimsciqa_assets.airqa.extractor.verdicts import VERDICTS, verdicts_of_acting, verdicts_of_making
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.kept_rows import KeptRows, Made
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings.airqa_runs import OBSERVATION_FORM
from aimsciqa_assets.tables import TABLES

MAKING = (EXPLORER, RETRIEVAL, TRACKER, *JUDGE_TASKS)
"""What is asked to make examples."""
ACTING = (AGENT, READING, *JUDGE_TASKS)
"""What is asked on the way to a trajectory."""
_HYBRID = BASELINES["agentic_hybrid"]
_ON_MAKING = (
    *("examples", "kinds", "elements", "evaluators", "seed", "seeds_per_paper", "tries"),
    *("context_tokens", "title_share", "duplicate_share"),
)
_ON_ACTING = (
    *(f"extractor.{name}" for name in ("alone", "filters", "error_removal")),
    *(f"airqa.{name}" for name in ("action_format", "action_style", "turns", "window", "view", "images")),
    *("airqa.answer_tokens", "airqa.query_seconds", "airqa.retriever"),
)
_BY_TRACKER = tuple((task.name, "tracker") for task in JUDGE_TASKS)
"""The tracker's model gives the verdicts of evaluators that ask a judge."""


@step_asset(
    Step(
        writes=(EXAMPLES, QUOTAS),
        reads=("airqa.store",),
        settings=tuple(f"extractor.{name}" for name in _ON_MAKING),
        asks="extractor",
        prompts=tuple(task.name for task in MAKING),
        prompt_version=version_of(*MAKING),
        put_to=((TRACKER.name, "tracker"), *_BY_TRACKER),
        code=digest({"told": told()})[:12],
    )
)
def made_examples(run: StepRun) -> Made:
    """Has an explorer ask and a tracker evaluate, until there are enough examples (AirQA, section 3).

    Every try is a row, with its reason where it gave no example. While none is wanted, those that were made
    stay.
    """
    if not run.settings.extractor.examples:
        return {table: as_declared(table, run.read(table)) for table in (EXAMPLES, QUOTAS)}

    def ask(
        dialogues: Iterable[Dialogue[Tried]], total: int, doing: str
    ) -> AbstractContextManager[Iterator[Tried]]:
        return run.ask(EXAMPLES, dialogues, total, doing)

    folder = run.unfinished(EXAMPLES)
    rows = KeptRows(EXAMPLES, folder)
    with closing(StoreElements(store_of(run))) as elements:
        making = making_of(run, elements)
        rows.add(making.run(ask, folder))
    return {
        EXAMPLES: rows,
        QUOTAS: frame_of(QUOTAS, making.quotas()).sort(*TABLES[QUOTAS].key),
    }


def making_of(run: StepRun, elements: StoreElements) -> Making:
    """The making of all examples, before its first round."""
    models = {
        "explorer": run.model_of(EXPLORER.name).name,
        "tracker": run.model_of(TRACKER.name).name,
        "prompt_version": version_of(*MAKING),
    }
    batches = dict(run.read("airqa.store", columns="uuid, from_batch").iter_rows())
    return Making(run.settings.extractor, elements, batches, models)


@step_asset(
    Step(
        writes=(TRAJECTORIES, TURNS, VERDICTS),
        reads=(EXAMPLES, "airqa.store"),
        settings=_ON_ACTING,
        encodes=True,
        asks="actor",
        prompts=tuple(task.name for task in ACTING),
        prompt_version=version_of(*ACTING),
        put_to=_BY_TRACKER,
        code=digest({"told": told_by_code(), "observations": OBSERVATION_FORM})[:12],
    )
)
def trajectories(run: StepRun) -> Made:
    """Has an actor answer the accepted examples of the batch as an agent, and scores it (section 3.4).

    Every turn is a row, and so is what each filter finds of every example. While no example is wanted, the
    rows that were made stay.
    """
    if not run.settings.extractor.examples:
        return {table: as_declared(table, run.read_part(table)) for table in (TRAJECTORIES, TURNS, VERDICTS)}
    examples = run.read(EXAMPLES, "batch = $batch", batch=run.part)
    rows = {table: KeptRows(table, run.unfinished(table)) for table in (TRAJECTORIES, TURNS, VERDICTS)}
    for example in examples.iter_rows(named=True):
        rows[VERDICTS].add(verdicts_of_making(example))
    accepted = examples.filter(pl.col("status") == ACCEPTED)
    if accepted.height:
        with ExitStack() as stack:
            environment = environment_of(run, stack, ACTOR_RUN, searches=True)
            asked = _acting(run, accepted, environment)
            acted = run.ask(TRAJECTORIES, asked, accepted.height, "collecting trajectories")
            actor = run.model_of(AGENT.name)
            for one in stack.enter_context(acted):
                _add(run, rows, one, actor)
            forget_unused(run, environment)
    return rows


def _acting(run: StepRun, accepted: pl.DataFrame, environment: Keeping) -> Iterator[Dialogue[Acted]]:
    """A dialogue for each example."""
    chosen = run.settings
    rules = rules_of(chosen.airqa, _HYBRID)
    named = {paper for anchors in accepted["anchor_pdf"] for paper in anchors}
    papers = paper_texts(store_of(run), sorted(named), whole=False) if chosen.extractor.alone else {}
    for example in accepted.iter_rows(named=True):
        shown = titles(Question.of(example), papers) if chosen.extractor.alone else None
        yield acting(example, environment, rules, shown)


def _add(run: StepRun, rows: Mapping[str, KeptRows], acted: Acted, actor: LanguageModel) -> None:
    chosen = run.settings.extractor
    reason = acted.reason(chosen.filter_names)
    version, form = version_of(*ACTING), run.settings.airqa.action_format
    rows[TRAJECTORIES].add([trajectory_row(acted, actor, version, form, reason)])
    rows[TURNS].add(turn_rows(acted, reason, errors_removed=chosen.error_removal == "last"))
    rows[VERDICTS].add(verdicts_of_acting(acted))

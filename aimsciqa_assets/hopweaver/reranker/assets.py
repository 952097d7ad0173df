"""The reranker as assets: feedback by batch, then a model trained on all of it. Off without a base."""

import logging
from dataclasses import replace
from pathlib import Path

import polars as pl

from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.hopweaver.assets import BRIDGE_SETTINGS, BRIDGE_TASKS
from aimsciqa_assets.hopweaver.bridges import bridge
from aimsciqa_assets.hopweaver.documents import drawn_sources
from aimsciqa_assets.hopweaver.hops import Rules
from aimsciqa_assets.hopweaver.reading import VECTORS, aids_among, searching_among, usable_documents
from aimsciqa_assets.hopweaver.reranker.ablation import ablation_rows, search_of
from aimsciqa_assets.hopweaver.reranker.feedback import feedback, feedback_rows, groups_of, leads
from aimsciqa_assets.hopweaver.reranker.training import (
    MODELS,
    curve_rows,
    rank_rows,
    trained,
    training_row,
)
from aimsciqa_assets.hopweaver.rows import BRIDGES, CANDIDATES, DOCUMENTS
from aimsciqa_assets.hopweaver.tasks import SUB_QUESTIONS
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.retrieval.reranker_training import NothingToLearnError
from aimsciqa_assets.retrieval.reranking import Reranker, open_reranker
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.hopweaver import Arm
from aimsciqa_assets.tables import TABLES

FEEDBACK = "hopweaver.feedback"
RERANKERS = "hopweaver.rerankers"
CURVE = "hopweaver.reranker_curve"
RANKS = "hopweaver.reranker_ranks"
ABLATION = "hopweaver.ablation"
_log = logging.getLogger(__name__)
_TEXTS = ("corpus.papers", "corpus.paragraphs", "corpus.sections")


def _is_on(settings: Settings) -> bool:
    return bool(settings.reranker_training.base)


@step_asset(
    Step(
        writes=(FEEDBACK,),
        reads=(BRIDGES, CANDIDATES),
        across=(DOCUMENTS, *_TEXTS),
        across_if=_is_on,
        settings=("reranker_training.base", "hopweaver.tries", "hopweaver.segment_words"),
        asks="hopweaver",
        prompts=(SUB_QUESTIONS.name,),
        prompt_version=version_of(SUB_QUESTIONS),
    )
)
def feedback_on_candidates(run: StepRun) -> Frames:
    """Finds out which candidates of a query serve, until it has one that does and one that does not.

    What an attempt asked about a candidate is in the journal and is not asked again.
    """
    found = []
    if _is_on(run.settings):
        bridges = run.read_part(BRIDGES, "status = 'found'").iter_rows(named=True)
        candidates = run.read_part(CANDIDATES, "kind = 'bridge'").sort("attempt_id", "rank")
        to_ask = leads(bridges, candidates.iter_rows(named=True))
        documents = usable_documents(run)
        chosen = run.settings.hopweaver
        dialogues = (feedback(one, documents, Rules.of(chosen)) for one in to_ask)
        with run.ask(FEEDBACK, dialogues, len(to_ask), "simulating feedback on candidates") as results:
            found = feedback_rows(results, run.part)
    return {FEEDBACK: frame_of(FEEDBACK, found).sort(*TABLES[FEEDBACK].key)}


def _is_there(run: StepRun) -> bool:
    return all(folder.is_dir() for folder in _folders(run, run.read(RERANKERS)))


def _folders(run: StepRun, rows: pl.DataFrame) -> list[Path]:
    """Where the models lie: as they were written, or in the home of a worker that fetched them."""
    return [made if made.is_dir() else run.home / MODELS / made.name for made in map(Path, rows["folder"])]


@step_asset(
    Step(
        writes=(RERANKERS, CURVE, RANKS),
        reads=(FEEDBACK, *_TEXTS),
        settings=("reranker_training",),
        leaves=lambda run, rows: {folder.name: folder for folder in _folders(run, rows)},
        is_there=_is_there,
    )
)
def rerankers(run: StepRun) -> Frames:
    """Trains a cross-encoder on the feedback of all batches, and compares it with its base on held-out
    queries.

    The folder of the model can be named at once: `AIMSCIQA_HOPWEAVER_RERANKER`, or `bm25>FOLDER` among the
    retrievers.
    """
    settings = run.settings.reranker_training
    nothing = {table: frame_of(table, []) for table in (RERANKERS, CURVE, RANKS)}
    if not _is_on(run.settings):
        return nothing
    texts = {name: document.text for name, document in usable_documents(run).items()}
    groups = groups_of(run.read(FEEDBACK).sort("attempt_id", "position").iter_rows(named=True), texts)
    try:
        training = trained(settings, groups, run.home, run.unfinished(RERANKERS))
    except NothingToLearnError as error:
        _log.warning("No reranker is trained. %s", error)
        return nothing
    return {
        RERANKERS: frame_of(RERANKERS, [training_row(settings.base, training)]),
        CURVE: frame_of(CURVE, curve_rows(training.curve)),
        RANKS: frame_of(RANKS, rank_rows(training)),
    }


def _is_compared(settings: Settings) -> bool:
    return bool(settings.hopweaver.ablation)


@step_asset(
    Step(
        writes=(ABLATION,),
        reads=(DOCUMENTS, VECTORS, RERANKERS, *_TEXTS),
        settings=(
            *(f"hopweaver.{name}" for name in BRIDGE_SETTINGS),
            *("hopweaver.ablation", "hopweaver.ablation_documents", "reranker_training.base"),
        ),
        encodes=True,
        asks="hopweaver",
        prompts=tuple(task.name for task in BRIDGE_TASKS),
        prompt_version=version_of(*BRIDGE_TASKS),
    )
)
def ablation(run: StepRun) -> Frames:
    """Makes bridge questions from the same sources with each way of retrieval (Table 6 of HopWeaver).

    What another arm or an attempt asked already is in the journal and is not asked again.
    """
    rows = []
    if _is_compared(run.settings):
        chosen = run.settings.hopweaver
        by_id = usable_documents(run)
        sources = filter(by_id.__contains__, run.read(DOCUMENTS, "status = 'source'")["paper_id"])
        drawn = drawn_sources(sources, "bridge", chosen.ablation_documents, chosen.seed)
        search = searching_among(run, by_id)
        rerankers = _rerankers(run)
        # Holders are found without any search: the ways would no longer differ.
        rules, aids = Rules.of(chosen), replace(aids_among(run, by_id, search), holders=None)
        for arm in chosen.arms:
            found = search_of(arm, search, rerankers).candidates
            dialogues = (bridge(by_id[source], found, by_id, rules, aids) for source in drawn)
            with run.ask(ABLATION, dialogues, len(drawn), f"ablation, {arm}") as made:
                rows += ablation_rows(arm, made)
    return {ABLATION: frame_of(ABLATION, rows).sort(*TABLES[ABLATION].key)}


def _rerankers(run: StepRun) -> dict[Arm, Reranker | None]:
    """The cross-encoders of the arms that have one."""
    models: dict[Arm, str] = {
        "diverse_zs": run.settings.reranker_training.base,
        "diverse_ft": "".join(map(str, _folders(run, run.read(RERANKERS)))),
    }
    return {arm: open_reranker(model) for arm, model in models.items() if model}

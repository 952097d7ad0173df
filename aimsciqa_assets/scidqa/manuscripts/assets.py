"""Manuscripts as assets: their versions come from outside; what changed between them is computed, and a model
looks for evidence in them, where that is turned on.
"""

from collections import defaultdict
from typing import Any

import polars as pl

from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.retrieval.notation import parse
from aimsciqa_assets.retrieval.opening import Opening
from aimsciqa_assets.scidqa.manuscripts.changes import CHANGES, change_rows
from aimsciqa_assets.scidqa.manuscripts.evidence import (
    ANSWERABILITY,
    EVIDENCE,
    SUPPORT,
    Asked,
    Candidate,
    answerability_row,
    candidates_of,
    evidence_rows,
    judge,
)
from aimsciqa_assets.scidqa.manuscripts.parts import both_versions, parts_of
from aimsciqa_assets.scidqa.manuscripts.taking import MANUSCRIPTS
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

_PAIRS = "scidqa.qa_pairs"
_PARTS = ("corpus.sections", "corpus.paragraphs", "corpus.references")

manuscripts = spec_of(
    TABLES[MANUSCRIPTS],
    Step((MANUSCRIPTS,), reads=(INPUT_FILES,)),
    "From outside: `aimsciqa reviews papers FOLDER` brings them.",
)


@step_asset(Step(writes=(CHANGES,), reads=(MANUSCRIPTS, *_PARTS)))
def manuscript_changes(run: StepRun) -> Frames:
    """Aligns the two versions of each manuscript: sections, paragraphs, figures and tables by their captions,
    and references (SciDQA, section 3.1).
    """
    pairs = both_versions(run.read_part(MANUSCRIPTS))
    papers = sorted({paper for pair in pairs.values() for paper in pair})
    wanted = "paper_id in (select unnest($papers))"
    tables = {table: run.read(table, wanted, papers=papers) for table in _PARTS}
    parts = parts_of(*tables.values())
    rows = [row for forum, pair in pairs.items() for row in change_rows(run.part, forum, pair, parts)]
    return {CHANGES: frame_of(CHANGES, rows).sort(*TABLES[CHANGES].key)}


change_summary = sql_asset("scidqa.change_summary")


def _looks_for_evidence(settings: Settings) -> bool:
    return bool(settings.scidqa.versions)


@step_asset(
    Step(
        writes=(ANSWERABILITY, EVIDENCE),
        reads=(_PAIRS, MANUSCRIPTS, "corpus.papers", "corpus.sections", "corpus.paragraphs"),
        settings=(
            *("scidqa.evidence_versions", "scidqa.evidence_paragraphs", "scidqa.evidence_retriever"),
            *("benchmark.retriever_models", "benchmark.retriever_precision", "benchmark.rerank_depth"),
        ),
        encodes=True,
        asks="scidqa",
        asks_if=_looks_for_evidence,
        prompts=(SUPPORT.name,),
        prompt_version=version_of(SUPPORT),
    )
)
def manuscript_evidence(run: StepRun) -> Frames:
    """Asks whether each version answers the question of each accepted pair, and which sentences do.

    A final version that is the very file of the initial one is not asked about again.
    """
    asked = _asked(run) if _looks_for_evidence(run.settings) else []
    if not asked:
        return {table: frame_of(table, []) for table in (ANSWERABILITY, EVIDENCE)}
    found = _candidates(run, asked)
    dialogues = (judge(one, found[one.qa_id, one.version]) for one in asked)
    made_by = {
        "model": run.model.name,
        "model_revision": run.model.revision,
        "prompt_version": SUPPORT.version,
    }
    verdicts, quotes = list[dict[str, Any]](), list[dict[str, Any]]()
    with run.ask(ANSWERABILITY, dialogues, len(asked), "looking for evidence in manuscripts") as results:
        for judged in results:
            quoted = evidence_rows(judged, run.part)
            quotes += quoted
            verdicts.append(answerability_row(judged, run.part, quoted, made_by))
    rows = {ANSWERABILITY: verdicts, EVIDENCE: quotes}
    return {table: frame_of(table, made).sort(*TABLES[table].key) for table, made in rows.items()}


def _asked(run: StepRun) -> list[Asked]:
    """The accepted pairs of the batch, each with the versions of its manuscript that are asked about."""
    pairs = run.read_part(_PAIRS, "status = 'accepted'", "forum_id, qa_id, question, answer")
    forums = pairs["forum_id"].unique().to_list()
    wanted = "not same_as_initial and list_contains($versions, version) and list_contains($forums, forum_id)"
    versions = run.read(MANUSCRIPTS, wanted, versions=run.settings.scidqa.versions, forums=forums)
    ids = versions["paper_id"].to_list()
    # A file that could not be read after all has no paper.
    papers = run.read("corpus.papers", "list_contains($ids, paper_id)", "paper_id, title", ids=ids)
    rows = pairs.join(versions.select("forum_id", "version", "paper_id"), on="forum_id").join(
        papers, on="paper_id"
    )
    names = ("qa_id", "forum_id", "version", "paper_id", "title", "question", "answer")
    return [Asked(*row) for row in rows.select(names).sort("paper_id", "version", "qa_id").iter_rows()]


def _candidates(run: StepRun, asked: list[Asked]) -> dict[tuple[str, str], list[Candidate]]:
    """The paragraphs that the model is shown for each pair and version."""
    chosen, notation = run.settings.scidqa, parse(run.settings.scidqa.evidence_retriever)
    paragraphs = _paragraphs(run, sorted({one.paper_id for one in asked}))
    of_paper: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        of_paper[one.paper_id].append(one)
    found = dict[tuple[str, str], list[Candidate]]()
    for paper, questions in of_paper.items():
        read = candidates_of(
            paragraphs.get(paper, []),
            [f"{one.question} {one.answer}" for one in questions],
            lambda documents: Opening(documents, run.encoder, run.settings.benchmark).open(notation),
            chosen.evidence_paragraphs,
        )
        found |= {(one.qa_id, one.version): shown for one, shown in zip(questions, read, strict=True)}
    return found


def _paragraphs(run: StepRun, papers: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The paragraphs of papers in reading order, with the titles of their sections."""
    wanted = "list_contains($papers, paper_id)"
    sections = run.read("corpus.sections", wanted, papers=papers).select(
        "section_id", "title", place=pl.col("position")
    )
    rows = run.read("corpus.paragraphs", f"{wanted} and kind = 'text'", papers=papers).join(
        sections, on="section_id"
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows.sort("paper_id", "place", "position").iter_rows(named=True):
        told = {"paragraph_id": row["paragraph_id"], "section": row["title"], "text": row["text"]}
        found.setdefault(row["paper_id"], []).append(told)
    return found


contrasts = sql_asset("scidqa.contrasts")
cited = sql_asset("scidqa.cited")
documents = sql_asset("scidqa.documents")

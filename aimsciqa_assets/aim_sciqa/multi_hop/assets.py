"""Multi-hop items as assets: a language model composes and judges them, then code splits them."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from aimsciqa_assets.aim_sciqa.multi_hop.choices import (
    Row,
    Texts,
    choice_inputs,
    offered_questions,
)
from aimsciqa_assets.aim_sciqa.multi_hop.items import item_dialogues, items_of, relation_inputs
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP, MULTI_HOP_CHOICE
from aimsciqa_assets.aim_sciqa.relations.core_pairs import offered_pairs
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.splits import Divided, sentences_of, split_items
from aimsciqa_assets.platform.steps import Step, StepRun

_PAPERS = "source_paper_id, target_paper_id"
_USED = "core_source_qa_id, core_target_qa_id, retrieval_qa_id"
_TOLD = "qa_id, question, answer, section_id, paragraph_id, evidence_start, evidence_end"


@step_asset(
    Step(
        writes=("multi_hop.items",),
        reads=(
            "relations.candidate_relations",
            "relations.retrieval_questions",
            "relations.core_pairs",
            "relations.retrieval_candidates",
            "relations.other_facts",
            "single_hop.qa_pairs",
            "corpus.papers",
            "corpus.paragraphs",
            "corpus.sections",
        ),
        across=("relations.mirrors",),
        stale_if="items",
        stale_why="a relation became the mirror of another one, or is none any more",
        stale_alone=True,
        settings=(
            "refinement.model_chooses",
            "refinement.core_pairs_offered",
            "relations.core_as_retrieval_question",
        ),
        asks=MULTI_HOP.name,
        prompts=(MULTI_HOP.name, MULTI_HOP_CHOICE.name),
        prompt_version=version_of(MULTI_HOP, MULTI_HOP_CHOICE),
    )
)
def items(run: StepRun) -> Frames:
    """Asks the language model for a multi-hop item per relation, and decides its fate (section 4.4).

    Refused, malformed and rejected items are kept with their reason. Mirrors are not asked about. With
    `refinement.model_chooses` the model is told more and chooses among several pairs.
    """
    task = MULTI_HOP_CHOICE if run.settings.refinement.model_chooses else MULTI_HOP
    inputs = _choices(run) if run.settings.refinement.model_chooses else _given(run)
    table = "multi_hop.items"
    with run.ask(table, item_dialogues(inputs, task), len(inputs), "composing multi-hop items") as outcomes:
        return {table: items_of(outcomes, inputs, run.model, task)}


def _asked_about(run: StepRun) -> pl.DataFrame:
    """The relations of the batch that are no mirrors of others."""
    not_mirrored = "relation_id not in (select relation_id from relations.mirrors)"
    return run.read_part("relations.candidate_relations", not_mirrored)


def _given(run: StepRun) -> list[Row]:
    """The inputs as in the paper: one core pair and one retrieval question per relation."""
    relations = _asked_about(run)
    retrieval = run.read_part("relations.retrieval_questions")
    used = [*relations["core_source_qa_id"], *relations["core_target_qa_id"], *retrieval["qa_id"]]
    return relation_inputs(
        relations,
        retrieval,
        _pairs(run, relations, used, "qa_id, question, answer"),
        dict(_of_papers(run, "corpus.papers", relations, "paper_id, title").iter_rows()),
        dict(_of_papers(run, "corpus.sections", relations, "section_id, title").iter_rows()),
    )


def _choices(run: StepRun) -> list[Row]:
    """The inputs where the model chooses among several."""
    relations = _asked_about(run)
    core = offered_pairs(
        relations, run.read_part("relations.core_pairs"), run.settings.refinement.core_pairs_offered
    )
    questions = offered_questions(
        run.read_part("relations.retrieval_candidates"),
        core,
        run.settings.relations.core_as_retrieval_question,
    )
    others = _other_facts(run)
    used = [one for pairs in core.values() for pair in pairs for one in pair]
    used += [one for facts in others.values() for one in facts]
    used += [one for offered in questions.values() for one in offered]
    pairs = _pairs(run, relations, used, _TOLD)
    paragraphs = _of_papers(
        run,
        "corpus.paragraphs",
        relations,
        "paragraph_id, text",
        "and paragraph_id in (select unnest($used))",
        used=pairs["paragraph_id"].to_list(),
    )
    papers = _of_papers(run, "corpus.papers", relations, "paper_id, title, abstract")
    texts = Texts(
        {row["qa_id"]: row for row in pairs.iter_rows(named=True)},
        dict(paragraphs.iter_rows()),
        dict(_of_papers(run, "corpus.sections", relations, "section_id, title").iter_rows()),
        {row["paper_id"]: row for row in papers.iter_rows(named=True)},
    )
    return choice_inputs(relations, core, questions, texts, others)


def _other_facts(run: StepRun) -> dict[tuple[str, str], list[str]]:
    facts = run.read_part("relations.other_facts").sort("rank")
    return {
        (relation, role): qa_ids
        for relation, role, qa_ids in facts.group_by("relation_id", "role", maintain_order=True)
        .agg(pl.col("qa_id"))
        .iter_rows()
    }


def _pairs(run: StepRun, relations: pl.DataFrame, used: list[str], columns: str) -> pl.DataFrame:
    """The QA pairs that are used, all of papers of the relations."""
    return _of_papers(
        run, "single_hop.qa_pairs", relations, columns, "and qa_id in (select unnest($used))", used=used
    )


def _of_papers(
    run: StepRun, table: str, relations: pl.DataFrame, columns: str, also: str = "", **parameters: object
) -> pl.DataFrame:
    """Rows of the two papers of each relation, which lie in few batches."""
    papers = pl.concat([relations[name] for name in _PAPERS.split(", ")]).unique().to_list()
    return run.read(
        table, f"paper_id in (select unnest($papers)) {also}", columns, papers=papers, **parameters
    )


@step_asset(
    Step(
        writes=("multi_hop.splits",),
        reads=("multi_hop.items", "single_hop.qa_pairs"),
        settings=("multi_hop",),
        code="2",
    )
)
def splits(run: StepRun) -> Frames:
    """Puts the accepted items into dev and test, so that nothing of a test item stands in dev.

    Items of one source, of the same two papers (in either direction), or with a sentence of evidence in
    common go together, over both variants (`multi_hop.kept_apart`).
    """
    settings = run.settings.multi_hop
    accepted = run.read("multi_hop.items", "status = 'accepted'", f"item_id, variant, {_PAPERS}, {_USED}")
    items = accepted.rows(named=True)
    parts = split_items(
        _divided(items, _sentences(run, items)),
        settings.split_seed,
        settings.test_items,
        settings.test_fraction,
        settings.kept_apart,
    )
    shown = ("item_id", "variant", "source_paper_id")
    rows = [{name: row[name] for name in shown} | {"split": parts[row["item_id"]]} for row in items]
    return {"multi_hop.splits": frame_of("multi_hop.splits", rows)}


def _sentences(run: StepRun, items: Sequence[Row]) -> dict[str, str]:
    """What the pairs that items were made of quote, by pair."""
    used = sorted({row[name] for row in items for name in _USED.split(", ")})
    places = "qa_id, paragraph_id, evidence_start, evidence_end"
    pairs = run.read(
        "single_hop.qa_pairs",
        "evidence_start is not null and qa_id in (select unnest($used))",
        places,
        used=used,
    )
    return sentences_of({pair: (paragraph, start, end) for pair, paragraph, start, end in pairs.iter_rows()})


def _divided(items: Sequence[Row], sentences: Mapping[str, str]) -> Iterator[Divided]:
    for row in items:
        used = tuple(sentences[row[name]] for name in _USED.split(", ") if row[name] in sentences)
        source, target = (row[name] for name in _PAPERS.split(", "))
        yield Divided(row["item_id"], row["variant"], source, target, used)


statistics = sql_asset("multi_hop.statistics")

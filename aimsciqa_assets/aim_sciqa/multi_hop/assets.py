"""Multi-hop items as assets: a language model composes and judges them, then code splits them."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from aimsciqa_assets.aim_sciqa.multi_hop.items import Row, item_dialogues, items_of, relation_inputs
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.splits import Divided, sentences_of, split_items
from aimsciqa_assets.platform.steps import Step, StepRun

_PAPERS = "source_paper_id, target_paper_id"
_USED = "core_source_qa_id, core_target_qa_id, retrieval_qa_id"


@step_asset(
    Step(
        writes=("multi_hop.items",),
        reads=(
            "relations.candidate_relations",
            "relations.retrieval_questions",
            "single_hop.qa_pairs",
            "corpus.papers",
            "corpus.sections",
        ),
        across=("relations.mirrors",),
        stale_if="items",
        stale_why="a relation became the mirror of another one, or is none any more",
        stale_alone=True,
        asks=MULTI_HOP.name,
        prompts=(MULTI_HOP.name,),
        prompt_version=version_of(MULTI_HOP),
    )
)
def items(run: StepRun) -> Frames:
    """Asks the language model for a multi-hop item per relation, and decides its fate (section 4.4).

    Refused, malformed and rejected items are kept with their reason. Mirrors are not asked about.
    """
    inputs, table = _inputs(run), "multi_hop.items"
    with run.ask(table, item_dialogues(inputs), len(inputs), "composing multi-hop items") as outcomes:
        return {table: items_of(outcomes, inputs, run.model)}


def _inputs(run: StepRun) -> list[Row]:
    """What the model is told of each relation of the batch that is no mirror of another."""
    not_mirrored = "relation_id not in (select relation_id from relations.mirrors)"
    relations = run.read_part("relations.candidate_relations", not_mirrored)
    retrieval = run.read_part("relations.retrieval_questions")
    used = [*relations["core_source_qa_id"], *relations["core_target_qa_id"], *retrieval["qa_id"]]
    pairs = _of_papers(
        run,
        "single_hop.qa_pairs",
        relations,
        "qa_id, question, answer",
        "and qa_id in (select unnest($used))",
        used=used,
    )
    return relation_inputs(
        relations,
        retrieval,
        pairs,
        dict(_of_papers(run, "corpus.papers", relations, "paper_id, title").iter_rows()),
        dict(_of_papers(run, "corpus.sections", relations, "section_id, title").iter_rows()),
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

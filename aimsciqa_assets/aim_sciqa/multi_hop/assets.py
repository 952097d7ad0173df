"""Multi-hop items as assets: a language model composes and judges them, then code splits them."""

from aimsciqa_assets.aim_sciqa.multi_hop.items import item_dialogues, items_of, relation_inputs
from aimsciqa_assets.aim_sciqa.multi_hop.split import split_items
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun


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
        asks=MULTI_HOP.name,
        prompts=(MULTI_HOP.name,),
        prompt_version=MULTI_HOP.version,
    )
)
def items(run: StepRun) -> Frames:
    """Asks the language model for a multi-hop item per relation, and decides its fate (section 4.4).

    Refused, malformed and rejected items are kept with their reason.
    """
    relations = run.read_part("relations.candidate_relations")
    retrieval = run.read_part("relations.retrieval_questions")
    used = [*relations["core_source_qa_id"], *relations["core_target_qa_id"], *retrieval["qa_id"]]
    inputs = relation_inputs(
        relations,
        retrieval,
        run.read("single_hop.qa_pairs", "qa_id in (select unnest($used))", used=used),
        dict(run.read("corpus.papers", columns="paper_id, title").iter_rows()),
        dict(run.read("corpus.sections", columns="section_id, title").iter_rows()),
    )
    table = "multi_hop.items"
    with run.ask(table, item_dialogues(inputs), len(inputs), "composing multi-hop items") as outcomes:
        return {table: items_of(outcomes, inputs, run.model)}


@step_asset(Step(writes=("multi_hop.splits",), reads=("multi_hop.items",), settings=("multi_hop",)))
def splits(run: StepRun) -> Frames:
    """Puts the accepted items of each variant into dev and test, by source paper."""
    accepted = run.read("multi_hop.items", "status = 'accepted'", "item_id, variant, source_paper_id")
    rows = []
    for variant, of_variant in accepted.group_by("variant", maintain_order=True):
        sources: dict[str, str] = dict(of_variant.select("item_id", "source_paper_id").iter_rows())
        settings = run.settings.multi_hop
        parts = split_items(sources.items(), settings.split_seed, settings.test_items, settings.test_fraction)
        rows += [
            {"item_id": item, "variant": variant[0], "source_paper_id": sources[item], "split": part}
            for item, part in parts.items()
        ]
    return {"multi_hop.splits": frame_of("multi_hop.splits", rows)}


statistics = sql_asset("multi_hop.statistics")

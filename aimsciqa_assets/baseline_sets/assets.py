"""Published sets as assets: where their evidence stands, and the items.

`aimsciqa baseline` brings the records.
"""

from aimsciqa_assets.baseline_sets.evidence import evidence_rows, item_rows
from aimsciqa_assets.baseline_sets.rows import CONTEXTS, HOPS, RECORDS, SUPPORTS
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.tables import TABLES

EVIDENCE = "baseline_sets.evidence"
ITEMS = "baseline_sets.items"
_FROM = "From outside: `aimsciqa baseline FILE` brings them from a published file."

records, supports, contexts, hops = (
    spec_of(TABLES[table], Step((table,), reads=(INPUT_FILES,)), _FROM)
    for table in (RECORDS, SUPPORTS, CONTEXTS, HOPS)
)


@step_asset(Step(writes=(EVIDENCE,), reads=(SUPPORTS, "corpus.paragraphs", "corpus.sections")))
def evidence_of_published_items(run: StepRun) -> Frames:
    """Finds each supporting sentence in its document, exactly."""
    wanted = run.read(SUPPORTS, "document_batch = $part", part=run.part)
    places = dict(run.read_part("corpus.sections", columns="section_id, position").iter_rows())
    paragraphs: dict[str, list[tuple[str, str]]] = {}
    papers = f"paper_id in (select paper_id from {SUPPORTS})"
    rows = run.read_part("corpus.paragraphs", papers).rows(named=True) if wanted.height else []
    for row in sorted(rows, key=lambda row: (row["paper_id"], places[row["section_id"]], row["position"])):
        paragraphs.setdefault(row["paper_id"], []).append((row["paragraph_id"], row["text"]))
    return {EVIDENCE: frame_of(EVIDENCE, evidence_rows(wanted.iter_rows(named=True), paragraphs))}


@step_asset(Step(writes=(ITEMS,), reads=(RECORDS, SUPPORTS, EVIDENCE)))
def published_items(run: StepRun) -> Frames:
    """Accepts each record whose supporting sentences all stand in their documents."""
    rows = (run.read(table).rows(named=True) for table in (RECORDS, SUPPORTS, EVIDENCE))
    return {ITEMS: frame_of(ITEMS, item_rows(*rows))}

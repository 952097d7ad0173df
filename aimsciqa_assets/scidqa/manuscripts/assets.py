"""Manuscripts as assets: their versions come from outside; what changed between them is computed."""

from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.scidqa.manuscripts.changes import CHANGES, change_rows
from aimsciqa_assets.scidqa.manuscripts.parts import both_versions, parts_of
from aimsciqa_assets.scidqa.manuscripts.taking import MANUSCRIPTS
from aimsciqa_assets.tables import TABLES

_READ = ("corpus.sections", "corpus.paragraphs", "corpus.captions", "corpus.references")

manuscripts = spec_of(
    TABLES[MANUSCRIPTS],
    Step((MANUSCRIPTS,), reads=(INPUT_FILES,)),
    "From outside: `aimsciqa reviews papers FOLDER` brings them.",
)


@step_asset(Step(writes=(CHANGES,), reads=(MANUSCRIPTS, *_READ)))
def manuscript_changes(run: StepRun) -> Frames:
    """Aligns the two versions of each manuscript: sections, paragraphs, figures and tables by their captions,
    and references (SciDQA, section 3.1).
    """
    pairs = both_versions(run.read_part(MANUSCRIPTS))
    papers = sorted({paper for pair in pairs.values() for paper in pair})
    wanted = "paper_id in (select unnest($papers))"
    tables = {table: run.read(table, wanted, papers=papers) for table in _READ}
    parts = parts_of(*tables.values())
    rows = [row for forum, pair in pairs.items() for row in change_rows(run.part, forum, pair, parts)]
    return {CHANGES: frame_of(CHANGES, rows).sort(*TABLES[CHANGES].key)}


change_summary = sql_asset("scidqa.change_summary")

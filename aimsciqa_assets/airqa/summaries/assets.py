"""AirQA's summaries as assets: a model fills empty cells of the store, which are encoded. Off at first."""

from contextlib import closing

import polars as pl

from aimsciqa_assets.airqa.store.batches import PAPERS, ROWS
from aimsciqa_assets.airqa.store.encoding import encoded
from aimsciqa_assets.airqa.summaries.cells import empty_cells
from aimsciqa_assets.airqa.summaries.rows import (
    SUMMARIES,
    SUMMARY_VECTORS,
    WRITTEN,
    summary_row,
    written_cells,
)
from aimsciqa_assets.airqa.summaries.tasks import TASKS
from aimsciqa_assets.airqa.summaries.writing import dialogues, pictures_of
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES


def _is_on(settings: Settings) -> bool:
    return settings.airqa.summarises


@step_asset(
    Step(
        writes=(SUMMARIES,),
        reads=(PAPERS, ROWS),
        settings=("airqa.summaries", "airqa.summary_tokens", "airqa.summary_images"),
        asks="summary",
        asks_if=_is_on,
        prompts=tuple(task.name for task in TASKS),
        prompt_version=version_of(*TASKS),
    )
)
def store_summaries(run: StepRun) -> Frames:
    """Has a model sum up pages, sections, tables, figures and papers that have no summary (section 4.3).

    A cell that stays empty has a row as well, with its reason.
    """
    kept = run.read_part(ROWS, "true" if _is_on(run.settings) else "false")
    cells = [*empty_cells(kept, run.settings.airqa.summary_tokens)]
    if not cells:
        return {SUMMARIES: frame_of(SUMMARIES, [])}
    files = _pdfs(run)
    figures = [cell for cell in cells if cell.box and cell.uuid in files]
    others = [cell for cell in cells if not cell.box or cell.uuid not in files]
    versions = {task.name: task.version for task in TASKS}
    made_by = {"model": run.model.name, "model_revision": run.model.revision}
    with (
        closing(pictures_of(figures, files, run.files.get)) as pictures,
        run.ask(SUMMARIES, dialogues(others, pictures), len(cells), "writing summaries") as results,
    ):
        rows = [
            summary_row(done, run.part, made_by | {"prompt_version": versions[done.cell.task.name]})
            for done in results
        ]
    return {SUMMARIES: frame_of(SUMMARIES, rows).sort(*TABLES[SUMMARIES].key)}


def _pdfs(run: StepRun) -> dict[str, str]:
    """The stored files of papers that came as PDF; none where the model is shown no pictures."""
    if not run.settings.airqa.summary_images:
        return {}
    return dict(run.read_part(PAPERS, "source = 'pdf'", "uuid, file_id").iter_rows())


@step_asset(Step(writes=(SUMMARY_VECTORS,), reads=(SUMMARIES,), settings=("airqa.vectors",), encodes=True))
def summary_vectors(run: StepRun) -> Frames:
    """Encodes the summaries of the batch, so that what was encoded of its rows stays as it is."""
    rows = run.read_part(SUMMARIES, WRITTEN) if run.settings.airqa.vectors else pl.DataFrame()
    return {SUMMARY_VECTORS: encoded(SUMMARY_VECTORS, written_cells(rows.iter_rows(named=True)), run.encoder)}

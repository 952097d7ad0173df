"""The release as assets: which items may be released, and the folder of files."""

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import polars as pl
from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.release.exporting import export_queries
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.provenance import SETTINGS, code_version
from aimsciqa_assets.release.writing import is_as_written, write_release
from aimsciqa_assets.tables import BOOKKEEPING

items = sql_asset("release.items")
_READ = {table for query in export_queries().values() for table in tables_in(query.text)}


def folder_of(run: StepRun) -> Path:
    """The folder of the release."""
    return releases_in(run.home) / run.settings.release.name


def folder_left(run: StepRun, _rows: pl.DataFrame) -> Mapping[str, Path]:
    """The release folder; without a released item there is none."""
    folder = folder_of(run)
    return {"release": folder} if folder.exists() else {}


def folder_is_there(run: StepRun) -> bool:
    """Whether the release folder is as it was written."""
    files = run.read("release.files", columns="path, sha256")
    if files.is_empty():
        return not folder_of(run).exists()
    return is_as_written(folder_of(run), dict(files.iter_rows()))


@step_asset(
    Step(
        writes=("release.files",),
        reads=tuple(sorted(_READ - BOOKKEEPING)),
        settings=SETTINGS,
        leaves=folder_left,
        is_there=folder_is_there,
        code=code_version(),
    )
)
def files(run: StepRun) -> Frames:
    """Writes the release into `releases/<settings.release.name>/` in AIMSCIQA_HOME, in place of the old one.

    If a run is killed, the old folder stays. The step runs again when somebody changed or deleted the folder.
    Where no item may be released, not even by the places of its texts, there is no release, and the old
    folder is removed.
    """
    if run.read("release.items", "released or place_only", "item_id").is_empty():
        if folder_of(run).exists():
            shutil.rmtree(folder_of(run))
        return {"release.files": frame_of("release.files", [])}
    written = write_release(run.warehouse, run.settings, folder_of(run))
    return {"release.files": frame_of("release.files", [asdict(file) for file in written])}

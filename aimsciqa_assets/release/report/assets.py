"""The report as an asset: a table that says which page was written, and the page beside the warehouse."""

import os
from hashlib import sha256
from pathlib import Path

from aimsciqa_resources.warehouse import Warehouse, tables_in

from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.home import REPORT_PORT
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.release.report.browsing import Browsed, Read
from aimsciqa_assets.release.report.page import html_of, version
from aimsciqa_assets.tables import BOOKKEEPING

TABLE = "release.reports"
PAGE = "report.html"
_QUERIES = queries_in("report")
_ADDRESS = f"http://127.0.0.1:{REPORT_PORT}/"
_READ = [query.text for query in (*_QUERIES.values(), *queries_in("browse").values())]


def page_of(run: StepRun) -> Path:
    """The path of the page, beside the warehouse."""
    return run.home / PAGE


def is_there(run: StepRun) -> bool:
    """Whether the page is the one that was written: a page that was deleted or changed is made again."""
    written = run.read(TABLE)["sha256"].to_list()
    try:
        return written == [sha256(page_of(run).read_bytes()).hexdigest()]
    except FileNotFoundError:
        return False


@step_asset(
    Step(
        writes=(TABLE,),
        reads=tuple(sorted({table for text in _READ for table in tables_in(text)} - BOOKKEEPING)),
        settings=("release.name", "release.report_items"),
        code=version(),
        leaves=lambda run, _rows: {"report": page_of(run)},
        served=(("report", _ADDRESS), ("review page", f"{_ADDRESS}review")),
        is_there=is_there,
    )
)
def reports(run: StepRun) -> Frames:
    """Draws figures, tables and all items into one HTML page, `report.html` in `AIMSCIQA_HOME`."""
    with run.warehouse.one_state():
        rows = {
            name: run.warehouse.read(query.text, query.parameters(run.settings)).to_dicts()
            for name, query in _QUERIES.items()
        }
    browsed = Browsed.of(reader_of(run.warehouse), run.settings.release.report_items)
    page = html_of(rows, run.settings.release.name, browsed).encode()
    _write(page_of(run), page)
    row = {"path": PAGE, "bytes": len(page), "sha256": sha256(page).hexdigest()}
    return {TABLE: frame_of(TABLE, [row])}


def reader_of(warehouse: Warehouse) -> Read:
    """What asks a warehouse for the items of the report."""
    return lambda query, parameters: warehouse.read(query.text, parameters).to_dicts()


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step, so that nobody ever sees half a page."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)

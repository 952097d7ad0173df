"""The web UI in a real browser: one batch materialized, three backfilled, named runs on the home page, and
the pictures of the README.

`make test-ui` runs it. With `SCREENSHOTS=folder` (`make screenshots`) the pipeline is finished before the
pictures are taken, and they go to that folder.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import GROUPS
from tests.fakes import write_corpus
from tests.shell import Shell
from tests.web_ui import end_of_job, web_ui

playwright = pytest.importorskip("playwright.sync_api", reason="needs a browser: make test-ui")
expect = playwright.expect
expect.set_options(timeout=60_000)

RUN_MILLISECONDS = 300_000
METHOD = (
    "single_hop/qa_pairs",
    *("relations/embeddings", "relations/section_pairs", "relations/candidate_relations"),
    *("relations/clusters", "relations/retrieval_questions", "multi_hop/items", "multi_hop/splits"),
)
"""The tables from papers to items: all of them together do not fit into a picture."""
ENDED = re.compile("^(Success|Failure|Canceled)$")


@pytest.fixture
def browser_page():
    """A page of Debian's chromium that may reach this machine only."""
    chromium = shutil.which("chromium")
    assert chromium, "the browser is missing: apt-get install chromium"
    elsewhere = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--disable-gpu", "--disable-quic"])
        page = browser.new_page(viewport={"width": 1600, "height": 1000}, color_scheme="light")
        page.set_default_timeout(60_000)
        page.on("request", lambda request: elsewhere.append(request.url) if _leaves(request.url) else None)
        yield page
        browser.close()
    assert elsewhere == []


def _leaves(url: str) -> bool:
    return urlsplit(url).scheme not in {"data", "blob"} and urlsplit(url).hostname != "127.0.0.1"


@pytest.mark.slow
def test_a_batch_is_materialized_and_three_are_backfilled(tmp_path, browser_page):
    pictures = Path(os.environ.get("SCREENSHOTS") or tmp_path / "screenshots")
    pictures.mkdir(exist_ok=True)
    aimsciqa = Shell(tmp_path / "home", corpus_papers_per_batch="11")
    aimsciqa("ingest", "examples/demo_corpus")
    log = tmp_path / "web_ui.log"
    with web_ui(Home(aimsciqa.home), log) as address, evidence(browser_page, log):
        page = browser_page
        page.goto(f"{address}/assets/corpus/papers")
        materialize(page, "Launch 1 run", "batch-0001")
        page.goto(f"{address}/runs")
        assert end_of_run(page) == "Success"

        selection = 'key:"corpus/papers" or key:"single_hop/extractions"'
        page.goto(f"{address}/asset-groups~{quote(selection, safe='')}/")
        expect(page.get_by_text(GROUPS["single_hop"], exact=True).first).to_be_visible()
        expect(page.get_by_text(GROUPS["multi_hop"], exact=True)).to_have_count(0)
        materialize(page, "Launch backfill", "batch-0002", "batch-0003", "batch-0004")
        page.goto(f"{address}/runs?view=backfills")
        expect(page.get_by_text("3 partitions")).to_be_visible()
        assert end_of_run(page) == "Success"

        count = "select batch, count(*) as papers from corpus.papers group by batch order by batch"
        assert aimsciqa.rows(count) == [
            {"batch": f"batch-000{number}", "papers": 11} for number in (1, 2, 3, 4)
        ]
        asked = aimsciqa.rows("select distinct batch from single_hop.extractions order by batch")
        assert [row["batch"] for row in asked] == ["batch-0002", "batch-0003", "batch-0004"]

        pictured = "single_hop/extractions"
        if "SCREENSHOTS" in os.environ:
            aimsciqa("run", "--quiet", "--only-items")
            pictured = "single_hop/qa_pairs"
        picture_graph(page, address, pictures / "asset-graph.png")
        picture_asset(page, address, pictured, pictures / "asset-page.png")


@pytest.mark.slow
def test_the_home_page_shows_a_run_of_the_command_line_and_one_of_a_phase(tmp_path, browser_page):
    write_corpus(tmp_path / "papers", 3)
    aimsciqa = Shell(tmp_path / "home")
    aimsciqa("ingest", str(tmp_path / "papers"))
    aimsciqa("run", "--quiet", "--only-items", "--batch", "batch-0001")
    log = tmp_path / "web_ui.log"
    with web_ui(Home(aimsciqa.home), log) as address, evidence(browser_page, log):
        assert end_of_job(address, "phase_01_corpus_per_batch", "batch-0001") == "SUCCESS"
        browser_page.goto(f"{address}/")
        for job in ("aimsciqa_run", "phase_01_corpus_per_batch"):
            expect(browser_page.get_by_text(job, exact=True).first).to_be_visible()


@contextmanager
def evidence(page, log: Path) -> Iterator[None]:
    """Add to a failure what the processes said and what was on the screen."""
    try:
        yield
    except Exception as failure:
        failure.add_note(f"end of {log}:\n{log.read_text()[-6000:]}")
        screen = log.with_name("failure.png")
        page.screenshot(path=screen)
        failure.add_note(f"{page.url}, see {screen}:\n{page.locator('body').inner_text()}")
        raise


def materialize(page, launch: str, *batches: str) -> None:
    """Press Materialize, choose the batches and press the button called `launch`."""
    page.get_by_role("button", name="Materialize").first.click()
    dialog = page.get_by_role("dialog").filter(has_text="Partition selection")
    confirm_all(page, dialog)
    dialog.get_by_text("Select a partition or create one").click()
    for batch in batches:
        entry = page.get_by_role("menuitem").filter(has_text=batch)
        entry.click()
        expect(entry.get_by_role("checkbox")).to_be_checked()
    # The menu closes when something beside it is clicked; it may lie over all but the foot of the dialog.
    box = dialog.bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + box["height"] - 20)
    expect(page.get_by_role("menuitem")).to_have_count(0)
    dialog.get_by_role("button", name=launch).click()
    expect(dialog).to_be_hidden()


def confirm_all(page, wanted) -> None:
    """Say yes until the dialog that is wanted comes.

    The tables of the corpus are written together, and the web UI asks before it takes in those that are not
    selected. It also asks where something upstream was not made yet, such as the list of admitted papers.
    """
    question = page.get_by_role("dialog").get_by_role("button", name="Confirm")
    for _ in range(3):
        expect(question.or_(wanted).first).to_be_visible()
        if wanted.is_visible():
            return
        question.click()
        page.wait_for_timeout(1000)
    expect(wanted).to_be_visible()


def end_of_run(page) -> str:
    """How the only run or backfill of a list ended."""
    status = page.get_by_text(ENDED)
    expect(status).to_be_visible(timeout=RUN_MILLISECONDS)
    return status.inner_text()


def picture_graph(page, address: str, file: Path) -> None:
    """The tables of the method, in the order in which they are made, with their stages opened."""
    selection = " or ".join(f'key:"{table}"' for table in METHOD)
    stages = dict.fromkeys(table.split("/")[0] for table in METHOD)
    opened = ",".join(f"global@global:{GROUPS[stage]}" for stage in stages)
    page.goto(f"{address}/asset-groups~{quote(selection, safe='')}/?expanded={quote(opened)}")
    for stage in stages:
        expect(page.get_by_text(GROUPS[stage], exact=True).first).to_be_visible()
    page.get_by_role("button", name="Hide navigation").click()
    page.get_by_role("button", name="panel_show_right").click()
    for table in ("section_pairs", "items"):
        expect(page.get_by_text(table, exact=True).first).to_be_visible()
    page.wait_for_timeout(1000)  # the graph slides when the navigation goes
    page.mouse.dblclick(100, 140)  # fits the graph into the window
    picture(page, file)


def picture_asset(page, address: str, asset: str, file: Path) -> None:
    """The page of an asset, without its many columns."""
    page.goto(f"{address}/assets/{asset}")
    page.get_by_text("Columns", exact=True).click()
    expect(page.get_by_text("Row count", exact=True)).to_be_visible()
    expect(page.get_by_text("Upstream assets")).to_be_visible()
    picture(page, file)


def picture(page, file: Path) -> None:
    page.mouse.move(800, 990)
    page.wait_for_timeout(3000)  # animations, and the status of each asset
    page.screenshot(path=file)
    assert file.stat().st_size < 400_000  # the README loads it

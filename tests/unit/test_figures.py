"""Figures that two places tell: the docs agree with the results that are committed."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = json.loads((ROOT / "benchmarks" / "results" / "sample_run.json").read_text())
ROWS = RUN["rows"]
FAITHFUL = (ROOT / "docs" / "faithful.md").read_text()
PAPERS = f"{ROWS['papers']}"


def numbers(cell: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", cell)]


def cells(label: str) -> list[str]:
    (row,) = re.findall(rf"^\| {re.escape(label)} \|(.*)\|$", FAITHFUL, flags=re.MULTILINE)
    return [cell.strip() for cell in row.split("|")]


def preset(label: str) -> list[int]:
    """The figures of a row of "Counts" for the papers of the sample, with the preset."""
    _, _, both, stronger, _ = cells(label)
    return numbers(both if stronger == "the same" else stronger)


def test_the_counts_of_the_sample_are_those_of_its_run():
    assert f"| demo, both mirrors | the stronger | {PAPERS}, both mirrors | the stronger |" in FAITHFUL
    _, kept = preset("pairs with exact evidence; kept")
    assert kept == ROWS["kept QA pairs"]
    assert preset("relations asked about, im; cim") == [
        ROWS["candidate items, im"],
        ROWS["candidate items, cim"],
    ]
    assert preset("accepted, im; cim") == [ROWS["accepted items, im"], ROWS["accepted items, cim"]]


def test_the_components_of_the_sample_are_of_its_candidates():
    candidates = ROWS["candidate items, im"] + ROWS["candidate items, cim"]
    assert numbers(cells(f"{PAPERS} papers, every relation as if accepted")[0]) == [candidates]


def told_in(page: str) -> tuple[list[str], list[int]]:
    """What a page tells of the sample run: times, memory; pairs, candidates, accepted items."""
    text = (ROOT / page).read_text()
    (measured,) = re.findall(
        r"^\| `ingest` and `run --only-items`;[^|]*\|([^|]*)\|", text, flags=re.MULTILINE
    )
    (made,) = re.findall(r"^\| kept QA pairs;[^|]*\|([^|]*)\|", text, flags=re.MULTILINE)
    return measured.strip().split("; "), numbers(made)


@pytest.mark.parametrize("page", ["README.md", "docs/measurements.md"])
def test_readme_and_measurements_tell_what_the_sample_run_measured(page):
    seconds = RUN["seconds"]
    first, then = seconds["ingest"] + seconds["run up to the items"], seconds["benchmark, release and report"]
    measured = [f"{first:.0f} s", f"{then:.0f} s", f"{RUN['peak_memory_gib']} GiB"]
    candidates = ROWS["candidate items, im"] + ROWS["candidate items, cim"]
    accepted = ROWS["accepted items, im"] + ROWS["accepted items, cim"]
    assert told_in(page) == (measured, [ROWS["kept QA pairs"], candidates, accepted])


def test_the_page_of_extractor_tells_what_its_benchmark_measured():
    result = json.loads((ROOT / "benchmarks" / "results" / "extractor.json").read_text())
    page = (ROOT / "docs" / "extractor.md").read_text().partition("## Scale")[2].partition("\n## ")[0]
    measured, examples = result["extractor"], f"{result['examples']:,}"
    assert f"{examples} examples of all kinds from {examples} made-up papers" in page
    assert f"{measured['requests']:,} requests and {measured['seconds']:.0f} s" in page
    assert f"{result['share_of_plain']} of the throughput" in page
    peaks = [int(number) for number in re.findall(r"(\d+) MB", page)]
    at = measured["peak_memory_mb_after"]
    assert peaks[:4] == [at["before"], at["making"], at["half"], at["all"]]

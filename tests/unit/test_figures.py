"""Figures that two places tell: the docs agree with the results that are committed."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = json.loads((ROOT / "benchmarks" / "results" / "sample_run.json").read_text())


def told_in(page: str) -> list[str]:
    """What a page tells of the sample run: times and memory."""
    text = (ROOT / page).read_text()
    (measured,) = re.findall(
        r"^\| `ingest` and `run --only-items`;[^|]*\|([^|]*)\|", text, flags=re.MULTILINE
    )
    return measured.strip().split("; ")


@pytest.mark.parametrize("page", ["README.md", "docs/measurements.md"])
def test_readme_and_measurements_tell_what_the_sample_run_measured(page):
    seconds = RUN["seconds"]
    first, then = seconds["ingest"] + seconds["run up to the items"], seconds["benchmark, release and report"]
    assert told_in(page) == [f"{first:.0f} s", f"{then:.0f} s", f"{RUN['peak_memory_gib']} GiB"]


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

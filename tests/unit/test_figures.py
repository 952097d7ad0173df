"""Figures that two places tell: the docs agree with the results that are committed."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = json.loads((ROOT / "benchmarks" / "results" / "sample_run.json").read_text())["rows"]
FAITHFUL = (ROOT / "docs" / "faithful.md").read_text()
PAPERS = f"{ROWS['papers']}"


def numbers(cell: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", cell)]


def cells(label: str) -> list[str]:
    (row,) = re.findall(rf"^\| {re.escape(label)} \|(.*)\|$", FAITHFUL, flags=re.MULTILINE)
    return [cell.strip() for cell in row.split("|")]


def now(label: str) -> list[int]:
    """The figures of a row of "Counts before and after" for the papers of the sample, as they are now."""
    _, _, before, after, _ = cells(label)
    return numbers(before if after == "the same" else after)


def test_the_counts_of_the_sample_are_those_of_its_run():
    assert f"| demo, before | now | {PAPERS}, before | now |" in FAITHFUL
    _, kept = now("pairs with exact evidence; kept")
    assert kept == ROWS["kept QA pairs"]
    assert now("items composed, im; cim") == [ROWS["candidate items, im"], ROWS["candidate items, cim"]]
    assert now("accepted, im; cim") == [ROWS["accepted items, im"], ROWS["accepted items, cim"]]


def test_the_components_of_the_sample_are_of_its_accepted_items():
    accepted = ROWS["accepted items, im"] + ROWS["accepted items, cim"]
    assert numbers(cells(f"{PAPERS} papers, accepted items")[0]) == [accepted]

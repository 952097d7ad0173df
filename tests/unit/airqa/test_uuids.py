"""UUIDs of papers and elements, as the benchmark has them."""

import json

import pytest

from aimsciqa_assets.airqa.uuids import on_page_uuid, page_uuid, paper_uuid, reference_uuid
from tests.reference_cases import SHARED

CASES = SHARED / "reference-cases" / "airqa-uuids.json"
PAPER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"


@pytest.mark.skipif(not CASES.exists(), reason="airqa-uuids: needs ../shared/reference-cases")
def test_papers_of_the_benchmark():
    cases = json.loads(CASES.read_text())["paper_uuid"]
    made = [paper_uuid(case["title"], case["conference_year"]) for case in cases]
    assert made == [case["expected_uuid"] for case in cases]


def test_papers():
    attention = "248bbaf9-eb8b-5d81-b3c8-062b155cc9db"
    assert paper_uuid("Attention Is All You Need", "uncategorized") == attention
    assert str(paper_uuid("  attention is: all (you) néed!", "Uncategorized")) != attention
    assert paper_uuid("ATTENTION-is all\nyou need.", "UNCATEGORIZED") == attention


def test_elements():
    assert page_uuid(PAPER, 1) == "cd07b8a5-97bd-511d-a4b9-b800be5168b7"
    assert on_page_uuid(PAPER, 4, "table", 1) == "7bc88894-eead-5c39-a5dc-e6f0d1e1e936"
    assert reference_uuid(PAPER, 1) == "6fe46c60-5389-53e1-ad66-a24ea6b5aa57"

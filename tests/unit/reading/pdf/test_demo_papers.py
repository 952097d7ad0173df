"""The PDFs of AirQA's demo: the same bytes each time, and read as the papers that the examples ask about."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from aimsciqa_assets.airqa.examples.files import read_examples
from aimsciqa_assets.airqa.store.rows import Publication, uuid_of
from aimsciqa_assets.reading.pdf.reader import parse_pdf, read_pdf

pytestmark = pytest.mark.slow
DEMO = Path(__file__).parents[4] / "examples" / "airqa_demo"


def drawn_into(folder: Path) -> dict[str, bytes]:
    subprocess.run([sys.executable, DEMO / "draw_papers.py", folder], check=True, timeout=120)
    return {path.stem[:7]: path.read_bytes() for path in sorted(folder.glob("*.pdf"))}


@pytest.fixture(scope="module")
def papers(tmp_path_factory) -> dict[str, bytes]:
    return drawn_into(tmp_path_factory.mktemp("papers"))


def test_there_are_a_dozen_and_they_are_the_same_each_time(papers, tmp_path):
    assert len(papers) == 12
    assert drawn_into(tmp_path / "again") == papers


def test_the_examples_ask_about_these_papers(papers):
    asked = {paper for example in read_examples(DEMO / "examples.jsonl")[0] for paper in example.anchor_pdf}
    read = [parse_pdf(data) for data in papers.values()]
    uuids = {uuid_of(paper.title, Publication(year=paper.year)) for paper in read}
    assert len(asked) == 11
    assert asked < uuids


def test_a_paper_has_its_table_figure_equation_and_references(papers):
    paper = read_pdf(papers["demo-38"])
    assert paper.authors == ["Gulnara Abdrasheva", "Henrik Toftegaard"]
    assert [(one.title, one.pages) for one in paper.sections] == [
        ("Introduction", [1]),
        ("Materials and methods", [1]),
        ("Results", [1]),
        ("Discussion", [2]),
        ("Conclusion", [2]),
    ]
    assert [one.content for one in paper.equations] == ["R = (P / 660) / (Z / 65.4) (1)"]
    cells = [
        re.findall("<t[dh]>(.*?)</t[dh]>", row)
        for row in re.findall("<tr>(.*?)</tr>", paper.tables[0].content)
    ]
    assert cells[-1] == ["Drought, zinc spray", "49.6", "3.5", "18"]
    assert paper.images[0].caption.startswith("Figure 1. Zinc harvested per hectare")
    assert (len(paper.pages), len(paper.references)) == (2, 5)

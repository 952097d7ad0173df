"""Rows of the paper store: UUIDs, ordinals, boxes, chunks."""

import pytest

from aimsciqa_assets.airqa.store.chunks import characters, chunks_of
from aimsciqa_assets.airqa.store.rows import Publication, rows_of
from aimsciqa_assets.airqa.store.schema import TABLES
from aimsciqa_assets.airqa.uuids import on_page_uuid, page_uuid, paper_uuid, reference_uuid
from aimsciqa_assets.reading.contents import Contents, Element, Entry, PageText, SectionText

PAPER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"
CONTENTS = Contents(
    title="Roots",
    authors=["A. Rao"],
    pages=[PageText(1, "one two three", 595, 842), PageText(2, "four", 595, 842)],
    sections=[SectionText("1 Intro", "one two", [1]), SectionText("2 End", "four", [1, 2])],
    tables=[Element(2, "<table></table>", "Table 1", (10.2, 20.0, 110.4, 60.0)), Element(2, "", "Table 2")],
    images=[Element(1, "", "Figure 1", (0.0, 5.0, 50.0, 25.0))],
    equations=[Element(2, "a = b")],
    references=[Entry("[1] Rao", 2), Entry("[2] Weber")],
)


@pytest.fixture(scope="module")
def rows() -> dict[str, list[dict]]:
    return rows_of(CONTENTS, Publication(conference="ACL", year=2023), characters, 8)


def test_ids_are_those_of_the_released_papers():
    title = "Exploring Better Text Image Translation with Multimodal Codebook"
    assert paper_uuid(title, "ACL2023") == "0d14b20e-9828-5510-9e82-eefec3167b77"
    assert page_uuid(PAPER, 1) == "cd07b8a5-97bd-511d-a4b9-b800be5168b7"
    assert on_page_uuid(PAPER, 4, "table", 1) == "7bc88894-eead-5c39-a5dc-e6f0d1e1e936"
    assert reference_uuid(PAPER, 1) == "6fe46c60-5389-53e1-ad66-a24ea6b5aa57"


def test_every_table_has_its_columns_in_their_order(rows):
    assert {name: tuple(some[0]) for name, some in rows.items()} == {
        one.name: one.column_names for one in TABLES
    }


def test_ordinals_count_on_the_page_and_in_the_paper(rows):
    assert [row["ordinal"] for row in rows["tables"]] == [0, 1]
    assert [row["ordinal"] for row in rows["chunks"]] == [1, 2, 1]
    assert [row["ordinal"] for row in rows["sections"]] == [0, 1]
    assert [row["ordinal"] for row in rows["reference"]] == [0, 1]


def test_elements_lead_to_their_page(rows):
    first, second = (row["page_id"] for row in rows["pages"])
    assert [row["ref_page_id"] for row in rows["tables"]] == [second, second]
    assert [row["ref_page_id"] for row in rows["images"]] == [first]
    assert [row["ref_page_id"] for row in rows["reference"]] == [second, None]
    assert {row["ref_paper_id"] for row in rows["sections"]} == {rows["metadata"][0]["paper_id"]}


def test_boxes_are_corner_and_size(rows):
    assert [row["bounding_box"] for row in rows["tables"]] == [[10, 20, 100, 40], None]
    assert rows["images"][0]["bounding_box"] == [0, 5, 50, 20]


def test_chunks_hold_whole_words_and_all_of_them():
    assert list(chunks_of("one two  three\nfour-and-more six", 8, characters)) == [
        "one two",
        "three",
        "four-and-more",
        "six",
    ]


def test_papers_without_printed_pages_have_no_number_of_pages():
    assert rows_of(CONTENTS, Publication(), characters, 8, printed=False)["metadata"][0]["num_pages"] is None

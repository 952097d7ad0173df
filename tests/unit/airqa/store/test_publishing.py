"""The paper store as files: the eight tables and nothing else, whole or not at all, for reading only."""

import json

import duckdb
import polars as pl
import pytest

from aimsciqa_assets.airqa.store.batches import batch_rows, encodable_cells
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.publishing import publish_papers, publish_vectors
from aimsciqa_assets.airqa.store.vectors import VectorsError
from aimsciqa_assets.reading.contents import Contents, Element, PageText
from aimsciqa_assets.reading.paper import RejectedFileError

FILES = [{"file_id": f"f{n}", "file_name": f"{n}.pdf", "batch": "b1", "paper_id": None} for n in range(3)]


def paper(title: str) -> tuple[str, Contents]:
    table = Element(1, "<table></table>", "Table 1", (1.0, 2.0, 3.0, 5.0))
    return "pdf", Contents(title, authors=["A"], pages=[PageText(1, "some text", 10, 20)], tables=[table])


@pytest.fixture
def found() -> dict[str, list[dict]]:
    readings = [paper("Roots"), RejectedFileError("scanned_pdf", "no text"), paper("roots!")]
    papers = {
        "f0": {"journal": "J Soil", "year": 2020, "doi": "10.1/x"},
        "f2": {"journal": "J Soil", "year": 2020},
    }
    return batch_rows(FILES, readings, papers, characters, 100)


def published(tmp_path, found):
    target = tmp_path / "airqa" / "papers.duckdb"
    return target, publish_papers(target, [pl.DataFrame(found["airqa.rows"])])


def test_every_file_is_a_paper_or_has_a_reason(found):
    assert [(row["rejection_reason"], row["detail"], row["pages"]) for row in found["airqa.papers"]] == [
        (None, None, 1),
        ("scanned_pdf", "no text", None),
        ("same_uuid", "title and venue are those of 0.pdf", None),
    ]


def test_what_a_paper_prints_of_itself_stands_in_its_metadata_and_does_not_change_its_id():
    told = {"venue": "Journal of Soils", "volume": "7", "year": 2021, "keywords": ["roots"]}
    read = [
        ("pdf", Contents("Roots")),
        ("pdf", Contents("Roots", **told)),
        ("pdf", Contents("Roots", **told)),
    ]
    known = {"f2": {"journal": "J Soil", "year": 2020}}
    plain, printed, both = (
        batch_rows([file], [one], known, characters, 100) for file, one in zip(FILES, read, strict=True)
    )
    assert plain["airqa.papers"][0]["uuid"] == printed["airqa.papers"][0]["uuid"]
    metadata = [json.loads(one["airqa.rows"][0]["row"]) for one in (plain, printed, both)]
    columns = ("conference_full", "conference_abbreviation", "pub_year", "volume", "tags")
    assert [tuple(row[name] for name in columns) for row in metadata] == [
        (None, "uncategorized", None, None, []),
        ("Journal of Soils", "JournalofSoils", 2021, "7", ["roots"]),
        ("J Soil", "JSoil", 2020, "7", ["roots"]),
    ]


def test_the_store_holds_the_eight_tables_alone(tmp_path, found):
    target, told = published(tmp_path, found)
    with duckdb.connect(str(target), read_only=True) as connection:
        tables = connection.execute("select table_name from duckdb_tables() order by 1").fetchall()
        rows = connection.execute(
            "select title, conference_abbreviation, download_url, page_content, bounding_box "
            "from metadata join pages on paper_id = pages.ref_paper_id join tables on page_id = ref_page_id"
        ).fetchall()
    assert [name for (name,) in tables] == [
        *("chunks", "equations", "images", "metadata", "pages", "reference", "sections", "tables"),
    ]
    assert rows == [("Roots", "JSoil", "https://doi.org/10.1/x", "some text", (1, 2, 2, 3))]
    assert [(one["from_batch"], one["store_rows"]) for one in told] == [("b1", 4)]


def test_nobody_writes_to_the_published_file(tmp_path, found):
    target, _ = published(tmp_path, found)
    assert target.stat().st_mode & 0o777 == 0o444
    assert [file.name for file in target.parent.iterdir()] == ["papers.duckdb"]


def test_a_failed_publication_leaves_the_old_store(tmp_path, found):
    target, _ = published(tmp_path, found)
    before = target.read_bytes()
    broken = pl.DataFrame([{**one, "row": json.dumps({"page_id": "no uuid"})} for one in found["airqa.rows"]])
    with pytest.raises(duckdb.Error):
        publish_papers(target, [broken])
    assert target.read_bytes() == before


def test_a_paper_of_two_batches_comes_from_the_first(tmp_path, found):
    again = pl.DataFrame(found["airqa.rows"]).with_columns(batch=pl.lit("b2"))
    told = publish_papers(tmp_path / "papers.duckdb", [pl.DataFrame(found["airqa.rows"]), again])
    assert [one["from_batch"] for one in told] == ["b1"]


def test_vectors_stand_beside_the_store_without_texts(tmp_path, found):
    cells = list(encodable_cells(found["airqa.rows"]))
    assert [(names["column_name"], text) for names, text in cells] == [
        ("title", "Roots"),
        ("page_content", "some text"),
        ("text_content", "some text"),
        ("table_caption", "Table 1"),
        ("table_content", "<table></table>"),
    ]
    frame = pl.DataFrame(
        [{**names, "vector": [0.6, 0.8], "encoder": "e", "encoder_revision": "1"} for names, _ in cells]
    )
    _, told = published(tmp_path, found)
    target = tmp_path / "vectors.arrow"
    publish_vectors(target, told, lambda: [frame])
    stored = pl.read_ipc(target)
    (row,) = stored.filter(pl.col("table_name") == "metadata").rows(named=True)
    assert (row["column_name"], row["page_number"], row["pdf_id"]) == ("title", -1, told[0]["uuid"])
    assert row["vector"] == pytest.approx([0.6, 0.8])
    assert "text" not in stored.columns
    assert target.stat().st_mode & 0o777 == 0o444
    assert [one["store_vectors"] for one in told] == [5]


def test_without_vectors_there_is_no_file_of_them(tmp_path, found):
    target = tmp_path / "vectors.arrow"
    target.write_bytes(b"old")
    publish_vectors(target, [], lambda: [])
    assert not target.exists()


def test_vectors_of_several_encoders_are_not_mixed(tmp_path, found):
    cells = [names for names, _ in encodable_cells(found["airqa.rows"])]
    frames = [
        pl.DataFrame(
            [{**one, "vector": [0.6, 0.8], "encoder": name, "encoder_revision": "1"} for one in some]
        )
        for name, some in (("e", cells[:2]), ("f", cells[2:]))
    ]
    _, told = published(tmp_path, found)
    with pytest.raises(VectorsError, match="several encoders"):
        publish_vectors(tmp_path / "vectors.arrow", told, lambda: frames)
    assert not (tmp_path / "vectors.arrow").exists()

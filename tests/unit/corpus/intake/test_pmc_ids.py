"""NLM's map of article ids: what is read of it, and which files are refused."""

import gzip
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.corpus.intake.pmc_ids import IdMapError, LoadedIds, load_pmc_ids
from tests.fakes import write_id_map

pytestmark = pytest.mark.slow

COLUMNS = "Journal Title,ISSN,eISSN,Year,Volume,Issue,Page,DOI,PMCID,PMID,Manuscript Id,Release Date"


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    return Warehouse(database=str(tmp_path / "home" / "w.duckdb"))


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "PMC-ids.csv.gz"


def ids(warehouse: Warehouse) -> list[tuple]:
    return warehouse.read("select pmcid, doi, pmid from corpus.pmc_ids order by pmcid").rows()


def recorded(warehouse: Warehouse) -> str:
    query = "select fingerprint from ops.materializations where table_name = 'corpus.pmc_ids'"
    return warehouse.read(query)["fingerprint"].item()


def test_ids_are_read_in_their_normal_form(warehouse, file):
    write_id_map(
        file,
        "Breast Cancer Res,1465-5411,1465-542X,2000,3,1,55,,PMC13900,11250746,,live",
        '"Wien, Klin ""W""",,,2001,3,1,61,10.1186/BCR271,PMC13901,,,Jan 1 2002',
        "A,,,,,,,https://doi.org/10.1/X_y(1),PMC13902,0,NIHMS1,live",
        "A,,,,,,,doi: 10.1/z.,PMC13903,11250748,,live\r",
        "no PMCID,,,,,,,10.1/none,,11250749,,live",
        columns=COLUMNS,
    )
    assert load_pmc_ids(file, warehouse) == LoadedIds(articles=4, with_doi=3, with_pmid=2, bad_lines=[])
    assert ids(warehouse) == [
        ("PMC13900", None, "11250746"),
        ("PMC13901", "10.1186/bcr271", None),
        ("PMC13902", "10.1/x_y(1)", None),
        ("PMC13903", "10.1/z", "11250748"),
    ]


def test_loading_again_replaces_the_map_and_its_record(warehouse, file):
    write_id_map(file, "PMC1,11,10.1/a")
    load_pmc_ids(file, warehouse)
    first = recorded(warehouse)
    write_id_map(file, "PMC2,12,10.1/b")
    load_pmc_ids(file, warehouse)
    assert ids(warehouse) == [("PMC2", "10.1/b", "12")]
    assert recorded(warehouse) != first


def test_the_same_content_has_the_same_fingerprint_however_it_was_packed(warehouse, file):
    write_id_map(file, "PMC1,11,10.1/a", "PMC2,12,10.1/b")
    load_pmc_ids(file, warehouse)
    first = recorded(warehouse)
    text = gzip.decompress(file.read_bytes())
    file.write_bytes(gzip.compress(text[:30], 1, mtime=1) + gzip.compress(text[30:], 9))
    load_pmc_ids(file, warehouse)
    assert recorded(warehouse) == first
    assert len(ids(warehouse)) == 2


def test_lines_that_cannot_be_read_are_named_and_the_others_go_in(warehouse, file):
    lines = ["PMC1,11,10.1/a", "PMC2,12", "PMC3,13,10.1/\xff", 'a "quote",,', "PMC5,15,10.1/e"]
    file.write_bytes(gzip.compress("\n".join(["PMCID,PMID,DOI", *lines]).encode("latin-1")))
    assert load_pmc_ids(file, warehouse).bad_lines == [3, 4]
    assert [pmcid for pmcid, _, _ in ids(warehouse)] == ["PMC1", "PMC5"]


PACKED = gzip.compress(b"PMCID,PMID,DOI\nPMC2,12,10.1/b\n" * 100)


BROKEN_MAPS = {
    "cut": (PACKED[:-9], "no whole gzip file"),
    "a byte flipped": (PACKED[:-5] + b"\x00" + PACKED[-4:], "no whole gzip file"),
    "not packed": (b"PMCID,PMID,DOI\nPMC2,12,10.1/b\n", "Not a gzipped file"),
    "no byte": (b"", "is empty"),
    "packed, no byte": (gzip.compress(b""), "is empty"),
    "other columns": (gzip.compress(b"PMID,Title\n12,A\n"), "names no DOI, PMCID"),
    "header only": (gzip.compress(b"PMCID,PMID,DOI\n"), "no line with a PMCID"),
    "columns swapped": (gzip.compress(b"PMCID,PMID,DOI\n12,PMC2,10.1/b\n"), "no line with a PMCID"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_MAPS.values(), ids=BROKEN_MAPS)
def test_a_file_that_is_no_map_is_refused_and_the_old_map_stays(warehouse, file, content, message):
    write_id_map(file, "PMC1,11,10.1/a")
    load_pmc_ids(file, warehouse)
    file.write_bytes(content)
    with pytest.raises(IdMapError, match=message):
        load_pmc_ids(file, warehouse)
    assert ids(warehouse) == [("PMC1", "10.1/a", "11")]
    assert sorted(path.name for path in file.with_name("home").iterdir()) == ["w.duckdb", "w.duckdb.lock"]

import gzip
import json
from dataclasses import replace
from datetime import date

import polars as pl
import pytest
from aimsciqa_resources.pmc import inventory
from aimsciqa_resources.pmc.errors import (
    IncompleteListingError,
    PmcError,
    UnexpectedAnswerError,
    WrongDigestError,
)
from aimsciqa_resources.pmc.inventory import Inventory, changes, dates, moved_on, newest_inventory
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pmc_clients import client_for
from tests.pmc_server import Archive, CutBody, Missing, OtherBytes, PmcServer, Status, always, first_times
from tests.pmc_server.archive import etag_of

ETAGS = ["0123456789abcdef" + "0" * 16, "f" * 32, "00000000000000ff" + "0" * 16]


def of(*rows, taken_at="2026-09-21T01-00Z"):
    schema = {"article": pl.UInt32, "version": pl.UInt16, "etag": pl.UInt64}
    return Inventory(taken_at, pl.DataFrame(list(rows), schema=schema, orient="row"))


@pytest.fixture
def server():
    archive = Archive(today=date(2026, 9, 20))
    for number in range(11, 21):
        archive.publish(f"PMC{number}")
    archive.revise("PMC11", "Again.")
    archive.take_inventory()
    archive.sleep()
    with PmcServer(archive) as server:
        yield server


def test_changes_between_two_inventories():
    old = of((1, 1, 5), (2, 1, 6), (3, 1, 7), (3, 2, 8))
    new = of((1, 1, 5), (2, 1, 9), (3, 2, 8), (2, 10, 4), (2**32 - 1, 1, 2**64 - 1))
    assert changes(old, new).rows() == [
        ("PMC2", 1, "changed"),
        ("PMC2", 10, "added"),
        ("PMC3", 1, "gone"),
        ("PMC4294967295", 1, "added"),
    ]
    assert changes(new, new).height == 0


ROWS = st.dictionaries(
    st.tuples(st.integers(1, 4) | st.just(2**32 - 1), st.integers(1, 3) | st.just(2**16 - 1)),
    st.sampled_from([0, 1, 2**64 - 1]),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ROWS, ROWS)
def test_changes_are_those_of_two_dictionaries(old, new):
    expected = [
        (f"PMC{article}", version, "added" if name not in old else "gone" if name not in new else "changed")
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
        for article, version in [name]
    ]
    inventories = [of(*[(*name, etag) for name, etag in rows.items()]) for rows in (old, new)]
    assert changes(*inventories).rows() == expected


def test_what_moved_on_since_it_was_looked_at():
    current = of((1, 1, 5), (2, 1, 6), (2, 10, 7), (2, 9, 8), (3, 1, 9), (5, 1, 10))
    known = {
        "PMC1": (1, "0000000000000005" + "a" * 16),  # as it was
        "PMC2": (10, "0000000000000007" + "b" * 16),  # as it was, with older versions beside it
        "PMC3": (1, "0000000000000008" + "c" * 16),  # other metadata
        "PMC4": (1, "0000000000000001" + "d" * 16),  # gone
        "PMC5": (0, ""),  # there again
        "PMC6": (0, ""),  # as little there as before
    }
    assert moved_on(known, current) == {"PMC3", "PMC4", "PMC5"}
    assert moved_on(known | {"PMC2": (9, "0000000000000008")}, current) == {"PMC2", "PMC3", "PMC4", "PMC5"}
    assert moved_on({}, current) == set()


def test_the_newest_inventory_is_read(server):
    server.archive.publish("PMC21")
    server.archive.take_inventory()
    with client_for(server) as client:
        assert dates(client) == ["2026-09-20T01-00Z", "2026-09-21T01-00Z"]
        newest = newest_inventory(client)
    assert newest.taken_at == "2026-09-21T01-00Z"
    (first, second) = server.archive.articles["PMC11"]
    expected = [
        (11, 1, int(etag_of(first.metadata)[:16], 16)),
        (11, 2, int(etag_of(second.metadata)[:16], 16)),
    ]
    assert newest.rows.filter(pl.col("article") == 11).sort("version").rows() == expected
    assert newest.rows.height == 12
    assert newest.rows.schema == {"article": pl.UInt32, "version": pl.UInt16, "etag": pl.UInt64}


def test_an_inventory_that_is_still_being_written_is_passed_over(server):
    server.archive.take_inventory()
    server.plan = always("2026-09-21T01-00Z/manifest.json", Missing())
    with client_for(server) as client:
        assert newest_inventory(client).taken_at == "2026-09-20T01-00Z"


def test_a_part_that_comes_wrong_is_loaded_again(server):
    server.plan = first_times(1, OtherBytes(), ".csv.gz")
    with client_for(server) as client:
        assert newest_inventory(client).rows.height == 11


@pytest.mark.parametrize(
    ("text", "step", "error"),
    [
        ("list", Status(500), PmcError),
        ("manifest", Status(403), PmcError),
        ("manifest", Missing(), IncompleteListingError),
        ("manifest", CutBody(), UnexpectedAnswerError),
        ("manifest", Status(200, '{"files": [{"key": "a"}]}'), UnexpectedAnswerError),
        ("manifest", Status(200, '{"files": []}'), IncompleteListingError),
        ("manifest", Status(200, '{"fileSchema": "Key, ETag", "files": []}'), UnexpectedAnswerError),
        ("-1.csv.gz", Missing(), PmcError),
        ("-1.csv.gz", CutBody(), WrongDigestError),
    ],
)
def test_half_an_inventory_is_none(server, text, step, error):
    server.plan = always(text, step)
    with client_for(server, attempts=2) as client, pytest.raises(error):
        newest_inventory(client)


def test_without_any_there_is_none():
    with PmcServer() as server, client_for(server) as client, pytest.raises(IncompleteListingError):
        newest_inventory(client)


def blocks_of(tmp_path, text):
    file = tmp_path / "part.csv.gz"
    file.write_bytes(gzip.compress(text.encode()))
    return [inventory._read(block, "part") for block in inventory._blocks(file, "part")]


def test_a_line_without_end_is_no_inventory(tmp_path, monkeypatch):
    monkeypatch.setattr(inventory, "_BLOCK", 200)
    with pytest.raises(IncompleteListingError, match="part: a line of more than 65,536 bytes"):
        blocks_of(tmp_path, "x" * 70_000)


def line(key, etag):
    return f'"pmc-oa-opendata","{key}","2026-01-08T11:47:59.000Z","{etag}"\n'


def test_rows_are_read_in_blocks_of_whole_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(inventory, "_BLOCK", 200)
    lines = [line(f"metadata/PMC{number}.{number + 1}.json", ETAGS[number % 3]) for number in range(1, 31)]
    blocks = blocks_of(tmp_path, "".join(lines).rstrip("\n"))
    assert len(blocks) > 5
    rows = pl.concat(blocks).rows()
    assert rows[:3] == [(1, 2, 2**64 - 1), (2, 3, 255), (3, 4, 0x0123456789ABCDEF)]
    assert len(rows) == 30


def test_keys_that_are_no_article_are_no_rows(tmp_path):
    text = (
        line("metadata/", ETAGS[0]) + line("metadata/PMC1.1.json", ETAGS[2] + "-2") + line("x.json", "y" * 32)
    )
    (rows,) = blocks_of(tmp_path, text)
    assert rows.rows() == [(1, 1, 255)]


@pytest.mark.parametrize("text", [line("metadata/PMC1.1.json", "no etag"), "\0\0,,\n", "a,b,c,d,e\n"])
def test_what_cannot_be_read_is_an_error(tmp_path, text):
    with pytest.raises(IncompleteListingError):
        blocks_of(tmp_path, text)


def test_a_cut_gzip_is_an_error(tmp_path):
    file = tmp_path / "part.csv.gz"
    file.write_bytes(gzip.compress(line("metadata/PMC1.1.json", ETAGS[0]).encode())[:-12])
    with pytest.raises(IncompleteListingError):
        list(inventory._blocks(file, "part"))


def test_an_inventory_is_kept_for_the_next_night(tmp_path):
    kept = of((1, 1, 5), (2**32 - 1, 3, 2**64 - 1))
    kept.write(tmp_path / "inventory.parquet")
    read = Inventory.read(tmp_path / "inventory.parquet")
    assert read.taken_at == "2026-09-21T01-00Z"
    assert read.rows.equals(kept.rows)
    assert replace(read, taken_at="2026-10-01T01-00Z").taken_at > read.taken_at


def test_manifests_name_their_columns():
    manifest = {
        "fileSchema": "Bucket, Key, LastModifiedDate, ETag",
        "files": [{"key": "k", "MD5checksum": "A"}],
    }
    answer = inventory.Answer(json.dumps(manifest).encode())
    assert inventory._parts(answer) == [inventory._Part("k", "a")]

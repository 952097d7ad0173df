"""Files of documents on their way into the corpus: nothing is lost, nothing comes twice, and all say why."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from aimsciqa_resources.file_store import FileStore, StoredFileError
from aimsciqa_resources.warehouse import Warehouse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aimsciqa_assets.corpus.assets import PARSED
from aimsciqa_assets.corpus.intake import documents, ingest, shards
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError, listing_of, stated_licence
from aimsciqa_assets.corpus.intake.ingest import Ingested
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from tests.fakes import write_corpus

pytestmark = pytest.mark.slow

SHARED = Path(__file__).parents[5] / "shared" / "corpora" / "wiki" / "documents.jsonl"
ROWS = "select * from corpus.input_files order by batch, file_name, file_id"


def document(number: int | str, contents: str = "") -> dict:
    return {"id": number, "title": f"T{number}", "contents": f"T{number}\n{contents or f'Text {number}.'}"}


def as_lines(*rows: object) -> bytes:
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


class Site:
    """A home into which files of documents are taken."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "given"
        self.folder.mkdir(parents=True)
        self.warehouse = Warehouse(str(home / "warehouse.duckdb"))
        self.store = FileStore(folder=str(home / "files"))

    def ingest(self, *files: Path, per_batch: int = 10, **options: object) -> Ingested:
        where = files[0] if files else self.folder
        return ingest.ingest(where, self.warehouse, self.store, per_batch, **options)

    def give(self, name: str, *rows: object) -> Path:
        (self.folder / name).write_bytes(as_lines(*rows))
        return self.folder / name

    def parse(self) -> None:
        for batch in self.read("select distinct batch from corpus.input_files order by 1"):
            run = StepRun(batch[0], "batch", self.warehouse, Settings(), self.store, None, None)
            bring_up_to_date(STEPS[PARSED[0]], run)

    def read(self, query: str) -> list[tuple]:
        return self.warehouse.read(query).rows()

    def lost(self) -> list[tuple]:
        path = Path(__file__).parents[4] / "dbt_like_sql" / "tests" / "every_input_file_is_accounted_for.sql"
        return self.read(path.read_text())


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path / "home")


def test_documents_become_papers_with_their_ids_in_batches_of_their_order(site):
    site.give("a.jsonl", *map(document, range(5)))
    ingested = site.ingest(per_batch=2)
    assert (ingested.documents.new, ingested.documents.known, ingested.files) == (5, 0, 5)
    assert ingested.new_batches == ["batch-0001", "batch-0002", "batch-0003"]
    site.parse()
    papers = "select paper_id, batch, source, file_name, title, licence, has_full_text from corpus.papers"
    assert site.read(f"{papers} order by 1")[1:3] == [
        ("doc:1", "batch-0001", "document", "a.jsonl:2", "T1", "", True),
        ("doc:2", "batch-0002", "document", "a.jsonl:3", "T2", "", True),
    ]
    texts = (
        "select paper_id, sections.kind, text from corpus.paragraphs join corpus.sections using (section_id)"
    )
    assert site.read(texts.replace("paper_id,", "paragraphs.paper_id,") + " order by 1")[4] == (
        "doc:4",
        "other",
        "Text 4.",
    )
    assert site.lost() == []


def test_what_is_no_document_is_a_rejected_file_and_the_rest_goes_in(site):
    site.give("a.jsonl", document(1), b"{broken", {"id": 2}, document(3), document(1, "Other."), b"\xff")
    ingested = site.ingest()
    came = ingested.documents
    assert (came.new, came.no_documents, came.duplicates, came.known) == (2, 3, 1, 0)
    assert ingested.no_documents[1] == "a.jsonl:3: no_contents: there is no key contents, or it is null"
    site.parse()
    assert site.read("select file_name, rejection_reason from corpus.rejected_files order by 1") == [
        ("a.jsonl:2", "not_json"),
        ("a.jsonl:3", "no_contents"),
        ("a.jsonl:5", "duplicate_paper"),
        ("a.jsonl:6", "not_utf8"),
    ]
    assert site.read("select paper_id from corpus.papers order by 1") == [("doc:1",), ("doc:3",)]
    assert site.read("select text from corpus.paragraphs where paper_id = 'doc:1'") == [("Text 1.",)]
    assert site.lost() == []


def test_the_same_documents_under_another_name_or_compressed_add_nothing(site, tmp_path):
    rows = [*map(document, range(7)), b"{broken"]
    site.ingest(site.give("a.jsonl", *rows))
    before = site.read(ROWS)
    for name, data in (
        ("b.jsonl", as_lines(*rows).replace(b"\n", b"\r\n")),
        ("c.jsonl.gz", gzip.compress(as_lines(*rows))),
        ("d.JSONL.zst", pa.Codec("zstd").compress(as_lines(*rows), asbytes=True)),
    ):
        (site.folder / name).write_bytes(data)
        ingested = site.ingest(site.folder / name)
        assert (ingested.documents.new, ingested.documents.known) == (0, 8)
        assert (ingested.new_batches, ingested.changed_batches) == ([], [])
        assert site.read(ROWS) == before
        fresh = Site(tmp_path / name)
        fresh.ingest(site.folder / name)
        columns = "file_id, bytes, batch, paper_id, shard, place"
        query = f"select {columns} from corpus.input_files order by all"
        assert fresh.read(query) == site.read(query)


def test_a_second_file_brings_what_is_new_and_an_id_stays_with_its_first_document(site):
    site.ingest(site.give("a.jsonl", document(1), document(2)), per_batch=2)
    second = site.ingest(
        site.give("b.jsonl", document(2), document(2, "New."), document("2", "Newer."), document(3))
    )
    came = second.documents
    assert (came.new, came.known, came.duplicates) == (1, 1, 2)
    first = site.read("select file_id from corpus.input_files where file_name = 'a.jsonl:2'")
    assert site.read(
        "select file_name, batch, ingest, duplicate_of from corpus.input_files where ingest = 2 order by 1"
    ) == [
        ("b.jsonl:2", "batch-0002", 2, first[0][0]),
        ("b.jsonl:3", "batch-0002", 2, first[0][0]),
        ("b.jsonl:4", "batch-0002", 2, None),
    ]


def test_equal_lines_of_a_file_are_one_document(site):
    site.give("a.jsonl", document(1), document(1), b"{broken", b"{broken")
    came = site.ingest().documents
    assert (came.new, came.no_documents, came.known) == (1, 1, 2)


def test_papers_and_documents_of_a_folder_come_together_in_batches_of_their_own(site):
    write_corpus(site.folder, 3)
    site.give("a.jsonl", document(1), document(2))
    ingested = site.ingest()
    assert (ingested.new_files, ingested.documents.new, ingested.files) == (3, 2, 5)
    query = "select batch, ingest, count(*) from corpus.input_files group by all order by all"
    assert site.read(query) == [("batch-0001", 1, 3), ("batch-0002", 1, 2)]
    write_corpus(site.folder, 4)
    assert site.ingest().new_batches == ["batch-0003"]
    assert site.read(query)[2:] == [("batch-0003", 2, 1)]
    site.parse()
    assert site.read("select source, count(*) from corpus.papers group by 1 order by 1") == [
        ("document", 2),
        ("jats", 4),
    ]
    assert site.lost() == []


@pytest.mark.parametrize("place", ["shard", "rows"])
def test_an_interrupted_ingest_repeated_gives_the_same_rows(site, tmp_path, monkeypatch, place):
    rows = [document(number) for number in range(40)] + [b"broken"]
    file = site.give("a.jsonl", *rows)
    calm = Site(tmp_path / "calm")
    calm.ingest(file, per_batch=7)
    monkeypatch.setattr(shards, "_MOST_LINES", 10)
    calls = []

    def interrupted(*_arguments: object) -> None:
        calls.append(1)
        if len(calls) == 3 or place == "rows":
            raise KeyboardInterrupt
        return real(*_arguments)

    owner, name = (documents, "packed") if place == "shard" else (ingest, "_write")
    real = getattr(owner, name)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            site.ingest(file, per_batch=7)
    assert site.read(ROWS) == []
    site.ingest(file, per_batch=7)
    columns = "file_id, file_name, batch, ingest, paper_id, duplicate_of"
    query = f"select {columns} from corpus.input_files order by all"
    assert site.read(query) == calm.read(query)
    assert not any((site.home / "unfinished").rglob("*.parquet"))


def test_a_licence_that_is_said_later_changes_what_is_known(site):
    file = site.give("a.jsonl", document(1), {**document(2), "licence": "CC0"})
    site.ingest(file)
    site.parse()
    ingested = site.ingest(file, licence=stated_licence("CC BY-SA 4.0"))
    assert (ingested.changed_batches, ingested.documents.known) == (["batch-0001"], 2)
    site.parse()
    assert site.read("select paper_id, licence, licence_url from corpus.papers order by 1") == [
        ("doc:1", "CC BY-SA", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("doc:2", "CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ]
    assert site.ingest(file, licence="CC BY-SA 4.0").changed_batches == []
    assert site.ingest(file).changed_batches == []


def test_documents_may_be_released_under_their_licence_only(site):
    site.ingest(site.give("a.jsonl", document(1), {**document(2), "licence": "CC BY-ND 4.0"}, document(3)))
    site.ingest(site.give("b.jsonl", document(3), document(4)), licence="CC BY-SA")
    site.parse()
    query = query_of("corpus.releasable_papers").text
    for setting in ("retracted", "any_licence"):
        query = query.replace(f"$release__{setting}", "false")
    assert site.read(f"select paper_id, rejection_reason from ({query}) order by 1") == [
        ("doc:1", "licence_unknown"),
        ("doc:2", "no_derivatives"),
        ("doc:3", None),
        ("doc:4", None),
    ]


@pytest.mark.parametrize("words", ["mine", "MIT", "-"])
def test_a_licence_that_is_none_is_refused(words):
    with pytest.raises(NothingToIngestError, match="names no licence"):
        stated_licence(words)


def test_a_licence_can_be_stated_for_files_of_every_kind(site):
    write_corpus(site.folder, 1)
    site.give("a.jsonl", document(1))
    site.ingest(licence="CC BY 4.0")
    assert site.read("select licence from corpus.input_files") == [("CC BY 4.0",), ("CC BY 4.0",)]


def test_a_file_that_is_cut_is_named_and_nothing_of_it_goes_in(site):
    whole = gzip.compress(as_lines(*map(document, range(3000))))
    (site.folder / "a.jsonl.gz").write_bytes(whole[:-20])
    site.give("b.jsonl", document("b"))
    site.give("c.jsonl")
    ingested = site.ingest()
    assert ingested.documents.new == 1
    assert [problem.partition(" (")[0] for problem in ingested.unreadable] == [
        "a.jsonl.gz: no whole gzip file",
        "c.jsonl: there is no line in it",
    ]
    assert site.read("select file_name from corpus.input_files") == [("b.jsonl:1",)]
    (site.folder / "a.jsonl.gz").write_bytes(whole)
    assert site.ingest().documents.new == 3000


def test_a_file_of_something_else_is_named_and_not_taken_line_by_line(site):
    site.give("log.jsonl", *({"event": number} for number in range(3000)))
    site.give("late.jsonl", *[b"?%d" % number for number in range(900)], document(1))
    ingested = site.ingest()
    (problem,) = ingested.unreadable
    assert problem.startswith("log.jsonl: none of its first ")
    assert "is a document {id, title, contents}" in problem
    assert (ingested.documents.new, ingested.documents.no_documents) == (1, 900)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([document(1), document(2)], indent=1),
        "[\n" + ",\n".join(json.dumps(document(number)) for number in range(50)) + "\n]\n",
        json.dumps([document(1), document(2)]),
        "\ufeff\n  [" + json.dumps(document(1)) + ",\n" + json.dumps(document(2)) + "]",
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_is_one_array_gets_one_message(site, content, pack):
    (site.folder / "array.jsonl").write_bytes(pack(content.encode()))
    site.give("b.jsonl", document(7))
    ingested = site.ingest()
    assert ingested.unreadable == [
        "array.jsonl: it is a JSON array; write each object on a line of its own, without commas between"
    ]
    assert (ingested.documents.new, ingested.documents.no_documents) == (1, 0)


def test_documents_hold_any_mark_and_name_each_key_once(site):
    marked = json.dumps(document(1, "One\u2028two\x85three."), ensure_ascii=False).encode()
    site.give("a.jsonl", b"\xef\xbb\xbf" + marked, b'{"id": 2, "contents": "A.", "id": 3}', document(4))
    ingested = site.ingest()
    assert (ingested.documents.new, ingested.documents.no_documents) == (2, 1)


def test_a_line_that_is_too_long_comes_in_when_the_limit_is_raised(site):
    long = document(2, "word " * 1000)
    file = site.give("a.jsonl", document(1), long)
    assert site.ingest(file, most_bytes=1000).documents.no_documents == 1
    site.parse()
    rejected = "select file_name, rejection_reason, detail from corpus.rejected_files"
    assert site.read(rejected)[0][:2] == ("a.jsonl:2", "line_too_long")
    assert site.read(rejected)[0][2].startswith(f"{len(json.dumps(long)):,} bytes are more than")
    assert site.ingest(file).documents.new == 1
    site.parse()
    assert site.read("select paper_id from corpus.papers order by 1") == [("doc:1",), ("doc:2",)]
    assert site.lost() == []


def test_a_lost_shard_is_told_and_comes_back_with_the_file_even_if_it_is_packed_otherwise(site, monkeypatch):
    file = site.give("a.jsonl", *map(document, range(3)))
    site.ingest(file)
    (stored,) = (path for path in (site.home / "files").rglob("*") if path.is_file())
    stored.unlink()
    with pytest.raises(StoredFileError, match="aimsciqa ingest FILE"):
        site.parse()
    site.ingest(file)
    assert stored.is_file()
    stored.write_bytes(b"altered")
    monkeypatch.setattr(shards, "_LEVEL", 19)
    monkeypatch.setattr(shards, "_MOST_LINES", 2)
    assert site.ingest(file).documents.known == 3
    site.parse()
    assert site.read("select count(*) from corpus.papers") == [(3,)]


def test_files_of_documents_are_found_in_folders(site):
    for name in ("a.jsonl", "b.JSONL.GZ", "c.jsonl.zst", "d.json", "e.gz", "f.jsonl.bz2"):
        site.give(name)
    listing = listing_of(site.folder)
    assert [name for _, name in listing.documents] == ["a.jsonl", "b.JSONL.GZ", "c.jsonl.zst"]
    assert (listing.files, listing.others) == ([], 3)


def test_other_tables_bear_documents(site):
    site.give("a.jsonl", *({**document(f"{n} /%"), "contents": "Zinc deficiency. " * 5} for n in range(3)))
    site.ingest()
    site.parse()
    assert site.read(
        "select distinct keyword, origin from corpus.keywords where keyword = 'zinc deficiency'"
    ) == [("zinc deficiency", "extracted")]
    status = site.warehouse.read(query_of("cli.status").text)
    assert status.select("batch", "files", "papers").rows() == [("batch-0001", 3, 3)]


LINES = st.one_of(
    st.builds(document, st.integers(0, 5), st.sampled_from(["", "Other.", "A.\n\nB."])),
    st.sampled_from(
        [b"", b"  ", b"{", b"[]", b"\xff\xfe", b"\x00", b'{"id": 1}', b'{"contents": "a"}', b"a" * 400]
    ),
    st.binary(max_size=12),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=10)
@given(st.lists(LINES, min_size=1, max_size=12), st.integers(1, 4))
def test_of_wild_lines_none_is_lost_and_none_counts_twice(tmp_path_factory, lines, per_batch):
    site = Site(tmp_path_factory.mktemp("wild") / "home")
    file = site.give("a.jsonl", *lines)
    ingested = site.ingest(file, per_batch=per_batch, most_bytes=300)
    came, rows = ingested.documents, site.read("select paper_id, duplicate_of, batch from corpus.input_files")
    written = [
        line for line in file.read_bytes().split(b"\n") if line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
    ]
    if not file.read_bytes().startswith(b"\x1f\x8b"):
        assert (
            came.new + came.no_documents + came.duplicates + came.known >= len(written) or ingested.unreadable
        )
    assert len(rows) == came.new + came.no_documents + came.duplicates
    assert max(Counter(batch for _, _, batch in rows).values(), default=0) <= per_batch
    owners = [paper_id for paper_id, duplicate_of, _ in rows if paper_id and not duplicate_of]
    assert len(owners) == len(set(owners)) == came.new
    site.parse()
    assert site.lost() == []
    again = site.ingest(file, per_batch=per_batch, most_bytes=300).documents
    assert (again.new, again.no_documents, again.duplicates) == (0, 0, 0)


@pytest.mark.skipif(not SHARED.is_file(), reason="needs the documents in ../shared/corpora/wiki")
def test_the_wikipedia_documents(site):
    assert site.ingest(SHARED, per_batch=500, licence="CC BY-SA").documents.new == 403
    site.parse()
    given = [json.loads(line) for line in SHARED.read_text().splitlines()]
    texts = "select paper_id, string_agg(text, chr(10) order by position) from corpus.paragraphs group by 1"
    assert dict(site.read(texts)) == {
        f"doc:{one['id']}": one["contents"].partition("\n")[2].strip() for one in given
    }
    titles = dict(site.read("select paper_id, title from corpus.papers where licence = 'CC BY-SA'"))
    assert titles == {f"doc:{one['id']}": one["title"] for one in given}

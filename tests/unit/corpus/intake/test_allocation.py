import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.corpus.intake.allocation import Article, InputFile, allocate, take_in
from aimsciqa_assets.platform.batches import batches_needed_by
from aimsciqa_assets.platform.frames import frame_of

NONE_KNOWN = frame_of("corpus.input_files", [])


def file(name: str, paper: str | None = None) -> InputFile:
    return InputFile(file_id=f"sha-{name}", file_name=name, size=10, paper_id=paper)


def test_files_go_into_batches_by_name():
    rows = list(allocate([file("c.xml"), file("a.xml"), file("b.xml")], NONE_KNOWN, 2))
    assert [(row["file_name"], row["batch"], row["ingest"]) for row in rows] == [
        ("a.xml", "batch-0001", 1),
        ("b.xml", "batch-0001", 1),
        ("c.xml", "batch-0002", 1),
    ]


def test_later_files_go_into_new_batches():
    known = frame_of("corpus.input_files", list(allocate([file("a.xml")], NONE_KNOWN, 2)))
    rows = list(allocate([file("0.xml")], known, 2))
    assert [(row["batch"], row["ingest"]) for row in rows] == [("batch-0002", 2)]


def test_a_paper_is_taken_once_whatever_brings_it():
    known = frame_of("corpus.input_files", list(allocate([file("a.xml", "PMC1")], NONE_KNOWN, 9)))
    rows = list(allocate([file("b.xml", "PMC1"), file("c.pdf", "PMC2"), file("c.xml", "PMC2")], known, 9))
    assert [row["duplicate_of"] for row in rows] == ["sha-a.xml", None, "sha-c.pdf"]


def test_files_without_a_paper_are_no_duplicates_of_each_other():
    rows = list(allocate([file("a.xml"), file("b.xml")], NONE_KNOWN, 9))
    assert [row["duplicate_of"] for row in rows] == [None, None]


@given(st.lists(st.integers(1, 9), max_size=6), st.integers(1, 4))
def test_no_batch_is_too_large_and_no_file_is_lost(ingests, size):
    known = NONE_KNOWN
    for number, count in enumerate(ingests):
        files = [file(f"{number}-{i}.xml") for i in range(count)]
        known = pl.concat([known, frame_of("corpus.input_files", list(allocate(files, known, size)))])
    assert known.height == sum(ingests)
    assert known["file_id"].n_unique() == known.height
    assert all(count <= size for count in known.group_by("batch").len()["len"])
    assert (
        known.group_by("batch").agg(pl.col("ingest").n_unique())["ingest"].to_list()
        == [1] * known["batch"].n_unique()
    )


def test_a_batch_needs_those_of_its_ingest_and_before():
    known = NONE_KNOWN
    for names in (["a", "b"], ["c"], ["d"]):
        rows = list(allocate([file(name) for name in names], known, 1))
        known = pl.concat([known, frame_of("corpus.input_files", rows)])
    assert batches_needed_by("batch-0001", known) == {"batch-0001", "batch-0002"}
    assert batches_needed_by("batch-0003", known) == {"batch-0001", "batch-0002", "batch-0003"}
    assert batches_needed_by("batch-0009", known) == frozenset()


def article(number: int, version: int = 1, **described) -> Article:
    name = f"PMC{number}"
    return Article(name, described.pop("status", "in"), version, file_id=f"{name}.{version}", **described)


def rows_of(frame: pl.DataFrame) -> list[tuple]:
    return frame.select("file_id", "batch", "duplicate_of", "retired").rows()


def test_new_articles_go_into_new_batches_and_known_ones_stay_where_they_are():
    first = take_in(NONE_KNOWN, [], [article(1), article(2), article(3)], 2)
    again = take_in(first, [], [article(1), article(2), article(3), article(4)], 2)
    assert again["batch"].to_list() == ["batch-0001", "batch-0001", "batch-0002", "batch-0003"]
    assert again["ingest"].to_list() == [1, 1, 1, 2]
    assert again[:3].equals(first)


def test_a_new_version_takes_the_place_of_the_old_one_and_may_go_back():
    first = take_in(NONE_KNOWN, [], [article(1), article(2)], 1)
    second = take_in(first, [], [article(1, version=2), article(2)], 1)
    assert rows_of(second) == [
        ("PMC1.1", "batch-0001", None, "superseded"),
        ("PMC2.1", "batch-0002", None, None),
        ("PMC1.2", "batch-0001", None, None),
    ]
    third = take_in(second, [], [article(1, version=1), article(2)], 1)
    assert rows_of(third) == [
        ("PMC1.1", "batch-0001", None, None),
        ("PMC2.1", "batch-0002", None, None),
        ("PMC1.2", "batch-0001", None, "superseded"),
    ]


def test_a_withdrawn_paper_is_retired_and_comes_back_into_its_batch():
    first = take_in(NONE_KNOWN, [], [article(1), article(2)], 1)
    gone = take_in(first, [], [article(1, status="withdrawn"), article(2)], 1)
    assert gone["retired"].to_list() == ["withdrawn", None]
    back = take_in(gone, [], [article(1, version=3), article(2)], 1)
    assert rows_of(back)[2] == ("PMC1.3", "batch-0001", None, None)
    assert take_in(gone, [], [article(1), article(2)], 1).equals(first)


def test_what_is_said_of_a_paper_is_kept_up_to_date():
    first = take_in(NONE_KNOWN, [], [article(1, licence="CC BY")], 1)
    second = take_in(first, [], [article(1, licence="TDM", retracted=True)], 1)
    assert second.select("licence", "retracted", "batch").rows() == [("TDM", True, "batch-0001")]


def test_the_article_takes_the_place_of_a_folder_s_copy_and_equal_bytes_are_one_file():
    own = take_in(NONE_KNOWN, [file("mine.xml", "PMC1"), InputFile("PMC2.1", "same.xml", 9, "PMC2")], [], 9)
    both = take_in(own, [], [article(1), article(2)], 9)
    assert rows_of(both) == [
        ("sha-mine.xml", "batch-0001", None, "superseded"),
        ("PMC2.1", "batch-0001", None, None),
        ("PMC1.1", "batch-0001", None, None),
    ]
    later = take_in(both, [file("copy.xml", "PMC1")], [article(1), article(2)], 9)
    assert rows_of(later)[3] == ("sha-copy.xml", "batch-0002", "PMC1.1", None)


def test_a_withdrawal_does_not_touch_what_a_folder_brought():
    own = take_in(NONE_KNOWN, [file("mine.xml", "PMC1")], [article(1, status="withdrawn")], 9)
    assert own["retired"].to_list() == [None]


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.integers(1, 5), st.integers(1, 3), st.sampled_from(["in", "in", "withdrawn", "licence"])
            ),
            max_size=5,
        ),
        max_size=6,
    )
)
def test_after_any_nights_each_paper_that_is_in_is_used_once_in_its_one_batch(nights):
    known, current, batch_of = NONE_KNOWN, {}, {}
    for night in nights:
        current |= {number: (version, status) for number, version, status in night}
        articles = [article(number, version, status=status) for number, (version, status) in current.items()]
        known = take_in(known, [], articles, 2)
        used = known.filter(pl.col("retired").is_null() & pl.col("duplicate_of").is_null())
        wanted = {f"PMC{number}.{version}" for number, (version, status) in current.items() if status == "in"}
        assert sorted(used["file_id"]) == sorted(wanted)
        for row in known.iter_rows(named=True):
            assert batch_of.setdefault(row["pmcid"], row["batch"]) == row["batch"]
        assert take_in(known, [], articles, 2).equals(known)


def test_a_file_that_a_folder_brings_as_well_is_one_file():
    both = take_in(NONE_KNOWN, [InputFile("PMC1.1", "mine.xml", 9, "PMC1")], [article(1)], 9)
    assert rows_of(both) == [("PMC1.1", "batch-0001", None, None)]


def test_a_copy_without_a_pmcid_is_the_same_paper_by_doi_or_pmid():
    own = take_in(NONE_KNOWN, [file("a.pdf", "doi:10.1/x"), file("b.pdf", "pmid:7")], [], 9)
    served = [article(1, doi="10.1/X"), article(2, pmid="7")]
    assert take_in(own, [], served, 9)["retired"].to_list() == ["superseded", "superseded", None, None]
    later = take_in(take_in(NONE_KNOWN, [], served, 9), [file("a.pdf", "doi:10.1/x")], served, 9)
    assert rows_of(later)[2] == ("sha-a.pdf", "batch-0002", "PMC1.1", None)


def jats(name: str, *keys: str, paper: str = "") -> InputFile:
    return InputFile(f"sha-{name}", name, 10, paper or f"file:{name}", source="jats", keys=keys)


def pdf(name: str, *keys: str, paper: str = "") -> InputFile:
    return InputFile(f"sha-{name}", name, 10, paper or f"file:{name}", source="pdf", keys=keys)


TITLE = "title:zincinbarleybreadanditsloss|doe|2019"
OTHER_YEAR = "title:zincinbarleybreadanditsloss|doe|2020"


def fates(frame: pl.DataFrame) -> dict[str, tuple]:
    return {row[0]: row[1:] for row in frame.select("file_name", "duplicate_of", "paper_id", "batch").rows()}


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        (("doi:10.1/a",), ("doi:10.1/a", TITLE), True),
        (("pmid:7", "doi:10.1/a"), ("pmid:7",), True),
        (("PMC1",), ("PMC1", "doi:10.1/b"), True),
        ((TITLE,), ("doi:10.1/a", TITLE), True),
        (("doi:10.1/a", TITLE), ("doi:10.1/b", OTHER_YEAR), False),
        ((TITLE,), (OTHER_YEAR,), False),
        ((), (), False),
    ],
)
def test_files_that_share_a_key_hold_one_paper(first, second, are_one):
    rows = take_in(NONE_KNOWN, [pdf("a.pdf", *first), jats("b.xml", *second)], [], 9)
    assert fates(rows)["a.pdf"][:2] == (("sha-b.xml", "file:b.xml") if are_one else (None, "file:a.pdf"))
    assert fates(rows)["b.xml"][:2] == (None, "file:b.xml")


def test_keys_of_a_duplicate_are_those_of_the_paper():
    first = take_in(NONE_KNOWN, [jats("a.xml", TITLE), pdf("b.pdf", TITLE, "doi:10.1/a")], [], 9)
    later = take_in(first, [pdf("c.pdf", "doi:10.1/a")], [], 9)
    assert fates(later)["c.pdf"] == ("sha-a.xml", "file:a.xml", "batch-0002")


def test_jats_that_comes_later_takes_the_batch_of_the_pdf_and_of_its_duplicates():
    first = take_in(NONE_KNOWN, [pdf("a.pdf", "doi:10.1/a"), pdf("z.pdf", "doi:10.1/a")], [], 9)
    later = take_in(first, [jats("b.xml", "doi:10.1/a", paper="PMC1"), jats("c.xml", "doi:10.1/c")], [], 9)
    assert fates(later) == {
        "a.pdf": ("sha-b.xml", "PMC1", "batch-0001"),
        "z.pdf": ("sha-b.xml", "PMC1", "batch-0001"),
        "b.xml": (None, "PMC1", "batch-0001"),
        "c.xml": (None, "file:c.xml", "batch-0002"),
    }
    assert later.filter(batch="batch-0001")["ingest"].to_list() == [1, 1, 1]
    again = take_in(later, [jats("d.xml", "doi:10.1/a"), pdf("e.pdf", "doi:10.1/a")], [], 9)
    assert fates(again)["d.xml"] == fates(again)["e.pdf"] == ("sha-b.xml", "PMC1", "batch-0003")


@pytest.mark.parametrize("later", [pdf("b.pdf", "doi:10.1/a"), jats("b.xml", "doi:10.1/a")])
def test_what_was_read_from_jats_stays(later):
    first = take_in(NONE_KNOWN, [jats("a.xml", "doi:10.1/a")], [], 9)
    assert fates(take_in(first, [later], [], 9))[later.file_name][0] == "sha-a.xml"


def test_an_article_takes_the_place_of_a_pdf_with_its_title_and_keeps_it_in_later_versions():
    own = take_in(NONE_KNOWN, [pdf("a.pdf", TITLE)], [], 9)
    served = take_in(own, [], [article(1, read_keys=(TITLE,))], 9)
    assert rows_of(served) == [
        ("sha-a.pdf", "batch-0001", None, "superseded"),
        ("PMC1.1", "batch-0001", None, None),
    ]
    newer = take_in(served, [pdf("b.pdf", TITLE)], [article(1, version=2)], 9)
    assert rows_of(newer)[2:] == [
        ("PMC1.2", "batch-0001", None, None),
        ("sha-b.pdf", "batch-0002", "PMC1.2", None),
    ]


def test_of_two_articles_with_one_doi_one_is_used_until_it_is_withdrawn():
    both = [article(1, doi="10.1/a"), article(2, doi="10.1/a")]
    first = take_in(NONE_KNOWN, [], both, 9)
    assert first["duplicate_of"].to_list() == [None, "PMC1.1"]
    assert take_in(first, [], both, 9).equals(first)
    newer = take_in(first, [], [both[0], article(2, version=2, doi="10.1/a")], 9)
    assert newer["duplicate_of"].to_list() == [None, "PMC1.1", "PMC1.1"]
    gone = take_in(first, [], [article(1, status="withdrawn", doi="10.1/a"), both[1]], 9)
    assert rows_of(gone) == [
        ("PMC1.1", "batch-0001", None, "withdrawn"),
        ("PMC2.1", "batch-0001", None, None),
    ]


def test_versions_of_a_manuscript_are_papers_whatever_they_share():
    known = take_in(NONE_KNOWN, [jats("a.xml", "doi:10.1/a")], [], 9)
    given = known.with_columns(paper_id=pl.lit("f.initial"), given_id=pl.lit("f.initial"))
    later = take_in(given, [jats("b.xml", "doi:10.1/a")], [], 9)
    assert fates(later)["b.xml"][0] is None


@pytest.mark.slow
def test_twenty_thousand_papers_that_come_twice_take_a_moment():
    few = [pdf(f"{number}.pdf", f"doi:10.1/{number}") for number in range(20_000)]
    known = take_in(NONE_KNOWN, few, [], 100)
    later = take_in(known, [jats(f"{number}.xml", f"doi:10.1/{number}") for number in range(20_000)], [], 100)
    assert (later.height, later["duplicate_of"].null_count()) == (40_000, 20_000)
    assert later["batch"].n_unique() == 200

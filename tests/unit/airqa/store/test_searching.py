"""Retrieve: exact search in a published store, in all papers or a few, alone or many at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from aimsciqa_assets.airqa.store.publishing import (
    papers_file,
    vectors_file,
)
from aimsciqa_assets.airqa.store.searching import Found, StoreSearch, StoreSearchError
from aimsciqa_assets.airqa.store.vectors import VectorsError
from aimsciqa_assets.reading.contents import Contents, Element, PageText, SectionText
from tests.fakes import WordEncoder
from tests.paper_stores import publish_store

WORDS = ("root", "leaf", "soil", "rain", "yield", "seed", "plot", "field", "height", "millet", "drought")
SAME = "The end of all"


def contents_of(number: int) -> Contents:
    """A paper whose texts differ from those of the others, but for one section."""
    said = [WORDS[(number * step + step) % len(WORDS)] for step in range(1, 8)]
    return Contents(
        f"{said[0]} and {said[1]} {number}",
        abstract=" ".join(said[2:5]),
        pages=[PageText(1, " ".join(said), 10, 20), PageText(2, SAME, 10, 20)],
        sections=[SectionText(SAME, " ".join(said[3:]), [2])],
        tables=[Element(2, "<table></table>", f"Table 1 {said[5]}")],
    )


def publish(home, numbers, encoder):
    _, cells = publish_store(home, {"b1": {n: contents_of(n) for n in numbers}}, encoder, 30)
    return cells


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def cells(home):
    return publish(home, range(40), WordEncoder())


@pytest.fixture
def search(home, cells):
    opened = StoreSearch.of_home(home, WordEncoder())
    yield opened
    opened.close()


def expected(cells, query, limit, papers=()):
    """The same by comparing the query with every cell."""
    encoder = WordEncoder()
    titles = {names["uuid"]: text for names, text in cells if names["column_name"] == "title"}
    scores = encoder.encode([text for _, text in cells]) @ encoder.encode([query])[0]
    every = [
        Found(
            names["uuid"],
            names["page_number"],
            names["table_name"],
            names["column_name"],
            names["primary_key"],
            text,
            round(float(score), 6),
            titles[names["uuid"]],
        )
        for (names, text), score in zip(cells, scores, strict=True)
        if not papers or names["uuid"] in papers
    ]
    ranked = sorted(every, key=lambda one: (-one.score, one.table, one.column, one.primary_key))
    return [replace(one, score=pytest.approx(one.score, abs=2e-6)) for one in ranked[:limit]]


def test_the_nearest_cells_come_first_with_their_texts(search, cells):
    for query in ("root in the soil", "yield of millet 7", "height"):
        assert search.search([query], 9) == [expected(cells, query, 9)]


def test_a_search_stays_in_its_papers(search, cells):
    papers = sorted({names["uuid"] for names, _ in cells})
    some = [papers[3], papers[30]]
    (found,) = search.search(["rain on the field"], 7, [some])
    assert found == expected(cells, "rain on the field", 7, some)
    assert {one.pdf_id for one in found} == set(some)


def test_each_query_has_its_own_papers(search, cells):
    first, second, *_ = sorted({names["uuid"] for names, _ in cells})
    found = search.search(["seed", "seed", "seed"], 3, [[second], [], [first]])
    assert [{one.pdf_id for one in some} for some in (found[0], found[2])] == [{second}, {first}]
    assert found[1] == expected(cells, "seed", 3)


def test_a_paper_that_the_store_lacks_has_no_cells(search):
    unknown = "00000000-0000-0000-0000-000000000000"
    assert search.search(["seed", "seed"], 3, [[unknown], ["no id at all"]]) == [[], []]


def test_ties_are_in_the_order_of_their_names(search, cells):
    (found,) = search.search([SAME], 50)
    assert found == expected(cells, SAME, 50)
    ties = [(one.table, one.column, one.primary_key) for one in found if one.text == SAME]
    assert len(ties) == 50
    assert ties == sorted(ties)


def test_many_queries_at_once_find_what_each_finds_alone(search):
    queries = [f"{one} {other}" for one in WORDS for other in WORDS[:3]] + [SAME]
    assert search.search(queries, 4) == [search.search([query], 4)[0] for query in queries]


def test_threads_do_not_disturb_each_other(search):
    alone = {query: search.search([query], 3) for query in WORDS}
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: search.search([query], 3), WORDS * 5)) == [
            alone[query] for query in WORDS * 5
        ]


def test_ids_that_no_paper_has_are_told_apart(search, cells):
    known = cells[0][0]["uuid"]
    assert search.unknown(["nobody", known, "nobody", known.upper()]) == ["nobody", known.upper()]


@pytest.mark.parametrize(("queries", "limit"), [([], 5), (["seed"], 0)])
def test_nothing_asked_for_is_nothing_found(search, queries, limit):
    assert search.search(queries, limit) == [[] for _ in queries]


def test_another_encoder_than_that_of_the_store_is_refused(home, cells):
    other = WordEncoder()
    other.revision = "2"
    with pytest.raises(
        StoreSearchError, match="are those of words 1, and queries would be encoded by words 2"
    ):
        StoreSearch.of_home(home, other)


def test_what_is_missing_is_named(home, cells, tmp_path):
    with pytest.raises(StoreSearchError, match="`aimsciqa airqa store FOLDER` makes it"):
        StoreSearch.of_home(tmp_path, WordEncoder())
    with pytest.raises(StoreSearchError, match="AIMSCIQA_AIRQA_VECTORS=true"):
        StoreSearch(papers_file(home), tmp_path / "vectors.arrow", WordEncoder())


@pytest.mark.parametrize("content", [b"", b"ARROW1 and nothing else", b"SQLite format 3\x00"])
def test_a_file_that_holds_no_vectors_is_named(home, cells, tmp_path, content):
    (tmp_path / "vectors.arrow").write_bytes(content)
    with pytest.raises(VectorsError, match="does not hold the vectors of a paper store"):
        StoreSearch(papers_file(home), tmp_path / "vectors.arrow", WordEncoder())


def test_vectors_of_another_store_are_found_out(home, cells, tmp_path):
    publish(tmp_path, range(60, 63), WordEncoder())
    mixed = StoreSearch(papers_file(tmp_path), vectors_file(home), WordEncoder())
    with pytest.raises(StoreSearchError, match="published at different times"):
        mixed.search(["seed"], 3)
    mixed.close()

"""Retrieve by words: BM25 over the cells of a published store, alone and fused with vectors."""

import pytest

from aimsciqa_assets.airqa.store.lexical import FusedSearch, StoreWords
from aimsciqa_assets.airqa.store.publishing import papers_file
from aimsciqa_assets.airqa.store.searching import StoreSearch, StoreSearchError
from tests.airqa_home import PAPERS, publish, uuids
from tests.fakes import WordEncoder


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    publish(folder, WordEncoder())
    return folder


@pytest.fixture(scope="module")
def ids(home):
    return uuids(home)


@pytest.fixture(scope="module")
def words(home):
    return StoreWords(papers_file(home))


def named(found):
    return [(one.title, one.table, one.column, one.page_number, one.text) for one in found]


def test_cells_that_share_words_are_found_with_page_and_title_the_rarest_word_first(words):
    (floods, fell, nothing, none) = words.search(["flooding of fields", "zinc", "the of and", "quark"], 2)
    chunk = ("Iron of rice", "chunks", "text_content", 2, "Fields were flooded.")
    page = ("Iron of rice", "pages", "page_content", 2, "Fields were flooded.")
    assert named(floods) == [chunk, page]
    assert floods[0].score == floods[1].score > 0
    # The shortest texts with the word: title and abstract.
    assert named(fell) == [
        ("Zinc of wheat", "metadata", "title", -1, "Zinc of wheat"),
        ("Zinc of wheat", "metadata", "abstract", -1, "Grain zinc fell."),
    ]
    assert nothing == none == []


def test_a_search_stays_in_its_papers_and_papers_without_texts_are_unknown(words, ids):
    wheat, rice = ids["Zinc of wheat"], ids["Iron of rice"]
    (everywhere,) = words.search(["grain"], 9)
    alone, both = words.search(["grain"] * 2, 9, [[rice], [rice, wheat]])
    assert {one.pdf_id for one in everywhere} == {wheat, rice}
    assert alone == [one for one in everywhere if one.pdf_id == rice]
    assert both == everywhere
    assert words.search(["grain"], 9, [["nobody"]]) == [[]]
    assert words.unknown([wheat, "nobody"]) == ["nobody"]


def test_every_encodable_text_is_searched(words, home):
    """As many cells as the vectors have."""
    found = StoreSearch.of_home(home, WordEncoder())
    every = found.search(["grain"], 10**6)[0]
    found.close()
    assert {(one.table, one.column, one.primary_key, one.page_number, one.text) for one in every} == {
        (one.table, one.column, one.primary_key, one.page_number, one.text) for one in words._cells
    }
    assert {one.title for one in every} == {*PAPERS}


def test_fused_rankings_have_first_what_is_first_in_both(words, home, ids):
    by_vectors = StoreSearch.of_home(home, WordEncoder())
    both = FusedSearch(by_vectors, words)
    (found,) = both.search(["Grain iron rose"], 3)
    assert (found[0].text, found[0].score) == ("Grain iron rose.", 1.0)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len(found) == 3
    # Words that nothing shares: the vectors alone.
    (alone,) = both.search(["quark"], 2, [[ids["Lead of barley"]]])
    assert {one.pdf_id for one in alone} == {ids["Lead of barley"]}
    assert both.unknown(["nobody", ids["Lead of barley"]]) == ["nobody"]
    by_vectors.close()


def test_without_a_store_it_says_what_to_do(tmp_path):
    with pytest.raises(StoreSearchError, match="`aimsciqa airqa store FOLDER` makes it"):
        StoreWords(tmp_path / "papers.duckdb")

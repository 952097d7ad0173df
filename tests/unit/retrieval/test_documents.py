import numpy as np
import polars as pl
import pytest

from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval.documents import chunks, questions, title_and_abstract

PAPERS = pl.DataFrame(
    {
        "paper_id": ["P1", "P2", "P3", "P4"],
        "title": ["Zinc", "Iron", "", "Copper"],
        "abstract": ["Zinc rose.", "", " ", "Copper fell."],
    }
)
PARAGRAPHS = pl.DataFrame(
    {
        "paper_id": ["P1", "P1", "P2", "P2"],
        "section_id": ["s1", "s2", "s3", "s3"],
        "text": ["One two. Three four five. Six.", "Seven.", "Iron fell. It did.", "Later."],
    }
)


def test_a_paper_is_its_title_and_abstract_else_its_first_paragraph_and_never_nothing():
    assert title_and_abstract(PAPERS, PARAGRAPHS) == {
        "P1": ["Zinc\nZinc rose."],
        "P2": ["Iron\nIron fell. It did."],
        "P3": ["P3"],
        "P4": ["Copper\nCopper fell."],
    }


def test_chunks_are_whole_sentences_of_a_section_behind_the_title():
    assert chunks(PAPERS, PARAGRAPHS, words=6) == {
        "P1": ["Zinc One two. Three four five.", "Zinc Six.", "Zinc Seven."],
        "P2": ["Iron Iron fell. It did. Later."],
        "P3": ["P3"],
        "P4": ["Copper\nCopper fell."],
    }


def test_no_chunk_is_longer_than_asked_for():
    papers = pl.DataFrame({"paper_id": ["P1"], "title": ["very long " * 20], "abstract": [""]})
    sentence = " ".join(f"word{number}" for number in range(45))
    paragraphs = pl.DataFrame({"paper_id": ["P1"], "section_id": ["s"], "text": [f"Short. {sentence}."]})
    (passages,) = chunks(papers, paragraphs, words=20).values()
    assert [len(passage.split()) for passage in passages] == [11, 20, 20, 20, 20, 15]
    assert all(passage.startswith("very long very") for passage in passages)


def test_questions_stand_for_a_paper_that_has_some():
    kept = pl.DataFrame({"paper_id": ["P2", "P2"], "question": ["What fell?", "How far?"]})
    found = questions(PAPERS, PARAGRAPHS, kept)
    assert found["P2"] == ["What fell?", "How far?"]
    assert found["P1"] == ["Zinc\nZinc rose."]


def test_the_best_passage_of_a_paper_counts():
    documents = Documents.of({"B": ["b1", "b2"], "A": ["a1"], "C": ["c1", "c2", "c3"]})
    assert documents.papers == ("A", "B", "C")
    assert documents.passages_of(1) == ("b1", "b2")
    assert documents.passages_of(2) == ("c1", "c2", "c3")
    scores = documents.best(np.array([[1, 2, 3, 6, 5, 4], [0, -1, -2, -3, -3, -2.5]]))
    assert scores.tolist() == [[1, 3, 6], [0, -1, -2.5]]


def test_a_paper_without_a_passage_is_an_error():
    with pytest.raises(ValueError, match="needs a passage"):
        Documents.of({"A": []})

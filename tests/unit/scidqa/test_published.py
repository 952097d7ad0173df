from pathlib import Path

import polars as pl
import pytest
from aimsciqa_resources.workbooks import write_workbook

from aimsciqa_assets.scidqa.files.published import (
    PublishedFileError,
    candidates,
    read_questions,
    read_responses,
    without_header,
    write_questions,
)

PUBLISHED = Path(__file__).parents[4] / "shared/corpora/reviews/scidqa.xlsx"
HEADER = ["Unnamed: 0", "id", "ans", "comments", "m_ans", "m_ans_single"]
LISTED = "['One.', \"It's two.\"]"
SELECTED = "<|start_header_id|>assistant<|end_header_id|>\n\nTwo."


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m_ft.xlsx"
    write_workbook(
        path, HEADER, [[0, 7, "A: x", "page 3", LISTED, SELECTED], [1, 3, "A: y", None, None, None]]
    )
    return path


def test_selected_answers_are_read_and_the_chat_header_goes(file):
    (found,) = read_responses(file)
    assert (found.model, found.column, found.selected) == ("m", "m_ans_single", True)
    assert found.rows.rows() == [(7, "Two.", "page 3"), (3, None, None)]


def test_the_settings_of_the_authors_code(file):
    (found,) = read_responses(file, first_column=True)
    assert (found.column, found.selected) == ("m_ans", False)
    assert found.rows["prediction"].to_list() == [LISTED, None]
    (kept,) = read_responses(file, keep_header=True)
    assert kept.rows["prediction"][0] == SELECTED


def test_candidates_are_read_without_being_run():
    assert candidates(LISTED) == ["One.", "It's two."]
    assert candidates("[open('x')]") == ["[open('x')]"]
    assert candidates("plain text") == ["plain text"]
    assert without_header("No header <|eot_id|> here") == "No header <|eot_id|> here"


def test_a_table_as_json_has_an_object_for_each_row(tmp_path):
    (tmp_path / "m.json").write_text('[{"id": 7, "m_ans": "Two."}, {"id": 3, "m_ans": null}]')
    (found,) = read_responses(tmp_path / "m.json")
    assert found.rows.rows() == [(7, "Two.", None), (3, None, None)]


def test_files_that_cannot_be_joined_are_refused(tmp_path):
    write_workbook(tmp_path / "a.xlsx", ["id", "m_ans"], [[1, "x"], [1, "y"]])
    with pytest.raises(PublishedFileError, match=r"a\.xlsx has two rows with the same id"):
        read_responses(tmp_path / "a.xlsx")
    write_workbook(tmp_path / "b.xlsx", ["id", "ans"], [[1, "x"]])
    with pytest.raises(PublishedFileError, match=r"b\.xlsx has no column of answers"):
        read_responses(tmp_path / "b.xlsx")
    with pytest.raises(PublishedFileError, match=r"c\.pkl is a pickle"):
        read_questions(tmp_path / "c.pkl")
    with pytest.raises(PublishedFileError, match=r"pandas\.read_pickle\('c\.pkl'\)\.to_json\('c\.json'"):
        read_questions(tmp_path / "c.pkl")
    (tmp_path / "d.json").write_text('{"id": 1}')
    with pytest.raises(PublishedFileError, match=r"d\.json is no JSON list"):
        read_questions(tmp_path / "d.json")
    with pytest.raises(PublishedFileError, match=r"b\.xlsx lacks the columns decision, pid"):
        read_questions(tmp_path / "b.xlsx")


@pytest.mark.slow
@pytest.mark.skipif(not PUBLISHED.exists(), reason="needs ../shared/corpora/reviews/scidqa.xlsx")
def test_the_published_questions_in_both_forms(tmp_path):
    questions = read_questions(PUBLISHED)
    assert questions.height == 2937
    assert questions["pid"].n_unique() == 576
    assert dict(questions["version"].value_counts().iter_rows()) == {"Initial": 2630, "Revised": 307}
    assert questions.filter(pl.col("decision") == "1").height == 1
    for name in ("a.parquet", "a.xlsx"):
        write_questions(tmp_path / name, questions)
        assert read_questions(tmp_path / name).equals(questions)

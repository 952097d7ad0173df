import time
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from aimsciqa_resources.workbooks import WorkbookError, read_workbook, write_workbook
from openpyxl import Workbook, load_workbook

PUBLISHED = Path(__file__).parents[4] / "shared/corpora/reviews/scidqa.xlsx"


def test_what_is_written_comes_back(tmp_path):
    rows = [
        [1, " spaces, <tags> & a\nnew line \r", 0.5, True],
        [2, None, None, "_x000D_ and \x07 and 你好"],
        [None, "", -3, None],
    ]
    write_workbook(tmp_path / "a.xlsx", ["id", "text", "number", "last"], rows)
    assert read_workbook(tmp_path / "a.xlsx") == [["id", "text", "number", "last"], *rows]


def test_texts_that_look_like_something_else_stay_texts(tmp_path):
    texts = ["=1+1", "#N/A", "007", "2020-01-01", "_x005F_x0041_", "'quoted"]
    write_workbook(tmp_path / "a.xlsx", ["text"], [[text] for text in texts])
    assert read_workbook(tmp_path / "a.xlsx") == [["text"], *([text] for text in texts)]
    cells = load_workbook(tmp_path / "a.xlsx").active["A"]
    assert {cell.data_type for cell in cells} == {"s"}


def test_numbers_that_excel_would_round_are_texts_and_no_number_is_none(tmp_path):
    write_workbook(tmp_path / "a.xlsx", ["n"], [[10**15 - 1], [10**15], [-(2**62)], [1e300], [float("nan")]])
    assert read_workbook(tmp_path / "a.xlsx") == [
        ["n"], [999_999_999_999_999], ["1000000000000000"], ["-4611686018427387904"], [1e300], [None]
    ]  # fmt: skip


def test_the_same_cells_give_the_same_bytes_on_another_day(tmp_path, monkeypatch):
    write_workbook(tmp_path / "a.xlsx", ["id"], [[1], ["x"], [""]])
    later = time.localtime(4_000_000_000)
    monkeypatch.setattr("zipfile.time.localtime", lambda *_: later)
    write_workbook(tmp_path / "b.xlsx", ["id"], [[1], ["x"], [""]])
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_sheets_of_other_programs(tmp_path):
    """Rows of any length, formulas with their values, errors and dates; wrong dimensions do not matter."""
    book = Workbook()
    book.active.append(["id", "text"])
    book.active.append([1.0, "=1+1", datetime(2020, 1, 2), "#REF!"])
    book.active["A5"] = 5
    book.create_sheet("other").append(["no"])
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as given, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as changed:
        for name in given.namelist():
            changed.writestr(
                name, given.read(name).replace(b'<dimension ref="A1:D5"', b'<dimension ref="A1"')
            )
    assert read_workbook(tmp_path / "b.xlsx") == [
        ["id", "text", None, None],
        [1, None, "2020-01-02 00:00:00", None],
        *[[None] * 4] * 2,
        [5, None, None, None],
    ]


@pytest.mark.skipif(not PUBLISHED.exists(), reason="needs ../shared/corpora/reviews/scidqa.xlsx")
@pytest.mark.slow
def test_the_published_file():
    header, *rows = read_workbook(PUBLISHED)
    assert header[:9] == ["id", "year", "venue", "rid", "pid", "decision", "que", "ans", "version"]
    assert len(rows) == 2937
    assert rows[0][:6] == [1, 2022, "NeurIPS", "nNiyOM180Cu", "0gouO5saq6K", "Accept"]
    assert [row[5] for row in rows if not isinstance(row[5], str)] == [1]


def test_a_text_that_excel_cannot_hold_is_refused(tmp_path):
    with pytest.raises(WorkbookError, match="32,768 characters is too long"):
        write_workbook(tmp_path / "a.xlsx", ["text"], [["x" * 32_768]])


def test_what_is_no_workbook_is_told(tmp_path):
    (tmp_path / "a.xlsx").write_text("id,year")
    with pytest.raises(WorkbookError, match=r"a\.xlsx is not a workbook"):
        read_workbook(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        archive.writestr("other.xml", "<a/>")
    with pytest.raises(WorkbookError, match=r"b\.xlsx is not a workbook"):
        read_workbook(tmp_path / "b.xlsx")

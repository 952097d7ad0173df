import zipfile
from pathlib import Path

import pytest
from aimsciqa_resources.workbooks import WorkbookError, read_workbook, write_workbook

PUBLISHED = Path(__file__).parents[4] / "shared/corpora/reviews/scidqa.xlsx"


def test_what_is_written_comes_back(tmp_path):
    rows = [
        [1, " spaces, <tags> & a\nnew line \r", 0.5, True],
        [2, None, None, "_x000D_ and \x07 and 你好"],
        [None, "", -3, None],
    ]
    write_workbook(tmp_path / "a.xlsx", ["id", "text", "number", "last"], rows)
    assert read_workbook(tmp_path / "a.xlsx") == [["id", "text", "number", "last"], *rows]


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

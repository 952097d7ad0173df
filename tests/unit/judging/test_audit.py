"""Sheets for people: CSV and its way through spreadsheets, other tools' files, ratings, agreement."""

import csv
import io
import json
import xml.etree.ElementTree as ET

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.judging.audit.agreement import agreement_of
from aimsciqa_assets.judging.audit.argilla import argilla_files
from aimsciqa_assets.judging.audit.criteria import criteria_of
from aimsciqa_assets.judging.audit.guidelines import guidelines
from aimsciqa_assets.judging.audit.handing_out import hand_out
from aimsciqa_assets.judging.audit.label_studio import label_studio_files
from aimsciqa_assets.judging.audit.ratings import check, read_returned
from aimsciqa_assets.judging.audit.returned import Returned
from aimsciqa_assets.judging.audit.sheet import AuditError, Sheet, csv_of, read_csv, written_csv

LOOKED_AT = {
    "question": "=1+1?",
    "answer": "Two;\nor 2,0",
    "evidence": "-2",
    "paragraph": "[[-2]]",
    "link": "x",
}
SINGLE = Sheet("single_hop-2-abc", "single_hop", {"1e10": LOOKED_AT, "b": {**LOOKED_AT, "answer": "'@"}})
BOTH = ("question", "answer", "source_evidence", "target_evidence", "retrieval_question", "target_paper")
MULTI = Sheet(
    "multi_hop-1-abc", "multi_hop", {"i": dict.fromkeys((*BOTH, "other_papers", "source_paper"), "x")}
)
SUBJECTS = {"single_hop": {"1e10", "b", "c"}, "multi_hop": {"i"}}
# What no file and no table can hold.
TEXT = st.text(st.characters(exclude_categories=("Cs",)))


def saved(tmp_path, content: bytes, name="sheet.csv"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def as_shown(content: bytes) -> list[list[str]]:
    """The cells that a spreadsheet shows."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def filled(sheet: Sheet, ratings: dict[str, dict[str, str]]) -> list[list[str]]:
    """The lines of the sheet as a spreadsheet shows them, with ratings by subject and column filled in."""
    lines = as_shown(csv_of(sheet))
    columns = [name.partition(" (")[0] for name in lines[0]]
    for line in lines[1:]:
        for column, value in ratings.get(line[-1].removeprefix("id:"), {}).items():
            line[columns.index(column)] = value
    return lines


def as_csv(lines: list[list[str]], delimiter=",", encoding="utf-8-sig", end="\r\n") -> bytes:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if set(cell) & set('",;\t\r\n') else cell

    return "".join(delimiter.join(map(quoted, line)) + end for line in lines).encode(encoding)


@given(cells=st.lists(st.tuples(TEXT, TEXT), min_size=1))
def test_any_text_comes_back_unchanged_and_none_is_a_formula(tmp_path_factory, cells):
    rows = [[*pair, "s", "single_hop", f"id:{number}"] for number, pair in enumerate(cells)]
    content = written_csv(["question", "comment", "sheet", "kind", "subject_id"], rows)
    back = list(read_csv(saved(tmp_path_factory.mktemp("sheet"), content)))
    assert [(row["question"], row["comment"]) for _, row in back] == cells
    assert [number for number, _ in back] == list(range(2, len(cells) + 2))
    shown = [cell for line in as_shown(content) for cell in line]
    assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in shown)


def test_the_sheet_as_an_annotator_opens_it():
    assert csv_of(SINGLE).decode("utf-8-sig") == (
        '"question","answer","evidence","score (0, 0.5 or 1)","comment","paragraph","link","sheet","kind",'
        '"subject_id"\r\n'
        '"\'=1+1?","Two;\nor 2,0","\'-2","","","[[-2]]","x","single_hop-2-abc","single_hop","id:1e10"\r\n'
        '"\'=1+1?","\'\'@","\'-2","","","[[-2]]","x","single_hop-2-abc","single_hop","id:b"\r\n'
    )
    assert csv_of(SINGLE).startswith(b"\xef\xbb\xbf")


def test_each_rating_stands_behind_what_it_is_about():
    header = filled(MULTI, {})[0]
    assert header[6] == "fluency (1, 2, 3, 4 or 5)"
    assert header[10:14] == [
        "retrieval_question",
        "other_papers",
        "retrieval_question_unique (0 or 1)",
        "comment",
    ]
    assert header[-3:] == ["sheet", "kind", "subject_id"]


@pytest.mark.parametrize(
    ("delimiter", "encoding", "end"),
    [
        (",", "utf-8-sig", "\r\n"),
        (",", "utf-8", "\n"),
        (";", "utf-8-sig", "\r\n"),
        (";", "cp1252", "\r\n"),
        ("\t", "utf-16", "\r\n"),
        ("\t", "utf-8", "\n"),
    ],
)
@pytest.mark.parametrize("sheet", [SINGLE, MULTI])
def test_what_spreadsheets_make_of_a_sheet_is_read(tmp_path, sheet, delimiter, encoding, end):
    subject = next(iter(sheet.subjects))
    rating = {"comment": "naïve; “so, so”"} | {one.name: "1" for one in sheet.criteria}
    lines = filled(sheet, {subject: rating})
    returned = read_returned(saved(tmp_path, as_csv(lines, delimiter, encoding, end)))
    assert returned[0].place == "row 2"
    assert returned[0].cells["sheet"] == sheet.name
    assert returned[0].cells["subject_id"] == subject
    assert rating.items() <= returned[0].cells.items()


def test_rows_may_be_sorted_emptied_and_moved(tmp_path):
    lines = filled(SINGLE, {"b": {"score": "0,5"}})
    sorted_and_moved = [line[::-1] for line in (lines[0], lines[2], [""] * 10, lines[1])]
    returned = read_returned(saved(tmp_path, as_csv(sorted_and_moved)))
    assert [(row.place, row.cells["subject_id"], row.cells["score"]) for row in returned] == [
        ("row 2", "b", "0,5"),
        ("row 4", "1e10", ""),
    ]


@pytest.mark.parametrize("content", [b"", b"\n", b"a,b\n1,2\n", b"\xff\xfe", b"\x00\x01"])
def test_another_file_is_told_from_a_sheet(tmp_path, content):
    with pytest.raises(AuditError, match="is not a sheet of `aimsciqa audit sample`"):
        read_returned(saved(tmp_path, content))


def test_a_sheet_is_handed_out_twice_but_never_over_ratings(tmp_path):
    file = hand_out(SINGLE, tmp_path)
    assert file == tmp_path / "single_hop-2-abc" / "single_hop-2-abc.csv"
    assert sorted(
        str(path.relative_to(file.parent)) for path in file.parent.rglob("*") if path.is_file()
    ) == [
        "argilla/.argilla/dataset.json",
        "argilla/.argilla/settings.json",
        "argilla/records.json",
        "guidelines.md",
        "label-studio/interface.xml",
        "label-studio/tasks.json",
        "single_hop-2-abc.csv",
    ]
    assert hand_out(SINGLE, tmp_path) == file
    file.write_bytes(file.read_bytes() + b"rated")
    with pytest.raises(AuditError, match="there may be ratings in it"):
        hand_out(SINGLE, tmp_path)
    assert file.read_bytes().endswith(b"rated")


@pytest.mark.parametrize("sheet", [SINGLE, MULTI])
def test_the_guidelines_say_what_every_score_means(sheet):
    text = guidelines(sheet)
    for criterion in sheet.criteria:
        assert f"## {criterion.name}" in text
        assert all(meaning in text for meaning in criterion.scores.values())


def returned(score, comment="", subject="b", place="row 2", person="ann", **changes) -> Returned:
    cells = {"sheet": "s", "kind": "single_hop", "subject_id": subject, "score": score, "comment": comment}
    return Returned(place, person, cells | changes)


def test_good_ratings_become_rows():
    checked = check([returned("0.5", " hm "), returned("1", person="ben")], SUBJECTS)
    assert checked.rows[0] == {
        "sheet": "s",
        "kind": "single_hop",
        "subject_id": "b",
        "rater": "ann",
        "criterion": "score",
        "score": 0.5,
        "comment": "hm",
    }
    assert (checked.rows[1]["rater"], checked.rows[1]["score"]) == ("ben", 1.0)
    assert (checked.unrated, checked.problems) == (0, [])


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (returned("2"), "row 2: score is '2'; allowed are 0, 0.5 or 1"),
        (returned("good"), "row 2: score is 'good'; allowed are 0, 0.5 or 1"),
        (returned("nan"), "row 2: score is 'nan'; allowed are 0, 0.5 or 1"),
        (returned("", "unsure"), "row 2: a comment, but no rating: 'unsure'"),
        (
            returned("1", subject="z"),
            "row 2: 'z' is not among the QA pairs with exact evidence of this corpus",
        ),
        (returned("1", kind="x"), "row 2: 'x' is not a kind of sheet"),
        (returned("1", sheet=""), "row 2: no value in sheet: these cells must stay as they were"),
        (
            Returned("row 2", "ann", {"score": "1"}),
            "row 2: no value in sheet, kind, subject_id: these cells must stay as they were",
        ),
    ],
)
def test_what_cannot_be_used_is_named_and_the_rest_is_taken(row, problem):
    checked = check([row, returned("1", subject="c", place="row 3")], SUBJECTS)
    assert checked.problems == [problem]
    assert [one["subject_id"] for one in checked.rows] == ["c"]


def test_a_subject_twice_by_one_person_is_named():
    checked = check([returned("1"), returned("0", place="row 9"), returned("0", person="ben")], SUBJECTS)
    assert checked.problems == ["row 9: b was rated already in row 2"]
    assert [one["score"] for one in checked.rows] == [1.0, 0.0]


def test_a_bad_score_costs_no_other_of_its_row():
    cells = {"sheet": "s", "kind": "multi_hop", "subject_id": "i", "fluency": "5", "completeness": "6"}
    checked = check([Returned("row 2", "ann", cells)], SUBJECTS)
    assert [(one["criterion"], one["score"]) for one in checked.rows] == [("fluency", 5.0)]
    assert checked.problems == ["row 2: completeness is '6'; allowed are 1, 2, 3, 4 or 5"]


def test_empty_rows_are_counted_and_no_problem():
    checked = check([returned(""), returned("1", subject="c")], SUBJECTS)
    assert (checked.unrated, len(checked.rows), checked.problems) == (1, 1, [])


def label_studio_export(sheet: Sheet) -> list[dict]:
    """The tasks as Label Studio exports them: two people, one of whom skipped."""
    tasks = json.loads(label_studio_files(sheet)["tasks.json"])
    about = {"to_name": "question", "origin": "manual"}
    for number, task in enumerate(tasks):
        result = [
            about | {"id": "r1", "from_name": one.name, "type": "choices", "value": {"choices": ["1"]}}
            for one in sheet.criteria
        ]
        said = {"id": "r2", "from_name": "comment", "type": "textarea", "value": {"text": ["So", "so"]}}
        task |= {
            "id": number,
            "annotations": [
                {"id": 1, "completed_by": 7, "was_cancelled": False, "result": [*result, about | said]},
                {"id": 2, "completed_by": {"id": 8, "email": "b@x.org"}, "result": result},
                {"id": 3, "completed_by": 9, "was_cancelled": True, "result": []},
            ],
        }
    return tasks


def argilla_record(subject: str = "b", **answers: object) -> dict:
    responses = {name: [{"user_id": "ann", "value": value}] for name, value in answers.items()}
    metadata = {"sheet": SINGLE.name, "kind": SINGLE.kind}
    return {"id": subject, "metadata": metadata, "responses": responses}


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_marks_inside_a_comment_end_no_line_of_records(tmp_path, mark):
    records = [argilla_record(comment=f"so{mark}so", score="1"), argilla_record("1e10", score="0")]
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    returned = read_returned(saved(tmp_path, f"\ufeff{lines}\r\n".encode(), "records.jsonl"))
    assert [row.cells["subject_id"] for row in returned] == ["b", "1e10"]
    assert returned[0].cells["comment"] == f"so{mark}so"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b'[{"responses": {"score": [{"value": NaN}]}}]', "NaN is not a finite number"),
        (b'{"responses": {"score": [{"value": 1e999}]}}\n', "1e999 is not a finite number"),
        (b'{"id": "a", "responses": {}, "id": "b"}', "an object has the key 'id' twice"),
        (b'{"id": "\xe9"}', r"it is not UTF-8 \(byte 9\)"),
    ],
)
def test_ratings_that_are_not_json_say_why(tmp_path, written, why):
    with pytest.raises(AuditError, match=f"cannot be read as JSON: {why}"):
        read_returned(saved(tmp_path, written, "records.json"))


@pytest.mark.parametrize("sheet", [SINGLE, MULTI])
def test_label_studios_export_is_read(tmp_path, sheet):
    file = saved(tmp_path, json.dumps(label_studio_export(sheet)).encode(), "export.json")
    checked = check(read_returned(file), SUBJECTS)
    assert checked.problems == []
    assert len(checked.rows) == 2 * len(sheet.subjects) * len(sheet.criteria)
    assert {one["rater"] for one in checked.rows} == {"user 7", "b@x.org"}
    assert {one["score"] for one in checked.rows} == {1.0}
    assert {one["comment"] for one in checked.rows} == {"So\nso", ""}
    assert {one["subject_id"] for one in checked.rows} == set(sheet.subjects)


@pytest.mark.parametrize("sheet", [SINGLE, MULTI])
def test_label_studios_interface_shows_everything_and_asks_for_every_rating(sheet):
    interface = ET.fromstring(label_studio_files(sheet)["interface.xml"])
    assert [tag.get("value") for tag in interface.iter("Text")] == [f"${name}" for name in sheet.shown]
    asked = {
        tag.get("name"): [choice.get("value") for choice in tag.iter("Choice")]
        for tag in interface.iter("Choices")
    }
    assert asked == {one.name: [f"{score:g}" for score in one.scores] for one in criteria_of(sheet.kind)}
    assert {tag.get("toName") for tag in interface.iter("Choices")} == {"question"}


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("sheet", [SINGLE, MULTI])
def test_argillas_records_are_read(tmp_path, sheet, lines):
    records = json.loads(argilla_files(sheet)["records.json"])
    for record in records:
        record["responses"] = {
            one.name: [{"value": "1", "user_id": "u-1"}, {"value": "0", "user_id": "u-2"}]
            for one in sheet.criteria
        } | {"comment": [{"value": "fine", "user_id": "u-1"}]}
    content = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    checked = check(read_returned(saved(tmp_path, content.encode(), "records.json")), SUBJECTS)
    ones = [one for one in checked.rows if one["rater"] == "u-1"]
    assert len(ones) == len(sheet.subjects) * len(sheet.criteria)
    assert {(one["score"], one["comment"]) for one in ones} == {(1.0, "fine")}
    # Nothing is 0 on a scale from 1 to 5.
    refused = 4 if sheet is MULTI else 0
    assert len(checked.problems) == refused
    assert len(checked.rows) == 2 * len(ones) - refused


def test_argilla_is_asked_for_every_rating_on_its_scale():
    settings = json.loads(argilla_files(MULTI)[".argilla/settings.json"])
    assert [field["name"] for field in settings["fields"]] == MULTI.shown
    options = {
        question["name"]: [option["value"] for option in question["settings"]["options"]]
        for question in settings["questions"]
        if question["name"] != "comment"
    }
    assert options == {one.name: [f"{score:g}" for score in one.scores] for one in MULTI.criteria}
    assert [question["required"] for question in settings["questions"]] == [True, *[False] * 5]


@pytest.mark.parametrize(
    "content", ["[1]", '[{"a": 1}]', "[null]", '[{"annotations": [{}], "data": {}}]', '{"responses": {}}']
)
def test_other_json_is_told_from_an_export(tmp_path, content):
    with pytest.raises(AuditError, match="entry 1 is neither a task of Label Studio"):
        read_returned(saved(tmp_path, content.encode(), "export.json"))


def test_broken_json_is_an_error_that_names_the_file(tmp_path):
    with pytest.raises(AuditError, match=r"export\.json cannot be read as JSON"):
        read_returned(saved(tmp_path, b'[{"a": ', "export.json"))


def rated(rows: list[tuple[str, str, float]], kind="single_hop", criterion="score") -> pl.DataFrame:
    """Ratings as (subject, rater, score)."""
    frame = pl.DataFrame(rows, schema=["subject_id", "rater", "score"], orient="row")
    return frame.with_columns(
        sheet=pl.lit("s"), kind=pl.lit(kind), criterion=pl.lit(criterion), comment=pl.lit("")
    )


def test_agreement_by_hand():
    ratings = rated(
        [("a", "ann", 1.0), ("a", "ben", 1.0), ("b", "ann", 1.0), ("b", "ben", 0.5), ("c", "ann", 1.0)]
    )
    (row,) = agreement_of(ratings).rows(named=True)
    assert (row["subjects"], row["raters"], row["perfect"]) == (3, 2, 2)
    assert row["mean"] == pytest.approx(0.9)
    # pa = 1/2; shares of 0.5 and 1: (0 + 0.5 + 0) / 3 and 2.5 / 3; pe = their sum of p (1 - p) over 2.
    expected = (0.5 / 3 * 2.5 / 3 * 2) / 2
    assert row["gwet_ac1"] == pytest.approx((0.5 - expected) / (1 - expected))
    # Subjects a and b: P = 1/2, shares 3/4 and 1/4.
    assert row["fleiss_kappa"] == pytest.approx((0.5 - 0.625) / 0.375)
    assert row["krippendorff_alpha"] == pytest.approx(0.0)


def test_one_rater_agrees_with_nobody():
    (row,) = agreement_of(rated([("a", "ann", 1.0), ("b", "ann", 0.0)])).rows(named=True)
    assert (row["raters"], row["mean"], row["perfect"]) == (1, 0.5, 1)
    assert row["gwet_ac1"] is row["fleiss_kappa"] is row["krippendorff_alpha"] is None


def test_every_criterion_has_its_own_row_and_scale():
    ratings = pl.concat(
        [
            rated([("i", "ann", 5.0), ("i", "ben", 4.0)], "multi_hop", "fluency"),
            rated([("i", "ann", 1.0), ("i", "ben", 1.0)], "multi_hop", "retrieval_question_unique"),
        ]
    )
    frame = agreement_of(ratings)
    assert frame.select("criterion", "perfect").rows() == [("fluency", 0), ("retrieval_question_unique", 1)]
    assert frame["gwet_ac1"][1] == 1.0
    assert frame["fleiss_kappa"][1] is None


def test_no_rating_no_row():
    assert agreement_of(rated([])).is_empty()

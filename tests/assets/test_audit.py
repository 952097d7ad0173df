"""`aimsciqa audit` on a small corpus: sheets out, ratings in, and the tables that follow."""

import csv
import io

import dagster as dg
import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.audit import audit_app
from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.judging.audit import assets as audit
from aimsciqa_assets.platform.home import Home
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow


@pytest.fixture
def pipeline(items_home, monkeypatch) -> Pipeline:
    """Twelve papers with their items, in the home of the command line."""
    monkeypatch.setenv("COLUMNS", "300")
    return pipeline_at(copy_of(items_home, Home.from_environment().folder))


def aimsciqa_audit(*words: str, fails: bool = False) -> str:
    result = CliRunner().invoke(audit_app, words)
    assert (result.exit_code != 0) == fails, result.output
    return result.output


def sheets(pipeline: Pipeline, kind: str):
    return sorted((pipeline.home.folder / "audit").glob(f"{kind}-*/{kind}-*.csv"))


def rate(file, target, **ratings: list[str]) -> list[str]:
    """A rater's copy of the sheet; returns the ids of its rows."""
    lines = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline="")))
    columns = [name.partition(" (")[0] for name in lines[0]]
    for column, values in ratings.items():
        for line, value in zip(lines[1:], values, strict=False):
            line[columns.index(column)] = value
    with target.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter=";").writerows(lines)
    return [line[columns.index("subject_id")].removeprefix("id:") for line in lines[1:]]


def compare(pipeline: Pipeline) -> None:
    """What `aimsciqa run` does after an import."""
    result = dg.materialize(
        [audit.audit_agreement, audit.audit_distribution],
        resources=pipeline.resources,
        instance=pipeline.instance,
    )
    assert result.success


def test_a_sheet_goes_out_and_two_peoples_ratings_come_back(tmp_path, pipeline):
    output = aimsciqa_audit("sample", "--kind", "single_hop", "--n", "6")
    assert "6 of " in output
    assert "kept QA pairs" in output
    (file,) = sheets(pipeline, "single_hop")
    ids = rate(file, tmp_path / "ann.csv", score=["1", "1", "0,5", "0", "1", "1"], comment=["", "=good"])
    rate(file, tmp_path / "ben.csv", score=["1", "1", "0.5", "0.5", "7"])
    assert "6 new ratings" in aimsciqa_audit("import", str(tmp_path / "ann.csv"), "--rater", "ann")
    output = aimsciqa_audit("import", str(tmp_path / "ben.csv"), "--rater", "ben", fails=True)
    assert "4 new ratings, 0 changed, 0 known already; 1 rows without a rating. In all 10" in output
    assert "row 6: score is '7'; allowed are 0, 0.5 or 1" in output
    kept = pipeline.warehouse.read(
        "select subject_id, score, comment from benchmark.audit_ratings "
        "where rater = 'ann' order by subject_id"
    )
    assert sorted(ids) == kept["subject_id"].to_list()
    assert "=good" in kept["comment"].to_list()

    compare(pipeline)
    (row,) = pipeline.warehouse.read("select * from benchmark.audit_agreement").rows(named=True)
    assert (row["sheet"], row["subjects"], row["raters"]) == (file.stem, 6, 2)
    # Of ann's four ones, two were rated by ben as well, alike; one he refused, one he left out.
    assert row["perfect"] == 4
    assert 0 < row["gwet_ac1"] < 1
    shares = pipeline.warehouse.read("select score, ratings, share from benchmark.audit_distribution")
    assert sorted(shares.rows()) == [(0.0, 1, 0.1), (0.5, 3, 0.3), (1.0, 6, 0.6)]

    rate(file, tmp_path / "ben.csv", score=["1", "1", "0.5", "0", "1", "1"])
    output = aimsciqa_audit("import", str(tmp_path / "ben.csv"), "--rater", "ben")
    assert "2 new ratings, 1 changed, 3 known already; 0 rows" in output
    compare(pipeline)
    (row,) = pipeline.warehouse.read("select * from benchmark.audit_agreement").rows(named=True)
    assert (row["gwet_ac1"], row["fleiss_kappa"]) == (pytest.approx(1.0), pytest.approx(1.0))
    before = pipeline.warehouse.read("select * from ops.materializations where table_name like 'benchmark.%'")
    assert "0 new ratings, 0 changed, 6 known already" in aimsciqa_audit(
        "import", str(tmp_path / "ben.csv"), "--rater", "ben"
    )
    after = pipeline.warehouse.read("select * from ops.materializations where table_name like 'benchmark.%'")
    assert after.sort("table_name").equals(before.sort("table_name"))


def test_items_are_handed_out_with_both_papers_and_the_cluster(pipeline):
    accepted = pipeline.warehouse.read(
        "select count(*) from multi_hop.items where status = 'accepted'"
    ).item()
    output = aimsciqa_audit("sample", "--kind", "multi_hop", "--n", "1000")
    assert f"There are only {accepted} accepted items, so all of them are in the sheet." in output
    (file,) = sheets(pipeline, "multi_hop")
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline="")))
    assert len(rows) == accepted
    assert all(row["question"] and row["source_evidence"] and row["target_evidence"] for row in rows)
    assert all(row["source_link"].startswith("https://doi.org/10.5555/test.") for row in rows)
    for row in rows:
        others = row["other_papers"].splitlines()
        assert row["target_paper"] not in others
        assert row["source_paper"] not in others
    assert {len(row["other_papers"].splitlines()) for row in rows} >= {4}


def test_the_papers_around_a_target_come_with_their_abstracts_unless_they_shall_not(pipeline, monkeypatch):
    aimsciqa_audit("sample", "--kind", "multi_hop", "--n", "1")
    (file,) = sheets(pipeline, "multi_hop")
    (row,) = csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline=""))
    others = row["other_papers"].splitlines()
    assert [row[f"other_paper_{n}"].splitlines()[0] for n, _ in enumerate(others, 1)] == others
    assert "had a mean zinc intake of" in row["other_paper_1"]
    monkeypatch.setenv("AIMSCIQA_AUDIT_ABSTRACTS", "false")
    aimsciqa_audit("sample", "--kind", "multi_hop", "--n", "1")
    (plain,) = [one for one in sheets(pipeline, "multi_hop") if one != file]
    assert "other_paper_1" not in plain.read_text("utf-8-sig")


def test_only_items_of_the_test_split_are_drawn_where_the_settings_say_so(pipeline, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_AUDIT_SPLIT", "test")
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(
            "insert into multi_hop.splits by name "
            "select item_id, variant, source_paper_id, "
            "if(row_number() over (order by item_id) <= 3, 'test', 'dev') as split "
            "from multi_hop.items where status = 'accepted'"
        )
    in_test = pipeline.warehouse.read("select item_id from multi_hop.splits where split = 'test'")
    assert in_test.height == 3
    output = aimsciqa_audit("sample", "--kind", "multi_hop", "--n", "1000")
    assert f"There are only {in_test.height} accepted items of the test split" in output
    (file,) = sheets(pipeline, "multi_hop")
    assert set(rate(file, file.with_name("copy.csv"))) == set(in_test["item_id"])


def test_both_sides_of_the_filter_are_drawn_alike_and_taken_back(tmp_path, pipeline, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_AUDIT_PAIRS", "both")
    output = aimsciqa_audit("sample", "--kind", "single_hop", "--n", "6")
    assert "half of them kept and half taken out by the alignment filter" in output
    (file,) = sheets(pipeline, "single_hop")
    ids = rate(file, tmp_path / "ann.csv", score=["1"] * 6)
    sides = pipeline.warehouse.read(
        "select status, coalesce(rejection_reason, ''), count(*) from single_hop.qa_pairs "
        "where qa_id in (select unnest($ids)) group by all order by 1",
        {"ids": ids},
    )
    assert sides.rows() == [("kept", "", 3), ("rejected", "low_alignment", 3)]
    assert "low_alignment" not in file.read_text("utf-8-sig")
    monkeypatch.delenv("AIMSCIQA_AUDIT_PAIRS")
    assert "6 new ratings" in aimsciqa_audit("import", str(tmp_path / "ann.csv"), "--rater", "ann")


def test_the_same_seed_gives_the_same_sheet_and_another_draws_others(pipeline):
    for _ in range(2):
        aimsciqa_audit("sample", "--kind", "single_hop", "--n", "5")
    (first,) = sheets(pipeline, "single_hop")
    aimsciqa_audit("sample", "--kind", "single_hop", "--n", "5", "--seed", "1")
    assert len(sheets(pipeline, "single_hop")) == 2
    assert first.exists()


def test_evidence_is_marked_in_its_paragraph(pipeline):
    aimsciqa_audit("sample", "--kind", "single_hop", "--n", "1000")
    (file,) = sheets(pipeline, "single_hop")
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline="")))
    assert all(f"[[{row['evidence']}]]" in row["paragraph"] for row in rows)


def test_ratings_outlive_what_is_made_anew(tmp_path, pipeline):
    aimsciqa_audit("sample", "--kind", "multi_hop", "--n", "2")
    (file,) = sheets(pipeline, "multi_hop")
    rate(file, tmp_path / "ann.csv", fluency=["5", "4"])
    aimsciqa_audit("import", str(tmp_path / "ann.csv"), "--rater", "ann")
    forget_from(pipeline.warehouse, "corpus")
    assert pipeline.warehouse.read("select score from benchmark.audit_ratings order by score").rows() == [
        (4.0,),
        (5.0,),
    ]
    compare(pipeline)
    assert pipeline.warehouse.read("select perfect from benchmark.audit_agreement").rows() == [(1,)]


@pytest.mark.parametrize("words", [("sample", "--kind", "single_hop"), ("import", "{file}", "--rater", "a")])
def test_without_a_warehouse_nothing_is_made(tmp_path, words):
    (tmp_path / "ann.csv").write_text("sheet,kind,subject_id,score\ns,single_hop,id:a,1\n")
    result = CliRunner().invoke(audit_app, [word.format(file=tmp_path / "ann.csv") for word in words])
    assert "There is no warehouse" in str(result.exception)
    assert not Home.from_environment().database.exists()


def test_a_csv_sheet_needs_a_name_for_its_rater(tmp_path, pipeline):
    (tmp_path / "ann.csv").write_text("sheet,kind,subject_id,score\ns,single_hop,id:a,1\n")
    result = CliRunner().invoke(audit_app, ["import", str(tmp_path / "ann.csv")])
    assert "add --rater NAME" in str(result.exception)

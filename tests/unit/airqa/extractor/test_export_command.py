"""`aimsciqa extractor export` over a home whose rows are made by hand."""

import json
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.airqa.extractor.pictures import Pictures
from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.reading.paper import RejectedFileError
from tests.extractor_trajectories import both

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path, monkeypatch):
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    monkeypatch.setenv("AIMSCIQA_HOME", str(home.folder))
    warehouse = Warehouse(str(home.database))
    create_tables(warehouse)

    def invoke(*arguments):
        return CliRunner().invoke(app, ["extractor", *arguments], env={"COLUMNS": "200"})

    invoke.warehouse = warehouse
    return invoke


@pytest.fixture
def out(tmp_path):
    return str(tmp_path / "out")


def ids(folder):
    text = (Path(folder) / "sharegpt.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["id"] for line in text.splitlines()]


def test_the_export_tells_what_it_left_out(run, out):
    both(run.warehouse)
    result = run("export", out)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        f"4 samples of 2 trajectories in {out}",
        "  1 trajectories left out: no_answer",
        "  4 samples left out: view",
        "  2 samples left out: wrong_action",
        "Wrong actions: 20.00% of the trajectories', 0.00% of what is learnt",
    ]
    assert ids(out) == ["long:1", "long:3", "short:1", "short:2"]


def test_options_change_what_is_cut(run, out):
    both(run.warehouse)
    options = ("--window", "0", "--error-removal", "none", "--kind", "retrieval")
    assert run("export", out, *options).exit_code == 0
    assert ids(out) == ["short:2"]
    told = json.loads((Path(out) / "statistics.json").read_text())["settings"]
    assert told == {
        "window": 0,
        "removes_errors": False,
        "views": False,
        "kinds": ["retrieval"],
        "correct_only": False,
    }


def test_a_picture_whose_paper_is_gone_leaves_its_samples_out(run, out):
    both(run.warehouse)
    result = run("export", out, "--view")
    assert result.exit_code == 0
    assert "  3 samples left out: no_picture" in result.output
    assert ids(out) == ["long:1", "long:3", "long:5", "short:1", "short:2"]


def test_without_trajectories_it_says_what_to_do(run, out, tmp_path):
    result = run("export", out)
    assert result.exit_code == 1
    assert "aimsciqa extractor make" in result.stderr
    both(run.warehouse)
    result = run("export", out, "--kind", "multiple")
    assert result.exit_code == 1
    assert "No trajectory is left to export: no_answer 1, other_kind 2" in result.stderr
    assert not (tmp_path / "out").exists()


def test_bad_input_is_refused(run, out, tmp_path):
    both(run.warehouse)
    assert "nothing is none" in run("export", out, "--kind", "nothing").stderr
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("")
    result = run("export", out)
    assert result.exit_code == 2
    assert "is not an empty folder" in result.stderr


def test_pictures_are_kept_once_and_named_by_what_is_in_them(tmp_path):
    asked = []

    class Shown:
        def show(self, paper_id, page_number, box):
            asked.append((paper_id, page_number, box))
            if page_number > 9:
                raise RejectedFileError("no_such_page", "the paper has pages 1 to 9")
            return b"page"

    paper = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"
    pictures = Pictures(Shown(), tmp_path)
    whole = {"paper_id": paper, "page_number": 1, "bounding_box": []}
    part = whole | {"paper_id": f" {paper.upper()}", "bounding_box": [1, 2, 3, 4]}
    kept = [pictures.keep(arguments) for arguments in (whole, whole, part, whole | {"page_number": 10})]
    name = "images/475f188b8223e6ba9cab239f948ca7fc.png"
    assert kept == [name, name, name, None]
    assert asked == [(paper, 1, []), (paper, 1, [1, 2, 3, 4]), (paper, 10, [])]
    assert [path.read_bytes() for path in (tmp_path / "images").iterdir()] == [b"page"]

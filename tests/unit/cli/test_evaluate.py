"""`aimsciqa evaluate`, as the light package has it and as the platform passes it on."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from aimsciqa.command_line import app
from aimsciqa_assets.cli.commands import app as platform
from tests.evaluated_corpus import write_evaluated_release

pytestmark = pytest.mark.slow  # the release is written first


@pytest.fixture(scope="module")
def release(made_once) -> str:
    return str(made_once("evaluated-release", write_evaluated_release) / "release")


def typed(*words: str, command=app):
    return CliRunner().invoke(command, ["evaluate", *words])


@pytest.mark.parametrize("command", [app, platform])
def test_a_run_file_is_evaluated(release, command):
    done = typed(
        release, "--run", f"{release}/baselines/runs/bm25.full.trec", "--setting", "full", command=command
    )
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "retrieval, full"
    assert ["dev", "im", "2", "Hit@1", "0.500", "–"] in [line.split() for line in lines]
    assert max(map(len, lines)) <= 80


def test_bm25_as_json_into_a_file_for_one_split(release, tmp_path):
    done = typed(
        release, "--bm25", "--split", "test", "--format", "json", "--output", str(tmp_path / "scores.json")
    )
    assert (done.exit_code, done.stdout) == (0, "")
    told = json.loads((tmp_path / "scores.json").read_text())
    assert {score["split"] for score in told["scores"]} == {"test"}
    assert (told["setting"], told["scores"][0]["value"]) == ("cluster", 1.0)


def test_answers_are_evaluated_and_what_is_missing_is_told(release, tmp_path):
    (tmp_path / "answers.jsonl").write_text('{"item_id": "i1", "answer": "merged_answer of 1"}\n')
    done = typed(release, "--answers", str(tmp_path / "answers.jsonl"), "--variant", "im")
    assert done.exit_code == 0
    assert done.stderr == "Note: 2 items have no answer and count as 0: i6, i2.\n"
    assert ["dev", "im", "2", "token_f1", "0.500", "–"] in [line.split() for line in done.stdout.splitlines()]


def test_what_does_not_fit_ends_with_1_and_names_it(release, tmp_path):
    (tmp_path / "run").write_text("q\x1b[2J Q0 P2 1 0.5 me\n")
    done = typed(release, "--run", str(tmp_path / "run"))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Not evaluated: 1 query ids are not in aimsciqa-release: q?[2J.")
    done = typed(str(tmp_path), "--bm25")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "is no release" in done.stderr


def test_a_split_without_items_is_told(release, tmp_path):
    without = tmp_path / "release"
    shutil.copytree(release, without)
    for path in (*without.glob("data/multi_hop/test.jsonl"), *without.glob("beir/queries.jsonl")):
        lines = path.read_text().splitlines(keepends=True)
        path.write_text(
            "".join(line for line in lines if json.loads(line).get("metadata", {}).get("split") == "dev")
        )
    done = typed(str(without), "--bm25", "--split", "test")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Not evaluated: aimsciqa-release has no items of split test to evaluate.\n"
    assert typed(str(without), "--bm25").exit_code == 0


@pytest.mark.parametrize("options", [[], ["--bm25", "--answers", "x"]])
def test_one_thing_is_evaluated_at_a_time(release, options):
    done = typed(release, *options)
    assert done.exit_code == 2
    assert "give one of --run, --answers and --bm25" in done.stderr

"""Small corpora, `aimsciqa prompts` and `run --preview`, as they are typed."""

import gzip
import json
import shutil
from collections import Counter

import pytest

from tests.shell import ROOT, QuickShell, Shell

pytestmark = pytest.mark.slow


def test_a_small_corpus_ends_with_a_release_and_a_warning(six_papers):
    output = " ".join(six_papers("run").split())
    assert "hold fewer than 30 papers, the smallest 5, because the corpus has no more" in output
    card = (six_papers.home / "releases" / "aimsciqa-release" / "README.md").read_text()
    assert "have a cluster of fewer than 30 papers (the smallest has 5)" in card
    assert "is sound" in six_papers("release", "verify")


def test_a_sample_of_every_prompt_can_be_replied_to_and_taken_in(six_papers, tmp_path):
    file = tmp_path / "sample.jsonl.gz"
    output = six_papers("prompts", "sample", "--n", "3", "--output", str(file), "--by", "jane")
    with gzip.open(file, "rt") as opened:
        lines = [json.loads(line) for line in opened]
    tasks = Counter(line["task"] for line in lines)
    assert tasks["single_hop"] == tasks["multi_hop"] == 3 + 1  # and a request for a repair
    assert {"answering", "citation_marker", "answer_judge", "quality_judge"} < tasks.keys()
    assert "3 requests of answering" in output
    for line in lines:
        if line["task"] == "single_hop":
            line["reply"] = {"pairs": []}
    filled = tmp_path / "filled.jsonl"
    filled.write_text("".join(json.dumps(line) + "\n" for line in lines))
    taken = six_papers("record", "replies", str(filled), "--by", "jane")
    assert f"4 new replies, 0 replaced, 0 known already; {len(lines) - 4} lines without a reply yet" in taken


def test_a_file_that_is_there_is_not_overwritten(six_papers, tmp_path):
    (tmp_path / "mine.jsonl").write_text("precious")
    output = six_papers("prompts", "sample", "--output", str(tmp_path / "mine.jsonl"), fails=True)
    assert "exists already" in output
    assert (tmp_path / "mine.jsonl").read_text() == "precious"


def test_prompts_are_listed_and_shown(six_papers):
    assert "variables: keywords, paper_title, paragraph, section_title, subsection" in six_papers(
        "prompts", "list"
    )
    assert "single_hop  version" in six_papers("prompts", "list")
    assert six_papers("prompts", "show", "single_hop") == (ROOT / "prompts" / "single_hop.md").read_text()
    assert "there is no prompt none" in six_papers("prompts", "show", "none", fails=2)


def test_a_preview_of_another_prompt_says_what_is_made_anew_and_why(six_papers, tmp_path):
    (tmp_path / "mine").mkdir()
    text = (ROOT / "prompts" / "multi_hop.md").read_text()
    (tmp_path / "mine" / "multi_hop.md").write_text(text.replace("=== user ===", "Be brief.\n=== user ==="))
    before = six_papers.rows("select count(*) as n from ops.llm_calls")
    # A process of its own: prompts are read once.
    shell = Shell(six_papers.home)
    shell.environment = six_papers.environment | {"AIMSCIQA_PROMPTS": str(tmp_path / "mine")}
    output = shell("run", "--preview", "1")
    assert "due      multi_hop.items of batch-0001\n         prompt multi_hop changed" in output
    assert "Be brief." in output
    assert "multi_hop  scripted" in output
    assert "free" in output
    assert "nothing was written" in output
    assert six_papers.rows("select count(*) as n from ops.llm_calls") == before
    (tmp_path / "mine" / "multihop.md").write_text(text)
    assert "Did you mean multi_hop.md?" in shell("run", "--preview", "1", fails=True)


def test_a_corpus_of_one_paper_ends_with_advice(tmp_path):
    (tmp_path / "papers").mkdir()
    shutil.copy(min((ROOT / "examples" / "demo_corpus").glob("*.xml")), tmp_path / "papers")
    shell = QuickShell(tmp_path / "home")
    # Taking in papers asks no model.
    shell.environment["AIMSCIQA_MODEL_BACKEND"] = "server"
    shell("ingest", str(tmp_path / "papers"))
    del shell.environment["AIMSCIQA_MODEL_BACKEND"]
    output = shell("run", fails=1)
    assert (
        "The corpus has 1 paper. A question needs at least 3: a source, a target, and one that the target "
        "must be told from; 30 and more make a benchmark. Nothing was started. Take in more papers: "
        "aimsciqa ingest DIR\n"
    ) in output
    assert "Next" not in output
    assert shell.rows("select * from corpus.papers") == []

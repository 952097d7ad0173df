import json
import shutil

import pytest

import aimsciqa
from aimsciqa import EvaluationError, ReleaseFolderError

pytestmark = pytest.mark.slow  # the release is written first


def test_the_parts_of_a_release(evaluated_release):
    release = aimsciqa.load(evaluated_release)
    assert release.name == "aimsciqa-release"
    assert [(item.item_id, item.split, item.variant) for item in release.items] == [
        ("i1", "dev", "im"),
        ("i3", "dev", "cim"),
        ("i6", "dev", "im"),
        ("i2", "test", "im"),
    ]
    item = release.items[3]
    assert (item.question, item.answer) == ("merged_question of 2", "merged_answer of 2")
    assert item.query == aimsciqa.Query(
        item_id="i2",
        text="Which paper has iron at six months?",
        variant="im",
        split="test",
        gold=("P4",),
        in_hand=("P3",),
        cluster=("P10", "P4", "P8"),
        facts=("q3-0-2", "q4-1-2"),
    )
    assert item.row["target_title"] == item.row["target"]["title"] == "Paper 4"
    assert release.clusters["i3"] == ("P10", "P6", "P8")
    assert release.qrels == {"i1": {"P2": 1}, "i2": {"P4": 1}, "i3": {"P6": 1}, "i6": {"P2": 1}}
    assert release.papers["P4"] == aimsciqa.Paper(
        "P4", "Paper 4", "Cord clamping and iron stores at six months.", "CC BY", has_text=True
    )
    # Its licence allows no text.
    assert release.documents["P10"] == "Paper 10"


def test_candidates_are_the_cluster_or_all_papers_but_the_source(evaluated_release):
    release = aimsciqa.load(evaluated_release)
    query = release.queries["i2"]
    assert release.candidates(query, "cluster") == ["P10", "P4", "P8"]
    assert release.candidates(query, "full") == ["P1", "P10", "P2", "P4", "P5", "P6", "P7", "P8"]


def test_paragraphs_are_read_from_parquet(evaluated_release):
    release = aimsciqa.load(evaluated_release)
    assert [row["paragraph_id"] for row in release.paragraphs("P4")] == ["t4-0", "t4-1", "t4-2", "t4-3"]
    assert len(release.paragraphs()) == 32


def test_what_is_no_release_is_told(evaluated_release, tmp_path):
    with pytest.raises(ReleaseFolderError, match="There is no folder"):
        aimsciqa.load(tmp_path / "nothing")
    with pytest.raises(ReleaseFolderError, match=r"PROVENANCE\.json is missing or cannot be read"):
        aimsciqa.load(tmp_path)
    copy = shutil.copytree(evaluated_release, tmp_path / "copy")
    (copy / "beir" / "corpus.jsonl").unlink()
    with pytest.raises(ReleaseFolderError, match=r"corpus\.jsonl is missing or damaged .* SHA256SUMS"):
        aimsciqa.load(copy).papers  # noqa: B018
    manifest = json.loads((copy / "PROVENANCE.json").read_text())
    (copy / "PROVENANCE.json").write_text(json.dumps(manifest | {"format": "1"}))
    with pytest.raises(ReleaseFolderError, match="has format 1, and this version of aimsciqa reads format 2"):
        aimsciqa.load(copy)


def test_an_unknown_split_variant_or_setting_is_told(evaluated_release):
    release = aimsciqa.load(evaluated_release)
    with pytest.raises(EvaluationError, match="no split 'train': choose one of dev, test"):
        release.evaluate_retriever(aimsciqa.Bm25(), split="train")
    with pytest.raises(EvaluationError, match="no variant 'other': choose one of cim, im"):
        release.evaluate_answers({}, variant="other")
    with pytest.raises(EvaluationError, match="no setting 'random': choose one of cluster, full"):
        release.evaluate_retriever(aimsciqa.Bm25(), setting="random")

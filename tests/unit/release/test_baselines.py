"""The figures of the card follow from the files of the release, and `verify` computes them again."""

import json
import shutil

import pytest

import aimsciqa
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.release.writing import write_release
from tests.evaluated_corpus import evaluated, write_evaluated_release
from tests.unit.release.test_verifying import resign

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(made_once):
    return made_once("evaluated-release", write_evaluated_release) / "release"


@pytest.fixture
def release(made, tmp_path):
    return shutil.copytree(made, tmp_path / "release")


def figures(release) -> dict[tuple, dict]:
    rows = map(json.loads, (release / "baselines" / "scores.jsonl").read_text().splitlines())
    return {
        (row["system"], row["setting"], row["split"], row["variant"], row["measure"]): row for row in rows
    }


def test_bm25_from_the_files_has_the_figures_of_the_release(made):
    release = aimsciqa.load(made)
    stated = figures(made)
    for setting in ("cluster", "full"):
        for score in release.evaluate_retriever(aimsciqa.Bm25(), setting=setting).scores:
            told = stated["bm25", setting, score.split, score.variant, score.measure]
            assert told["value"] == pytest.approx(score.value, abs=1e-9)
            assert (told["low"], told["high"], told["items"]) == (score.low, score.high, score.items)
    # Item 6 asks for vitamin D, which is another paper: BM25 has its target last of three.
    assert stated["bm25", "cluster", "dev", "im", "MAP"]["value"] == pytest.approx((1 + 1 / 3) / 2)


def test_answers_of_the_release_have_its_figures(made):
    release = aimsciqa.load(made)
    stated = figures(made)
    found = release.evaluate_answers(made / "baselines" / "answers" / "some_model.realistic.jsonl")
    for score in found.scores:
        told = stated["some model", "realistic", score.split, score.variant, score.measure]
        assert told["value"] == pytest.approx(score.value, abs=1e-9)
    # Taken from the answers' texts, not from the tables: these say 0.
    assert found.score("exact_match", "dev", "cim").value == 1.0
    assert found.score("accuracy (mean of judges)", "dev", "im").value == 0.75


def test_figures_are_of_the_released_items_alone(made):
    counted = {(row["split"], row["variant"]): row["items"] for row in figures(made).values()}
    assert counted == {("dev", "im"): 2, ("dev", "cim"): 1, ("test", "im"): 1}
    assert {key[0] for key in figures(made)} == {"bm25", "org/words", "some model"}


def test_a_run_has_no_paper_that_the_release_does_not_have(made):
    run = (made / "baselines" / "runs" / "org_words.full.trec").read_text().splitlines()
    assert [line.split()[2] for line in run if line.startswith("i2 ")] == ["P10", "P4", "P8", "P7"]


def test_an_answer_from_a_paper_that_may_not_be_passed_on_is_not_in_the_release(made):
    texts = [path.read_bytes() for path in made.rglob("*") if path.is_file()]
    assert not any(b"a sentence of a paper that may not" in text for text in texts)
    withheld = answers(made, "realistic")["i2"]
    assert (withheld["answer"], withheld["withheld"]) == (None, True)
    assert withheld["scores"]["token_f1"] == 0.25


def answers(made, setting) -> dict[str, dict]:
    rows = (made / "baselines" / "answers" / f"some_model.{setting}.jsonl").read_text().splitlines()
    return {row["item_id"]: row for row in map(json.loads, rows)}


def test_an_answer_from_the_source_alone_is_in_the_release(made):
    assert answers(made, "citation")["i3"] == {
        "item_id": "i3",
        "answer": "merged_answer of 3, from the source alone",
        "scores": {
            "bert_score": 0.5,
            "found_target": 0.0,
            "accuracy (b)": 0.5,
            "accuracy (judge-a)": 1.0,
            "accuracy (mean of judges)": 0.75,
        },
    }


@pytest.mark.parametrize(
    "edit",
    [{"question": "A better question?", "answer": None}, {"question": None, "answer": "A better answer."}],
    ids=["question", "answer"],
)
def test_answers_to_words_that_reviewers_edited_are_no_baselines(tmp_path, edit):
    corpus = evaluated()
    edited = [{"item_id": "i1"} | edit, {"item_id": "i3", "question": None, "answer": None}]
    corpus.evaluation["benchmark.review_decisions"] = [row | {"decision": "accepted"} for row in edited]
    warehouse, settings = corpus.write(tmp_path)
    made = tmp_path / "release"
    write_release(warehouse, settings, made)
    assert answers(made, "oracle").keys() == {"i2", "i3", "i6"}
    assert answers(made, "realistic").keys() == {"i2", "i3", "i6"}
    assert answers(made, "source_only").keys() == {"i6"}
    assert answers(made, "citation").keys() == {"i3"}
    run = (made / "baselines" / "runs" / "org_words.full.trec").read_text().splitlines()
    assert {line.split()[0] for line in run} == {"i1", "i2", "i3", "i6"}
    assert (
        "Reviewers edited 1 item of this release. The models were asked the words of `original`; 3 answers "
        "to these are not among the baselines."
    ) in (made / "README.md").read_text()
    assert verify(made).problems == ()


def test_without_edits_the_card_does_not_speak_of_them(made):
    assert "Reviewers edited" not in (made / "README.md").read_text()


def test_what_has_no_text_counts_as_0_and_what_was_never_asked_does_not_count(made):
    found = answers(made, "source_only")
    assert found.keys() == {"i1", "i6"}
    assert found["i1"]["scores"]["accuracy (judge-a)"] == 0.0
    told = figures(made)["some model", "source_only", "dev", "im", "accuracy (judge-a)"]
    assert (told["value"], told["items"]) == (0.5, 2)


def test_no_address_of_a_server_is_in_the_release(made):
    assert not any(b"10.0.0.1" in path.read_bytes() for path in made.rglob("*") if path.is_file())


def test_the_card_shows_the_figures_and_where_they_are_from(made):
    card = (made / "README.md").read_text()
    assert "| bm25 | cluster | dev | im | 2 | 0.500 | – | 0.667 | – |" in card
    assert "| some model | realistic | test | im | 1 | 0.500 | 0.500 | 1.000 | 0.750 | 0.250 |" in card
    assert "made on the whole corpus (titles and abstracts)" in card


def test_a_changed_run_or_answer_is_found(release):
    assert verify(release).problems == ()
    run = release / "baselines" / "runs" / "org_words.cluster.trec"
    run.write_text(run.read_text().replace("i2 Q0 P10 1 1.0", "i2 Q0 P10 3 0.1"))
    answers = release / "baselines" / "answers" / "some_model.oracle.jsonl"
    answers.write_text(answers.read_text().replace("something else", "merged_answer of 2"))
    resign(release)
    (problem,) = verify(release).problems
    # Hit@1, MRR@5 and MAP of the run; four measures of the answers.
    assert problem.startswith("baselines/scores.jsonl has other figures than follow from the baselines (7): ")


def test_changed_figures_are_found_in_the_scores_and_on_the_card(release):
    scores = release / "baselines" / "scores.jsonl"
    scores.write_text(scores.read_text().replace('"value":0.75', '"value":0.76'))
    resign(release)
    problems = verify(release).problems
    assert [problem.split(" (")[0] for problem in problems] == [
        "baselines/scores.jsonl has other figures than follow from the baselines",
        "README.md has other figures than baselines/scores.jsonl",
    ]


@pytest.mark.parametrize("name", ["index.json", "scores.jsonl", "runs/bm25.full.trec"])
def test_baselines_that_cannot_be_read_are_told(release, name):
    (release / "baselines" / name).write_text('{"task": 1}\n')
    resign(release)
    (problem,) = verify(release).problems
    assert problem.startswith("the baselines cannot be evaluated: ")


@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("beir/top_ranked/dev.trec", "i1 Q0 P1 1 1.000000 candidates"),
        ("beir/excluded/dev.tsv", "i1\tP2\t1"),
    ],
)
def test_other_candidates_are_found(release, path, row):
    lines = (release / path).read_text().splitlines()
    (release / path).write_text("\n".join([lines[0], row, *lines[2:]]) + "\n")
    resign(release)
    (problem,) = verify(release).problems
    assert problem.startswith(f"{path} differs from the Parquet files, first in row 2")

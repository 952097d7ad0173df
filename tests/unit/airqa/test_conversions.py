"""Examples made of SciDQA, M3SciQA and LitSearch: good ones, and reasons for the rest."""

import json
from functools import partial

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.airqa import score
from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
from aimsciqa_assets.airqa.examples.checks import problems_of
from aimsciqa_assets.airqa.examples.conversions import (
    NoExampleError,
    Paper,
    converted,
    of_litsearch,
    of_m3sciqa,
    of_scidqa,
)
from aimsciqa_assets.cli.airqa import airqa_app

ONE, OTHER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9", "00608f20-e3f5-5fdc-8979-4efeb0756d8e"
REVIEW = {"id": 7, "pid": "F1", "que": "Why so slow?", "ans": "A: The decoder runs twice."}
FIGURE = {
    "question": "Which dataset has the method of the steepest curve?",
    "answer": "It was made for question answering.",
    "figure": "2301.1/fig2.png",
    "anchor_arxiv_id": "2301.1",
    "reference_arxiv_id": "1906.2",
    "modal": "figure",
}
SEARCH = {"query": "Which paper prunes tokens?", "query_set": "manual_acl", "corpusids": [12]}
PAPERS = {
    "12": Paper("Tokens, pruned", "acl2023"),
    "13": Paper("Tokens, kept", "acl2023"),
    "14": Paper("Other", "iclr2024"),
    "15": Paper("Far", "cvpr2020"),
}


def test_scidqa():
    example = of_scidqa(REVIEW, {"F1": ONE})
    assert problems_of([example]) == []
    assert (example.question, example.anchor_pdf, example.tags[0]) == ("Why so slow?", [ONE], "single")
    assert example.evaluator.eval_kwargs["reference_answer"] == "A: The decoder runs twice."
    assert (
        example.uuid
        == of_scidqa(REVIEW, {"F1": ONE}).uuid
        != of_scidqa({**REVIEW, "id": 8}, {"F1": ONE}).uuid
    )
    assert score(example.evaluator_shape, "Because the decoder runs twice.", LexicalJudge()) == 1


def test_m3sciqa():
    example = of_m3sciqa(FIGURE, {"2301.1": ONE, "1906.2": OTHER})
    assert problems_of([example]) == []
    assert (example.anchor_pdf, example.reference_pdf) == ([ONE], [OTHER])
    assert example.tags == ["multiple", "text", "image", "subjective"]
    assert example.shape()["anchor_image"] == "2301.1/fig2.png"
    assert of_m3sciqa({**FIGURE, "modal": "table"}, {"2301.1": ONE, "1906.2": OTHER}).tags[2] == "table"
    assert score(example.evaluator_shape, "No idea.", LexicalJudge()) == 0


def test_litsearch():
    example = of_litsearch(SEARCH, PAPERS)
    assert problems_of([example]) == []
    assert (example.conference, example.anchor_pdf, example.annotator) == (
        ["acl2023"],
        [],
        "litsearch_manual",
    )
    assert [score(example.evaluator_shape, title) for title in ("TOKENS, pruned", "Tokens, kept")] == [1, 0]
    several = of_litsearch({**SEARCH, "corpusids": [12, 13]}, PAPERS)
    assert score(several.evaluator_shape, "Tokens, kept") == 1


@pytest.mark.parametrize(
    ("convert", "row", "reason"),
    [
        (partial(of_scidqa, papers={}), REVIEW, "there is no UUID for the paper F1"),
        (partial(of_scidqa, papers={"F1": ONE}), {**REVIEW, "ans": " "}, "ans is empty"),
        (partial(of_m3sciqa, papers={"2301.1": ONE}), FIGURE, "there is no UUID for the paper 1906.2"),
        (partial(of_litsearch, papers=PAPERS), {**SEARCH, "query_set": "inline_acl"}, "did not write"),
        (partial(of_litsearch, papers=PAPERS), {**SEARCH, "corpusids": [12, 99]}, "is not known"),
        (partial(of_litsearch, papers=PAPERS), {**SEARCH, "corpusids": []}, "is not known"),
        (partial(of_litsearch, papers=PAPERS), {**SEARCH, "corpusids": [12, 14]}, "of acl2023, iclr2024"),
        (partial(of_litsearch, papers=PAPERS), {**SEARCH, "corpusids": [15]}, "of cvpr2020"),
    ],
)
def test_rows_that_cannot_become_examples_say_why(convert, row, reason):
    with pytest.raises(NoExampleError, match=reason):
        convert(row)
    assert [number for number, _ in converted([row, row], convert).left] == [1, 2]


def test_files_are_converted(tmp_path):
    (tmp_path / "rows.csv").write_text(
        'id,pid,que,ans\n7,F1,Why so slow?,"A: The decoder, twice."\n8,F2,x,y\n'
    )
    (tmp_path / "papers.json").write_text(json.dumps({"F1": ONE}))
    words = ["convert", "scidqa", *(str(tmp_path / name) for name in ("rows.csv", "out.jsonl"))]
    words += ["--papers", str(tmp_path / "papers.json")]
    done = CliRunner().invoke(airqa_app, words)
    assert done.exit_code == 1
    assert "row 2: there is no UUID for the paper F2" in done.stderr
    (line,) = (tmp_path / "out.jsonl").read_text().splitlines()
    assert json.loads(line)["evaluator"]["eval_kwargs"]["reference_answer"] == "A: The decoder, twice."
    assert CliRunner().invoke(airqa_app, words).exit_code == 2
    assert (tmp_path / "out.jsonl").read_text() == line + "\n"
    (tmp_path / "out.jsonl").unlink()
    (tmp_path / "papers.json").write_text("[")
    assert CliRunner().invoke(airqa_app, words).exit_code == 2

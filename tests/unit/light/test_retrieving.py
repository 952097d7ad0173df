"""Every way to give a retriever, and what is said of rankings that do not fit."""

import json

import numpy as np
import pytest

import aimsciqa
from aimsciqa import EvaluationError

pytestmark = pytest.mark.slow  # the release is written first

SCORES = {
    "i1": {"P2": 3.0, "P8": 2.0, "P10": 1.0},
    "i2": {"P10": 0.9, "P4": 0.8, "P8": 0.1},
    "i3": {"P8": -1.0, "P10": -2.0, "P6": -3.0},
    "i6": {"P2": 0.5, "P8": 0.5, "P10": 0.25},
}
MRR = {"i1": 1, "i2": 1 / 2, "i3": 1 / 3, "i6": 1}


@pytest.fixture(scope="module")
def release(evaluated_release):
    return aimsciqa.load(evaluated_release)


class Indexed:
    """A retriever with an index; it ranks all papers, whatever the candidates."""

    def index(self, documents):
        self.papers = list(documents)

    def search(self, queries, candidates):
        assert candidates["i2"] == ["P10", "P4", "P8"]
        return {item: SCORES[item] | dict.fromkeys({"P1", "P5"}, 9.0) for item in queries}


def scores_in_order(query, documents):
    item = {"Which paper has iron at six months?": "i2", "Which paper is about vitamin D?": "i6"}.get(query)
    item = item or ("i3" if "night" in query else "i1")
    assert documents["P10"] == "Paper 10"
    return np.array([SCORES[item][paper] for paper in documents])


def best_first(run):
    return {item: sorted(scores, key=lambda paper: (-scores[paper], paper)) for item, scores in run.items()}


@pytest.fixture
def trec(tmp_path):
    lines = [
        f"{item} Q0 {paper} 0 {score} mine" for item, of in SCORES.items() for paper, score in of.items()
    ]
    (tmp_path / "run.trec").write_text("\n".join(reversed(lines)) + "\n\n")
    return tmp_path / "run.trec"


@pytest.fixture
def ranx_json(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(SCORES))
    return str(tmp_path / "run.json")


def test_all_ways_to_give_a_retriever_give_the_same(release, trec, ranx_json):
    ways = [SCORES, best_first(SCORES), Indexed(), scores_in_order, trec, ranx_json]
    ways.append(lambda query, documents: dict(zip(documents, scores_in_order(query, documents), strict=True)))
    for way in ways:
        found = release.evaluate_retriever(way)
        assert found.values["MAP"] == pytest.approx(MRR)
        assert found.mean("Hit@1") == 0.5


def test_scores_are_by_split_and_variant_and_items_of_one_fact_are_one_group(release):
    found = release.evaluate_retriever(SCORES)
    assert {(score.split, score.variant, score.items, score.groups) for score in found.scores} == {
        ("dev", "cim", 1, 1),
        ("dev", "im", 2, 1),
        ("test", "im", 1, 1),
    }
    assert found.score("MAP", "dev", "cim").value == pytest.approx(1 / 3)
    assert found.score("Hit@1", "dev", "im") == aimsciqa.Score("dev", "im", "Hit@1", 1.0, None, None, 2, 1)
    assert found.notes == ()
    only = release.evaluate_retriever(SCORES, split="dev", variant="im")
    assert set(only.values["Hit@1"]) == {"i1", "i6"}
    assert only.notes == ("2 rankings are for queries that were not chosen and are left out",)


def test_the_source_is_no_candidate_of_the_full_setting(release):
    run = {"i1": ["P1", "P2"], "i2": ["P3", "P10", "P4"], "i3": ["P5", "P6"], "i6": ["P1", "P8", "P2"]}
    found = release.evaluate_retriever(run, setting="full")
    assert found.values["MAP"] == {"i1": 1.0, "i2": 0.5, "i3": 1.0, "i6": 0.5}
    assert found.notes == ("4 ranked papers are no candidates of their query and are left out",)


def test_a_query_without_a_ranking_counts_as_0_and_is_told(release):
    found = release.evaluate_retriever({"i1": ["P2"], "i2": []})
    assert found.values["Hit@1"] == {"i1": 1.0, "i2": 0.0, "i3": 0.0, "i6": 0.0}
    assert found.notes == ("3 queries have no ranking and count as 0: i2, i3, i6",)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"i9": ["P2"], "q": []}, "2 query ids are not in aimsciqa-release: i9, q"),
        ({"i1": ["P2", "P99"]}, "1 document ids are not in aimsciqa-release: P99"),
        ({"i1": ["P2", "P8", "P2"]}, "The ranking of i1 has papers more than once: P2"),
        ({"i1": {"P2": float("nan")}}, "The ranking of i1 has scores that are no numbers: P2"),
        ({"i1": {"P2": float("inf")}}, "The ranking of i1 has scores that are no numbers: P2"),
        (lambda _query, _documents: [1.0], "gave 1 scores for the 3 candidates of i1"),
        (3, "A retriever is a function"),
    ],
)
def test_a_ranking_that_does_not_fit_is_told(release, run, said):
    with pytest.raises(EvaluationError, match=said):
        release.evaluate_retriever(run)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("i1 Q0 P2 1 0.5\n", "run, line 1: this is no line of a TREC run"),
        ("i1 Q0 P2 1 0.5 me\ni1 Q0 P8 2 high me\n", "run, line 2: this is no line of a TREC run"),
        ("i1 Q0 P2 1 nan me\n", "line 1"),
        ("i1 Q0 P8 1 0.5 me\ni1 Q0 P2 1 inf me\n", "line 2"),
        ("i1 Q0 P2 1 -Infinity me\n", "line 1"),
        ("i1 Q0 P2 1 1e999 me\n", "line 1"),
        ("i1 Q0 P2 1 0.5 m\udce9\n", r"run, line 1: it is not UTF-8 \(byte 17\)"),
        ("i1 Q0 P2 1 0.5 me\ni1 Q0 P2 2 0.4 me\n", "ranks 1 documents twice: P2 of i1"),
    ],
)
def test_a_broken_run_file_is_told(release, tmp_path, text, said):
    (tmp_path / "run").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(EvaluationError, match=said):
        release.evaluate_retriever(tmp_path / "run")


def test_a_missing_file_and_broken_json_are_told(release, tmp_path):
    with pytest.raises(EvaluationError, match="cannot be read"):
        release.evaluate_retriever(tmp_path / "none")
    (tmp_path / "run.json").write_text('{"i1": ["P2"]}')
    with pytest.raises(EvaluationError, match="is no run: a JSON file holds"):
        release.evaluate_retriever(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"i1": {"P2": NaN}}', "is no run: NaN is not a finite number"),
        ('{"i1": {"P2": 1, "P8": -Infinity}}', "is no run: -Infinity is not a finite number"),
        ('{"i1": {"P2": "nan"}}', "is no run: nan is not a finite number"),
        (f'{{"i1": {{"P2": {10**400}}}}}', "is no run: 1000.* is not a finite number"),
        ('{"i1": {"P2": 1}, "i1": {"P8": 1}}', "is no run: an object has the key 'i1' twice"),
        ('{"i1": {"P2": 1, "P2": 2}}', "is no run: an object has the key 'P2' twice"),
    ],
)
def test_a_json_run_has_finite_scores_and_names_each_query_once(release, tmp_path, text, said):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(EvaluationError, match=said):
        release.evaluate_retriever(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.trec", b"\xef\xbb\xbfi1 Q0 P8 1 0.5 me\r\ni1 Q0 P2 2 0.4 me"),
        ("run.json", b'\xef\xbb\xbf{"i1": {"P8": 0.5, "P2": 0.4}}'),
    ],
)
def test_a_run_may_begin_with_a_byte_order_mark(release, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    expected = release.evaluate_retriever({"i1": ["P8", "P2"]})
    assert release.evaluate_retriever(tmp_path / name) == expected


def test_equal_scores_of_a_file_go_by_its_ranks_then_by_id(release, tmp_path):
    (tmp_path / "run").write_text("i1 Q0 P8 2 1 a\ni1 Q0 P2 1 1 a\ni6 Q0 P8 0 1 a\ni6 Q0 P2 0 1 a\n")
    found = release.evaluate_retriever(tmp_path / "run", split="dev", variant="im")
    assert found.values["MAP"] == {"i1": 1.0, "i6": 1.0}


def test_the_table_and_the_json_say_the_same(release):
    found = release.evaluate_retriever(SCORES, split="test")
    lines = str(found).splitlines()
    assert lines[0] == "retrieval, cluster"
    assert lines[3].split() == ["test", "im", "1", "Hit@1", "0.000", "–"]
    told = json.loads(found.as_json())
    assert told["scores"][0] == {
        "split": "test",
        "variant": "im",
        "measure": "Hit@1",
        "value": 0.0,
        "low": None,
        "high": None,
        "items": 1,
        "groups": 1,
    }
    assert max(map(len, lines)) <= 80

"""What determines rows: its hashes, and the difference of two in plain words."""

from dataclasses import replace

import pytest

from aimsciqa_assets.platform.determinants import Determinants, digest

THEN = Determinants(
    code="1",
    prompt="abc",
    asks="single_hop",
    settings={"relations": {"relations_per_source": 3, "tau": 0.3}, "benchmark.split": "all"},
    services={"encoder": ["words", "1"], "language_model": ["small", "r1", ""]},
    inputs={"corpus.papers": {"batch-0001": "p1"}},
    across={"corpus.keywords": {"batch-0001": "k1"}, "corpus.source_papers": {"": "s1"}},
    seen=frozenset({"batch-0001"}),
)


def why(now: Determinants, then: Determinants = THEN) -> list[str]:
    return now.differences(then.record("t", "batch-0001", 1))


def test_the_digest_is_the_same_for_every_order_of_keys():
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_the_hashes_are_those_of_earlier_versions():
    """Rows of earlier homes count as made: no model is asked again."""
    settings = {"relations": {"relations_per_source": 3, "tau": 0.3}, "benchmark.split": "all"}
    services = {"encoder": ["words", "1"], "language_model": ["small", "r1", ""]}
    inputs = {"corpus.papers": {"batch-0001": "p1"}}
    own = digest({"code": "1+abc", "settings": settings, "services": services, "inputs": inputs})
    assert THEN.own == own == "dd6e544ebfaa4a849d8b3e0ed23a1f47"
    across = {"corpus.keywords": {"batch-0001": "k1"}, "corpus.source_papers": {"": "s1"}}
    assert THEN.fingerprint == digest({"own": own, "across": across}) == "793daf4fe0b28cfc50ba53e25650e92f"
    assert THEN.inputs_digest == digest(inputs) == "4a4b2dd15f3b8451214af95f594b269d"
    lacking = replace(THEN, unanswered=("k",))
    assert lacking.own == digest({"of": own, "unanswered": ["k"]})
    assert lacking.fingerprint == digest({"of": THEN.fingerprint, "unanswered": ["k"]})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"code": "2"}, "the code of the step was version 1, is 2"),
        ({"prompt": "xyz"}, "prompt single_hop changed"),
        (
            {"settings": {"relations": {"relations_per_source": 4, "tau": 0.3}, "benchmark.split": "all"}},
            "setting relations.relations_per_source was 3, is 4",
        ),
        (
            {"settings": {"relations": {"relations_per_source": 3, "tau": 0.3}, "benchmark.split": ""}},
            "setting benchmark.split was all, is empty",
        ),
        (
            {"settings": {**THEN.settings, "benchmark.seed": 7}},
            "setting benchmark.seed is new: 7",
        ),
        (
            {"services": {"encoder": ["words", "1"], "language_model": ["large", "r1", ""]}},
            "model was small, is large",
        ),
        (
            {"services": {"encoder": ["words", "2"], "language_model": ["small", "r1", ""]}},
            "revision of encoder words was 1, is 2",
        ),
        (
            {"services": {"encoder": ["words", "1"], "language_model": ["small", "r1", "t=1"]}},
            "sampling of model small was empty, is t=1",
        ),
        ({"inputs": {"corpus.papers": {"batch-0001": "p2"}}}, "corpus.papers was made anew"),
        (
            {"inputs": {**THEN.inputs, "corpus.corrections": {"batch-0001": "c1"}}},
            "corpus.corrections was made anew",
        ),
        (
            {"across": {"corpus.keywords": {"batch-0001": "k2"}, "corpus.source_papers": {"": "s1"}}},
            "corpus.keywords was made anew",
        ),
    ],
)
def test_each_change_is_told_by_name(change, reason):
    assert why(replace(THEN, **change)) == [reason]


def test_a_new_batch_is_told_once_and_not_by_every_table_that_grew_with_it():
    grown = replace(
        THEN,
        across={
            "corpus.keywords": {"batch-0001": "k1", "batch-0002": "k2"},
            "corpus.source_papers": {"": "s2"},
        },
        seen=frozenset({"batch-0001", "batch-0002"}),
    )
    assert why(grown) == ["batch-0002 is new"]
    assert why(THEN, grown) == [
        "batch-0002 is gone",
        "corpus.keywords was made anew",
        "corpus.source_papers was made anew",
    ]


def test_many_new_parts_are_counted():
    batches = {f"batch-{number:04}": "p" for number in range(1, 9)}
    assert why(replace(THEN, inputs={"corpus.papers": {**batches, "batch-0001": "p1"}})) == [
        "batch-0002, batch-0003, batch-0004 and 4 more are new"
    ]


def test_requests_without_a_reply_are_told():
    assert why(THEN, replace(THEN, unanswered=("k1", "k2"))) == ["2 requests had no reply"]


def test_what_may_hold_a_secret_is_told_without_its_value():
    then = replace(THEN, settings={"judge_model": {"base_url": "http://:key@host/v1", "name": "m"}})
    now = replace(THEN, settings={"judge_model": {"base_url": "http://:other@host/v1", "name": "m"}})
    assert "key@" not in then.to_json()
    assert why(now, then) == ["setting judge_model.base_url changed"]


def test_a_record_of_an_earlier_version_says_what_it_can():
    early = replace(THEN.record("t", "batch-0001", 1), determinants="")
    assert THEN.differences(early) == [
        "something changed since an earlier version of this program made its rows"
    ]
    other = replace(THEN, inputs={"corpus.papers": {"batch-0001": "p2"}})
    assert other.differences(early) == [
        "what it reads was made anew since an earlier version of this program made its rows"
    ]

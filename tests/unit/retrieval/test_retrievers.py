import json
import math

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from aimsciqa.bm25 import Bm25Retriever, ScoredSearch
from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval import cosines
from aimsciqa_assets.retrieval.notation import RetrieverNotationError, parse
from aimsciqa_assets.retrieval.opening import Opening
from aimsciqa_assets.retrieval.retrievers import (
    EmbeddingRetriever,
    FusedRetriever,
    RerankedRetriever,
)
from aimsciqa_assets.settings.benchmark import BenchmarkSettings
from tests.embedding_endpoint import EmbeddingEndpoint
from tests.fakes import WordEncoder

TEXTS = {
    "A": ["Cord clamping and iron stores of infants"],
    "B": ["Sleep duration and blood pressure"],
    "C": ["Iron in the diet", "Wild boars digging up gardens"],
    "D": ["Sleep duration and blood pressure"],
}
DOCUMENTS = Documents.of(TEXTS)
ALL = np.arange(4)


class Fixed:
    """A retriever with given scores, the same for every query."""

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def search(self, queries):
        return ScoredSearch(np.array([self._scores] * len(queries)))


class LongerIsBetter:
    """A cross-encoder that counts letters."""

    def __init__(self) -> None:
        self.read = 0

    def scores(self, query, documents):
        self.read += len(documents)
        return np.array([float(len(document)) for document in documents])


def papers(ranked) -> str:
    return "".join(DOCUMENTS.papers[place] for place in ranked.papers)


def found(retriever, query: str, candidates=ALL) -> str:
    return papers(retriever.search([query]).ranked(0, candidates))


def test_bm25_finds_the_words_of_the_query_in_any_form_and_breaks_ties_by_id():
    bm25 = Bm25Retriever(DOCUMENTS)
    assert found(bm25, "Which paper is about the clamp of an infant's cord?") == "ABCD"
    assert found(bm25, "Which paper is about gardening and a wild boar?") == "CABD"
    assert found(bm25, "Does sleeping raise the pressure?") == "BDAC"


@pytest.mark.parametrize("query", ["", "of the", "xyzzy"])
def test_bm25_knows_nothing_of_a_query_without_a_known_word(query):
    ranked = Bm25Retriever(DOCUMENTS).search([query]).ranked(0, ALL)
    assert (papers(ranked), ranked.scores.tolist()) == ("ABCD", [0, 0, 0, 0])


def test_bm25_over_documents_without_words():
    assert found(Bm25Retriever(Documents.of({"A": ["of the"], "B": ["-"]})), "zinc", np.arange(2)) == "AB"


def test_an_encoder_ranks_by_cosine_and_equal_texts_by_id():
    encoder = EmbeddingRetriever(DOCUMENTS, WordEncoder(), "words")
    ranked = encoder.search(["sleep duration and blood pressure", "iron in the diet"]).ranked(0, ALL)
    assert papers(ranked)[:2] == "BD"
    assert ranked.scores[:2].tolist() == [1.0, 1.0]
    assert found(encoder, "iron in the diet", np.array([1, 2])) == "CB"


class FixedEncoder:
    """An encoder with given unit vectors, whatever the texts."""

    def __init__(self, queries: np.ndarray, documents: np.ndarray) -> None:
        self._queries, self._documents = queries, documents

    def encode_queries(self, texts):
        return self._queries

    def encode_documents(self, texts, progress=None):
        return self._documents


def of_unit_length(seed: int, rows: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, 384)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("at_once", [8192, 7])
def test_scores_and_ranks_are_the_same_whatever_the_number_of_threads(monkeypatch, at_once):
    monkeypatch.setattr(cosines, "_WIDENED_AT_ONCE", at_once)
    queries, vectors = of_unit_length(1, 44), of_unit_length(2, 300)
    documents = Documents.of({f"P{number:03}": ["text"] for number in range(300)})
    encoder = EmbeddingRetriever(documents, FixedEncoder(queries, vectors), "fixed")
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            search = encoder.search(["q"] * 44)
            found.append([search.ranked(query, np.arange(300)) for query in range(44)])
    for one, two in zip(*found, strict=True):
        assert one.papers.tolist() == two.papers.tolist()
        assert one.scores.tolist() == two.scores.tolist()
    # The exact sum, rounded.
    best = found[0][0]
    assert best.scores[0] == round(
        math.fsum(float(a) * float(b) for a, b in zip(queries[0], vectors[best.papers[0]], strict=True)), 6
    )


def test_ranks_are_fused_by_hand():
    fused = FusedRetriever([Fixed(4, 3, 2, 1), Fixed(1, 4, 2, 3)])
    ranked = fused.search(["q"]).ranked(0, ALL)
    # A: ranks 1 and 4, B: 2 and 1, C: 3 and 3, D: 4 and 2.
    expected = {"B": 1 / 62 + 1 / 61, "A": 1 / 61 + 1 / 64, "D": 1 / 64 + 1 / 62, "C": 1 / 63 + 1 / 63}
    assert papers(ranked) == "BADC"
    assert ranked.scores == pytest.approx([expected[paper] for paper in "BADC"], abs=1e-12)


def test_ranks_are_fused_among_the_candidates_and_ties_go_by_id():
    # Among C and D, each is first once.
    ranked = FusedRetriever([Fixed(4, 3, 2, 1), Fixed(1, 4, 2, 3)]).search(["q"]).ranked(0, np.array([2, 3]))
    assert papers(ranked) == "CD"
    assert ranked.scores[0] == ranked.scores[1]


def test_a_cross_encoder_reorders_the_first_papers_by_their_best_passage_and_reads_each_once():
    longer = LongerIsBetter()
    reranked = RerankedRetriever(Fixed(1, 4, 3, 2), longer, DOCUMENTS, depth=2)
    search = reranked.search(["q"])
    ranked = search.ranked(0, ALL)
    assert papers(ranked) == "BCDA"
    assert ranked.scores.tolist()[:2] == [33, 29]
    assert np.isnan(ranked.scores[2:]).all()
    assert longer.read == 3
    assert papers(search.ranked(0, np.array([0, 2]))) == "AC"
    assert longer.read == 4


@pytest.mark.parametrize("name", ["bm25", "words", "bm25+words"])
def test_a_written_retriever_opens_and_the_pipelines_encoder_is_used_again(name):
    opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings())
    assert found(opening.open(parse(name)), "cord clamping and iron stores of infants")[0] == "A"


@pytest.mark.parametrize(
    ("written", "expected"), [("bm25", "C"), ("words", "CBDA"), ("words+bm25", "CBD"), ("bm25+words", "CBD")]
)
def test_a_written_coarse_search_opens(written, expected):
    opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings())
    coarse = opening.coarse(parse(written), "default")
    assert "".join(hit.document_id for hit in coarse.search(["wild boars digging"], 4)[0]) == expected
    whole = WordEncoder().encode(["Iron in the diet\nWild boars digging up gardens"])
    assert np.array_equal(coarse.vectors(["C"]), whole)


def test_a_coarse_search_is_fused_as_told_and_reorders_nothing():
    opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings())
    found = opening.coarse(parse("bm25+words"), "rrf").search(["sleep duration"], 2)[0]
    assert [(hit.document_id, hit.score) for hit in found] == [
        ("B", pytest.approx(1)),
        ("D", pytest.approx(60 / 61)),
    ]
    with pytest.raises(RetrieverNotationError, match="leave out what follows >"):
        opening.coarse(parse("bm25>any/model"))


def test_a_cross_encoder_reorders_as_many_papers_as_the_settings_say(monkeypatch):
    monkeypatch.setattr("aimsciqa_assets.retrieval.opening.CrossEncoderModel", lambda _name: LongerIsBetter())
    for depth in (1, 3):
        opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings(rerank_depth=depth))
        ranked = opening.open(parse("bm25>any/model")).search(["iron"]).ranked(0, ALL)
        assert np.count_nonzero(~np.isnan(ranked.scores)) == depth


def test_a_served_encoder_is_asked_at_its_address(monkeypatch):
    monkeypatch.setenv("EMBEDDING_KEY", "k")
    with EmbeddingEndpoint() as endpoint:
        settings = BenchmarkSettings(
            embedding_base_url=endpoint.url, embedding_api_key_variable="EMBEDDING_KEY"
        )
        opening = Opening(DOCUMENTS, WordEncoder(), settings)
        assert found(opening.open(parse("server:w")), "wild boars digging up gardens")[0] == "C"
    assert {asked.headers["authorization"] for asked in endpoint.asked} == {"Bearer k"}
    assert {asked.body["model"] for asked in endpoint.asked} == {"w"}


def test_a_coarse_search_asks_a_served_encoder_for_documents_once():
    with EmbeddingEndpoint() as endpoint:
        settings = BenchmarkSettings(embedding_base_url=endpoint.url)
        coarse = Opening(DOCUMENTS, WordEncoder(), settings).coarse(parse("server:w"))
        found = coarse.search(["wild boars digging up gardens", "iron in the diet"], 1)
        assert [hit.document_id for hits in found for hit in hits] == ["C", "C"]
        assert np.linalg.norm(coarse.vectors(["A", "B"]), axis=1) == pytest.approx(1)
    # Two of the four documents have the same text.
    assert [len(asked.body["input"]) for asked in endpoint.asked] == [3, 2]


def test_a_served_encoder_needs_an_address():
    opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings())
    with pytest.raises(RetrieverNotationError, match="AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"):
        opening.open(parse("bm25+server:w"))


def test_a_served_model_of_table_6_is_asked_with_its_words_before_the_texts():
    with EmbeddingEndpoint() as endpoint:
        opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings(embedding_base_url=endpoint.url))
        found(opening.open(parse("voyage-3-large")), "iron")
    texts = [text for asked in endpoint.asked for text in asked.body["input"]]
    assert {text.partition(":")[0] for text in texts} == {
        "Represent the query for retrieving supporting documents",
        "Represent the document for retrieval",
    }


def test_two_providers_are_asked_at_once_each_with_its_own_key_and_a_third_with_none(monkeypatch):
    for name in ("ONE_KEY", "TWO_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, f"the {name}".replace(" ", "-"))
    with EmbeddingEndpoint() as one, EmbeddingEndpoint() as two, EmbeddingEndpoint() as three:
        models = {
            "text-embedding-ada-002": {"base_url": one.url, "api_key_variable": "ONE_KEY"},
            "voyage-3-large": {"base_url": two.url, "api_key_variable": "TWO_KEY"},
            "mine": {"base_url": three.url},
        }
        settings = BenchmarkSettings(retriever_models=json.dumps(models))
        opening = Opening(DOCUMENTS, WordEncoder(), settings)
        found(opening.open(parse("text-embedding-ada-002+voyage-3-large+mine")), "iron in the diet")
        asked = [
            {(seen.headers["authorization"], seen.body["model"]) for seen in server.asked}
            for server in (one, two, three)
        ]
    assert asked == [
        {("Bearer the-ONE_KEY", "text-embedding-ada-002")},
        {("Bearer the-TWO_KEY", "voyage-3-large")},
        {("Bearer none", "mine")},
    ]


def test_the_precision_of_a_retriever_is_its_own_or_that_of_all():
    models = '{"mine": {"model": "a/b", "precision": "float32"}}'
    settings = BenchmarkSettings(retriever_models=models, retriever_precision="bfloat16")
    opening = Opening(DOCUMENTS, WordEncoder(), settings)
    assert opening.open(parse("mine"))._encoder.precision == "float32"
    assert opening.open(parse("e5-mistral-7b-instruct"))._encoder.precision == "bfloat16"
    plain = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings())
    assert plain.open(parse("e5-mistral-7b-instruct"))._encoder.precision == "float32"


def test_an_encoder_gets_revision_and_words_from_table_6_or_the_settings():
    added = '{"mine": {"model": "a/b", "revision": "r1", "query_prefix": "q: "}}'
    opening = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings(retriever_models=added))

    def encoder(name):
        made = opening.open(parse(name))._encoder
        return made.model, made.model_revision, made.prefixes, made.trust_remote_code

    assert encoder("mine") == ("a/b", "r1", {"query": "q: "}, False)
    assert encoder("e5-base-v2")[2] == {"query": "query: ", "document": "passage: "}
    assert encoder("x/y") == ("x/y", "", {}, False)


@pytest.mark.parametrize("name", ["jina-v2-base-en", "jinaai/jina-embeddings-v2-base-en", "bm25+gritlm-7b"])
def test_code_of_others_runs_only_where_the_settings_trust_it(name):
    with pytest.raises(RetrieverNotationError, match="AIMSCIQA_BENCHMARK_TRUST_REMOTE_CODE=true"):
        Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings()).open(parse(name))
    trusting = Opening(DOCUMENTS, WordEncoder(), BenchmarkSettings(trust_remote_code=True))
    made = trusting.open(parse(name))
    assert "+" in name or made._encoder.trust_remote_code


def test_bm25_says_nothing_of_its_own(caplog):
    caplog.set_level("DEBUG")
    Bm25Retriever(DOCUMENTS).search(["zinc"])
    assert [record for record in caplog.records if record.name.startswith("bm25s")] == []

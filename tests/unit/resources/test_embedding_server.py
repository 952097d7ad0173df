import numpy as np
import pytest
from aimsciqa_resources.embedding_server import EmbeddingServer
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aiohttp import web

from tests.embedding_endpoint import EmbeddingEndpoint
from tests.fakes import WordEncoder
from tests.model_server.steps import api_error

KEY = "sk-abcdefgh12345678"


def client(endpoint: EmbeddingEndpoint, waits: list[float] | None = None, **environment) -> EmbeddingServer:
    waited = waits if waits is not None else []
    return EmbeddingServer("words", endpoint.url, "THE_KEY", environment or {"THE_KEY": KEY}, waited.append)


def failing(status: int, times: int, **headers: str):
    def plan(asked):
        if asked.number >= times:
            return None
        return web.json_response(api_error(status, f"no, {KEY}"), status=status, headers=headers)

    return plan


def test_vectors_have_unit_length_and_the_order_of_the_texts_whatever_the_requests():
    texts = [f"paper {number} zinc" for number in range(150)] + ["paper 3 zinc"]
    done = []
    with EmbeddingEndpoint() as endpoint:
        vectors = client(endpoint).encode_documents(texts, done.append)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, WordEncoder().encode(texts), atol=1e-6)
    assert sorted(len(asked.body["input"]) for asked in endpoint.asked) == [22, 64, 64]
    assert sum(done) == 151


def test_the_request_names_the_model_and_carries_the_key_of_the_variable():
    with EmbeddingEndpoint() as endpoint:
        client(endpoint).encode_queries(["which paper?"])
    (asked,) = endpoint.asked
    assert asked.body == {"model": "words", "input": ["which paper?"], "encoding_format": "float"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_what_stands_before_queries_and_documents_is_sent_with_them():
    with EmbeddingEndpoint() as endpoint:
        encoder = EmbeddingServer(
            "words", endpoint.url, "THE_KEY", {}, query_prefix="query: ", document_prefix="passage: "
        )
        vectors = encoder.encode_queries(["zinc"])
        encoder.encode_documents(["iron"])
    assert [asked.body["input"] for asked in endpoint.asked] == [["query: zinc"], ["passage: iron"]]
    assert np.allclose(vectors, WordEncoder().encode(["query: zinc"]), atol=1e-6)


def test_a_server_that_knows_no_encoding_format_is_asked_without_one_and_that_is_learned():
    def plan(asked):
        message = "Value 'float' provided for argument 'encoding_format' is not valid."
        return (
            web.json_response(api_error(400, message), status=400)
            if "encoding_format" in asked.body
            else None
        )

    with EmbeddingEndpoint(plan=plan) as endpoint:
        encoder = client(endpoint)
        assert encoder.encode_queries(["zinc"]).shape == encoder.encode_queries(["iron"]).shape
    assert ["encoding_format" in asked.body for asked in endpoint.asked] == [True, False, False]


def test_no_texts_are_no_request():
    with EmbeddingEndpoint() as endpoint:
        assert client(endpoint).encode_queries([]).shape == (0, 0)
    assert endpoint.asked == []


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks():
    waits = []
    with EmbeddingEndpoint(failing(429, 2, **{"Retry-After": "7"})) as endpoint:
        client(endpoint, waits).encode_queries(["zinc"])
    assert len(waits) == 2
    assert all(7 <= wait <= 7.7 for wait in waits)


def test_a_failing_server_is_asked_again_after_longer_and_longer_waits():
    waits = []
    with EmbeddingEndpoint(failing(500, 4)) as endpoint:
        client(endpoint, waits).encode_queries(["zinc"])
    assert [0.5 <= wait / 2**attempt <= 1 for attempt, wait in enumerate(waits)] == [True] * 4


def test_a_server_that_goes_on_failing_is_unavailable():
    with (
        EmbeddingEndpoint(failing(500, 99)) as endpoint,
        pytest.raises(ModelUnavailableError, match=r"8 attempts \(http_500: no, \[key\]\)"),
    ):
        client(endpoint).encode_queries(["zinc"])
    assert len(endpoint.asked) == 8


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "THE_KEY"),
        (403, "THE_KEY"),
        (404, "AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"),
        (400, "does not take"),
    ],
)
def test_what_no_other_attempt_would_mend_is_refused_at_once_without_showing_the_key(status, said):
    with (
        EmbeddingEndpoint(failing(status, 99)) as endpoint,
        pytest.raises(ModelRefusedError, match=said) as refused,
    ):
        client(endpoint).encode_queries(["zinc"])
    assert len(endpoint.asked) == 1
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1, [2]]}]}',
    ],
)
def test_an_answer_that_holds_no_vectors_is_asked_for_again(body):
    def plan(asked):
        return web.Response(body=body, content_type="application/json") if asked.number == 0 else None

    with EmbeddingEndpoint(plan) as endpoint:
        assert client(endpoint).encode_queries(["zinc"]).shape == (1, WordEncoder.dimension)
    assert len(endpoint.asked) == 2


def test_nobody_at_the_address_is_unavailable():
    nobody = EmbeddingServer("words", "http://127.0.0.1:1/v1", "THE_KEY", {}, lambda _seconds: None)
    with pytest.raises(ModelUnavailableError, match="connection"):
        nobody.encode_queries(["zinc"])


def test_a_key_that_cannot_be_sent_is_refused():
    with EmbeddingEndpoint() as endpoint, pytest.raises(ModelRefusedError, match="THE_KEY"):
        client(endpoint, THE_KEY="schlüssel").encode_queries(["zinc"])

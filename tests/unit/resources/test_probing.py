"""What servers answer before a run: those that are up, down or silent, and those that lack the model."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from aimsciqa_resources.language_model import probing
from aimsciqa_resources.language_model.probing import Answer, Service, answers_of

from tests.embedding_endpoint import EmbeddingEndpoint
from tests.loopback import FixedReplies
from tests.model_server import ModelServer

MODELS, CHAT, EMBEDDINGS = "GET /v1/models", "POST /v1/chat/completions", "POST /v1/embeddings"
EMPTY = (400, {"error": {"message": "Invalid 'messages': empty array."}})
NO_ROUTE = (404, {"detail": "Not Found"})
PAGE = (200, "<!doctype html><title>A server</title>")


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A busy machine makes no server slow."""
    monkeypatch.setattr(probing, "_SECONDS", 30.0)


def listed(*names: str, **more: object) -> tuple[int, dict]:
    return 200, {"object": "list", "data": [{"id": name, "object": "model", **more} for name in names]}


def answer_of(service: Service) -> Answer:
    return answers_of([service])[service]


def trouble_of(replies: dict[str, tuple[int, object]], model: str = "qwen-small", path: str = "/v1") -> str:
    with FixedReplies(replies) as server:
        return answer_of(Service(server.origin + path, model)).trouble


def address_of(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return address_of(closed)


@contextmanager
def silent() -> Iterator[str]:
    """A server whose connections come about, and to which nobody attends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield address_of(listening)


@contextmanager
def full() -> Iterator[str]:
    """A server whose queue of connections is full: the next one never comes about."""
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield address_of(listening)


def test_an_address_where_nobody_listens_is_told_with_the_reason():
    with ModelServer() as server:
        up, down = Service(server.url, "m"), Service(nobody(), "m")
        answers = answers_of([up, down, down])
    assert list(answers) == [up, down]
    assert answers[up].trouble == ""
    assert answers[down].trouble == "down"
    assert "refused" in answers[down].reason


def test_no_server_is_asked_where_none_is_named():
    assert answers_of([]) == {}


def test_a_connection_that_never_comes_about_is_a_server_that_is_down(monkeypatch):
    monkeypatch.setattr(probing, "_SECONDS", 0.5)
    with full() as address:
        assert answer_of(Service(address, "m")) == Answer("down", "no connection within 0.5 s")


def test_a_server_that_accepts_and_never_answers_is_not_down(monkeypatch):
    monkeypatch.setattr(probing, "_SECONDS", 0.5)
    with silent() as address:
        reason = "it accepts connections, and did not answer within 0.5 s"
        assert answer_of(Service(address, "m")) == Answer("slow", reason)


@pytest.mark.parametrize(
    ("model", "models"),
    [
        ("qwen-small", listed("llama-3", "qwen-small")),
        ("qwen3", listed("llama3:latest", "qwen3:latest")),
        ("meta-llama/Llama-3.1-8B:free", listed("meta-llama/Llama-3.1-8B", "openai/gpt-5")),
        ("openai/gpt-5", listed("openai/*", "anthropic/*")),
        ("mistral-large-latest", listed("mistral-large-2407", "x", aliases=["mistral-large-latest"])),
        ("qwen-small", (200, [{"id": "qwen-small"}, {"id": "llama-3"}])),
    ],
)
def test_a_list_that_has_the_model_by_any_of_its_names_is_enough(model, models):
    with FixedReplies({MODELS: models}) as server:
        assert answer_of(Service(f"{server.origin}/v1", model)).trouble == ""
    assert server.asked == [MODELS]


@pytest.mark.parametrize(
    ("model", "replies"),
    [
        # llama.cpp and TGI serve one model under any name.
        ("tgi", {MODELS: listed("/models/llama-3.gguf"), CHAT: EMPTY}),
        ("llama", {MODELS: listed("/models/llama-3.gguf"), CHAT: (200, {"choices": []})}),
        # A gateway takes a name without its provider.
        ("gpt-5", {MODELS: listed("openai/gpt-5", "openai/gpt-5-mini"), CHAT: EMPTY}),
        ("models/gemini-3", {MODELS: listed("gemini-3", "gemini-3-pro"), CHAT: EMPTY}),
        # The server describes what its list leaves out.
        ("opus", {MODELS: listed("opus-20250101", "x"), "GET /v1/models/opus": (200, {"id": "opus-2025"})}),
        # A list of what may be deployed does not name the deployments.
        ("mine", {MODELS: listed("gpt-4o", "gpt-5", lifecycle_status="preview"), CHAT: EMPTY}),
        # No list, and chat works.
        ("qwen-small", {MODELS: (405, {"detail": "Method Not Allowed"}), CHAT: EMPTY}),
        ("qwen-small", {CHAT: EMPTY}),
        ("qwen-small", {CHAT: (422, {"detail": [{"loc": ["body", "messages"], "input": []}]})}),
        ("qwen-small", {MODELS: PAGE, CHAT: (200, {"choices": [{"message": {"content": "Hi"}}]})}),
        ("qwen-small", {MODELS: (200, {"object": "list", "data": []}), CHAT: EMPTY}),
        # A key that may chat and may not list models.
        ("qwen-small", {MODELS: (403, {"error": "Missing scopes: api.model.read"}), CHAT: EMPTY}),
        # A server that is starting, or busy.
        ("qwen-small", {MODELS: (503, {"error": "Loading model"})}),
        ("qwen-small", {MODELS: (429, {"error": "Slow down."})}),
    ],
)
def test_a_server_is_not_refused_where_it_may_serve_the_model(model, replies):
    assert trouble_of(replies, model) == ""


@pytest.mark.parametrize(
    ("model", "replies"),
    [
        ("qwen-smal", {MODELS: listed("qwen-small", "llama-3")}),
        ("qwen-smal", {MODELS: listed("qwen-small")}),
        ("Qwen2.5-7B", {MODELS: listed("Qwen/Qwen2.5-7B", owned_by="vllm"), CHAT: EMPTY}),
        ("gpt-5", {MODELS: listed("openai/gpt-5"), CHAT: (400, {"error": "gpt-5 is not a valid model ID"})}),
        ("qwen3:8b", {MODELS: listed("qwen3:latest", "llama3:latest"), CHAT: EMPTY}),
        ("qwen3", {CHAT: (404, {"error": {"message": 'model "qwen3" not found, try pulling it first'}})}),
        (
            "qwen/a-7b",
            {MODELS: listed("Qwen/A-7B", "b"), CHAT: (404, {"error": "Model qwen/a-7b not found"})},
        ),
        ("x", {CHAT: (400, {"error": {"message": "Invalid model name passed in model=x"}})}),
        ("y-7b", {MODELS: (200, {"models": [{"name": "a"}]}), CHAT: (404, {"error": "y-7b is not here"})}),
        ("qwen3", {MODELS: (200, {"data": []}), CHAT: (404, {"error": "The model `qwen3` does not exist."})}),
    ],
)
def test_a_model_that_a_server_does_not_have(model, replies):
    assert trouble_of(replies, model) == "model"


@pytest.mark.parametrize(
    ("path", "replies", "better"),
    [
        ("", {MODELS: listed("qwen-small"), CHAT: EMPTY}, "/v1"),
        ("", {"GET /models": PAGE, "POST /chat/completions": (405, ""), MODELS: listed("qwen-small")}, "/v1"),
        ("", {"GET /models": PAGE, "POST /chat/completions": PAGE, MODELS: listed("other")}, "/v1"),
        (
            "",
            {
                "GET /models": (200, {"error": "Unexpected endpoint."}),
                "POST /chat/completions": (200, {"error": "Unexpected endpoint."}),
                MODELS: listed("qwen-small"),
            },
            "/v1",
        ),
        ("", {"GET /api/v1/models": listed("qwen-small")}, "/api/v1"),
        ("/v1/chat/completions", {MODELS: listed("qwen-small"), CHAT: EMPTY}, "/v1"),
        ("", {MODELS: (401, {"error": "who are you?"})}, "/v1"),
        ("/v1/v1", {MODELS: listed("qwen-small"), CHAT: EMPTY}, "/v1"),
        ("/v1/models", {MODELS: listed("qwen-small", "other"), CHAT: EMPTY}, "/v1"),
        ("/v1", {}, ""),
    ],
)
def test_an_address_where_no_api_is(path, replies, better):
    with FixedReplies(replies) as server:
        answer = answer_of(Service(server.origin + path, "qwen-small"))
    assert (answer.trouble, answer.better) == ("address", better and server.origin + better)


def test_a_redirect_to_another_origin_is_not_followed():
    with (
        ModelServer() as server,
        FixedReplies({MODELS: (302, "")}, headers={"Location": f"{server.url}/models"}) as moved,
    ):
        answer = answer_of(Service(f"{moved.origin}/v1", "m"))
    assert answer.trouble == "address"
    assert answer.reason.startswith(f"it redirects to {server.origin}, which is another origin")


@pytest.mark.parametrize(
    ("key", "trouble"), [("", "key"), ("wrong", "key"), ("schlüssel", "key"), ("sesame", "")]
)
def test_a_key_is_sent_and_must_be_accepted(key, trouble):
    with FixedReplies({MODELS: listed("qwen-small")}, key="sesame") as server:
        assert answer_of(Service(f"{server.origin}/v1", "qwen-small", key)).trouble == trouble


@pytest.mark.parametrize(
    ("replies", "trouble"),
    [
        ({MODELS: listed("e5"), EMBEDDINGS: NO_ROUTE}, ""),
        ({MODELS: listed("llama-3", "qwen-small"), EMBEDDINGS: (400, {"error": "input is empty"})}, ""),
        ({EMBEDDINGS: (413, {"error": "batch size 0"})}, ""),
        ({EMBEDDINGS: (200, {"data": []})}, ""),
        ({MODELS: listed("e5-large", owned_by="vllm"), EMBEDDINGS: (404, {"error": "no model e5"})}, "model"),
        ({EMBEDDINGS: (401, {"error": "who are you?"})}, "key"),
        ({"POST /embeddings": (200, {"data": []})}, "address"),
    ],
)
def test_embedding_servers_are_asked_for_vectors_of_nothing(replies, trouble):
    with FixedReplies(replies) as server:
        assert answer_of(Service(f"{server.origin}/v1", "e5", embeds=True)).trouble == trouble


def test_an_embedding_server_without_a_list_is_up():
    with EmbeddingEndpoint() as server:
        assert answer_of(Service(server.url, "e5", embeds=True)).trouble == ""


def test_the_names_that_are_most_alike_stand_first():
    with FixedReplies({MODELS: listed("llama-3", "phi", "qwen-large", "qwen-small")}) as server:
        answer = answer_of(Service(f"{server.origin}/v1", "qwen-smal"))
    assert answer.offer.nearest("qwen-smal") == "qwen-small, qwen-large, llama-3, phi"
    assert server.asked == [MODELS, "GET /v1/models/qwen-smal"]

"""Model and embedding servers that send without end, send us elsewhere, or talk to the terminal."""

import asyncio
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from aimsciqa_resources.embedding_server import EmbeddingServer
from aimsciqa_resources.language_model.interface import ModelRefusedError
from aiohttp import web

from tests.loopback import LoopbackServer
from tests.model_server import ModelServer, Status
from tests.served_models import asks, outcomes

pytestmark = pytest.mark.slow

MODELS, CHAT, EMBEDDINGS = "/v1/models", "/v1/chat/completions", "/v1/embeddings"
BOMB_BYTES = 200 * 2**20
LIMIT = "4,194,304 bytes"


class HostileServer(LoopbackServer):
    """Each path is answered by a function of the request; `asked` are the paths that came, in order."""

    def __init__(self, **answers) -> None:
        self._errors = []
        self._answers = answers
        self.asked: list[str] = []
        self.sent = 0

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        answer = self._answers.get(request.path.rpartition("/")[2])
        return await answer(self, request) if answer else web.Response(status=404, text="nothing here")


async def endless(server: HostileServer, request: web.Request, status: int = 200) -> web.StreamResponse:
    response = web.StreamResponse(status=status, headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    try:
        while True:
            await response.write(b" " * 2**16)
            server.sent += 2**16
    except (ConnectionError, asyncio.CancelledError):
        return response


async def endless_error(server: HostileServer, request: web.Request) -> web.StreamResponse:
    return await endless(server, request, status=400)


def bomb(*codings: str):
    """What `BOMB_BYTES` blanks become under these codings, one after another."""
    wbits = {"gzip": 31, "deflate": 15}

    def packed(parts: Iterator[bytes], coding: str) -> Iterator[bytes]:
        packer = zlib.compressobj(9, zlib.DEFLATED, wbits[coding])
        yield from map(packer.compress, parts)
        yield packer.flush()

    parts: Iterator[bytes] = (b" " * 2**20 for _ in range(BOMB_BYTES // 2**20))
    for coding in codings:
        parts = packed(parts, coding)
    body = b"".join(parts)

    async def answer(_server: HostileServer, _request: web.Request) -> web.Response:
        return web.Response(body=body, headers={"Content-Encoding": ", ".join(codings)})

    return answer


def redirect(to: str, status: int = 307):
    async def answer(_server: HostileServer, _request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": to})

    return answer


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


def embedding(server) -> EmbeddingServer:
    return EmbeddingServer("words", server.url, "THE_KEY", {}, lambda _seconds: None)


@pytest.fixture(scope="module", params=[("gzip",), ("deflate",), ("gzip", "gzip")], ids="-".join)
def packed(request):
    return bomb(*request.param)


def test_a_reply_without_end_costs_its_request_and_little_memory(model_of):
    with HostileServer(completions=endless) as server, little_memory():
        (reply,) = model_of(server).replies(asks(1))
    assert (reply.text, reply.failure) == (None, "bad_response")
    assert reply.calls[0].detail == f"an answer of more than {LIMIT}, the most that is read"
    assert server.asked.count(CHAT) == 3


def test_a_compressed_reply_is_counted_unpacked(model_of, packed):
    with HostileServer(completions=packed) as server, little_memory():
        (reply,) = model_of(server).replies(asks(1))
    assert LIMIT in reply.calls[0].detail


def test_a_reply_may_be_as_long_as_its_tokens_allow(model_of):
    text = "x" * 5_000_000
    answer = Status(200, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
    with ModelServer(plan=lambda _seen: answer) as server:
        (reply,) = model_of(server, thinking_tokens=2000).replies(asks(1))
    assert reply.text == text


def test_an_honest_compressed_reply_is_read(model_of):
    body = zlib.compressobj(9, zlib.DEFLATED, 31)
    content = b'{"choices": [{"message": {"content": "OK"}, "finish_reason": "stop"}]}'
    sent = body.compress(content) + body.flush()

    async def answer(_server, _request):
        return web.Response(body=sent, headers={"Content-Encoding": "gzip"})

    with HostileServer(completions=answer) as server:
        assert outcomes(model_of(server).replies(asks(1))) == {"question 0": "OK"}


def test_what_is_said_of_an_error_without_end_is_cut(model_of):
    with HostileServer(completions=endless_error) as server, little_memory():
        (reply,) = model_of(server).replies(asks(1))
    assert reply.failure == "http_400"
    assert server.asked.count(CHAT) == 1


def test_a_list_of_models_without_end_is_told_and_does_without(model_of, caplog):
    async def good(_server, _request):
        return web.json_response({"choices": [{"message": {"content": "OK"}, "finish_reason": "stop"}]})

    with HostileServer(models=endless, completions=good) as server, little_memory():
        assert outcomes(model_of(server).replies(asks(1))) == {"question 0": "OK"}
    assert [LIMIT in record.message for record in caplog.records] == [True]


def test_vectors_without_end_are_refused(packed):
    for answer in (endless, packed):
        with (
            HostileServer(embeddings=answer) as server,
            little_memory(),
            pytest.raises(ModelRefusedError, match="more than 33,554,432 bytes, the most that is read"),
        ):
            embedding(server).encode_queries(["zinc"])
        assert server.asked == [EMBEDDINGS]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_prompts_are_carried_to_no_other_origin(model_of, status):
    with HostileServer() as other:
        answer = redirect(f"{other.url}/chat/completions", status)
        with (
            HostileServer(completions=answer) as server,
            pytest.raises(ModelRefusedError, match="another origin") as refused,
        ):
            list(model_of(server).replies(asks(5)))
    assert other.asked == []
    assert other.origin in str(refused.value)
    assert "set AIMSCIQA_MODEL_BASE_URL" in str(refused.value)


def test_a_list_of_models_elsewhere_ends_it_before_any_prompt_is_sent(model_of):
    with HostileServer() as other, HostileServer(models=redirect(f"{other.url}/models")) as server:
        with pytest.raises(ModelRefusedError, match="another origin"):
            list(model_of(server).replies(asks(5)))
        assert (server.asked, other.asked) == ([MODELS], [])


def test_texts_are_carried_to_no_other_origin():
    with (
        HostileServer() as other,
        HostileServer(embeddings=redirect(f"{other.url}/embeddings")) as server,
        pytest.raises(ModelRefusedError, match="set AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"),
    ):
        embedding(server).encode_queries(["zinc"])
    assert (server.asked, other.asked) == ([EMBEDDINGS], [])


def test_a_redirect_within_the_origin_is_followed_and_a_circle_is_not(model_of):
    async def good(_server, _request):
        return web.json_response({"choices": [{"message": {"content": "OK"}, "finish_reason": "stop"}]})

    with HostileServer(completions=redirect("/v1/there"), there=good) as server:
        assert outcomes(model_of(server).replies(asks(2))) == {"question 0": "OK", "question 1": "OK"}
    with HostileServer(completions=redirect("/v1/chat/completions")) as server:
        (reply,) = model_of(server, attempts=1).replies(asks(3)[2:])
    assert (reply.failure, "TooManyRedirects" in reply.calls[0].detail) == ("connection", True)


ESCAPES = "\x1b[2J\x1b]0;owned\x07 \u202e no \x9b"
SHOWN = "\\x1b[2J\\x1b]0;owned\\x07 \\u202e no \\x9b"


def test_a_complaint_cannot_command_a_terminal(model_of):
    for body in ({"error": {"message": ESCAPES}}, {"detail": ESCAPES}, ESCAPES):
        with ModelServer(plan=lambda _seen, body=body: Status(400, body)) as server:
            (reply,) = model_of(server).replies(asks(1))
        assert reply.calls[0].detail == SHOWN


def test_names_of_models_cannot_command_a_terminal_nor_fill_it(model_of):
    with (
        ModelServer(model=f"m{ESCAPES}\nm2", plan=lambda _seen: Status(404)) as server,
        pytest.raises(ModelRefusedError) as refused,
    ):
        list(model_of(server).replies(asks(1)))
    assert f"It has: m{SHOWN}\\nm2." in str(refused.value)

    async def many(_server, _request):
        return web.json_response({"data": [{"id": f"model {number}" + "x" * 1000} for number in range(1000)]})

    with HostileServer(models=many) as server, pytest.raises(ModelRefusedError) as refused:
        list(model_of(server).replies(asks(1)))
    assert "model 19x" in str(refused.value)
    assert len(str(refused.value)) < 3000


def test_a_reason_to_finish_cannot_command_a_terminal(model_of):
    answer = Status(200, {"choices": [{"message": {"content": "OK"}, "finish_reason": ESCAPES + "y" * 5000}]})
    with ModelServer(plan=lambda _seen: answer) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.calls[0].finish_reason == (SHOWN + "y" * 5000)[:100]


def test_a_complaint_about_texts_cannot_command_a_terminal():
    async def complain(_server, _request):
        return web.json_response({"error": {"message": ESCAPES}}, status=400)

    with HostileServer(embeddings=complain) as server, pytest.raises(ModelRefusedError) as refused:
        embedding(server).encode_queries(["zinc"])
    assert SHOWN in str(refused.value)

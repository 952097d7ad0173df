"""Servers that are up, addresses where nobody listens, and servers that accept and stay silent."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from aimsciqa_resources.language_model import reachable
from aimsciqa_resources.language_model.reachable import Fault, faults_of

from tests.model_server import ModelServer


def address_of(one: socket.socket) -> str:
    return f"http://127.0.0.1:{one.getsockname()[1]}/v1"


def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return address_of(one)


@contextmanager
def silent() -> Iterator[str]:
    """A server whose connections come about, and to which nobody attends."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield address_of(one)


@contextmanager
def full() -> Iterator[str]:
    """A server whose queue of connections is full: the next one never comes about."""
    with ExitStack() as opened:
        one = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(one.getsockname())
        yield address_of(one)


def test_an_address_where_nobody_listens_is_told_with_the_reason():
    address = nobody()
    with ModelServer() as server:
        found = faults_of([server.url, address, address])
    assert list(found) == [address]
    assert found[address].down
    assert "refused" in found[address].reason


def test_a_server_that_refuses_to_list_its_models_is_up():
    with ModelServer(lists_models=False) as server:
        assert faults_of([server.url]) == {}


def test_no_server_is_asked_where_none_is_named():
    assert faults_of([]) == {}


def test_a_connection_that_never_comes_about_is_a_server_that_is_down(monkeypatch):
    monkeypatch.setattr(reachable, "_SECONDS", 0.5)
    with full() as address:
        assert faults_of([address]) == {address: Fault("no connection within 0.5 s")}


def test_a_server_that_accepts_and_never_answers_is_not_down(monkeypatch):
    monkeypatch.setattr(reachable, "_SECONDS", 0.5)
    with silent() as address:
        reason = "it accepts connections, and did not answer within 0.5 s"
        assert faults_of([address]) == {address: Fault(reason, down=False)}

"""Servers that are up, and addresses where nobody listens."""

import socket

from aimsciqa_resources.language_model.reachable import unreachable

from tests.model_server import ModelServer, Status


def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}/v1"


def test_an_address_where_nobody_listens_is_told_with_the_reason():
    address = nobody()
    with ModelServer() as server:
        found = unreachable([server.url, address, address])
    assert list(found) == [address]
    assert "refused" in found[address]


def test_a_server_that_refuses_to_list_its_models_is_up():
    with ModelServer(plan=lambda _seen: Status(401)) as server:
        assert unreachable([server.url]) == {}


def test_no_server_is_asked_where_none_is_named():
    assert unreachable([]) == {}

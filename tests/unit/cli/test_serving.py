"""The server of report and review page: what it answers, and what it refuses."""

import http.client
import json
import re
import threading

import pytest

from aimsciqa_assets.cli.serving.desk import Desk
from aimsciqa_assets.cli.serving.server import ReportServer
from tests.release_corpus import Corpus

pytestmark = pytest.mark.slow

REVIEW = {
    "item_id": "i1",
    "reviewer": "anna",
    "decision": "reject",
    "of_question": "merged_question of 1",
    "of_answer": "merged_answer of 1",
}


@pytest.fixture
def desk(tmp_path):
    return Desk(*Corpus().write(tmp_path))


@pytest.fixture
def server(desk):
    with ReportServer(desk, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server, method: str, path: str, body: object = None, **headers: str | None):
    """Status, headers and body of a reply; a header that is None is left out."""
    sent = {"Host": f"127.0.0.1:{server.server_port}"}
    if method == "POST":
        sent |= {"Origin": f"http://127.0.0.1:{server.server_port}", "X-Aimsciqa-Token": server.token}
        sent["Content-Type"] = "application/json"
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    if method == "POST" and "Content-Length" not in sent:
        sent["Content-Length"] = str(len(content))
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(content if method == "POST" else None)
    reply = connection.getresponse()
    found = reply.status, reply.headers, reply.read().decode()
    connection.close()
    return found


def reviews(server) -> list[tuple]:
    return server.desk.warehouse.read("select item_id, reviewer, decision from benchmark.reviews").rows()


def test_it_listens_on_the_loopback_address_alone(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_the_report_is_served_as_it_was_written(server, tmp_path):
    status, _, said = ask(server, "GET", "/")
    assert (status, "`aimsciqa run` writes it" in said) == (404, True)
    (tmp_path / "report.html").write_text("<!doctype html><p>zinc</p>")
    status, headers, said = ask(server, "GET", "/")
    assert (status, said) == (200, "<!doctype html><p>zinc</p>")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert ask(server, "HEAD", "/")[2] == ""


@pytest.mark.parametrize(
    "path", ["/warehouse.duckdb", "/../warehouse.duckdb", "/%2e%2e/etc/passwd", "//", "/items/"]
)
def test_nothing_else_is_served(server, path):
    assert ask(server, "GET", path)[0] == 404


def test_the_review_page_runs_its_own_script_alone_and_asks_its_own_server_alone(server):
    status, headers, page = ask(server, "GET", "/review")
    policy = headers["Content-Security-Policy"]
    assert status == 200
    assert policy.startswith("default-src 'none';")
    assert "connect-src 'self'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]+'$", policy)
    assert page.count("<script") == 1
    assert server.token in page


def test_items_to_review_are_those_that_may_be_released(server):
    listed = json.loads(ask(server, "GET", "/items")[2])
    assert [item["id"] for item in listed] == ["i1", "i2", "i3"]
    item = json.loads(ask(server, "GET", "/items/i1")[2])
    assert (item["of_question"], item["question"]) == ("merged_question of 1", "merged_question of 1")
    assert "<mark" in item["html"]
    assert ask(server, "GET", "/items/i4")[0] == 404


def test_a_review_becomes_a_row(server):
    status, _, said = ask(server, "POST", "/reviews", REVIEW)
    assert (status, json.loads(said)["number"]) == (200, 1)
    assert reviews(server) == [("i1", "anna", "reject")]
    listed = {item["id"]: item["reviews"] for item in json.loads(ask(server, "GET", "/items")[2])}
    assert listed["i1"] == [{"reviewer": "anna", "decision": "reject"}]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (403, {"Host": "attacker.example"}),
        (403, {"Host": "127.0.0.1"}),
        (403, {"Host": None}),
        (403, {"Origin": "http://attacker.example"}),
        (403, {"Origin": "null"}),
        (403, {"Origin": None}),
        (403, {"X_Aimsciqa_Token": None}),
        (403, {"X_Aimsciqa_Token": "guess"}),
        (403, {"X_Aimsciqa_Token": "gu\xe9ss"}),
        (415, {"Content_Type": "text/plain"}),
        (411, {"Content_Length": None}),
        (411, {"Content_Length": "-1"}),
        (413, {"Content_Length": "131073"}),
        (413, {"Content_Length": "9" * 30}),
    ],
)
def test_who_may_not_write(server, status, headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    assert ask(server, "POST", "/reviews", REVIEW, **headers)[0] == status
    assert reviews(server) == []


@pytest.mark.parametrize("headers", [{"Host": "attacker.example:80"}, {"Origin": "http://attacker.example"}])
def test_who_may_not_read(server, headers):
    for path in ("/", "/review", "/items"):
        status, _, said = ask(server, "GET", path, **headers)
        assert status == 403
        assert server.token not in said


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, b"no json"),
        (400, b"[" * 50_000),
        (400, {**REVIEW, "score": 9}),
        (400, {**REVIEW, "surprise": 1}),
        (409, {**REVIEW, "of_answer": "what it was before"}),
        (409, {**REVIEW, "item_id": "i99"}),
    ],
)
def test_what_is_no_review(server, status, body):
    assert ask(server, "POST", "/reviews", body)[0] == status
    assert reviews(server) == []


def test_other_methods_are_refused(server):
    assert ask(server, "DELETE", "/reviews")[0] == 501
    assert ask(server, "POST", "/items", REVIEW)[0] == 404

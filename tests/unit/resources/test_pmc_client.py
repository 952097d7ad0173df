import hashlib
import logging
import time
import traceback
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.pmc import client as pmc_client
from aimsciqa_resources.pmc.client import PmcClient
from aimsciqa_resources.pmc.errors import (
    DeadlineError,
    NoContactError,
    NoSuchObjectError,
    PmcError,
    RequestRefusedError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnexpectedAnswerError,
    WrongDigestError,
)
from aimsciqa_resources.pmc.settings import PmcSettings
from aiohttp import web

from tests.disks import room_for
from tests.pmc_clients import KEY, client_for
from tests.pmc_server import (
    Archive,
    CutBody,
    CutConnection,
    Missing,
    OtherBytes,
    PmcServer,
    Reset,
    SlowDrip,
    Status,
    always,
    first_times,
)
from tests.pmc_server.steps import Step

pytestmark = pytest.mark.slow

XML = "PMC11.1/PMC11.1.xml"


@pytest.fixture
def server():
    archive = Archive()
    archive.publish("PMC11", title="Zinc")
    with PmcServer(archive) as server:
        yield server


@pytest.fixture
def md5(server):
    return hashlib.md5(server.archive.articles["PMC11"][0].jats).hexdigest()


def content(answer):
    return answer.content


@pytest.mark.parametrize(
    ("step", "requests"),
    [
        (Status(500), 2),
        (Status(408), 2),
        (Reset(), 2),
        (CutConnection(), 2),
        (CutBody(), 2),
        (OtherBytes(), 2),
    ],
)
def test_what_fails_in_passing_is_tried_again(server, md5, tmp_path, step, requests):
    server.plan = first_times(1, step)
    with client_for(server) as client:
        client.save(XML, md5, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == server.archive.articles["PMC11"][0].jats
    assert len(server.asked("bucket")) == requests


@pytest.mark.parametrize(
    ("step", "error", "requests"),
    [
        (Missing(), NoSuchObjectError, 1),
        (Status(404), RequestRefusedError, 1),
        (Status(403, "<Error><Code>AccessDenied</Code></Error>"), RequestRefusedError, 1),
        (Status(301, headers={"Location": "http://127.0.0.1:1/"}), RequestRefusedError, 1),
        (Status(500), ServiceUnavailableError, 3),
        (Status(429), TooManyRequestsError, 3),
        (Status(503, "<Error><Code>SlowDown</Code></Error>"), TooManyRequestsError, 3),
        (Reset(), ServiceUnavailableError, 3),
        (CutConnection(), ServiceUnavailableError, 3),
        (CutBody(), WrongDigestError, 3),
        (OtherBytes(), WrongDigestError, 3),
    ],
)
def test_each_error_has_its_name_and_its_number_of_attempts(server, md5, tmp_path, step, error, requests):
    server.plan = always(XML, step)
    with client_for(server, attempts=3) as client, pytest.raises(error, match=XML):
        client.save(XML, md5, tmp_path / "file")
    assert len(server.asked("bucket")) == requests


def test_nobody_listens(tmp_path):
    settings = PmcSettings(bucket_url="http://127.0.0.1:9", attempts=2, first_retry_seconds=0.01)
    with PmcClient(settings, {}) as client, pytest.raises(ServiceUnavailableError, match="ConnectError"):
        client.save(XML, "0" * 32, tmp_path / "file")


def test_retry_after_is_kept_by_everybody(server):
    server.plan = first_times(1, Status(429, headers={"Retry-After": "0.4"}), "PMC11.1.txt")
    with client_for(server) as client, ThreadPoolExecutor(1) as other:
        slow = other.submit(client.read, "PMC11.1/PMC11.1.txt", content)
        while not server.asked("bucket"):
            time.sleep(0.01)
        client.read("metadata/PMC11.1.json", content)
        assert slow.result() == b"Examples are good."
    refused, *later = server.asked("bucket")
    # The second request may have left before the refusal came.
    assert sum(seen.at - refused.at >= 0.4 for seen in later) >= 1
    assert later[-1].at - refused.at >= 0.4


def test_a_rest_beyond_the_deadline_is_not_waited_for(server):
    server.plan = always("PMC11", Status(429, headers={"Retry-After": "60"}))
    with client_for(server, deadline_seconds=5) as client:
        with pytest.raises(TooManyRequestsError) as caught:
            client.read(XML, content)
        assert caught.value.wait == 60
        with pytest.raises(DeadlineError, match="asks us to wait for 6"):
            client.read("PMC11.1/PMC11.1.txt", content)
    assert len(server.seen) == 1


def test_a_dripping_body_does_not_outlast_the_deadline(server, md5, tmp_path):
    server.plan = always(XML, SlowDrip(4))
    with client_for(server, deadline_seconds=0.5) as client, pytest.raises(DeadlineError):
        client.save(XML, md5, tmp_path / "file")
    assert len(server.seen) == 1


def test_a_silent_connection_is_given_up(server):
    server.plan = first_times(1, SlowDrip(20))
    with client_for(server, timeout_seconds=0.2) as client:
        assert client.read("PMC11.1/PMC11.1.txt", content) == b"Examples are good."


def test_what_cannot_be_understood_is_asked_again(server):
    texts = []

    def understand(answer):
        texts.append(answer.content)
        if len(texts) < 3:
            raise UnexpectedAnswerError("odd")
        return len(texts)

    with client_for(server) as client:
        assert client.read(XML, understand) == 3


@pytest.mark.parametrize(("environment", "rate"), [({}, 3), ({"NCBI_API_KEY": KEY}, 10)])
def test_searches_keep_to_the_rate(server, environment, rate):
    form = {"db": "pmc", "term": "zinc", "retmode": "json"}
    with client_for(server, environment) as client, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: client.search(form, content), range(rate + 2)))
    assert server.most_per_second("eutils") <= rate
    first, *_ = server.seen
    assert first.method == "POST"
    ours = {"tool": "aimsciqa", "email": "somebody@example.org"}
    assert first.params == form | ours | ({"api_key": KEY} if environment else {})
    assert "api_key" not in first.url
    assert first.headers["user-agent"] == "aimsciqa (mailto:somebody@example.org)"


def test_downloads_are_bounded(server):
    server.plan = lambda _seen: SlowDrip(0.1)
    with client_for(server, downloads_at_once=2) as client, ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: client.read(XML, content), range(6)))
    assert server.most_at_once == 2


def test_no_search_without_an_address(server):
    with client_for(server, email="") as client, pytest.raises(NoContactError, match="AIMSCIQA_PMC_EMAIL"):
        client.search({}, content)
    assert server.seen == []


def test_the_key_stands_in_no_error_and_no_log(server, caplog):
    complaint = f'{{"error":"API key invalid","api-key":"{KEY}"}}'
    caplog.set_level(logging.DEBUG)
    for step in (Status(400, complaint), Reset()):
        server.plan = lambda _seen, step=step: step
        with client_for(server, {"NCBI_API_KEY": KEY}, attempts=1) as client:
            with pytest.raises(PmcError) as caught:
                client.search({"db": "pmc", "term": "zinc"}, content)
            shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
            assert KEY not in shown + repr(client) + repr(client.settings)
    assert KEY not in caplog.text


def test_what_is_no_key_is_not_sent_and_not_shown(server):
    with pytest.raises(NoContactError) as caught:
        client_for(server, {"NCBI_API_KEY": "secret\nkey"})
    assert "secret" not in str(caught.value)


class Endless(Step):
    """Blanks that never end, compressed or as they are."""

    def __init__(self, status: int = 200, packed: bool = False) -> None:
        self.status = status
        self.packed = packed

    async def send(self, request, good):
        headers = {"Content-Encoding": "gzip"} if self.packed else {}
        response = web.StreamResponse(status=self.status, headers=headers)
        response.enable_chunked_encoding()
        await response.prepare(request)
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        blanks = b" " * 2**20
        with suppress(ConnectionError):
            while True:
                await response.write(packer.compress(blanks) if self.packed else blanks)
        return response


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_without_end_is_given_up(server, monkeypatch, packed):
    monkeypatch.setattr(pmc_client, "_LONGEST_ANSWER", 2**20)
    server.plan = always(XML, Endless(packed=packed))
    with client_for(server, attempts=1) as client, pytest.raises(UnexpectedAnswerError, match="1,048,576"):
        client.read(XML, content)


def test_a_complaint_without_end_is_cut(server):
    server.plan = always(XML, Endless(403))
    with client_for(server, attempts=1) as client, pytest.raises(RequestRefusedError):
        client.read(XML, content)


def test_a_file_without_end_is_given_up(server, monkeypatch, tmp_path):
    monkeypatch.setattr(pmc_client, "_LONGEST_FILE", 2**20)
    server.plan = always(XML, Endless())
    with client_for(server, attempts=1) as client, pytest.raises(UnexpectedAnswerError, match="1,048,576"):
        client.save(XML, "0" * 32, tmp_path / "file")
    assert (tmp_path / "file").stat().st_size <= 2**20


def test_a_full_disk_is_told_with_the_place_and_is_no_fault_of_the_service(server, md5, tmp_path):
    with room_for(1), client_for(server) as client, pytest.raises(UnwritableError, match="make room"):
        client.save(XML, md5, tmp_path / "file")
    assert len(server.seen) == 1


def test_a_complaint_cannot_command_a_terminal(server):
    server.plan = always(XML, Status(403, "\x1b]0;owned\x07 no"))
    with client_for(server) as client, pytest.raises(RequestRefusedError) as caught:
        client.read(XML, content)
    assert str(caught.value) == f"{XML}: HTTP 403: \\x1b]0;owned\\x07 no"

import http.client
import json
from contextlib import closing
from datetime import date
from urllib.parse import quote, urlsplit

import pytest

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

SEARCH = "db=pmc&retmode=json&usehistory=y"


def got(url):
    """Status and text of one request."""
    parts = urlsplit(url)
    with closing(http.client.HTTPConnection(parts.netloc, timeout=10)) as connection:
        connection.request("GET", f"{parts.path}?{parts.query}")
        response = connection.getresponse()
        return response.status, response.read().decode()


def searched(server, term, more=""):
    status, text = got(f"{server.eutils_url}/esearch.fcgi?{SEARCH}&term={quote(term)}{more}")
    assert status == 200
    return json.loads(text)["esearchresult"]


@pytest.fixture
def archive():
    archive = Archive(today=date(2026, 9, 20))
    archive.publish("PMC11", title="Zinc and growth", licence="CC BY", published=2019)
    archive.sleep()
    archive.publish("PMC12", title="Zinc and sleep", licence="CC BY-SA", published=2024)
    archive.publish("PMC13", title="Iron", licence="TDM", published=2026)
    return archive


@pytest.mark.parametrize(
    ("term", "ids"),
    [
        ("zinc", ["12", "11"]),
        ("zinc growth", ["11"]),
        ('"zinc and sleep"', ["12"]),
        ("(zinc OR iron) AND cc_by-sa_license[filter]", ["12"]),
        ("cc_by_license[filter]", ["11"]),
        ("(open_access[filter] OR author_manuscript[filter])", ["13", "12", "11"]),
        ("author_manuscript[filter]", ["13"]),
        ("2019:2024[pdat]", ["12", "11"]),
        ("2026/09/21:2026/09/30[pmcrdat]", ["13", "12"]),
        ("PMC11 OR PMC13", ["13", "11"]),
    ],
)
def test_terms_find_articles(archive, term, ids):
    with PmcServer(archive) as server:
        result = searched(server, term)
    assert (result["idlist"], result["count"]) == (ids, str(len(ids)))


def test_the_history_stays_while_the_index_moves(archive):
    with PmcServer(archive) as server:
        first = searched(server, "zinc OR iron", "&retmax=2")
        archive.publish("PMC14", title="Zinc again")
        page = f"&WebEnv={first['webenv']}&query_key={first['querykey']}&retstart=2&retmax=2"
        status, text = got(f"{server.eutils_url}/esearch.fcgi?{SEARCH}{page}")
        assert searched(server, "zinc OR iron")["count"] == "4"
    rest = json.loads(text)["esearchresult"]
    assert (first["idlist"], rest["idlist"], rest["count"], status) == (["13", "12"], ["11"], "3", 200)


def test_what_esearch_does_not_know_it_names(archive):
    with PmcServer(archive) as server:
        result = searched(server, "zinc AND free_license[filter]")
    assert result["errorlist"]["phrasesnotfound"] == ["free_license[filter]"]
    assert result["count"] == "2"


def test_the_bucket_lists_folders_in_pages(archive):
    for number in range(10):
        archive.revise("PMC11", f"Text {number}.")
    with PmcServer(archive, page_size=6) as server:
        status, text = got(f"{server.bucket_url}/?list-type=2&prefix=PMC11.&delimiter=/")
        token = quote("after PMC11.4/")
        _, rest = got(
            f"{server.bucket_url}/?list-type=2&prefix=PMC11.&delimiter=/&continuation-token={token}"
        )
        _, nothing = got(f"{server.bucket_url}/?list-type=2&prefix=PMC99.&delimiter=/")
    assert status == 200
    assert "<IsTruncated>true</IsTruncated>" in text
    assert "<NextContinuationToken>after PMC11.4/</NextContinuationToken>" in text
    assert "<CommonPrefixes><Prefix>PMC11.10/</Prefix></CommonPrefixes>" in text
    assert "<IsTruncated>false</IsTruncated>" in rest
    assert rest.count("<CommonPrefixes>") == 5
    assert "<KeyCount>0</KeyCount>" in nothing


def test_objects_and_what_is_none(archive):
    with PmcServer(archive) as server:
        status, text = got(f"{server.bucket_url}/metadata/PMC12.1.json")
        assert got(f"{server.bucket_url}/PMC12.1/PMC12.1.json") == (200, text)
        missing, error = got(f"{server.bucket_url}/PMC12.1/")
    assert (status, json.loads(text)["license_code"], json.loads(text)["doi"]) == (200, "CC BY-SA", None)
    assert missing == 404
    assert "<Code>NoSuchKey</Code>" in error


def test_oai_pmh_gives_ten_records_a_page(archive):
    for number in range(20, 31):
        archive.publish(f"PMC{number}")
    archive.withdraw("PMC12")
    url = "verb=ListRecords&metadataPrefix=pmc&from=2026-09-21&until=2026-09-21"
    with PmcServer(archive) as server:
        _, first = got(f"{server.oai_url}?{url}")
        token = first.partition("<resumptionToken>")[2].partition("<")[0]
        _, second = got(f"{server.oai_url}?verb=ListRecords&resumptionToken={quote(token)}")
        _, bad = got(f"{server.oai_url}?verb=ListRecords&resumptionToken=x")
        _, none = got(f"{server.oai_url}?{url.replace('2026-09-21', '2025-01-01')}")
    assert (first.count("<record>"), second.count("<record>")) == (10, 3)
    assert "resumptionToken" not in second
    assert first.count('status="deleted"') == 1
    assert 'code="badResumptionToken"' in bad
    assert 'code="noRecordsMatch"' in none


def test_a_plan_decides_what_goes_wrong(archive):
    steps = [
        Status(429, headers={"Retry-After": "1"}),
        Missing(),
        CutBody(),
        OtherBytes(),
        SlowDrip(0.1),
        None,
    ]
    with PmcServer(archive) as server:
        url = f"{server.bucket_url}/PMC11.1/PMC11.1.txt"
        server.plan = lambda seen: steps[seen.number]
        statuses, texts = zip(*(got(url) for _ in steps), strict=True)
        server.plan = first_times(1, Reset(), "txt")
        with pytest.raises(ConnectionResetError):
            got(url)
        assert got(url)[0] == 200
        server.plan = always("txt", CutConnection())
        with pytest.raises(http.client.IncompleteRead):
            got(url)
    assert statuses == (429, 404, 200, 200, 200, 200)
    assert texts[2:] == ("Examples ", "Dy`lqmdr!`sd!fnne/", "Examples are good.", "Examples are good.")
    assert [seen.target for seen in server.asked("bucket")] == ["PMC11.1/PMC11.1.txt"] * 9


def test_requests_in_a_second_are_counted():
    with PmcServer() as server:
        for _ in range(4):
            got(f"{server.bucket_url}/x")
    assert server.most_per_second("bucket") == 4
    assert server.most_per_second("eutils") == 0

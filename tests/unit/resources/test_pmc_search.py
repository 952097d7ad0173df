import json
from datetime import date, timedelta

import pytest
from aimsciqa_resources.pmc.client import Answer
from aimsciqa_resources.pmc.errors import (
    IncompleteListingError,
    PmcError,
    SearchNotUnderstoodError,
    TooManyRequestsError,
    UnexpectedAnswerError,
)
from aimsciqa_resources.pmc.search import Search, article_ids, term_of

from tests.pmc_clients import KEY, client_for
from tests.pmc_server import Archive, CutBody, PmcServer, Status, always, first_times

pytestmark = pytest.mark.slow

SUBSET = "(open_access[filter] OR author_manuscript[filter])"
QUICK = {"NCBI_API_KEY": KEY}


@pytest.mark.parametrize(
    ("search", "term"),
    [
        (Search(), SUBSET),
        (Search(query=" zinc OR iron "), f"(zinc OR iron) AND {SUBSET}"),
        (
            Search(licences=("CC0", "CC BY", "CC BY-NC-SA", "TDM")),
            f"{SUBSET} AND (cc0_license[filter] OR cc_by_license[filter] OR cc_by-nc-sa_license[filter] OR "
            "author_manuscript[filter])",
        ),
        (
            Search(published=(2019, 2024), entered=(date(2026, 1, 14), date(2026, 1, 31))),
            f"{SUBSET} AND 2019:2024[pdat] AND 2026/01/14:2026/01/31[pmcrdat]",
        ),
        (Search(query='("zinc) (" OR iron)'), f'(("zinc) (" OR iron)) AND {SUBSET}'),
    ],
)
def test_terms(search, term):
    assert term_of(search) == term


@pytest.mark.parametrize("query", ["zinc) OR (iron", "(zinc", "zinc)", '"zinc'])
def test_a_query_does_not_break_out_of_its_parentheses(query):
    with pytest.raises(SearchNotUnderstoodError, match="do not close"):
        term_of(Search(query=query))


def test_an_unknown_licence_is_named():
    with pytest.raises(SearchNotUnderstoodError, match="'free'"):
        term_of(Search(licences=["free"]))


@pytest.fixture
def server():
    archive = Archive()
    for number in range(11, 36):
        archive.publish(f"PMC{number}", title="Zinc")
    with PmcServer(archive) as server:
        yield server


def test_ids_come_page_by_page_from_a_history_that_stays(server):
    with client_for(server, QUICK) as client:
        ids = article_ids(client, term_of(Search(query="zinc")), per_page=10)
        first = next(ids)
        server.archive.publish("PMC99", title="Zinc, later")
        server.archive.withdraw("PMC30")
        found = [first, *ids]
    assert found == [f"PMC{number}" for number in range(35, 10, -1)]
    assert [seen.params.get("retstart") for seen in server.seen] == ["0", "10", "20"]
    assert "term" not in server.seen[1].params


def test_a_server_with_smaller_pages_than_asked_for_is_followed(server):
    server._history._most_ids = 7
    with client_for(server, QUICK) as client:
        assert len(list(article_ids(client, "zinc"))) == 25
    assert len(server.seen) == 4


def test_a_term_finds_what_was_meant(server):
    server.archive.today += timedelta(days=3)
    server.archive.publish("PMC50", title="Zinc", licence="CC BY-SA", published=2020)
    server.archive.publish("PMC51", title="Zinc", licence="CC BY-NC", published=2020)
    server.archive.publish("PMC52", title="Zinc", licence="CC BY", published=2018)
    server.archive.publish("PMC53", title="Iron", licence="TDM", published=2021)
    today = server.archive.today
    search = Search("zinc OR iron", ("CC BY", "CC BY-SA", "TDM"), (2019, 2021), (today, today))
    with client_for(server, QUICK) as client:
        assert list(article_ids(client, term_of(search))) == ["PMC53", "PMC50"]


def test_nothing_found_is_an_empty_result(server):
    with client_for(server, QUICK) as client:
        assert list(article_ids(client, "copper")) == []


def test_a_part_that_would_be_left_out_is_an_error(server):
    with (
        client_for(server, QUICK) as client,
        pytest.raises(SearchNotUnderstoodError, match=r"'free_license\[filter\]'"),
    ):
        list(article_ids(client, "zinc AND free_license[filter]"))


@pytest.mark.parametrize(
    ("step", "error"), [(Status(429), TooManyRequestsError), (CutBody(), UnexpectedAnswerError)]
)
def test_a_page_that_fails_is_asked_again_and_never_left_out(server, step, error):
    server.plan = first_times(1, step)
    with client_for(server, QUICK) as client:
        assert len(set(article_ids(client, "zinc", per_page=10))) == 25
    server.plan = always(" 20", step)
    with client_for(server, QUICK, attempts=2) as client, pytest.raises(error):
        list(article_ids(client, "zinc", per_page=10))


class Pages:
    """A client whose searches are answered with these results."""

    def __init__(self, *results):
        self.results = list(results)

    def search(self, _form, understand):
        return understand(Answer(json.dumps(self.results.pop(0)).encode()))


def result(count, ids, **more):
    told = {"count": str(count), "idlist": ids, "webenv": "MCID_1", "querykey": "1"}
    return {"esearchresult": told | more}


@pytest.mark.parametrize(
    "second",
    [result(3, []), result(2, ["3"]), result(3, ["3", "4"])],
)
def test_a_history_that_changes_is_an_error(second):
    with pytest.raises(IncompleteListingError):
        list(article_ids(Pages(result(3, ["1", "2"]), second), "zinc"))


@pytest.mark.parametrize(
    "answer",
    [
        [],
        {},
        {"error": "API rate limit exceeded", "count": "11"},
        {"esearchresult": {"ERROR": "Search Backend failed"}},
        {"esearchresult": None},
        {"esearchresult": {"count": "1", "idlist": ["x"], "webenv": "", "querykey": ""}},
        {"esearchresult": {"count": "0"}},
    ],
)
def test_what_is_no_result_is_no_empty_result(answer):
    with pytest.raises(PmcError):
        list(article_ids(Pages(answer), "zinc"))


def test_a_date_on_which_nothing_came_is_understood():
    unknown = {"phrasesnotfound": ["2026/01/14[pmcrdat]"], "fieldsnotfound": []}
    assert list(article_ids(Pages(result(0, [], errorlist=unknown)), "zinc")) == []

from datetime import date

import pytest
from aimsciqa_resources.pmc.client import Answer
from aimsciqa_resources.pmc.errors import IncompleteListingError, PmcError, UnexpectedAnswerError
from aimsciqa_resources.pmc.harvest import records

from aimsciqa_assets.reading.reader import read_paper
from tests.pmc_clients import client_for
from tests.pmc_server import Archive, CutBody, PmcServer, Status, always, first_times

pytestmark = pytest.mark.slow

DAY = date(2026, 9, 21)
OAI = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{}</OAI-PMH>'


@pytest.fixture
def server():
    archive = Archive(today=DAY)
    archive.publish("PMC9")
    archive.sleep()
    for number in range(11, 36):
        archive.publish(f"PMC{number}", title=f"Zinc {number}", text="Zinc & growth.")
    archive.withdraw("PMC12")
    with PmcServer(archive) as server:
        yield server


def test_all_records_of_an_increment_come(server):
    server.plan = first_times(1, Status(503, headers={"Retry-After": "0.01"}))
    with client_for(server) as client:
        found = list(records(client, date(2026, 9, 22), date(2026, 9, 23)))
        assert len(list(records(client, DAY, DAY))) == 1
        assert list(records(client, date(2026, 1, 1), date(2026, 1, 2))) == []
    assert [record.pmcid for record in found] == [f"PMC{number}" for number in range(11, 36)]
    assert [record.pmcid for record in found if record.jats is None] == ["PMC12"]
    assert {record.changed_on for record in found} == {date(2026, 9, 22)}
    assert server.most_per_second("oai") <= 3


def test_a_record_is_a_paper_that_can_be_read(server):
    with client_for(server) as client:
        (record,) = records(client, DAY, DAY)
    paper = read_paper(record.jats, "PMC9.xml")
    assert paper.title == "On examples"


@pytest.mark.parametrize("step", [Status(500), CutBody(), Status(200, "<html/>"), Status(404)])
def test_an_increment_that_breaks_off_is_an_error(server, step):
    server.plan = always("resumptionToken", step)
    with client_for(server, attempts=2) as client:
        increment = records(client, date(2026, 9, 22), date(2026, 9, 22))
        assert len([next(increment) for _ in range(10)]) == 10
        with pytest.raises(PmcError):
            next(increment)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('<error code="badResumptionToken">expired</error>', IncompleteListingError),
        ('<error code="badArgument"/>', IncompleteListingError),
        ("<ListRecords><resumptionToken>a</resumptionToken></ListRecords>", IncompleteListingError),
        ("", UnexpectedAnswerError),
        ("<ListRecords><record/></ListRecords>", UnexpectedAnswerError),
        (
            "<ListRecords><record><header><identifier>oai:x:1</identifier></header></record></ListRecords>",
            UnexpectedAnswerError,
        ),
    ],
)
def test_what_is_no_listing_is_no_empty_listing(content, error):
    class Client:
        def harvest(self, _params, understand):
            return understand(Answer(OAI.format(content).encode()))

    with pytest.raises(error):
        list(records(Client(), DAY, DAY))

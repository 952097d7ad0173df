"""Increments by OAI-PMH: whole articles, ten to an answer. Fit for days, not for years."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lxml import etree

from aimsciqa_resources.pmc.client import Answer, PmcClient
from aimsciqa_resources.pmc.errors import IncompleteListingError, UnexpectedAnswerError
from aimsciqa_resources.pmc.xml import read_xml

_FORMAT = "pmc"


@dataclass(frozen=True, slots=True)
class Record:
    """An article as OAI-PMH gives it; `jats` is None when it was deleted."""

    pmcid: str
    changed_on: date
    jats: bytes | None


def records(client: PmcClient, since: date, until: date) -> Iterator[Record]:
    """The articles that came or changed between two days, both included.

    Raises `IncompleteListingError` when the listing breaks off; what came before is then not all there is.
    """
    params = {
        "verb": "ListRecords",
        "metadataPrefix": _FORMAT,
        "from": since.isoformat(),
        "until": until.isoformat(),
    }
    seen: set[str] = set()
    while True:
        page, token = client.harvest(params, _page)
        yield from page
        if not token:
            return
        if token in seen:
            raise IncompleteListingError("OAI-PMH gives the same page again.")
        seen.add(token)
        params = {"verb": "ListRecords", "resumptionToken": token}


def _page(answer: Answer) -> tuple[list[Record], str]:
    """The records of an answer, and the token for the next ones; "" at the end."""
    tree = read_xml(answer.content, "OAI-PMH")
    error = tree.find("{*}error")
    if error is not None:
        if error.get("code") == "noRecordsMatch":
            return [], ""
        raise IncompleteListingError(f"OAI-PMH: {error.get('code')}: {error.text}")
    listing = tree.find("{*}ListRecords")
    if listing is None:
        raise UnexpectedAnswerError("OAI-PMH: the answer has neither records nor an error.")
    token = listing.findtext("{*}resumptionToken") or ""
    return [_record(record) for record in listing.findall("{*}record")], token.strip()


def _record(record: etree._Element) -> Record:
    header = record.find("{*}header")
    identifier = "" if header is None else header.findtext("{*}identifier") or ""
    number = identifier.rpartition(":")[2].removeprefix("PMC")
    article = record.find("{*}metadata/{*}article")
    deleted = header is not None and header.get("status") == "deleted"
    if header is None or not number.isdecimal() or (article is None and not deleted):
        raise UnexpectedAnswerError(f"OAI-PMH: the record {identifier!r} is not an article.")
    jats = None if article is None else etree.tostring(article, encoding="utf-8", with_tail=False)
    try:
        changed_on = date.fromisoformat((header.findtext("{*}datestamp") or "")[:10])
    except ValueError:
        raise UnexpectedAnswerError(f"OAI-PMH: the record {identifier!r} has no date.") from None
    return Record(f"PMC{number}", changed_on, jats)

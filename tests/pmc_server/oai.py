"""OAI-PMH: ListRecords with resumption tokens, ten records to a page."""

from collections.abc import Mapping
from datetime import date

from tests.pmc_server.archive import Archive
from tests.pmc_server.steps import Complete

PAGE = 10


def list_records(archive: Archive, params: Mapping[str, str]) -> Complete:
    """The records that changed between two dates. A token says where they began, and how many are behind."""
    if params.get("verb") != "ListRecords":
        return _said('<error code="badVerb">Illegal verb</error>')
    if token := params.get("resumptionToken"):
        if token.count("!") != 2 or len(params) != 2:
            return _said('<error code="badResumptionToken">Invalid token</error>')
        since, until, start = token.split("!")
    else:
        since, until, start = params["from"], params["until"], "0"
        if params.get("metadataPrefix") != "pmc":
            return _said('<error code="cannotDisseminateFormat">Unknown format</error>')
    found = _records(archive, date.fromisoformat(since), date.fromisoformat(until))
    if not found:
        return _said('<error code="noRecordsMatch">No records match</error>')
    after = int(start) + PAGE
    token = f"<resumptionToken>{since}!{until}!{after}</resumptionToken>" if after < len(found) else ""
    return _said(f"<ListRecords>{''.join(found[int(start) : after])}{token}</ListRecords>")


def _records(archive: Archive, since: date, until: date) -> list[str]:
    changed = {pmcid: (version.changed, version.jats.decode()) for pmcid, version in archive.newest().items()}
    gone = {pmcid: (day, None) for pmcid, day in archive.withdrawn.items()}
    return [
        _record(pmcid, day, jats)
        for pmcid, (day, jats) in sorted((changed | gone).items())
        if since <= day <= until
    ]


def _record(pmcid: str, day: date, jats: str | None) -> str:
    status = ' status="deleted"' if jats is None else ""
    identifier = f"oai:pubmedcentral.nih.gov:{pmcid.removeprefix('PMC')}"
    header = f"<identifier>{identifier}</identifier><datestamp>{day}</datestamp><setSpec>pmc-open</setSpec>"
    # In the wild the articles have a namespace of their own.
    article = (
        "" if jats is None else jats.replace("<article ", '<article xmlns="https://jats.nlm.nih.gov/" ', 1)
    )
    metadata = f"<metadata>{article}</metadata>" if article else ""
    return f"<record><header{status}>{header}</header>{metadata}</record>"


def _said(content: str) -> Complete:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<responseDate>2026-09-21T01:00:00Z</responseDate>{content}</OAI-PMH>"
    )
    return Complete(text.encode(), "text/xml")

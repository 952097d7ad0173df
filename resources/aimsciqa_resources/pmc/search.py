"""Finds articles to look at: terms for esearch, and the ids that it finds.

The ids are read page by page from the history on NLM's server, which keeps the result of the first request
while the index changes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from aimsciqa_resources.pmc.articles import LICENCE_CODES, licence_codes
from aimsciqa_resources.pmc.client import Answer, PmcClient
from aimsciqa_resources.pmc.errors import (
    IncompleteListingError,
    SearchNotUnderstoodError,
    UnexpectedAnswerError,
)
from aimsciqa_resources.pmc.settings import PmcSettings, years_of

IDS_PER_PAGE = 5000
_SUBSET = "(open_access[filter] OR author_manuscript[filter])"
_FILTERS = {
    code: f"{code.lower().replace(' ', '_')}_license[filter]" for code in LICENCE_CODES if code != "TDM"
} | {"TDM": "author_manuscript[filter]"}
_DATE_FIELDS = ("[pmcrdat]", "[pdat]")


@dataclass(frozen=True, slots=True)
class Search:
    """What to search for: all given conditions must hold; one of the licences is enough.

    `query` is in the syntax of PMC; `published` and `entered` (into PMC) are first and last year or day.
    """

    query: str = ""
    licences: Sequence[str] = ()
    published: tuple[int, int] | None = None
    entered: tuple[date, date] | None = None


def search_of(settings: PmcSettings) -> Search:
    """The search that the settings ask for."""
    return Search(settings.query, licence_codes(settings.licences), years_of(settings.years))


def term_of(search: Search) -> str:
    """The term for esearch. Raises `SearchNotUnderstoodError` for a bad query or an unknown licence."""
    parts = [_SUBSET]
    if search.query.strip():
        parts.insert(0, f"({_balanced(search.query.strip())})")
    if search.licences:
        parts.append(f"({' OR '.join(map(_filter, search.licences))})")
    if search.published:
        parts.append(f"{search.published[0]}:{search.published[1]}[pdat]")
    if search.entered:
        first, last = (f"{day:%Y/%m/%d}" for day in search.entered)
        parts.append(f"{first}:{last}[pmcrdat]")
    return " AND ".join(parts)


def article_ids(client: PmcClient, term: str, per_page: int = IDS_PER_PAGE) -> Iterator[str]:
    """The PMCIDs of all articles that a term finds.

    Raises `SearchNotUnderstoodError` when NLM would leave out a part of the term, and
    `IncompleteListingError` when more or fewer ids come than were announced.
    """
    common = {"db": "pmc", "retmode": "json", "usehistory": "y", "retmax": str(per_page)}
    page = client.search(common | {"term": term, "retstart": "0"}, _page)
    yield from page.pmcids
    history = {"WebEnv": page.webenv, "query_key": page.query_key}
    count, had = page.count, len(page.pmcids)
    while had < count:
        page = client.search(common | history | {"retstart": str(had)}, _page)
        if page.count != count or not page.pmcids:
            raise IncompleteListingError(
                f"The search announced {count} articles; after {had} the history has {page.count}, and "
                f"{len(page.pmcids)} came."
            )
        yield from page.pmcids
        had += len(page.pmcids)
    if had > count:
        raise IncompleteListingError(f"The search announced {count} articles, and {had} came.")


@dataclass(frozen=True, slots=True)
class _Page:
    count: int
    pmcids: list[str]
    webenv: str
    query_key: str


def _page(answer: Answer) -> _Page:
    try:
        body = json.loads(answer.content, strict=False)
        result = body["esearchresult"]
        complaint = result.get("ERROR") or body.get("error")
        if complaint is None:
            _check_understood(result)
            numbers = [int(number) for number in result["idlist"]]
            pmcids = [f"PMC{number}" for number in numbers]
            return _Page(int(result["count"]), pmcids, str(result["webenv"]), str(result["querykey"]))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnexpectedAnswerError(
            f"This is not a result of esearch: {type(error).__name__}: {error}"
        ) from None
    raise UnexpectedAnswerError(f"esearch: {complaint}")


def _check_understood(result: Mapping[str, Any]) -> None:
    """Raise when esearch left out a part of the term that it does not know.

    A date on which nothing was entered is not such a part.
    """
    errors = result.get("errorlist") or {}
    unknown = [*(errors.get("fieldsnotfound") or ()), *(errors.get("phrasesnotfound") or ())]
    left_out = [phrase for phrase in unknown if not str(phrase).endswith(_DATE_FIELDS)]
    if left_out:
        raise SearchNotUnderstoodError(f"PubMed Central does not know {', '.join(map(repr, left_out))}.")


def _filter(licence: str) -> str:
    if licence not in _FILTERS:
        raise SearchNotUnderstoodError(f"There is no licence {licence!r}; choose from {', '.join(_FILTERS)}.")
    return _FILTERS[licence]


def _balanced(query: str) -> str:
    """The query, if its parentheses and quotes close: otherwise it would swallow the filters."""
    depth = 0
    quoted = False
    for character in query:
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character == "(") - (character == ")")
        if depth < 0:
            break
    if depth or quoted:
        raise SearchNotUnderstoodError(f"The parentheses or quotes of the query do not close: {query}")
    return query

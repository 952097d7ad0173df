"""Esearch: terms over the articles, results in a history that does not change."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date

from tests.pmc_server.archive import Archive, Version
from tests.pmc_server.steps import Complete

TOKEN = re.compile(r'\(|\)|"[^"]*"(?:\[\w+\])?|[^\s()"\[]+(?:\[\w+\])?')
LICENCE_FILTER = re.compile(r"(cc\S*)_license\[filter\]")
Test = Callable[[Version], bool]


class History:
    """Searches by WebEnv and query key, as esearch answers them."""

    def __init__(self, archive: Archive, most_ids: int) -> None:
        self._archive = archive
        self._most_ids = most_ids
        self._results: dict[str, list[str]] = {}

    def answer(self, params: Mapping[str, str]) -> Complete:
        if params.get("db") != "pmc":
            return said({"error": "Invalid db name specified: " + params.get("db", "")}, 400)
        unknown: list[str] = []
        if "WebEnv" in params:
            found = self._results.get(params["WebEnv"])
            if found is None or params.get("query_key") != "1":
                return said({"esearchresult": {"ERROR": "Unable to obtain query #1"}})
            webenv = params["WebEnv"]
        elif not params.get("term"):
            return said({"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}})
        else:
            found, unknown = search(self._archive, params["term"])
            webenv = f"MCID_{len(self._results):024x}"
            if params.get("usehistory") == "y":
                self._results[webenv] = found
        start = int(params.get("retstart", 0))
        most = min(int(params.get("retmax", 20)), self._most_ids)
        page = found[start : start + most]
        result = {
            "count": str(len(found)),
            "retmax": str(len(page)),
            "retstart": str(start),
            "querykey": "1",
            "webenv": webenv,
            "idlist": page,
            "translationset": [],
            "querytranslation": params.get("term", "#1"),
        }
        if unknown:
            result["errorlist"] = {"phrasesnotfound": unknown, "fieldsnotfound": []}
        return said({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def said(body: dict, status: int = 200) -> Complete:
    return Complete(json.dumps(body).encode(), "application/json", status)


def search(archive: Archive, term: str) -> tuple[list[str], list[str]]:
    """The ids that a term finds, newest first, and the parts of it that nobody understood."""
    tokens = TOKEN.findall(term)
    unknown: list[str] = []
    test = _expression(tokens, unknown)
    assert not tokens, f"{tokens} left of {term!r}"
    found = [pmcid for pmcid, version in archive.newest().items() if test(version)]
    return sorted((pmcid.removeprefix("PMC") for pmcid in found), key=int, reverse=True), unknown


def _expression(tokens: list[str], unknown: list[str]) -> Test:
    """From left to right, AND and OR alike; words beside each other are joined by AND."""
    left = _operand(tokens, unknown)
    while tokens and tokens[0] != ")":
        operator = tokens.pop(0) if tokens[0] in ("AND", "OR") else "AND"
        left = _joined(operator, left, _operand(tokens, unknown))
    return left


def _joined(operator: str, left: Test, right: Test) -> Test:
    if operator == "AND":
        return lambda version: left(version) and right(version)
    return lambda version: left(version) or right(version)


def _operand(tokens: list[str], unknown: list[str]) -> Test:
    token = tokens.pop(0)
    if token == "(":
        inner = _expression(tokens, unknown)
        assert tokens.pop(0) == ")"
        return inner
    return _single(token, unknown)


def _single(token: str, unknown: list[str]) -> Test:
    if token.endswith("[pmcrdat]"):
        first, last = (date(*map(int, day.split("/"))) for day in token[:-9].split(":"))
        return lambda version: first <= version.entered <= last
    if token.endswith("[pdat]"):
        first_year, last_year = map(int, token[:-6].split(":"))
        return lambda version: first_year <= version.published <= last_year
    if found := LICENCE_FILTER.fullmatch(token):
        code = found.group(1).upper().replace("_", " ")
        return lambda version: version.licence == code
    if token in ("open_access[filter]", "author_manuscript[filter]"):
        manuscript = token.startswith("author")
        return lambda version: (version.licence == "TDM") == manuscript
    if token.endswith("]"):
        unknown.append(token)
        return lambda _version: True
    if re.fullmatch(r"PMC\d+", token):
        return lambda version: version.pmcid == token
    word = token.strip('"').lower()
    return lambda version: word in version.title.lower()

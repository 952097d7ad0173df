"""Keeping the corpus as PubMed Central has it: what to fetch, replace, relabel, retire or pass over.

Pure decisions from what is known and what is served. They stand with the corpus and not with the PMC
resource, because which papers are wanted is a rule of the corpus; the resource only tells what there is. An
article that could not be looked at is not among the served ones, and nothing is decided about it: it stays as
it is known, and is to be looked at again the next night.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from aimsciqa_resources.pmc.articles import LICENCE_CODES, ArticleVersion, derivatives_allowed

Action = Literal["fetch", "replace", "relabel", "retire", "pass_over"]
Status = Literal["in", "withdrawn", "retracted", "licence", "no_xml", "pending"]

WANTED_LICENCES = frozenset(code for code in LICENCE_CODES if derivatives_allowed(code))
_FEW = 20


class TooManyWithdrawnError(RuntimeError):
    """So many papers do not disappear in a night: rather the bucket has moved, or its listing is broken."""


@dataclass(frozen=True, slots=True)
class KnownArticle:
    """What the corpus knows about an article since it last looked; `status` is "in", or why it is not.

    `version` 0: the bucket had no such article. `pending`: it was found, and could not be had yet.
    """

    pmcid: str
    status: Status
    version: int = 0
    etag: str = ""
    xml_md5: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done about an article, and what is known about it once that is done.

    To fetch or replace, `article.xml` has to be had first; relabel changes only what is said about a paper.
    """

    action: Action
    after: KnownArticle
    article: ArticleVersion | None = None


def to_look_at(found: Iterable[str], known: Iterable[KnownArticle], moved: Iterable[str]) -> list[str]:
    """The articles to look at tonight: `found` by the search, `moved` on in the inventory, or pending."""
    pending = (article.pmcid for article in known if article.status == "pending")
    return sorted({*found, *moved, *pending})


def decide(
    known: Mapping[str, KnownArticle],
    served: Mapping[str, ArticleVersion | None],
    licences: Collection[str] = WANTED_LICENCES,
    most_withdrawn: float = 0.05,
) -> list[Change]:
    """The changes that make the corpus what is served, by PMCID; none where nothing changed.

    `served` has the newest version of every article that was looked at, None where there is none. Raises
    `TooManyWithdrawnError` when more than this share of the papers would go in one night.
    """
    changes = []
    for pmcid, article in sorted(served.items()):
        before = known.get(pmcid)
        after = _known(pmcid, article, licences)
        if after != before:
            changes.append(Change(_action(before, after), after, article))
    papers = sum(article.status == "in" for article in known.values())
    withdrawn = sum(change.action == "retire" and change.article is None for change in changes)
    if withdrawn > max(_FEW, most_withdrawn * papers):
        raise TooManyWithdrawnError(
            f"{withdrawn} of {papers} papers are not in the bucket any more. Nothing was changed: look "
            "whether the bucket is where it was."
        )
    return changes


def pending(pmcid: str, known: KnownArticle | None) -> KnownArticle:
    """What is known after an attempt that failed: as before, and of a new article that it is to be had."""
    return known or KnownArticle(pmcid, "pending")


def _known(pmcid: str, article: ArticleVersion | None, licences: Collection[str]) -> KnownArticle:
    if article is None:
        return KnownArticle(pmcid, "withdrawn")
    return KnownArticle(
        pmcid,
        _status(article, licences),
        article.version,
        article.etag,
        article.xml.md5 if article.xml else "",
        article.license_code,
    )


def _status(article: ArticleVersion, licences: Collection[str]) -> Status:
    if article.is_retracted:
        return "retracted"
    if article.license_code not in licences:
        return "licence"
    return "in" if article.xml else "no_xml"


def _action(before: KnownArticle | None, after: KnownArticle) -> Action:
    held = before is not None and before.status == "in"
    if after.status != "in":
        return "retire" if held else "pass_over"
    if before is None or not held:
        return "fetch"
    same = (before.version, before.xml_md5) == (after.version, after.xml_md5)
    return "relabel" if same else "replace"

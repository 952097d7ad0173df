"""Keeping the corpus as PubMed Central has it: what to fetch, replace, relabel, retire or pass over.

Pure decisions from what is known and what is served. They stand with the corpus and not with the PMC
resource, because which papers are wanted is a rule of the corpus; the resource only tells what there is. An
article that could not be looked at is not among the served ones, and nothing is decided about it: it stays as
it is known, and is to be looked at again the next night.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from aimsciqa_assets.tables.vocabulary import ArticleStatus

if TYPE_CHECKING:
    from aimsciqa_resources.pmc.articles import ArticleVersion

Action = Literal["fetch", "replace", "relabel", "retire", "pass_over"]

_FEW = 20


class TooManyWithdrawnError(RuntimeError):
    """So many papers do not disappear in a night: rather the bucket has moved, or its listing is broken."""


@dataclass(frozen=True, slots=True)
class KnownArticle:
    """What the corpus knows about an article since it last looked; `status` is "in", or why it is not.

    `version` 0: the bucket had no such article. `pending`: it was found, and could not be had yet. `wanted`
    are the licences under which it is wanted, none: any.
    """

    pmcid: str
    status: ArticleStatus
    version: int = 0
    etag: str = ""
    xml_md5: str = ""
    licence: str = ""
    retracted: bool = False
    wanted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done about an article, and what is known about it once that is done.

    To fetch or replace, `article.xml` has to be had first; relabel changes only what is said about a paper.
    """

    action: Action
    after: KnownArticle
    article: "ArticleVersion | None" = None


def to_look_at(found: Iterable[str], known: Mapping[str, KnownArticle], moved: Iterable[str]) -> list[str]:
    """The articles to look at: `found` ones that are not in, `moved` on in the inventory, or pending."""
    outside = (pmcid for pmcid in found if pmcid not in known or known[pmcid].status != "in")
    pending = (pmcid for pmcid, article in known.items() if article.status == "pending")
    return sorted({*outside, *(set(moved) & set(known)), *pending})


def decide(
    known: Mapping[str, KnownArticle],
    served: "Mapping[str, ArticleVersion | None]",
    wanted: Mapping[str, tuple[str, ...]],
) -> list[Change]:
    """The changes that make the corpus what is served, by PMCID; none where nothing changed.

    `served` has the newest version of every article that was looked at, None where there is none; `wanted`
    the licences of those that are wanted under others than before.
    """
    changes = []
    for pmcid, article in sorted(served.items()):
        before = known.get(pmcid)
        after = _known(pmcid, article, wanted.get(pmcid, before.wanted if before else ()))
        if after != before:
            changes.append(Change(_action(before, after), after, article))
    return changes


def check_withdrawals(withdrawn: int, papers: int, most: float) -> None:
    """Raises `TooManyWithdrawnError` when more papers are gone than 20 and this share of all."""
    if withdrawn > max(_FEW, most * papers):
        raise TooManyWithdrawnError(
            f"{withdrawn} of {papers} papers are not in the bucket any more. They were left as they are: "
            "look whether the bucket is where it was. If they are gone indeed: AIMSCIQA_PMC_MOST_WITHDRAWN=1."
        )


def is_withdrawal(change: Change) -> bool:
    """Whether a paper is retired because the bucket has it no more."""
    return change.action == "retire" and change.article is None


def pending(pmcid: str, known: KnownArticle | None, wanted: tuple[str, ...]) -> KnownArticle:
    """What is known after an attempt that failed: as before, and of a new article that it is to be had."""
    return known or KnownArticle(pmcid, "pending", wanted=wanted)


def _known(pmcid: str, article: "ArticleVersion | None", wanted: tuple[str, ...]) -> KnownArticle:
    if article is None:
        return KnownArticle(pmcid, "withdrawn", wanted=wanted)
    return KnownArticle(
        pmcid,
        _status(article, wanted),
        article.version,
        article.etag,
        article.xml.md5 if article.xml else "",
        article.license_code,
        article.is_retracted,
        wanted,
    )


def _status(article: "ArticleVersion", wanted: Collection[str]) -> ArticleStatus:
    if wanted and article.license_code not in wanted:
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

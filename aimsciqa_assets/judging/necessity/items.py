"""An item as the ledger sees it: its documents, its hops, and what it quotes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.items import kind_of

Row = Mapping[str, Any]
_YES_NO: Final = frozenset({"yes", "no"})


@dataclass(frozen=True, slots=True)
class Source:
    """A document of an item: its role, the paper, its title, whether the reader has it from the start."""

    role: str
    paper_id: str
    title: str
    in_hand: bool


@dataclass(frozen=True, slots=True)
class Hop:
    """A sub-question that the document of a role answers; `question` is "" where only a quote is known.

    `bridge` is what the question takes from an earlier hop.
    """

    role: str
    question: str
    answer: str
    bridge: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An accepted item of any kind."""

    item_id: str
    variant: str
    question: str
    answer: str
    sources: tuple[Source, ...]
    hops: tuple[Hop, ...]
    quotes: Mapping[str, tuple[str, ...]]
    """The quotes of each document, by role."""

    @property
    def papers(self) -> frozenset[str]:
        """The ids of its documents."""
        return frozenset(source.paper_id for source in self.sources)

    @property
    def tables(self) -> bool:
        """Return whether its quotes may stand in tables and captions."""
        return kind_of(self.variant).tables

    @property
    def is_yes_no(self) -> bool:
        """Whether the answer is yes or no."""
        return self.answer.strip().rstrip(".!").casefold() in _YES_NO

    @property
    def last(self) -> Source:
        """The document of the last hop: the one that a twin or another value takes the fact from."""
        role = self.hops[-1].role if self.hops else self.sources[-1].role
        return next(source for source in self.sources if source.role == role)


def item_of(row: Row) -> Item:
    """An item from a row of `necessity/items.sql`.

    Without hops of its own, the first quote of each document is a hop: its QA pair, else the quote itself.
    """
    quotes: dict[str, tuple[str, ...]] = {}
    for quote in row["quotes"] or []:
        quotes[quote["role"]] = (*quotes.get(quote["role"], ()), quote["evidence"])
    return Item(
        row["item_id"],
        row["variant"],
        row["question"],
        row["answer"],
        tuple(Source(one["role"], one["paper_id"], one["title"], one["in_hand"]) for one in row["documents"]),
        tuple(_hops(row)),
        quotes,
    )


def _hops(row: Row) -> list[Hop]:
    if row["hops"]:
        return [Hop(hop["role"], hop["question"], hop["answer"], hop["bridge"] or "") for hop in row["hops"]]
    firsts: dict[str, Row] = {}
    for quote in row["quotes"] or []:
        firsts.setdefault(quote["role"], quote)
    return [
        Hop(role, quote["question"] or "", quote["answer"] or quote["evidence"])
        for role, quote in firsts.items()
    ]

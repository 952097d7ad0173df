"""Relabelling: a model sees a question and the cards of papers, and names the papers that it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.task import json_task
from aimsciqa_assets.findings.replies import Relabelling
from aimsciqa_assets.findings.wording import Shown, card_text
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

RELABELLING: Final = json_task("findings_relabelling", Relabelling)


@dataclass(frozen=True, slots=True)
class Relabelled:
    """The papers that a model was shown with a question, and those that it named; None: no usable reply."""

    item_id: str
    shown: tuple[str, ...]
    named: tuple[str, ...] | None
    reason: str
    failure: str | None = None


def shown_papers(
    item_id: str, papers: Sequence[str], near: Mapping[str, Sequence[str]], count: int
) -> list[str]:
    """Return the papers of an item and those nearest to them, `count` in all if there are so many.

    Their order gives nothing away.
    """
    # A paper without a vector has no neighbours: a trial brought it in, or it is another row already.
    ranks = zip_longest(*(near.get(paper, ()) for paper in papers))
    listed = list(dict.fromkeys(filter(None, chain(papers, *ranks))))[: max(count, len(papers))]
    return sorted(listed, key=lambda paper: row_id("relabelling", item_id, paper))


def relabelled(
    item_id: str, question: str, papers: Sequence[str], cards: Mapping[str, Row]
) -> Dialogue[Relabelled]:
    """Ask which of some papers a question needs."""
    shown = Shown.of(papers, [])
    outcome = yield from RELABELLING.ask(
        item_id,
        question=question,
        cards=[card_text(shown.letters[paper], cards[paper]) for paper in papers],
    )
    if outcome.value is None:
        return Relabelled(item_id, tuple(papers), None, outcome.reason or "", outcome.failure)
    named = [shown.paper(letter) for letter in outcome.value.papers]
    known = tuple(sorted({paper for paper in named if paper is not None}))
    return Relabelled(item_id, tuple(papers), known, outcome.value.reason)


def relabelling_row(
    relabelling: Relabelled, papers: Sequence[str], batch: str, made_by: Mapping[str, str]
) -> Row:
    """Return the row of `findings.relabellings`; `papers` are those that the item rests on."""
    named = relabelling.named
    return {
        "item_id": relabelling.item_id,
        "batch": batch,
        "shown": list(relabelling.shown),
        "named": None if named is None else list(named),
        "agrees": None if named is None else set(named) == set(papers),
        "reason": relabelling.reason,
        **made_by,
    }

"""What is read for each item in each setting: which papers, by whose choice, or why it cannot be put."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.language_model.recorded import NOT_RECORDED

from aimsciqa_assets.asking.json_replies import MALFORMED
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.markers import Citations
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from aimsciqa_assets.items import kind_of
from aimsciqa_assets.items.form import alone, alone_setting, gold_papers, papers_in_hand
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

NO_RANKING = "no_ranking"
NO_TEXT = "no_text"
MALFORMED_MARKER = "malformed_marker"
NOT_PUT = frozenset({NO_RANKING, NO_TEXT, NOT_RECORDED})
"""Reasons for which a question could not be put at all: such a row counts in no measure."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An item in a setting.

    `given` are the papers of the item that are read, `found` those that were retrieved or chosen. `marker`
    and `reply` are of the citation setting: what the model chose, and in what words. `reason` says why
    nothing is asked.
    """

    answer_id: str
    item: Row
    setting: str
    given: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    retriever: str | None = None
    marker: str | None = None
    reply: str | None = None
    reason: str | None = None

    @property
    def found_target(self) -> bool | None:
        """Whether what was retrieved or chosen are the gold papers; None where they were given."""
        if self.setting not in ("realistic", "citation") or self.reason in NOT_PUT:
            return None
        return set(gold_papers(self.item["documents"])) <= set(self.found)

    @property
    def papers(self) -> list[str]:
        """The papers to be read."""
        return [*self.given, *self.found]

    @property
    def in_hand(self) -> list[str]:
        """Those of them that the reader has from the start."""
        in_hand = papers_in_hand(self.item["documents"])
        return [paper for paper in self.given if paper in in_hand]

    @property
    def others(self) -> list[str]:
        """Those of them that are not in hand."""
        in_hand = self.in_hand
        return [paper for paper in self.papers if paper not in in_hand]


def plain_readings(
    queries: Iterable[Row], answerer: str, retriever: str | None, retrieved: Mapping[str, Sequence[str]]
) -> Iterator[Reading]:
    """Every setting of an item's kind but the citation's.

    `queries` are rows of `benchmark/evaluated.sql`, `retrieved` the papers that the retriever ranks first, by
    item.
    """
    for item in queries:
        settings, documents = kind_of(item["variant"]).settings, item["documents"]

        def reading(setting: str, item: Row = item, **read: Any) -> Reading:
            return Reading(answer_id_of(answerer, item["item_id"], setting), item, setting, **read)

        yield reading("oracle", given=tuple(document["paper_id"] for document in documents))
        if "alone" in settings:
            for role, paper in alone(documents).items():
                yield reading(alone_setting(role), given=(paper,))
        if "closed_book" in settings:
            yield reading("closed_book")
        if "realistic" in settings:
            found = retrieved.get(item["item_id"], ())[: len(gold_papers(documents))]
            yield reading(
                "realistic",
                given=tuple(papers_in_hand(documents)),
                found=tuple(found),
                retriever=retriever,
                reason=None if found else NO_RANKING,
            )


def first_retrieved(rankings: pl.DataFrame) -> dict[str, list[str]]:
    """The first papers by item, of rows with `item_id, setting, papers`: in its cluster, else among all."""
    ordered = rankings.filter(pl.col("papers").list.len() > 0).sort("item_id", pl.col("setting") != "cluster")
    found: dict[str, list[str]] = {}
    for item, papers in ordered.select("item_id", "papers").iter_rows():
        found.setdefault(item, papers)
    return found


def answer_id_of(answerer: str, item_id: str, setting: str) -> str:
    """Id of an answer."""
    return row_id(answerer, item_id, setting)


def marker_dialogues(
    items: Iterable[Row], citations: Mapping[str, Citations], texts: Mapping[str, str]
) -> Iterator[Dialogue[Outcome[str]]]:
    """One per item whose source has a text; the key is the item."""
    for item in items:
        (source,) = papers_in_hand(item["documents"])
        if source in texts:
            yield CITATION_MARKER.ask(
                row_id(item["item_id"], "marker"),
                question=item["query"],
                source_paper=texts[source],
                citing_sentences=citations.get(source, Citations()).lines,
            )


def cited_readings(
    outcomes: Iterable[Outcome[str]],
    items: Sequence[Row],
    answerer: str,
    citations: Mapping[str, Citations],
) -> Iterator[Reading]:
    """The citation setting: the paper that the chosen marker leads to. What was not asked has no text."""
    by_key = {outcome.key: outcome for outcome in outcomes}
    for item in items:
        (source,) = papers_in_hand(item["documents"])
        answer_id = answer_id_of(answerer, item["item_id"], "citation")
        outcome = by_key.get(row_id(item["item_id"], "marker"))
        if outcome is None:
            yield Reading(answer_id, item, "citation", given=(source,), reason=NO_TEXT)
            continue
        marker = outcome.value
        cited = citations.get(source, Citations())
        second = cited.paper_of(marker) if marker is not None else None
        reason = None
        if marker is None:
            reason = MALFORMED_MARKER if outcome.reason == MALFORMED else outcome.reason
        elif second is None:
            reason = cited.fault_of(marker)
        yield Reading(
            answer_id,
            item,
            "citation",
            given=(source,),
            found=(second,) if second else (),
            marker=marker,
            reply=outcome.text,
            reason=reason,
        )


def with_texts(readings: Iterable[Reading], texts: Mapping[str, str]) -> list[Reading]:
    """The same, where a paper that has to be read has no text with that as the reason."""
    return [
        reading
        if reading.reason or all(paper in texts for paper in reading.papers)
        else replace(reading, reason=NO_TEXT)
        for reading in readings
    ]


def answering_dialogues(
    readings: Iterable[Reading], texts: Mapping[str, str]
) -> Iterator[Dialogue[Outcome[str]]]:
    """One per reading that can be put: the papers in hand one after the other, and so the others."""
    for reading in readings:
        if reading.reason is None:
            yield ANSWERING.ask(
                reading.answer_id,
                question=reading.item["question"],
                source_paper="\n\n".join(texts[paper] for paper in reading.in_hand),
                second_paper="\n\n".join(texts[paper] for paper in reading.others),
            )

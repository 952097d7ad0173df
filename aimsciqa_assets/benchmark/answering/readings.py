"""The papers that a model reads for each item in each setting, or the reason why it is not asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import polars as pl
from aimsciqa_resources.language_model import Dialogue, beginning_with
from aimsciqa_resources.language_model.recorded import NOT_RECORDED

from aimsciqa_assets.asking.json_replies import AMBIGUOUS, MALFORMED
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.markers import Citations, NoPaper
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from aimsciqa_assets.items import kind_of
from aimsciqa_assets.items.form import alone, alone_setting, gold_papers, papers_in_hand
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

NO_RANKING = "no_ranking"
NO_TEXT = "no_text"
NO_MODEL = "no_model"
"""Rules and people answer in no RAG baseline."""
MALFORMED_MARKER = "malformed_marker"
_LEADS_NOWHERE = frozenset({MALFORMED_MARKER, *get_args(NoPaper)})
NOT_ASKED = frozenset({NO_RANKING, NO_TEXT, NO_MODEL, NOT_RECORDED})
"""Reasons for which a question could not be asked at all. Such a row counts in no measure."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An item in a setting.

    `given` are the papers that the setting gives to the model, `found` those that were retrieved or chosen.
    In the citation setting, `marker` is the marker that the model chose, `marker_fault` why it leads to no
    paper, and `reply` its reply. `reason` says why the question is not asked.
    """

    answer_id: str
    item: Row
    setting: str
    given: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    retriever: str | None = None
    marker: str | None = None
    marker_fault: str | None = None
    reply: str | None = None
    reason: str | None = None

    @property
    def found_target(self) -> bool | None:
        """Whether all gold papers were retrieved or chosen; None where none had to be found."""
        if not finds_papers(self.setting) or self.reason in NOT_ASKED:
            return None
        gold = set(gold_papers(self.item["documents"]))
        return gold <= set(self.found) if gold else None

    @property
    def papers(self) -> list[str]:
        """The papers to be read."""
        return [*self.given, *self.found]

    @property
    def in_hand(self) -> list[str]:
        """The papers to be read that the reader has from the start."""
        in_hand = papers_in_hand(self.item["documents"])
        return [paper for paper in self.given if paper in in_hand]

    @property
    def others(self) -> list[str]:
        """The papers to be read that are not in hand."""
        in_hand = self.in_hand
        return [paper for paper in self.papers if paper not in in_hand]


def finds_papers(setting: str) -> bool:
    """Whether papers are retrieved or chosen in a setting: `realistic`, `citation`, and the RAG baselines."""
    return setting in ("realistic", "citation") or setting.startswith("rag_")


def plain_readings(
    queries: Iterable[Row],
    answerer: str,
    retriever: str | None,
    retrieved: Mapping[str, Sequence[str]],
    passages_retriever: str | None = None,
) -> Iterator[Reading]:
    """Each item in every setting of its kind, except the citation setting.

    `queries` are rows of `benchmark/evaluated.sql`, `retrieved` the papers that the retriever ranks first, by
    item. `passages_retriever` finds the passages of the setting of that name.
    """
    for item in queries:
        settings, documents = kind_of(item["variant"]).settings, item["documents"]

        def reading(setting: str, item: Row = item, **read: Any) -> Reading:
            return Reading(answer_id_of(answerer, item["item_id"], setting), item, setting, **read)

        every = tuple(document["paper_id"] for document in documents)
        in_hand = tuple(papers_in_hand(documents))
        yield reading("oracle", given=every)
        if "alone" in settings:
            for role, paper in alone(documents).items():
                yield reading(alone_setting(role), given=(paper,))
        if "closed_book" in settings:
            yield reading("closed_book")
        if "title_abstract" in settings:
            yield reading("title_abstract", given=every)
        if "passages" in settings:
            yield reading("passages", given=in_hand, retriever=passages_retriever)
        if "segments" in settings:
            yield reading("segments", given=in_hand)
        if "realistic" in settings:
            found = retrieved.get(item["item_id"], ())[: len(gold_papers(documents))]
            yield reading(
                "realistic",
                given=in_hand,
                found=tuple(found),
                retriever=retriever,
                reason=None if found else NO_RANKING,
            )


def first_retrieved(rankings: pl.DataFrame) -> dict[str, list[str]]:
    """The ranked papers of each item, from its cluster if it has one, else from all papers.

    `rankings` has `item_id, setting, papers`.
    """
    ordered = rankings.filter(pl.col("papers").list.len() > 0).sort("item_id", pl.col("setting") != "cluster")
    found: dict[str, list[str]] = {}
    for item, papers in ordered.select("item_id", "papers").iter_rows():
        found.setdefault(item, papers)
    return found


def answer_id_of(answerer: str, item_id: str, setting: str) -> str:
    """The id of an answer."""
    return row_id(answerer, item_id, setting)


def marker_dialogues(
    items: Iterable[Row], citations: Mapping[str, Citations], texts: Mapping[str, str]
) -> Iterator[Dialogue[Outcome[str]]]:
    """One dialogue per item whose source has a text."""
    for item in items:
        (source,) = papers_in_hand(item["documents"])
        if source in texts:
            marker = CITATION_MARKER.ask(
                row_id(item["item_id"], "marker"),
                question=item["query"],
                source_paper=texts[source],
                citing_sentences=citations.get(source, Citations()).lines,
            )
            yield beginning_with(source, marker)


def cited_readings(
    outcomes: Iterable[Outcome[str]],
    items: Sequence[Row],
    answerer: str,
    citations: Mapping[str, Citations],
    *,
    without: bool = False,
) -> Iterator[Reading]:
    """Readings of the citation setting, with the paper that the chosen marker leads to.

    `without` one, the question is asked with the source alone, or else not at all.
    An item without an outcome was not asked, because its source has no text.
    """
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
        fault: str | None = None
        if marker is None:
            fault = MALFORMED_MARKER if outcome.reason in (MALFORMED, AMBIGUOUS) else outcome.reason
        elif second is None:
            fault = cited.fault_of(marker)
        yield Reading(
            answer_id,
            item,
            "citation",
            given=(source,),
            found=(second,) if second else (),
            marker=marker,
            marker_fault=fault,
            reply=outcome.text,
            reason=None if without and fault in _LEADS_NOWHERE else fault,
        )


def with_texts(readings: Iterable[Reading], texts: Mapping[str, str]) -> list[Reading]:
    """The readings; one with a paper that has no text gets the reason `no_text`."""
    return [
        reading
        if reading.reason or all(paper in texts for paper in reading.papers)
        else replace(reading, reason=NO_TEXT)
        for reading in readings
    ]


def answering_dialogues(
    readings: Iterable[Reading], texts: Mapping[str, str]
) -> Iterator[Dialogue[Outcome[str]]]:
    """One dialogue per reading without a reason."""
    for reading in readings:
        if reading.reason is None:
            yield asked(reading, texts)


def asked(reading: Reading, texts: Mapping[str, str]) -> Dialogue[Outcome[str]]:
    """The question with the papers of a reading, by `texts`: those in hand, then the others.

    A pair is a question about a paper in hand and one that it describes.
    """
    documents = reading.item["documents"]
    pair = len(documents) == 2 and len(papers_in_hand(documents)) == len(gold_papers(documents)) == 1
    named = [
        *(("source_paper", paper) for paper in reading.in_hand),
        *(("second_paper" if pair else "paper", paper) for paper in reading.others),
    ]
    answer = ANSWERING.ask(
        reading.answer_id,
        question=reading.item["question"],
        pair=pair,
        papers=[{"name": name, "text": texts[paper]} for name, paper in named],
    )
    return (yield from beginning_with(named[0][1] if named else reading.answer_id, answer))

"""What is read for each item in each setting: which papers, by whose choice, or why it cannot be put."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.json_replies import MALFORMED
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.markers import Citations
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

NO_RANKING = "no_ranking"
NO_TEXT = "no_text"
MALFORMED_MARKER = "malformed_marker"
NOT_PUT = frozenset({NO_RANKING, NO_TEXT})
"""Reasons for which a question could not be put at all: such a row counts in no measure."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An item in a setting.

    `source` says whether the source paper is read, `second` is the other paper. `marker` and `reply` are of
    the citation setting: what the model chose, and in what words. `reason` says why nothing is asked.
    """

    answer_id: str
    item: Row
    setting: str
    source: bool = False
    second: str | None = None
    retriever: str | None = None
    marker: str | None = None
    reply: str | None = None
    reason: str | None = None

    @property
    def found_target(self) -> bool | None:
        """Whether the paper that was retrieved or chosen is the gold one; None where it was given."""
        if self.setting not in ("realistic", "citation") or self.reason in NOT_PUT:
            return None
        return bool(self.second == self.item["target_paper_id"])

    @property
    def papers(self) -> list[str]:
        """The papers to be read."""
        source = [self.item["source_paper_id"]] if self.source else []
        return source + ([self.second] if self.second else [])


def plain_readings(
    queries: Iterable[Row], answerer: str, retriever: str | None, first: Mapping[str, str]
) -> Iterator[Reading]:
    """Every setting but the citation's. `first` is the paper that the retriever ranks first, by item."""
    for item in queries:
        target = item["target_paper_id"]

        def reading(setting: str, item: Row = item, **read: Any) -> Reading:
            return Reading(answer_id_of(answerer, item["item_id"], setting), item, setting, **read)

        yield reading("oracle", source=True, second=target)
        yield reading("source_only", source=True)
        yield reading("target_only", second=target)
        yield reading("closed_book")
        retrieved = first.get(item["item_id"])
        yield reading(
            "realistic",
            source=True,
            second=retrieved,
            retriever=retriever,
            reason=None if retrieved else NO_RANKING,
        )


def answer_id_of(answerer: str, item_id: str, setting: str) -> str:
    """Id of an answer."""
    return row_id(answerer, item_id, setting)


def marker_dialogues(
    items: Iterable[Row], citations: Mapping[str, Citations], texts: Mapping[str, str]
) -> Iterator[Dialogue[Outcome[str]]]:
    """One per item whose source has a text; the key is the item."""
    for item in items:
        source = item["source_paper_id"]
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
        answer_id = answer_id_of(answerer, item["item_id"], "citation")
        outcome = by_key.get(row_id(item["item_id"], "marker"))
        if outcome is None:
            yield Reading(answer_id, item, "citation", source=True, reason=NO_TEXT)
            continue
        marker = outcome.value
        cited = citations.get(item["source_paper_id"], Citations())
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
            source=True,
            second=second,
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
    """One per reading that can be put."""
    for reading in readings:
        if reading.reason is None:
            yield ANSWERING.ask(
                reading.answer_id,
                question=reading.item["question"],
                source_paper=texts[reading.item["source_paper_id"]] if reading.source else "",
                second_paper=texts[reading.second] if reading.second else "",
            )

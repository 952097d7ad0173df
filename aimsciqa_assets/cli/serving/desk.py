"""What the review page asks for and brings back: the items to review, one with its evidence, a review."""

from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.files import json_of
from aimsciqa_assets.judging.review.reviews import Row, add_review, read_review
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.release.report.assets import PAGE, TABLE, reader_of
from aimsciqa_assets.release.report.browsing import Browsed
from aimsciqa_assets.release.report.page import article_of
from aimsciqa_assets.settings import Settings

_SHORT = 240


@dataclass(frozen=True, slots=True)
class Desk:
    """The items of a home and its reviews. Every method may be called from several threads."""

    warehouse: Warehouse
    settings: Settings

    @property
    def name(self) -> str:
        """The name of the dataset."""
        return self.settings.release.name

    def report(self) -> bytes | None:
        """The report as it was last written; None before the first time."""
        Home(self.warehouse.home).fetch(TABLE)
        page = self.warehouse.home / PAGE
        return page.read_bytes() if page.is_file() else None

    def items(self) -> list[Row]:
        """The accepted items whose text may be passed on, the best first, with what each reviewer decided."""
        listed = Browsed.of(reader_of(self.warehouse), self.settings.release.report_items).listed
        reviews = self.warehouse.read(query_of("review.latest").text)
        by_item = {row["item_id"]: row["reviews"] for row in reviews.iter_rows(named=True)}
        decisions = self._decisions()
        return [
            {
                "id": row["item_id"],
                "variant": row["variant"],
                "split": row["split"] or "none",
                "question": row["question"][:_SHORT],
                "decision": decisions[row["item_id"]]["decision"] if row["item_id"] in decisions else None,
                "reviews": by_item.get(row["item_id"], []),
                "searched": " ".join([row["question"], row["answer"], *row["titles"]]).lower(),
            }
            for row in listed
            if row["status"] == "accepted" and row["shown"]
        ]

    def item(self, item_id: str) -> Row | None:
        """An item: its article as HTML, its texts as they were made and as they are now, and its reviews."""
        found = self._row(item_id)
        if found is None:
            return None
        return {
            "id": item_id,
            "html": article_of(found, 1, 1),
            "of_question": found["question"],
            "of_answer": found["answer"],
            "question": found["edited_question"] or found["question"],
            "answer": found["edited_answer"] or found["answer"],
            "decision": found["review"],
            "reviews": found["reviews"] or [],
        }

    def add(self, body: bytes) -> Row:
        """Append a review given as JSON; returns what was written. Raises `ReviewError`."""
        try:
            values = json_of(body)
        except ValueError:
            values = None
        return add_review(read_review(values), self.warehouse)

    def _row(self, item_id: str) -> dict[str, Any] | None:
        rows = reader_of(self.warehouse)(query_of("browse.articles"), {"ids": [item_id]})
        usable = [row for row in rows if row["status"] == "accepted" and row["shown"]]
        if not usable:
            return None
        now = self._decisions().get(item_id, {})
        return usable[0] | {
            "review": now.get("decision"),
            "edited_question": now.get("question"),
            "edited_answer": now.get("answer"),
        }

    def _decisions(self) -> dict[str, Row]:
        """What follows from the reviews as they are now; their table has what the last run made of them."""
        query = query_of("benchmark.review_decisions")
        rows = self.warehouse.read(query.text, query.parameters(self.settings))
        return {row["item_id"]: row for row in rows.iter_rows(named=True)}

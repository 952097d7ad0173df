"""Carries out what agents do: Query in the sandbox, Retrieve over the vectors, View of a paper's pages.

It keeps nothing of an example: the papers that a question names travel with the call. So any number of
examples, in any number of threads, share one environment. What an agent does wrong is an observation, which
it reads; what is wrong with this home raises.
"""

import os
from base64 import b64decode
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from threading import Semaphore
from typing import Any, Final, Protocol
from uuid import UUID

from aimsciqa_resources.tokens import token_counts

from aimsciqa_assets.airqa.actions.signatures import ACTIONS, ALL_PAPERS, Call
from aimsciqa_assets.airqa.sandbox.observations import CountTokens, Query, Shown, text_of
from aimsciqa_assets.reading.isolation import Limits, Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError

NOTHING_FOUND: Final = "[Warning]: Nothing was found. Use other words, or other papers."
_COLUMNS: Final = (
    *("pdf_id", "title", "page_number", "table_name", "column_name"),
    *("primary_key", "score", "text"),
)
"""`OBSERVATION_FORM` in the settings of runs counts the changes of these."""
_LONGEST_TITLE: Final = 200
"""Characters; a shorter cut would lead to titles as answers that are not whole."""
_NAMED: Final = 5
PICTURE_LIMITS: Final = Limits(memory=1024 * 2**20, cpu_seconds=20.0, wall_seconds=60.0)


@dataclass(frozen=True, slots=True)
class Observation:
    """What an agent sees. `error` is one word for what was wrong, None when nothing was; `image` a PNG."""

    text: str
    error: str | None = None
    image: bytes | None = None


class Environment(Protocol):
    """Carries out the actions of all agents."""

    def carry_out(self, call: Call, anchors: Sequence[str]) -> Observation:
        """What the action gives; `anchors` are the ids of the papers to search, or none for all papers."""


class Found(Protocol):
    """A piece of text that a search found."""

    @property
    def pdf_id(self) -> str: ...
    @property
    def page_number(self) -> int: ...
    @property
    def table(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def primary_key(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def title(self) -> str: ...


class Search(Protocol):
    """Finds the texts of the store that are nearest to queries (`airqa.store.searching`)."""

    def search(
        self, queries: Sequence[str], limit: int, papers: Sequence[Sequence[str]] | None = None
    ) -> Sequence[Sequence[Found]]:
        """For each query its nearest texts, the nearest first; `papers` are those to search, by query."""

    def unknown(self, papers: Sequence[str]) -> list[str]:
        """Those of some ids that no paper has."""


class Pages:
    """Pictures of the papers' pages; each is made in a process of its own, a few at once.

    `files` gives the id of the stored file of a paper, `load` the first bytes of such a file.
    """

    def __init__(self, files: Mapping[str, str], load: Load) -> None:
        self._files = files
        self._load = load
        self._free = Semaphore(min(4, os.cpu_count() or 1))

    def show(self, paper_id: str, page_number: int, box: Sequence[float]) -> bytes:
        """The PNG of a page, or of a box on it; raises `RejectedFileError`, and what `load` raises."""
        from aimsciqa_assets.reading.pdf.picture import picture

        file_id = self._files.get(paper_id)
        if file_id is None:
            raise RejectedFileError("no_such_paper", "metadata.paper_id has the ids of all papers")
        asked: dict[str, Any] = {"file_id": file_id, "page_number": page_number, "box": list(box)}
        with self._free, closing(read_isolated(picture, [asked], self._load, PICTURE_LIMITS)) as made:
            png = next(made)
        if isinstance(png, RejectedFileError):
            raise png
        return b64decode(png)


class StoreEnvironment:
    """The environment over one paper store. Without `search` or `pages`, their actions are errors."""

    def __init__(
        self,
        query: Query,
        search: Search | None = None,
        pages: Pages | None = None,
        *,
        shown: Shown | None = None,
        count_tokens: CountTokens = token_counts,
    ) -> None:
        self._query = query
        self._search = search
        self._pages = pages
        self._shown = shown or Shown()
        self._count_tokens = count_tokens

    def carry_out(self, call: Call, anchors: Sequence[str]) -> Observation:
        """What the action gives. Raises `ValueError` for the answer, which ends the loop and is none of it.

        Raises `UnfitWorkerError`, `StoreSearchError` and `StoredFileError` when the home cannot be used.
        """
        given = call.arguments
        does = ACTIONS[call.action].does or call.action
        if does == "Query":
            return self._queried(given["sql"])
        if does == "Retrieve" and self._search:
            return self._retrieved(self._search, given, anchors)
        if does == "View" and self._pages:
            return _viewed(self._pages, given["paper_id"], given["page_number"], given["bounding_box"])
        if does == "Answer":
            raise ValueError("An answer is not carried out: it ends the dialogue.")
        return Observation(f"[Error]: {call.action} is not at hand here. Use another action.", "unavailable")

    def _queried(self, sql: str) -> Observation:
        observed = self._query.observe(sql)
        if not observed.failed:
            return Observation(observed.text)
        return Observation(observed.text, "late" if observed.text.startswith("[TimeoutError]") else "sql")

    def _retrieved(self, search: Search, given: Mapping[str, Any], anchors: Sequence[str]) -> Observation:
        if not given["query"].strip():
            return Observation("[Error]: The query is empty. Say what to look for.", "arguments")
        papers = [as_id(one) for one in given["papers"]] if "papers" in given else list(anchors)
        if "papers" in given and ALL_PAPERS in papers:
            papers = []
        elif "papers" in given and (unknown := search.unknown(papers)):
            return _no_such_papers(unknown)
        most = min(given["limit"], self._shown.max_rows + 1)
        (found,) = search.search([given["query"]], most, [papers] if papers else None)
        if not found:
            return Observation(NOTHING_FOUND)
        return Observation(text_of([*map(_row, found)], _COLUMNS, self._shown, self._count_tokens))


def _row(found: Found) -> list[Any]:
    """What is shown of a piece of text, by `_COLUMNS`."""
    title = (
        found.title
        if len(found.title) <= _LONGEST_TITLE
        else f"{found.title[: _LONGEST_TITLE - 3].rstrip()}..."
    )
    place = (found.pdf_id, title, found.page_number, found.table, found.column, found.primary_key)
    return [*place, round(found.score, 4), found.text]


def _no_such_papers(unknown: Sequence[str]) -> Observation:
    named = ", ".join(one[:60] for one in unknown[:_NAMED]) + (", ..." if len(unknown) > _NAMED else "")
    return Observation(
        f"[Error]: The database has no papers with these ids: {named}. Give ids that the task or an "
        f'observation has shown, ["{ALL_PAPERS}"] to search every paper, or leave papers out.',
        "no_such_paper",
    )


def _viewed(pages: Pages, paper_id: str, page_number: int, box: Sequence[float]) -> Observation:
    try:
        image = pages.show(as_id(paper_id), page_number, box)
    except RejectedFileError as rejection:
        told = f"[Error]: Page {page_number} of {paper_id[:100]} cannot be shown"
        return Observation(f"{told} ({rejection.reason}): {rejection.detail}.", rejection.reason)
    part = f"the box {list(box)} on page" if box else "page"
    return Observation(f"The picture shows {part} {page_number} of {as_id(paper_id)}.", image=image)


def as_id(written: str) -> str:
    """The id as the store writes it; what is no UUID stays as it is, and is not found."""
    try:
        return str(UUID(written.strip()))
    except ValueError:
        return written

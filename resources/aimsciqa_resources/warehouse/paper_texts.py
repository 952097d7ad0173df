"""Reads titles, abstracts, texts and conferences of papers from a published paper store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from aimsciqa_resources.warehouse.errors import WarehouseBrokenError
from aimsciqa_resources.warehouse.opening import Config

_MEMORY: Final = "512MB"
_HEADS: Final = """
select paper_id::varchar, coalesce(title, ''), coalesce(abstract, '') from metadata
where paper_id::varchar in (select unnest($papers))
"""
_CONFERENCES: Final = """
select paper_id::varchar,
    case when conference_abbreviation = 'uncategorized' then conference_abbreviation
    else concat(regexp_replace(lower(conference_abbreviation), '[^a-z]', '', 'g'), pub_year) end
from metadata
"""
_PAGES: Final = """
select ref_paper_id::varchar, page_content from pages
where ref_paper_id::varchar in (select unnest($papers)) order by 1, page_number, page_id
"""
_SECTIONS: Final = """
select ref_paper_id::varchar, concat_ws(chr(10), section_title, section_content) from sections
where ref_paper_id::varchar in (select unnest($papers)) order by 1, ordinal, section_id
"""


@dataclass(frozen=True, slots=True)
class PaperText:
    """A paper of the store. `text` are its pages in their order; its sections, where it has no pages."""

    title: str
    abstract: str
    text: str


def paper_texts(store: Path, papers: Sequence[str], *, whole: bool = True) -> dict[str, PaperText]:
    """The papers of these ids that the store has, by id; unless `whole`, their texts are left empty.

    Raises `WarehouseBrokenError`.
    """
    told = {"papers": sorted(set(papers))}
    with _opened(store) as connection:
        heads = connection.execute(_HEADS, told).fetchall()
        pages = _joined(connection.execute(_PAGES, told).fetchall()) if whole else {}
        sections = _joined(connection.execute(_SECTIONS, told).fetchall()) if whole else {}
    return {
        paper: PaperText(title, abstract, pages.get(paper) or sections.get(paper, ""))
        for paper, title, abstract in heads
    }


def paper_conferences(store: Path) -> dict[str, str]:
    """The conference of each paper of the store, such as acl2023, by id. Raises `WarehouseBrokenError`."""
    with _opened(store) as connection:
        return dict(connection.execute(_CONFERENCES).fetchall())


@contextmanager
def _opened(store: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    config: Config = {"memory_limit": _MEMORY, "temp_directory": "", "python_enable_replacements": False}
    try:
        with duckdb.connect(str(store), read_only=True, config=config) as connection:
            yield connection
    except duckdb.Error as error:
        raise WarehouseBrokenError(
            f"{store} is no paper store that can be read ({error}). Delete it, and start `aimsciqa airqa "
            "store`, which publishes it again."
        ) from None


def _joined(rows: Sequence[tuple[str, str | None]]) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    for paper, text in rows:
        if text and text.strip():
            parts.setdefault(paper, []).append(text.strip())
    return {paper: "\n\n".join(some) for paper, some in parts.items()}

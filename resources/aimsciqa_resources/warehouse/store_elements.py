"""Reads what questions can be asked about from a published paper store: texts, tables, figures, formulas."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.errors import no_paper_store
from aimsciqa_resources.warehouse.opening import Config, quoted

PAPER: Final = "paper"
"""Title and abstract of a paper, as what a question is asked about."""
PAIR: Final = "sections"
"""Two sections of a paper that follow each other; their keys are joined by a blank."""

_DRAWN: Final = """
with long_sections as (
    select ref_paper_id as paper, section_id, ordinal from papers.sections
    where length(section_content) >= 300
),
found as (
    select 'text' as element, paper, section_id::varchar as key from long_sections
    union all
    select 'text', ref_paper_id, page_id::varchar from papers.pages
    where length(page_content) >= 300 and ref_paper_id not in (select ref_paper_id from papers.sections)
    union all
    select 'table', ref_paper_id, table_id::varchar from papers.tables where trim(table_content) <> ''
    union all
    select 'image', ref_paper_id, image_id::varchar from papers.images where image_caption ilike 'fig%'
    union all
    select 'formula', ref_paper_id, equation_id::varchar from papers.equations
    where length(trim(equation_content)) >= 3
    union all
    select 'sections', paper, section_id::varchar || ' ' || next::varchar
    from (
        select paper, section_id,
            lead(section_id) over (partition by paper order by ordinal, section_id) as next
        from long_sections
    )
    where next is not null
    union all
    select 'paper', paper_id, paper_id::varchar from papers.metadata where trim(abstract) <> ''
)
select element, paper::varchar as paper, key,
    row_number() over (
        partition by element, paper order by md5(concat_ws(chr(31), $seed, element, key)), key
    ) as place
from found
where element = $element and paper in (select paper_id from papers.metadata where trim(title) <> '')
qualify place <= $per_paper
order by place, md5(concat_ws(chr(31), $seed, element, key)), key
"""
_OF_PAPER: Final = """
select paper_id::varchar, coalesce(title, ''), coalesce(abstract, ''),
    concat(coalesce(conference_abbreviation, ''), pub_year)
from papers.metadata where paper_id in (select unnest($keys)::uuid)
"""
_ON_PAGE: Final = """
select one.{key}::varchar, '{table}', coalesce({heading}, ''), coalesce({content}, ''), pages.page_number,
    coalesce(pages.page_content, '')
from papers.{table} as one left join papers.pages as pages on pages.page_id = one.ref_page_id
where one.{key} in (select unnest($keys)::uuid)
"""
_TEXTS: Final = """
select section_id::varchar, 'sections', coalesce(section_title, ''), section_content, page_numbers[1], ''
from papers.sections where section_id in (select unnest($keys)::uuid)
union all
select page_id::varchar, 'pages', '', page_content, page_number, ''
from papers.pages where page_id in (select unnest($keys)::uuid)
"""
_READ: Final = {
    "text": _TEXTS,
    PAIR: _TEXTS,
    "table": _ON_PAGE.format(
        table="tables", key="table_id", heading="table_caption", content="table_content"
    ),
    "image": _ON_PAGE.format(
        table="images", key="image_id", heading="image_caption", content="image_summary"
    ),
    "formula": _ON_PAGE.format(
        table="equations", key="equation_id", heading="null", content="equation_content"
    ),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A row of the store. `heading` is the title of a section or a caption, `around` the text of its page."""

    table: str
    key: str
    heading: str
    content: str
    page: int | None
    around: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """What a question can be asked about, with the paper that has it; no pieces: title and abstract alone.

    `venue` is conference and year as one word.
    """

    paper: str
    title: str
    abstract: str
    venue: str
    pieces: tuple[Piece, ...] = ()


class StoreElements:
    """A published paper store, open for reading in one thread at a time."""

    def __init__(self, store: Path) -> None:
        """Raises `WarehouseBrokenError` when the file is no paper store."""
        # A store has gigabytes, and whatever is drawn from it has been read once: none of that is kept.
        config: Config = {
            "memory_limit": "96MB",
            "threads": 1,
            "temp_directory": f"{store}.tmp",
            "python_enable_replacements": False,
        }
        self._connection = duckdb.connect(config=config)
        try:
            self._connection.execute(f"attach '{quoted(str(store))}' as papers (read_only)")
            self._connection.execute("select 1 from papers.metadata limit 0")
        except duckdb.Error as error:
            self._connection.close()
            raise no_paper_store(store, error) from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def drawn(self, seed: int, per_paper: int) -> pl.DataFrame:
        """What there is of each element, in random order: columns element, paper, key and place.

        `place` counts within an element and a paper: of all papers the first comes before any second. The
        order is that of hashes, so that it is the same on every machine, whatever else the store holds.
        """
        drawn = []
        # One after the other: DuckDB takes ten times the memory of what it returns.
        for element in sorted((*_READ, PAPER)):
            by = {"seed": str(seed), "per_paper": per_paper, "element": element}
            drawn.append(pl.DataFrame(self._connection.sql(_DRAWN, params=by).to_arrow_table()))
        return pl.concat(drawn)

    def materials(self, element: str, keys: Mapping[str, str]) -> dict[str, Material]:
        """What stands at these keys of an element, by key; `keys` are papers by key."""
        papers = {row[0]: Material(*row) for row in self._rows(_OF_PAPER, set(keys.values()))}
        if element == PAPER:
            return {key: papers[paper] for key, paper in keys.items()}
        wanted = {one for key in keys for one in key.split()}
        pieces = {row[0]: Piece(row[1], row[0], *row[2:]) for row in self._rows(_READ[element], wanted)}
        return {
            key: replace(papers[paper], pieces=tuple(pieces[one] for one in key.split()))
            for key, paper in keys.items()
        }

    def _rows(self, query: str, keys: Iterable[str]) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, {"keys": sorted(keys)}).fetchall()

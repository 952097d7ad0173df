"""MinerU's `processed_data` JSON, as AirQA's authors publish it -> the contents of the paper store.

It has no text by page: a page gets the text of the sections that begin on it. Boxes are corners. To be taken
in, `processed_data/UUID.json` and `metadata/UUID.json` of a paper become one file.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from aimsciqa_resources.storable import storable

from aimsciqa.files import json_of
from aimsciqa_assets.airqa.store.rows import UNCATEGORIZED
from aimsciqa_assets.reading.contents import Contents, Corners, Element, Entry, PageText, SectionText
from aimsciqa_assets.reading.paper import RejectedFileError

PROCESSED: Final = "processed_data"
METADATA: Final = "metadata"
SUFFIX: Final = ".mineru"
_YEAR: Final = re.compile(r"[12]\d{3}")
_MOST_PAGES: Final = 10_000
_FARTHEST: Final = 1_000_000
"""No page is so long, in points."""
_SHOWN: Final = 60


def bundles_in(folder: Path) -> Iterator[tuple[str, bytes | str]]:
    """For each file of `processed_data`, its name and both files as one, or why there is nothing of it."""
    for processed in sorted((folder / PROCESSED).glob("*.json")):
        beside = folder / METADATA / processed.name
        if not beside.is_file():
            yield processed.name, f"there is no {METADATA}/{processed.name}"
            continue
        try:
            found = {name: json_of(path.read_bytes()) for name, path in _named(processed, beside)}
        except (OSError, ValueError) as error:
            yield processed.name, f"it or its metadata cannot be read: {error}"
            continue
        told = json.dumps({"read_by": "mineru"} | found)
        yield processed.name, told.encode()


def _named(processed: Path, beside: Path) -> tuple[tuple[str, Path], ...]:
    return (METADATA, beside), (PROCESSED, processed)


def contents_of_bundle(data: bytes) -> Contents:
    """The paper in a file that `bundles_in` made, with where it appeared; raises `RejectedFileError`."""
    try:
        bundle = json.loads(data)
        metadata, processed = bundle[METADATA], bundle[PROCESSED]
        published = {
            "conference_full": _text(metadata.get("conference_full")) or None,
            "conference": _text(metadata.get("conference")) or UNCATEGORIZED,
            "year": _year(metadata.get("year")),
            "volume": _text(metadata.get("volume")) or None,
            "download_url": _text(metadata.get("pdf_url")) or None,
            "bibtex": _text(metadata.get("bibtex")) or None,
            "path": _text(metadata.get("pdf_path")),
            "tldr": _text(metadata.get("tldr")) or None,
            "tags": _texts(metadata.get("tags")),
            "uuid": str(UUID(metadata["uuid"])) if metadata.get("uuid") else None,
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RejectedFileError("not_mineru", f"{type(error).__name__}: {error}") from None
    contents = contents_of_mineru(processed, metadata)
    contents.published = published
    return contents


def contents_of_mineru(processed: Mapping[str, Any], metadata: Mapping[str, Any]) -> Contents:
    """The paper that MinerU read; `metadata` is its file beside it (title, abstract, authors, ...).

    Raises `RejectedFileError` (`not_mineru`) when the JSON has another form.
    """
    found = processed.get("info_from_mineru") if isinstance(processed, Mapping) else None
    if not isinstance(found, Mapping):
        raise RejectedFileError("not_mineru", "there is no key info_from_mineru: is it processed_data?")
    try:
        return _contents(found, processed.get("summary") or {}, metadata)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RejectedFileError("not_mineru", f"{type(error).__name__}: {error}") from None


def _contents(found: Mapping[str, Any], summary: Mapping[str, Any], metadata: Mapping[str, Any]) -> Contents:
    tables = [
        Element(
            _page(one["page_number"]),
            _text(one.get("table_html")),
            _text(one.get("table_caption")),
            _corners(one.get("table_bbox")),
        )
        for one in found.get("tables") or ()
    ]
    images = [
        Element(
            _page(one["page_number"]), "", _text(one.get("figure_caption")), _corners(one.get("figure_bbox"))
        )
        for one in found.get("figures") or ()
    ]
    _summarise(tables, summary.get("table_summary") or ())
    _summarise(images, summary.get("image_summary") or ())
    equations = [
        Element(_page(one["page_number"]), _text(one.get("equation_text")))
        for one in found.get("equations") or ()
    ]
    sections = [_section(one) for one in found.get("TOC") or ()]
    for section, said in zip(sections, summary.get("section_summary") or (), strict=False):
        section.summary = _text(said) or None
    return Contents(
        title=_text(metadata.get("title")),
        abstract=_text(metadata.get("abstract")),
        authors=_texts(metadata.get("authors")),
        year=_year(metadata.get("year")),
        pages=_pages(metadata, sections, [*tables, *images, *equations], summary.get("page_summary") or ()),
        sections=sections,
        tables=tables,
        images=images,
        equations=equations,
        references=[Entry(_text(one.get("reference_text"))) for one in found.get("references") or ()],
    )


def _section(entry: Mapping[str, Any]) -> SectionText:
    numbers = entry.get("page_numbers") or [entry["page_number"]]
    pages = sorted({_page(number) for number in numbers})
    return SectionText(
        _text(entry.get("title")), _text(entry.get("text")), pages, int(entry.get("level") or 1)
    )


def _pages(
    metadata: Mapping[str, Any],
    sections: Sequence[SectionText],
    elements: Sequence[Element],
    summaries: Sequence[str],
) -> list[PageText]:
    last = max(
        [
            _page(metadata.get("num_pages") or 0),
            *(page for section in sections for page in section.pages),
            *(element.page for element in elements),
        ],
        default=0,
    )
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for section in sections:
        texts[section.pages[0]] += [section.title, section.text]
    said = dict(enumerate(summaries, 1))
    return [
        PageText(number, "\n\n".join(filter(None, texts[number])), summary=_text(said.get(number)) or None)
        for number in range(1, last + 1)
    ]


def _summarise(elements: Sequence[Element], by_page: Sequence[Sequence[str]]) -> None:
    """Summaries come in a list for each page, in the order of the elements on it."""
    waiting = {number: list(said) for number, said in enumerate(by_page, 1)}
    for element in elements:
        said = waiting.get(element.page)
        element.summary = (_text(said.pop(0)) or None) if said else None


def _text(value: Any) -> str:
    """A text that a table can hold; MinerU gives captions as text or as a list of pieces."""
    if isinstance(value, list):
        return " ".join(map(_text, value))
    if not isinstance(value, str | int | float | None):
        raise TypeError(f"a text is expected, not {str(value)[:_SHOWN]}")
    return "" if value is None else storable(str(value))


def _texts(value: Any) -> list[str]:
    """A list of texts; a single one may stand for it."""
    listed = [value] if isinstance(value, str) else value or ()
    return [text for one in listed if (text := _text(one))]


def _page(value: Any) -> int:
    """The number of a page."""
    number = int(value)
    if number > _MOST_PAGES:
        raise ValueError(f"page {number}; up to {_MOST_PAGES} pages are read")
    return number


def _year(value: Any) -> int | None:
    """A year, also where it stands as text."""
    if value is None or value == "":
        return None
    if not isinstance(value, str | int) or not _YEAR.fullmatch(str(value)):
        raise ValueError(f"{str(value)[:_SHOWN]} is no year")
    return int(value)


def _corners(value: Any) -> Corners | None:
    if not value:
        return None
    x0, y0, x1, y1 = map(float, value)
    # Of what is no number, this is not true either.
    if not all(abs(one) <= _FARTHEST for one in (x0, y0, x1, y1)):
        raise ValueError(f"no page has the box {x0}, {y0}, {x1}, {y1}")
    return x0, y0, x1, y1

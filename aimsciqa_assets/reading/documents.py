"""A line of JSON `{id, title, contents}` becomes a `Paper`: one without citations, in one section.

Other keys are left out, except `abstract`, `licence`, `url`, `use` and `year`, which count where they can be
understood. What had to be mended or left out stands in `Paper.repairs`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from aimsciqa_resources.storable import has_control_characters, storable

from aimsciqa.files import NotJsonError, NotUtf8Error, json_of
from aimsciqa_assets.reading.keywords import extract_keywords
from aimsciqa_assets.reading.licences import licence_address, licence_name
from aimsciqa_assets.reading.paper import Keyword, Paper, Paragraph, RejectedFileError, Section

EVALUATION = "evaluation"
"""The article type of a document that is searched and read only; its line says so under `use`."""

_LONGEST_ID = 500
_LONGEST_TITLE = 300
"""A longer first line is no title."""
_SCANNED = 1500
"""Keywords are looked for in so many characters: about as many as an abstract has."""
_QUOTES = "\"'“”"
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_YEAR = re.compile(r"\s*([12]\d{3})(?:-\d{1,2}){0,2}\s*")


@dataclass(slots=True)
class Document:
    """What a line says. `text` are the contents without a title line."""

    document_id: str
    title: str
    text: str
    abstract: str = ""
    licence: str = ""
    licence_url: str = ""
    url: str = ""
    use: str = ""
    year: int | None = None
    repairs: list[str] = field(default_factory=list)


def read_document(line: bytes, size: int) -> Document:
    """The document of a line, which has `size` bytes: of one that was too long none are there.

    Raises `RejectedFileError`: `line_too_long`, `not_utf8`, `not_json`, `not_an_object`, `no_id`, `bad_id`,
    `no_contents`, `bad_contents`.
    """
    if not line:
        raise RejectedFileError(
            "line_too_long",
            f"{size:,} bytes are more than AIMSCIQA_CORPUS_DOCUMENT_BYTES: raise that, and ingest it again",
        )
    values = _object(line)
    document = Document(_id(values.get("id")), "", "")
    contents = values.get("contents")
    if contents is None:
        raise RejectedFileError("no_contents", "there is no key contents, or it is null")
    if not isinstance(contents, str):
        raise RejectedFileError("bad_contents", f"contents is no text, but {_kind(contents)}")
    title = " ".join(_text(values, "title", document).split())
    document.title, document.text = _without_title_line(title, _storable(contents, "contents", document))
    if not document.text.strip():
        raise RejectedFileError("no_contents", "contents is empty, or holds the title alone")
    document.title = document.title or document.document_id
    document.abstract = _text(values, "abstract", document)
    document.url = _text(values, "url", document).strip()
    if use := _text(values, "use", document).strip():
        document.use = use if use == EVALUATION else ""
        if not document.use:
            document.repairs.append("use: not known")
    document.year = _year(values.get("year"), document)
    if licence := _text(values, "licence", document).strip():
        document.licence = licence_name(licence)
        document.licence_url = licence_address(licence)
        if not document.licence:
            document.repairs.append("licence: not known")
    return document


def document_paper_id(document_id: str) -> str:
    """The paper id of a document.

    White space, what cannot be printed, and the per cent sign are written as in URLs (`doc:New%20York`):
    ids stand in lists that are divided by white space.
    """
    return "doc:" + "".join(
        character if character.isprintable() and character not in " %" else quote(character, safe="")
        for character in document_id
    )


def paper_of(document: Document, licence: str = "") -> Paper:
    """The paper that a document is; `licence` names that of a document which names none itself."""
    abstract = _paragraphs(document.abstract)
    body = _paragraphs(document.text)
    sections = [Section("", "abstract", abstract)] if abstract else []
    told = " ".join(paragraph.text for paragraph in abstract or body)
    return Paper(
        source="document",
        document_id=document.document_id,
        title=document.title,
        url=document.url,
        article_type=document.use,
        year=document.year,
        published=str(document.year or ""),
        licence=document.licence or licence_name(licence),
        licence_url=document.licence_url if document.licence else licence_address(licence),
        sections=[*sections, Section("", "other", body)],
        keywords=[
            Keyword(phrase, "extracted") for phrase in extract_keywords(document.title, told[:_SCANNED])
        ],
        repairs=document.repairs,
    )


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        # Control characters inside a text are forgiven, and mended below.
        values = json_of(line, strict=False)
    except NotUtf8Error as error:
        raise RejectedFileError("not_utf8", str(error)) from None
    except NotJsonError as error:
        raise RejectedFileError("not_json", str(error)) from None
    if not isinstance(values, dict):
        raise RejectedFileError("not_an_object", f"the line is {_kind(values)}, not {{id, title, contents}}")
    return values


def _id(value: Any) -> str:
    """The id as text: 7 and "7" are one id."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise RejectedFileError("no_id", "there is no key id, or it is empty")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RejectedFileError("bad_id", f"id is neither text nor an integer, but {_kind(value)}")
    text = str(value).strip().encode("utf-8", "backslashreplace").decode()
    if len(text) > _LONGEST_ID:
        raise RejectedFileError("bad_id", f"id has {len(text):,} characters, more than {_LONGEST_ID}")
    return text


def _text(values: Mapping[str, Any], key: str, document: Document) -> str:
    """The text of a key that may be missing; a number is a text too (the title 1984)."""
    value = values.get(key)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        document.repairs.append(f"{key}: no text")
        return ""
    return _storable(str(value), key, document)


def _storable(text: str, key: str, document: Document) -> str:
    """The text without what no table or terminal can hold, and with one kind of line end."""
    if has_control_characters(text):
        document.repairs.append(f"{key}: control characters")
    return storable(text)


def _year(value: Any, document: Document) -> int | None:
    if value is None or value == "":
        return None
    found = None if isinstance(value, bool) else _YEAR.fullmatch(str(value))
    if found is None:
        document.repairs.append("year: no year")
    return int(found[1]) if found else None


def _without_title_line(title: str, contents: str) -> tuple[str, str]:
    """Title and text; a document without a title has it in its first line, where more lines follow."""
    first, _, rest = contents.lstrip().partition("\n")
    plain = " ".join(first.split())
    if title and title in (plain, plain.strip(_QUOTES)):
        return title, rest
    if not title and rest.strip() and len(plain) <= _LONGEST_TITLE:
        return plain.strip(_QUOTES), rest
    return title, contents


def _paragraphs(text: str) -> list[Paragraph]:
    """Paragraphs stand between blank lines; in a text without blank lines each line is one."""
    text = text.strip()
    blocks = _BLANK_LINE.split(text) if _BLANK_LINE.search(text) else text.split("\n")
    joined = (" ".join(filter(None, map(str.strip, block.split("\n")))) for block in blocks)
    return [Paragraph(block) for block in joined if block]


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", dict: "an object", list: "a list", str: "a text", type(None): "null"}
    return kinds.get(type(value), "a number")

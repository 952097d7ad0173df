"""Reads the two forms in which HopWeaver's models reply: records of fields, and named values.

Records: `("tag"<|>"field"<|>"field") ## ("tag"<|>"field")<|COMPLETE|>`. Models leave out quotation marks or
parentheses, put fences around all of it or words behind it, and write parentheses, quotation marks and `##`
inside a field.
Named values: `NAME: value`, a value reaching over lines to the next name. Nothing here raises.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

from aimsciqa_resources.language_model.thinking import reply_text, without_control

COMPLETE: Final = "<|COMPLETE|>"
BETWEEN_FIELDS: Final = "<|>"

_END: Final = re.compile(re.escape(COMPLETE), re.IGNORECASE)
_FENCE: Final = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_SPLIT: Final = re.compile(r"<\s*\|\s*>")
_CLOSING: Final = re.compile(r"[)\]][ \t]*(?=##|\n|\Z)")
_CLOSING_BEHIND_QUOTE: Final = re.compile(r"[\"“”»][ \t]*[)\]][ \t]*(?=##|\n|\Z)")
_MARKS: Final = '"“”„'
_PAIRS: Final = {'"': '"', "'": "'", "“": "”", "„": "”", "«": "»", "`": "`"}


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its tag in lower case, and its fields without the quotation marks around them."""

    tag: str
    fields: tuple[str, ...]


def without_marks(text: str) -> str:
    """The reply without fences and end mark."""
    return _END.sub("", _plain(text)).strip()


def _plain(text: str) -> str:
    """The reply as it is kept, without fences, and with delimiters that were escaped as they were meant."""
    written = reply_text(text)
    if "<|" not in written and "&lt;|" in written:
        written = without_control(unescape(written))
    return _FENCE.sub("", written).strip()


def records(text: str, tags: Sequence[str]) -> list[Record]:
    """The records with one of these tags, in their order; upper and lower case are alike.

    A record begins with its tag and ends where the next one begins, so that a field may hold any sign but
    `<|>`. What stands behind the end mark belongs to no record.
    """
    body = _plain(text)
    known = "|".join(map(re.escape, sorted(tags, key=len, reverse=True)))
    opening = re.compile(
        rf"(?P<before>\A|##|[(\[\n])\s*(?P<open>[(\[]?)\s*[\"'“„`]?\b(?P<tag>{known})[\"'”`]?\s*<\s*\|\s*>",
        re.IGNORECASE,
    )
    found = list(opening.finditer(body))
    ends = [following.start() for following in found[1:]] + [len(body)]
    return [
        Record(one["tag"].lower(), _fields(body[one.end() : end], opened=_opened(one)))
        for one, end in zip(found, ends, strict=False)
    ]


def named_values(text: str, names: Iterable[str], *, anywhere: bool = False) -> dict[str, str]:
    """The values by name, as the names are given here; a name that does not occur is left out.

    Each value reaches to the next of the names. Names stand at the beginning of a line, with `anywhere` also
    inside one; of two with the same name the first counts, unless it is empty. Case, white space before the
    colon, and marks of lists and bold type around a name do not matter.
    """
    body = without_marks(text)
    listed = list(names)
    known = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    start = r"(?<!\w)[*_`]*" if anywhere else r"^[ \t>*_#\-•\d.`]*"
    opening = re.compile(rf"{start}(?P<name>{known})[*_`]*[ \t]*:[*_`]*", re.IGNORECASE | re.MULTILINE)
    as_given = {name.casefold(): name for name in listed}
    found = list(opening.finditer(body))
    ends = [following.start() for following in found[1:]] + [len(body)]
    values: dict[str, str] = {}
    for one, end in zip(found, ends, strict=False):
        name = as_given[one["name"].casefold()]
        values[name] = values.get(name) or body[one.end() : end].strip()
    return values


def _opened(opening: re.Match[str]) -> bool:
    return bool(opening["open"]) or opening["before"] in ("(", "[")


def _fields(text: str, *, opened: bool) -> tuple[str, ...]:
    """The fields of a record, whose closing parenthesis is taken off where it has an opening one."""
    *others, last = _SPLIT.split(_END.split(text, maxsplit=1)[0])
    last = re.sub(r"\s*(?:##|,)?\s*\Z", "", last)
    if opened:
        quoted = last.lstrip()[:1] in _PAIRS
        closing = (_CLOSING_BEHIND_QUOTE.search(last) if quoted else None) or _CLOSING.search(last)
        last = last[: closing.end()].rstrip()[:-1] if closing else last
    return tuple(bare(field) for field in (*others, last))


def bare(field: str) -> str:
    """A field without white space and without quotation marks around it; those that belong to it stay."""
    stripped = field.strip()
    closing = _PAIRS.get(stripped[:1])
    if closing and len(stripped) > 1 and stripped.endswith(closing):
        return stripped[1:-1].strip()
    if sum(map(stripped.count, _MARKS)) % 2 == 0:
        return stripped
    if stripped[0] in _MARKS:
        return stripped[1:].strip()
    # The inches of 5' 10" are no quotation mark.
    inches = stripped[-2:-1].isdigit()
    return stripped[:-1].strip() if stripped[-1] in _MARKS and not inches else stripped

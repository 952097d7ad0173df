"""Reads the two forms in which HopWeaver's models reply: records of fields, and named values.

Records: `("tag"<|>"field"<|>"field") ## ("tag"<|>"field")<|COMPLETE|>`. Models leave out quotation marks or
parentheses, put fences around all of it, and write parentheses, quotation marks and `##` inside a field.
Named values: `NAME: value`, a value reaching over lines to the next name. Nothing here raises.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

COMPLETE: Final = "<|COMPLETE|>"
BETWEEN_FIELDS: Final = "<|>"

_END: Final = re.compile(re.escape(COMPLETE), re.IGNORECASE)
_FENCE: Final = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_PAIRS: Final = {'"': '"', "'": "'", "“": "”", "„": "”", "«": "»", "`": "`"}


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its tag in lower case, and its fields without the quotation marks around them."""

    tag: str
    fields: tuple[str, ...]


def without_marks(text: str) -> str:
    """The reply without fences and end mark."""
    return _FENCE.sub("", _END.sub("", text.replace("\r\n", "\n"))).strip()


def records(text: str, tags: Sequence[str]) -> list[Record]:
    """The records with one of these tags, in their order; upper and lower case are alike.

    A record begins with its tag and ends where the next one begins, so that a field may hold any sign but
    `<|>`.
    """
    body = without_marks(text)
    known = "|".join(map(re.escape, sorted(tags, key=len, reverse=True)))
    opening = re.compile(
        rf"(?P<before>\A|##|[(\[\n])\s*(?P<open>[(\[]?)\s*[\"'“„`]?\b(?P<tag>{known})[\"'”`]?\s*<\|>",
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
    inside one; of two with the same name the first counts. Case, white space before the colon, and asterisks
    around a name do not matter.
    """
    body = without_marks(text)
    listed = list(names)
    known = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    start = r"(?<!\w)" if anywhere else r"^[ \t]*(?:[-*] )?"
    opening = re.compile(rf"{start}\**(?P<name>{known})\**[ \t]*:\**", re.IGNORECASE | re.MULTILINE)
    as_given = {name.casefold(): name for name in listed}
    found = list(opening.finditer(body))
    ends = [following.start() for following in found[1:]] + [len(body)]
    values: dict[str, str] = {}
    for one, end in zip(found, ends, strict=False):
        values.setdefault(as_given[one["name"].casefold()], body[one.end() : end].strip())
    return values


def _opened(opening: re.Match[str]) -> bool:
    return bool(opening["open"]) or opening["before"] in ("(", "[")


def _fields(text: str, *, opened: bool) -> tuple[str, ...]:
    """The fields of a record, whose closing parenthesis is taken off where it has an opening one."""
    body = re.sub(r"\s*(?:##|,)?\s*\Z", "", text)
    if opened and body.endswith((")", "]")):
        body = body[:-1]
    return tuple(_bare(field) for field in body.split(BETWEEN_FIELDS))


def _bare(field: str) -> str:
    """A field without white space and without the pair of quotation marks around it."""
    stripped = field.strip()
    closing = _PAIRS.get(stripped[:1])
    if closing and len(stripped) > 1 and stripped.endswith(closing):
        return stripped[1:-1].strip()
    return stripped

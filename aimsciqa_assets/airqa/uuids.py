"""The UUIDs of papers and their elements: made of names, so that everybody gets the same ones."""

import re
from typing import Final
from uuid import NAMESPACE_DNS, UUID, uuid5

UNPUBLISHED: Final = "uncategorized"
"""The venue of a paper that no conference published."""

_NOT_KEPT: Final = re.compile(r"[^a-z0-9]")


def paper_uuid(title: str, venue: str) -> UUID:
    """The UUID of a paper by its title and its conference with the year: "ACL2023", or `UNPUBLISHED`.

    Of the title only the letters a to z and digits count, so that two ways to set it give one UUID.
    """
    return uuid5(NAMESPACE_DNS, f"{_NOT_KEPT.sub('', title.lower())}-{venue.lower()}")


def page_uuid(paper: UUID | str, page: int) -> UUID:
    """The UUID of a page; the first is 1."""
    return element_uuid(f"{paper}_page_{page}")


def on_page_uuid(paper: UUID | str, page: int, kind: str, number: int) -> UUID:
    """The UUID of a chunk, table, image or equation, by its number on its page; the first is 1."""
    return element_uuid(f"{paper}_page_{page}_{kind}_{number}")


def in_paper_uuid(paper: UUID | str, kind: str, number: int) -> UUID:
    """The UUID of a section, whose first is 0, or a reference, whose first is 1."""
    return element_uuid(f"{paper}_{kind}_{number}")


def element_uuid(name: str) -> UUID:
    """The UUID of an element by its full name."""
    return uuid5(NAMESPACE_DNS, name)

"""The UUIDs of papers, of what stands in them, and of examples, made from names: they never change."""

import re
from typing import Literal
from uuid import NAMESPACE_DNS, uuid5

OnPage = Literal["chunk", "table", "image", "equation"]


def paper_uuid(title: str, venue: str) -> str:
    """The id of a paper; `venue` is conference and year as one word, such as `acl2023`.

    Of the title only the letters a to z and digits count, so that two ways to set it give one id.
    """
    letters = re.sub(r"[^a-z0-9]", "", title.lower())
    return _uuid(f"{letters}-{venue.lower()}")


def page_uuid(paper_id: str, page: int) -> str:
    """The id of a page, which counts from 1."""
    return _uuid(f"{paper_id}_page_{page}")


def on_page_uuid(paper_id: str, page: int, kind: OnPage, number: int) -> str:
    """The id of the `number`-th thing of its kind on a page; both count from 1."""
    return _uuid(f"{paper_id}_page_{page}_{kind}_{number}")


def section_uuid(paper_id: str, position: int) -> str:
    """The id of a section, which counts from 0."""
    return _uuid(f"{paper_id}_section_{position}")


def reference_uuid(paper_id: str, number: int) -> str:
    """The id of an entry of the bibliography, which counts from 1."""
    return _uuid(f"{paper_id}_reference_{number}")


def made_uuid(seed: int, *origin: str) -> str:
    """The id of an example that was made of what was drawn by a seed."""
    return _uuid("_".join(("extractor", str(seed), *origin)))


def _uuid(name: str) -> str:
    return str(uuid5(NAMESPACE_DNS, name))

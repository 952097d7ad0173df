"""Pictures of an export: the pages that actors viewed, made again from the papers of the home."""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Protocol

from aimsciqa_assets.airqa.environment import as_id
from aimsciqa_assets.reading.paper import RejectedFileError

IMAGES: Final = "images"


class Shows(Protocol):
    """Makes the PNG of a page (`airqa.environment.Pages`)."""

    def show(self, paper_id: str, page_number: int, box: list[float]) -> bytes: ...


class Pictures:
    """Keeps pictures in the folder `images` of an export, each once, named by what is in them."""

    def __init__(self, pages: Shows, folder: Path) -> None:
        self._pages = pages
        self._folder = folder / IMAGES
        self._kept: dict[tuple[Any, ...], str | None] = {}

    def keep(self, arguments: Mapping[str, Any]) -> str | None:
        """The file that View with these arguments shows, from the export's folder on; None if it is gone."""
        paper, number, box = (arguments[name] for name in ("paper_id", "page_number", "bounding_box"))
        asked = (paper, number, *box)
        if asked not in self._kept:
            self._kept[asked] = self._made(as_id(paper), number, box)
        return self._kept[asked]

    def _made(self, paper: str, number: int, box: list[float]) -> str | None:
        try:
            png = self._pages.show(paper, number, box)
        except RejectedFileError:
            return None
        name = f"{blake2b(png, digest_size=16).hexdigest()}.png"
        self._folder.mkdir(exist_ok=True)
        (self._folder / name).write_bytes(png)
        return f"{IMAGES}/{name}"

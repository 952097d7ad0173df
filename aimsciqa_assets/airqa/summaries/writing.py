"""Has a model fill cells of the paper store: a request for each, with the picture of a figure where asked."""

from base64 import b64decode
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, repeat
from typing import Final

from aimsciqa_resources.language_model import Dialogue, Image, Message, ModelRequest, beginning_with

from aimsciqa_assets.airqa.environment import PICTURE_LIMITS
from aimsciqa_assets.airqa.summaries.cells import Cell
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.reading.isolation import Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError

NOTHING_TO_READ: Final = "nothing_to_read"


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a cell: the `outcome` of its task, and whether the model was shown a picture."""

    cell: Cell
    outcome: Outcome[str]
    has_image: bool = False

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply."""
        return self.outcome.failure


def write_cell(cell: Cell, png: bytes | None = None) -> Dialogue[Written]:
    """Ask for the text of a cell; nothing is asked where there is nothing to read or to see."""
    key = row_id(cell.table, cell.column, cell.key)
    if not (cell.is_readable or png):
        return Written(cell, Outcome(key, Fault(NOTHING_TO_READ), None))
    mark = {"picture": blake2b(png, digest_size=8).hexdigest()} if png else {}
    request = cell.task.request(key, **{**cell.shown, **mark})
    outcome = yield from cell.task.put(_with_image(request, png) if png else request)
    return Written(cell, outcome, bool(png))


def dialogues(
    cells: Sequence[Cell], pictures: Iterator[tuple[Cell, bytes | None]]
) -> Iterator[Dialogue[Written]]:
    """A dialogue for each cell and for each figure with its picture."""
    for cell, png in chain(zip(cells, repeat(None)), pictures):
        yield beginning_with(cell.uuid, write_cell(cell, png))


def pictures_of(
    figures: Sequence[Cell], files: Mapping[str, str], load: Load
) -> Generator[tuple[Cell, bytes | None], None, None]:
    """Each figure with its PNG, made as it is needed; None where its page cannot be drawn.

    `files` gives the id of the stored PDF of a paper, `load` the bytes of such a file.
    """
    from aimsciqa_assets.reading.pdf.picture import picture

    asked = ({"file_id": files[one.uuid], "page_number": one.page, "box": [*one.box]} for one in figures)
    with closing(read_isolated(picture, asked, load, PICTURE_LIMITS)) as made:
        for cell, png in zip(figures, made, strict=True):
            yield cell, None if isinstance(png, RejectedFileError) else b64decode(png)


def _with_image(request: ModelRequest, png: bytes) -> ModelRequest:
    *before, last = request.messages
    return replace(request, messages=(*before, Message("user", (last.text, Image(png, "image/png")))))

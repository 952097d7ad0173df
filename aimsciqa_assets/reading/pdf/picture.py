"""A page of a PDF, or a part of it, as a PNG: what the action View shows. It runs in a reading process."""

from base64 import b64encode
from typing import Any, Final

import pymupdf

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf.pages import pdf_failure

_LONGEST_SIDE: Final = 1536
"""In pixels; models that take pictures make larger ones smaller."""
_MOST_DETAIL: Final = 4.0
"""Pixels for a point, at most: 288 for an inch."""
_MOST_BYTES: Final = 3 * 2**20


def picture(data: bytes, *, file_id: str, page_number: int, box: list[float]) -> str:
    """The PNG in base64; `box` is [x, y, width, height] in points, as the page is shown, or empty.

    Raises `RejectedFileError`: `no_pages` for a file that is no PDF, `no_such_page`, `outside_page`,
    `too_large`, or that of a damaged PDF.
    """
    if b"%PDF-" not in data[:1024]:
        raise RejectedFileError("no_pages", "this paper came without pages, so there is nothing to look at")
    mupdf: Any = pymupdf
    mupdf.TOOLS.mupdf_display_errors(False)
    mupdf.TOOLS.mupdf_display_warnings(False)
    try:
        with mupdf.open(stream=data, filetype="pdf") as document:
            if not 1 <= page_number <= document.page_count:
                told = f"the paper has pages 1 to {document.page_count}"
                raise RejectedFileError("no_such_page", told)
            return b64encode(_png(mupdf, document.load_page(page_number - 1), box)).decode()
    except RejectedFileError:
        raise
    except Exception as error:
        raise pdf_failure(error) from error


def _png(mupdf: Any, page: Any, box: list[float]) -> bytes:
    shown = page.rect
    if box:
        x, y, width, height = box
        shown = mupdf.Rect(x, y, x + width, y + height) & page.rect
        if shown.is_empty or min(shown.width, shown.height) < 1:
            told = f"the page is {page.rect.width:.0f} points wide and {page.rect.height:.0f} high"
            raise RejectedFileError("outside_page", told)
    detail = min(_MOST_DETAIL, _LONGEST_SIDE / max(shown.width, shown.height))
    while detail > 0:
        pixels = page.get_pixmap(matrix=mupdf.Matrix(detail, detail), clip=shown, alpha=False, annots=True)
        png: bytes = pixels.tobytes("png")
        if len(png) <= _MOST_BYTES:
            return png
        if max(pixels.width, pixels.height) < 16:
            break
        detail /= 1.5
    raise RejectedFileError("too_large", "the picture is too large: ask for a smaller part of the page")

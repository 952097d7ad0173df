"""One file in, one `Paper` out, whatever the format: what the bytes are decides, not the file's name."""

import re
from typing import Final

from aimsciqa_assets.reading.paper import Paper, RejectedFileError

_START = 1024
_XML_STARTS = (
    b"<",
    b"\xff\xfe<\x00",
    b"\xfe\xff\x00<",
    b"<\x00",
    b"\x00<",
    b"\xff\xfe\x00\x00<",
    b"\x00\x00\xfe\xff\x00\x00\x00<",
)
_HTML = re.compile(rb"^\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html)\b", re.I | re.S)
_ARCHIVES = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"7z\xbc\xaf", "7-zip"),
)

MINERU: Final = b'{"read_by": "mineru"'
"""How a file begins that `aimsciqa airqa mineru` made of MinerU's JSON."""


def read_paper(data: bytes, file_name: str) -> Paper:
    """The paper in a file's bytes; `file_name` is only for messages.

    Raises `RejectedFileError`: `empty_file`, `compressed`, `html`, `mineru`, `unknown_format`, and the
    reasons of the format's own reader (`jats.parse_jats`, `pdf.parse_pdf`).
    """
    start = data[:_START].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start and not data.strip():
        raise RejectedFileError("empty_file", file_name)
    if b"%PDF-" in data[:_START]:
        from aimsciqa_assets.reading.pdf.reader import (
            parse_pdf,  # PyMuPDF is heavy: only for those who read PDF
        )

        return parse_pdf(data)
    for magic, name in _ARCHIVES:
        if start.startswith(magic):
            raise RejectedFileError("compressed", f"{file_name} is a {name} file; unpack it first")
    if _HTML.match(start):
        raise RejectedFileError("html", f"{file_name} is a web page")
    if start.startswith(MINERU):
        raise RejectedFileError("mineru", f"{file_name} is read for AirQA's paper store alone")
    if not start.startswith(_XML_STARTS) and data[:_START].strip():
        raise RejectedFileError("unknown_format", f"{file_name} is neither XML nor PDF")
    from aimsciqa_assets.reading.jats.reader import parse_jats

    return parse_jats(data)

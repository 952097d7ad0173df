"""Which blocks are captions, and which table or figure they name."""

import re
from dataclasses import dataclass
from typing import Literal

from aimsciqa_assets.reading.pdf.block import Block

_LABEL = (
    r"(?i:(?P<label>(?P<extra>(?:supplementary|supplemental|extended data|additional|appendix|online)\s+)?"
    r"(?P<kind>fig(?:ure|\.)?|scheme|chart|plate|algorithm|listing|table|tab\.)\s*[-‐–]?\s*"
    r"(?P<number>[A-Z]{0,2}[-.]?\d{1,3}(?:\.\d{1,2})*[a-z]?|(?-i:[IVX]{1,5}))))"
)
_CAPTION = re.compile(
    _LABEL + r"(?P<end>\s*(?:[.:|–—-]|(?i:\(?cont(?:inued|[’'.]d)\b))|(?=\s+[A-Z0-9(“\"'∗*∆α-ω])|\s*\Z)"
)
_LABEL_ALONE = re.compile(_LABEL + r"\s*[.:]?")
_CONTINUED = re.compile(r"\W{0,3}(?:continued|cont[’'.]?d?\b)", re.I)
_UNFINISHED = re.compile(r"[\w,(–-]\Z")
_LONG = 60


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption as printed; `number` identifies the table or figure among its kind."""

    kind: Literal["table", "figure"]
    number: str
    text: str
    block: Block
    continues: bool = False


def caption_of(block: Block, before: Block | None, body_size: float) -> Caption | None:
    """The caption that a block is; `before` is the block of text in front of it."""
    if block.kind in ("section-header", "title", "formula") and not _LABEL_ALONE.match(block.text):
        return None
    match = _CAPTION.match(block.text)
    text = block.text
    if match:
        if not _believed(block, match, before, body_size):
            return None
        return _caption(match, text, block, bool(_CONTINUED.match(text, match.end("label"))))
    for at, line in enumerate(block.lines[1:], 1):
        alone = _LABEL_ALONE.fullmatch(line.text)
        if alone and block.kind in ("caption", "text"):
            above = " ".join(one.text for one in block.lines[:at])
            rest = " ".join(one.text for one in block.lines[at + 1 :])
            return _caption(alone, f"{alone['label']}: {above} {rest}".strip(), block, False)
    return None


def label_and_text(caption: str) -> tuple[str, str]:
    """Return the label of a caption ("Figure 1"), "" without one, and its text."""
    match = _CAPTION.match(caption)
    return (match["label"], caption[match.end() :].strip()) if match else ("", caption)


def begins_caption(text: str) -> bool:
    """Whether a line says plainly that a caption begins: "Figure 2." or "Table 1:"."""
    match = _CAPTION.match(text)
    return match is not None and bool(match["end"].strip())


def _caption(match: re.Match[str], text: str, block: Block, continues: bool) -> Caption:
    kind: Literal["table", "figure"] = "table" if match["kind"].lower().startswith("tab") else "figure"
    prefix = "scheme" if match["kind"].lower() in ("scheme", "chart", "plate") else ""
    extra = "s" if match["extra"] else ""
    number = re.sub(r"[-.]", "", match["number"]).casefold()
    return Caption(kind, f"{prefix}{extra}{number}", text, block, continues)


def _believed(block: Block, match: re.Match[str], before: Block | None, body_size: float) -> bool:
    """Whether a block that begins like a caption is one, and no sentence that goes on about a float."""
    if block.kind == "caption":
        return True
    if match["kind"][0].islower() and not match["extra"]:
        return False
    as_text = abs(block.size - body_size) < 0.3 and not block.lines[0].bold
    if not as_text:
        return True
    goes_on = before is not None and _UNFINISHED.search(before.text) is not None
    has_mark = bool(match["end"].strip())
    return not goes_on and (has_mark or len(block.text.split()) <= _LONG)

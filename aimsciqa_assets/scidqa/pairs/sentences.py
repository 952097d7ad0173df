"""Sentences of reviews and replies: lists, quoted lines and headings end a sentence, hard line breaks do not.

Reviews are plain text or Markdown that people typed. `text.sentences` knows the sentences of a paragraph of
prose; here the text is first divided where a line begins something new.
"""

import re
from functools import lru_cache
from typing import Final

from aimsciqa_assets.text.sentences import sentence_spans

_LIST_MARK: Final = re.compile(
    r"\s*(?:[-–—*+•·#>]|\(?\d{1,2}(?:\.\d{1,2})*[.):]|\(?[a-zA-Z][.)]\s|\(?[ivxIVX]{1,4}[.)]\s|[QA]\d*\s?[:.)]\s?)"
)
_ENDED: Final = re.compile(r"[.!?:;…。？！][\"'”’»)\]*_]*\s*\Z")
_CONTINUES: Final = re.compile(r"\s*[^\W\d_A-Z]|\s*[,;)\]=]")
_FURTHER: Final = re.compile(
    r"(?:we(?:['’]ve| have| had)? also|also|in addition|additionally|moreover|furthermore|besides|finally|"
    r"lastly)\b",
    re.IGNORECASE,
)
_SHORT_LINE: Final = 50
"""A line of fewer characters is a heading or an item of a list: hard line breaks come later."""


# Every pair of a discussion looks at the same few notes.
@lru_cache(maxsize=64)
def note_sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans `(start, end)` of the sentences of a note, in order, without outer blanks.

    They do not overlap and cover every character that is not white space.
    """
    return tuple(
        (start + first, start + last)
        for start, end in _blocks(text)
        for first, last in sentence_spans(text[start:end])
    )


def goes_on(text: str, end: int, start: int) -> bool:
    """Whether the sentence that begins at `start` is about the same as the one that ends at `end` before it.

    It is not where a paragraph, an item or a quoted line begins, or where it says that something is to come
    besides ("We also ...").
    """
    gap = text[end:start]
    begins_line = "\n" in gap and bool(_LIST_MARK.match(text, start))
    return gap.count("\n") < 2 and not begins_line and not _FURTHER.match(text, start)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that belong together: no list mark or quoted line stands within one."""
    blocks: list[tuple[int, int]] = []
    position = 0
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        if blocks and _belongs_to(text[blocks[-1][0] : position], line):
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((position, end))
        position = end
    return blocks


def _belongs_to(before: str, line: str) -> bool:
    """Whether a line goes on with the block before it."""
    last = before.splitlines()[-1]
    if not last.strip() or not line.strip() or _LIST_MARK.match(line):
        return False
    if _ENDED.search(before):
        return False
    return bool(_CONTINUES.match(line)) or len(last) >= _SHORT_LINE

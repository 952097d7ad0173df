"""Blocks of a PDF behind its title -> sections, captions, keywords and the lines of the reference list."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aimsciqa_assets.reading.paper import Caption, Keyword, Paragraph, Section
from aimsciqa_assets.reading.paper_table import PaperTable, laid_out
from aimsciqa_assets.reading.pdf.blocks import CAPTION, KEYWORDS, Block, Joiner
from aimsciqa_assets.reading.pdf.layout import Line
from aimsciqa_assets.reading.section_kinds import is_back_matter, plain_title, section_kind

_RUN_IN_ABSTRACT = re.compile(r"(?i:abstract|summary)\s*[:.—–-]\s*|(?:ABSTRACT|Abstract|SUMMARY)\s+(?=[A-Z])")
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+(?=[A-Z])")
_STRUCTURE = re.compile(
    r"abstract|summary|introduction|background|methodology"
    r"|(?:(?:materials?|patients|subjects|participants|experimental) and )?methods|methods and materials?"
    r"|experimental(?: section| procedures)?|results?(?: and discussions?)?"
    r"|discussions?(?: and conclusions?)?|conclusions?(?: and (?:future work|outlook|perspectives))?"
    r"|concluding remarks"
    r"|case (?:report|presentation)"
)
_REFERENCES = re.compile(r"references?(?: and notes)?|bibliography|(?:literature|works) cited")
_ABSTRACT_TITLES = ("abstract", "summary")
_ABSTRACT_PART = re.compile(
    r"background|objectives?|aims?|purpose|design|setting|(?:(?:materials|patients) and )?methods"
    r"|methodology|results|(?:principal )?findings|conclusions?|significance|interpretation"
)
_TEXT_SHARE = 0.12
"""A font size with this share of the letters is running text; what is smaller still is notes."""
_FEWEST_WORDS = 5
_FEWEST_UNFINISHED_WORDS = 15
_FEWEST_ABSTRACT_WORDS = 60


@dataclass(slots=True)
class Contents:
    """What `outline` found. Every section has paragraphs; the abstract, where there is one, comes first."""

    sections: list[Section] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    tables: list[PaperTable] = field(default_factory=list)
    keywords: list[Keyword] = field(default_factory=list)
    reference_lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A paragraph in the making: captions and page ends may cut it into several blocks."""

    lines: list[Line]
    subsection: str
    finished: bool


@dataclass(slots=True)
class _Part:
    """A stretch of the paper; `role` is front, abstract, body, references or back."""

    role: str
    title: str = ""
    drafts: list[_Draft] = field(default_factory=list)


def outline(blocks: Sequence[Block]) -> Contents:
    """Sections by headings, and what is no running text apart from them.

    Front matter (authors, addresses) and back matter (thanks, funding) are left out.
    """
    outliner = _Outliner(blocks)
    for at, block in enumerate(blocks):
        outliner.take(block, at)
    return outliner.contents()


class _Typography:
    """How the document sets its text and its headings."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        letters: Counter[float] = Counter()
        bold = 0
        for block in blocks:
            letters[block.size] += len(block.text)
            bold += len(block.text) if block.bold else 0
        total = sum(letters.values())
        self._body_size = max(letters, key=lambda size: (letters[size], size), default=0.0)
        self._body_is_bold = 2 * bold > total
        self.smallest_text = min(
            (size for size in letters if letters[size] >= _TEXT_SHARE * total), default=0.0
        )
        structural = [block for block in blocks if self.names_part(block)]
        self.is_structured = bool(structural)
        parts = [block for block in structural if plain_title(block.text) not in _ABSTRACT_TITLES]
        headings = parts or [block for block in blocks if self.is_heading(block)]
        self._top_size = max((block.size for block in headings), default=0.0)
        self._top_is_bold = all(block.bold for block in structural)

    def names_part(self, block: Block) -> bool:
        """Whether the block is the name of a usual part of a paper, standing alone."""
        stands_alone = len(block.lines) == 1 and block.text[0].isupper()
        if not stands_alone and not _NUMBERED.match(block.text):
            return False
        plain = plain_title(block.text)
        return bool(_STRUCTURE.fullmatch(plain) or _REFERENCES.fullmatch(plain))

    def is_heading(self, block: Block) -> bool:
        """Whether the block is a heading: by its words, or because it is short and stands out."""
        text = block.text
        if len(block.lines) > 3 or len(text.split()) > 15 or not re.search(r"[^\W\d_]{3}", text):
            return False
        if self.names_part(block) or is_back_matter(text):
            return True
        if text.endswith((".", ",", ";", ":")) or not (text[0].isupper() or _NUMBERED.match(text)):
            return False
        return (
            block.size > self._body_size + 0.75 or (block.bold and not self._body_is_bold) or text.isupper()
        )

    def level(self, block: Block) -> int:
        """1 for a heading of a top-level section, 2 and more below it."""
        numbered = _NUMBERED.match(block.text)
        if numbered:
            return numbered["number"].count(".") + 1
        if plain_title(block.text) == "introduction" or is_back_matter(block.text):
            return 1
        as_large = block.size > self._top_size - 0.5
        return 1 if as_large and (block.bold or not self._top_is_bold) else 2


class _Outliner:
    """Walks through the blocks once; what a block is depends on the part it stands in."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._typography = _Typography(blocks)
        self._joiner = Joiner([line for block in blocks for line in block.lines])
        self._last_at = {
            plain_title(block.text): at for at, block in enumerate(blocks) if len(block.lines) == 1
        }
        self._parts = [_Part("front" if self._typography.is_structured else "body")]
        self._body_began = False
        self._subsections: list[str] = []
        self._floats: list[tuple[Caption | PaperTable, _Part]] = []
        self._keywords: list[Keyword] = []
        self._reference_lines: list[Line] = []
        self._keywords_follow = False

    def take(self, block: Block, at: int) -> None:
        """Put the block with this number where it belongs."""
        part = self._parts[-1]
        keywords = KEYWORDS.match(block.text)
        if keywords or self._keywords_follow:
            self._take_keywords(block.text[keywords.end() :] if keywords else block.text)
        elif CAPTION.match(block.text):
            self._take_caption(block, part)
        elif self._typography.is_heading(block) and self._take_heading(block, part, at):
            return
        elif part.role == "references":
            self._reference_lines.extend(block.lines)
        elif part.role != "back":
            self._take_text(block, part)

    def contents(self) -> Contents:
        """Everything taken so far, parts without paragraphs left out."""
        if not any(part.role == "abstract" and part.drafts for part in self._parts):
            self._find_abstract()
        parts = [part for part in self._parts if part.role in ("abstract", "body") and part.drafts]
        parts.sort(key=lambda part: part.role != "abstract")
        positions = {id(part): position for position, part in enumerate(parts)}
        for drawn, part in self._floats:
            drawn.section_position = positions.get(id(part))
        return Contents(
            sections=[self._section(part) for part in parts],
            captions=[caption for caption, _ in self._floats if isinstance(caption, Caption)],
            tables=[table for table, _ in self._floats if isinstance(table, PaperTable)],
            keywords=self._keywords,
            reference_lines=self._reference_lines,
        )

    def _section(self, part: _Part) -> Section:
        return Section(
            title=part.title,
            kind="abstract" if part.role == "abstract" else section_kind(part.title),
            paragraphs=[
                Paragraph(text=self._joiner.text(draft.lines), subsection=draft.subsection)
                for draft in part.drafts
            ],
        )

    def _find_abstract(self) -> None:
        """Without a heading, the longest paragraph in front of the first section is the abstract."""
        for part in self._parts:
            if part.role == "front" and part.drafts:
                longest = max(part.drafts, key=_words)
                if _words(longest) >= _FEWEST_ABSTRACT_WORDS and longest.finished:
                    self._parts.append(_Part("abstract", drafts=[longest]))
                return

    def _take_keywords(self, listed: str) -> None:
        self._keywords_follow = not listed
        separator = r"[;•·|]" if re.search(r"[;•·|]", listed) else r","
        for keyword in re.split(separator, listed):
            written = keyword.strip(" .")
            if written and len(written.split()) <= 8:
                self._keywords.append(Keyword(written, "author"))
        if self._parts[-1].role == "abstract":
            self._open(_Part("front"))

    def _take_caption(self, block: Block, part: _Part) -> None:
        match = CAPTION.match(block.text)
        if match:
            label, text = match["label"], block.text[match.end() :]
            is_table = match["kind"].lower() == "table"
            self._floats.append((laid_out(label, text, []) if is_table else Caption(label, text), part))

    def _take_heading(self, block: Block, part: _Part, at: int) -> bool:
        """Open a part or a subsection; False when the block is no heading in this place after all."""
        plain, level = plain_title(block.text), self._typography.level(block)
        if _REFERENCES.fullmatch(plain):
            self._open(_Part("references"))
        elif plain in _ABSTRACT_TITLES and not self._body_began:
            self._open(_Part("abstract", block.text))
        elif part.role == "abstract" and _ABSTRACT_PART.fullmatch(plain) and self._comes_again(plain, at):
            self._subsections = [block.text]
        elif is_back_matter(block.text):
            self._open(_Part("back"))
        elif level > 1:
            if part.role not in ("body", "abstract"):
                return part.role == "front"
            self._subsections = [*self._subsections[: level - 2], block.text]
        elif part.role == "front" and not (self._typography.names_part(block) or _NUMBERED.match(block.text)):
            return True
        else:
            self._open(_Part("body", block.text))
        return True

    def _comes_again(self, plain: str, at: int) -> bool:
        """Whether the heading, or an introduction, still follows: then this one is part of the abstract."""
        return max(self._last_at.get(plain, -1), self._last_at.get("introduction", -1)) > at

    def _open(self, part: _Part) -> None:
        self._parts.append(part)
        self._subsections = []

    def _take_text(self, block: Block, part: _Part) -> None:
        run_in = _RUN_IN_ABSTRACT.match(block.text) if part.role == "front" else None
        lines = list(block.lines)
        if run_in:
            part = _Part("abstract")
            self._open(part)
            lines[0] = replace(lines[0], text=lines[0].text[run_in.end() :])
            lines = [line for line in lines if line.text]
        elif part.role == "body" and block.size < self._typography.smallest_text:
            return
        last = part.drafts[-1] if part.drafts else None
        if last and not last.finished and block.text[0].islower():
            last.lines.extend(lines)
            last.finished = block.is_finished
        elif lines and _is_prose(block):
            self._body_began = self._body_began or part.role == "body"
            part.drafts.append(_Draft(lines, " > ".join(self._subsections), block.is_finished))


def _words(draft: _Draft) -> int:
    return sum(len(line.text.split()) for line in draft.lines)


def _is_prose(block: Block) -> bool:
    """Whether the block reads like text rather than cells of a table or a formula."""
    words = block.text.split()
    letters = sum(character.isalpha() for character in block.text)
    return len(words) >= (
        _FEWEST_WORDS if block.is_finished else _FEWEST_UNFINISHED_WORDS
    ) and letters > 0.6 * sum(map(len, words))

r"""Running text of a JATS element as a person reads it, with the places of its citations.

Conventions, the same everywhere:

* white space is one blank; block elements inside a paragraph (lists, formulas, quotes) are set off by blanks;
* a superscript reads `^x` (10^6, Ca^2+, kg^-1), except ordinals (1st), signs such as ® and °, and a
  leading mass number (13C); a superscript of citations reads `[12]`;
* a subscript of digits joins what it belongs to (CO2, PM2.5), any other reads `_x` (I_ref);
  what holds blanks is put in brackets (`^(a + b)`);
* floats, tables, labels, footnotes and their marks are left out; of alternatives one is taken.

While text is collected, control characters, which XML forbids, mark citations: `\x01` and `\x02` around
what a citation shows, `\x03` and `\x04` around a superscript that holds nothing but citations.
"""

import re
from collections.abc import Callable

from lxml import etree

from aimsciqa_assets.reading.jats.markers import Bibliography, place_markers
from aimsciqa_assets.reading.jats.math import linear_mathml, readable_tex
from aimsciqa_assets.reading.jats.tree import local_name
from aimsciqa_assets.reading.paper import Marker
from aimsciqa_assets.text.combining import unstacked

_SIMPLE_SUBSCRIPT = re.compile(r"\d+(?:[.,/–-]\d+)*")
_JOINED_SUPERSCRIPT = re.compile(r"(?:st|nd|rd|th|[®™©℠°º′″'*†‡§¶]+|TM|\(R\))", re.I)
_FOOTNOTE_SIGNS = re.compile(r"[\s*†‡§¶#•,a-z\d]{0,4}")
_CITATIONS_ONLY = re.compile(r"(?:[\s,;.()\[\]–—−‐‑&-]|\d{1,3}(?!\d)|\band\b|\x01[^\x02]*\x02)*")
_CLOSES = re.compile(r"\s*(?:[,;)\]]|[.!?](?![\w.!?])|:(?:\s|$))")
_SEAM_CHARACTERS = frozenset(" \t\n\r\u00a0,;)].!?:")
_OPENING = frozenset("([")
_AT_AN_END = frozenset("([ \t\n\r\u00a0")
_ASCII_BLANKS = "\n\t\r"
_WIDE_BLANKS = (
    "\u00a0\u2009\u202f\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u200a\u2000\u2001"
    "\u2028\u2029\u205f\u3000\u1680\x85"
)
_INVISIBLE = "\u200b\u200c\u2060\ufeff\u00ad"
_ENDS_ITEM = ".;:,!?"

FLOATS = frozenset(("fig", "table-wrap", "fig-group", "table-wrap-group", "boxed-text"))
_FLOAT_REFERENCES = frozenset(("fig", "table", "boxed-text"))
_FOOTNOTES = frozenset(("fn", "table-fn", "author-notes", "corresp", "aff", "contrib"))


class InlineText:
    """Reads text of one article; what must not stand in it (figures, tables, boxes) gathers in `floats`."""

    def __init__(self, bibliography: Bibliography) -> None:
        self.bibliography = bibliography
        self.floats: list[etree._Element] = []
        self.mentioned: list[str] = []
        self._out: list[str] = []
        self._cited: list[tuple[str, ...]] = []
        self._in_citation = False
        self._keeps_marks = False

    def paragraph(self, *parts: etree._Element | str) -> tuple[str, list[Marker]]:
        """Text and citation markers of one block, or of the pieces of a run outside any block."""
        self._out, self._cited = [], []
        for part in parts:
            if isinstance(part, str):
                self._out.append(part)
            else:
                _HANDLERS[part.tag](self, part)
        text = joined(self._out)
        if self._cited:
            return place_markers(text, self._cited, self.bibliography)
        return text, []

    def plain(self, element: etree._Element | None) -> str:
        """Text alone, for titles, captions and metadata."""
        if element is None:
            return ""
        self._out, self._cited = [], []
        self._walk(element)
        text = joined(self._out)
        return place_markers(text, self._cited, self.bibliography)[0] if self._cited else text

    def cell(self, element: etree._Element) -> str:
        """Return the text of a table's cell with its marks of footnotes: they may say what is significant."""
        self._keeps_marks = True
        text = self.plain(element)
        self._keeps_marks = False
        return text

    def _walk(self, element: etree._Element) -> None:
        out = self._out
        if element.text:
            out.append(element.text)
        for child in element:
            _HANDLERS[child.tag](self, child)
            if child.tail:
                out.append(child.tail)

    def _collected(self, element: etree._Element) -> str:
        start = len(self._out)
        self._walk(element)
        text = "".join(self._out[start:])
        del self._out[start:]
        return text

    def _last_character(self) -> str:
        for piece in reversed(self._out):
            if piece:
                return piece[-1]
        return " "

    def _skip(self, element: etree._Element) -> None:
        pass

    def _blank(self, element: etree._Element) -> None:
        self._out.append(" ")

    def _float(self, element: etree._Element) -> None:
        self.floats.append(element)
        self._out.append(" ")

    def _block(self, element: etree._Element) -> None:
        self._out.append(" ")
        self._walk(element)
        self._out.append(" ")

    def _list(self, element: etree._Element) -> None:
        self._items(element, "list-item")

    def _definitions(self, element: etree._Element) -> None:
        self._items(element, "def-item")

    def _items(self, element: etree._Element, kind: str) -> None:
        """Items one after the other; a semicolon where an item ends without punctuation."""
        self._out.append(" ")
        waiting = False
        for item in element:
            if local_name(item) != kind:
                _HANDLERS[item.tag](self, item)
                continue
            if waiting and self._last_visible() not in _ENDS_ITEM:
                self._out.append("; ")
            before = len(self._out)
            self._walk(item)
            self._out.append(" ")
            waiting = any(piece.strip() for piece in self._out[before:])
        self._out.append(" ")

    def _last_visible(self) -> str:
        for piece in reversed(self._out):
            if stripped := piece.rstrip():
                return stripped[-1]
        return ""

    def _term(self, element: etree._Element) -> None:
        self._walk(element)
        following = element.getnext()
        if following is not None and local_name(following) == "def":
            self._out.append(": ")

    def _explanation(self, element: etree._Element) -> None:
        parent = element.getparent()
        if parent is not None and parent.tag == "abbrev":
            self._out.append(f" ({self._collected(element).strip()})")
        else:
            self._block(element)

    def _formula(self, element: etree._Element) -> None:
        apart = element.tag != "inline-formula"
        if apart:
            self._out.append(" ")
        math = next(element.iter("{*}math", "mml:math"), None)
        tex = next(element.iter("{*}tex-math"), None) if math is None else None
        if math is not None:
            self._out.append(linear_mathml(math))
        elif tex is not None:
            self._out.append(readable_tex("".join(map(str, tex.itertext()))))
        else:
            self._walk(element)
        if apart:
            self._out.append(" ")

    def _alternatives(self, element: etree._Element) -> None:
        ranked = sorted(element, key=lambda child: _ALTERNATIVE_RANK.get(local_name(child), 2))
        if ranked:
            _HANDLERS[ranked[0].tag](self, ranked[0])

    def _mathml(self, element: etree._Element) -> None:
        self._out.append(linear_mathml(element))

    def _tex(self, element: etree._Element) -> None:
        self._out.append(readable_tex("".join(map(str, element.itertext()))))

    def _graphic(self, element: etree._Element) -> None:
        for child in element:
            if local_name(child) == "alt-text" and child.text and child.text.strip():
                self._out.append(f" {child.text} ")

    def _superscript(self, element: etree._Element) -> None:
        inner = self._collected(element)
        stripped = inner.strip()
        if not stripped:
            self._out.append(" " if inner else "")
            return
        if self._in_citation:
            self._out.append(stripped.strip("*†‡•# "))
        elif "\x01" in inner:
            raised = _CITATIONS_ONLY.fullmatch(stripped)
            self._out.append(f"\x03{stripped}\x04" if raised else inner)
        else:
            self._join_to_base()
            self._out.append(self._raised(stripped, element.tail or ""))

    def _join_to_base(self) -> None:
        """Drop a line break between a sub- or superscript and what it belongs to: pretty printing."""
        if self._out and "\n" in self._out[-1][len(self._out[-1].rstrip()) :]:
            self._out[-1] = self._out[-1].rstrip()

    def _raised(self, text: str, tail: str) -> str:
        if _JOINED_SUPERSCRIPT.fullmatch(text):
            return text
        if text in {"o", "0", "O"} and tail.lstrip()[:1] == "C" and not tail.lstrip()[1:2].isalpha():
            return "°"
        if text.isdigit() and tail[:1].isupper() and self._last_character() in " \n\t\u00a0([-–/":
            return text
        return "^" + _bracketed(text)

    def _subscript(self, element: etree._Element) -> None:
        inner = self._collected(element)
        text = inner.strip()
        if not text or "\x01" in inner or self._in_citation:
            self._out.append(inner)
            return
        self._join_to_base()
        last = self._last_character()
        raised_before = bool(self._out) and self._out[-1].startswith("^")
        joined = _SIMPLE_SUBSCRIPT.fullmatch(text) and not last.isdigit() and not raised_before
        self._out.append(text if joined else "_" + _bracketed(text))

    def _cross_reference(self, element: etree._Element) -> None:
        kind = element.get("ref-type", "")
        rids = element.get("rid", "")
        if self._in_citation or (kind != "bibr" and not self._is_citation(element, kind, rids)):
            self._other_reference(element, kind, rids)
            return
        if len(element):
            self._in_citation = True
            inner = self._collected(element)
            self._in_citation = False
        else:
            inner = element.text or ""
        shown = tidy(inner)
        if not shown:
            self._out.append(inner)
            return
        raised = len(element) == 1 and element[0].tag == "sup" and not (element.text or "").strip()
        self._cited.append(self.bibliography.resolve(rids, shown))
        before, after = (" " if inner[0].isspace() else ""), (" " if inner[-1].isspace() else "")
        marked = f"\x01{shown}\x02"
        self._out.append(f"{before}\x03{marked}\x04{after}" if raised else f"{before}{marked}{after}")

    def _is_citation(self, element: etree._Element, kind: str, rids: str) -> bool:
        """Whether an `xref` not called `bibr` cites: it points to a reference, or shows the label of one."""
        if rids:
            return any(rid in self.bibliography.keys_by_id for rid in rids.split())
        return kind in {"", "ref"} and self.bibliography.names_label("".join(map(str, element.itertext())))

    def _other_reference(self, element: etree._Element, kind: str, rids: str) -> None:
        if (
            not self._keeps_marks
            and kind in _FOOTNOTES
            and _FOOTNOTE_SIGNS.fullmatch("".join(map(str, element.itertext())))
        ):
            return
        self._walk(element)
        if kind in _FLOAT_REFERENCES:
            self.mentioned.extend(rids.split())


def joined(pieces: list[str]) -> str:
    """One text out of the pieces between markup, without blanks that only the markup put there.

    At the seams there is no blank before closing punctuation and none inside brackets.
    """
    done: list[str] = []
    last = " "
    for raw in pieces:
        if not raw:
            continue
        piece = raw
        if piece[0] in _SEAM_CHARACTERS:
            if last in "([":
                piece = piece.lstrip()
            elif _CLOSES.match(piece) and (last.isspace() or piece[0].isspace()):
                while done and done[-1].isspace():
                    done.pop()
                if done:
                    done[-1] = done[-1].rstrip()
                piece = piece.lstrip()
        if piece:
            last = piece[-1]
            if last.isspace() and (piece[-2:-1] in _AT_AN_END and piece.rstrip()[-1:] in _OPENING):
                piece = piece.rstrip()
                last = piece[-1]
            done.append(piece)
    return tidy("".join(done))


def tidy(text: str) -> str:
    """One blank for any white space, none around, no invisible characters."""
    for blank in _ASCII_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    if not text.isascii():
        for blank in _WIDE_BLANKS:
            if blank in text:
                text = text.replace(blank, " ")
        for character in _INVISIBLE:
            if character in text:
                text = text.replace(character, "")
        text = unstacked(text)
    return " ".join(text.split()) if "  " in text else text.strip()


def _bracketed(text: str) -> str:
    return f"({' '.join(text.split())})" if any(character.isspace() for character in text) else text


_ALTERNATIVE_RANK = {"math": 0, "tex-math": 1, "graphic": 3, "inline-graphic": 3, "media": 3}

_BY_NAME: dict[str, Callable[[InlineText, etree._Element], None]] = {
    **dict.fromkeys(
        ("label", "fn", "fn-group", "object-id", "index-term", "permissions", "alt-text", "long-desc",
         "table-wrap-foot", "title-group", "contrib-group", "sec-meta", "glyph-data", "colgroup"),
        InlineText._skip,
    ),
    **dict.fromkeys(
        ("supplementary-material", "media", "table", "array", "break", "hr", "ref-list", "related-article",
         "related-object", "bio", "floats-group"),
        InlineText._blank,
    ),
    **dict.fromkeys(FLOATS, InlineText._float),
    **dict.fromkeys(
        ("p", "disp-quote", "statement", "verse-group", "verse-line", "speech", "speaker", "list-item",
         "preformat", "code", "attrib", "title", "sec", "chem-struct-wrap", "question", "answer",
         "td", "th", "tr", "caption"),
        InlineText._block,
    ),
    **dict.fromkeys(("disp-formula", "inline-formula", "chem-struct"), InlineText._formula),
    "disp-formula-group": InlineText._block,
    "list": InlineText._list,
    "def-list": InlineText._definitions,
    "def": InlineText._explanation,
    "term": InlineText._term,
    "alternatives": InlineText._alternatives,
    "math": InlineText._mathml,
    "tex-math": InlineText._tex,
    "graphic": InlineText._graphic,
    "inline-graphic": InlineText._graphic,
    "sup": InlineText._superscript,
    "sub": InlineText._subscript,
    "xref": InlineText._cross_reference,
}  # fmt: skip


class _ByTag(dict[object, Callable[[InlineText, etree._Element], None]]):
    """Handlers by tag; a tag not seen before is looked up by its local name. Unknown ones are inline."""

    def __missing__(self, tag: object) -> Callable[[InlineText, etree._Element], None]:
        if not isinstance(tag, str):
            return InlineText._skip
        handler = _BY_NAME.get(tag.rpartition("}")[2].rpartition(":")[2], InlineText._walk)
        if len(self) < 1000:
            self[tag] = handler
        return handler


_HANDLERS = _ByTag(_BY_NAME)

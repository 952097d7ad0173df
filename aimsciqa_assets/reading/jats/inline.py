r"""Running text of a JATS element as a person reads it, with the places of its citations.

Conventions, the same everywhere:

* white space is one blank; block elements inside a paragraph (lists, formulas, quotes) are set off by blanks;
* a superscript reads `^x` (10^6, Ca^2+, kg^-1), except ordinals (1st), signs such as ® and °, and a
  leading mass number (13C); a superscript of citations reads `[12]`; superscripts side by side are one;
* a subscript of digits joins what it belongs to (CO2, PM2.5), any other reads `_x` (I_ref);
  what holds blanks is put in brackets (`^(a + b)`);
* floats, tables, labels, footnotes and their marks are left out; of alternatives one is taken.

While text is collected, control characters, which XML forbids, mark citations: `\x01` and `\x02` around
what a citation shows, `\x03` and `\x04` around a superscript that holds nothing but citations,
`\x05` and `\x06` around one that holds nothing but numbers and separators.
"""

import re
from collections.abc import Callable, Iterator

from lxml import etree

from aimsciqa_assets.reading.jats.markers import (
    DASHES,
    NUMBER_LIST,
    SEPARATOR,
    Bibliography,
    place_markers,
)
from aimsciqa_assets.reading.jats.math import linear_mathml, readable_tex
from aimsciqa_assets.reading.jats.tree import local_name
from aimsciqa_assets.reading.paper import Marker
from aimsciqa_assets.text.combining import unstacked

_SIMPLE_SUBSCRIPT = re.compile(r"\d+(?:[.,/–-]\d+)*")
_JOINED_SUPERSCRIPT = re.compile(r"(?:st|nd|rd|th|[®™©℠°º′″'*†‡§¶]+|TM|\(R\))", re.I)
_FOOTNOTE_SIGNS = re.compile(r"[\s*†‡§¶#•,a-z\d]{0,4}")
_WORDS = "(?:and|et|und|to|through|thru|bis|hasta|até)"
_SIGNS_OF_LISTS = rf"[\s,;:.()\[\]&{DASHES}]|\d{{1,3}}(?!\d)|\b{_WORDS}\b"
_PART_OF_LIST = re.compile(rf"(?:{_SIGNS_OF_LISTS})+|[,;]\s*[*†‡§¶]+")
_CITATIONS_ONLY = re.compile(rf"(?:{_SIGNS_OF_LISTS}|\x01[^\x02]*\x02)*")
_FOOTNOTE_MARKS = re.compile(r"(?<![,;\s*†‡§¶])[,;\s]*[*†‡§¶]+$|^[*†‡§¶]+[,;\s]*")
_CITATION = r"\x01[^\x02]*\x02"
_NUMBER = r"\x01\d{1,3}[a-z]?\x02"
_RAISED = r"\x03[^\x03\x04]*\x04"
_RAISED_SIGNS = r"\x05[^\x06]*\x06"
_SUPERSCRIPTS = re.compile(
    rf"(?:\x05[\s,;:.(\[]+\x06\s*)?(?:{_RAISED}|{_NUMBER}(?=\s*\x05))"
    rf"(?:\s*(?:{_RAISED}|{_RAISED_SIGNS})|(?<=\x06)\s*{_NUMBER})*"
)
_RAISED_LIST = re.compile(
    rf"(?P<before>[\s,;:.]*)(?P<open>[(\[]?)"
    rf"(?P<list>(?:\d{{1,3}}{SEPARATOR})*{_CITATION}(?:(?:{SEPARATOR}|\s*){_CITATION}|{SEPARATOR}\d{{1,3}})*)"
    rf"(?P<close>[)\]]?)(?P<after>[\s,;:.)\]*†‡§¶{DASHES}]*)"
)
_INNER_BRACKETS = re.compile(rf"[)\]]({SEPARATOR})[(\[]")
_SEPARATORS = re.compile(rf"[\s,;{DASHES}]+")
_WORD_OF_LIST = re.compile(rf"\s*\b({_WORDS})\b\s*")
_ENDS_OF_LIST = re.compile(
    rf"(?P<before>[\s,;{DASHES}]*|{_WORDS}\s+)(?P<open>[(\[]?)(?P<list>\d{{1,3}}(?!\d).*?)"
    rf"(?P<close>[)\]]?)(?P<after>[\s,;{DASHES}]*|\s+{_WORDS})"
)
_CLOSES = re.compile(r"\s*(?:[,;)\]]|[.!?](?![\w.!?])|:(?:\s|$))")
_SEAM_CHARACTERS = frozenset(" \t\n\r\u00a0,;)].!?:")
_OPENING = frozenset("([")
_AT_AN_END = frozenset("([ \t\n\r\u00a0")
_ASCII_BLANKS = "\n\t\r"
_LOOK_BACK = 10
_EQUATION_NUMBER = re.compile(
    r"(?:^|(?<=\s))[(\[]\s*(?:Eq\.?\s*)?(?:[A-Z]\.?)?\d+(?:[.–-]\d+)*[a-z]?\s*[)\]]\s*$"
)
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
        return self._placed()

    def plain(self, element: etree._Element | None) -> str:
        """Text alone, for titles, captions and metadata."""
        if element is None:
            return ""
        self._out, self._cited = [], []
        self._walk(element)
        return self._placed()[0]

    def _placed(self) -> tuple[str, list[Marker]]:
        text = _without_marks(joined(self._out))
        return place_markers(text, self._cited, self.bibliography) if self._cited else (text, [])

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
        return self._taken(start)

    def _taken(self, start: int) -> str:
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
        self._out.append(element.text or "")
        for forms in _side_by_side(element):
            if len(forms) > 1:
                self._best_of(forms)
            else:
                _HANDLERS[forms[0].tag](self, forms[0])
            self._out.append(forms[-1].tail or "")
        if apart:
            self._out[-1] = _EQUATION_NUMBER.sub("", self._out[-1])
            self._out.append(" ")

    def _alternatives(self, element: etree._Element) -> None:
        for form in sorted(element, key=_rank):
            if (text := self._read(form)).strip():
                self._out.append(text)
                return

    def _best_of(self, forms: list[etree._Element]) -> None:
        """Read the best form of a formula that comes in several, with all parts of that form."""
        for rank in sorted(set(map(_rank, forms))):
            texts = [self._read(form) for form in forms if _rank(form) == rank]
            if any(text.strip() for text in texts):
                self._out.append(" ".join(texts))
                return

    def _read(self, element: etree._Element) -> str:
        start = len(self._out)
        _HANDLERS[element.tag](self, element)
        return self._taken(start)

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
            citations = _FOOTNOTE_MARKS.sub("", stripped)
            raised = _CITATIONS_ONLY.fullmatch(citations)
            self._out.append(f"\x03{citations}\x04" if raised else inner)
        else:
            self._join_to_base()
            raised_text = self._raised(stripped, element.tail or "")
            is_part = raised_text[0] == "^" and _PART_OF_LIST.fullmatch(stripped)
            self._out.append(f"\x05{stripped}\x06" if is_part else raised_text)

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
        raised_before = bool(self._out) and self._out[-1].startswith(("^", "\x05"))
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
        if not shown or _SEPARATORS.fullmatch(shown):  # a dash may be linked as well: "1", "–", "4"
            self._out.append(inner)
            return
        lead, shown, rest = _parted(shown)
        self._cited.append(self.bibliography.resolve(rids, shown))
        before, after = (" " if inner[0].isspace() else ""), (" " if inner[-1].isspace() else "")
        marked = f"{lead}\x01{shown}\x02{rest}"
        self._out.append(
            f"{before}\x03{marked}\x04{after}" if _is_raised(element) else f"{before}{marked}{after}"
        )

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


def _is_raised(citation: etree._Element) -> bool:
    """Return whether all visible text of an `xref` is superscript."""
    if citation.find(".//sup") is None:
        return False
    return not citation.xpath(".//text()[normalize-space()][not(ancestor::sup)]")


def _parted(shown: str) -> tuple[str, str, str]:
    """Return separators before a list of numbers, the list, and separators after it.

    Of `<xref>1–</xref><xref>4</xref>`, the first shows "1" and has "–" after it.
    """
    parts = _ENDS_OF_LIST.fullmatch(shown)
    if parts is None or not NUMBER_LIST.fullmatch(parts["list"]):
        return "", shown, ""
    if parts["open"] and parts["close"]:
        return parts["before"], parts["open"] + parts["list"] + parts["close"], parts["after"]
    return parts["before"] + parts["open"], parts["list"], parts["close"] + parts["after"]


def _without_marks(text: str) -> str:
    r"""Return the text with superscripts side by side as one, and without `\x05` and `\x06`."""
    if "\x03" not in text and "\x05" not in text:
        return text
    text = _SUPERSCRIPTS.sub(_one_superscript, text)
    return re.sub(rf"(?:{_RAISED_SIGNS})+", _raised_signs, text)


def _one_superscript(superscripts: re.Match[str]) -> str:
    """Return the citations of neighbouring superscripts as one, its outer punctuation before and after it."""
    content = re.sub("[\x03-\x06]", "", superscripts[0])
    content = _INNER_BRACKETS.sub(r"\1", content)
    content = _WORD_OF_LIST.sub(r" \1 ", content)
    parts = _RAISED_LIST.fullmatch(re.sub(r"\s+(?=[,;:.)\]])", "", content))
    if parts is None:
        return superscripts[0]
    before, opened, closed, after = (parts[name].strip() for name in ("before", "open", "close", "after"))
    start = superscripts.start()
    after = after.rstrip("*†‡§¶")
    if superscripts.string[max(0, start - _LOOK_BACK) : start].rstrip()[-1:] in {".", "!", "?"}:
        after = after.strip(",;")  # it led to the mark of a footnote
    if opened and closed:
        return f"{before}\x03{opened}{parts['list']}{closed}\x04{after}"
    return f"{before}{opened}\x03{parts['list']}\x04{closed}{after}"


def _raised_signs(superscripts: re.Match[str]) -> str:
    text = re.sub("[\x05\x06]", "", superscripts[0])
    if not text.strip(" ,;.:"):
        return text.strip(" ,;")  # commas alone stood between marks of footnotes
    return "^" + _bracketed(text)


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


_FORM_RANK = {"math": 0, "alternatives": 0, "tex-math": 1, "graphic": 3, "inline-graphic": 3, "media": 3}


def _rank(form: etree._Element) -> int:
    return _FORM_RANK.get(local_name(form), 2)


def _side_by_side(formula: etree._Element) -> Iterator[list[etree._Element]]:
    """Yield each child of a formula; MathML, TeX and pictures without text between them come together."""
    forms: list[etree._Element] = []
    for child in formula:
        if forms and (_rank(child) == 2 or _rank(forms[-1]) == 2 or (forms[-1].tail or "").strip()):
            yield forms
            forms = []
        forms.append(child)
    if forms:
        yield forms


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

"""In-text citations: which references each one names, and where it stands in the finished paragraph.

A marker covers what the eye takes as one citation: of numbers, the whole list with its brackets ("[3,5,7-9]",
"[3]-[7]"), of names and years, one work each ("Smith et al., 2010"). Numbers outside brackets are shown in
brackets, before the punctuation they follow: "yield.<sup>3,4</sup>" reads "yield [3,4].".
"""

import re
from collections.abc import Sequence

from aimsciqa_assets.reading.paper import Marker, Reference

LONGEST_RANGE = 100
"""A range over more references than this is taken for something else and not filled."""

MOST_CITATIONS = 50
"""So many citations of one `ref` (or under one label) are named by a marker to it."""

DASHES = "–—‒―−‐‑~∼-"  # the hyphen last: these go into character classes
_AND = "(?:and|et|und|y|e)"
_TO = "(?:to|through|thru|bis|hasta|até|à|a)"
_RANGE_SIGN = rf"(?:[{DASHES}]{{1,2}}|\b{_TO}\b)"
SEPARATOR = rf"(?:\s*(?:[,;]\s*(?:(?:{_AND}\b|&)\s*)?|&\s*|[{DASHES}]{{1,2}}\s*)|\s+(?:{_AND}|{_TO})\s+)"
"""Between two numbers of one list: a comma, a dash, or a word between blanks."""

NUMBER_LIST = re.compile(rf"[\[(]?\s*\d{{1,3}}[a-z]?(?:(?:{SEPARATOR}|\s)\d{{1,3}}[a-z]?)*\s*[\])]?")
"""Numbers of references as printed, with or without their brackets: "[3,5-7]", "1 to 4"."""

_NUMBER = re.compile(r"\d{1,4}")
_TOKEN = re.compile(rf"(?P<digits>\d{{1,4}})(?P<letter>[a-z]?)(?![a-z])|(?P<range>{_RANGE_SIGN})")
_RANGE = re.compile(rf"\s*[\])]?\s*{_RANGE_SIGN}\s*[\[(]?\s*")
_BETWEEN = re.compile(rf"\s*[\])]?(?:{SEPARATOR}|\s+(?:{_AND}|{_TO})|\s*&|\s*)\s*[\[(]?\s*")
_BETWEEN_WITH_NUMBERS = re.compile(rf"(?:{SEPARATOR}\d{{1,3}})+{SEPARATOR}")
_NUMBERS_BEFORE = re.compile(rf"(?:(?<!\d)\d{{1,3}}{SEPARATOR})*\s*\Z")
_NUMBERS_AFTER = re.compile(rf"((?:{SEPARATOR}\d{{1,3}})*)\s*([\])\x04])")
_LONGEST_LIST = 400
_REFERENCE_WORD = re.compile(r"^[\[(]?\s*(?:refs?|references?|nos?)\b\.?\s*", re.I)
_MARKED = re.compile(r"\x01([^\x01\x02]*)\x02")
_CLOSING = {"[": "]", "(": ")", "\x03": "\x04"}
_PUNCTUATION_BEFORE = re.compile(r"([^\s.,;:!?\x03])([.,;:!?]+[\"'”’)\]]?|[,;]?[\"”’])$")
_ABBREVIATION_BEFORE = re.compile(
    r"(?:\b(?:al|etc|cf|vs|refs?|e\.g|i\.e|no|nos|sp|spp|approx|ca|fig|eqs?))\.$", re.I
)
_STAYS_STUCK = "([{/#–—-−\x03\x04"
_NEW_SENTENCE = re.compile(r"\s*(?:$|\s[^a-z])")


_Piece = tuple[str, tuple[str, ...] | None]
"""Text of a list of citations, with the keys it names if it is a tagged citation."""


class Bibliography:
    """The references of a paper as in-text citations name them: by XML id, by label, by position."""

    def __init__(self, references: list[Reference], keys_by_id: dict[str, tuple[str, ...]]) -> None:
        self.keys_by_id = keys_by_id
        self._order = [reference.key for reference in references]
        self._position = {key: position for position, key in enumerate(self._order)}
        self._by_label: dict[str, tuple[str, ...]] = {}
        for reference in references:
            label = reference.label.strip(" .()[]")
            known = self._by_label.get(label, ())
            if label and len(known) < MOST_CITATIONS:
                self._by_label[label] = (*known, reference.key)
        self._labelled = bool(self._by_label)

    def names_label(self, shown: str) -> bool:
        """Return whether a citation shows the label of a reference, or a list of labels."""
        bare = shown.strip(" .()[]\n\t")
        return bare in self._by_label or (
            NUMBER_LIST.fullmatch(bare) is not None and all(self.of_number(n) for n in _NUMBER.findall(bare))
        )

    def is_label_of(self, shown: str, keys: Sequence[str]) -> bool:
        """Return whether `shown` is the label of a reference in `keys`."""
        return not set(self._by_label.get(shown.strip(" .()[]"), ())).isdisjoint(keys)

    def of_number(self, number: str) -> tuple[str, ...]:
        """The keys a printed number stands for: by label, or by position where no reference has a label."""
        if self._labelled:
            return self._by_label.get(number, ())
        position = int(number) - 1
        return (self._order[position],) if 0 <= position < len(self._order) else ()

    def resolve(self, rids: str, shown: str) -> tuple[str, ...]:
        """Keys for one `xref`: those of its ids and of the ranges it prints; by label when it has no id."""
        known = self.keys_by_id.get(rids)
        if known is not None and shown.isdecimal():
            return known
        keys = [key for rid in rids.split() for key in self.keys_by_id.get(rid, ())]
        if rids and not keys:
            return ()
        if not rids and (named := self._by_label.get(shown.strip(" .()[]"))):
            return named
        printed = self._printed(_REFERENCE_WORD.sub("", shown))
        # Where ids are given they decide: numbers that name none of them are no numbers of references.
        if printed and (not rids or not set(keys).isdisjoint(printed)):
            keys = printed + keys
        return tuple(dict.fromkeys(keys))

    def between(self, first: str, last: str) -> list[str]:
        """Keys from one reference to another as the bibliography orders them; empty when that is no range."""
        start, end = self._position.get(first, -1), self._position.get(last, -1)
        return self._order[start : end + 1] if 0 <= start < end <= start + LONGEST_RANGE else []

    def listed(self, pieces: Sequence[_Piece]) -> list[str]:
        """Return the keys of a list of citations, with the references inside its ranges: "3,5-7" names four.

        Numbers in a piece without keys of its own are references that the file does not tag.
        """
        keys: list[str] = []
        in_range = False
        for text, tagged in pieces:
            for named in (tagged,) if tagged is not None else map(self._of_token, _TOKEN.finditer(text)):
                if named is None:
                    in_range = bool(keys)
                    continue
                if in_range and named:
                    keys += self.between(keys[-1], named[0])
                keys += named
                in_range = False
        return list(dict.fromkeys(keys))

    def _of_token(self, token: re.Match[str]) -> tuple[str, ...] | None:
        """Return the keys of a printed number, or None for the sign of a range."""
        if token["range"]:
            return None
        return self._by_label.get(token[0]) or self.of_number(token["digits"])

    def _printed(self, shown: str) -> list[str]:
        """Return the keys of the numbers and ranges as printed, or of a range between two other labels."""
        if NUMBER_LIST.fullmatch(shown):
            return self.listed([(shown, None)])
        ends = [self._by_label.get(end.strip(" .()[]")) for end in _RANGE.split(shown)]
        if len(ends) == 2 and ends[0] and ends[1]:
            return [*ends[0], *self.between(ends[0][-1], ends[1][0]), *ends[1]]
        return []


class _Group:
    """One or more tagged citations that read as one, with the text around it still as collected."""

    __slots__ = ("is_label", "numeric", "pieces")

    def __init__(self, shown: str, keys: tuple[str, ...], bibliography: Bibliography) -> None:
        self.pieces: list[_Piece] = [(shown, keys)]
        self.numeric = (shown.isdecimal() and len(shown) < 4) or NUMBER_LIST.fullmatch(shown) is not None
        self.is_label = not self.numeric and bibliography.is_label_of(shown, keys)

    @property
    def shown(self) -> str:
        """What a reader sees of it."""
        return "".join(text for text, _ in self.pieces)


def place_markers(
    text: str, cited: list[tuple[str, ...]], bibliography: Bibliography
) -> tuple[str, list[Marker]]:
    r"""The finished paragraph and its markers.

    In `text` the k-th citation, naming `cited[k]`, stands between `\x01` and `\x02`, and what is raised
    between `\x03` and `\x04`.
    """
    parts = _MARKED.split(text)
    gaps = [parts[0]]
    groups: list[_Group] = []
    for keys, shown, gap in zip(cited, parts[1::2], parts[2::2], strict=False):
        group = _Group(shown, keys, bibliography)
        if groups and _belong_together(groups[-1], gaps[-1], group):
            _merge(groups[-1], gaps.pop(), group)
        else:
            groups.append(group)
        gaps.append(gap)
    return _laid_out(gaps, groups, bibliography)


def _belong_together(left: _Group, gap: str, right: _Group) -> bool:
    gap = gap.replace("\x04", "]").replace("\x03", "[")
    if left.numeric and right.numeric:
        return bool(_BETWEEN.fullmatch(gap) or _BETWEEN_WITH_NUMBERS.fullmatch(gap))
    return left.is_label and right.is_label and _RANGE.fullmatch(gap) is not None


def _merge(left: _Group, gap: str, right: _Group) -> None:
    # Two numbers without anything between them would read as one.
    gap = gap.replace("\x04", "").replace("\x03", "") or ","
    left.pieces += [(f"{gap} " if gap[-1].isalpha() else gap, None), *right.pieces]


def _laid_out(gaps: list[str], groups: list[_Group], bibliography: Bibliography) -> tuple[str, list[Marker]]:
    pieces: list[str] = []
    length = 0
    markers: list[Marker] = []
    before = gaps[0]
    for group, gap in zip(groups, gaps[1:], strict=True):
        before, shown, after = _framed(before, group, gap)
        moved = ""
        if shown[0] == "\x03":
            shown = f"[{shown[1:-1]}]"
            before, moved = _unstuck(before, after)
        elif shown[0].isalpha() and (before[-1:].isalnum() or before[-1:] in {",", ";"}):
            before += " "  # "(e.g.,<xref>Gould, 1977</xref>)"
        before = _plain(before)
        length += len(before)
        start, end = _trimmed(shown)
        markers.append(Marker(length + start, length + end, tuple(bibliography.listed(group.pieces))))
        tail = f"{moved} " if after[:2].isalpha() and len(after) > 1 else moved
        pieces += (before, shown, tail)
        length += len(shown) + len(tail)
        before = after
    pieces.append(_plain(before))
    return "".join(pieces), markers


def _framed(before: str, group: _Group, after: str) -> tuple[str, str, str]:
    r"""Draw brackets that hold nothing but this citation, and untagged numbers beside it, into it.

    What is shown comes back between `\x03` and `\x04` when it is raised.
    """
    shown, raised = group.shown, False
    if not group.numeric and before[-1:] != "\x03":
        return before, shown, after
    if before[-1:] == "[" and after[:1] == "]" and before[-2:-1] != "\x03":
        return before[:-1], f"[{shown}]", after[1:]
    for _ in range(2):  # brackets may stand inside a superscript
        numbers = _NUMBERS_BEFORE.search(before, max(0, len(before) - _LONGEST_LIST))
        outer = before[: numbers.start()] if numbers else before
        opening = outer[-1:]
        closing = _NUMBERS_AFTER.match(after) if opening in _CLOSING else None
        if closing is None or closing.group(2) != _CLOSING[opening]:
            break
        raised = opening == "\x03"
        if not (group.numeric or raised):
            break
        early, late = before[len(outer) :], closing.group(1)
        group.pieces = [(early, None), *group.pieces, (late, None)]
        shown = f"{early.lstrip()}{shown}{late}"
        if not raised:
            shown = f"{opening}{shown}{closing.group(2)}"
        before = outer[:-1]
        after = after[closing.end() :]
    if raised or (group.numeric and shown[0].isdigit()):
        bare = shown[1:-1] if shown[0] in "[(" and shown[-1] == _CLOSING[shown[0]] else shown
        return before, f"\x03{bare.strip(' ,;')}\x04", after
    return before, shown, after


def _unstuck(before: str, after: str) -> tuple[str, str]:
    """What stands before a raised citation, with a blank at its end, and the punctuation to put after it."""
    if not before or before[-1].isspace() or before[-1] in _STAYS_STUCK:
        return before, ""
    found = _PUNCTUATION_BEFORE.search(before[-40:])
    if found and not _ABBREVIATION_BEFORE.search(before[-20:]):
        mark = found.group(2)
        sentence_ends = mark[0] in ".!?"
        if not sentence_ends or _NEW_SENTENCE.match(after):
            return before[: len(before) - len(mark)] + " ", mark
    return before + " ", ""


def _plain(text: str) -> str:
    """Untreated raised brackets become plain ones."""
    return text.replace("\x03", "[").replace("\x04", "]") if "\x03" in text or "\x04" in text else text


def _trimmed(shown: str) -> tuple[int, int]:
    """Offsets in `shown` without outer blanks and without a bracket whose partner lies outside."""
    start, end = 0, len(shown)
    if shown[-1:] in "])" and shown.count(shown[-1]) > shown.count("[" if shown[-1] == "]" else "("):
        end -= 1
    if shown[:1] in {"[", "("} and shown.count(shown[0]) > shown.count(_CLOSING[shown[0]]):
        start += 1
    return start, max(end, start)

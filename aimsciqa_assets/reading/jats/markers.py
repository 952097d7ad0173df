"""In-text citations: which references each one names, and where it stands in the finished paragraph.

A marker covers what the eye takes as one citation: of numbers, the whole list with its brackets ("[3,5,7-9]",
"[3]-[7]"), of names and years, one work each ("Smith et al., 2010"). Numbers outside brackets are shown in
brackets, before the punctuation they follow: "yield.<sup>3,4</sup>" reads "yield [3,4].".
"""

import re

from aimsciqa_assets.reading.paper import Marker, Reference

LONGEST_RANGE = 100
"""A range over more references than this is taken for something else and not filled."""

MOST_CITATIONS = 50
"""So many citations of one `ref` (or under one label) are named by a marker to it."""

_DASHES = "–—−‐‑-"  # the hyphen last: these go into character classes
_NUMBER_LIST = re.compile(rf"[\[(]?\s*\d{{1,3}}[a-z]?(?:(?:\s*[,;{_DASHES}]\s*|\s)\d{{1,3}}[a-z]?)*\s*[\])]?")
_NUMBER_OR_RANGE = re.compile(rf"(\d{{1,4}})(?:\s*[{_DASHES}]\s*(\d{{1,4}}))?")
_NUMBER = re.compile(r"\d{1,4}")
_BETWEEN = re.compile(rf"\s*[\])]?\s*(?:[,;{_DASHES}]|,?\s*(?:and|&)(?=\s|$))?\s*[\[(]?\s*")
_BETWEEN_WITH_NUMBERS = re.compile(rf"\s*(?:[,;{_DASHES}]\s*\d{{1,3}}\s*)+[,;{_DASHES}]\s*")
_NUMBER_CHARACTERS = f" ,;0123456789{_DASHES}"
_NUMBERS_AFTER = re.compile(rf"((?:\s*[,;{_DASHES}]\s*\d{{1,3}})*)\s*([\])\x04])")
_MARKED = re.compile(r"\x01([^\x01\x02]*)\x02")
_CLOSING = {"[": "]", "(": ")", "\x03": "\x04"}
_PUNCTUATION_BEFORE = re.compile(r"([^\s.,;:!?\x03])([.,;:!?]+[\"'”’)\]]?|[,;]?[\"”’])$")
_ABBREVIATION_BEFORE = re.compile(
    r"(?:\b(?:al|etc|cf|vs|refs?|e\.g|i\.e|no|nos|sp|spp|approx|ca|fig|eqs?))\.$", re.I
)
_STAYS_STUCK = "([{/#–—-−\x03\x04"
_NEW_SENTENCE = re.compile(r"\s*(?:$|\s[^a-z])")


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
        """Whether what a citation shows is the label of a reference, or a list of labels."""
        bare = shown.strip(" .()[]\n\t")
        return bare in self._by_label or (
            _NUMBER_LIST.fullmatch(bare) is not None and all(self.of_number(n) for n in _NUMBER.findall(bare))
        )

    def of_number(self, number: str) -> tuple[str, ...]:
        """The keys a printed number stands for: by label, or by position where no reference has a label."""
        if self._labelled:
            return self._by_label.get(number, ())
        position = int(number) - 1
        return (self._order[position],) if 0 <= position < len(self._order) else ()

    def resolve(self, rids: str, shown: str) -> tuple[str, ...]:
        """Keys for one `xref`: those of its ids and of the ranges it prints; by label when it has no id."""
        known = self.keys_by_id.get(rids)
        if known is not None and (shown.isdecimal() or not _NUMBER_LIST.fullmatch(shown)):
            return known
        keys = [key for rid in rids.split() for key in self.keys_by_id.get(rid, ())]
        if rids and not keys:
            return ()
        if not rids and (named := self._by_label.get(shown.strip(" .()[]"))):
            return named
        printed = self._printed(shown) if _NUMBER_LIST.fullmatch(shown) else []
        # Where ids are given they decide: numbers that name none of them are no numbers of references.
        if printed and (not rids or not set(keys).isdisjoint(printed)):
            keys = printed + keys
        return tuple(dict.fromkeys(keys))

    def between(self, first: str, last: str) -> list[str]:
        """Keys from one reference to another as the bibliography orders them; empty when that is no range."""
        start, end = self._position.get(first, -1), self._position.get(last, -1)
        return self._order[start : end + 1] if 0 <= start < end <= start + LONGEST_RANGE else []

    def _printed(self, shown: str) -> list[str]:
        """Keys of the numbers and ranges as printed: "3,5-7" names four."""
        keys: list[str] = []
        for low, high in _NUMBER_OR_RANGE.findall(shown):
            first, last = self.of_number(low), self.of_number(high) if high else ()
            keys += first
            if first and last:
                keys += self.between(first[0], last[-1]) or last
        return keys


class _Group:
    """One or more tagged citations that read as one, with the text around it still as collected."""

    __slots__ = ("_pieces", "keys", "numeric")

    def __init__(self, shown: str, keys: tuple[str, ...]) -> None:
        self._pieces = [shown]
        self.keys = list(keys)
        self.numeric = (shown.isdecimal() and len(shown) < 4) or _NUMBER_LIST.fullmatch(shown) is not None

    @property
    def shown(self) -> str:
        """What a reader sees of it."""
        return "".join(self._pieces)

    def show(self, gap: str, following: "_Group") -> None:
        """Show what follows as well, behind what stands between."""
        self._pieces += (gap, *following._pieces)


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
        group = _Group(shown, keys)
        if groups and _belong_together(groups[-1], gaps[-1], group):
            _merge(groups[-1], gaps.pop(), group, bibliography)
        else:
            groups.append(group)
        gaps.append(gap)
    return _laid_out(gaps, groups, bibliography)


def _belong_together(left: _Group, gap: str, right: _Group) -> bool:
    if not (left.numeric and right.numeric):
        return False
    if gap in {"", ",", ", "}:
        return True
    gap = gap.replace("\x04", "]").replace("\x03", "[")
    return bool(_BETWEEN.fullmatch(gap) or _BETWEEN_WITH_NUMBERS.fullmatch(gap))


def _merge(left: _Group, gap: str, right: _Group, bibliography: Bibliography) -> None:
    untagged = [key for number in _NUMBER.findall(gap) for key in bibliography.of_number(number)]
    is_range = any(dash in gap for dash in _DASHES) and not untagged
    if is_range and left.keys and right.keys:
        left.keys += bibliography.between(left.keys[-1], right.keys[0])
    left.keys += [*untagged, *right.keys]
    # Two numbers without anything between them would read as one.
    left.show(gap.replace("\x04", "").replace("\x03", "") or ",", right)


def _laid_out(gaps: list[str], groups: list[_Group], bibliography: Bibliography) -> tuple[str, list[Marker]]:
    pieces: list[str] = []
    length = 0
    markers: list[Marker] = []
    before = gaps[0]
    for group, gap in zip(groups, gaps[1:], strict=True):
        before, shown, after = _framed(before, group, gap, bibliography)
        moved = ""
        if shown[0] == "\x03":
            shown = f"[{shown[1:-1]}]"
            before, moved = _unstuck(before, after)
        elif shown[0].isalpha() and (before[-1:].isalnum() or before[-1:] in {",", ";"}):
            before += " "  # "(e.g.,<xref>Gould, 1977</xref>)"
        before = _plain(before)
        length += len(before)
        start, end = _trimmed(shown)
        markers.append(Marker(length + start, length + end, tuple(dict.fromkeys(group.keys))))
        tail = f"{moved} " if after[:2].isalpha() and len(after) > 1 else moved
        pieces += (before, shown, tail)
        length += len(shown) + len(tail)
        before = after
    pieces.append(_plain(before))
    return "".join(pieces), markers


def _framed(before: str, group: _Group, after: str, bibliography: Bibliography) -> tuple[str, str, str]:
    r"""Draw brackets that hold nothing but this citation, and untagged numbers beside it, into it.

    What is shown comes back between `\x03` and `\x04` when it is raised.
    """
    shown, raised = group.shown, False
    if not group.numeric and before[-1:] != "\x03":
        return before, shown, after
    if before[-1:] == "[" and after[:1] == "]" and before[-2:-1] != "\x03":
        return before[:-1], f"[{shown}]", after[1:]
    for _ in range(2):  # brackets may stand inside a superscript
        outer = before.rstrip(_NUMBER_CHARACTERS)
        opening = outer[-1:]
        closing = _NUMBERS_AFTER.match(after) if opening in _CLOSING else None
        if closing is None or closing.group(2) != _CLOSING[opening]:
            break
        raised = opening == "\x03"
        if not (group.numeric or raised):
            break
        early, late = before[len(outer) :], closing.group(1)
        if early.strip() or late:
            _take_untagged(group, early, late, bibliography)
        shown = f"{early.lstrip()}{shown}{late}"
        if not raised:
            shown = f"{opening}{shown}{closing.group(2)}"
        before = outer[:-1]
        after = after[closing.end() :]
    if raised or (group.numeric and shown[0].isdigit()):
        bare = shown[1:-1] if shown[0] in "[(" and shown[-1] == _CLOSING[shown[0]] else shown
        return before, f"\x03{bare.strip(' ,;')}\x04", after
    return before, shown, after


def _take_untagged(group: _Group, early: str, late: str, bibliography: Bibliography) -> None:
    first = [key for number in _NUMBER.findall(early) for key in bibliography.of_number(number)]
    last = [key for number in _NUMBER.findall(late) for key in bibliography.of_number(number)]
    if last and group.keys and late.lstrip()[0] in _DASHES:
        last = bibliography.between(group.keys[-1], last[0]) + last
    group.keys = [*first, *group.keys, *last]


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

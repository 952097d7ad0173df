"""Sentence spans of scientific English: `sentencex` with corrections for citations, species and units.

`sentencex` proposes boundaries; a pattern adds those it misses (mostly behind quotes, brackets and
superscript citations). Every proposal is then moved behind a citation that follows the full stop, and
dropped when the two sides belong together. The rules, in the order of `_is_boundary`, are about
blank lines, brackets and quotes, enumeration marks, what the right side starts with, and what the left
side ends with. Where an abbreviation may also end a sentence, the right side decides.
"""

import re
from bisect import bisect

import sentencex

_LONGEST_BRACKET = 600
"""A bracket or quotation longer than this many characters may be split: it is rarely one sentence."""
_DEEPEST_BRACKET = 20
_LOOK_BACK = _LONGEST_BRACKET + 100
_LOOK_AHEAD = 200
_LIST_WINDOW = 4000
_STOP_WINDOW = 12

_ALWAYS_CONTINUES = frozenset(
    "fig figs Eq Eqs eq eqs Dr Drs Prof Mr Mrs Ms Md St Mt vs cf viz ca approx i.e e.g ie eg "
    "var subsp ssp sect subsect cv syn acc pers unpubl incl excl esp Suppl Supp suppl supp".split()
)
_CONTINUES_BEFORE_CODE = frozenset(
    "No Nos no nos NO Ref Refs ref refs Tab Tabs tab Table Tables Vol vol pp p v V ver Ver vers Ch Chap chap "
    "Sec Sect sec Chr chr Env Exp exp Rev Part Nr nr c Lot lot comm App Ext Cat cat Art art".split()
)
_FIGURES = frozenset({"Fig", "Figs", "FIG", "FIGS"})
_EXPECTS_CITATION = _ALWAYS_CONTINUES | _FIGURES | _CONTINUES_BEFORE_CODE | {"al"}
_MAY_END = frozenset(
    "al etc sp spp nov Inc Co Ltd Corp Jr Sr Univ Dept Inst Res Div Lab Labs Bros resp dept univ ed eds Br "
    "hort auct emend nom Jan Feb Mar Apr Aug Sept Oct Nov Dec".split()
)
_FUNCTION_WORDS = frozenset(
    "a an and as at both by between cf for from in including into like of on or per see than the "
    "through to und under using via von versus vs. when where which while with within".split()
)
_STARTERS = frozenset(
    "A Accordingly Additionally After Afterwards All Also Although Among An And Another Any As At Based "
    "Because Before Besides Between Both But By Consequently Conversely Despite Due During Each Either Even "
    "Every Finally First Firstly Following For From Further Furthermore Given He Hence Here How However "
    "I If Importantly In Indeed Instead Interestingly Is It Its Lastly Later Like Many Meanwhile Moreover "
    "Most Nevertheless Next No Nonetheless Not Notably Now Of On Once One Only Other Others Otherwise Our "
    "Out Over Overall Per Recently Second Secondly She Similarly Since So Some Specifically Still "
    "Subsequently Such Surprisingly Than That The Their Then There Thereafter Therefore These They Third "
    "This Those Three Through Throughout Thus To Together Two Under Unfortunately Unlike Until Upon Using "
    "We What When Where Whereas Whether Which While With Within Without Yet You".split()
)

_NUMBERS = (
    r"\d{1,3}[a-z]?(?:(?:\s?(?:[,;&–—‒―−‐‑~∼]|-{1,2})\s?|,?\s(?:and|to|through|thru)\s|\s)\d{1,3}[a-z]?)*"
)
_SUPERSCRIPT = r"\d{1,3}(?:(?:\s?[,;–—‐‑−-]\s?|\s)\d{1,3})*"
_PROPOSAL = re.compile(
    rf"""
    (?<![\s.])(?:
        [.!?…]["'”’»)\]]*(?=\s+["'“‘«(\[]*[^\W_a-z])            # a stop, maybe inside a quote or bracket
      | \.(?=\[\d)                                            # before a citation: "applied.[12]"
      | (?<=[^\W\d_]|[)\]%”’])\.{_SUPERSCRIPT}(?=\s+["“‘]?[A-Z])  # with one as superscript: "applied.12"
    )
    | \n[^\S\n]*\n                                            # a blank line
    """,
    re.VERBOSE,
)
_SUPERSCRIPT_CITATION = re.compile(rf"\.{_SUPERSCRIPT}\Z")
_CITATION_AFTER_STOP = re.compile(
    rf"""
    \s*(?:
        \[\s*{_NUMBERS}\s*\](?:\s?[,;–—-]?\s?\[\s*{_NUMBERS}\s*\])*      # [3], [4]–[7]
      | \(\s*(?P<number>\d{{1,3}})\s*\)                                   # (13)
      | \(\s*\d{{1,3}}(?:(?:\s?[,;–—-]\s?|\s(?:and|to|through)\s)\d{{1,3}})+\s*\)  # (3, 4)
      | \((?=[^()]*[^\W\d_]{{2}})[^()]{{0,300}}?\b(?:18|19|20)\d\d[a-z]?\)  # (Smith et al., 2010)
    )(?P<stop>\s?\.)?
    """,
    re.VERBOSE,
)
_SENTENCE_START = re.compile(r"""\s*(?:["'“‘«(\[]*[^\W\d_a-z]|$)""")
_ENUMERATION_MARK = re.compile(r"\(?(?:\d{1,2}(?:\.\d{1,2})*|[A-Za-z]|[ivxIVX]{2,4})[.)]\Z")
_LETTERED_ITEM = re.compile(r"[a-z](?:\.|\)) ?[A-Z]")
_LAST_WORD = re.compile(r"(?:^|(?<=[\s(\[{“‘\"'/–—,;:-]))([^\s(\[{“‘\"'/–—,;:-]+)\.\Z")
_DOTTED_LETTERS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_FIRST_WORD = re.compile(r"""["'“‘«(\[]*([^\W_]+)""")
_FIRST_TOKEN = re.compile(r"""["'“‘«(\[]*(\w+)""")
_CODE = re.compile(r"[#(\[≤≥<>~±]*(?:[^\W\d_]{0,4}[-.]?\d|(?:[A-Z]|[IVX]+)\b(?! [a-z]))")
_CAPITAL_THEN_LOWER = re.compile(
    r"""["'“‘«]*[^\W\d_a-z][^\W\d_]*(?:-[^\W\d_]+)*,?\s(?!et\b|and\b|ex\b)[a-z]"""
)
_BRACKETS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«"}
_STOP = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s*\Z")
_BLANK_LINE = re.compile(r"\s*\n[^\S\n]*\n")
_BRACKET_OR_QUOTE = re.compile(r"[()\[\]{}“”«»\"]|\n[^\S\n]*\n")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Character spans `(start, end)` of the sentences of `text`, in order, without outer blanks.

    The spans do not overlap and cover every character that is not white space. A citation that follows
    the full stop ("applied.[12] The", "applied.12 The", "applied. (13) The") belongs to the sentence
    before it; nothing is split inside balanced brackets or quotation marks.
    """
    enclosed = _enclosed(text)
    spans: list[tuple[int, int]] = []
    start = 0
    for proposal in _proposals(text):
        cut = _behind_citation(text, proposal)
        if cut > start and _is_boundary(text, start, cut, enclosed):
            _append_stripped(spans, text, start, cut)
            start = cut
    _append_stripped(spans, text, start, len(text))
    return spans


def first_sentence(text: str) -> str:
    """The first sentence of a text; empty where there is none."""
    return next((text[start:end] for start, end in sentence_spans(text)), "")


def _proposals(text: str) -> list[int]:
    """Offsets where a sentence may end: behind a stop, or at a blank line."""
    ends = {boundary["end_index"] for boundary in sentencex.get_sentence_boundaries("en", text)}
    ends = {end for end in ends if _STOP.search(text, max(0, end - _STOP_WINDOW), end)}
    ends.update(match.end() for match in _PROPOSAL.finditer(text))
    return sorted(ends)


def _append_stripped(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        spans.append((start, end))


def _enclosed(text: str) -> list[tuple[int, int]]:
    """Spans of balanced brackets and quotations (outermost ones), none across a blank line."""
    spans: list[tuple[int, int]] = []
    open_at: list[tuple[str, int]] = []
    for match in _BRACKET_OR_QUOTE.finditer(text):
        mark, at = match[0], match.start()
        if mark.isspace():
            open_at.clear()
            continue
        if mark == '"':
            opens = not any(kept == '"' for kept, _ in open_at)
            partner = '"'
        else:
            opens = mark not in _BRACKETS
            partner = _BRACKETS.get(mark, "")
        if opens:
            open_at.append((mark, at))
            del open_at[:-_DEEPEST_BRACKET]
            continue
        depth = next((i for i in reversed(range(len(open_at))) if open_at[i][0] == partner), None)
        if depth is None:
            continue
        start = open_at[depth][1]
        del open_at[depth:]
        if at - start <= _LONGEST_BRACKET:
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, at + 1))
    return spans


def _is_enclosed(cut: int, enclosed: list[tuple[int, int]]) -> bool:
    following = bisect(enclosed, (cut,))
    return following > 0 and cut < enclosed[following - 1][1]


def _behind_citation(text: str, cut: int) -> int:
    """Move the cut behind a citation that stands between the full stop and the next sentence."""
    left = text[max(0, cut - 60) : cut].rstrip()
    if not left.endswith((".", "!", "?", ".”", '."', ".)")):
        return cut
    citation = _CITATION_AFTER_STOP.match(text, cut)
    if citation is None or not _SENTENCE_START.match(text, citation.end()):
        return cut
    if not citation["stop"] and _last_word(left) in _EXPECTS_CITATION:
        return cut
    if citation["number"] and _is_enumerated(text, cut, int(citation["number"])):
        return cut
    return citation.end()


def _is_enumerated(text: str, cut: int, number: int) -> bool:
    """Whether "(number)" continues a list "(1) ... (2) ..." of the same text rather than cites."""
    if number == 1:
        return "(2)" in text[cut : cut + _LIST_WINDOW]
    before = text[max(0, cut - _LIST_WINDOW) : cut]
    return number <= 20 and all(f"({earlier})" in before for earlier in range(1, number))


def _is_boundary(text: str, start: int, cut: int, enclosed: list[tuple[int, int]]) -> bool:
    """Whether a sentence that starts at `start` ends at `cut`."""
    behind = max(start, cut - _LOOK_BACK)
    left = text[behind:cut].rstrip()
    right = text[cut : cut + _LOOK_AHEAD].lstrip()
    if not left or not right:
        return False
    if _BLANK_LINE.match(text, behind + len(left), cut + _LOOK_AHEAD):
        return True
    if _is_enclosed(cut, enclosed):
        return False
    if behind == start and _ENUMERATION_MARK.match(left.lstrip()):
        return False
    return _can_start(right) and _can_end(left, right)


def _can_start(right: str) -> bool:
    """A sentence starts with neither punctuation nor a plain lower-case word ("pH", "p53", "t test" may)."""
    if right[0] in ",;:.)]%}&/+=<>×–—-!?”’»^_°·":
        return False
    if _LETTERED_ITEM.match(right):
        return True
    word = _FIRST_TOKEN.match(right)
    if word is None or (len(word[1]) == 1 and word[1] != "a"):
        return True
    return any(character.isupper() or character.isdigit() for character in word[1])


def _can_end(left: str, right: str) -> bool:
    """Whether `left` ends a sentence, given what follows; the place for abbreviations."""
    if left.endswith((".)", ".]")):
        return _ends_with_own_bracket(left) or _starts_with_known_word(right)
    if _SUPERSCRIPT_CITATION.search(left):
        return _can_end(left[: left.rindex(".") + 1], right)
    word = _last_word(left)
    if not word:
        return True
    before = left[: len(left) - len(word) - 1].rstrip()
    bare = word.rpartition(".")[2]
    if word in _ALWAYS_CONTINUES or (len(word) <= 2 and word.isalpha() and right.startswith("(")):
        return False
    if word in _FIGURES:
        return _starts_with_known_word(right) and right[1:2].islower()
    if bare in _CONTINUES_BEFORE_CODE and _CODE.match(right):
        return False
    if len(word) == 1 and word.isupper():
        return _ends_with_label(before, right)
    if _DOTTED_LETTERS.match(word):
        return _starts_with_known_word(right)
    if word in _MAY_END:
        return _starts_with_known_word(right) or bool(_CAPITAL_THEN_LOWER.match(right))
    return True


def _last_word(left: str) -> str:
    """The word before the final full stop ("al", "U.S"); empty when `left` does not end with one."""
    match = _LAST_WORD.search(left[-40:])
    return match[1] if match else ""


def _ends_with_own_bracket(left: str) -> bool:
    """Whether the bracket that closes `left` holds whole sentences: "It ended. (So it seemed.)"."""
    opening = left.rfind("(" if left.endswith(")") else "[")
    before = left[:opening].rstrip() if opening >= 0 else ""
    return not before or before.endswith((".", "!", "?"))


def _ends_with_label(before: str, right: str) -> bool:
    """Whether a capital with a stop ends a sentence ("vitamin C. Pearl", "g/L. The") or is an initial."""
    if before.endswith("/"):
        return True
    if right.startswith("[") or re.match(r"[^\W\d_]\.", right):
        return False
    if _starts_with_known_word(right) or (before.endswith("-") and not before.endswith(".-")):
        return True
    previous = before.rsplit(maxsplit=1)[-1] if before else ""
    return previous.isalpha() and previous.islower() and previous not in _FUNCTION_WORDS


def _starts_with_known_word(right: str) -> bool:
    match = _FIRST_WORD.match(right)
    return match is not None and match[1] in _STARTERS

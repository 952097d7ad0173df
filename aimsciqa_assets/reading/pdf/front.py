"""The head of a paper: title, authors, abstract, and where the body begins."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.pdf.block import PROSE, Block
from aimsciqa_assets.reading.pdf.flow import printed_text
from aimsciqa_assets.reading.pdf.headings import bold_start, names_part
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.keywords import without_keywords
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.reading.section_kinds import plain_title

_USELESS = re.compile(r"untitled|microsoft word|\.(?:docx?|pdf|indd|tex|qxd|dvi|fm)\b|\A\S*\Z", re.I)
_KIND_OF_ARTICLE = re.compile(
    r"(?:(?:original|systematic|short|brief|mini|invited|nano|full)[ -]+)*"
    r"(?:research|review|articles?|paper|communication|reports?|letter|editorial|commentary|study protocol"
    r"|protocol|methodology|case report|meta-?analysis|open access|rapid|express|perspective|software"
    r"|database)"
    r"(?:[ /-]*(?:research|review|article|articles|paper|communication|report|letter|open access|protocol))*",
    re.I,
)
_BANNER = re.compile(
    r"(?:(?:the |an? )?(?:\w+ ){0,3}"
    r"(?:journal|proceedings|transactions|annals|archives|letters|bulletin|frontiers)"
    r"\b(?: (?:of|on|in|for|and|&|the|[A-Z][\w-]*))*)"
    r"|(?:plos|bmc|acs|ieee) .{2,60}",
    re.I,
)
"""The name of a journal, which may be printed larger than the title below it."""
_MARKS = " *†‡§¶☆★∗⁎#✉"
_ABSTRACT = re.compile(r"abstract|summary|a ?b ?s ?t ?r ?a ?c ?t|synopsis|zusammenfassung")
_RUN_IN = re.compile(
    r"(?:ABSTRACT|Abstract|SUMMARY|Summary)(?:\s*[:.—–-]\s*|\s+(?=[A-Z]))|abstract\s*[:.—–-]\s*"
)
_ABSTRACT_PART = re.compile(
    r"(?:background|introduction|objectives?|aims?|purpose|design|setting|context|rationale|importance"
    r"|(?:(?:materials|patients|subjects) and )?methods|methodology|results|(?:principal |main )?findings"
    r"|(?:discussion|conclusions?|significance|interpretation|funding|trial registration))"
    r"(?: and (?:objectives?|aims?|purpose|methods|results|conclusions?|discussion|significance"
    r"|implications))*"
)
_PART_IN_LINE = re.compile(r"(?:\A|(?<=[.!?])\s+)(?P<title>[A-Z][A-Za-z/& ]{2,40}?)\s?[:–—]\s?(?=\S)")
"""The title of a part of an abstract, and the text behind it on the same line."""
_BEHIND = re.compile(
    r"key\s?-?words?\b|index terms\b|how to cite|cite this|citation:|correspond|©|copyright|received:?\b"
    r"|accepted\b"
    r"|doi:|https?://|e-?mail|abbreviations?:|ccs concepts|jel\b|published",
    re.I,
)
_ADDRESS = re.compile(
    r"\b(?:universi|institut|depart|hospital|school|college|faculty|laborator|centre|center|academy|address"
    r"|email|e-mail|professor|lecturer"
    r"|correspond|division|street|@|china|india|usa|clinic|ministry|foundation|research group)",
    re.I,
)
_DEGREE = re.compile(
    r"\b(?:M\.?D|Ph\.?D|M\.?Sc|B\.?Sc|M\.?P\.?H|M\.?S|M\.?A|B\.?A|R\.?N|D\.?D\.?S|Dr|Prof|FRCP|MBBS|Jr|Sr|DO|PharmD|MBA)\b\.?"
)
_NAME = re.compile(r"[^\W\d_][\w.'’‘`´-]*(?:[\s-]+[\w.'’‘`´-]+){1,5}")
_NAME_IN_CHARACTERS = re.compile(
    r"[\u3400-\u9fff]{2,4}|[\u3400-\u9fff\u3040-\u30ff]{2,8}|[\uac00-\ud7af]{2,5}"
)
"""A name in Chinese, Japanese or Korean, which has no space."""
_PARTICLE = re.compile(
    r"(?:de|del|della|di|da|dos?|das|du|la|le|van|von|der|den|ter|ten|zu|zur|el|al|bin|ibn|y|e|af|av)"
)
_MOST_BANNER_WORDS = 8
_MOST_TITLE_LINES = 4
_FEWEST_TITLE_WORDS = 5
_LONGEST_ABSTRACT = 12
_PLAIN_WORDS = 0.5
"""The least share of words with a small first letter in a sentence; names and addresses have fewer."""
_FEWEST_WORDS_OF_TEXT = 40
_FEWEST_ABSTRACT_WORDS = 60


@dataclass(slots=True)
class Front:
    """The head of a paper; `taken` are the blocks in it, by identity, and `body_at` the first after them.

    `of_abstract` are the blocks of the abstract, by identity.
    """

    title: str
    authors: list[str]
    abstract: str
    body_at: int
    taken: set[int]
    of_abstract: set[int]


def front_of(blocks: Sequence[Block], metadata: Mapping[str, str], body_size: float) -> Front:
    """Title, authors and abstract; metadata is believed where the first page shows the same words."""
    title, title_at = _title(blocks, metadata.get("title", ""), body_size)
    abstract, members, behind = _abstract(blocks, title_at + 1, body_size)
    authors = _authors(blocks[title_at + 1 : title_at + 8], metadata.get("author", ""))
    if title_at >= 0:
        rest = _behind_title(blocks[title_at])
        authors = authors_in(rest) or authors
    body_at = _body_at(blocks, title_at, behind, body_size)
    taken = {id(block) for block in blocks[:body_at]} | members
    return Front(title, authors, abstract, body_at, taken, members)


def _title(blocks: Sequence[Block], of_metadata: str, body_size: float) -> tuple[str, int]:
    """The title and the block that it stands in; -1 when there is none."""
    of_metadata = " ".join(of_metadata.split())
    first = [
        (at, block)
        for at, block in enumerate(blocks)
        if block.page == 1 and block.lines and block.kind not in ("table", "picture", "caption")
    ]
    wanted = None if _USELESS.search(of_metadata) else title_key(of_metadata)
    for at, block in first:
        key = title_key(block.text)
        if wanted and key and len(wanted) > 15 and wanted in key:
            return _printed(block, wanted, of_metadata) or of_metadata, at
    lowest = max((block.box.y1 for _, block in first), default=0.0)
    candidates = [
        (at, block)
        for at, block in first
        if block.box.y0 < 0.6 * lowest
        and not block.beside
        and len(block.text) >= 8
        and len(block.text.split()) < 60
        and not _KIND_OF_ARTICLE.fullmatch(block.text.strip())
        and not _ABSTRACT.fullmatch(plain_title(block.text))
    ]
    candidates = _without_banner(candidates)
    if not candidates:
        return ("" if _USELESS.search(of_metadata) else of_metadata), -1
    marked = [(at, block) for at, block in candidates if block.kind == "title"]
    headings = [(at, block) for at, block in candidates if block.kind in ("title", "section-header")]
    largest = max(_top_size(block) for _, block in candidates)
    pool = [one for one in marked if _top_size(one[1]) > 0.8 * largest] or candidates
    if not marked:
        big = [one for one in headings if _top_size(one[1]) > largest - 0.5]
        pool = big or candidates
    at, block = max(pool, key=lambda one: (_top_size(one[1]), -one[0]))
    if not (_stands_out(block, body_size) or (at == candidates[0][0] and _reads_as_title(block))):
        return ("" if _USELESS.search(of_metadata) else of_metadata), -1
    text = _largest_lines(block)
    for following, other in first:
        near = 0 <= other.box.y0 - block.box.y1 < 1.2 * _top_size(block)
        if (
            following > at
            and near
            and abs(_top_size(other) - _top_size(block)) < 0.6
            and other.bold == block.bold
        ):
            text, at, block = f"{text} {_largest_lines(other)}", following, other
    return _clean(text), at


def _stands_out(block: Block, body_size: float) -> bool:
    return block.kind in ("title", "section-header") or block.bold or _top_size(block) > body_size + 0.5


def _reads_as_title(block: Block) -> bool:
    """Whether a block in the print of running text may be a title: few lines that end like no sentence."""
    return len(block.lines) <= _MOST_TITLE_LINES and block.text[-1].isalnum()


def _without_banner(candidates: list[tuple[int, Block]]) -> list[tuple[int, Block]]:
    """Candidates without the name of a journal, if something below it can be the title."""
    others = [one for one in candidates if not _is_banner(one[1])]
    is_titled = any(
        block.kind in ("title", "section-header") and len(block.text.split()) >= _FEWEST_TITLE_WORDS
        for _, block in others
    )
    return others if is_titled else candidates


def _is_banner(block: Block) -> bool:
    return len(block.text.split()) <= _MOST_BANNER_WORDS and bool(_BANNER.fullmatch(block.text.strip()))


def _top_size(block: Block) -> float:
    """The largest size in which a good part of the block is set."""
    total = sum(len(line.text) for line in block.lines)
    sizes = {line.size for line in block.lines}
    return max(
        (
            size
            for size in sizes
            if sum(len(line.text) for line in block.lines if line.size >= size - 0.3) >= 0.25 * total
        ),
        default=0.0,
    )


def _largest_lines(block: Block) -> str:
    """The text of a block without the smaller lines that follow (authors)."""
    size = _top_size(block)
    lines: list[Line] = []
    for line in block.lines:
        if lines and _is_smaller(line, block.lines[0], size):
            break
        lines.append(line)
    return printed_text(Joiner(block.lines), lines)


def _is_smaller(line: Line, first: Line, size: float) -> bool:
    """Whether a line under the title is set clearly smaller, or a little smaller and less bold."""
    return line.size < size - 1.4 or (line.size < size - 0.4 and line.bold != first.bold)


def _printed(block: Block, wanted: str, of_metadata: str) -> str:
    """The title as printed, when the block holds nothing else, or a subtitle that metadata lacks."""
    for text in (block.text, _largest_lines(block)):
        plain = _clean(text)
        behind = plain[len(of_metadata) :].lstrip()
        has_subtitle = plain.casefold().startswith(of_metadata.casefold()) and behind[:1] in (":", "–", "—")
        if title_key(text) == wanted or (has_subtitle and text != block.text):
            return plain
    return ""


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).strip(_MARKS)


def _behind_title(block: Block) -> str:
    """What a block holds behind the title: the authors, where the layout model took both for one thing."""
    size = _top_size(block)
    smaller = dropwhile(lambda line: not _is_smaller(line, block.lines[0], size), block.lines)
    return " ".join(line.text for line in smaller)


def _authors(blocks: Sequence[Block], of_metadata: str) -> list[str]:
    for at, block in enumerate(blocks):
        if _ABSTRACT.match(plain_title(block.text)):
            break
        if _KIND_OF_ARTICLE.fullmatch(block.text.strip()) or block.kind in ("picture", "table"):
            continue
        names = authors_in(block.text)
        if names:
            return names + _more_authors(blocks[at:])
    return authors_in(of_metadata)


def _more_authors(blocks: Sequence[Block]) -> list[str]:
    """The names in blocks behind the first one with names: beside it, or below one that ends in a comma."""
    names: list[str] = []
    first, before = blocks[0], blocks[0]
    for block in blocks[1:]:
        beside = abs(block.box.y0 - first.box.y0) < 0.5 * first.size
        listed = before.text.rstrip(_MARKS + "0123456789").endswith(",")
        below = listed and 0 < block.box.y1 - before.box.y1 < 2 * first.size
        if abs(block.size - first.size) > 0.3 or block.text[:1].isdigit() or not (beside or below):
            break
        found = authors_in(block.text)
        if not found:
            break
        names += found
        before = block
    return names


def authors_in(text: str) -> list[str]:
    """The names in a list of authors; empty when the text is something else."""
    text = re.sub(r"\S+@\S+|\bORCID\b|\bBy\b|\([^)]*\)", " ", text)
    text = re.sub(r"[\d*†‡§¶☆★∗⁎#✉†‡¹²³⁴⁵⁶⁷⁸⁹⁰]+(?:\s*,\s*[\d*†‡§¶]+)*", " , ", text)
    parts = re.split(r"[,;•·|，、；]|\band\b|&|\n", text)
    names: list[str] = []
    for part in parts:
        name = _DEGREE.sub("", " ".join(part.split())).strip(" .,-–")
        name = re.sub(r"(?<=[a-z])ID$", "", name)
        name = re.sub(r"(?:\s[a-z]|^[a-z]\s)(?=\s|$)", "", name).strip()
        if not name:
            continue
        if _NAME_IN_CHARACTERS.fullmatch(name) or _is_written_as_name(name):
            names.append(name)
        elif len(name) > 3:
            return names if len(names) >= 2 else []
    return names


def _is_written_as_name(name: str) -> bool:
    if not _NAME.fullmatch(name) or _ADDRESS.search(name):
        return False
    words = name.split()
    return all(word[0].isupper() or _PARTICLE.fullmatch(word) for word in words) and words[0] not in (
        "A",
        "The",
    )


def _abstract(blocks: Sequence[Block], start: int, body_size: float) -> tuple[str, set[int], int]:
    """The abstract, its blocks by identity, and the position behind it; 0 when nothing shows it."""
    last = {plain_title(block.text): at for at, block in enumerate(blocks) if block.kind == "section-header"}
    body_at = min((at for title, at in last.items() if names_part(title)), default=0)
    for at in range(max(0, start), len(blocks)):
        block = blocks[at]
        if block.page > 2:
            break
        plain = plain_title(block.text)
        if _ABSTRACT.fullmatch(plain):
            return _abstract_behind(blocks, at + 1, [], last)
        run_in = _RUN_IN.match(block.text)
        if run_in and block.kind in ("text", "list-item", "section-header"):
            rest = block.text[run_in.end() :]
            if block.kind == "section-header" and len(rest.split()) < 12:
                return _abstract_behind(blocks, at + 1, [], last)
            return _abstract_behind(blocks, at + 1, [(block, rest)], last)
        part = _PART_IN_LINE.match(block.text) if block.kind in PROSE else None
        if part and _is_part(part["title"]) and at < body_at:
            return _abstract_behind(blocks, at, [], last)
    return _longest_in_front(blocks, start)


def _abstract_behind(
    blocks: Sequence[Block], at: int, parts: list[tuple[Block, str]], last: Mapping[str, int]
) -> tuple[str, set[int], int]:
    first = parts[0][0] if parts else None
    titles = [plain_title(bold_start(block)) for block, _ in parts]
    end = at
    for position in range(at, min(len(blocks), at + 30)):
        block = blocks[position]
        if block.kind in ("table", "picture", "caption", "footnote") or block.beside:
            continue
        if is_affiliation(block.text):
            continue
        if block.kind in ("section-header", "title"):
            plain = plain_title(block.text)
            again = last.get(plain, -1) > position or last.get("introduction", -1) > position
            if not (_is_part(block.text) and again):
                break
            parts.append((block, block.text))
            end = position + 1
            continue
        if _BEHIND.match(block.text) or len(parts) >= _LONGEST_ABSTRACT:
            break
        if first is not None and (block.size < first.size - 0.6 or block.size > first.size + 0.6):
            if block.size < first.size:
                continue
            break
        if _begins_body(block, titles):
            break
        titles.append(plain_title(bold_start(block)))
        first = first or block
        parts.append((block, block.text))
        end = position + 1
    text = "\n".join(text for _, text in parts)
    return without_keywords(text), {id(block) for block, _ in parts}, end


def _begins_body(block: Block, titles: Sequence[str]) -> bool:
    """Whether a bold title in the line begins the body; `titles` are those of the abstract so far."""
    title = plain_title(bold_start(block))
    if not (names_part(title) or _ABSTRACT_PART.fullmatch(title)):
        return False
    return title == "introduction" or title in titles or titles[:1] == [""]


def abstract_parts(text: str) -> list[tuple[str, str]]:
    """Return the paragraphs of an abstract, each with the title of its part ("Methods"), or ""."""
    parts: list[tuple[str, str]] = []
    title = ""
    for line in text.split("\n"):
        if _is_part(line):
            title = line
            continue
        edges = [match for match in _PART_IN_LINE.finditer(line) if _is_part(match["title"])]
        starts = [0, *(edge.end() for edge in edges)]
        ends = [*(edge.start() for edge in edges), len(line)]
        for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
            title = edges[at - 1]["title"] if at else title
            if paragraph := line[start:end].strip():
                parts.append((title, paragraph))
    return parts


def _is_part(text: str) -> bool:
    return _ABSTRACT_PART.fullmatch(plain_title(text)) is not None


def _longest_in_front(blocks: Sequence[Block], start: int) -> tuple[str, set[int], int]:
    """Without a heading, the longest paragraph before the first section on the first page."""
    front: list[tuple[int, Block]] = []
    for at in range(max(0, start), len(blocks)):
        block = blocks[at]
        if block.page > 1 or plain_title(block.text) == "introduction":
            break
        if block.kind == "text" and not _BEHIND.match(block.text) and not is_affiliation(block.text):
            front.append((at, block))
        elif front and block.kind == "section-header" and not block.beside:
            break
    if front:
        at, longest = max(front, key=lambda one: len(one[1].text))
        if len(longest.text.split()) >= _FEWEST_ABSTRACT_WORDS:
            return without_keywords(longest.text), {id(longest)}, at + 1
    return "", set(), 0


def is_affiliation(text: str) -> bool:
    """Return whether a text only lists people and places."""
    words: list[str] = [word for word in re.findall(r"[^\W\d_][\w'’.-]*", text) if len(word) > 1]
    if len(words) < _FEWEST_TITLE_WORDS or len(_ADDRESS.findall(text)) < 2:
        return False
    return sum(word[0].islower() for word in words) < _PLAIN_WORDS * len(words)


def is_imprint(block: Block, body_size: float) -> bool:
    """Return whether a block is small print of a first page (addresses, dates), or only a web address."""
    text = block.text.strip(_MARKS)
    if re.fullmatch(r"(?:(?:https?://|doi:\s?10\.)\S+\s*)+", text, re.I):
        return True
    is_small = block.page == 1 and block.size < body_size - 0.4
    return is_small and (bool(_BEHIND.match(text)) or is_affiliation(text))


def _is_text(block: Block, body_size: float) -> bool:
    """Whether a block is running text of the body."""
    is_plain = block.kind == "text" and not block.beside and abs(block.size - body_size) < 0.3
    is_long = len(block.text.split()) >= _FEWEST_WORDS_OF_TEXT
    return is_plain and is_long and not _BEHIND.match(block.text) and not is_affiliation(block.text)


def _body_at(blocks: Sequence[Block], title_at: int, behind_abstract: int, body_size: float) -> int:
    """The position of the first heading of the body, or of the first text behind the abstract."""
    start = max(title_at + 1, behind_abstract)
    for at in range(start, len(blocks)):
        block = blocks[at]
        if block.kind in ("section-header", "title") and not block.beside:
            return at
        if _is_text(block, body_size):
            return at
        if block.page > 2:
            break
    return start

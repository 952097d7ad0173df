"""Where and when a paper appeared, as its own pages print it: in running heads, feet, stamps, and its head.

Only lines that are no running text are looked at, so that nothing is taken from the bibliography. Where
several say something, the imprint of a journal or of proceedings counts before dates of publication, these
before a stamp of a preprint server and a mark of copyright.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from aimsciqa_assets.reading.identifiers import find_doi
from aimsciqa_assets.reading.licences import granted_licence
from aimsciqa_assets.reading.pdf.block import PROSE, Block
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.reading.pdf.pages import Page

_MARGIN: Final = 0.1
"""Share of the page's height, at the top and at the bottom, where running heads and feet stand."""
_PAGES: Final = 3
_LONGEST: Final = 400
"""A longer line is no imprint."""
_Y: Final = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_SMALL: Final = r"(?:of|and|the|in|for|on|to|&|de|la|und|für|et|des?)"
_NAME: Final = rf"(?P<name>[A-Z][\w.&’'-]*(?:,?:?[ ]+(?:{_SMALL}|[A-Z][\w.&’'-]*))*?)"
_VOLUME: Final = r"(?P<volume>\d{1,4})"
_ISSUE: Final = r"(?:\s*\(\d[\d–-]*\))?"
_START: Final = r"(?:\A|[|•·./]\s+|\bet al\.?,?:?\s+|\b(?:and others|\w\.\s\w+ and \w\.\s\w+):?\s+)"
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_JOURNALS: Final = tuple(
    re.compile(_START + _NAME + rest)
    for rest in (
        # Journal of X 2021; 12: 3, Journal of X, May-August 2015;8(2):99, Molecules 2018, 23, 2268
        rf",?\s+(?:{_MONTH}(?:[–-]{_MONTH})?\s+)?{_Y}\s*[;,]\s*{_VOLUME}{_ISSUE}\s*(?:[:,;.]|\Z)",
        # BMC Cancer (2020) 20:1045
        rf",?\s*\({_Y}\)\s*,?\s*{_VOLUME}{_ISSUE}\s*[:,]",
        # Journal of X 7 (2021), Journal of X, 8(2) (2021)
        rf",?\s+{_VOLUME}{_ISSUE}\s*\({_Y}\)",
        # IEEE Transactions on X, vol. 12, no. 3, March 2021; Journal of X, Volume 2018, Article ID 12
        rf",?\s*(?:[|•·]\s*)?(?i:vol(?:ume|\.)?)\s*{_VOLUME}\b(?:.{{0,40}}?\b{_Y})?",
        # PLOS ONE | https://doi.org/10.1371/journal.pone.0193451 March 20, 2018
        rf"\s*[|•·]\s*(?:https?://\S+|doi:?\s*\S+|www\.\S+)?\s*(?:[|•·]\s*)?(?:{_MONTH}\s+\d{{1,2}},\s*)?{_Y}",
        # Journal of X, 6(66), 198. https://doi.org/...
        rf",\s*{_VOLUME}\(\d+\),\s*\d+",
    )
)
_IN_CAPITALS: Final = re.compile(
    rf"{_START}(?P<name>[A-Za-z][\w&’'-]*(?: [A-Za-z&][\w&’'-]*){{0,9}})\s*[|•·]\s*(?i:vol(?:ume|\.)?\s*)?"
    rf"(?:\({_Y}\)\s*)?{_VOLUME}\b(?:\s*:|\s*[|•·]|.{{0,40}}?(?<!\d)(?P<later>(?:19|20)\d\d)(?!\d))"
)
"""Names in small letters: nature communications | (2021) 12:1234, Nature | Vol 591 | 4 March 2021."""
_PROCEEDINGS: Final = re.compile(
    r"(?P<name>(?:Proceedings|Findings) of (?:the )?[A-Z0-9].{8,200}?)"
    rf"(?:,?\s+pages?\b|,?\s+pp\b|,\s+PMLR|[.,]\s+(?={_MONTH})|\.(?:\s|\Z)|\Z)"
)
_PRESENTED: Final = re.compile(
    r"(?:published|accepted|presented|to appear|under review)\s+(?:as an? (?:\w+ ){0,2}paper\s+)?"
    rf"(?:at|in|by|for)\s+(?:the\s+)?(?P<name>(?-i:[A-Z])[\w&/ -]{{1,60}}?)\s*,?\s*{_Y}",
    re.I,
)
_CONFERENCE: Final = re.compile(
    r"(?P<name>(?:Conference|Workshop|Symposium|Meeting) (?:on|of) [A-Z][\w,& -]{5,120}?)"
    r"\s*\((?P<short>[A-Z][\w&-]*[A-Za-z])[ ’'-]{0,2}(?P<year>(?:19|20)?\d\d)\)"
)
_ARXIV: Final = re.compile(rf"arXiv:\s?[\w./-]+?(?:v\d+)?\s+\[[\w.-]+\]\s+\d{{1,2}}\s+{_MONTH}\s+{_Y}")
_SERVER: Final = re.compile(
    rf"(?P<name>\w{{1,9}}Rxiv|Research Square|SSRN)\b.{{0,200}}?\bposted\b.{{0,30}}?\b{_Y}"
)
_DATES: Final = (
    re.compile(
        r"(?:published(?:\s+online|\s+first)?|publication date|date of publication|available online"
        rf"|first published)\b\s*(?:on|in|at|by|:)?\s*(?:\w+day,\s*)?[^\d\W]{{0,12}}[\d\s.,/–-]{{0,9}}"
        rf"(?:{_MONTH})?[\d\s.,/–-]{{0,9}}?\b{_Y}",
        re.I,
    ),
    re.compile(rf"(?:©|\(c\)|c\s?⃝|copyright)\D{{0,40}}{_Y}", re.I),
    re.compile(rf"accepted\b\D{{0,12}}(?:\d{{1,2}}\b\D{{1,12}})?{_Y}", re.I),
)
_NO_NAME: Final = re.compile(
    r"(?:vol(?:ume)?|no|page|received|accepted|published|copyright|fig(?:ure)?|table|doi|issn|article"
    rf"|open access|research|citation|{_MONTH})\b"
    r"|.{0,3}\Z|.*\d{5}",
    re.I,
)
_KNOWN_IN_SHORT: Final = tuple(
    (re.compile(name, re.I), short)
    for name, short in (
        (r"Findings .*Computational Linguistics: (?:[A-Z-]+ )?EMNLP", "EMNLP"),
        (r"Findings .*Computational Linguistics: NAACL", "NAACL"),
        (r"Findings .*Computational Linguistics: EACL", "EACL"),
        ("Empirical Methods in Natural Language Processing", "EMNLP"),
        ("North American Chapter of the Association for Computational Linguistics", "NAACL"),
        ("Nations of the Americas Chapter of the Association for Computational Linguistics", "NAACL"),
        ("European Chapter of the Association for Computational Linguistics", "EACL"),
        ("Asia-Pacific Chapter of the Association for Computational Linguistics", "AACL"),
        ("Association for Computational Linguistics", "ACL"),
        ("Conference on Computational Linguistics", "COLING"),
        ("Language Resources and Evaluation", "LREC"),
        ("Conference on Learning Representations", "ICLR"),
        ("Neural Information Processing Systems", "NeurIPS"),
        ("International Conference on Machine Learning", "ICML"),
        ("AAAI Conference on Artificial Intelligence", "AAAI"),
        ("Joint Conference on Artificial Intelligence", "IJCAI"),
        ("Artificial Intelligence and Statistics", "AISTATS"),
        ("Computer Vision and Pattern Recognition", "CVPR"),
        ("European Conference on Computer Vision", "ECCV"),
        ("International Conference on Computer Vision", "ICCV"),
        ("Research and Development in Information Retrieval", "SIGIR"),
        ("Knowledge Discovery and Data Mining", "KDD"),
    )
)
"""Conferences whose proceedings print their long name alone, and what examples call them."""
_GATHERING: Final = re.compile(r"\b(?:Proceedings|Findings|Conference|Meeting|Symposium|Advances in)\b", re.I)
_DOI: Final = re.compile(r"\b10\.\d{4,9}\S+")
_BEFORE_DOI: Final = 100
"""So many characters before a DOI can say whose it is."""
_OF_ANOTHER: Final = re.compile(
    r"\b(?:corrects"
    r"|(?:correction|corrigendum|erratum|addendum|comment(?:ary)?|editorial|reply) (?:to|on|by|for)"
    r"|see (?:also|the|related|accompanying|comment\w*|editorial|page)"
    r"|(?:related|companion|accompanying|corrected|retracted) (?:article|paper|commentary|editorial)s?"
    r"|original (?:article|paper|publication|version) (?:is|was|can|may)"
    r"|(?:supplement\w*|supporting|additional) (?:information|materials?|files?|data)"
    r"|(?:data(?:sets?)?|code|software|materials|supplement)(?: (?:and|&) \w+)?(?: availability)?"
    r"(?::| (?:is|are|can|may|available)\b))(?!.*\.\s(?-i:[A-Z]))",
    re.I | re.S,
)
"""Words before the DOI of a related article, of data, or of a supplement, in the sentence of the DOI."""
_PREFIX: Final = re.compile(r"(?:Edited|Reviewed|In|Citation|Cite this article as):?\s+")


@dataclass(slots=True)
class Imprint:
    """Where and when a paper appeared; empty or null is what it does not print."""

    venue: str = ""
    year: int | None = None
    volume: str = ""
    abbreviation: str = ""


def imprint_of(
    pages: Sequence[Page],
    body: Sequence[Block],
    references: Sequence[Block],
    body_size: float,
    metadata: Mapping[str, str],
) -> Imprint:
    """The imprint of a paper; `body` are the blocks behind its head, `references` those of its bibliography.

    `metadata` may have `publication`, `volume` and `year`, which publishers write into the file.
    """
    prose = [*references, *(block for block in body if _is_text(block, body_size))]
    lines = [" ".join(line.text.split()) for line in _printed(pages, prose)]
    text = " ".join(lines)
    turned = " ".join(word.text for word in pages[0].words) if pages else ""
    subject = metadata.get("subject", "")
    found = Imprint(metadata.get("publication", ""), _year(metadata.get("year")), metadata.get("volume", ""))
    sources: tuple[Callable[[], Imprint], ...] = (
        lambda: _from_proceedings(text),
        lambda: _from_lines([*lines, *_in_twos(lines)]),
        lambda: _from_subject(subject),
        lambda: Imprint(year=_dated(_DATES[0], text)),
        lambda: _from_server(f"{text} {turned}"),
        lambda: Imprint(year=_dated(_DATES[1], text)),
        lambda: Imprint(year=_dated(_DATES[2], text)),
    )
    for source in sources:
        told = source()
        same = not found.venue or not told.venue or told.venue == found.venue
        found.abbreviation = found.abbreviation or (told.abbreviation if same else "")
        found.venue = found.venue or told.venue
        found.volume = found.volume or (told.volume if same else "")
        found.year = found.year or told.year
    found.abbreviation = found.abbreviation or _in_short(found.venue)
    return found


def _in_short(venue: str) -> str:
    """What a conference is called in short; "" for one that is not known, and for journals."""
    if not _GATHERING.search(venue) or re.search(r"\bWorkshops?\b", venue, re.I):
        return ""
    return next((short for name, short in _KNOWN_IN_SHORT if name.search(venue)), "")


def doi_of(pages: Sequence[Page], texts: Sequence[Block], metadata: Mapping[str, str]) -> str | None:
    """Return the DOI of a paper, from its first page without the texts, or from the metadata of the file.

    `texts` are the blocks that may name DOIs of others: the abstract, the body, and the references.
    """
    lines = _printed(pages[:1], texts)
    printed = Joiner(lines).text(lines)
    told = (metadata.get("doi", ""), metadata.get("subject", ""))
    return next((doi for text in (printed, *told) if (doi := _own_doi(text))), None)


def _own_doi(text: str) -> str | None:
    """The first DOI before which no words name another work."""
    end = 0
    for link in _DOI.finditer(text):
        before, end = text[max(end, link.start() - _BEFORE_DOI) : link.start()], link.end()
        if not _OF_ANOTHER.search(before) and (doi := find_doi(link[0])):
            return doi
    return None


def licence_of(pages: Sequence[Page], texts: Sequence[Block]) -> str:
    """Return the licence that the first page of a paper grants outside of its texts; else ""."""
    lines = _printed(pages[:1], texts)
    return granted_licence(Joiner(lines).text(lines))


def _printed(pages: Sequence[Page], prose: Sequence[Block]) -> list[Line]:
    """The lines of the first page that are no running text, and the heads and feet of the next pages."""
    lines: list[Line] = []
    for page in pages[:_PAGES]:
        for line in page.lines:
            in_margin = line.y1 < _MARGIN * page.height or line.y0 > (1 - _MARGIN) * page.height
            x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
            in_prose = any(block.box.holds(x, y) for block in prose if block.page == page.number)
            if not in_prose and (in_margin or page.number == 1):
                lines.append(line)
    return lines


def _is_text(block: Block, body_size: float) -> bool:
    """Whether a block is running text or a list; feet that the layout model overlooked are set smaller."""
    if block.kind not in PROSE or block.beside:
        return False
    return block.kind == "list-item" or (block.size > body_size - 0.6 and len(block.text.split()) > 8)


def _in_twos(lines: Sequence[str]) -> list[str]:
    """Lines that were broken in their middle."""
    return [f"{one} {other}" for one, other in pairwise(lines)]


def _from_proceedings(text: str) -> Imprint:
    presented = _PRESENTED.search(text)
    if presented:
        return Imprint(presented["name"].strip(), int(presented["year"]))
    conference = _CONFERENCE.search(text)
    if conference:
        year = conference["year"]
        name, short = conference["name"].strip(" ,"), conference["short"]
        return Imprint(name, int(year if len(year) == 4 else f"20{year}"), abbreviation=short)
    proceedings = _PROCEEDINGS.search(text)
    if proceedings:
        near = text[proceedings.start() : proceedings.end() + 120]
        year_near = re.search(rf"\b{_Y}", near)
        return Imprint(proceedings["name"].strip(" ,"), int(year_near["year"]) if year_near else None)
    return Imprint()


def _from_lines(lines: Sequence[str]) -> Imprint:
    for line in lines:
        for pattern in (*_JOURNALS, _IN_CAPITALS) if len(line) <= _LONGEST else ():
            for match in pattern.finditer(line):
                groups = match.groupdict()
                name = _PREFIX.sub("", groups["name"]).strip(" .,:")
                if _NO_NAME.match(name):
                    continue
                year = groups.get("year") or groups.get("later")
                volume = groups.get("volume") or ""
                return Imprint(name, _year(year or volume), volume)
    return Imprint()


def _from_subject(subject: str) -> Imprint:
    """What publishers write into the subject of the file: "Trials, 2021, doi:10.1186/s13063-021-05049-3"."""
    match = re.match(rf"{_NAME},\s*(?:{_Y},\s*)?(?:doi:|https?://)", subject)
    if match:
        return Imprint(match["name"], _year(match["year"]))
    return _from_lines([subject])


def _from_server(text: str) -> Imprint:
    stamp = _ARXIV.search(text)
    if stamp:
        return Imprint("arXiv", int(stamp["year"]))
    posted = _SERVER.search(text)
    return Imprint(posted["name"], int(posted["year"])) if posted else Imprint()


def _dated(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return int(match["year"]) if match else None


def _year(text: str | None) -> int | None:
    """The year that a text is, if it is one."""
    return int(text) if text and re.fullmatch(r"(?:19|20)\d\d", text) else None

"""What a section is about, from its title and its `sec-type`; and which sections are no body text at all."""

import re
from functools import lru_cache

from aimsciqa_assets.tables.vocabulary import SectionKind

_NUMBERING = re.compile(
    r"^\s*(?:(?:section|part|chapter)\s+)?"
    r"(?:\d+(?:\.\d+)*|[IVXLC]+(?=[.):\s-])|[A-Za-z](?=[.)]))\s*[.):|–—-]*\s+(?=\S)"
    r"|^\s*\d+(?:\.\d+)*[.)]?(?=[A-Za-z])",
)
_NOT_WORDS = re.compile(r"[^a-z]+")

_METHOD_WORDS = (
    r"(?:method\w*|materials?|patients?|participants|subjects|procedures?|protocol"
    r"|experimental(?: (?:section|procedures?|part|details))?"
    r"|study (?:design|population|area|site|protocol)"
    r"|statistical analys[ei]s|data (?:analysis|collection|sources)|search strategy|star methods)"
)
# In this order: a title of two kinds ("Results and discussion") is found before each of them alone.
_TITLES: tuple[tuple[SectionKind, tuple[str, ...]], ...] = (
    (
        "case",
        (
            r"(?:the )?case (?:reports?|presentations?|descriptions?|study|history|series|summary)\b",
            r"cases?$",
            r"(?:presentation|report|description) of (?:the )?cases?\b",
        ),
    ),
    ("results_discussion", (r".*\b(?:results?|findings)\b.*\bdiscussions?\b",)),
    (
        "conclusion",
        (
            r"(?:general |final |main |overall |major |summary and |discussion and |the )*"
            r"conclu(?:sions?|ding|sive)\b",
            r"(?:final|closing) (?:remarks|considerations|comments|thoughts)\b",
            r"(?:summary|outlook|perspectives?|take home messages?|future)$",
            r"summary and (?:outlook|perspectives?|future)\b",
            r"(?:future|outlook)\b.*\b(?:perspectives?|directions?|conclusions?|outlook|prospects)$",
            r".*\band (?:conclusions?|concluding remarks)$",
        ),
    ),
    (
        "discussion",
        (
            r"(?:general |the |overall |main )*discussions?\b",
            r"(?:comments?|interpretation(?: of (?:the )?results)?)$",
        ),
    ),
    ("results", (r"(?:main |key |experimental |the |our |summary of )*(?:results?|findings|outcomes?)\b",)),
    (
        "methods",
        (
            r"(?:detailed |general |the |our |online |research |study |statistical |analytical |design and "
            rf"|data and |theory and |background and |overview of |summary of )*{_METHOD_WORDS}\b",
            r".*\b(?:and|materials|patients|subjects|study|research|experimental|statistical) methods?$",
        ),
    ),
    (
        "introduction",
        (
            r"(?:general |brief |short |an |the )*(?:introduction|introductory|background)\b",
            r"(?:aims?|objectives?|purpose|rationale|motivation)\b",
        ),
    ),
)
_KIND_PATTERNS: list[tuple[SectionKind, re.Pattern[str]]] = [
    (kind, re.compile("|".join(patterns))) for kind, patterns in _TITLES
]
_SEC_TYPES: dict[str, SectionKind] = {
    "intro": "introduction",
    "introduction": "introduction",
    "background": "introduction",
    "methods": "methods",
    "materials": "methods",
    "materials methods": "methods",
    "methods materials": "methods",
    "materials and methods": "methods",
    "subjects": "methods",
    "subjects methods": "methods",
    "results": "results",
    "findings": "results",
    "results discussion": "results_discussion",
    "results and discussion": "results_discussion",
    "discussion": "discussion",
    "discussion conclusion": "discussion",
    "discussion conclusions": "discussion",
    "conclusion": "conclusion",
    "conclusions": "conclusion",
    "case": "case",
    "cases": "case",
    "case report": "case",
}

_BACK_SEC_TYPES = re.compile(
    r"ack(?:nowledge?ments?)?|coi statement|(?:conflict\w*(?: of)?|competing)(?: interests?)?(?: statement)?"
    r"|appendix|appendices|disclosures?(?: statement)?|(?:foot|end)notes|data (?:availability|accessibility)"
    r"|supplement\w*(?: materials?)?|supporting information|funding(?: information)?|financial disclosure"
    r"|(?:author )?contributions?|con|abbreviations?|glossary|display objects|ref list|references"
    r"|additional information|publisher note"
)
_ALWAYS_BACK_TITLES = re.compile(
    "|".join(
        (
            r"acknowled?ge?ments?(?: and (?:funding|disclosures?|conflicts? of interest))?",
            r"agradecim(?:i?ento)s?|remerciements?|danksagung(?:en)?",
            r"(?:individual )?authors? (?:s )?(?:individual )?contributions?(?: statement)?",
            r"contributors(?:hip)? statement|credit (?:author(?:s|ship)?|roles?|taxonomy)(?: .*)?",
            r"(?:declarations? of |statement of |disclosures? of |potential |the |author s? )*"
            r"(?:competing|conflicts?(?: of)?|conflicting)(?: financial)? interests?"
            r"(?: (?:statement|declaration|disclosures?|and funding))*",
            r"declarations? of interests?(?: statement)?|duality of interests?",
            r"(?:declara[a-z ]{1,8} de )?confli(?:cto|to|t)s? de? int(?:er(?:es\w*| s)| r ts?)",
            r"interessenkonflikte?",
            r"(?:data|code|software)(?:(?: and)? (?:code|data|software|materials?))*"
            r" (?:availability|accessibility)(?: statements?)?",
            r"(?:data|code) (?:sharing|access|archiving) statements?",
            r"availability of (?:the )?(?:supporting )?(?:data|code)(?:(?: and)? (?:data|materials?|code))*"
            r"(?: statement)?",
        )
    )
)
"""Titles that have no other meaning; those below may also be about the subject of a paper."""
_BACK_TITLES = re.compile(
    "|".join(
        (
            r"(?:sources? of )?(?:funding|financial (?:support|disclosures?))"
            r"(?: (?:and )?(?:sources?|statement|information|support|disclosures?|acknowledge?ments?))*",
            r"(?:individual )?contributions?(?: statement)?|contributors(?:hip)?|declarations?",
            r"(?:author )?disclosures?(?: statements?)?",
            r"(?:electronic )?(?:supplement(?:ary|al)|supporting|additional|online)(?: online| electronic)?"
            r"(?: (?:materials?|information|data|files?|contents?|figures?|tables?|resources?))"
            r"(?: (?:and|or) (?:materials?|data|information))?",
            r"supplements?|appendix|appendices",
            r"(?:data|code|resource|materials?|software)(?: and (?:code|data|materials?))?"
            r" (?:availability|accessibility|access|deposition|sharing|archiving)(?: statement)?",
            r"availability (?:of (?:data|code) )?and requirements",
            r"(?:list of |non standard )?abbreviations?(?: used)?(?: list)?|glossary",
            r"pre ?publication history|consent (?:for|to) publication|publisher s note",
            r"endnotes?|footnotes?|references(?: and (?:notes|recommended reading))?",
            r"(?:further|recommended) reading",
            r"literature cited|bibliography",
            r"(?:authors? (?:s )?)?(?:information|affiliations)|orcid",
            r"peer review(?: information| history)?|transparency (?:declaration|statement)",
        )
    )
)
_LONGEST_PLAIN_TITLE = 120


@lru_cache(maxsize=4096)
def section_kind(title: str, sec_type: str = "") -> SectionKind:
    """The kind of a body section. A title that says it plainly wins over `sec-type`; else `other`.

    Numbers in front ("2.", "II.", "A)"), case and punctuation do not matter.
    """
    words = plain_title(title)
    for kind, pattern in _KIND_PATTERNS:
        if pattern.match(words):
            return kind
    return _SEC_TYPES.get(_plain(sec_type), "other")


@lru_cache(maxsize=4096)
def is_back_matter(title: str, sec_type: str = "") -> bool:
    """Return whether a section is titled like back matter: thanks, funding, interests, supplements."""
    if is_always_back_matter(title, sec_type):
        return True
    return len(title) < _LONGEST_PLAIN_TITLE and _BACK_TITLES.fullmatch(plain_title(title)) is not None


@lru_cache(maxsize=4096)
def is_always_back_matter(title: str, sec_type: str = "") -> bool:
    """Return whether a section is back matter wherever it stands, by its `sec-type` or title."""
    if sec_type and _BACK_SEC_TYPES.fullmatch(_plain(sec_type)):
        return True
    return len(title) < _LONGEST_PLAIN_TITLE and _ALWAYS_BACK_TITLES.fullmatch(plain_title(title)) is not None


def plain_title(title: str) -> str:
    """Lower-case words of a title without its number: "2.1 Case & Methods:" is "case and methods"."""
    return _plain(_NUMBERING.sub("", title[:200].replace("&", " and "), count=1))


def _plain(text: str) -> str:
    return _NOT_WORDS.sub(" ", text.lower()).strip()

"""What a section is about, from its `sec-type` and its title; and which sections are not body text at all."""

import re
from functools import lru_cache

from aimsciqa_assets.corpus.paper import SectionKind

_NUMBERING = re.compile(
    r"^\s*(?:(?:section|part|chapter)\s+)?"
    r"(?:\d+(?:\.\d+)*|[IVXLC]+(?=[.):\s-])|[A-Za-z](?=[.)]))\s*[.):|–—-]*\s+(?=\S)|^\s*\d+(?:\.\d+)*[.)]?(?=[A-Za-z])",
)
_NOT_WORDS = re.compile(r"[^a-z]+")

_METHODS = (
    r"(?:method\w*|materials?|patients?|participants|subjects|experimental (?:section|procedures?|part|details)"
    r"|experimental|procedures?|study (?:design|population|area|site|protocol)|protocol"
    r"|statistical analys[ei]s|data analysis|data collection|data sources|search strategy|star methods)"
)
_KIND_PATTERNS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("case", r"(?:the )?case (?:reports?|presentations?|descriptions?|study|history|series|summary)\b|cases?$"
                 r"|(?:presentation|report|description) of (?:the )?cases?\b"),
        ("results_discussion", r".*\b(?:results?|findings)\b.*\bdiscussions?\b"),
        ("conclusion", r"(?:general |final |main |overall |major |summary and |discussion and |the )*"
                       r"(?:conclusions?|concluding|conclusive)\b|(?:final|closing) (?:remarks|considerations|comments|thoughts)\b"
                       r"|(?:summary|outlook|perspectives?|take home messages?)$|summary and (?:outlook|perspectives?|future)\b"
                       r"|(?:future|outlook)\b.*\b(?:perspectives?|directions?|conclusions?|outlook|prospects)$"
                       r"|future$|.*\band (?:conclusions?|concluding remarks)$"),
        ("discussion", r"(?:general |the |overall |main )*(?:discussions?|comments?|interpretation)\b"),
        ("results", r"(?:main |key |experimental |the |our |summary of )*(?:results?|findings|outcomes?)\b"),
        ("methods", rf"(?:(?:detailed |general |the |our |online |research |study |statistical |analytical |design and |data and "
                    rf"|theory and |background and |overview of |summary of )*{_METHODS})\b"
                    rf"|.*\b(?:and|materials|patients|subjects|study|research|experimental|statistical) methods?$|methodolog\w*"),
        ("introduction", r"(?:general |brief |short |an |the )*(?:introduction|introductory|background)\b"
                         r"|(?:aims?|objectives?|purpose|rationale|motivation)\b"),
    )
)
_SEC_TYPES: dict[str, SectionKind] = {
    "intro": "introduction",
    "introduction": "introduction",
    "background": "introduction",
    "methods": "methods",
    "materials": "methods",
    "materials-methods": "methods",
    "methods-materials": "methods",
    "materials|methods": "methods",
    "methods|materials": "methods",
    "materials and methods": "methods",
    "materials methods": "methods",
    "subjects": "methods",
    "subjects|methods": "methods",
    "results": "results",
    "findings": "results",
    "discussion": "discussion",
    "conclusion": "conclusion",
    "conclusions": "conclusion",
    "cases": "case",
    "case": "case",
    "case-report": "case",
    "results|discussion": "results_discussion",
    "results-discussion": "results_discussion",
    "results and discussion": "results_discussion",
    "discussion|conclusions": "discussion",
    "discussion|conclusion": "discussion",
}  # fmt: skip

_BACK_SEC_TYPES = re.compile(
    r"(?:ack|acknowledge?ments?|coi-statement|conflict\w*|competing-interests?|data-availability|data-accessibility"
    r"|supplementary-materials?|supplement|supplementary|supporting-information|supporting information|funding\w*"
    r"|funding-information|financial-disclosure|author-contributions?|contributions?|con|abbreviations?|glossary"
    r"|display-objects|ref-list|references|additional-information|ethics-statement-back|publisher-note)"
)
_BACK_TITLES = re.compile(
    r"(?:acknowled?ge?ments?(?: and (?:funding|disclosures?|conflicts? of interest))?"
    r"|(?:sources? of )?(?:funding|financial (?:support|disclosures?))(?: (?:and )?(?:sources?|statement|information|support|disclosures?|acknowledge?ments?))*"
    r"|(?:authors?|author s|authors?) contributions?(?: statement)?|contributions?|contributors(?:hip)?(?: statement)?|credit author(?:ship)? (?:contribution )?statement"
    r"|(?:declarations? of |statement of |potential )*(?:competing|conflicts?|conflicting)(?: of)? (?:financial )?interests?(?: statement| and funding| disclosures?)*"
    r"|(?:author )?disclosures?(?: statements?)?|declarations?|duality of interests?|declaration of interests?"
    r"|(?:electronic )?(?:supplement(?:ary|al)|supporting|additional|online)(?: online| electronic)? ?(?:materials?|information|data|files?|contents?|figures?|tables?|resources?)(?: (?:and|or) (?:materials?|data|information))?"
    r"|supplements?|appendix|appendices|additional files?"
    r"|(?:data|code|data and code|data and materials?|resource|materials?|software)(?: and (?:code|data|materials?))? (?:availability|accessibility|access|deposition|sharing)(?: statement)?"
    r"|availability of (?:supporting )?(?:data|code)(?: and (?:materials?|code|requirements))*|data (?:archiving|sharing)(?: statement)?"
    r"|(?:list of |non standard )?abbreviations?(?: used)?(?: list)?|nomenclature list|glossary"
    r"|pre ?publication history|consent (?:for|to) publication|publisher s note|endnotes?|footnotes?|references|literature cited|bibliography"
    r"|(?:authors? )?(?:information|affiliations)|peer review(?: information| history)?|transparency (?:declaration|statement)|orcid)"
)


@lru_cache(maxsize=4096)
def section_kind(title: str, sec_type: str = "") -> SectionKind:
    """The kind of a body section. A title that says it plainly wins over `sec-type`; else `other`.

    Numbers in front ("2.", "II.", "A)"), case and punctuation do not matter.
    """
    words = plain_title(title)
    for kind, pattern in _KIND_PATTERNS:
        if words and pattern.match(words):
            return kind
    return _SEC_TYPES.get(sec_type.strip().lower(), "other")


@lru_cache(maxsize=4096)
def is_back_matter(title: str, sec_type: str = "") -> bool:
    """Whether a section says plainly that it is no body text: thanks, funding, interests, supplements and such."""
    if sec_type and _BACK_SEC_TYPES.fullmatch(sec_type.strip().lower()):
        return True
    return bool(title) and len(title) < 120 and _BACK_TITLES.fullmatch(plain_title(title)) is not None


def plain_title(title: str) -> str:
    """Lower-case words of a title without its numbering: "2.1. Patients & Methods:" -> "patients and methods"."""
    title = _NUMBERING.sub("", title[:200].replace("&", " and "), count=1)
    return _NOT_WORDS.sub(" ", title.lower()).strip()

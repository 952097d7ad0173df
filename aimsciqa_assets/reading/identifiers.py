"""DOI, PMID, PMCID: one normal form for each, whichever way a file writes it."""

import re
from html import unescape
from urllib.parse import unquote

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/\S{1,300}")
_DOI_IN_TEXT = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/[^\s\"'“”‘’|{}\x00-\x1f]{1,300}")
_PMID = re.compile(r"[1-9]\d{0,8}")
_PMID_IN_TEXT = re.compile(
    r"(?:\bPMID\b\s*[:=]?\s*|\bpubmed(?:\.ncbi\.nlm\.nih\.gov|/)/?|/pubmed/|MEDLINE:|\blist_uids=)([1-9]\d{0,8})\b",
    re.I,
)
_PMCID = re.compile(r"(?:PMC)?\s*:?\s*(?:PMC)?\s*([1-9]\d{0,8})(?:\.\d+)?", re.I)
_PMCID_IN_TEXT = re.compile(r"\bPMC\s?([1-9]\d{3,8})\b")
_LONGEST = 1000
"""Characters of an element in which an id is looked for."""
_PUNCTUATION = ".,;:/?!\"'“”‘’«»"
_OPENING = {")": "(", "]": "[", ">": "<", "}": "{"}
_CHARACTERS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("\u2044\u2215\uff0f", "/")
)
"""Hyphens and slashes that typesetters put for those of a DOI, and characters that nobody sees."""
_BEHIND_DOI = re.compile(
    r"\s.*|\?.*|(?<!;2-)#.*|&\w+=.*|;jsessionid.*|</?[a-z]+(?:[/>].*|$)|[.,;]?(?:https?:/|doi:).*"
    r"|[.,;:)\]]*[.,;:\[(](?:pubmed|pmid|pmcid|pmc\d{4,}|medline|crossref|google|scopus|url|published|accessed"
    r"|retrieved|available|epub|cited)(?![\w/-]|\.\w).*|(?<=\d)(?:pmc?id:?\s*(?:pmc)?\d|crossref|pubmed|google).*|[,;]10\.\d{4,9}/.*|\[[a-z]*\]?$|\([a-z]*$",
    re.I,
)
"""What a sentence, a link or a list of links puts behind a DOI without a blank."""
_PAGE_OF_DOI = re.compile(
    r"/(?:full[-_]?(?:text|html|xml|pdf)?|abs(?:tract)?|summary|extract|e?pdf(?:ft|direct)?|html?|xml|epub|meta"
    r"|references|citations?|suppinfo|supplemental|_article|_pdf|-char/\w+|-/dc\w*|(?:figures?|tables?)(?:/\d+)?|(?:attachments?|suppl_file)/\S*|type/\w+)$"
    r"|(?:(?<=\d)v\d{1,2})?\.(?:full(?:[-_]?text)?|abstract|short|long|extract|supplement[\w-]*|article-\w+|figures-only)$"
    r"|\.(?:e?pdf(?:\+html)?|html?|xml|epub)$",
    re.I,
)
"""A page, file or version of an article, as publishers add it to the DOI in their URLs."""
_PREPRINT_VERSION = re.compile(r"(10\.(?:1101|48550|64898)/.*\d)v\d{1,2}", re.I)


def normalise_doi(text: str) -> str | None:
    """Return the lower-case DOI without resolver, label or tail; None when `text` holds none.

    Takes bare DOIs, `doi:` forms, resolver URLs (also percent-encoded), `info:doi/`, and a publisher's URL.
    """
    return _first_doi(_DOI, text.strip()[:_LONGEST], "%")


def normalise_pmid(text: str) -> str | None:
    """Digits of a PubMed id (`PMID: 123.`, `123`, a PubMed URL), or None."""
    bare = text.strip()[:_LONGEST].rstrip(".,;/ ")
    if _PMID.fullmatch(bare):
        return bare
    return find_pmid(bare)


def normalise_pmcid(text: str) -> str | None:
    """`PMC` and digits, from any written form: bare digits, `PMC123`, `PMC123.2`, `PMCID: PMC123`, a URL."""
    bare = text.strip()[:_LONGEST].rstrip(".,;/ ")
    bare = bare.removeprefix("PMCID").removeprefix("pmcid")
    found = _PMCID.fullmatch(bare.lstrip(": "))
    return f"PMC{found.group(1)}" if found else find_pmcid(bare)


def find_doi(text: str) -> str | None:
    """The first DOI in running text, or None."""
    return _first_doi(_DOI_IN_TEXT, text, "%2") if "10." in text else None


def find_pmid(text: str) -> str | None:
    """The first PubMed id that is called one in running text or a URL, or None."""
    found = _PMID_IN_TEXT.search(text)
    return found.group(1) if found else None


def find_pmcid(text: str) -> str | None:
    """The first PMC id in running text or a URL, or None."""
    found = _PMCID_IN_TEXT.search(text)
    return f"PMC{found.group(1)}" if found else None


def _first_doi(pattern: re.Pattern[str], text: str, encoded: str) -> str | None:
    if not text.isascii():
        text = text.translate(_CHARACTERS)
    found = pattern.search(unquote(text) if encoded in text else text)
    return _without_tail(found[0]) if found else None


def _without_tail(doi: str) -> str | None:
    """The DOI alone, without what a sentence or a publisher's URL puts behind it."""
    doi, longer = unescape(unquote(doi)), ""
    while doi != longer:
        longer = doi
        doi = _without_punctuation(_BEHIND_DOI.sub("", doi, count=1))
        shorter = _PAGE_OF_DOI.sub("", doi)
        doi = shorter if _DOI.fullmatch(shorter) else doi
    if version := _PREPRINT_VERSION.fullmatch(doi):
        doi = version[1]
    return doi.lower() if _DOI.fullmatch(doi) else None


def _without_punctuation(doi: str) -> str:
    """Without punctuation at the end, and without closing brackets that nothing opened."""
    while doi and (
        doi[-1] in _PUNCTUATION or (doi[-1] in _OPENING and doi.count(_OPENING[doi[-1]]) < doi.count(doi[-1]))
    ):
        doi = doi[:-1]
    return doi

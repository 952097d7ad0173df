"""DOI, PMID, PMCID: one normal form for each, whichever way a file writes it."""

import re
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
_OPENING = {")": "(", "]": "[", ">": "<", "}": "{"}


def normalise_doi(text: str) -> str | None:
    """Lower-case DOI without resolver, label or trailing punctuation; None when `text` holds none.

    Takes bare DOIs, `doi:` forms, resolver URLs (also percent-encoded) and `info:doi/`.
    """
    text = text.strip()[:_LONGEST]
    if "%" in text:
        text = unquote(text)
    found = _DOI.search(text)
    return _trim_doi(found.group()) if found else None


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
    if "10." not in text:
        return None
    found = _DOI_IN_TEXT.search(unquote(text) if "%2" in text else text)
    return _trim_doi(found.group()) if found else None


def find_pmid(text: str) -> str | None:
    """The first PubMed id that is called one in running text or a URL, or None."""
    found = _PMID_IN_TEXT.search(text)
    return found.group(1) if found else None


def find_pmcid(text: str) -> str | None:
    """The first PMC id in running text or a URL, or None."""
    found = _PMCID_IN_TEXT.search(text)
    return f"PMC{found.group(1)}" if found else None


def _trim_doi(doi: str) -> str | None:
    """Cut what follows a DOI in a sentence: punctuation, and closing brackets that nothing opened."""
    while doi:
        last = doi[-1]
        if last in ".,;:/?!" or (last in _OPENING and doi.count(_OPENING[last]) < doi.count(last)):
            doi = doi[:-1]
        else:
            break
    return doi.lower() if _DOI.fullmatch(doi) else None

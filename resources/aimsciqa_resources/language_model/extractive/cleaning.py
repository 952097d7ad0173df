"""A sentence as a statement of its own: citations, figure references and connectives taken out, or refused."""

import re
from typing import Final

_BRACKET: Final = r"\[\s*(?:[A-Za-z]?\d+[a-z]?)?(?:\s*[,;–—−‐-]\s*(?:[A-Za-z]?\d+[a-z]?)?)*\s*\]"
_CITATION_BRACKET: Final = re.compile(rf"\s*{_BRACKET}(?:\s*[,;–—−‐-]?\s*{_BRACKET})*")
_INNERMOST_PARENTHESIS: Final = re.compile(r"\s*\(([^()\[\]]*)\)")
_AUTHOR_YEAR: Final = re.compile(
    r"et al|\b[A-Z][\w’'-]+ [A-Z]{1,3},? (?:19|20)\d\d|\b[A-Z][\w’'-]+(?:,? (?:and|&) [A-Z][\w’'-]+)*,? \(?(?:19|20)\d\d[a-z]?\b|^\s*(?:19|20)\d\d[a-z]?\s*$"
    r"|unpublished|personal communication|in press|data not shown|not shown|submitted|reviewed in|see "
)
_NUMBER_LIST: Final = re.compile(r"^\s*\d{1,3}(?:\s*[,–—-]\s*\d{1,3})*\s*$")
_FIGURE: Final = re.compile(
    r"\b(?:fig|figs|figures?|tables?|suppl\w*|supplementary|additional files?|appendix|appendices|schemes?|box"
    r"|panels?|refs?|equations?|eqs?|datasets? s\d|files? s\d|texts? s\d|videos?|movies?)\b\.?\s*\(?[A-Z]?\d*|\bS\d+ ",
    re.IGNORECASE,
)
_FIGURE_LEFT: Final = re.compile(
    r"\b(?:[Ff]igs?\b|[Ff]igures?\b|[Tt]ables? [A-Z]?\d|[Ss]upplementa\w+|[Aa]dditional [Ff]iles?|[Aa]ppendix|S\d+ (?:Fig|Table|File|Text|Appendix))"
)
_GLUED_CITATION: Final = re.compile(r"(?<=[a-z]{4})(?:,?\d{1,3}(?:[,–-]\d{1,3})*)(?=[\s,;.]|$)")
_GLUED_AFTER_COMMA: Final = re.compile(r"(?<=[a-z)]),\d{1,3}(?:[,–-]\d{1,3})*(?=\s|$)")
_TRAILING_CITATION: Final = re.compile(r"(?<=[a-z)])(?:, |\.)\d{1,3}(?:[,–-]\d{1,3})*$")
_CONNECTIVE: Final = re.compile(
    r"""^(?:(?:however|moreover|furthermore|therefore|thus|hence|in\ addition|additionally|in\ contrast|by\ contrast
    |on\ the\ other\ hand|on\ the\ contrary|conversely|similarly|likewise|consequently|accordingly|as\ a\ result
    |as\ a\ consequence|interestingly|notably|importantly|surprisingly|remarkably|indeed|in\ fact|overall
    |in\ general|generally|in\ particular|particularly|specifically|finally|lastly|first|firstly|second|secondly
    |third|thirdly|next|then|subsequently|meanwhile|nevertheless|nonetheless|in\ summary|in\ conclusion
    |to\ summarize|taken\ together|together|collectively|briefly|in\ brief|as\ expected|unexpectedly|of\ note
    |for\ example|for\ instance|e\.g\.|for\ e\.g\.|in\ turn|besides|also|again|still|yet|more\ importantly
    |most\ importantly|more\ recently|in\ other\ words|in\ short|to\ date|in\ this\ study
    |in\ the\ present\ study|in\ the\ current\ study|in\ our\ study|in\ this\ work|in\ this\ paper|here|herein
    |in\ this\ (?:context|regard|respect|case|review|way|article|report|analysis|experiment|investigation)
    |in\ the\ present\ (?:work|investigation|paper|research)|in\ this\ research|strikingly|intriguingly|clearly
    |obviously|apparently|evidently|not\ surprisingly|as\ such|at\ the\ same\ time|alternatively|in\ all|in\ total
    |in\ our\ (?:analysis|experiments?|work|results|survey))\s*,\s*
    |(?:and|but|so|yet|however|thus|therefore|hence|then|also|moreover|furthermore|additionally|consequently
    |interestingly|subsequently|finally)\s+)""",
    re.IGNORECASE | re.VERBOSE,
)
_BLANKS: Final = re.compile(r"\s+")
_BEFORE_PUNCTUATION: Final = re.compile(r"\s+(?=[,;.])")
_REPEATED_PUNCTUATION: Final = re.compile(r"([,;.])(?:\s*[,;])+")
_STRAY_DASH: Final = re.compile(r",\s?[–—-](?=[,\s.]|$)")


def statement(sentence: str) -> str | None:
    """The sentence cleaned so that it stands alone, without its full stop; None where that is not certain."""
    text = _BLANKS.sub(" ", sentence).strip()
    if not text.endswith(".") or text.endswith("..") or not text[0].isupper():
        return None
    text = _CITATION_BRACKET.sub("", text[:-1])
    text = _without_reference_parentheses(text)
    text = _STRAY_DASH.sub("", text)
    text = _GLUED_AFTER_COMMA.sub(",", text)
    text = _GLUED_CITATION.sub("", text)
    text = _REPEATED_PUNCTUATION.sub(r"\1", _BEFORE_PUNCTUATION.sub("", _BLANKS.sub(" ", text))).strip(" ,;.")
    text = _TRAILING_CITATION.sub("", text)
    for _ in range(3):
        text = _CONNECTIVE.sub("", text, count=1)
    if not text or _refused(text):
        return None
    return text[0].upper() + text[1:]


def _without_reference_parentheses(text: str) -> str:
    """Drops parentheses that cite, name a figure or are empty; from the inside out, others stay."""

    def keep(match: re.Match[str]) -> str:
        inner = match[1].strip()
        if not inner or _AUTHOR_YEAR.search(inner) or _FIGURE.match(inner) or _NUMBER_LIST.match(inner):
            return ""
        if _FIGURE_LEFT.search(inner):
            return ""
        # Kept ones are masked so that an outer parenthesis can be seen, and put back below.
        return match[0].replace("(", "\x02").replace(")", "\x03")

    for _ in range(3):
        text = _INNERMOST_PARENTHESIS.sub(keep, text)
    return text.replace("\x02", "(").replace("\x03", ")")


def _refused(text: str) -> bool:
    if _FIGURE_LEFT.search(text) or "et al" in text or "http" in text or "www." in text:
        return True
    if any(mark in text for mark in ("?", "!", "[", "]", "{", "}", "\\", "|", "=>", "•", "©", "…", '"', "“", "”")):
        return True
    if text.count("(") != text.count(")") or ";" in text or ":" in text or " . " in text:
        return True
    return "doi" in text.lower() or "accession" in text.lower()

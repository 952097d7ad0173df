"""A sentence as a statement of its own: without citations, figure references and connectives, or refused."""

import re
from typing import Final

_BRACKET: Final = r"\[\s*(?:[A-Za-z]?\d+[a-z]?)?(?:\s*[,;–—−‐-]\s*(?:[A-Za-z]?\d+[a-z]?)?)*\s*\]"
_CITATION_BRACKET: Final = re.compile(rf"\s*{_BRACKET}(?:\s*[,;–—−‐-]?\s*{_BRACKET})*")
_INNERMOST_PARENTHESIS: Final = re.compile(r"\s*\(([^()\[\]]*)\)")
_YEAR: Final = r"(?:19|20)\d\d[a-z]?\b"
_NAME: Final = r"\b[A-Z][\w’'-]+"
_AUTHOR_YEAR: Final = re.compile(
    rf"et al|{_NAME} [A-Z]{{1,3}},? {_YEAR}|{_NAME}(?:,? (?:and|&) [A-Z][\w’'-]+)*,? \(?{_YEAR}"
    rf"|^\s*{_YEAR}\s*$"
    r"|unpublished|personal communication|in press|data not shown|not shown|submitted|reviewed in|see "
)
_NUMBER_LIST: Final = re.compile(r"^\s*\d{1,3}(?:\s*[,–—-]\s*\d{1,3})*\s*$")
_FIGURE: Final = re.compile(
    r"\b(?:fig|figs|figures?|tables?|suppl\w*|supplementary|additional files?|appendix|appendices|schemes?"
    r"|box|panels?|refs?|equations?|eqs?|datasets? s\d|files? s\d|texts? s\d|videos?)\b\.?\s*\(?"
    r"|\bS\d+ ",
    re.IGNORECASE,
)
_FIGURE_LEFT: Final = re.compile(
    r"\b(?:[Ff]igs?\b|[Ff]igures?\b|[Tt]ables? [A-Z]?\d|[Ss]upplementa\w+|[Aa]dditional [Ff]iles?|[Aa]ppendix"
    r"|(?:Files?|Texts?|Data) S\d|S\d+ (?:Fig|Table|File|Text|Appendix))"
)
_GLUED_CITATION: Final = re.compile(r"(?<=[a-z]{4})(?:,?\d{1,3}(?:[,–-]\d{1,3})*)(?=[\s,;.]|$)")
_RAISED_CITATION: Final = re.compile(r"(?<=[a-z]{4})\^\d{1,3}(?:[,–-]\d{1,3})*(?=[\s,;.]|$)")
_GLUED_AFTER_COMMA: Final = re.compile(r"(?<=[a-z)]),\d{1,3}(?:[,–-]\d{1,3})*(?=\s|$)")
_TRAILING_CITATION: Final = re.compile(r"(?<=[a-z)])(?:, |\.)\d{1,3}(?:[,–-]\d{1,3})*$")
# Fronted words that link to an earlier sentence or carry no fact; a comma follows.
_CONNECTIVES: Final = """
    however moreover furthermore therefore thus hence in_addition additionally in_contrast
    by_contrast on_the_other_hand on_the_contrary in_comparison on_the_one_hand on_one_hand
    conversely similarly likewise consequently accordingly as_a_result as_a_consequence
    interestingly notably importantly surprisingly remarkably indeed in_fact overall in_general
    generally in_particular particularly specifically finally lastly first firstly second secondly
    third thirdly next then subsequently meanwhile nevertheless nonetheless in_summary in_conclusion
    to_summarize taken_together together collectively briefly in_brief as_expected unexpectedly
    of_note for_example for_examples for_instance e.g. in_turn besides also again still yet
    more_importantly most_importantly more_recently in_other_words in_short to_date in_this_study
    in_the_study in_the_present_study in_the_current_study in_our_study in_this_work in_this_paper
    here herein in_this_context in_this_regard in_this_respect in_this_case in_this_review
    in_this_way in_this_article in_this_report in_this_analysis in_this_experiment
    in_this_investigation in_this_research in_the_present_work in_the_present_investigation
    in_the_present_paper in_the_present_research strikingly nowadays currently today recently
    at_present historically globally worldwide traditionally typically usually intriguingly clearly
    obviously apparently evidently not_surprisingly as_such at_the_same_time alternatively in_all
    in_total in_our_analysis in_our_experiments in_our_work in_our_results
""".split()
# These link without a comma too: "However some ...".
_BARE_CONNECTIVES: Final = """and but so yet however thus therefore hence then also moreover furthermore
    additionally consequently interestingly subsequently finally""".split()
_CONNECTIVE: Final = re.compile(
    rf"^(?:(?:{'|'.join(re.escape(words.replace('_', ' ')) for words in _CONNECTIVES)})\s*,\s*"
    rf"|(?:{'|'.join(_BARE_CONNECTIVES)})\s+)",
    re.IGNORECASE,
)
_DANGLING: Final = re.compile(r"\b(?:and|or|of|the|in|by|for|with|to|from|at|as|that|which|than)$")
# What a citation leaves that was part of the sentence: "according to [3] with", "as in [3] and".
_TORN: Final = re.compile(r"\b(?:to|of|by|from|with|and|or|in) (?:with|and|or|by|of)\b")
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
    text = _RAISED_CITATION.sub("", text)
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
    if any(
        mark in text for mark in ("?", "!", "[", "]", "{", "}", "\\", "|", "=>", "•", "©", "…", '"', "“", "”")
    ):
        return True
    if text.count("(") != text.count(")") or ";" in text or ":" in text or " . " in text:
        return True
    if _DANGLING.search(text) or _TORN.search(text):
        return True
    return "doi" in text.lower() or "accession" in text.lower()

"""Exact quotes: what a model copied is evidence only where it stands in the text, character by character.

AIM-SciQA, section 4.1. The strict match decides. Whether a normalised match would have found the quote is
recorded too, to measure what the strictness costs.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

GroundingReason = Literal["empty_evidence", "evidence_not_found", "empty_question", "empty_answer"]

_FOLDED = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹘﹣－", "-") | dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"')
)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where the evidence is: `paragraph[start:end]`. Both are None if there is a `reason` for rejection.

    `normalised_match` says whether the evidence occurs once Unicode forms, dashes, quotes and white space are
    made alike. It is true for every exact match.
    """

    start: int | None
    end: int | None
    normalised_match: bool
    reason: GroundingReason | None


def ground(evidence: str, paragraph: str) -> Grounding:
    """Looks for `evidence` in `paragraph`, case and white space sensitive; the first occurrence counts."""
    if not evidence.strip():
        return Grounding(None, None, normalised_match=False, reason="empty_evidence")
    start = paragraph.find(evidence)
    if start >= 0:
        return Grounding(start, start + len(evidence), normalised_match=True, reason=None)
    found = _normalised(evidence) in _normalised(paragraph)
    return Grounding(None, None, normalised_match=found, reason="evidence_not_found")


def _normalised(text: str) -> str:
    """NFKC, dashes and quotes folded, white space collapsed; the case is kept."""
    folded = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return _BLANKS.sub(" ", folded).strip()

"""The exact-evidence filter: a triplet is kept only if its evidence is a verbatim quote of the paragraph.

AIM-SciQA, section 4.1. The strict match decides. Whether a normalised match would have kept the triplet is
recorded too, to measure what the strictness costs.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from aimsciqa_assets.aim_sciqa.single_hop.replies import Triplet

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


def ground_triplet(triplet: Triplet, paragraph: str) -> Grounding:
    """`ground` for a whole triplet, which also needs a question and an answer that are not blank."""
    if not triplet.question.strip():
        return Grounding(None, None, normalised_match=False, reason="empty_question")
    if not triplet.answer.strip():
        return Grounding(None, None, normalised_match=False, reason="empty_answer")
    return ground(triplet.evidence, paragraph)


def _normalised(text: str) -> str:
    """NFKC, dashes and quotes folded, white space collapsed; the case is kept."""
    folded = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return _BLANKS.sub(" ", folded).strip()

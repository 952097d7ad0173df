"""The exact-evidence filter: a triplet is kept only if its evidence is a verbatim quote of the paragraph.

AIM-SciQA, section 4.1; `text.grounding` looks for the quote.
"""

from aimsciqa_assets.aim_sciqa.single_hop.replies import Triplet
from aimsciqa_assets.text.grounding import Grounding, ground


def ground_triplet(triplet: Triplet, paragraph: str) -> Grounding:
    """`ground` for a whole triplet, which also needs a question and an answer that are not blank."""
    if not triplet.question.strip():
        return Grounding(None, None, normalised_match=False, reason="empty_question")
    if not triplet.answer.strip():
        return Grounding(None, None, normalised_match=False, reason="empty_answer")
    return ground(triplet.evidence, paragraph)

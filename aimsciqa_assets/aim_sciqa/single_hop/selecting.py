"""What is not worth asking: paragraphs that are left out, and pairs that a reply should not have.

Used with `refinement.selective_single_hop` only. Each refusal has a reason, which its row keeps.
"""

import re
from typing import Final, Literal

from aimsciqa_assets.tables.vocabulary import SectionKind
from aimsciqa_assets.text.sentences import sentence_spans

LeftOut = Literal["closing_section", "one_sentence", "material_list"]
Unwanted = Literal["yes_no_question", "beyond_the_best"]

MOST_PAIRS: Final = 5

_YES_OR_NO: Final = re.compile(
    r"(?:(?:in|at|for|among|within|during|under|after|of|on|with)\b[^?]*, )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|will|would|should)(?:n't)? [^?]*\?$",
    re.IGNORECASE,
)
_OFFERS_A_CHOICE: Final = re.compile(r"\bor\b")
# Genes, strains, plasmids and products: letters and digits in one word, without a unit behind a number.
_CODE: Final = re.compile(r"(?=\w*[A-Za-z])(?=\w*\d)(?!\d+[a-zµ]{1,3}$)[\w-]{4,}")
_NUCLEOTIDES: Final = re.compile(r"[ACGTU]{10,}")
_FEWEST_CODES: Final = 8
_LARGEST_SHARE_OF_CODES: Final = 0.25


def why_left_out(text: str, kind: SectionKind) -> LeftOut | None:
    """Why the model is not asked about a paragraph; None where it is."""
    if kind == "conclusion":
        return "closing_section"
    if len(sentence_spans(text)) < 2:
        return "one_sentence"
    return "material_list" if _is_material_list(text) else None


def why_unwanted(question: str, position: int) -> Unwanted | None:
    """Why the pair at a position of a reply, counted from 0, is not kept; None where it may be."""
    if _YES_OR_NO.match(question.strip()) and not _OFFERS_A_CHOICE.search(question):
        return "yes_no_question"
    return "beyond_the_best" if position >= MOST_PAIRS else None


def _is_material_list(text: str) -> bool:
    words = text.split()
    codes = sum(_CODE.fullmatch(word.strip("()[],.;:")) is not None for word in words)
    many = codes >= _FEWEST_CODES and codes >= _LARGEST_SHARE_OF_CODES * len(words)
    return many or len(_NUCLEOTIDES.findall(text)) > 1

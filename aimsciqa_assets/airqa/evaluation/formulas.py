"""Formulas that are the same LaTeX, apart from how they are set.

Equality may only speak for an answer: two formulas that look different may still say the same. So everything
that is not equal goes to the judge.
"""

import re
from typing import Final

_FENCES: Final = re.compile(r"\A```\w*\s|```\s*\Z")
_DELIMITERS: Final = re.compile(r"\\[()\[\]]|\$|\\(?:begin|end)\s*\{(?:equation|align|displaymath)\*?\}")
_SIZES: Final = re.compile(r"\\(?:left|right|[bB]igg?[lrm]?)(?![A-Za-z])")
_FONTS: Final = re.compile(
    r"\\(?:math(?:rm|bf|it|sf|tt|normal)|text(?:rm|bf|it|sf|tt|normal)?|boldsymbol|bm|operatorname\*?"
    r"|displaystyle|textstyle|limits)(?![A-Za-z])"
)
_SPACES: Final = re.compile(r"\\[,;:! ]|\\q?quad(?![A-Za-z])|~|\s+")
_LABEL: Final = re.compile(r"\\(?:label|tag)\*?\s*\{[^{}]*\}")
_LONE: Final = re.compile(r"(?<!\\)\{([A-Za-z0-9])\}")


def same_formulas(answer: str, formulas: list[str]) -> bool:
    """Whether the answer is the formulas, one behind the other, as normalised LaTeX."""
    right = "".join(map(normalised, formulas))
    return bool(right) and normalised(answer) == right


def normalised(latex: str) -> str:
    """LaTeX without delimiters, white space, sizes, fonts, labels, and braces around single characters."""
    latex = _FENCES.sub("", latex.strip())
    for pattern in (_LABEL, _DELIMITERS, _SIZES, _FONTS):
        latex = pattern.sub(" ", latex)
    # A blank that ends a command stays: `\alpha x` is not `\alphax`.
    latex = re.sub(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])", r"\1{}", latex)
    latex = _LONE.sub(r"\1", _SPACES.sub("", latex))
    return latex.strip().rstrip(".,;")

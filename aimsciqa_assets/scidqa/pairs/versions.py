"""Which version of the paper an answer is about, by the authors' words (SciDQA, section 3.1).

An answer is about the initial version unless the authors say that they have changed the paper.
"""

import re
from typing import Final, Literal

Version = Literal["initial", "revised"]

_PAPER: Final = (
    r"(?:paper|manuscript|draft|version|submission|revision|pdf|"
    r"text|appendix|section|sec\.|table|figure|fig\.)"
)
_CHANGED: Final = (
    r"(?:added|updated|included|inserted|incorporated|revised|rewritten|rephrased|reworded|corrected|fixed|"
    r"changed|modified|clarified|extended|expanded|moved|removed)"
)
_DONE: Final = rf"(?:provided|conducted|performed|run|{_CHANGED})"
_RULES: Final = tuple(
    re.compile(rule, re.IGNORECASE)
    for rule in (
        rf"\b(?:revised|updated|new|newest|latest) {_PAPER}",
        r"\bin (?:the|our|this) (?:\w+ )?revision\b",
        rf"\bwe (?:\w+ ){{0,2}}{_CHANGED}\b[^.?!]{{0,120}}\b{_PAPER}",
        rf"\bwe(?:['’]ve| have| had) (?:\w+ ){{0,2}}{_DONE}\b[^.?!]{{0,120}}\b{_PAPER}",
        rf"\b(?:has|have|had) (?:now |also |since )?been (?:\w+ )?{_CHANGED}\b",
        rf"\bnow (?:\w+ )?{_CHANGED}\b|\b{_CHANGED}(?: \w+)? now\b",
    )
)


def version_by_rule(reply: str) -> Version:
    """`revised` if the words of a reply say that the paper was changed, else `initial`."""
    return "revised" if any(rule.search(reply) for rule in _RULES) else "initial"

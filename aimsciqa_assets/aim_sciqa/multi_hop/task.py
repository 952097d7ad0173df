"""The tasks that compose a multi-hop item of two core QA pairs (AIM-SciQA, section 4.4 and appendix A.2).

`MULTI_HOP` is the paper's: the pairs are given. With `MULTI_HOP_CHOICE` the model chooses among several, and
knows more of both papers (docs/better-than-the-paper.md).
"""

from functools import partial
from html import escape
from typing import Any, Final

from aimsciqa_assets.aim_sciqa.multi_hop.replies import (
    LINKS,
    REFUSAL_SENTENCE,
    Composition,
    Malformed,
    Refusal,
    read_reply,
)
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task, Variables

Written = Composition | Refusal
_ANY_LINK: Final = " | ".join(f'"{link.replace("_", " ").capitalize()}"' for link in LINKS)

REPLY_GRAMMAR: Final = f"""
root ::= "{REFUSAL_SENTENCE}" | outputs
outputs ::= "<outputs>\\n" find connect merge judge "</outputs>"
find ::= "<component type=\\"Find Target Paper\\">\\n" pair "</component>\\n"
connect ::= "<component type=\\"Generate Inter-document QA\\">\\n" pair "</component>\\n"
merge ::= "<component type=\\"Merge Complete QA\\">\\n" pair "</component>\\n"
pair ::= "<question>" text "</question>\\n<answer>" text "</answer>\\n"
judge ::= "<component type=\\"QA Validation\\">\\n" fluency complete cross apt decide "</component>\\n"
fluency ::= "<score type=\\"Fluency\\">" verdict
complete ::= "<score type=\\"Completeness\\">" verdict
cross ::= "<score type=\\"Cross-reference Necessity\\">" verdict
apt ::= "<score type=\\"Relational Appropriateness\\">" verdict
decide ::= "<score type=\\"Decision\\">" verdict
verdict ::= ("Accept" | "Reject") "</score>\\n"
text ::= [^<>]+
"""
"""The form of a reply as EBNF: the XML of the prompt, or the refusal."""


CHOICE_GRAMMAR: Final = (
    REPLY_GRAMMAR.replace('<outputs>\\n" find', '<outputs>\\n" choose find').replace(
        "apt decide", "apt identify decide"
    )
    + f"""choose ::= "<component type=\\"Choice\\">\\n" which unique link others "</component>\\n"
which ::= "<score type=\\"Core Pair\\">" number "</score>\\n"
unique ::= "<score type=\\"Unique QA\\">" number "</score>\\n"
link ::= "<score type=\\"Link\\">" ({_ANY_LINK}) "</score>\\n"
others ::= "<note type=\\"Other Values\\">" text "</note>\\n"
number ::= [1-9] [0-9]?
identify ::= "<score type=\\"Identifiability\\">" verdict
"""
)
"""The same with the choice and a fifth verdict."""


def _read(text: str, choosing: bool = False) -> Written | Fault[Written]:
    read = read_reply(text, choosing=choosing)
    if not isinstance(read, Malformed):
        return read
    return Fault(read.reason, f"the XML is not complete ({read.reason.replace('_', ' ')})")


def _shown(variables: Variables) -> dict[str, Any]:
    """The variables, escaped because the prompt puts them into XML."""
    return {name: _escaped(value) for name, value in variables.items()}


def _escaped(value: Any) -> Any:
    if isinstance(value, list):
        return [_shown(one) for one in value]
    return escape(value, quote=False)


MULTI_HOP: Final = Task[Written]("multi_hop", REPLY_GRAMMAR, _read, shown=_shown)
MULTI_HOP_CHOICE: Final = Task[Written](
    "multi_hop_choice", CHOICE_GRAMMAR, partial(_read, choosing=True), shown=_shown
)

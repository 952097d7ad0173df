"""The task that composes a multi-hop item of two core QA pairs (AIM-SciQA, section 4.4 and appendix A.2)."""

from html import escape
from typing import Any, Final

from aimsciqa_assets.aim_sciqa.multi_hop.replies import (
    REFUSAL_SENTENCE,
    Composition,
    Malformed,
    Refusal,
    read_reply,
)
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task, Variables

Written = Composition | Refusal

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


def _read(text: str) -> Written | Fault[Written]:
    read = read_reply(text)
    if not isinstance(read, Malformed):
        return read
    return Fault(read.reason, f"the XML is not complete ({read.reason.replace('_', ' ')})")


def _shown(variables: Variables) -> dict[str, Any]:
    """The variables, escaped because the prompt puts them into XML."""
    return {name: escape(value, quote=False) for name, value in variables.items()}


MULTI_HOP: Final = Task[Written]("multi_hop", REPLY_GRAMMAR, _read, shown=_shown)

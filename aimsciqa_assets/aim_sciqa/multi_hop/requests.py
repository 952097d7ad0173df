"""A candidate relation becomes a request to a language model (AIM-SciQA, section 4.4 and appendix A.2)."""

from html import escape
from typing import Final

from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.aim_sciqa.multi_hop.replies import REFUSAL_SENTENCE, Malformed, read_reply
from aimsciqa_assets.asking.prompts import Prompt, load_prompt
from aimsciqa_assets.asking.repairing import repair_prompt, repair_request

TASK: Final = "multi_hop"

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


def multi_hop_prompt() -> Prompt:
    """Prompt that multi-hop requests are rendered with."""
    return load_prompt(TASK)


def prompt_version() -> str:
    """Changes with any text that a model is shown; belongs into every row."""
    return f"{multi_hop_prompt().version}+{repair_prompt().version}"


def multi_hop_request(
    key: str,
    *,
    source_title: str,
    source_section: str,
    source_question: str,
    source_answer: str,
    target_title: str,
    target_section: str,
    target_question: str,
    target_answer: str,
    retrieval_question: str,
    retrieval_answer: str,
) -> ModelRequest:
    """Ask for a composition of two core QAs; `replies.read_reply` reads what comes back with the same `key`.

    The variables hold the values as they are; in the messages they are escaped, because they stand in XML.
    """
    variables = {
        "source_title": source_title,
        "source_section": source_section,
        "source_question": source_question,
        "source_answer": source_answer,
        "target_title": target_title,
        "target_section": target_section,
        "target_question": target_question,
        "target_answer": target_answer,
        "retrieval_question": retrieval_question,
        "retrieval_answer": retrieval_answer,
    }
    escaped = {name: escape(value, quote=False) for name, value in variables.items()}
    return ModelRequest(
        TASK,
        key,
        variables,
        multi_hop_prompt().messages(escaped),
        reply_grammar=REPLY_GRAMMAR,
        recourse=_RECOURSE,
    )


class _MultiHopRecourse:
    """A malformed reply goes back to the model. Two core QA pairs cannot be divided."""

    def repaired(self, request: ModelRequest, reply: str) -> ModelRequest | None:
        """The request that complains about the reply; None for a composition or a refusal."""
        read = read_reply(reply)
        if not isinstance(read, Malformed):
            return None
        return repair_request(request, reply, f"the XML is not complete ({read.reason.replace('_', ' ')})")


_RECOURSE: Final = _MultiHopRecourse()

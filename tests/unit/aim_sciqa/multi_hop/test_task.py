from aimsciqa_resources.language_model import PROMPT_TOO_LONG, ModelReply
from lxml import etree

from aimsciqa_assets.aim_sciqa.multi_hop.replies import REFUSAL_SENTENCE, Refusal, read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from tests.dialogues import held

VALUES = {
    "source_title": "Iron & zinc",
    "source_section": "Results",
    "source_question": "Was p < 0.05 in <em>Setaria</em>?",
    "source_answer": "Yes, it was.",
    "target_title": "It's {{ source_title }}",
    "target_section": "Methods",
    "target_question": "Was p > 0.05 in rice?",
    "target_answer": 'No, it was "less".',
    "retrieval_question": "What is 'X'?",
    "retrieval_answer": "It is X.",
}


def test_the_values_arrive_as_they_are_in_the_variables_and_escaped_in_the_messages():
    request = MULTI_HOP.request("r1", **VALUES)
    assert (request.task, request.key, request.reply_schema) == ("multi_hop", "r1", None)
    assert dict(request.variables) == VALUES
    system, user = request.messages
    assert (system.role, user.role) == ("system", "user")
    inputs = etree.fromstring(user.content)
    assert inputs.findtext("source_paper/title") == "Iron & zinc"
    assert inputs.findtext("source_paper/core_qa/question") == "Was p < 0.05 in <em>Setaria</em>?"
    assert inputs.findtext("target_paper/title") == "It's {{ source_title }}"
    assert inputs.findtext("target_paper/core_qa/answer") == 'No, it was "less".'
    assert inputs.findtext("target_paper/unique_qa/question") == "What is 'X'?"
    assert inputs.findtext("target_paper/unique_qa/answer") == "It is X."


def test_the_prompt_fixes_what_the_reader_expects():
    text = MULTI_HOP.prompt.text
    assert MULTI_HOP.prompt.variables == VALUES.keys()
    assert REFUSAL_SENTENCE in text
    skeleton = text[text.index("<outputs>") : text.index("</outputs>")].replace(
        ">...</score", ">Accept</score"
    )
    reply = read_reply(skeleton)
    assert reply.retrieval.answer == "Identified target paper: '...'."
    assert reply.merged.question == "..."


def test_a_refusal_needs_no_repair():
    asked, outcome = held(MULTI_HOP.ask("r1", **VALUES), REFUSAL_SENTENCE)
    assert (len(asked), outcome.read, outcome.reason) == (1, Refusal(), None)


def test_a_malformed_reply_is_shown_to_the_model_with_what_it_lacks():
    (_, again), outcome = held(MULTI_HOP.ask("r1", **VALUES), "<outputs>", "no")
    assert again.messages[-2].content == "<outputs>"
    assert "the XML is not complete (no components)" in again.messages[-1].content
    assert (outcome.text, outcome.reason) == ("<outputs>", "no_components")


def test_two_core_qa_pairs_cannot_be_divided():
    asked, outcome = held(MULTI_HOP.ask("r1", **VALUES), ModelReply("r1", None, PROMPT_TOO_LONG))
    assert (len(asked), outcome.reason) == (1, "too_long")

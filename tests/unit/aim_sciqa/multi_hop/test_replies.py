from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.multi_hop.replies import (
    Composition,
    Malformed,
    QuestionAnswer,
    Refusal,
    identified_title,
    read_reply,
)
from tests.reference_cases import cases

REPLY = """<outputs>
<component type="Find Target Paper">
<question>Which paper reports the yield of millet?</question>
<answer>Identified target paper: 'Millet in dry years'.</answer>
</component>
<component type="Generate Inter-document QA">
<question>How does the yield of millet compare with that of rice?</question>
<answer>Millet yields 2 t, rice 4 t.</answer>
</component>
<component type="Merge Complete QA">
<question>How does the yield in the paper on millet compare with that of rice?</question>
<answer>In 'Millet in dry years' it is 2 t, less than the 4 t of rice.</answer>
</component>
<component type="QA Validation">
<score type="Fluency">Accept</score>
<score type="Completeness">Accept</score>
<score type="Cross-reference Necessity">Reject</score>
<score type="Relational Appropriateness">Accept</score>
<score type="Decision">Reject</score>
</component>
</outputs>"""

PAIRS = ("Find Target Paper", "Generate Inter-document QA", "Merge Complete QA")

READ = Composition(
    retrieval=QuestionAnswer(
        "Which paper reports the yield of millet?", "Identified target paper: 'Millet in dry years'."
    ),
    inter_document=QuestionAnswer(
        "How does the yield of millet compare with that of rice?", "Millet yields 2 t, rice 4 t."
    ),
    merged=QuestionAnswer(
        "How does the yield in the paper on millet compare with that of rice?",
        "In 'Millet in dry years' it is 2 t, less than the 4 t of rice.",
    ),
    verdicts={
        "fluency": True,
        "completeness": True,
        "cross_reference_necessity": False,
        "relational_appropriateness": True,
    },
    decision=False,
)


@pytest.mark.parametrize(
    "reply",
    [
        REPLY,
        f"```xml\n{REPLY}\n```",
        f"Here is the question you asked for:\n\n{REPLY}\n\nLet me know if it helps.",
        f"<think>If unrelated: Cannot generate inter-document multi-hop question.</think>\n{REPLY}",
        REPLY.replace("</question>", "").replace("</answer>", "").replace("</score>", ""),
        REPLY.replace("</component>", "").replace("</outputs>", ""),
        REPLY.replace('"', "'"),
        REPLY.replace('"', ""),
        REPLY.replace('type="', 'id="7" type = "'),
        REPLY.replace("Find Target Paper", "find target paper").replace("QA Validation", "QA VALIDATION"),
        REPLY.replace("Inter-document", "inter_document").replace("Cross-reference", "Cross reference"),
        REPLY.replace("<question>", "<Question>").replace("component", "COMPONENT"),
        REPLY.replace("<question>", "<question><![CDATA[").replace("</question>", "]]></question>"),
        REPLY.replace("Accept<", " **accept** (clear)<"),
        escape(REPLY),
        REPLY + REPLY.replace("millet", "oats").replace("Accept", "Reject"),
    ],
    ids=[
        "plain", "fenced", "text around", "thinking", "not closed", "components not closed", "single quotes",
        "no quotes", "more attributes", "case of types", "spelling of types", "case of tags", "cdata",
        "wordy verdicts", "escaped as a whole", "repeated",
    ],
)  # fmt: skip
def test_a_reply_is_read_whatever_its_form(reply):
    assert read_reply(reply) == READ


def test_values_need_not_be_escaped_but_may_be():
    written = "Is it <5 mg & p < 0.05 at R&D; sites?"
    also = "Is it &lt;5 mg &amp; p &#60; 0.05 at R&D; sites?"
    for question in (written, also):
        reply = read_reply(REPLY.replace("Which paper reports the yield of millet?", question))
        assert isinstance(reply, Composition)
        assert reply.retrieval.question == written


def test_an_entity_without_a_semicolon_is_text():
    reply = read_reply(REPLY.replace("millet?", "millet R&copy?"))
    assert isinstance(reply, Composition)
    assert reply.retrieval.question == "Which paper reports the yield of millet R&copy?"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty_reply"),
        ("<think>Hmm.</think>\n ", "empty_reply"),
        ("I would rather not.", "no_components"),
        (REPLY[: REPLY.index('<component type="Merge')], "missing_component:merge_complete_qa"),
        (REPLY.replace("Find Target Paper", "Target"), "missing_component:find_target_paper"),
        (REPLY.replace("<answer>Millet", "Millet"), "missing_answer:generate_inter_document_qa"),
        (REPLY.replace("<question>How does the yield in", "How"), "missing_question:merge_complete_qa"),
        (REPLY.replace('"Fluency"', '"Grammar"'), "missing_score:fluency"),
        (REPLY.replace('ness">Accept', 'ness">4/5'), "unreadable_score:completeness"),
    ],
)
def test_what_is_missing_is_named(reply, reason):
    assert read_reply(reply) == Malformed(reason)


def test_the_model_may_leave_the_decision_out():
    reply = read_reply(REPLY.replace('<score type="Decision">Reject</score>', ""))
    assert isinstance(reply, Composition)
    assert reply.decision is None


@pytest.mark.parametrize(
    "reply",
    [
        "Cannot generate inter-document multi-hop question.",
        "cannot generate inter document multihop question",
        "```\nCannot generate inter-document multi-hop question\n```",
        "The two papers share nothing. I cannot generate an inter‑document multi-hop question!",
        "<outputs>Cannot generate inter-document multi-hop question.</outputs>",
        REPLY.replace("How does the yield of millet compare with that of rice?", "Cannot generate"
                      " inter-document multi-hop question."),
    ],
)  # fmt: skip
def test_a_refusal_is_recognised(reply):
    assert read_reply(reply) == Refusal()


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Identified target paper: 'It's a long way'.", "It's a long way"),
        ("identified target paper: \"Effects of 'X' in rats\".", "Effects of 'X' in rats"),
        ("Identified Target Paper: ‘Patients’ views’", "Patients’ views"),
        ("Identified target paper: 'Is it so?'. It's clear.", "Is it so?"),
        ("Identified target paper: Plain title.", "Plain title."),
        ("The paper is 'X'.", None),
        ("Identified target paper: ", None),
    ],
)
def test_the_title_is_taken_from_its_fixed_shape(answer, title):
    assert identified_title(answer) == title


@pytest.mark.parametrize("case", cases("mhqa_output_parse"))
def test_the_reference_cases_are_read_as_expected(case):
    reply, expected = read_reply(case["input"]["response"]), case["expected"]
    assert isinstance(reply, Composition)
    assert all(reply.verdicts.values()) == expected["kept"] == reply.decision
    assert identified_title(reply.retrieval.answer) == expected.get("target_title", "A study of X")
    for name, verdict in expected.get("scores", {}).items():
        criterion = name.lower().replace("-", "_").replace(" ", "_")
        read = reply.decision if criterion == "decision" else reply.verdicts[criterion]
        assert read == (verdict == "Accept")


PIECES = st.sampled_from(
    ["<component type=", '"Find Target Paper">', "<question>", "</question>", "<answer>", "Accept", "```",
     "<", "<score type='Fluency'>", "<![CDATA[", "]]>", "&amp;", "&#xFFFFFFFF;", "&#0;", ">", "</think>",
     "\x00", "\ud800"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text()), max_size=30).map("".join))
def test_no_text_raises(text):
    assert isinstance(read_reply(text), Composition | Refusal | Malformed)
    identified_title(text)


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])), min_size=6, max_size=6))
def test_any_escaped_values_come_back(values):
    components = "".join(
        f'<component type="{component}">'
        f"<question>{escape(question)}</question><answer>{escape(answer)}</answer></component>"
        for component, question, answer in zip(PAIRS, values[::2], values[1::2], strict=True)
    )
    reply = read_reply(components + REPLY[REPLY.index('<component type="QA V') :])
    assert isinstance(reply, Composition)
    read = (reply.retrieval, reply.inter_document, reply.merged)
    assert [text for pair in read for text in (pair.question, pair.answer)] == [v.strip() for v in values]

"""The model chooses: what it is told, what it replies, and what becomes of it."""

import polars as pl
import pytest
from lxml import etree

from aimsciqa_assets.aim_sciqa.multi_hop.choices import (
    Texts,
    choice_inputs,
    offered_questions,
)
from aimsciqa_assets.aim_sciqa.multi_hop.items import item_dialogues, items_of
from aimsciqa_assets.aim_sciqa.multi_hop.replies import REFUSAL_SENTENCE, Choice, read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.surroundings import surroundings
from aimsciqa_assets.aim_sciqa.multi_hop.task import CHOICE_GRAMMAR, MULTI_HOP_CHOICE
from aimsciqa_assets.aim_sciqa.relations.core_pairs import offered_pairs
from aimsciqa_assets.platform.identity import row_id
from tests.dialogues import held
from tests.fakes import SentenceModel
from tests.model_server import answer_from_prompt

PARAGRAPH = "Larks were ringed. Frost cut lark weight by 3 g. Rain did not (p < 0.05). Snails were few."
START = PARAGRAPH.index("Frost")
RELATION = {
    "relation_id": "r",
    "batch": "b",
    "variant": "im",
    "source_paper_id": "S",
    "target_paper_id": "T",
    "source_section_id": "ss",
    "target_section_id": "ts",
    "core_source_qa_id": "s1",
    "core_target_qa_id": "t1",
}


def pair(qa_id: str) -> dict:
    return {
        "question": f"What of {qa_id} & co?",
        "answer": f"It is {qa_id}.",
        "section_id": f"{qa_id[0]}s",
        "paragraph_id": "p",
        "evidence_start": START,
        "evidence_end": START + 20,
    }


TEXTS = Texts(
    pairs={qa_id: pair(qa_id) for qa_id in ("s1", "s2", "t1", "t2", "t3", "t4")},
    paragraphs={"p": PARAGRAPH},
    sections={"ss": "Results", "ts": "Discussion"},
    papers={
        "S": {"title": "Larks & frost", "abstract": "We weighed larks."},
        "T": {"title": "Rain on marsh birds of Tves", "abstract": "p < 0.05 for larks."},
    },
)
CORE = {"r": [("s1", "t1"), ("s2", "t2")]}
QUESTIONS = {"r": ["t3", "t4"]}


def inputs() -> list[dict]:
    return choice_inputs(pl.DataFrame([RELATION]), CORE, QUESTIONS, TEXTS)


def reply(core="2", unique="2", link="Part and whole", identifiability="Accept") -> str:
    (text,) = [
        one.text for one in SentenceModel().replies([next(next(item_dialogues(inputs(), MULTI_HOP_CHOICE)))])
    ]
    return (
        text.replace('"Core Pair">1<', f'"Core Pair">{core}<')
        .replace('"Unique QA">1<', f'"Unique QA">{unique}<')
        .replace('"Link">Contrast<', f'"Link">{link}<')
        .replace('"Identifiability">Accept<', f'"Identifiability">{identifiability}<')
    )


def row_for(text: str) -> dict:
    told = inputs()
    _, outcome = held(next(item_dialogues(told, MULTI_HOP_CHOICE)), text, text)
    return items_of([outcome], told, SentenceModel(), MULTI_HOP_CHOICE).row(0, named=True)


def test_the_model_is_shown_abstracts_pairs_and_the_sentences_around_the_evidence():
    request = next(next(item_dialogues(inputs(), MULTI_HOP_CHOICE)))
    assert request.task == "multi_hop_choice"
    shown = etree.fromstring(request.messages[-1].content)
    assert shown.findtext("target_paper/abstract") == "p < 0.05 for larks."
    assert [one.get("number") for one in shown.findall("target_paper/unique_qa")] == ["1", "2"]
    second = shown.findall("core_pair")[1]
    assert second.findtext("source_fact/core_qa/question") == "What of s2 & co?"
    assert second.findtext("target_fact/section_name") == "Discussion"
    assert second.findtext("source_fact/context") == (
        "Larks were ringed. Frost cut lark weight by 3 g. Rain did not (p < 0.05)."
    )


def test_the_model_is_shown_what_else_each_paper_says_once_and_the_nearest_first():
    pairs = {**TEXTS.pairs, "s3": pair("s3"), "s4": pair("s3"), "t5": pair("t5")}
    others = {("r", "source"): ["s3", "s4", "s2"], ("r", "target"): ["t5"], ("other", "source"): ["t4"]}
    texts = Texts(pairs, TEXTS.paragraphs, TEXTS.sections, TEXTS.papers)
    told = choice_inputs(pl.DataFrame([RELATION]), CORE, QUESTIONS, texts, others)
    request = next(next(item_dialogues(told, MULTI_HOP_CHOICE)))
    shown = etree.fromstring(request.messages[-1].content)
    said = [one.findtext("answer") for one in shown.findall("source_paper/also_says")]
    assert said == ["It is s3.", "It is s2."]
    (of_target,) = shown.findall("target_paper/also_says")
    assert of_target.findtext("section_name") == "Discussion"
    assert of_target.findtext("question") == "What of t5 & co?"


def test_a_reply_tells_the_other_values_of_both_papers():
    told = reply().replace(
        "</score></component><component",
        '</score><note type="Other Values">none</note></component><component',
        1,
    )
    assert "Other Values" in told
    assert row_for(told)["status"] == "accepted"


def test_the_form_in_the_prompt_is_one_that_the_reader_reads():
    text = MULTI_HOP_CHOICE.prompt.text
    assert REFUSAL_SENTENCE in text
    skeleton = text[text.index("<outputs>\n<comp") : text.index("</outputs>")].replace(
        ">...</s", ">Accept</s"
    )
    assert read_reply(skeleton, choosing=True).choice == Choice(1, 1, "contrast")
    for name in ("choose", "identify", "others"):
        assert f" {name} " in CHOICE_GRAMMAR
        assert f"\n{name} ::= " in CHOICE_GRAMMAR


def test_the_item_names_the_pairs_that_the_model_chose_and_the_link():
    row = row_for(reply())
    assert (row["status"], row["rejection_reason"]) == ("accepted", None)
    assert (row["core_source_qa_id"], row["core_target_qa_id"], row["retrieval_qa_id"]) == ("s2", "t2", "t4")
    assert (row["link"], row["core_pair_rank"], row["retrieval_rank"]) == ("part_and_whole", 2, 2)
    assert row["item_id"] == row_id("r", "t4")
    assert row["identifiability"] == "accept"


def test_a_retrieval_question_that_fits_many_papers_rejects_the_item():
    row = row_for(reply(identifiability="Reject"))
    assert (row["status"], row["rejection_reason"]) == ("rejected", "rejected:identifiability")
    assert (row["fluency"], row["identifiability"], row["decision"]) == ("accept", "reject", "reject")


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        (reply(core="3"), "invalid", "not_offered:core_pairs"),
        (reply(unique="0"), "invalid", "not_offered:retrieval"),
        (reply(link="Juxtaposition"), "invalid", "unreadable_choice:link"),
        (reply(core="the first"), "invalid", "unreadable_choice:core_pair"),
        (REFUSAL_SENTENCE, "pre_rejected", "refused"),
    ],
)
def test_a_choice_outside_of_the_offer_is_no_item(text, status, reason):
    row = row_for(text)
    assert (row["status"], row["rejection_reason"], row["link"]) == (status, reason, None)
    assert row["item_id"] == row_id("r", "t3")


def test_a_reply_in_the_form_without_a_choice_is_incomplete_here_and_whole_there():
    assert read_reply(reply(), choosing=True).verdicts.keys() - read_reply(reply()).verdicts.keys() == {
        "identifiability"
    }
    without = reply().replace('type="Choice"', 'type="Else"')
    assert read_reply(without, choosing=True).reason == "missing_component:choice"
    assert read_reply(without).choice is None


def test_the_relations_own_core_pair_is_offered_first():
    sections = row_id("im", "ss", "ts")
    ranked = pl.DataFrame(
        [(sections, "s2", "t2", 2), (sections, "s1", "t1", 1), (sections, "s3", "t3", None)],
        schema=["section_pair_id", "source_qa_id", "target_qa_id", "rank"],
        orient="row",
    )
    relations = pl.DataFrame([RELATION])
    assert offered_pairs(relations, ranked, 3) == CORE
    assert offered_pairs(relations, ranked, 1) == {"r": [("s1", "t1")]}
    assert offered_pairs(relations, ranked.clear(), 3) == {"r": [("s1", "t1")]}


def test_a_possible_core_pair_is_no_retrieval_question_unless_there_is_no_other():
    rows = [("r", 1, "t2"), ("r", 2, "t3"), ("r", 3, "t1")]
    candidates = pl.DataFrame(rows, schema=["relation_id", "rank", "qa_id"], orient="row")
    assert offered_questions(candidates, CORE, core_allowed=False) == {"r": ["t3"]}
    assert offered_questions(candidates, CORE, core_allowed=True) == {"r": ["t2", "t3", "t1"]}
    assert offered_questions(candidates[:1], CORE, core_allowed=False) == {"r": ["t2"]}


def test_surroundings_end_with_the_paragraph():
    assert surroundings(PARAGRAPH, 0, 5) == "Larks were ringed. Frost cut lark weight by 3 g."
    assert surroundings("", 0, 0) == ""


def test_the_server_of_the_tests_answers_the_prompt_too():
    request = next(next(item_dialogues(inputs(), MULTI_HOP_CHOICE)))
    body = {"messages": [{"role": message.role, "content": message.content} for message in request.messages]}
    assert read_reply(answer_from_prompt(body), choosing=True).choice == Choice(1, 1, "contrast")

"""The baselines that ask once, and the one that writes a statement: what they show and read."""

import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.tokens import first_tokens
from aimsciqa_resources.warehouse.errors import WarehouseBrokenError
from aimsciqa_resources.warehouse.paper_texts import PaperText, paper_texts

from aimsciqa_assets.airqa.agent.carrying_out import Carried
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.baselines.reading import abstracts, beginnings, read_answer, read_once, titles
from aimsciqa_assets.airqa.baselines.text2sql import read_statement, text2sql
from aimsciqa_assets.airqa.environment import Observation
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.scripted_model import ScriptedModel
from tests.airqa_store import PAPER, store_at
from tests.dialogues import held

QUESTION = Question("e1", "How many?", "", ("a", "b", "gone"), ())
PAPERS = {
    "a": PaperText("A", "On a.", "one two three four five six"),
    "b": PaperText("B", "", "one two"),
}


def shown_texts(shown):
    return {paper["title"]: paper["text"] for paper in shown["papers"]}


def test_titles_abstracts_and_texts_of_the_papers_that_the_question_names():
    assert shown_texts(titles(QUESTION, PAPERS)) == {"A": "", "B": "", "gone": ""}
    assert shown_texts(abstracts(QUESTION, PAPERS)) == {"A": "On a.", "B": "", "gone": ""}


@pytest.mark.parametrize(
    ("tokens", "first", "second"),
    [
        (100, "one two three four five six", "one two"),
        # What the short papers leave is for the long one.
        (6, "one two three four", "one two"),
        (2, "one", "one"),
        (0, "", ""),
    ],
)
def test_texts_share_the_tokens(tokens, first, second):
    assert shown_texts(beginnings(QUESTION, PAPERS, tokens)) == {"A": first, "B": second, "gone": ""}


def test_a_text_is_cut_between_tokens():
    assert first_tokens("Zinc, iron and lead.", 3) == "Zinc, iron"
    assert first_tokens("Zinc", 100) == "Zinc"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"answer": 3}', 3),
        ('So:\n```json\n{"answer": ["a", null]}\n```', ["a", None]),
        ('{"answer": null}', None),
        ('{"reply": 3}', Fault),
        ("3", Fault),
    ],
)
def test_an_answer_is_any_json_value(reply, answer):
    read = read_answer(reply)
    assert (isinstance(read, Fault) and answer is Fault) or read == (answer,)


def test_a_reply_that_stays_unreadable_is_the_answer_itself():
    shown = titles(QUESTION, PAPERS)
    requests, ended = held(read_once("k", QUESTION, shown, 2, 100), "three", "three, I say")
    assert [request.run for request in requests] == [2, 2]
    assert "That reply cannot be used" in requests[1].messages[-1].text
    assert (ended.status, ended.answer) == ("answered", "three")
    assert [(turn.reply, turn.error) for turn in ended.turns] == [
        ("three", "unparsable"),
        ("three, I say", "unparsable"),
    ]
    _, ended = held(read_once("k", QUESTION, shown, 1, 100), ModelReply("k", None, "not_recorded"))
    assert (ended.status, ended.reason, ended.failure) == ("failed", "not_recorded", "not_recorded")


@pytest.mark.parametrize(
    ("reply", "statement"),
    [
        ("I look.\n```sql\nselect 1\n```", "select 1"),
        ("```\nselect 1\n```\nor better\n```SQL\nselect 2\n```", "select 2"),
        ("WITH a as (select 1) from a", "WITH a as (select 1) from a"),
        ("I do not know.", Fault),
        ("```sql\n\n```", Fault),
    ],
)
def test_the_statement_of_a_reply(reply, statement):
    read = read_statement(reply)
    assert (isinstance(read, Fault) and statement is Fault) or read == statement


class Environment:
    """Fails at whatever it is asked."""

    def carry_out(self, call, anchors):
        return Carried(Observation(f"[Error]: {call.arguments['sql']}", "sql"), 0.5)


def test_a_statement_that_fails_or_is_missing_is_what_the_answer_is_given_from():
    requests, ended = held(
        text2sql("k", QUESTION, Environment(), 1, 100), "```sql\nselect x\n```", '{"answer": 1}'
    )
    assert requests[0].acts
    assert "Result:\n[Error]: select x\n" in requests[1].messages[1].text
    assert [(turn.error, turn.seconds) for turn in ended.turns] == [("sql", 0.5), (None, 0.0)]
    requests, ended = held(text2sql("k", QUESTION, Environment(), 1, 100), "no", "still no", '{"answer": 1}')
    assert "[Error]: There was no statement in the reply." in requests[2].messages[1].text
    assert [turn.error for turn in ended.turns] == ["unparsable", "unparsable", None]
    assert (ended.status, ended.answer) == ("answered", 1)


def test_the_extractive_reader_declines_without_texts():
    requests, _ = held(read_once("k", QUESTION, titles(QUESTION, PAPERS), 1, 100))
    (reply,) = ScriptedModel().replies(requests)
    assert reply.text == '{"answer": "I cannot tell without the papers."}'


def test_papers_of_a_store_are_read_by_their_pages(tmp_path):
    store = store_at(tmp_path / "papers.duckdb")
    read = paper_texts(store, [PAPER, "10000000-0000-0000-0000-000000000000"])
    assert list(read) == [PAPER]
    assert (read[PAPER].title, read[PAPER].abstract) == ("Title one", "abs")
    # The first page of 25 is empty; the others have 100, 200, ... words.
    assert [len(page.split()) for page in read[PAPER].text.split("\n\n")] == [100 * n for n in range(1, 25)]
    assert paper_texts(store, [PAPER], whole=False) == {PAPER: PaperText("Title one", "abs", "")}
    broken = tmp_path / "broken.duckdb"
    broken.write_text("no database")
    with pytest.raises(WarehouseBrokenError, match="Delete it, and start"):
        paper_texts(broken, [PAPER])


def test_a_paper_without_pages_has_its_sections(tmp_path):
    section = {
        "section_id": PAPER,
        "ref_paper_id": PAPER,
        "section_title": "Results",
        "section_content": "Zinc.",
    }
    rows = {"metadata": [{"paper_id": PAPER, "title": "T"}], "sections": [section]}
    read = paper_texts(store_at(tmp_path / "papers.duckdb", rows), [PAPER])
    assert read == {PAPER: PaperText("T", "", "Results\nZinc.")}

import pytest
from aimsciqa_resources.warehouse.store_elements import Material, Piece

from aimsciqa_assets.airqa.extractor.exploring import (
    EXPLORER,
    Evidence,
    Explored,
    evidence_of,
    exact_quote,
    read_explored,
    read_question,
    shown_to_explorer,
    surroundings,
)
from aimsciqa_assets.airqa.extractor.tracking import TRACKER, Tracked, as_answer, of_title, read_tracked
from aimsciqa_assets.asking.faults import Fault

EXPLORED = """I think of the [Question]: first, a draft.

```txt
[Question]: How deep was the pot?
[Answer]: 30 cm
[Evidence]: Pots were
30 cm deep.
```
Done."""


def test_the_last_block_of_an_explorer_is_read():
    assert read_explored(EXPLORED) == Explored("How deep was the pot?", "30 cm", "Pots were\n30 cm deep.")


def test_steps_of_reasoning_are_no_part_of_an_answer():
    reply = EXPLORED.replace("[Evidence]", "[Reasoning Steps]: 1. Find the methods.\n2. Read.\n[Evidence]")
    assert read_explored(reply) == read_explored(EXPLORED)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("Here is a question.", "unreadable_question"),
        ("I'm sorry, I cannot help with that.", "refused"),
        ("```\n[Question]: \n[Answer]: 3\n```", "empty_question"),
        ("```\n[Question]: What?\n[Answer]:\n```", "empty_answer"),
        ("```\n[Question]: What?\n```", "unreadable_question"),
    ],
)
def test_what_is_wrong_with_an_explorers_reply(reply, reason):
    found = read_explored(reply)
    assert isinstance(found, Fault)
    assert found.reason == reason


def test_labels_may_be_bold_and_out_of_a_block():
    assert read_question("So.\n**[Question]:** Which paper?\n") == "Which paper?"
    assert read_explored("[QUESTION]: a?\n[ANSWER]: b") == Explored("a?", "b", "")


TRACKED = """[thought]: a number.
```txt
[question]: How deep was the pot, in centimetres?
[evaluator]:
```json
{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 30}}
```
[answer\\_format]: A whole number.
[answer]: 30
[tag]: objective
```"""
EVALUATOR = {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 30}}


def test_an_evaluator_in_a_block_of_its_own_and_an_escaped_label_are_read():
    question = "How deep was the pot, in centimetres?"
    assert read_tracked(TRACKED) == Tracked(question, 30, "A whole number.", EVALUATOR)


def tracked(evaluator, answer="x"):
    return f"```\n[question]: q?\n[evaluator]: {evaluator}\n[answer_format]: f\n[answer]: {answer}\n```"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("no block", "unreadable_example"),
        ("I cannot do that.", "tracker_refused"),
        ("[question]: q?\n[answer]: x", "unreadable_example"),
        (
            tracked('{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 1}}', ""),
            "tracker_empty_answer",
        ),
        (tracked("eval_int_exact_match"), "unreadable_evaluator"),
        (tracked('{"eval_func": "eval_guess", "eval_kwargs": {"gold": 1}}'), "unknown_evaluator"),
        (tracked('{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": "1"}}'), "faulty_evaluator"),
        (tracked('{"eval_func": "eval_int_exact_match", "eval_kwargs": {}}'), "faulty_evaluator"),
        (tracked('{"eval_func": "eval_int_exact_match", "eval_kwargs": []}'), "faulty_evaluator"),
    ],
)
def test_what_is_wrong_with_a_trackers_reply(reply, reason):
    found = read_tracked(reply)
    assert isinstance(found, Fault)
    assert found.reason == reason


def test_a_judge_is_told_the_question_as_it_is_asked_in_the_end():
    evaluator = (
        '{"eval_func": "eval_reference_answer_with_llm", '
        '"eval_kwargs": {"reference_answer": "x", "question": "the draft?"}}'
    )
    found = read_tracked(tracked(evaluator))
    assert isinstance(found, Tracked)
    assert found.evaluator["eval_kwargs"] == {"reference_answer": "x", "question": "q?"}
    assert found.is_subjective


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("30", 30),
        ('"a"', "a"),
        ("['a', 2.5]", ["a", 2.5]),
        ("('a', True)", ["a", True]),
        ("true", True),
        ("thirty", "thirty"),
        ("NaN", "NaN"),
        ("1e999", "1e999"),
        (r"'$\beta$ it\'s'", r"$\beta$ it's"),
        (r"(r'\alpha', '\\nu')", [r"\alpha", r"\nu"]),
    ],
)
def test_an_answer_is_a_literal_or_a_text(written, read):
    assert as_answer(written) == read


def test_the_example_of_a_title_is_always_the_same():
    found = of_title("Which paper?", "On Zinc")
    assert found.evaluator == {
        "eval_func": "eval_paper_relevance_with_reference_answer",
        "eval_kwargs": {"question": "Which paper?", "reference_answer": "On Zinc"},
    }
    assert found.answer == "On Zinc"


def material(*pieces):
    return Material("p", "On Zinc", "Zinc fell.", "acl2023", pieces)


SECTION = Piece("sections", "s1", "Methods", "Pots were\n30 cm deep. It rained.", 2)


def test_a_quote_is_the_stores_own_text_with_its_place():
    quoted = Evidence("Pots were\n30 cm deep.", "sections", "s1", 2)
    other = Piece("sections", "s0", "Intro", "Nothing.", 1)
    assert evidence_of("sections", material(other, SECTION), '"Pots were 30 cm deep."') == quoted
    assert evidence_of("text", material(SECTION), "Pots were 40 cm deep.") is None
    assert evidence_of("text", material(SECTION), "") is None
    assert exact_quote("it rained.", "It rained.") is None


def test_a_table_and_a_figure_are_their_own_evidence():
    table = Piece("tables", "t1", "Depths", "<table></table>", 3)
    figure = Piece("images", "i1", "Figure 2. Pots", "", None)
    assert evidence_of("table", material(table), "x") == Evidence("<table></table>", "tables", "t1", 3)
    assert evidence_of("image", material(figure), "x") == Evidence("Figure 2. Pots", "images", "i1", None)


def test_the_explorer_sees_the_paper_only_where_the_question_must_find_it():
    shown = shown_to_explorer("text", material(SECTION), 5000, finds=False)
    (system, task) = EXPLORER.request("e", **shown).messages
    assert "On Zinc" not in task.text
    assert "Section: Methods\n```txt\nPots were\n30 cm deep. It rained.\n```" in task.text
    assert "The reader of the question knows which paper it is about" in system.text
    shown = shown_to_explorer("text", material(SECTION), 3, finds=True)
    (system, task) = EXPLORER.request("e", **shown).messages
    assert task.text.startswith("Title of the paper: On Zinc\nAbstract: Zinc fell.")
    assert "```txt\nPots were\n30\n```" in task.text
    assert "The question does not name the paper." in system.text


def test_a_page_is_shown_around_the_place_that_names_the_figure():
    page = "x " * 3000 + "As Fig. 2 shows, pots differ." + " y" * 3000
    around = surroundings(Piece("images", "i1", "Figure 2. Pots", "", 1, page))
    assert "As Fig. 2 shows, pots differ." in around
    assert len(around) <= 3000
    assert surroundings(Piece("equations", "e1", "", "E = mc", 1, "so E = mc holds")) == "so E = mc holds"


def test_the_tracker_is_shown_only_the_functions_that_are_left():
    asked = TRACKER.request("e", question="q?", answer="a", functions=["eval_int_exact_match"])
    system, task = (message.text for message in asked.messages)
    assert "### eval_int_exact_match" in system
    assert "### eval_bool_exact_match" not in system
    assert task == "[question]: q?\n[answer]: a"

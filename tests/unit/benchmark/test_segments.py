"""A long paper is answered from segment by segment, and one of the answers is chosen."""

from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.benchmark.answering.readings import Reading
from aimsciqa_assets.benchmark.answering.segments import segment_dialogues, segments_of
from aimsciqa_assets.text.chunks import context_segments
from tests.dialogues import held

BODY = [f"{'word ' * 200}{n}." for n in (1, 2, 3)]
TEXTS = {"P": "\n\n".join(["Title", *BODY])}
ITEM = {
    "item_id": "q",
    "question": "What is it?",
    "documents": [{"role": "manuscript", "paper_id": "P", "in_hand": True, "gold": False}],
}


def answered(*replies, context=800):
    (dialogue,) = segment_dialogues([Reading("a", ITEM, "segments", given=("P",))], TEXTS, context)
    return held(dialogue, *replies)


def test_lines_that_fit_together_are_one_segment_and_nothing_is_lost():
    text = "One two.\n\nThree.\nFour five six. Seven eight nine."
    segments = context_segments(text, 16, len, reserved=0)
    assert [segment.text for segment in segments] == [
        "One two.",
        "Three.",
        "Four five six.",
        "Seven eight nine.",
    ]
    assert [one.text for one in context_segments(text, 17, len, reserved=0)][:1] == ["One two.\n\nThree."]
    assert [one.text for one in context_segments(text, 100, len, reserved=0)] == [text]


def test_a_segment_stands_under_the_title_of_its_paper():
    assert segments_of(TEXTS, 800) == [("P", f"Title\n\n{part}") for part in BODY]


def test_the_best_of_the_answers_is_chosen_among_those_that_say_something():
    asked, result = answered(
        '{"answer": "One."}', '{"answer": "I cannot tell."}', '{"answer": "Three."}', '{"number": 2}'
    )
    assert [request.task for request in asked] == ["answering"] * 3 + ["answer_selection"]
    assert asked[3].messages[-1].content == "Answer 1: One.\n\nAnswer 2: Three.\n\nQuestion: What is it?"
    assert (result.outcome.value, [step.number for step in result.steps]) == ("Three.", [1, 2, 3, 2])


def test_one_answer_needs_no_choice_and_without_a_reply_there_is_none():
    declined = '{"answer": "I cannot tell."}'
    asked, result = answered(declined, '{"answer": "Two."}', declined)
    assert (len(asked), result.outcome.value) == (3, "Two.")
    asked, result = answered('{"answer": "One."}', ModelReply("a", None, "not_recorded"))
    assert (len(asked), result.outcome.reason) == (2, "not_recorded")
    one = '{"answer": "One."}'
    _, result = answered(one, one, one, '{"number": 4}')
    assert (result.outcome.value, result.outcome.reason) == (None, "no_such_answer")


def test_a_paper_that_fits_is_read_whole():
    for context in (2000, None):
        asked, result = answered('{"answer": "All."}', context=context)
        assert [paper["text"] for paper in asked[0].variables["papers"]] == [TEXTS["P"]]
        assert (result.outcome.value, result.steps) == ("All.", ())


def test_segments_as_printed_and_as_the_authors_code_makes_them_lose_text():
    texts = {"P": "Title\n\nOne two. Three four.\n\nFive six. Seven eight nine ten. Eleven."}
    assert [text.partition("\n\n")[2] for _, text in segments_of(texts, 507, "printed")] == [
        "One two.",
        "Five six.",
        "Seven eight nine ten.",
    ]
    assert [text.partition("\n\n")[2] for _, text in segments_of(texts, 507, "released")] == [
        " One two.",
        "Three four.",
        "Five six.",
    ]


def test_rules_that_leave_nothing_of_a_paper_ask_nothing():
    (dialogue,) = segment_dialogues(
        [Reading("a", ITEM, "segments", given=("P",))], {"P": f"Title\n\n{'word ' * 2000}."}, 800, "released"
    )
    asked, result = held(dialogue)
    assert (len(asked), result.outcome.reason, result.steps) == (0, "no_segments", ())

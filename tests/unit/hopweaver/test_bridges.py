"""The dialogue of a bridge question: what it asks, which rows come of it, and how each failure ends."""

from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.hopweaver.bridges import Bridge, attempt_id, bridge
from aimsciqa_assets.hopweaver.documents import Document, mentions
from aimsciqa_assets.hopweaver.hops import Aids, Rules
from aimsciqa_assets.hopweaver.rows import ATTEMPTS, BRIDGES, CANDIDATES, REPLIES, bridge_rows
from aimsciqa_assets.hopweaver.searching import Found
from aimsciqa_assets.retrieval.diversity import Selected
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings
from tests.dialogues import held

WEIR = Document(
    "d1",
    "Hollin Weir",
    (
        ("d1-1", "Hollin Weir stands at Ostley."),
        ("d1-2", "Ada Reed drew a curved crest in 1823, the first of the county. The mill paid for it."),
    ),
)
SCHOOL = Document(
    "d2",
    "The Lantern School",
    (
        (
            "d2-1",
            "The school opened in 1799. Among its pupils was Ada Reed, who gave a telescope. "
            "The mill gave a crest.",
        ),
    ),
)
OTHER = Document("d3", "Salter's Weir", (("d3-1", "Salter's Weir was built by Bo Lund."),))
DOCUMENTS = {one.document_id: one for one in (WEIR, SCHOOL, OTHER)}
RULES = Rules(top_k=2, tries=3, segment_words=5, failure="paper", shortcuts="document")

SEGMENT = "Ada Reed drew the curved crest of Hollin Weir."
QUOTE = "Ada Reed drew a curved crest in 1823, the first of the county."
SEGMENT_B = "Ada Reed was a pupil and gave a telescope."
QUOTE_B = "Among its pupils was Ada Reed, who gave a telescope."
QUESTION_1 = "Who drew the first curved crest of the county?"
QUESTION_2 = "What did Ada Reed give to her school?"
FUSED = "What did the one who drew the first curved crest of the county give to her school?"
INVALID = "INVALID_BRIDGE_CONNECTION\nanother Reed"


def entity(name="Ada Reed", segment=SEGMENT, quote=QUOTE, query="Ada Reed school instead of weir") -> str:
    quoted = f'("quote"<|>"{name}"<|>"{quote}") ## ' if quote else ""
    return (
        f'("bridge_entity"<|>"{name}"<|>"engineer") ## ("relevant_segments"<|>"{name}"<|>"{segment}") ## '
        f'{quoted}("query"<|>"{name}"<|>"{query}")<|COMPLETE|>'
    )


def hops(
    segment=SEGMENT_B, quote=QUOTE_B, first=QUESTION_1, one="Ada Reed", second=QUESTION_2, two="a telescope"
) -> str:
    return (
        f"ANALYSIS:\nBridge connection: she did both\nDocument A segments: {SEGMENT}\n"
        f"Document B segments: {segment}\nDocument B quote: {quote}\nReasoning path: crest, Reed, gift\n\n"
        f"SUB-QUESTIONS:\nSub-question 1: {first}\nAnswer 1: {one}\nSub-question 2: {second}\nAnswer 2: {two}"
    )


def fusion(question=FUSED, answer="a telescope") -> str:
    return f"MULTI-HOP QUESTION: {question}\nANSWER: {answer}\nREASONING PATH: way\nSOURCES: A, B"


def candidates(*found: str, searched: list | None = None):
    """Candidates as a search would give them; what is searched for is noted."""

    def search(query: str, source: str, segment: str, count: int, holders=()) -> list[Found]:
        if searched is not None:
            searched.append((query, source, segment, count, *holders))
        return [
            Found(Selected(name, 0.9 - place / 10, 0.8, 0.25, 0.5), None, (query,))
            for place, name in enumerate(found)
        ]

    return search


def made(*replies: ModelReply | str, found=("d2",), rules=RULES, source=WEIR) -> Bridge:
    dialogue = bridge(source, candidates(*found), DOCUMENTS, rules)
    _, result = held(dialogue, *replies)
    assert result is not None, "it asks on"
    return result


def test_what_is_asked_step_by_step():
    searched: list = []
    dialogue = bridge(WEIR, candidates("d2", searched=searched), DOCUMENTS, RULES)
    asked, result = held(dialogue, entity(), hops(), fusion())
    assert [request.task for request in asked] == [
        "hopweaver_bridge_entity",
        "hopweaver_bridge_sub_questions",
        "hopweaver_bridge_fusion",
    ]
    assert {request.key for request in asked} == {attempt_id("bridge", "d1")}
    assert asked[0].variables == {
        "title": "Hollin Weir",
        "text": "Hollin Weir stands at Ostley.\n\n" + WEIR.paragraphs[1][1],
    }
    assert searched == [("Ada Reed school instead of weir", "d1", SEGMENT, 2)]
    assert asked[1].variables == {
        "entity": "Ada Reed",
        "type": "engineer",
        "segment": SEGMENT,
        "title": "The Lantern School",
        "text": SCHOOL.paragraphs[0][1],
    }
    assert asked[2].variables["question_2"] == QUESTION_2
    assert asked[2].variables["connection"] == "she did both"
    assert result.reason is None


def test_a_candidate_that_does_not_mention_the_entity_is_passed_over_on_request():
    passing = replace(RULES, unmentioned="passed_over")
    asked, result = held(bridge(WEIR, candidates("d3", "d2"), DOCUMENTS, passing), entity(), hops(), fusion())
    assert [request.task for request in asked].count("hopweaver_bridge_sub_questions") == 1
    assert [(one.outcome, one.reason) for one in result.tried] == [
        ("rejected", "entity_not_mentioned"),
        ("chosen", None),
    ]
    rows = bridge_rows([result], "b1", {})
    assert rows[ATTEMPTS][0]["documents_tried"] == 1
    assert [row["tried"] for row in rows[CANDIDATES]] == [False, True]
    assert Rules.of(HopWeaverSettings(unmentioned="asked")).unmentioned == "asked"
    assert Rules.of(HopWeaverSettings()).unmentioned == "passed_over"
    alone, refused = held(bridge(WEIR, candidates("d3"), DOCUMENTS, passing), entity())
    assert (len(alone), refused.reason) == (1, "entity_not_mentioned")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The Duke of Connaught opened it.", "Prince Arthur, Duke of Connaught", True),
        ("Reed Farm grows oats.", "Ada Reed", True),
        ("Salter's Weir was built by Bo Lund.", "Ada Reed", False),
        ("Anything", "X1", True),
    ],
)
def test_half_of_the_telling_words_are_a_mention(text, name, expected):
    assert mentions(text, name) is expected


def test_a_document_without_a_bridge_says_so():
    result = made("NO_BRIDGE_ENTITY\nit lists places only")
    assert (result.reason, result.entity_reason) == ("no_bridge_entity", "no_bridge_entity")


COMMON_PLACES = tuple(
    f"{which}_common_{part}"
    for which in ("first", "second")
    for part in ("paragraph_id", "start", "end", "evidence")
)


def test_the_rows_of_a_question():
    made_by = {"model": "m", "model_revision": "r", "prompt_version": "p"}
    rows = bridge_rows([made(entity(), INVALID, hops(), fusion(), found=("d3", "d2"))], "b1", made_by)
    (attempt,) = rows[ATTEMPTS]
    attempt_of = attempt_id("bridge", "d1")
    assert attempt == {
        "attempt_id": attempt_of,
        "batch": "b1",
        "kind": "bridge",
        "paper_id": "d1",
        "status": "drafted",
        "rejection_reason": None,
        "documents_tried": 2,
        "second_paper_id": "d2",
        "entity_a": "Ada Reed",
        "entity_b": None,
        "attribute": None,
        "in_common": None,
        "question": FUSED,
        "answer": "a telescope",
        "reasoning_path": "way",
        "question_1": QUESTION_1,
        "answer_1": "Ada Reed",
        "question_2": QUESTION_2,
        "answer_2": "a telescope",
        "first_passage": SEGMENT,
        "first_paragraph_id": "d1-2",
        "first_start": 0,
        "first_end": 62,
        "first_evidence": QUOTE,
        "second_passage": SEGMENT_B,
        "second_paragraph_id": "d2-1",
        "second_start": 27,
        "second_end": 79,
        "second_evidence": QUOTE_B,
        **dict.fromkeys(COMMON_PLACES),
        **made_by,
    }
    (step,) = rows[BRIDGES]
    assert (step["entity"], step["segment_evidence"], step["status"]) == ("Ada Reed", QUOTE, "found")
    assert [
        (row["paper_id"], row["rank"], row["outcome"], row["tried"], row["rejection_reason"], row["question"])
        for row in rows[CANDIDATES]
    ] == [
        ("d3", 1, "rejected", True, "invalid_connection", None),
        ("d2", 2, "chosen", True, None, FUSED),
    ]
    first = rows[CANDIDATES][0]
    assert (first["score"], first["relevance"], first["source_similarity"], first["redundancy"]) == (
        *(0.9, 0.8, 0.25, 0.5),
    )
    assert first["queries"] == ["Ada Reed school instead of weir"]
    assert [(row["position"], row["step"], row["paper_id"], row["reply"]) for row in rows[REPLIES]] == [
        (1, "hopweaver_bridge_entity", None, entity()),
        (2, "hopweaver_bridge_sub_questions", "d3", INVALID),
        (3, "hopweaver_bridge_sub_questions", "d2", hops()),
        (4, "hopweaver_bridge_fusion", "d2", fusion()),
    ]


UNREADABLE = "I cannot."
NO_SUCH_QUOTE = entity(quote="Ada Reed drew a straight crest.")


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([UNREADABLE] * 3, "unreadable_entity"),
        ([entity(name="hollin weir!")] * 3, "entity_is_title"),
        ([entity(segment="Ada Reed.")] * 3, "short_segment"),
        ([entity(query="")] * 3, "no_query"),
        ([entity(segment="")] * 3, "no_segment"),
        ([NO_SUCH_QUOTE] * 2, "inexact_quote"),
        ([UNREADABLE, entity(segment="Ada Reed."), UNREADABLE], "unreadable_entity"),
        ([ModelReply("k", None, "server_error")], "server_error"),
        ([ModelReply("k", None, "too_long")], "too_long"),
    ],
)
def test_a_source_without_an_entity_ends_with_its_reason(replies, reason):
    result = made(*replies)
    (row,) = bridge_rows([result], "b", {})[BRIDGES]
    assert (result.reason, row["rejection_reason"], row["status"]) == (reason, reason, "rejected")
    assert result.failure == (reason if isinstance(replies[0], ModelReply) else None)
    assert bridge_rows([result], "b", {})[CANDIDATES] == []


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([INVALID], "invalid_connection"),
        ([UNREADABLE] * 3, "unreadable_sub_questions"),
        ([hops(one="Reed the engineer")] * 3, "wrong_first_answer"),
        ([hops(second="What did she give?")] * 3, "entity_missing"),
        ([hops(first="What did Ada Reed draw?")] * 3, "entity_in_first_question"),
        ([hops(segment="A telescope.")] * 3, "short_target_segment"),
        ([hops(quote="Ada Reed gave a globe.")] * 2, "inexact_target_quote"),
        ([hops(two="the mill")], "shortcut"),
        ([hops(), "NONE\ntwo of them"], "fusion_declined"),
        ([hops(), UNREADABLE], "unreadable_fusion"),
        ([hops(), fusion(FUSED.replace("the one", "ada reed"))], "entity_in_question"),
        ([hops(), fusion(answer="a globe")], "wrong_fused_answer"),
        ([ModelReply("k", None, "too_long")], "too_long"),
    ],
)
def test_each_failure_with_a_candidate_has_its_reason_and_leads_to_the_next(replies, reason):
    alone = made(entity(), *replies)
    assert (alone.reason, alone.tried[0].outcome, alone.tried[0].reason) == (reason, "rejected", reason)
    assert alone.failure is None
    result = made(entity(), *replies, hops(), fusion(), found=("d2", "d2"))
    assert [one.outcome for one in result.tried] == ["rejected", "chosen"]
    assert (result.tried[0].reason, result.reason) == (reason, None)


def test_a_fact_that_both_documents_have_is_no_hop():
    twin = replace(SCHOOL, paragraphs=(*SCHOOL.paragraphs, ("d2-2", QUOTE)))
    dialogue = bridge(WEIR, candidates("d2"), {**DOCUMENTS, "d2": twin}, RULES)
    assert held(dialogue, entity(), hops())[1].reason == "shared_fact"


def test_in_segments_alone_a_shortcut_is_looked_for_where_the_question_rests():
    by_segment = replace(RULES, shortcuts="segment")
    (tried,) = made(entity(), hops(two="mill"), fusion(answer="Mill."), rules=by_segment).tried
    assert (tried.outcome, tried.reason) == ("chosen", None)
    assert made(entity(), hops(two="the crest"), rules=by_segment).reason == "shortcut"


def test_nothing_found_is_a_reason():
    assert made(entity(), found=()).reason == "no_candidates"


def test_candidates_that_fail_differently_and_those_behind_the_chosen_one():
    result = made(entity(), INVALID, hops(), "NONE", found=("d3", "d2"))
    assert result.reason == "every_document_failed"
    result = made(entity(), hops(), fusion(), found=("d2", "d3"))
    assert [(one.outcome, one.reason) for one in result.tried] == [("chosen", None), ("not_tried", None)]


def test_as_the_authors_code_has_it_a_failure_behind_the_sub_questions_ends_the_attempt():
    code = replace(RULES, failure="code")
    result = made(entity(), hops(), "NONE", found=("d2", "d3"), rules=code)
    assert (result.reason, [one.outcome for one in result.tried]) == (
        "fusion_declined",
        ["rejected", "not_tried"],
    )
    result = made(entity(), INVALID, hops(), fusion(), found=("d3", "d2"), rules=code)
    assert result.reason is None
    result = made(entity(), INVALID, hops(), "NONE", found=("d3", "d2", "d2"), rules=code)
    assert result.reason == "fusion_declined"


def test_a_server_that_fails_ends_the_attempt_and_blames_no_document():
    result = made(entity(), ModelReply("k", None, "server_error"), found=("d2", "d3"))
    assert (result.reason, result.failure) == ("server_error", "server_error")
    assert [one.outcome for one in result.tried] == ["rejected", "not_tried"]


def test_what_is_wrong_goes_back_to_the_model_and_a_good_reply_counts():
    dialogue = bridge(WEIR, candidates("d2"), DOCUMENTS, RULES)
    asked, result = held(dialogue, NO_SUCH_QUOTE, entity(), hops(), fusion())
    assert result.reason is None
    assert (asked[1].purpose, asked[1].messages[-2].text) == ("repair", NO_SUCH_QUOTE)
    assert "does not stand in the document" in asked[1].messages[-1].text
    assert [turn.reason for turn in result.turns] == ["inexact_quote", None, None, None]


def test_a_copied_segment_is_a_quote():
    result = made(entity(segment=QUOTE, quote=""), hops(), fusion())
    assert (result.place.paragraph_id, result.place.text) == ("d1-2", QUOTE)


@pytest.mark.parametrize("tries", [1, 2])
def test_no_more_tries_than_the_settings_allow(tries):
    result = made(*[UNREADABLE] * tries, rules=replace(RULES, tries=tries))
    assert len(result.turns) == tries


def test_part_of_a_name_is_no_mention_where_another_candidate_has_all_of_it():
    farm = Document("d4", "Reed Farm", (("d4-1", "Reed Farm grows oats."),))
    documents = DOCUMENTS | {"d4": farm}
    passing = replace(RULES, unmentioned="passed_over")
    _, result = held(bridge(WEIR, candidates("d4", "d2"), documents, passing), entity(), hops(), fusion())
    assert [one.reason for one in result.tried] == ["entity_not_mentioned", None]
    asked, _ = held(bridge(WEIR, candidates("d4", "d3"), documents, passing), entity())
    assert [request.task for request in asked] == [
        "hopweaver_bridge_entity",
        "hopweaver_bridge_sub_questions",
    ]


def test_an_entity_that_no_candidate_names_goes_back_once_with_names_that_others_hold():
    passing = replace(RULES, unmentioned="passed_over")
    mill = entity(
        "The mill", "The mill at Ostley paid for the curved crest.", "The mill paid for it.", "mill"
    )

    def search(query: str, *_: object) -> list[Found]:
        return candidates("d3" if query == "mill" else "d2")(query, "", "", 2)

    def dialogue(shared):
        return bridge(WEIR, search, DOCUMENTS, passing, Aids(shared))

    asked, result = held(dialogue(lambda _: ["Ada Reed", "Ostley"]), mill, entity(), hops(), fusion())
    assert (result.reason, result.entity.name) == (None, "Ada Reed")
    assert "hold, too: Ada Reed; Ostley. Choose" in asked[1].messages[-1].text
    assert asked[1].messages[-2].text == mill
    assert [turn.reason for turn in result.turns] == ["entity_not_mentioned", None, None, None]
    # Once: who stays with the entity is believed.
    asked, result = held(dialogue(lambda _: ["Ostley"]), mill, mill)
    assert (len(asked), result.reason) == (2, "entity_not_mentioned")
    asked, result = held(dialogue(lambda _: ["Ostley"]), mill, "NO_BRIDGE_ENTITY\nnone fits")
    assert (len(asked), result.reason) == (2, "no_bridge_entity")
    assert len(held(dialogue(lambda _: []), mill)[0]) == len(held(dialogue(None), mill)[0]) == 1


def test_names_that_others_hold_are_offered_with_the_first_request():
    offering = Aids(lambda _: ["Ada Reed", "Ostley"], offered=True)
    asked, _ = held(bridge(WEIR, candidates("d2"), DOCUMENTS, RULES, offering), entity(), hops(), fusion())
    assert asked[0].variables["names"] == ["Ada Reed", "Ostley"]
    assert "the most promising first: Ada Reed; Ostley\n" in asked[0].messages[-1].text
    assert "the names that are listed before the document" in asked[0].messages[0].text
    for none in (Aids(lambda _: [], offered=True), Aids(lambda _: ["Ostley"])):
        (first,), _ = held(bridge(WEIR, candidates("d2"), DOCUMENTS, RULES, none), "NO_BRIDGE_ENTITY\nx")
        assert "names" not in first.variables
        assert "Ostley\n" not in first.messages[-1].text.split("Title:")[0]


def test_holders_of_the_entity_are_given_to_the_search():
    searched: list = []
    aids = Aids(holders=lambda name, source, most: [f"{name} {source} {most}"])
    held(bridge(WEIR, candidates("d2", searched=searched), DOCUMENTS, RULES, aids), entity(), INVALID)
    assert searched == [("Ada Reed school instead of weir", "d1", SEGMENT, 2, "Ada Reed d1 2")]


def test_quotes_that_do_not_name_what_they_speak_of_have_their_reasons():
    said = "The mill paid for it."
    nowhere = Document("d1", "Hollin Weir", (("a", said), ("b", "Ada Reed drew it.")))
    result = made(entity(quote=said), entity(quote=said), source=nowhere)
    assert (result.reason, len(result.turns)) == ("unnamed_entity", 2)
    far = Document(
        "d2", "S", (("a", "The school was old. It had pupils. She gave a telescope."), ("b", "Reed"))
    )

    def tried(*replies):
        return held(bridge(WEIR, candidates("d2"), DOCUMENTS | {"d2": far}, RULES), entity(), *replies)[1]

    wrong = hops(quote="She gave a telescope.")
    assert tried(wrong, wrong).reason == "unnamed_target_entity"
    other = hops(two="a ladder")
    assert made(entity(), other, other).reason == "answer_not_in_quote"


def test_a_quote_is_extended_until_it_names_the_entity():
    school = Document("d2", "The school", (("p", "Ada Reed was a pupil. She gave a telescope."),))
    reply = hops(quote="She gave a telescope.")
    _, result = held(
        bridge(WEIR, candidates("d2"), DOCUMENTS | {"d2": school}, RULES), entity(), reply, fusion()
    )
    assert result.chosen.place.text == "Ada Reed was a pupil. She gave a telescope."


BY_QUOTE = replace(RULES, first_hop="quote")


def test_by_quote_the_prompts_show_the_quotes_word_for_word():
    asked, result = held(bridge(WEIR, candidates("d2"), DOCUMENTS, BY_QUOTE), entity(), hops(), fusion())
    assert result.reason is None
    assert asked[1].variables["quote"] == QUOTE
    assert f"Quote A: {QUOTE}\n" in asked[1].messages[-1].text
    assert (asked[2].variables["quote_a"], asked[2].variables["quote_b"]) == (QUOTE, QUOTE_B)
    assert f"Quote A: {QUOTE}\nQuote B: {QUOTE_B}\n" in asked[2].messages[-1].text
    asked, _ = held(bridge(WEIR, candidates("d2"), DOCUMENTS, RULES), entity(), hops(), fusion())
    assert not {"quote", "quote_a"} & {name for one in asked for name in one.variables}
    assert "Quote A" not in asked[1].messages[-1].text + asked[2].messages[-1].text


def test_the_settings_say_what_the_first_hop_rests_on():
    quoted, segments = Rules.of(HopWeaverSettings()), Rules.of(HopWeaverSettings(first_hop="segment"))
    assert (quoted.by_quote, quoted.reach) == (True, 3)
    assert (segments.by_quote, segments.reach) == (False, 1)


def test_a_first_question_that_says_more_than_its_quote_goes_back():
    more = hops(first="Who drew the first curved crest of Quoyle in 1824?")
    asked, result = held(
        bridge(WEIR, candidates("d2"), DOCUMENTS, BY_QUOTE), entity(), more, hops(), fusion()
    )
    assert result.reason is None
    assert "says Quoyle, 1824, and the quote of document A does not" in asked[2].messages[-1].text
    assert made(entity(), more, more, more, rules=BY_QUOTE).reason == "unquoted_first_question"


def test_a_fused_question_that_says_more_goes_back_once():
    more = fusion(FUSED.replace("of the county", "of Quoyle"))
    asked, result = held(
        bridge(WEIR, candidates("d2"), DOCUMENTS, BY_QUOTE), entity(), hops(), more, fusion()
    )
    assert (result.reason, result.chosen.fusion.question) == (None, FUSED)
    assert "it says Quoyle, and neither quote A" in asked[3].messages[-1].text
    assert made(entity(), hops(), more, more, rules=BY_QUOTE).reason == "question_beyond_evidence"


def test_a_question_that_finds_the_second_document_by_itself_makes_no_item():
    asked: list = []

    def finds(question: str, document: str, source: str, within: int) -> bool:
        asked.append((question, document, source, within))
        return True

    def tried(rules: Rules, *replies: str) -> Bridge:
        return held(bridge(WEIR, candidates("d2"), DOCUMENTS, rules, Aids(finds=finds)), *replies)[1]

    rules = replace(RULES, question_rank=3)
    assert tried(RULES, entity(), hops(), fusion()).reason is None
    assert not asked
    assert tried(rules, entity(), hops(), fusion()).reason == "found_by_question"
    assert [one[1:] for one in asked] == [("d2", "d1", 3)]


def test_a_second_question_that_finds_its_document_without_the_bridge_is_asked_for_anew_once():
    asked: list = []

    def finds(question: str, document: str, source: str, within: int) -> bool:
        asked.append((question, document, source))
        return within == 2 and "school" in question

    def tried(*replies: str) -> Bridge:
        rules = replace(RULES, masked_rank=2)
        dialogue = bridge(WEIR, candidates("d2"), DOCUMENTS, rules, Aids(finds=finds))
        return held(dialogue, entity(), *replies)[1]

    plainer = hops(second="What did Ada Reed give?")
    result = tried(hops(), plainer, fusion())
    assert (result.reason, [turn.reason for turn in result.turns]) == (
        None,
        [None, "found_without_bridge", None, None],
    )
    assert asked == [("What did give to her school?", "d2", "d1"), ("What did give?", "d2", "d1")]
    assert tried(hops(), hops()).reason == "found_without_bridge"

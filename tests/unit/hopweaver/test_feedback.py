"""Simulated feedback: candidates are asked about until one served and one did not, and become groups."""

from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.hops import Rules
from aimsciqa_assets.hopweaver.replies import BridgeEntity
from aimsciqa_assets.hopweaver.reranker.feedback import (
    Feedback,
    Judged,
    Lead,
    feedback,
    feedback_rows,
    groups_of,
    leads,
)
from aimsciqa_assets.retrieval.reranker_training import Group
from tests.dialogues import held

GIFT = "Among its pupils was Ada Reed, who gave a telescope."
SCHOOL = Document("d2", "The Lantern School", (("p2", GIFT),))
WEIR = Document("d3", "Salter's Weir", (("p3", "Salter's Weir was built by Bo Lund."),))
FARM = Document("d4", "Reed Farm", (("p4", "Reed Farm grows oats."),))
DOCUMENTS = {one.document_id: one for one in (SCHOOL, WEIR, FARM)}
ENTITY = BridgeEntity("Ada Reed", "engineer", "Ada Reed drew a crest.", "Reed drew a crest.", "Reed school")
SERVES = (
    "ANALYSIS:\nBridge connection: both\nDocument A segments: a crest\n"
    "Document B segments: Ada Reed was a pupil and gave a telescope.\n"
    f"Document B quote: {GIFT}\nReasoning path: so\n\n"
    "SUB-QUESTIONS:\nSub-question 1: Who drew the crest?\nAnswer 1: Ada Reed\n"
    "Sub-question 2: What did Ada Reed give?\nAnswer 2: a telescope"
)
SERVES_NOT = "INVALID_BRIDGE_CONNECTION\nanother Reed"
RULES = Rules(top_k=2, tries=1, segment_words=5, failure="paper", shortcuts="document")
NO_REPLY = ModelReply("", None, "timeout")


def found(*replies: ModelReply | str, candidates=("d2", "d3", "d4")) -> tuple[int, Feedback]:
    asked, result = held(feedback(Lead("a1", ENTITY, candidates), DOCUMENTS, RULES), *replies)
    assert result is not None, "it asks on"
    return len(asked), result


def test_it_ends_with_a_candidate_that_serves_and_one_that_does_not():
    asked, result = found(SERVES, SERVES_NOT)
    assert asked == 2
    assert result.judged == (
        Judged("d2", "positive", None),
        Judged("d3", "negative", "invalid_connection"),
    )
    assert found(SERVES_NOT, SERVES_NOT, SERVES, candidates=("d3", "d4", "d2"))[0] == 3


def test_a_candidate_without_a_reply_is_neither():
    _, result = found(NO_REPLY, "nonsense", SERVES, candidates=("d3", "d4", "d2"))
    assert [(one.label, one.reason) for one in result.judged] == [
        ("neither", "timeout"),
        ("negative", "unreadable_sub_questions"),
        ("positive", None),
    ]
    assert result.failure == "timeout"
    assert feedback_rows([result], "b1")[0] == {
        "attempt_id": "a1",
        "batch": "b1",
        "query": "Reed school",
        "paper_id": "d3",
        "position": 1,
        "label": "neither",
        "rejection_reason": "timeout",
    }


def test_a_lead_has_its_candidates_in_their_order_and_one_without_any_is_left_out():
    row = {
        "entity": "Ada Reed",
        "entity_type": "engineer",
        "segment": "Ada Reed drew a crest.",
        "segment_evidence": "Reed drew a crest.",
        "query": "Reed school",
    }
    candidates = [{"attempt_id": "a1", "paper_id": "d3"}, {"attempt_id": "a1", "paper_id": "d2"}]
    assert leads([row | {"attempt_id": "a1"}, row | {"attempt_id": "a2"}], candidates) == [
        Lead("a1", ENTITY, ("d3", "d2"))
    ]


def test_groups_have_both_and_what_served_once_is_no_negative():
    def row(query: str, paper: str, label: str) -> dict[str, str]:
        return {"query": query, "paper_id": paper, "label": label}

    rows = [
        *(row("q1", "d2", "positive"), row("q1", "d3", "negative"), row("q1", "gone", "negative")),
        *(row("q2", "d2", "positive"), row("q2", "d3", "neither")),
        *(row("q3", "d4", "negative"), row("q3", "d2", "positive"), row("q3", "d2", "negative")),
    ]
    texts = {"d2": "school", "d3": "weir", "d4": "farm"}
    assert groups_of(rows, texts) == [
        Group("q1", ("school",), ("weir",)),
        Group("q3", ("school",), ("farm",)),
    ]

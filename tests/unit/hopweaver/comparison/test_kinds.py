"""Which kind of thing a document treats, by its opening, and which other documents treat its kin."""

import pytest

from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.kinds import distance, kind_of, with_kin
from aimsciqa_assets.hopweaver.comparison.steps import Rules
from aimsciqa_assets.hopweaver.documents import Document
from tests.dialogues import held
from tests.weirs import DOCUMENTS, HOLLIN, QUERIES, SCORES, SUBJECT, Searching


def opening(title: str, text: str) -> Document:
    return Document(title, title, ((f"{title}-1", text),))


REED = opening("Ada Reed", "Ada Reed (born 1 May 1801) was a Welsh engineer and poet from Ostley.")
LUND = opening("Bo Lund", "Bo Lund is a Norwegian bridge engineer.")
PLAYER = opening("Cy Ash", "Cy Ash was an American professional basketball player, known for dribbling.")
COACH = opening("Di Oak", "Di Oak is an American college basketball coach.")
BATTLE = opening("Battle of Quoyle", "The Battle of Quoyle was a naval battle in 1790.")
PAPER = opening("Weirs in rivers: a survey", "A weir is a barrier that raises water.")


@pytest.mark.parametrize(
    ("document", "heads"),
    [
        (REED, {"engineer", "poet"}),
        (PLAYER, {"player"}),
        (
            opening("Salter's Weir (film)", "Salter's Weir is a 1965 horror film directed by Bo Lund."),
            {"film"},
        ),
        # A sister is no kind, and a paper's first sentence defines something else.
        (opening("Eve Reed", "Eve Reed was a sister of Ada Reed."), set()),
        (PAPER, set()),
        (Document("d", "Nothing", ()), set()),
    ],
)
def test_an_opening_says_what_its_subject_is(document, heads):
    assert kind_of(document).heads == heads


def test_kin_share_a_definition_and_what_is_not_defined_may_be_kin():
    assert distance(REED, LUND) == 0
    assert distance(PLAYER, COACH) == 1
    assert distance(REED, PAPER) == 1
    assert distance(REED, BATTLE) == 2
    # What the model calls the source's subject counts as well.
    assert distance(BATTLE, COACH, "coach") == 0
    assert with_kin([REED, LUND, BATTLE, PAPER]) == {"Ada Reed", "Bo Lund"}


def test_documents_of_the_kind_are_tried_first_and_others_not_at_all():
    weir = opening("Mill Weir", "Mill Weir is a timber weir.")
    documents = DOCUMENTS | {one.document_id: one for one in (BATTLE, PAPER, weir)}
    found = Searching({"stone weir": [BATTLE.document_id, PAPER.document_id, weir.document_id]})
    candidates = {}
    for kin in (True, False):
        dialogue = compare(HOLLIN, found, documents, Rules(tries=1, kin=kin))
        _, made = held(dialogue, SUBJECT, SCORES, QUERIES, *["FAIL\nno pair"] * 3)
        candidates[kin] = [one.found.document_id for one in made.candidates]
    assert candidates[True] == ["Mill Weir", PAPER.document_id]
    assert candidates[False] == [BATTLE.document_id, PAPER.document_id, "Mill Weir"]

"""Twenty planted items with a fault are caught, each by the test meant for it; twenty sound ones pass."""

from collections import Counter

import pytest

from aimsciqa_assets.judging.necessity.rules import Rules, guessing, of_last, with_answer
from tests import planted_items

TEXTS = planted_items.texts()
ITEMS = planted_items.items()
FAULTS = planted_items.faults()
RULES = Rules(lambda _item, paper: TEXTS.get(paper), question_share=0.6, lead=1.2, top_k=10)
NEAREST = planted_items.searched(TEXTS, list(ITEMS.values()))


def verdicts(item):
    rows = [
        RULES.answerability(item),
        RULES.shortcut(item, NEAREST[with_answer(item)]),
        RULES.bridge_masked(item, NEAREST),
        guessing(item, None),
    ]
    return {row["test"]: (row["verdict"], row["detail"]) for row in rows}


def test_there_are_five_of_each_fault_and_twenty_sound_ones():
    assert Counter(FAULTS.values()) == {
        None: 20,
        "answerability": 5,
        "guessing": 5,
        "shortcut": 5,
        "bridge_masked": 5,
    }


@pytest.mark.parametrize("item_id", [item for item, fault in FAULTS.items() if fault])
def test_a_planted_fault_is_caught(item_id):
    found = verdicts(ITEMS[item_id])
    assert found[FAULTS[item_id]][0] == "fail", found


@pytest.mark.parametrize("item_id", [item for item, fault in FAULTS.items() if not fault])
def test_a_sound_item_passes(item_id):
    found = verdicts(ITEMS[item_id])
    assert {test: said for test, said in found.items() if said[0] == "fail"} == {}
    needs_bridge = ITEMS[item_id].variant == "bridge"
    assert found["bridge_masked"][0] == ("pass" if needs_bridge else "not_applicable")


@pytest.mark.parametrize("item_id", sorted(ITEMS))
def test_a_twin_lacks_the_fact(item_id):
    item = ITEMS[item_id]
    twin = RULES.twin(item, NEAREST[of_last(item)])
    assert twin["paper_id"] == item.last.paper_id
    assert twin["twin_paper_id"] not in item.papers
    assert item.hops[-1].answer not in " ".join(TEXTS[twin["twin_paper_id"]].paragraphs)

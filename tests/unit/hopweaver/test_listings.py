"""Documents that only list a name."""

from dataclasses import replace

import pytest

from aimsciqa_assets.hopweaver.bridges import bridge
from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.holders import Holders
from aimsciqa_assets.hopweaver.hops import Rules
from aimsciqa_assets.hopweaver.listings import only_listed
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings
from tests.dialogues import held
from tests.unit.hopweaver.test_bridges import DOCUMENTS, RULES, WEIR, candidates, entity, fusion, hops

FILLER = "Word after word was said of mills. " * 10


def document(text: str, title: str = "A school") -> Document:
    return Document("d9", title, (("p1", FILLER), ("p2", text)))


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Among its pupils were Bo Lund, Ada Reed, and Cy Ash.", True),
        ("Its pupils were Ada Reed, Bo Lund and Cy Ash.", True),
        ("It names Bo Lund, Cy Ash, and Ada Reed of Ostley as pupils.", True),
        ("Bo Lund; Cy Ash; Ada Reed; Di Moss.", True),
        ("Bo Lund, Cy Ash and Ada Reed were pupils.", True),
        ("Ada Reed taught Bo Lund, Cy Ash, and Di Moss.", False),
        ("In 1801 Ada Reed, an engineer, gave it a globe.", False),
        ("Ada Reed, Bo Lund, and Cy Ash came. Ada Reed gave a globe.", False),
        ("Ada Reed gave it a globe, a lamp, and a clock.", False),
        ("Its pupils were Ada Reed of Ostley, Bo Lund, and Cy Ash.", False),
        ("Its pupils were Bo Lund, Ada Reed of Ostley, and Cy Ash.", True),
        ("Its pupils were Bo Lund and Ada Reed.", False),
        ("It had Bo Lund, Cy Ash, and Di Moss.", False),
    ],
)
def test_a_name_in_a_list_of_three(text, listed):
    assert only_listed(document(text), "Ada Reed") is listed


def test_a_list_in_the_opening_or_under_the_name_says_what_the_document_treats():
    text = "Bo Lund, Ada Reed, and Cy Ash were engineers."
    assert only_listed(document(text), "Ada Reed")
    assert not only_listed(document(text, "Ada Reed"), "Ada Reed")
    assert not only_listed(Document("d", "A school", (("p1", text),)), "Ada Reed")


def test_a_document_that_only_lists_the_entity_is_passed_over():
    lists = document("Among its pupils were Bo Lund, Ada Reed, and Cy Ash.")
    documents = DOCUMENTS | {"d9": lists}
    passing = replace(RULES, listed_only="passed_over")
    _, result = held(bridge(WEIR, candidates("d9", "d2"), documents, passing), entity(), hops(), fusion())
    assert [one.reason for one in result.tried] == ["listed_only", None]
    assert [one.was_asked_about for one in result.tried] == [False, True]
    asked, _ = held(bridge(WEIR, candidates("d9", "d2"), documents, RULES), entity())
    assert "Bo Lund, Ada Reed, and Cy Ash" in asked[-1].messages[-1].text
    assert Rules.of(HopWeaverSettings()).listed_only == "passed_over"
    assert Rules.of(HopWeaverSettings(listed_only="asked")).listed_only == "asked"


def test_holders_that_only_list_the_name_come_last():
    texts = {"a": "Bo Lund, Ada Reed, and Cy Ash came.", "b": "Then Ada Reed gave a globe."}
    holders = Holders(
        {name: Document(name, name, (("p", f"{FILLER} {text}"),)) for name, text in texts.items()}
    )
    assert holders.of("Ada Reed", "source", 9) == ["b", "a"]

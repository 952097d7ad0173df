"""What records of the published sets become, and why some become nothing."""

import pytest

from aimsciqa_assets.baseline_sets.published import (
    Hop,
    RejectedRecordError,
    SetItem,
    item_of,
    joined,
    recognised,
)
from tests.published_sets import FELD, ONDA, hotpot, musique, wiki


def supports(item: SetItem) -> list[tuple[str, str]]:
    return [(support.document.title, support.sentence) for support in item.supports]


def test_hotpotqa():
    item = item_of("hotpotqa", hotpot(1))
    assert (item.record_id, item.kind, item.answer) == ("h1", "hotpotqa_bridge", "Tarnhof")
    assert supports(item) == [
        ("Lido Brask", "It was drawn by Ana Feld."),
        ("Ana Feld", "She was born in Tarnhof."),
    ]
    assert [document.title for document in item.documents] == ["Lido Brask", "Ana Feld"]
    assert [(one.title, one.text) for one in item.context][1:3] == [
        ("Ana Feld", "Ana Feld (1801-1870) was an architect. She was born in Tarnhof."),
        ("Quay of Ostrey", "The quay was opened in 1899."),
    ]
    assert item.hops == ()


def test_yes_and_no_are_answers():
    item = item_of("hotpotqa", hotpot(1, "comparison"))
    assert (item.kind, item.answer) == ("hotpotqa_comparison", "no")


def test_sentences_of_a_document_stand_together_and_count_once():
    facts = [["Ana Feld", 1], ["Lido Brask", 2], ["Ana Feld", 0], ["Ana Feld", 1]]
    assert supports(item_of("hotpotqa", hotpot(1, supporting_facts=facts))) == [
        ("Ana Feld", "She was born in Tarnhof."),
        ("Ana Feld", "Ana Feld (1801-1870) was an architect."),
        ("Lido Brask", "It has two towers."),
    ]


def test_triples_of_2wikimultihopqa_are_hops():
    item = item_of("2wiki", wiki(1))
    assert item.kind == "2wiki_bridge"
    assert supports(item) == [
        ("Onda (film)", "Onda is a film by Per Holt."),
        ("Per Holt", "He was born in Vellin."),
    ]
    assert item.hops == (
        Hop(1, "What is the director of Onda?", "Per Holt"),
        Hop(2, "What is the place of birth of Per Holt?", "Vellin", "Per Holt"),
    )


def test_a_triple_belongs_to_the_document_that_its_subject_names():
    triples = [["Salt", "year", "1950"], ["Onda", "year", "1948"]]
    facts = [["Onda (film)", 1], ["Salt (film)", 0]]
    item = item_of("2wiki", wiki(1, "comparison", evidences=triples, supporting_facts=facts))
    assert item.kind == "2wiki_comparison"
    assert item.hops == (
        Hop(1, "What is the year of Onda?", "1948"),
        Hop(2, "What is the year of Salt?", "1950"),
    )
    more = [*triples, ["Salt", "country", "Norreland"]]
    assert item_of("2wiki", wiki(1, "comparison", evidences=more, supporting_facts=facts)).hops == ()


def test_musique():
    item = item_of("musique", musique(7))
    assert (item.record_id, item.kind, item.answer) == ("2hop__7_9", "musique_2hop", "Jon Abel")
    assert supports(item) == [
        ("Tarnhof", "Tarnhof is a town. Its anthem is Grey Water."),
        ("Grey Water", "Grey Water is a song. Jon Abel wrote it."),
    ]
    assert item.hops == (
        Hop(1, "Tarnhof >> anthem", "Grey Water"),
        Hop(2, "Who wrote Grey Water ?", "Jon Abel", "Grey Water"),
    )
    assert len(item.context) == 3


@pytest.mark.parametrize(
    ("set_name", "record", "reason", "detail"),
    [
        ("hotpotqa", hotpot(1, type="riddle"), "other_kind", "riddle"),
        ("2wiki", wiki(1, "bridge_comparison"), "other_kind", "bridge_comparison"),
        ("musique", musique(1, id="3hop1__1_2_3"), "other_kind", "3hop1"),
        ("musique", musique(1, answerable=False), "unanswerable", "the set calls it unanswerable"),
        ("hotpotqa", hotpot(1, answer=" "), "unreadable", "answer is missing"),
        ("hotpotqa", {"question": "Q?"}, "unreadable", "the record has no id"),
        ("hotpotqa", [1], "unreadable", "the record is no object"),
        (
            "hotpotqa",
            hotpot(1, context=None),
            "unreadable",
            "not in the published form: TypeError: 'NoneType' object is not iterable",
        ),
        (
            *("hotpotqa", hotpot(1, supporting_facts=[["Ana Feld", 2], ["Lido Brask", 0]])),
            *("evidence_not_found", "sentence 2 of 'Ana Feld' is not in the context"),
        ),
        (
            *("hotpotqa", hotpot(1, context=[FELD])),
            *("evidence_not_found", "sentence 1 of 'Lido Brask' is not in the context"),
        ),
        (
            *("hotpotqa", hotpot(1, supporting_facts=[["Ana Feld", 0], ["Ana Feld", 1]])),
            *("too_few_documents", "1 supporting documents"),
        ),
    ],
)
def test_what_is_no_item(set_name, record, reason, detail):
    with pytest.raises(RejectedRecordError) as raised:
        item_of(set_name, record)
    assert (raised.value.reason, str(raised.value)) == (reason, detail)


def test_a_set_is_recognised_by_its_keys():
    assert [recognised(one) for one in (hotpot(1), wiki(1), musique(1), {"id": 1}, [])] == [
        *("hotpotqa", "2wiki", "musique"),
        *(None, None),
    ]


def test_sentences_are_joined_as_the_set_writes_them():
    assert joined(["It is in the U.S.", " It is old."]) == "It is in the U.S. It is old."
    assert joined(ONDA[1]) == "Onda is a film by Per Holt. It runs for 90 minutes."
    assert joined(["One\nline.", " Two."]) == "One line. Two."

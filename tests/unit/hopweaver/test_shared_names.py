"""Which names of a document others hold, too."""

import pytest

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.generic_names import is_generic
from aimsciqa_assets.hopweaver.shared_names import SharedNames, leading


def document(name: str, title: str, *texts: str) -> Document:
    return Document(name, title, tuple((f"{name}-{place}", text) for place, text in enumerate(texts)))


WEIR = document(
    "d1",
    "Hollin Weir",
    "Hollin Weir stands at Ostley. However, Ada Reed of the Lantern School drew it for Bo.",
)
SCHOOL = document("d2", "Lantern School", "However, the Lantern School near Ostley taught Ada Reed.")
TOWN = document("d3", "Ostley", "In Ostley lies Hollin Weir. A dam at Ostley fell. The town forgot Cy Lund.")


def test_names_that_others_hold_come_rarest_first_without_those_of_the_title():
    shared = SharedNames({one.document_id: one for one in (WEIR, SCHOOL, TOWN)})
    assert shared.of(WEIR) == ["Ada Reed", "Lantern School", "Ostley"]
    assert shared.of(SCHOOL) == ["Ada Reed", "Ostley"]
    assert shared.of(TOWN) == ["Hollin Weir"]


def test_titles_of_others_come_first_then_names_of_several_words_without_those_of_the_title():
    shared = SharedNames({one.document_id: one for one in (WEIR, SCHOOL, TOWN)})
    assert shared.promising(WEIR) == ["Lantern School", "Ostley", "Ada Reed"]
    assert shared.promising(SCHOOL) == ["Ostley", "Ada Reed"]
    assert shared.promising(TOWN) == ["Hollin Weir"]


def test_generic_names_and_those_that_many_hold_lead_nowhere():
    said = (
        "In May 2015, French scientists of the United States saw Cy Lund, Mardal and BRCA7 by Western blot."
    )
    common = "See Mardal."
    texts = {"a": said, "b": said, **{f"c{number}": common for number in range(5)}}
    documents = {name: document(name, name.upper(), text) for name, text in texts.items()}
    assert SharedNames(documents).promising(documents["a"]) == ["Cy Lund", "BRCA7"]
    named = documents | {"d": document("d", "Mardal (village)", "A place.")}
    assert SharedNames(named).promising(documents["a"]) == ["Mardal", "Cy Lund", "BRCA7"]


@pytest.mark.parametrize(
    ("name", "generic"),
    [
        ("PubMed", True),
        ("Juris Doctor", True),
        ("Master of Arts", True),
        ("Ostley Metropolitan Area", True),
        ("Metropolitan Museum", False),
        ("December 2015", True),
        ("Table S2", True),
        ("S1 Table", True),
        ("ZnSO4", True),
        ("GWAS", True),
        ("IgG", True),
        ("III", True),
        ("ZIKV-positive", True),
        ("Agilent Technologies Inc", True),
        ("Yugu1", False),
        ("SiDWARF2", False),
        ("MutMap", False),
        ("New Brunswick", False),
        ("United States", True),
        ("French Lick", False),
        ("Ada Reed", False),
    ],
)
def test_what_is_generic(name, generic):
    assert is_generic(name) is generic


def test_a_body_is_one_name_and_its_fragments_are_none():
    body = "the Food and Drug Administration"
    technology = "the National Institute of Standards and Technology"
    texts = {
        "a": f"It was {body} and {technology}, says Ada Reed and Bo Lund.",
        "b": f"It saw {body} or {technology}, with Ada Reed and Bo Lund.",
        "c": "A law of the Democratic Republic of the Congo.",
        "d": "In the Democratic Republic of the Congo it rained.",
    }
    shared = SharedNames({name: document(name, name.upper(), text) for name, text in texts.items()})
    found = {name: shared.promising(document(name, name.upper(), text)) for name, text in texts.items()}
    bodies = ["Food and Drug Administration", "National Institute of Standards and Technology"]
    assert sorted(found["b"]) == ["Ada Reed", "Bo Lund", *bodies]
    assert found["c"] == found["d"] == ["Democratic Republic of the Congo"]


def test_two_bodies_that_are_joined_are_two_names_where_each_stands_alone():
    texts = {
        "a": "He left Ostley College and Quoyle School.",
        "b": "She left Ostley College and Quoyle School.",
        "c": "At Ostley College it rained on Quoyle School.",
    }
    shared = SharedNames({name: document(name, name.upper(), text) for name, text in texts.items()})
    assert shared.promising(document("a", "A", texts["a"])) == ["Ostley College", "Quoyle School"]


def test_an_address_that_stands_in_brackets_everywhere_leads_nowhere():
    texts = {
        "a": "It used BRCA7 (Foster Mill, Ada Reed).",
        "b": "It had BRCA7 (Foster Mill). Now Ada Reed came.",
    }
    shared = SharedNames({name: document(name, name.upper(), text) for name, text in texts.items()})
    assert shared.promising(document("a", "A", texts["a"])) == ["BRCA7", "Ada Reed"]


def test_an_accent_in_either_form_is_the_same_name():
    texts = {"a": "He saw \u00c9mile R\u00e9aux.", "b": "She met E\u0301mile Re\u0301aux."}
    documents = {name: document(name, name.upper(), text) for name, text in texts.items()}
    assert SharedNames(documents).promising(documents["b"]) == ["\u00c9mile R\u00e9aux"]


def test_a_document_alone_shares_nothing():
    assert SharedNames({"d1": WEIR}).of(WEIR) == []
    assert SharedNames({}).of(WEIR) == []


def test_the_list_is_short():
    many = " and ".join(f"Mill{chr(97 + one // 26)}{chr(97 + one % 26)} Reed" for one in range(60))
    first, second = document("a", "A", f"See {many}."), document("b", "B", f"Or {many}.")
    shared = SharedNames({"a": first, "b": second})
    assert len(shared.of(first)) == len(shared.promising(first)) == 40


def test_a_long_document_has_to_hold_a_name_twice():
    source = document("a", "A", "We thank Cy Lund and saw Bo Reed.")
    filler = "They grew. " * 600
    other = document("b", "B", f"{filler} They met Cy Lund there. They met Bo Reed, whom Bo Reed knew.")
    shared = SharedNames({"a": source, "b": other})
    assert shared.promising(source) == ["Bo Reed"]
    # The other way round the document is short.
    assert shared.promising(other) == ["Cy Lund", "Bo Reed"]


def test_a_name_that_is_a_title_leads_on_most_likely():
    assert [leading(names, {"ada reed"}) for names in (["Ada Reed", "Bo"], ["Bo"], [])] == [2, 1, 0]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Zhanggu", "the cultivar Zhanggu"),
        ("Maxima", "cv. ‘Maxima’"),
        ("ICMH 1201", "ICMH 1201"),
        ("Kedougou", "near Kedougou, Senegal"),
        # In brackets stand suppliers; a year belongs to a citation; anything else may be a surname.
        (None, "flasks (Corning, Mexico)"),
        (None, "WHO 2009"),
        (None, "Reed"),
    ],
)
def test_cultivars_codes_and_sites_lead_on_as_names_of_several_words_do(name, told):
    source = document("a", "Weirs", f"It was taken from {told} in May.")
    word = name or told.split(" (")[-1].split(",")[0]
    other = document("b", "Dams", f"We looked at {word} once more.")
    shared = SharedNames({"a": source, "b": other})
    assert shared.promising(source) == ([name] if name else [])
    assert shared.promising(other) == ([name] if name else [])


def test_a_code_of_two_words_is_no_name_that_is_returned():
    """The recorded replies of the demo answer requests with the names as they were."""
    documents = {name: document(name, name, "We sowed ICMH 1201 there.") for name in "ab"}
    assert SharedNames(documents).of(documents["a"]) == ["ICMH"]

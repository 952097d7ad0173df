"""Which documents hold a name, and in which order they are tried."""

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.holders import Holders
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings

FILLER = "and so on " * 30
TEXTS = {
    "often": ("A mill", f"{FILLER} Ada Reed. Ada Reed. Ada Reed."),
    "once": ("A dam", f"{FILLER} ADA REED, twice a guest."),
    "opening": ("A school", "It taught Ada Reed."),
    "near": ("Works of Ada Reed", "A list."),
    "own": ("Ada Reed (engineer)", "She drew weirs."),
    "apart": ("Two people", "Reed and Ada are two."),
    "source": ("Hollin Weir", "Ada Reed drew it."),
}
DOCUMENTS = {name: Document(name, title, ((f"{name}-1", text),)) for name, (title, text) in TEXTS.items()}


def test_the_document_of_the_name_itself_comes_first_then_those_that_treat_it_most():
    holders = Holders(DOCUMENTS)
    assert holders.of("Ada Reed", "source", 9) == ["own", "near", "opening", "often", "once"]
    assert holders.of("Ada Reed", "own", 2) == ["near", "opening"]


def test_a_name_is_found_however_its_capitals_and_small_words_are_written():
    texts = {
        "dots": "The U.S. Board of Weirs at Ostley.",
        "none": "The US Board of Weirs of Ostley.",
        "other": "The Board of Weirs at Quoyle.",
    }
    holders = Holders({name: Document(name, name, (("p", text),)) for name, text in texts.items()})
    assert holders.of("US Board of Weirs in Ostley", "source", 9) == ["dots", "none"]
    assert holders.of("U.S.", "source", 9) == ["dots"]


def test_a_name_that_nobody_holds_has_no_holders():
    assert Holders(DOCUMENTS).of("Bo Lund", "source", 5) == []
    assert Holders(DOCUMENTS).of("...", "source", 5) == []
    assert Holders({}).of("Ada Reed", "source", 5) == []


def test_the_former_values_of_shared_names_are_understood():
    said = {
        value: HopWeaverSettings(shared_names=value).shared_names for value in ("true", "False", "offered")
    }
    assert said == {"true": "returned", "False": "off", "offered": "offered"}
    assert HopWeaverSettings().shared_names == "offered"

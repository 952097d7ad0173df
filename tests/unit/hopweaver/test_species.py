"""Species whose genus is shortened, or whose name has subgenus and author."""

import pytest

from aimsciqa_assets.hopweaver.comparison.constraints import tells
from aimsciqa_assets.hopweaver.comparison.names import alike
from aimsciqa_assets.hopweaver.constraints import broken_fusion
from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.evidence import speaks_of
from aimsciqa_assets.hopweaver.species import in_short, names_species

FULL = "Aedes (Stegomyia) aegypti (Linnaeus)"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        (FULL, "Aedes aegypti"),
        ("Aedes aegypti (Linnaeus, 1762)", "Aedes aegypti"),
        ("Aedes aegypti Linnaeus, 1762", "Aedes aegypti"),
        ("Quercus robur L.", "Quercus robur"),
        ("Ae. aegypti", "Ae. aegypti"),
        ("Stratford upon Avon", "Stratford upon Avon"),
        ("Tarn and (Weir)", "Tarn and (Weir)"),
        ("Ada Reed", "Ada Reed"),
    ],
)
def test_a_species_is_genus_and_species(name, short):
    assert in_short(name) == short


@pytest.mark.parametrize(
    ("text", "name", "held"),
    [
        ("Of 31 Ae. aegypti, two lived.", "Aedes aegypti", True),
        ("Of 31 A. aegypti, two lived.", "Aedes aegypti", True),
        ("Of 31 A. aegypti, two lived.", FULL, True),
        ("Of 31 Aedes aegypti, two lived.", FULL, True),
        ("Of 31 Aedes aegypti, two lived.", "Ae. aegypti", True),
        ("Of 31 Cx. aegypti, two lived.", "Aedes aegypti", False),
        ("Of 31 Ae. albopictus, two lived.", "Aedes aegypti", False),
        ("They ate a pie.", "Apple pie", False),
    ],
)
def test_a_shortened_genus_names_its_species(text, name, held):
    assert names_species(text, name) is held


def test_a_quote_with_a_shortened_genus_speaks_of_its_species_and_gives_it_away():
    assert speaks_of("The range of Ae. aegypti grew.", "Aedes aegypti")
    assert not speaks_of("Its range grew.", "Aedes aegypti")
    said = "Where did A. aegypti come from?"
    assert broken_fusion(said, "Africa", "Aedes aegypti", "Africa") == "entity_in_question"


def test_entities_are_the_same_with_a_shortened_genus():
    assert alike("Ae. aegypti", FULL)
    assert alike(FULL, "Aedes aegypti")
    assert not alike("Ae. albopictus", FULL)


def test_a_document_tells_of_a_species_by_its_shortened_name():
    other = Document("d", "Survey", (("p", "Aedes mosquitoes came. A. aegypti reached Ostley in 1931."),))
    assert tells(other, "Aedes aegypti", "It reached Ostley in 1931")
    assert not tells(other, "Culex pipiens", "It reached Ostley in 1931")

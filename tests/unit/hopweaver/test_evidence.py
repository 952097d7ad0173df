"""Evidence that is understood by itself: what a quote names, and how far it is extended."""

import pytest

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.evidence import beyond, holds_answer, naming, speaks_of

QUEEN = Document(
    "d",
    "Ada of Quoyle",
    (
        ("p1", "Ada of Quoyle was a queen. She was the mother of King Bo II. He died in 1712."),
        ("p2", "She liked maths."),
    ),
)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("She married Mr Reed.", "Ada Reed", True),
        ("She married him.", "Ada Reed", False),
        ("A warning of the WHO.", "World Health Organization", True),
        ("The man who warned.", "World Health Organization", False),
        ("31 pools had CHIKV.", "2007 CHIKV outbreak on Yap", True),
        ("Foxtail grows fast.", "green foxtail", True),
        ("It grows fast.", "green foxtail", False),
        ("In Évreux it rained.", "E\u0301vreux", True),
        ("In E\u0301vreux it rained.", "Évreux Weir", True),
    ],
)
def test_a_telling_word_or_the_initials_name_something(text, name, expected):
    assert speaks_of(text, name) is expected


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Short sleep raised blood pressure.", "Can short sleep raise the pressure of blood?", True),
        ("The effect can be seen.", "Can short sleep raise the pressure of blood?", False),
        ("Its pressure rose.", "Can short sleep raise the pressure of blood?", False),
        ("Eels of 17 weirs were counted.", "A survey of weirs and the eels below them", True),
        ("A man counted them.", "A survey of weirs and the eels below them", False),
        ("Eels with scars were seen.", "Scars with a cause: eels at mill wheels", True),
        ("They live with their kin.", "Why trout live with salmon", False),
        ("Twelve boats sank.", "Twelve nights of fasting and the growth of perch", False),
        ("Fish were fasted for 14 days.", "Twelve nights of fasting and the growth of perch", False),
        ("A perch was kept fasting.", "Twelve nights of fasting and the growth of perch", True),
        ("The Rivermouth fleet sailed.", "Fibre intake and blood pressure in the Rivermouth cohort", True),
        ("Fibre was weighed.", "Fibre intake and blood pressure in the Rivermouth cohort", False),
        ("Why? A reader asked.", "Why do eels stop? A mixed study of growth in ponds", False),
        ("Eels stop growing.", "Why do eels stop? A mixed study of growth in ponds", True),
        ("HIV was common.", "HIV among young sailors of three harbours", True),
        ("HbA1c fell.", "Morning walks and HbA1c in type 2 diabetes", True),
        ("There were 2 walks.", "Morning walks and HbA1c in type 2 diabetes", False),
        ("Weirs were built.", "A case of weirs", True),
    ],
)
def test_a_title_in_sentence_case_is_named_by_two_of_its_words_or_a_proper_name(text, title, expected):
    assert speaks_of(text, title) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Ada was crowned.", "Ada of Quoyle", True),
        ("The Bank paid.", "Bank of the Quoyle valley", True),
        ("Green plants grow.", "Green foxtail", True),
        ("Coli were found.", "Escherichia coli", False),
        ("Escherichia was found.", "Escherichia coli", True),
        ("The CHIKV virus spread.", "CHIKV", True),
    ],
)
def test_a_proper_name_or_a_name_of_two_words_is_named_by_one_word(text, name, expected):
    assert speaks_of(text, name) is expected


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("She gave a telescope.", "the telescope", True),
        ("The chromosome number is n = 8.", "n = 8", True),
        ("It rose by 13 percent.", "14 percent", False),
        ("She was his mother.", "Ada of Quoyle", False),
    ],
)
def test_an_answer_is_held_by_its_numbers_and_half_of_its_words(text, answer, expected):
    assert holds_answer(text, answer) is expected


@pytest.mark.parametrize(
    ("quote", "name", "answer", "expected"),
    [
        ("She was the mother of King Bo II.", "Bo II", "", "She was the mother of King Bo II."),
        (
            "She was the mother of King Bo II.",
            "Bo II",
            "Ada of Quoyle",
            "Ada of Quoyle was a queen. She was the mother of King Bo II.",
        ),
        (
            "mother of King Bo II",
            "Bo II",
            "1712",
            "mother of King Bo II. He died in 1712.",
        ),
        ("He died in 1712.", "Ada of Quoyle", "", None),
        ("She liked maths.", "Ada of Quoyle", "", None),
    ],
)
def test_a_quote_takes_a_sentence_beside_it_and_no_more(quote, name, answer, expected):
    place = QUEEN.find(quote)
    found = naming(QUEEN, place, name, answer)
    assert (found and found.text) == expected
    if found:
        assert dict(QUEEN.paragraphs)[found.paragraph_id][found.start : found.end] == expected


def test_names_and_numbers_of_a_question_that_nothing_tells():
    told = ("Ada Reed", "Built in 1823 by Bo Lund.", "weirs")
    assert beyond("Which Weir did Bo Lund's men build in 1823, before Ada Reed?", told) == []
    assert beyond("Which weir did Cy Lund build in 1824?", told) == ["1824"]
    assert beyond("Was it built at Ostley?", told) == ["Ostley"]


MILL = "Hollin Weir is old. It is of stone. Ada Reed planned it in 1819. A flood came. She drew its crest."


@pytest.mark.parametrize(
    ("quote", "reach", "subject", "expected"),
    [
        ("She drew its crest.", 1, "", None),
        ("She drew its crest.", 3, "", "Ada Reed planned it in 1819. A flood came. She drew its crest."),
        ("Ada Reed planned it in 1819.", 3, "", "Ada Reed planned it in 1819."),
        (
            "Ada Reed planned it in 1819.",
            3,
            "Hollin Weir",
            "Hollin Weir is old. It is of stone. Ada Reed planned it in 1819.",
        ),
        ("Ada Reed planned it in 1819.", 3, "Salter's Dam", "Ada Reed planned it in 1819."),
        ("Ada Reed planned", 3, "Hollin Weir", "Ada Reed planned"),
    ],
)
def test_a_quote_may_begin_three_sentences_earlier(quote, reach, subject, expected):
    document = Document("d", "Weir", (("p", MILL),))
    found = naming(document, document.find(quote), "Ada Reed", reach=reach, subject=subject)
    assert (found and found.text) == expected
    if found:
        assert MILL[found.start : found.end] == found.text


def test_an_accent_in_either_form_adds_nothing_to_the_evidence():
    assert beyond("Who left E\u0301vreux?", ["He left Évreux."]) == []
    assert beyond("Who left Évreux?", ["He left E\u0301vreux."]) == []
    assert beyond("Who left E\u0301vreux?", ["He left Ostley."]) == ["Évreux"]

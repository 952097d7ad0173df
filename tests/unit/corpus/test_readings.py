"""What the reading report says of a paper, and what it warns of."""

import pytest

from aimsciqa_assets.corpus.readings import reading_of, warnings_of
from aimsciqa_assets.reading.paper import Paper, Paragraph, Reference, Section

TEXT = "Zinc rose in every cohort of the study, as earlier work had found in two of three countries."
ABSTRACT = Section("Abstract", "abstract", [Paragraph(TEXT)])
ENTRIES = [
    "1. Doe J, Roe R. Zinc in flour. J Cereal Sci. 2019;12(3):45-51.",
    "2. Poe E. Iron in rye. Food Chem. 2018;7:101-9.",
    "[3] Moe M. Bread of barley. Plant Foods, 2017.",
]
APA = [
    "Smith, A., & Roe, B. (2019). Zinc in flour. Journal of Cereal Science, 12(3), 45–51.",
    "Poe, E. (2018). Iron in rye. Food Chemistry, 7, 101–109.",
    "Moe, M. (2017). Bread of barley. Plant Foods, 3(1), 1–9. https://doi.org/10.1/x",
]
HARVARD = [
    "Smith A, Roe B. 2019. Zinc in flour. Journal of Cereal Science 12:45-51.",
    "Poe E. 2018. Iron in rye. Food Chem 7:101-109.",
    "Moe M. 2017. Bread of barley. Plant Foods 3:1-9.",
]
SECTIONS = [
    Section("Methods", "methods", [Paragraph(TEXT)] * 30),
    Section("Results", "results", [Paragraph(TEXT)] * 30),
]


def abstract_of(text: str) -> Section:
    return Section("Abstract", "abstract", [Paragraph(text)])


def sound(**changes) -> Paper:
    parts = {
        "source": "pdf",
        "title": "Zinc in flour of barley and rye",
        "doi": "10.1/a",
        "year": 2019,
        "licence": "CC BY",
        "sections": [ABSTRACT, *SECTIONS],
        "references": [Reference("r1", 0)],
    }
    return Paper(**parts | changes)


def body(*paragraphs: str) -> list[Section]:
    return [ABSTRACT, Section("Results", "results", [Paragraph(text) for text in paragraphs])]


def test_a_sound_paper_has_a_row_without_warnings():
    assert reading_of(sound()) == {
        "source": "pdf",
        "title": "Zinc in flour of barley and rye",
        "abstract": TEXT,
        "sections": 3,
        "paragraphs": 61,
        "references": 1,
        "licence": "CC BY",
        "year": 2019,
        "doi": "10.1/a",
        "warnings": "",
    }


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"title": ""}, "no title"),
        ({"title": "ZINC IN FLOUR OF BARLEY"}, "title in capitals"),
        ({"title": "Zinc in flour of barley and"}, "title may be cut"),
        ({"title": "Zinc in flour: results from the"}, "title may be cut"),
        ({"title": "Zinc in flour of barley (Hordeum"}, "title may be cut"),
        ({"title": "Research article"}, "title may be cut"),
        ({"title": "Zinc in flour of barley [in German"}, "title may be cut"),
        ({"title": "Zinc in flour of barley..."}, "title may be cut"),
        ({"title": "Microsoft Word - draft_v3.docx"}, "title may be cut"),
        ({"title": "J Cereal Sci 2019;12:45-51"}, "title may be cut"),
        ({"title": "Original Research Article"}, "title may be cut"),
        ({"sections": [abstract_of("Ana Ito, Ben Oku, Carla Meyer"), *SECTIONS]}, "abstract may be cut"),
        ({"sections": [abstract_of(f"Keywords: zinc. {TEXT}"), *SECTIONS]}, "abstract may be cut"),
        ({"sections": [abstract_of(f"© 2019 The Authors. {TEXT}"), *SECTIONS]}, "abstract may be cut"),
        ({"sections": body(TEXT)[1:]}, "no abstract"),
        ({"sections": [ABSTRACT]}, "no text besides the abstract"),
        ({"sections": body(*[TEXT] * 60)}, "one section holds nearly all text"),
        ({"sections": body(TEXT, *ENTRIES)}, "references inside sections"),
        ({"sections": body(TEXT, *APA)}, "references inside sections"),
        ({"sections": body(TEXT, *HARVARD)}, "references inside sections"),
        ({"sections": body(TEXT, " ".join(ENTRIES * 4))}, "references inside sections"),
        ({"references": []}, "no references"),
        ({"licence": ""}, "no licence: not releasable"),
        ({"year": None}, "no year"),
        ({"doi": None}, "no DOI"),
    ],
)
def test_what_looks_wrong_is_warned_of(changes, warning):
    assert warnings_of(sound(**changes)) == [warning]


@pytest.mark.parametrize(
    "text",
    [
        "Department of Botany, University of Mainz, Germany. Correspondence: doe@uni.example",
        "1 School of Medicine, Hubei University. 2 Institute of Botany, Wuhan. E-mail: roe@uni.example",
        "Faculty of Science, Institute of Plants, Lagos. Received 3 May 2019, accepted 7 June 2019.",
    ],
)
def test_an_abstract_of_affiliations_is_warned_of(text):
    sections = [Section("", "abstract", [Paragraph(text)]), *sound().sections[1:]]
    assert warnings_of(sound(sections=sections)) == ["abstract looks like affiliations"]


def test_an_abstract_that_names_hospitals_is_none_of_affiliations():
    text = (
        "We asked nurses of two hospitals and a university whether they wear masks. Of 212 who answered, 139 "
        "always did, and those with training wore them more often than those without, on whatever ward."
    )
    assert (
        warnings_of(sound(sections=[Section("", "abstract", [Paragraph(text)]), *sound().sections[1:]])) == []
    )


def test_nothing_is_warned_of_in_documents():
    assert warnings_of(Paper("document", "X", document_id="1")) == []

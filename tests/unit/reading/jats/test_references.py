# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""The bibliography, in each of the elements it is written in."""

import pytest

from tests.jats_snippets import paper_of


def references(back):
    return paper_of(back=f"<ref-list>{back}</ref-list>").references


PERSONS = (
    "<person-group person-group-type='author'><name><surname>Lee</surname><given-names>A</given-names></name>"
    "<name><surname>Ito</surname><given-names>B</given-names></name></person-group>"
)
FIELDS = (
    "<article-title>On <italic>Zea</italic>.</article-title><source>J Test</source><year>2010</year><volume>12</volume>"
    "<issue>3</issue><fpage>34</fpage><lpage>40</lpage><pub-id pub-id-type='doi'>10.1234/AB</pub-id>"
    "<pub-id pub-id-type='pmid'>77</pub-id>"
)


@pytest.mark.parametrize("element", ["element-citation", "nlm-citation", "citation"])
def test_structured_citations(element):
    (found,) = references(f"<ref id='R1'><label>1.</label><{element}>{PERSONS}{FIELDS}</{element}></ref>")
    assert found.text == "Lee A, Ito B (2010). On Zea. J Test 12(3): 34–40."
    assert (found.key, found.position, found.label, found.title) == ("R1", 0, "1", "On Zea")
    assert (found.first_author, found.year, found.journal, found.volume, found.first_page) == (
        "Lee", 2010, "J Test", "12", "34",
    )  # fmt: skip
    assert (found.doi, found.pmid, found.pmcid) == ("10.1234/ab", "77", None)


def test_mixed_citation_keeps_its_own_words():
    (found,) = references(
        "<ref id='R1'><mixed-citation><label>1</label><name><surname>Lee</surname><given-names>A</given-names></name>"
        "<name><surname>Ito</surname><given-names>B</given-names></name> (<year>2010</year>) "
        "<article-title>On Zea</article-title>. <source>J Test</source> <volume>12</volume>:<fpage>34</fpage>."
        "<pub-id pub-id-type='pmid'>77</pub-id></mixed-citation></ref>"
    )
    assert found.text == "Lee A, Ito B (2010) On Zea. J Test 12:34. 77"
    assert (found.label, found.first_author, found.year, found.pmid) == ("1", "Lee", 2010, "77")


def test_bare_text_is_read_with_care():
    (found,) = references(
        "<ref><mixed-citation>Van der Berg A, Ito B. On maize. J Test 2010;12(3):34-40. doi: 10.1234/x(1)2. "
        "PMID: 123 PMCID: PMC4567</mixed-citation></ref>"
    )
    assert found.key == "ref1"
    assert (found.first_author, found.year, found.volume, found.first_page) == (
        "Van der Berg",
        2010,
        "12",
        "34",
    )
    assert (found.doi, found.pmid, found.pmcid) == ("10.1234/x(1)2", "123", "PMC4567")


def test_the_year_of_a_visit_is_not_the_year_of_the_work():
    (found,) = references(
        "<ref><mixed-citation>WHO. Masks. http://who.int/news/2014/a. Accessed 4 May 2016</mixed-citation></ref>"
    )
    assert found.year is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<ext-link xlink:href='https://dx.doi.org/10.1234%2FAb'/>", ("10.1234/ab", None, None)),
        ("<comment>see <ext-link xlink:href='https://doi.org/10.1234/c'>it</ext-link></comment>", ("10.1234/c", None, None)),
        ("<ext-link xlink:href='https://www.ncbi.nlm.nih.gov/pubmed/123'/>", (None, "123", None)),
        ("<uri>https://pubmed.ncbi.nlm.nih.gov/123/</uri>", (None, "123", None)),
        ("<ext-link xlink:href='https://www.ncbi.nlm.nih.gov/pmc/articles/PMC4567/'/>", (None, None, "PMC4567")),
    ],
)  # fmt: skip
def test_ids_in_links(link, expected):
    (found,) = references(f"<ref><element-citation><source>S</source>{link}</element-citation></ref>")
    assert (found.doi, found.pmid, found.pmcid) == expected


def test_books_chapters_and_groups():
    book, chapter = references(
        "<ref><element-citation><collab>WHO</collab><source>Masks</source><year>2020a</year></element-citation></ref>"
        "<ref><element-citation><person-group person-group-type='editor'><name><surname>Ed</surname></name></person-group>"
        "<chapter-title>Soil</chapter-title><source>Millets</source></element-citation></ref>"
    )
    assert (book.title, book.journal, book.first_author, book.year) == ("Masks", "", "WHO", 2020)
    assert (chapter.title, chapter.journal, chapter.first_author) == ("Soil", "Millets", "Ed")


@pytest.mark.parametrize(
    "people",
    [
        "<person-group person-group-type='editor'><name><surname>Ed</surname></name></person-group>"
        "<person-group person-group-type='author'><name><surname>Oku</surname></name></person-group>",
        "<collab>Oku</collab><person-group person-group-type='editor'><name><surname>Ed</surname></name></person-group>",
        "<string-name>Oku A</string-name>",
        "<string-name>A. Oku, R. E. Abe</string-name>",
        "<string-name><given-names>A.</given-names> <surname>Oku</surname></string-name>",
    ],
)
def test_the_first_author_of_a_reference(people):
    (found,) = references(f"<ref><mixed-citation>{people}. <source>Millets</source></mixed-citation></ref>")
    assert found.first_author == "Oku"


def test_alternatives_nested_lists_and_notes():
    found = references(
        "<ref id='a'><citation-alternatives><mixed-citation>Mixed.</mixed-citation>"
        "<element-citation><article-title>Structured</article-title></element-citation></citation-alternatives></ref>"
        "<ref-list><ref id='b'><note><p>Note only, 2001.</p></note></ref></ref-list><ref id='a'><citation>Again.</citation></ref>"
    )
    assert [(r.key, r.position, r.text) for r in found] == [
        ("a", 0, "Structured."),
        ("b", 1, "Note only, 2001."),
        ("a#2", 2, "Again."),
    ]


def test_ref_lists_outside_the_back_matter():
    paper = paper_of(
        "<sec><p>A.</p><ref-list><ref id='x'><citation>X.</citation></ref></ref-list></sec>", back=""
    )
    assert [r.key for r in paper.references] == ["x"]
    assert [p.text for p in paper.sections[0].paragraphs] == ["A."]

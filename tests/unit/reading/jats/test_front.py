# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Metadata: ids, title, dates, author, licence, retraction, keywords."""

import pytest

from aimsciqa_assets.reading.licences import licence_name
from tests.jats_snippets import paper_of

TITLE = "<title-group><article-title>T</article-title></title-group>"
CC = "http://creativecommons.org/licenses/"


def paper(meta, **parts):
    return paper_of(meta=TITLE + meta, **parts)


def ids(*pairs):
    return "".join(f'<article-id pub-id-type="{kind}">{text}</article-id>' for kind, text in pairs)


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        (ids(("pmc", "123456"), ("pmid", "99."), ("doi", "https://doi.org/10.1234/AbC")), ("PMC123456", "99", "10.1234/abc")),
        (ids(("pmcid", "PMC123456"), ("doi", "doi: 10.1234/x.")), ("PMC123456", None, "10.1234/x")),
        (ids(("pmcid", "123456"), ("pmcid-ver", "PMC123456.2")), ("PMC123456", None, None)),
        (ids(("pmcaid", "777"), ("publisher-id", "10.9/1")), (None, None, None)),
    ],
)  # fmt: skip
def test_ids(meta, expected):
    found = paper(meta)
    assert (found.pmcid, found.pmid, found.doi) == expected


@pytest.mark.parametrize(
    ("group", "title"),
    [
        (
            "<article-title>On <italic>Zea</italic><xref ref-type='fn' rid='f'>*</xref></article-title>",
            "On Zea",
        ),
        ("<article-title>Maize</article-title><subtitle>a review</subtitle>", "Maize: a review"),
        ("<article-title>Why maize?</article-title><subtitle>A review</subtitle>", "Why maize? A review"),
        ("<article-title>Maize †</article-title><alt-title>Run</alt-title>", "Maize"),
        ("<article-title/><alt-title>Maize</alt-title>", "Maize"),
    ],
)
def test_title(group, title):
    assert paper_of(meta=f"<title-group>{group}</title-group>").title == title


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (
            "<pub-date pub-type='collection'><year>2017</year></pub-date>"
            "<pub-date pub-type='epub'><day>5</day><month>3</month><year>2017</year></pub-date>",
            (2017, "2017-03-05"),
        ),
        (
            "<pub-date pub-type='epub'><month>1</month><year>2018</year></pub-date>"
            "<pub-date pub-type='ppub'><month>Dec</month><year>2017</year></pub-date>"
            "<pub-date pub-type='pmc-release'><year>2016</year></pub-date>"
            "<history><date date-type='received'><year>2015</year></date></history>",
            (2017, "2017-12"),
        ),
        ("<pub-date date-type='pub' iso-8601-date='2020-02-30x'><year>2020</year><month>99</month></pub-date>", (2020, "2020")),
        ("<pub-date pub-type='pmc-release'><year>2016</year></pub-date>", (2016, "2016")),
        ("<pub-date><string-date>Spring 2011</string-date></pub-date>", (2011, "2011")),
        ("<pub-date><year>n.d.</year></pub-date>", (None, "")),
    ],
)  # fmt: skip
def test_publication_date(dates, expected):
    found = paper(dates)
    assert (found.year, found.published) == expected


@pytest.mark.parametrize(
    ("contributors", "surname"),
    [
        ("<contrib contrib-type='editor'><name><surname>Ed</surname></name></contrib>"
         "<contrib contrib-type='author'><name><surname>Lee</surname></name></contrib>", "Lee"),
        ("<contrib><collab>The Group<contrib-group><contrib><name><surname>In</surname></name></contrib>"
         "</contrib-group></collab></contrib>", "The Group"),
        ("<contrib><name-alternatives><name><surname>Ito</surname></name><name><surname>伊藤</surname></name>"
         "</name-alternatives></contrib>", "Ito"),
    ],
)  # fmt: skip
def test_first_author(contributors, surname):
    assert paper(f"<contrib-group>{contributors}</contrib-group>").first_author == surname


def test_journal_volume_page_type_language():
    found = paper(
        "<volume>7</volume><elocation-id>e12</elocation-id>",
        journal="<journal-id journal-id-type='nlm-ta'>J T</journal-id><journal-title-group><journal-title>Journal of Tests</journal-title></journal-title-group>",
        attributes=' article-type="review-article" xml:lang="en-GB"',
    )
    assert (found.journal, found.volume, found.first_page) == ("Journal of Tests", "7", "e12")
    assert (found.article_type, found.language) == ("review-article", "en")


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        (f"<license xlink:href='{CC}by/4.0/'/>", ("CC BY", f"{CC}by/4.0/")),
        (f"<license><ali:license_ref xmlns:ali='http://www.niso.org/schemas/ali/1.0/'>{CC}by-nc/4.0/</ali:license_ref></license>", ("CC BY-NC", f"{CC}by-nc/4.0/")),
        (f"<license><license-p>See <ext-link xlink:href='{CC}by-nc-nd/3.0'>it</ext-link></license-p></license>", ("CC BY-NC-ND", f"{CC}by-nc-nd/3.0")),
        ("<license license-type='creativeCommonsBy'><license-p>x</license-p></license>", ("CC BY", "")),
        ("<license><license-p>Creative Commons Attribution Non-Commercial License, for any use</license-p></license>", ("CC BY-NC", "")),
        ("<license xlink:href='http://x.org/terms'/><license xlink:href='https://creativecommons.org/publicdomain/zero/1.0/'/>",
         ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/")),
        ("<copyright-statement>Under the Creative Commons Attribution License, which permits commercial use</copyright-statement>", ("CC BY", "")),
        ("<license xlink:href='http://x.org/terms'/>", ("", "http://x.org/terms")),
        ("<copyright-statement>All rights reserved</copyright-statement>", ("", "")),
    ],
)  # fmt: skip
def test_licence(permissions, expected):
    found = paper(f"<permissions>{permissions}</permissions>")
    assert (found.licence, found.licence_url) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CC BY-NC-SA 4.0", "CC BY-NC-SA"),
        ("cc-by", "CC BY"),
        ("Creative Commons Attribution-NoDerivs", "CC BY-ND"),
        ("This work is in the public domain", "public domain"),
        ("Creative Commons CC0 public domain dedication", "CC0"),
        ("open-access", ""),
    ],
)
def test_licence_names(text, name):
    assert licence_name(text) == name


@pytest.mark.parametrize(
    ("title", "related", "kind", "retracted"),
    [
        ("Maize", "", "research-article", False),
        ("RETRACTED: Maize", "", "research-article", True),
        ("Retracted Article: Maize", "", "research-article", True),
        ("Retracted papers in maize research", "", "research-article", False),
        ("Maize", "retraction-forward", "research-article", True),
        ("Notice", "retracted-article", "correction", False),
        ("Notice", "retracted-article", "retraction", True),
        ("Maize", "companion", "research-article", False),
    ],
)
def test_retraction(title, related, kind, retracted):
    link = f"<related-article related-article-type='{related}'/>" if related else ""
    meta = f"<title-group><article-title>{title}</article-title></title-group>{link}"
    assert paper_of(meta=meta, attributes=f' article-type="{kind}"').retracted is retracted


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ("<kwd-group><kwd>Zika</kwd><kwd><italic>Aedes</italic> bites</kwd><kwd>zika</kwd></kwd-group>", ["Zika", "Aedes bites"]),
        ("<kwd-group><kwd>one; two;three.</kwd></kwd-group>", ["one", "two", "three"]),
        ("<kwd-group><kwd>one, two</kwd></kwd-group>", ["one", "two"]),
        ("<kwd-group><kwd>one, two</kwd><kwd>three</kwd></kwd-group>", ["one, two", "three"]),
        ("<kwd-group kwd-group-type='abbreviations'><kwd>RCT</kwd></kwd-group><kwd-group><kwd>one</kwd></kwd-group>", ["one"]),
        ("<kwd-group xml:lang='es'><kwd>uno</kwd></kwd-group><kwd-group xml:lang='en'><kwd>one</kwd></kwd-group>", ["one"]),
        ("<kwd-group><compound-kwd><compound-kwd-part content-type='code'>A1</compound-kwd-part>"
         "<compound-kwd-part>one</compound-kwd-part></compound-kwd></kwd-group>", ["one"]),
        ("<kwd-group><nested-kwd><kwd>one</kwd><nested-kwd><kwd>two</kwd></nested-kwd></nested-kwd></kwd-group>", ["one", "two"]),
    ],
)  # fmt: skip
def test_author_keywords(meta, expected):
    found = paper(meta, attributes=' xml:lang="en"')
    assert [k.text for k in found.keywords] == expected
    assert {k.origin for k in found.keywords} == {"author"}


def test_subjects_stand_in_for_keywords_and_extraction_for_both():
    categories = (
        "<article-categories><subj-group subj-group-type='heading'><subject>Research Article</subject></subj-group>"
        "<subj-group><subject>Plant Science</subject><subj-group><subject>Original Research</subject></subj-group>"
        "</subj-group></article-categories>"
    )
    assert [(k.text, k.origin) for k in paper(categories).keywords] == [("Plant Science", "subject")]
    extracted = paper_of(
        meta="<title-group><article-title>Drought tolerance of pearl millet</article-title></title-group>"
        "<abstract><p>Pearl millet endures drought. Drought tolerance differs among pearl millet lines.</p></abstract>"
    ).keywords
    assert {k.origin for k in extracted} == {"extracted"}
    assert {"pearl millet", "Drought tolerance"} <= {k.text for k in extracted}

# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Metadata: ids, title, dates, author, licence, retraction, keywords."""

from pathlib import Path

import pytest

from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.licences import granted_licence, licence_name
from tests.jats_snippets import paper_of

TITLE = "<title-group><article-title>T</article-title></title-group>"
CC = "http://creativecommons.org/licenses/"
CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
FAULTS = Path(__file__).parents[5] / "shared" / "faults" / "jats"


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
        ("<contrib><string-name><given-names>Ana</given-names> <surname>Oku</surname></string-name></contrib>", "Oku"),
        ("<contrib><name-alternatives><name xml:lang='zh'><surname>王</surname></name>"
         "<string-name xml:lang='en'>Li <surname>Wang</surname></string-name></name-alternatives></contrib>", "Wang"),
        ("<contrib><name xml:lang='ru'><surname>Иванов</surname></name><name><surname>Ivanov</surname></name></contrib>", "Ivanov"),
        ("<contrib><collab-alternatives><collab xml:lang='ja'>研究会</collab><collab xml:lang='en'>The Zinc Group</collab>"
         "</collab-alternatives></contrib>", "The Zinc Group"),
        ("<contrib><string-name>Ana van der Oku</string-name></contrib>", "van der Oku"),
        ("<contrib><string-name>Oku, Ana</string-name></contrib>", "Oku"),
        ("<contrib><string-name>OKU A.B.</string-name></contrib>", "OKU"),
        ("<contrib><name><surname>Oku<xref ref-type='aff' rid='a'><sup>1</sup></xref></surname></name></contrib>", "Oku"),
        ("<contrib><name><surname/><given-names>Sukarno</given-names></name></contrib><contrib><name><surname>Ito</surname></name></contrib>", "Sukarno"),
        ("<contrib><name-alternatives><collab>锌组</collab><collab>Zinc Group</collab></name-alternatives></contrib>", "Zinc Group"),
        ("<contrib><name-alternatives><string-name>Иван Иванов</string-name><string-name>Ivan Ivanov</string-name></name-alternatives></contrib>", "Ivanov"),
        ("<contrib><name><given-names>Sukarno</given-names></name></contrib>", "Sukarno"),
        ("<contrib><name-alternatives><name><surname>Ito</surname></name><name><surname>伊藤</surname></name>"
         "</name-alternatives></contrib>", "Ito"),
    ],
)  # fmt: skip
def test_first_author(contributors, surname):
    assert paper(f"<contrib-group>{contributors}</contrib-group>").first_author == surname


@pytest.mark.parametrize(
    ("language", "surname"), [("zh", "王"), ("zh-CN", "王"), ("pt", "Wang"), ("vi", "Vuong"), ("", "Wang")]
)
def test_names_are_read_in_the_language_of_the_article(language, surname):
    names = (
        "<name xml:lang='en'><surname>Wang</surname></name><name xml:lang='zh'><surname>王</surname></name>"
        "<name xml:lang='vi'><surname>Vuong</surname></name>"
    )
    alternatives = f"<name-alternatives>{names}</name-alternatives>"
    found = paper(
        f"<contrib-group><contrib>{alternatives}</contrib></contrib-group>",
        attributes=f' xml:lang="{language}"',
        back=f"<ref-list><ref id='r'><element-citation>{alternatives}<year>2019</year></element-citation></ref></ref-list>",
    )
    assert (found.first_author, found.references[0].first_author) == (surname, surname)
    assert found.references[0].text == f"{surname} (2019)."


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
        (f"<license><license-p>This article is under the terms of the <ext-link xlink:href='{CC}by/4.0/'>CC BY</ext-link>."
         f"</license-p><license-p>Data are <ext-link xlink:href='{CC0}'>CC0</ext-link>.</license-p></license>", ("CC BY", f"{CC}by/4.0/")),
        (f"<license><license-p>The waiver (<ext-link xlink:href='{CC0}'>CC0</ext-link>) applies to the data.</license-p></license>", ("", "")),
        (f"<license><license-p>All rights reserved. Data: <uri xlink:href='{CC0}'/></license-p></license>", ("", "")),
        (f"<license xlink:href='{CC}by-nc/4.0/'><license-p>Figure 1 is under CC BY 4.0.</license-p></license>", ("CC BY-NC", f"{CC}by-nc/4.0/")),
        (f"<license license-type='cc-by'/><license xlink:href='{CC}by-nd/4.0/'/>", ("CC BY-ND", f"{CC}by-nd/4.0/")),
        ("<license license-type='creativeCommonsBy-nc-nd'><license-p>x</license-p></license>", ("CC BY-NC-ND", "")),
        (f"<license specific-use='data' xlink:href='{CC0}'/>", ("", "")),
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
        ("CCBYNCND", "CC BY-NC-ND"),
        ("Creative Commons Attribution Non‐Commercial License", "CC BY-NC"),
        ("Creative Commons Attribution-NoDerivs", "CC BY-ND"),
        ("This work is in the public domain", "public domain"),
        ("Creative Commons CC0 public domain dedication", "CC0"),
        ("open-access", ""),
    ],
)
def test_licence_names(text, name):
    assert licence_name(text) == name


@pytest.mark.parametrize(
    ("prose", "name"),
    [
        ("CC BY-NC 4.0", "CC BY-NC"),
        ("© 2019 Ito et al. CC BY 4.0", "CC BY"),
        ("Except where otherwise noted, this article is licensed under CC BY 4.0.", "CC BY"),
        ("With the exception of Figure 1, this work is distributed under CC BY-NC 4.0.", "CC BY-NC"),
        ("This article and its supplementary data are licensed under CC BY 4.0.", "CC BY"),
        ("Figure 1 is from Ito 2019 (CC BY 4.0). This article is licensed under CC BY-NC 4.0.", "CC BY-NC"),
        ("The data are CC0, the article is licensed under CC BY 4.0.", "CC BY"),
        ("This article is licensed under CC BY-NC, figures under https://creativecommons.org/licenses/by/4.0/.", "CC BY-NC"),
        ("This is an open access article. It is distributed under CC BY 4.0.", "CC BY"),
        ("This work is not subject to copyright and is in the public domain.", "public domain"),
        ("This review is licensed under CC BY 4.0 and not under CC0.", "CC BY"),
        ("This article will be available under a Creative Commons License (Attribution-Noncommercial-Share Alike 3.0).", "CC BY-NC-SA"),
        ("This article is licensed under CC BY-NC 4.0. Material from it may be used under CC BY.", "CC BY-NC"),
        ("Este é um artigo publicado sob a licença Creative Commons Atribuição-NãoComercial.", "CC BY-NC"),
        ("Este artículo se distribuye bajo licencia Creative Commons Reconocimiento-NoComercial-CompartirIgual.", "CC BY-NC-SA"),
        ("Dieser Artikel wird unter der Creative Commons Namensnennung 4.0 International Lizenz veröffentlicht.", "CC BY"),
        ("Article publié sous licence Creative Commons Attribution - Pas d’Utilisation Commerciale 4.0.", "CC BY-NC"),
        ("Cet article n’est pas sous licence CC BY 4.0.", ""),
        ("Este artigo não está licenciado sob CC BY.", ""),
        ("Los datos de este artículo están bajo licencia CC0.", ""),
        ("Die Abbildung 2 steht unter CC BY 4.0. Alle Rechte vorbehalten.", ""),
        ("The code is released under CC BY 4.0 and the article is copyrighted by the publisher.", ""),
        ("Photo credit: Wikimedia, CC BY-SA 2.0.", ""),
        ("Authors who publish under a Creative Commons Attribution licence pay a fee.", ""),
        ("CC BY articles are marked in the table of contents.", ""),
        ("The article’s data are available under CC0.", ""),
        ("This article is available under a publisher’s licence, not a Creative Commons Attribution licence.", ""),
        ("This article isn't available under CC BY 4.0.", ""),
        ("No part of this article is licensed under CC BY.", ""),
        ("This article is published without a Creative Commons Attribution licence.", ""),
        ("The Creative Commons Attribution licence does not apply to this article.", ""),
        ("A Creative Commons licence (CC BY 4.0, https://creativecommons.org/licenses/by/4.0/) has not been granted.", ""),
        ("In this article, Figure 1 is licensed under CC BY 4.0.", ""),
        ("The data in this article are available under CC0.", ""),
        ("This article contains images licensed under CC BY 4.0.", ""),
        ("Table 2 is adapted from Abe (2018), CC BY 4.0.", ""),
        ("Supplementary material is licensed under CC BY-NC 4.0.", ""),
        ("Figure 1 is reproduced from Ito 2019. Licensed under CC BY 4.0.", ""),
        ("All rights reserved, except for Figure 2, which is licensed under CC BY 4.0.", ""),
        ("Ito et al. (2019) is licensed under CC BY 4.0.", ""),
        ("The original article was published under CC BY 4.0.", ""),
        ("The author has applied a CC BY licence to any Author Accepted Manuscript version.", ""),
    ],
)  # fmt: skip
def test_a_licence_is_granted_to_the_article_not_mentioned(prose, name):
    assert granted_licence(prose) == name


@pytest.mark.skipif(not FAULTS.is_dir(), reason="needs the inputs in ../shared/faults")
@pytest.mark.parametrize(
    ("file", "licence", "retraction"),
    [("06a-licence", "", None), ("06b-licence", "", None), ("14a-retraction", "CC BY", "retracted")],
)
def test_licence_and_retraction_of_what_was_read_wrong(file, licence, retraction):
    found = parse_jats((FAULTS / f"{file}.xml").read_bytes())
    assert (found.licence, found.retraction) == (licence, retraction)


@pytest.mark.parametrize(
    ("title", "related", "kind", "retraction"),
    [
        ("Maize", "", "research-article", None),
        ("RETRACTED: Maize", "", "research-article", "retracted"),
        ("Retraction: Maize", "", "research-article", "retracted"),
        ("Notice of retraction", "", "other", "retracted"),
        ("Retraction Note to: Maize", "", "correction", "retracted"),
        ("Retraction for Ito et al., Maize", "", "other", "retracted"),
        ("Maize in bread [Retracted]", "", "research-article", "retracted"),
        ("Maize", "retraction-forward", "research-article", "retracted"),
        ("Notice", "retracted-article", "correction", "retracted"),
        ("Maize", "", "partial-retraction", "retracted"),
        ("WITHDRAWN: Maize", "", "research-article", "withdrawn"),
        ("Notice of withdrawal: Maize", "", "retraction", "withdrawn"),
        ("Maize", "removed-article", "correction", "withdrawn"),
        ("Editorial Expression of Concern: Maize", "", "editorial", "expression_of_concern"),
        ("Notice", "object-of-concern", "correction", "expression_of_concern"),
        ("Maize", "", "expression-of-concern", "expression_of_concern"),
        ("Expression of concern: Maize", "retraction-forward", "other", "retracted"),
        ("Publisher’s Note: Expression of Concern: Maize", "", "editorial", "expression_of_concern"),
        ("Retraction and replacement of: Maize", "", "other", "retracted"),
        ("Maize in bread [Retraction]", "", "research-article", "retracted"),
        ("Maize in bread. RETRACTED", "", "research-article", "retracted"),
        ("Nota de retractación: Maíz", "", "other", "retracted"),
        ("Artigo retratado: Milho", "", "other", "retracted"),
        ("Rétractation : Maïs", "", "other", "retracted"),
        ("Expresión de preocupación: Maíz", "", "other", "expression_of_concern"),
        ("Muscle retraction (in frogs)", "", "research-article", None),
        ("Drug withdrawal: a retrospective study", "", "research-article", None),
        ("Retraction pockets of the ear", "", "research-article", None),
        ("Correction: Maize", "corrected-article", "correction", None),
        ("Retracted papers in maize research", "", "research-article", None),
        ("Retraction of the uvula in infants", "", "research-article", None),
        ("Upper eyelid retraction: causes", "", "research-article", None),
        ("Withdrawal symptoms of caffeine", "", "research-article", None),
        ("Removal of zinc from water", "", "research-article", None),
        ("Expressions of concern about vaccines", "", "research-article", None),
        ("Maize", "companion", "research-article", None),
    ],
)
def test_retraction(title, related, kind, retraction):
    link = f"<related-article related-article-type='{related}'/>" if related else ""
    meta = f"<title-group><article-title>{title}</article-title></title-group>{link}"
    assert paper_of(meta=meta, attributes=f' article-type="{kind}"').retraction == retraction


@pytest.mark.parametrize(
    ("meta", "retraction"),
    [
        ("<pub-history><event event-type='retraction'/></pub-history>", "retracted"),
        ("<history><date date-type='withdrawn'><year>2020</year></date></history>", "withdrawn"),
        ("<article-categories><subj-group subj-group-type='heading'><subject>Expression of Concern</subject>"
         "</subj-group></article-categories>", "expression_of_concern"),
        ("<article-categories><subj-group><subject>Retraction Notice</subject></subj-group></article-categories>", "retracted"),
        ("<article-categories><subj-group><subject>Alcohol withdrawal</subject></subj-group></article-categories>", None),
        ("<article-categories><subj-group><subject>Withdrawal</subject></subj-group></article-categories>", None),
    ],
)  # fmt: skip
def test_retraction_in_history_and_heading(meta, retraction):
    assert paper(meta).retraction == retraction


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

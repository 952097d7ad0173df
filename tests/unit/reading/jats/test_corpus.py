# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""The reader on real papers; skipped where they are not at hand."""

from pathlib import Path

import pytest

from aimsciqa_assets.reading.paper import Paper
from aimsciqa_assets.reading.reader import read_paper

CORPORA = Path(__file__).parents[5] / "shared" / "corpora"
pytestmark = pytest.mark.skipif(
    not CORPORA.is_dir(), reason="needs the development corpora in ../shared/corpora"
)


def read(path: str) -> Paper:
    return read_paper((CORPORA / path).read_bytes(), path)


@pytest.fixture(scope="module")
def papers() -> dict[str, Paper]:
    return {path.name: read_paper(path.read_bytes(), path.name) for path in sorted(CORPORA.glob("*/*.xml"))}


def manifest() -> list[list[str]]:
    lines = (CORPORA / "sample.manifest.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def test_every_file_is_a_paper(papers):
    assert len(papers) == 166
    for name, paper in papers.items():
        assert paper.title, name
        assert paper.doi, name
        assert paper.year, name
        assert paper.sections, name
        assert paper.keywords, name
    assert {name: paper.repairs[0][:40] for name, paper in papers.items() if paper.repairs} == {
        "10.3897_zookeys.66.683.xml": "kept as written: bare &",
        "https_doi.org_10.7554_eLife.64719.xml": "not well-formed, recovered: Namespace pr",
    }


def test_metadata_agrees_with_the_manifest(papers):
    differing = []
    for file, _, _, pmcid, pmid, doi, licence, year, journal, title in manifest():
        paper = papers[file]
        found = (
            paper.pmcid or "",
            paper.pmid or "",
            paper.doi,
            paper.licence,
            str(paper.year),
            paper.journal,
        )
        if found != (pmcid, pmid, doi.lower(), licence, year, journal) or not paper.title.startswith(title):
            differing.append(file)
    assert differing == []


def test_text_is_clean_and_markers_fit(papers):
    for name, paper in papers.items():
        keys = {reference.key for reference in paper.references}
        for section in paper.sections:
            for paragraph in section.paragraphs:
                text = paragraph.text
                assert text == " ".join(text.split()), name
                assert "\\begin{" not in text, name
                assert not set("\x01\x02\x03\x04\x05\x06") & set(text), name
                previous = 0
                for marker in paragraph.markers:
                    assert previous <= marker.start < marker.end <= len(text), name
                    assert set(marker.reference_keys) <= keys, name
                    previous = marker.end


@pytest.mark.parametrize(
    ("path", "marker", "keys"),
    [
        ("sample/PMC3285078.xml", "[3-7]", ["B3", "B4", "B5", "B6", "B7"]),
        ("sample/PMC3343050.xml", "[9]–[12]", 4),
        ("sample/PMC5567290.xml", "[4–11]", [f"CR{n}" for n in range(4, 12)]),
        ("sample/PMC5674267.xml", "[42–44]", ["B42", "B43", "B44"]),
        ("sample/PMC5705692.xml", "[3, 4]", ["irv12474-bib-0003", "irv12474-bib-0004"]),
        ("sample/PMC6250981.xml", "[9]", ["bib0330"]),
        ("sample/PMC4776863.xml", "López et al., 2011", ["ref23"]),
        ("sample/PMC4569613.xml", "1994", ["CR3"]),
        ("odd/PMC7318311.xml", "[2]", ["cssc201903577-bib-0002", "cssc201903577-bib-0002#2"]),
        ("odd/PMC12510162.xml", "[41,42]", ["cit41", "cit42"]),
    ],
)
def test_markers_of_real_papers(papers, path, marker, keys):
    paper = papers[path.rpartition("/")[2]]
    named = [
        list(found.reference_keys)
        for section in paper.sections
        for paragraph in section.paragraphs
        for found in paragraph.markers
        if paragraph.text[found.start : found.end] == marker
    ]
    assert (keys in named) if isinstance(keys, list) else (keys in map(len, named))


def test_what_must_not_leak(papers):
    decision = papers["10.7554_eLife.30274.xml"]
    assert [section.kind for section in decision.sections] == [
        "abstract",
        "introduction",
        "results_discussion",
        "methods",
    ]
    assert papers["10.1590_1518-8345.7320.4434.xml"].language == "en"
    assert papers["PMC5327768.xml"].references == []
    dangling = [m for s in papers["PMC5327768.xml"].sections for p in s.paragraphs for m in p.markers]
    assert [marker.reference_keys for marker in dangling] == [()]
    assert len(papers["PMC4133611.xml"].references) == 36
    assert papers["10.3897_phytokeys.8.2238.xml"].repairs == []


def test_citation_links_of_the_sample_are_found(papers):
    """Every link of the edge list shows as a DOI, PMID, PMCID, title, or surname-year-volume-page of a reference."""

    def plain(title: str) -> str:
        return "".join(filter(str.isalnum, title.casefold()))

    missing = []
    for line in (CORPORA / "sample.edges.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        citing, cited, _ = line.split("\t")
        target = papers[cited]
        place = (target.first_author.casefold(), target.year, target.volume, target.first_page)
        if not any(
            (r.doi and r.doi == target.doi)
            or (r.pmid and r.pmid == target.pmid)
            or (r.pmcid and r.pmcid == target.pmcid)
            or plain(r.title) == plain(target.title)
            or (r.first_author.casefold(), r.year, r.volume, r.first_page) == place
            for r in papers[citing].references
        ):
            missing.append((citing, cited))
    assert missing == []

"""The SQL model that links papers of the corpus: small cases, and the real sample when it is there."""

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import duckdb
import polars
import pytest

from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.matching import bibliographic_key, title_key
from aimsciqa_assets.tables import TABLES

ROOT = Path(__file__).parents[3]
MODEL = (ROOT / "dbt_like_sql/models/corpus/citation_edges.sql").read_text(encoding="utf-8")
SHARED = ROOT.parent / "shared" / "corpora"
SAMPLE = SHARED / "sample"
FAULTS = ROOT.parent / "shared" / "faults" / "jats"
KNOWN_EDGES = SHARED / "sample.edges.tsv"

TITLE = "Iron in the grain of pearl millet"


@dataclass
class Work:
    """What papers and references have in common, for matching."""

    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    title: str = ""
    surname: str = ""
    year: int | None = None
    volume: str = ""
    page: str = ""
    journal: str = ""
    text: str = ""

    TYPES: ClassVar[dict[str, type[polars.DataType]]] = {
        "doi": polars.String,
        "pmid": polars.String,
        "pmcid": polars.String,
        "year": polars.Int32,
        "title_key": polars.String,
        "bibliographic_key": polars.String,
    }

    @property
    def row(self) -> dict[str, object]:
        return {
            "doi": self.doi,
            "pmid": self.pmid,
            "pmcid": self.pmcid,
            "title": self.title,
            "journal": self.journal,
            "year": self.year,
            "title_key": title_key(self.title),
            "bibliographic_key": bibliographic_key(self.surname, self.year, self.volume, self.page),
        }


def edges(
    papers: dict[str, Work], references: list[tuple[str, str, Work]]
) -> list[tuple[str, str, str, list[str]]]:
    """The model's rows over `papers` and `references` (reference id, citing paper, cited work), ordered."""
    rows = {
        "papers": [{"paper_id": paper_id, **work.row} for paper_id, work in papers.items()],
        "references": [
            {"reference_id": reference_id, "paper_id": paper_id, "text": work.text, **work.row}
            for reference_id, paper_id, work in references
        ],
    }
    with duckdb.connect() as connection:
        connection.execute("create schema corpus")
        for table in ("papers", "references"):
            connection.execute(TABLES[f"corpus.{table}"].ddl().replace(" not null", ""))
            connection.register("new_rows", polars.DataFrame(rows[table], schema_overrides=Work.TYPES))
            connection.execute(f'insert into corpus."{table}" by name from new_rows')
        return connection.sql(MODEL).order("citing_paper_id, cited_paper_id").fetchall()


PLACE = {"surname": "Rao", "year": 2015, "volume": "7", "page": "12"}


@pytest.mark.parametrize(
    ("cited", "method"),
    [
        (Work(doi="10.1/b"), "doi"),
        (Work(pmid="22"), "pmid"),
        (Work(pmcid="PMC2"), "pmcid"),
        (Work(title="IRON in the grain of Pearl-Millet."), "title"),
        (Work(surname="RAO", year=2015, volume="07", page="12-19"), "bibliographic"),
        (Work(doi="10.1/b", pmid="22", pmcid="PMC2", title=TITLE, **PLACE), "doi"),
        (Work(doi="10.1/unknown", pmid="99", pmcid="PMC2", title=TITLE), "pmcid"),
        (Work(doi="10.1/unknown", title=TITLE, **PLACE), "title"),
    ],
)
def test_the_surest_key_that_matches_is_the_method(cited: Work, method: str) -> None:
    papers = {"A": Work(), "B": Work(doi="10.1/b", pmid="22", pmcid="PMC2", title=TITLE, **PLACE)}
    assert edges(papers, [("r1", "A", cited)]) == [("A", "B", method, ["r1"])]


def test_nothing_matches_nothing() -> None:
    papers = {"A": Work(), "B": Work()}
    assert edges(papers, [("r1", "A", Work()), ("r2", "A", Work(doi="10.1/x"))]) == []


def test_one_row_per_pair_with_all_its_references() -> None:
    papers = {"A": Work(), "B": Work(doi="10.1/b", pmid="22")}
    references = [("r2", "A", Work(pmid="22")), ("r1", "A", Work(doi="10.1/b")), ("r3", "A", Work(pmid="22"))]
    assert edges(papers, references) == [("A", "B", "doi", ["r1", "r2", "r3"])]


def test_a_reference_names_one_paper_only() -> None:
    papers = {"A": Work(), "B": Work(doi="10.1/b"), "C": Work(title=TITLE)}
    assert edges(papers, [("r1", "A", Work(doi="10.1/b", title=TITLE))]) == [("A", "B", "doi", ["r1"])]


def test_a_paper_does_not_cite_itself() -> None:
    papers = {"A": Work(doi="10.1/a", title=TITLE), "B": Work()}
    assert edges(papers, [("r1", "A", Work(doi="10.1/a")), ("r2", "A", Work(title=TITLE))]) == []


@pytest.mark.parametrize("shared", [Work(title=TITLE), Work(**PLACE), Work(doi="10.1/b")])
def test_a_key_that_two_papers_share_makes_no_edge(shared: Work) -> None:
    assert edges({"A": Work(), "B": shared, "C": shared}, [("r1", "A", shared)]) == []


def test_behind_an_ambiguous_key_the_next_one_decides() -> None:
    papers = {"A": Work(), "B": Work(title=TITLE, **PLACE), "C": Work(title=TITLE)}
    assert edges(papers, [("r1", "A", Work(title=TITLE, **PLACE))]) == [("A", "B", "bibliographic", ["r1"])]


@pytest.mark.parametrize(
    ("paper_year", "cited_year", "linked"),
    [(2015, 2013, True), (2015, 2012, False), (2015, None, True), (None, 2000, True)],
)
def test_equal_titles_need_close_years(paper_year: int | None, cited_year: int | None, linked: bool) -> None:
    papers = {"A": Work(), "B": Work(title=TITLE, year=paper_year)}
    assert bool(edges(papers, [("r1", "A", Work(title=TITLE, year=cited_year))])) is linked


IN_PRINT = Work(
    doi="10.1/b", pmid="22", title=TITLE, journal="The Journal of Cereal Science", **PLACE | {"year": 2016}
)


@pytest.mark.parametrize(
    "cited",
    [
        Work(title=TITLE, **PLACE | {"year": 2006}),  # a slip of the pen
        Work(title="Iron in the grains of pearl milet", **PLACE),
        Work(title=f"{TITLE}: a study of twelve fields", **PLACE),
        Work(journal="J. Cereal Sci.", **PLACE),
        Work(title="Journal of Cereal Science", **PLACE),  # a source where the title should stand
        Work(journal="JOURNAL OF CEREAL SCIENCE", **PLACE | {"year": 2018}),
        Work(text="Rao K. Iron in the grain of pearl millet. 2013;7:12.", **PLACE | {"year": 2013}),
        Work(doi="10.1/other", title="Iron in the grains of pearl milet", **PLACE),
    ],
)
def test_volume_and_page_with_another_year_need_a_title_or_a_journal_beside_them(cited: Work) -> None:
    papers = {"A": Work(), "B": IN_PRINT}
    assert edges(papers, [("r1", "A", cited)]) == [("A", "B", "bibliographic", ["r1"])]


@pytest.mark.parametrize(
    "cited",
    [
        Work(**PLACE),
        Work(journal="Nature", **PLACE),
        Work(journal="J. Cereal Sci.", **PLACE | {"year": 2013}),
        Work(journal="J. Cereal Sci.", **PLACE | {"page": "13"}),
        Work(journal="J. Cereal Sci.", **PLACE | {"volume": "8"}),
        Work(journal="J. Cereal Sci.", **PLACE | {"surname": "Roy"}),
        Work(title="Zinc uptake from acid soils by maize", journal="J. Cereal Sci.", **PLACE),
        Work(doi="10.1/other", journal="J. Cereal Sci.", **PLACE),
        Work(pmid="99", title="Iron in the grains of pearl millet", **PLACE),
    ],
)
def test_what_only_resembles_a_place_in_another_year_makes_no_edge(cited: Work) -> None:
    assert edges({"A": Work(), "B": IN_PRINT}, [("r1", "A", cited)]) == []


def test_a_date_that_reads_like_volume_and_page_makes_no_edge() -> None:
    papers = {"A": Work(), "B": Work(surname="Rao", year=2016, volume="29", page="2017", journal="Nature")}
    dated = Work(surname="Rao", year=2017, volume="29", page="2017", journal="Nature")
    assert edges(papers, [("r1", "A", dated)]) == []


def test_a_place_that_two_papers_share_in_different_years_makes_no_edge() -> None:
    later = Work(journal="Journal of Cereal Science", **PLACE | {"year": 2017})
    papers = {"A": Work(), "B": IN_PRINT, "C": later}
    assert edges(papers, [("r1", "A", Work(journal="J. Cereal Sci.", **PLACE))]) == []


OTHER_TITLE = "Zinc uptake from acid soils by maize"


@pytest.mark.parametrize("wrong", ["10.1/a", "10.1/c", "10.1/nowhere", "10.1/b/full"])
@pytest.mark.parametrize(
    ("cited", "method"),
    [
        (Work(pmid="22", title=TITLE, journal="J. Cereal Sci."), "pmid"),
        (Work(title=TITLE, journal="J. Cereal Sci."), "title"),
        (Work(title="Iron in pearl millet grain", journal="J. Cereal Sci.", **PLACE), "bibliographic"),
    ],
)
def test_a_wrong_doi_does_not_block_the_other_ways(cited: Work, method: str, wrong: str) -> None:
    papers = {
        "A": Work(doi="10.1/a"),
        "B": Work(doi="10.1/b", pmid="22", title=TITLE, **PLACE),
        "C": Work(doi="10.1/c", title=OTHER_TITLE),
    }
    assert edges(papers, [("r1", "A", replace(cited, doi=wrong))]) == [("A", "B", method, ["r1"])]


def test_a_doi_counts_although_the_title_is_another_where_nothing_else_leads_to_a_paper() -> None:
    papers = {"A": Work(), "B": Work(doi="10.1/b", title=TITLE)}
    translated = Work(doi="10.1/b", title=OTHER_TITLE, journal="J. Cereal Sci.")
    assert edges(papers, [("r1", "A", translated)]) == [("A", "B", "doi", ["r1"])]


@pytest.mark.skipif(not FAULTS.is_dir(), reason="needs the inputs in ../shared/faults")
def test_papers_that_were_not_linked_for_their_doi_or_names() -> None:
    papers, references = read_corpus([*FAULTS.glob("0[78]*.xml")])
    assert [edge[:3] for edge in edges(papers, references)] == [
        ("07-08-citing.xml", "07-target.xml", "doi"),
        ("07-08-citing.xml", "08a-target.xml", "bibliographic"),
        ("07-08-citing.xml", "08b-target.xml", "bibliographic"),
    ]
    assert [papers[name].surname for name in ("08a-target.xml", "08b-target.xml")] == ["Oku", "Wang"]
    assert {work.doi for _, _, work in references} == {"10.3389/fnut.2019.00012", None}


def read_corpus(files: list[Path]) -> tuple[dict[str, Work], list[tuple[str, str, Work]]]:
    """Papers and references of files, by file name."""
    papers: dict[str, Work] = {}
    references: list[tuple[str, str, Work]] = []
    for path in sorted(files):
        paper = parse_jats(path.read_bytes())
        papers[path.name] = Work(
            doi=paper.doi,
            pmid=paper.pmid,
            pmcid=paper.pmcid,
            title=paper.title,
            surname=paper.first_author,
            year=paper.year,
            volume=paper.volume,
            page=paper.first_page,
            journal=paper.journal,
        )
        for entry in paper.references:
            cited = Work(
                doi=entry.doi,
                pmid=entry.pmid,
                pmcid=entry.pmcid,
                title=entry.title,
                surname=entry.first_author,
                year=entry.year,
                volume=entry.volume,
                page=entry.first_page,
                journal=entry.journal,
                text=entry.text,
            )
            references.append((f"{path.name}#{entry.key}", path.name, cited))
    return papers, references


@pytest.mark.skipif(not KNOWN_EDGES.exists(), reason="the sample corpus is not beside this checkout")
@pytest.mark.slow
def test_the_real_sample_is_linked_as_its_makers_found() -> None:
    with KNOWN_EDGES.open(encoding="utf-8", newline="") as file:
        known = {(row["citing"], row["cited"]) for row in csv.DictReader(file, delimiter="\t")}
    papers, references = read_corpus([*SAMPLE.glob("*.xml")])
    found = {(citing, cited) for citing, cited, _, _ in edges(papers, references)}
    assert sorted(known - found) == []
    assert sorted(found - known) == []

"""Papers that another paper cites, as a corpus that is comparable by design: which ones, and by whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.bucket import Bucket
from aimsciqa_resources.pmc.client import PmcClient
from aimsciqa_resources.pmc.errors import PmcError
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.reading.identifiers import normalise_pmcid
from aimsciqa_assets.reading.jats.included import references_of
from aimsciqa_assets.reading.paper import Reference, RejectedFileError
from aimsciqa_assets.tables import TABLES

Row = dict[str, Any]

CITED_PAPERS: Final = "corpus.cited_papers"
_IN_PMC: Final = """
select pmcid, doi, pmid from corpus.pmc_ids
where list_contains($dois, doi) or list_contains($pmids, pmid)
"""
_IN_CORPUS: Final = """
select distinct used.paper_id
from corpus.input_files as used
join corpus.input_files as brought on used.paper_id = brought.paper_id
where list_contains($pmcids, brought.pmcid) and used.duplicate_of is null and used.retired is null
order by used.paper_id
"""


class NothingCitedError(PmcError):
    """An article that PubMed Central does not have, or that cites nothing that it has."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What a paper cites: articles of PubMed Central, and the entries that lead to none.

    `relation` is `included` if a table of included studies cites them, else `cited`.
    """

    citing: str
    relation: str
    pmcids: tuple[str, ...]
    unknown: tuple[str, ...]


def cited_by(citing: str, client: PmcClient, warehouse: Warehouse, *, included: bool) -> Cited:
    """Return what an article of PubMed Central cites: the studies that it includes, else all references.

    References lead to articles by PMCID, and by DOI and PMID as far as `corpus.pmc_ids` knows them. Raise
    `NothingCitedError`, also if the article cannot be read.
    """
    pmcid = normalise_pmcid(citing)
    if pmcid is None:
        raise NothingCitedError(f"{citing} is no PMCID (PMC13901).")
    try:
        references, of_tables = references_of(_file_of(pmcid, client))
    except RejectedFileError as error:
        raise NothingCitedError(f"The file of {pmcid} cannot be read: {error}") from None
    chosen = of_tables if included and of_tables else references
    articles = _articles_of(chosen, warehouse)
    unknown = [_named(reference) for reference in chosen if reference.key not in articles]
    if not articles:
        raise NothingCitedError(
            f"None of the {len(chosen):,} references of {pmcid} leads to an article of PubMed Central. DOIs "
            "and PMIDs are looked up in NLM's map of ids: load the newest one with `aimsciqa ids "
            "PMC-ids.csv.gz`."
        )
    relation = "included" if chosen is of_tables else "cited"
    return Cited(pmcid, relation, tuple(dict.fromkeys(articles.values())), tuple(unknown))


def _file_of(pmcid: str, client: PmcClient) -> bytes:
    with TemporaryDirectory(prefix="aimsciqa-citing-") as folder:
        article = Bucket(client, FileStore(folder=folder)).newest(pmcid)
        if article is None or article.xml is None:
            raise NothingCitedError(f"PubMed Central has no JATS file of {pmcid}.")
        file = Path(folder) / f"{pmcid}.xml"
        client.save(article.xml.key, article.xml.md5, file)
        return file.read_bytes()


def _articles_of(references: Sequence[Reference], warehouse: Warehouse) -> dict[str, str]:
    """Return the PMCIDs of references by their keys, of those that lead to an article."""
    create_tables(warehouse)
    ids = {
        "dois": [reference.doi for reference in references if reference.doi],
        "pmids": [reference.pmid for reference in references if reference.pmid],
    }
    known: dict[str, str] = {}
    for pmcid, doi, pmid in warehouse.read(_IN_PMC, ids).iter_rows():
        known |= {name: pmcid for name in (doi, pmid) if name}
    articles = {
        reference.key: reference.pmcid or known.get(reference.doi or "") or known.get(reference.pmid or "")
        for reference in references
    }
    return {key: pmcid for key, pmcid in articles.items() if pmcid}


def _named(reference: Reference) -> str:
    parts = (reference.first_author, str(reference.year or ""), reference.title)
    return ". ".join(filter(None, parts)) or reference.text or reference.key


def take_cited(cited: Cited, warehouse: Warehouse) -> int:
    """Write down which papers of the corpus came by a citing paper, and return their number."""
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        papers = warehouse.read(_IN_CORPUS, {"pmcids": list(cited.pmcids)})["paper_id"].to_list()
        rows = [
            row
            for row in warehouse.read(f"select * from {CITED_PAPERS}").iter_rows(named=True)
            if (row["citing_pmcid"], row["relation"]) != (cited.citing, cited.relation)
        ]
        rows += [
            {"citing_pmcid": cited.citing, "relation": cited.relation, "paper_id": paper} for paper in papers
        ]
        frame = frame_of(CITED_PAPERS, rows).sort(*TABLES[CITED_PAPERS].key)
        fingerprint = digest({"rows": frame.rows()})
        record = Record(CITED_PAPERS, "", fingerprint, fingerprint, "", frozenset(), frame.height)
        warehouse.replace([Write(CITED_PAPERS, TABLES[CITED_PAPERS].ddl(), frame, {}), record_write(record)])
    return len(papers)

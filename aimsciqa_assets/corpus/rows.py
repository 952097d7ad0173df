"""A parsed paper as rows of the corpus tables."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from aimsciqa_assets.corpus.citation_mentions import citation_mentions
from aimsciqa_assets.corpus.readings import warnings_of
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.reading.documents import document_paper_id
from aimsciqa_assets.reading.kept import read_once
from aimsciqa_assets.reading.keywords import normalise_keyword
from aimsciqa_assets.reading.licences import licence_address, licence_name
from aimsciqa_assets.reading.matching import authored_title_keys, bibliographic_key, title_key
from aimsciqa_assets.reading.paper import MANUSCRIPT, Caption, Paper, Section
from aimsciqa_assets.reading.paper_table import PaperTable

Row = dict[str, Any]


def paper_id(paper: Paper, file_id: str) -> str:
    """The paper's id: that of a document, or its PMCID, else its DOI, else its PMID, else its file's hash."""
    if paper.document_id:
        return document_paper_id(paper.document_id)
    if paper.pmcid:
        return paper.pmcid
    if paper.doi:
        return f"doi:{paper.doi}"
    return f"pmid:{paper.pmid}" if paper.pmid else f"file:{file_id[:16]}"


def paper_keys(paper: Paper) -> list[str]:
    """Return what tells that another file holds the paper: ids, and the title with first author and year."""
    ids = {"": paper.pmcid, "doi:": paper.doi, "pmid:": paper.pmid}
    titles = authored_title_keys(paper.title, paper.first_author, paper.year)
    return [*(f"{kind}{value}" for kind, value in ids.items() if value), *(f"title:{key}" for key in titles)]


def describe(paper: Paper, pmcid: str | None, licence: str | None, retracted: bool | None) -> None:
    """Set what is known of a paper from outside its file.

    `pmcid`, `licence` and `retracted` are what PubMed Central says of its article: a licence or a retraction
    may come after its file. Of any other file `licence` was stated, and counts if the file names none.
    """
    if pmcid:
        paper.pmcid = pmcid
        paper.licence = licence or paper.licence
        paper.retraction = paper.retraction or ("retracted" if retracted else None)
    elif licence and not (paper.licence or paper.licence_url):
        paper.licence, paper.licence_url = licence_name(licence), licence_address(licence)


def file_rows(
    data: bytes,
    *,
    file_id: str,
    file_name: str,
    batch: str,
    kept: str = "",
    pmcid: str | None = None,
    licence: str | None = None,
    retracted: bool | None = False,
    given_id: str | None = None,
    correction: Row | None = None,
) -> dict[str, list[Row]]:
    """Return the rows of the paper in a file, by table. Raises `RejectedFileError`.

    `describe` tells what `pmcid`, `licence` and `retracted` are. `kept` is its paper if it was read before. A
    paper with a `given_id` is a manuscript.
    """
    paper = read_once(data, file_name, kept)
    describe(paper, pmcid, licence, retracted)
    if given_id:
        paper.article_type = MANUSCRIPT
    return paper_rows(
        paper,
        file_id=file_id,
        file_name=file_name,
        batch=batch,
        given_id=given_id,
        correction=correction,
    )


def paper_rows(
    paper: Paper,
    *,
    file_id: str,
    file_name: str,
    batch: str,
    given_id: str | None = None,
    correction: Row | None = None,
) -> dict[str, list[Row]]:
    """Return the rows of one paper, by table, with its `correction` made.

    Its id is `given_id`, else that of the paper as it was read: a corrected DOI does not change it.
    """
    identity = {"batch": batch, "paper_id": given_id or paper_id(paper, file_id)}
    _correct(paper, correction or {})
    rows: dict[str, list[Row]] = defaultdict(list)
    rows["corpus.papers"].append(_paper_row(paper, identity, file_id, file_name))
    floats = _floats_by_section(paper)
    reference_ids = {entry.key: row_id(identity["paper_id"], entry.key) for entry in paper.references}
    section_ids = [
        row_id(identity["paper_id"], position, section.title)
        for position, section in enumerate(paper.sections)
    ]
    for position, (section_id, section) in enumerate(zip(section_ids, paper.sections, strict=True)):
        in_section = {**identity, "section_id": section_id}
        rows["corpus.sections"].append(
            {**in_section, "position": position, "title": section.title, "kind": section.kind}
        )
        for table, row in _paragraph_rows(section, in_section, reference_ids):
            rows[table].append(row)
        for at, part in enumerate(floats[position], len(section.paragraphs)):
            for table, row in _float_rows(part, in_section, at):
                rows[table].append(row)
    rows["corpus.keywords"] += _keyword_rows(paper, identity)
    rows["corpus.references"] += [
        {
            **identity,
            "reference_id": reference_ids[entry.key],
            "key": entry.key,
            "position": entry.position,
            "label": entry.label,
            "text": entry.text,
            "title": entry.title,
            "first_author": entry.first_author,
            "year": entry.year,
            "journal": entry.journal,
            "volume": entry.volume,
            "first_page": entry.first_page,
            "doi": entry.doi,
            "pmid": entry.pmid,
            "pmcid": entry.pmcid,
            "title_key": title_key(entry.title),
            "bibliographic_key": bibliographic_key(
                entry.first_author, entry.year, entry.volume, entry.first_page
            ),
        }
        for entry in paper.references
    ]
    return rows


def _floats_by_section(paper: Paper) -> Mapping[int, list[Caption | PaperTable]]:
    """Return figures, then tables, by the position of their section; the last one has those without any.

    A paper of nothing but figures and tables gets an untitled section for them.
    """
    floats: dict[int, list[Caption | PaperTable]] = defaultdict(list)
    parts: list[Caption | PaperTable] = [*paper.captions, *paper.tables]
    if parts and not paper.sections:
        paper.sections.append(Section("", "other"))
    for part in parts:
        last = len(paper.sections) - 1
        floats[last if part.section_position is None else part.section_position].append(part)
    return floats


def _float_rows(part: Caption | PaperTable, in_section: Row, position: int) -> Iterator[tuple[str, Row]]:
    """Yield the paragraph of a figure's caption, or that of a table with the table and its cells."""
    is_table = isinstance(part, PaperTable)
    text = part.text if is_table else ". ".join(filter(None, (part.label.rstrip("."), part.text)))
    paragraph_id = row_id(in_section["section_id"], position, text)
    yield (
        "corpus.paragraphs",
        {
            **in_section,
            "paragraph_id": paragraph_id,
            "position": position,
            "kind": "table" if is_table else "caption",
            "subsection": "",
            "text": text,
        },
    )
    if not isinstance(part, PaperTable):
        return
    names = {name: in_section[name] for name in ("batch", "paper_id")} | {"table_id": paragraph_id}
    yield (
        "corpus.tables",
        {
            **names,
            "section_id": in_section["section_id"],
            "label": part.label,
            "caption": part.caption,
            "row_count": part.rows,
            "column_count": part.columns,
            "footnotes": part.footnotes,
        },
    )
    for slot in part.slots:
        yield (
            "corpus.table_cells",
            {
                **names,
                "row_position": slot.row,
                "column_position": slot.column,
                "text": slot.text,
                "row_span": slot.row_span,
                "column_span": slot.column_span,
                "is_header": slot.is_header,
                "row_header": slot.row_header,
                "column_header": slot.column_header,
                "text_start": slot.start,
                "text_end": slot.end,
            },
        )


def _correct(paper: Paper, correction: Mapping[str, Any]) -> None:
    paper.title = correction.get("title") or paper.title
    paper.doi = correction.get("doi") or paper.doi
    if licence := correction.get("licence"):
        paper.licence, paper.licence_url = licence_name(licence), licence_address(licence)
    if (year := correction.get("year")) and year != paper.year:
        paper.year, paper.published = year, str(year)


def _paper_row(paper: Paper, identity: Row, file_id: str, file_name: str) -> Row:
    return {
        **identity,
        "source": paper.source,
        "file_name": file_name,
        "content_hash": file_id,
        "pmcid": paper.pmcid,
        "pmid": paper.pmid,
        "doi": paper.doi,
        "title": paper.title,
        "abstract": paper.abstract,
        "journal": paper.journal,
        "year": paper.year,
        "published": paper.published,
        "first_author": paper.first_author,
        "article_type": paper.article_type,
        "language": paper.language,
        "licence": paper.licence,
        "licence_url": paper.licence_url,
        "url": paper.url,
        "retracted": paper.retraction is not None,
        "retraction": paper.retraction,
        "has_full_text": paper.has_full_text,
        "repairs": paper.repairs,
        "warnings": warnings_of(paper),
        "title_key": title_key(paper.title),
        "bibliographic_key": bibliographic_key(
            paper.first_author, paper.year, paper.volume, paper.first_page
        ),
    }


def _paragraph_rows(
    section: Section, in_section: Row, reference_ids: Mapping[str, str]
) -> Iterator[tuple[str, Row]]:
    for position, paragraph in enumerate(section.paragraphs):
        paragraph_id = row_id(in_section["section_id"], position, paragraph.text)
        in_paragraph = {**in_section, "paragraph_id": paragraph_id}
        yield (
            "corpus.paragraphs",
            {
                **in_paragraph,
                "position": position,
                "kind": "text",
                "subsection": paragraph.subsection,
                "text": paragraph.text,
            },
        )
        for mention in citation_mentions(paragraph):
            yield (
                "corpus.citation_mentions",
                {
                    **in_paragraph,
                    "mention_id": row_id(paragraph_id, mention.start, mention.end),
                    "sentence_start": mention.start,
                    "sentence_end": mention.end,
                    "sentence": mention.sentence,
                    "markers": list(mention.markers),
                    "reference_ids": [reference_ids[key] for key in mention.reference_keys],
                    "is_single": mention.is_single,
                },
            )


def _keyword_rows(paper: Paper, identity: Row) -> list[Row]:
    """One row per normalised keyword; of several spellings the first is kept."""
    rows: dict[str, Row] = {}
    for keyword in paper.keywords:
        normalised = normalise_keyword(keyword.text)
        if normalised and normalised not in rows:
            rows[normalised] = {
                **identity,
                "keyword": normalised,
                "as_written": keyword.text,
                "origin": keyword.origin,
            }
    return list(rows.values())

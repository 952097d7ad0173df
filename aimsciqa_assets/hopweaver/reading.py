"""Reads documents and their vectors out of the tables, for a run of a step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl
from aimsciqa_resources.encoder import Vectors

from aimsciqa.documents import Documents
from aimsciqa_assets.hopweaver.documents import Document, documents_of
from aimsciqa_assets.hopweaver.holders import Holders
from aimsciqa_assets.hopweaver.hops import Aids
from aimsciqa_assets.hopweaver.kept_documents import KeptDocuments
from aimsciqa_assets.hopweaver.searching import Searching, StoredVectors
from aimsciqa_assets.hopweaver.shared_names import SharedNames
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.coarse import Coarse, DenseCoarse, LexicalCoarse
from aimsciqa_assets.retrieval.diversity import WEIGHTS
from aimsciqa_assets.retrieval.notation import Encoded, parse
from aimsciqa_assets.retrieval.opening import Opening
from aimsciqa_assets.retrieval.reranking import open_reranker

VECTORS: Final = "hopweaver.document_vectors"
_USABLE = "paper_id in (select paper_id from hopweaver.documents where status <> 'excluded')"
_PARAGRAPHS = f"""
select paragraphs.paper_id, sections.position as section, paragraphs.position, paragraph_id, text
from corpus.paragraphs join corpus.sections using (section_id)
where paragraphs.kind = 'text' and paragraphs.{_USABLE}
"""
_STORED = f"""
select paper_id, vector from {VECTORS} where {_USABLE} and encoder = $encoder and encoder_revision = $revision
"""


def documents_of_part(run: StepRun) -> list[Document]:
    """All documents of the run's batch."""
    return _documents(
        run.read_part("corpus.papers"),
        run.read_part("corpus.paragraphs", "kind = 'text'"),
        run.read_part("corpus.sections"),
    )


def usable_documents(run: StepRun) -> KeptDocuments:
    """The documents of all batches that may be found, by id; their texts are in a file of the home.

    A paper that is another row of the corpus already is not among them.
    """
    with run.warehouse.one_state():
        repeated = run.warehouse.read(query_of("shared.repeated_papers").text)
        titles = run.read("corpus.papers", _USABLE, "paper_id, title").join(
            repeated, on="paper_id", how="anti"
        )
        paragraphs = run.warehouse.stream(_PARAGRAPHS, {}, bounded=True)
        return KeptDocuments(titles.rows(), (row for frame in paragraphs for row in frame.rows()), run.home)


def sources_of_part(run: StepRun, documents: Mapping[str, Document]) -> list[str]:
    """Return the documents of the run's batch from which questions may start, among `documents`."""
    sources = run.read_part("hopweaver.documents", "status = 'source'", "paper_id")["paper_id"]
    return [document_id for document_id in sources if document_id in documents]


def titles_of(run: StepRun, ids: Sequence[str]) -> dict[str, str]:
    """The titles of documents of any batch, by id."""
    among = "paper_id in (select unnest($ids))"
    return dict(run.read("corpus.papers", among, "paper_id, title", ids=list(ids)).rows())


def searching_among(run: StepRun, documents: Mapping[str, Document]) -> Searching:
    """The search that the settings describe. Its models are loaded now: no dialogue waits for them."""
    chosen = run.settings.hopweaver
    notation = parse(chosen.retriever) if chosen.retriever else Encoded(run.encoder.name)
    ids = sorted(documents)
    vectors = _vectors(run, ids, documents)
    if notation == Encoded(run.encoder.name):
        # No other retriever can do without the texts in memory.
        coarse: Coarse = DenseCoarse(ids, vectors, run.encoder)
    else:
        texts = {document_id: documents[document_id].text for document_id in ids}
        stored = StoredVectors(run.encoder, dict(zip(texts.values(), vectors, strict=True)))
        named = Documents.of({name: [text] for name, text in texts.items()})
        coarse = Opening(named, stored, run.settings.benchmark).coarse(notation, chosen.fusion)
    searches = chosen.masked_rank or chosen.question_rank
    return Searching(
        coarse,
        documents,
        WEIGHTS[chosen.lambdas],
        chosen.pool,
        chosen.source_similarity,
        open_reranker(chosen.reranker) if chosen.reranker else None,
        _lexical(run, documents) if searches and "bridge" in chosen.kind_names else None,
    )


def _lexical(run: StepRun, documents: Mapping[str, Document]) -> LexicalCoarse:
    """BM25 over the documents, whose texts it keeps in memory."""
    return LexicalCoarse({document_id: documents[document_id].text for document_id in documents}, run.encoder)


def aids_among(run: StepRun, documents: Mapping[str, Document], search: Searching) -> Aids:
    """What the settings want to be asked of the documents beside candidates."""
    chosen = run.settings.hopweaver
    names: Callable[[Document], Sequence[str]] | None = None
    if chosen.shared_names != "off":
        shared = SharedNames(documents)
        names = shared.promising if chosen.shared_names == "offered" else shared.of
    return Aids(
        names,
        chosen.shared_names == "offered",
        Holders(documents).of if chosen.holders else None,
        search.finds if chosen.masked_rank or chosen.question_rank else None,
    )


def vector_rows(documents: Sequence[Document], run: StepRun) -> pl.DataFrame:
    """Rows of `hopweaver.document_vectors`. Without documents the encoder is not asked."""
    if not documents:
        return frame_of(VECTORS, [])
    vectors = run.encoder.encode_documents([document.text for document in documents])
    rows = pl.DataFrame({"paper_id": [document.document_id for document in documents], "vector": vectors})
    said = {"batch": run.part, "encoder": run.encoder.name, "encoder_revision": run.encoder.revision}
    return as_declared(VECTORS, rows.with_columns(pl.lit(value).alias(name) for name, value in said.items()))


def _vectors(run: StepRun, ids: Sequence[str], documents: Mapping[str, Document]) -> Vectors:
    """The vectors of documents, in the order of the ids; one that is not stored is made now."""
    places = {document_id: place for place, document_id in enumerate(ids)}
    by = {"encoder": run.encoder.name, "revision": run.encoder.revision}
    vectors: Vectors | None = None
    missing = np.ones(len(ids), dtype=bool)
    for rows in run.warehouse.stream(_STORED, by, bounded=True):
        kept = rows.filter([document_id in places for document_id in rows["paper_id"]])
        if kept.is_empty():
            continue
        width = len(kept["vector"][0])
        if vectors is None:
            vectors = np.empty((len(ids), width), dtype=np.float32)
        where = [places[document_id] for document_id in kept["paper_id"]]
        vectors[where] = kept["vector"].list.to_array(width).to_numpy()
        missing[where] = False
    if vectors is None or missing.any():
        unknown = np.flatnonzero(missing).tolist()
        made = run.encoder.encode_documents([documents[ids[place]].text for place in unknown])
        if vectors is None:
            return made
        vectors[missing] = made
    return vectors


def _documents(papers: pl.DataFrame, paragraphs: pl.DataFrame, sections: pl.DataFrame) -> list[Document]:
    """The documents in the order of their ids, their paragraphs as they are read."""
    places = sections.select("section_id", pl.col("position").alias("section"))
    ordered = paragraphs.join(places, on="section_id").sort("paper_id", "section", "position")
    return list(documents_of(papers.sort("paper_id").iter_rows(named=True), ordered.iter_rows(named=True)))

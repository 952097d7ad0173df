"""Reads documents and their vectors out of the tables, for a run of a step."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl
from aimsciqa_resources.encoder import Vectors

from aimsciqa.documents import Documents
from aimsciqa_assets.hopweaver.documents import Document, documents_of
from aimsciqa_assets.hopweaver.searching import Searching, StoredVectors
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.diversity import WEIGHTS
from aimsciqa_assets.retrieval.notation import Encoded, parse
from aimsciqa_assets.retrieval.opening import Opening
from aimsciqa_assets.retrieval.reranking import open_reranker

VECTORS: Final = "hopweaver.document_vectors"
_USABLE = "paper_id in (select paper_id from hopweaver.documents where status <> 'excluded')"


def documents_of_part(run: StepRun) -> list[Document]:
    """All documents of the run's batch."""
    return _documents(
        run.read_part("corpus.papers"),
        run.read_part("corpus.paragraphs"),
        run.read_part("corpus.sections"),
    )


def usable_documents(run: StepRun) -> dict[str, Document]:
    """The documents of all batches that may be found, by id."""
    documents = _documents(
        run.read("corpus.papers", _USABLE, "paper_id, title"),
        run.read("corpus.paragraphs", _USABLE, "paper_id, section_id, paragraph_id, position, text"),
        run.read("corpus.sections", _USABLE, "section_id, position"),
    )
    return {document.document_id: document for document in documents}


def searching_among(run: StepRun, documents: Mapping[str, Document]) -> Searching:
    """The search that the settings describe. Its models are loaded now: no dialogue waits for them."""
    chosen = run.settings.hopweaver
    texts = {document_id: document.text for document_id, document in documents.items()}
    stored = StoredVectors(run.encoder, _stored(run, texts))
    opening = Opening(
        Documents.of({name: [text] for name, text in texts.items()}), stored, run.settings.benchmark
    )
    notation = parse(chosen.retriever) if chosen.retriever else Encoded(run.encoder.name)
    return Searching(
        opening.coarse(notation, chosen.fusion),
        documents,
        WEIGHTS[chosen.lambdas],
        chosen.pool,
        chosen.source_similarity,
        open_reranker(chosen.reranker) if chosen.reranker else None,
    )


def vector_rows(documents: Sequence[Document], run: StepRun) -> pl.DataFrame:
    """Rows of `hopweaver.document_vectors`. Without documents the encoder is not asked."""
    if not documents:
        return frame_of(VECTORS, [])
    vectors = run.encoder.encode_documents([document.text for document in documents])
    rows = pl.DataFrame({"paper_id": [document.document_id for document in documents], "vector": vectors})
    said = {"batch": run.part, "encoder": run.encoder.name, "encoder_revision": run.encoder.revision}
    return as_declared(VECTORS, rows.with_columns(pl.lit(value).alias(name) for name, value in said.items()))


def _stored(run: StepRun, texts: Mapping[str, str]) -> dict[str, Vectors]:
    """Vectors by text: as dialogues ask for them."""
    by = {"encoder": run.encoder.name, "revision": run.encoder.revision}
    rows = run.read(
        VECTORS,
        f"{_USABLE} and encoder = $encoder and encoder_revision = $revision",
        "paper_id, vector",
        **by,
    )
    if rows.is_empty():
        return {}
    width = len(rows["vector"][0])
    vectors: Vectors = rows["vector"].list.to_array(width).to_numpy().astype(np.float32)
    return {texts[paper]: vectors[row] for row, paper in enumerate(rows["paper_id"]) if paper in texts}


def _documents(papers: pl.DataFrame, paragraphs: pl.DataFrame, sections: pl.DataFrame) -> list[Document]:
    """The documents in the order of their ids, their paragraphs as they are read."""
    places = sections.select("section_id", pl.col("position").alias("section"))
    ordered = paragraphs.join(places, on="section_id").sort("paper_id", "section", "position")
    return list(documents_of(papers.sort("paper_id").iter_rows(named=True), ordered.iter_rows(named=True)))

"""Runs the RAG baselines that the settings name over the items: readings, answers, and the steps to them."""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
from aimsciqa_resources.language_model import NO_LOGPROBS
from aimsciqa_resources.language_model.settings import HUMAN, ModelSettings

from aimsciqa.documents import Documents
from aimsciqa_assets.asking.task import Outcome, version_of
from aimsciqa_assets.benchmark.answering.papers import texts_of
from aimsciqa_assets.benchmark.answering.rag.inquiry import (
    Answered,
    Found,
    Inquiry,
    Library,
    Limits,
    inquire,
)
from aimsciqa_assets.benchmark.answering.rag.methods import BASELINES, PREFIX, Baseline
from aimsciqa_assets.benchmark.answering.readings import (
    NO_MODEL,
    NO_TEXT,
    Reading,
    Row,
    answer_id_of,
)
from aimsciqa_assets.benchmark.retrieval.corpus import retrieved_documents
from aimsciqa_assets.items import kind_of
from aimsciqa_assets.items.form import papers_in_hand
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.notation import parse
from aimsciqa_assets.retrieval.opening import Opening
from aimsciqa_assets.retrieval.retrievers import Retriever
from aimsciqa_assets.settings.benchmark import BenchmarkSettings

TABLE = "benchmark.answers"


class CorpusSearch:
    """Searches all papers with a retriever of the benchmark; many dialogues use it at once."""

    def __init__(self, documents: Documents, retriever: Retriever) -> None:
        self._documents = documents
        self._retriever = retriever
        self._places = {paper: place for place, paper in enumerate(documents.papers)}
        # Retrievers build their index at the first search, and encoders take one text after the other.
        self._one_at_a_time = threading.Lock()

    def __call__(self, query: str, without: Collection[str], count: int) -> list[Found]:
        """The first papers for a query."""
        left_out = [self._places[paper] for paper in without if paper in self._places]
        candidates = np.delete(np.arange(len(self._documents.papers)), left_out)
        with self._one_at_a_time:
            ranked = self._retriever.search([query]).ranked(0, candidates)
        papers, scores = ranked.papers[:count].tolist(), ranked.scores[:count].tolist()
        return [
            Found(self._documents.papers[paper], score, query)
            for paper, score in zip(papers, scores, strict=True)
        ]


class PaperTexts:
    """The texts of papers, read when they are first needed; a paper without paragraphs has its passages."""

    def __init__(self, run: StepRun, documents: Documents, *, tables: bool) -> None:
        self._run = run
        self._tables = tables
        self._documents = documents
        self._places = {paper: place for place, paper in enumerate(documents.papers)}
        self._read: dict[str, str] = {}
        self._one_at_a_time = threading.Lock()

    def __call__(self, papers: Sequence[str]) -> dict[str, str]:
        """The texts, by id."""
        with self._one_at_a_time:
            new = {paper for paper in papers if paper not in self._read}
            if new:
                texts = texts_of(self._run, new, tables=self._tables)
                self._read |= {paper: texts.get(paper) or self._passages(paper) for paper in new}
            return {paper: self._read[paper] for paper in papers}

    def _passages(self, paper: str) -> str:
        place = self._places.get(paper)
        return "" if place is None else "\n\n".join(self._documents.passages_of(place))


def rag_retriever(settings: BenchmarkSettings) -> str:
    """The retriever that the RAG baselines search with."""
    return settings.rag_retriever or next(iter(settings.retriever_names), "bm25")


def limits_of(settings: BenchmarkSettings) -> Limits:
    """What the settings let the methods read, write and search."""
    return Limits(
        settings.rag_papers,
        settings.rag_input_tokens,
        settings.rag_output_tokens,
        settings.rag_iterations,
        settings.rag_searches,
        settings.rag_replug,
    )


def baselines_of(settings: BenchmarkSettings) -> dict[str, Baseline]:
    """The baselines that the settings name, each once."""
    return {name: BASELINES[name] for name in settings.rag.split()}


def not_asked(answerer: str, model: ModelSettings, baseline: Baseline) -> str | None:
    """Why an answerer is not asked by a baseline: it is no model, or has no log-probabilities."""
    if model.backend == "scripted" or answerer.startswith(HUMAN):
        return NO_MODEL
    return NO_LOGPROBS if baseline.needs_logprobs and model.backend == "recorded" else None


def rag_readings(
    items: Sequence[Row], baseline: str, answerer: str, retriever: str, reason: str | None
) -> list[Reading]:
    """Each item in the setting of a baseline; with a `reason` it is not asked."""
    setting = PREFIX + baseline
    return [
        Reading(
            answer_id_of(answerer, item["item_id"], setting),
            item,
            setting,
            given=tuple(papers_in_hand(item["documents"])),
            retriever=retriever,
            reason=reason,
        )
        for item in items
    ]


def answered_by(
    run: StepRun, items: Sequence[Row]
) -> Iterator[tuple[list[Reading], list[Outcome[str]], str, list[Row]]]:
    """For each baseline: readings with the papers that were read, outcomes, prompt version, rows of steps."""
    chosen = run.settings.benchmark
    baselines = baselines_of(chosen)
    if not baselines:
        return
    library_of = _libraries(run)
    for name, baseline in baselines.items():
        reason = not_asked(run.part, run.model_settings, baseline)
        readings = rag_readings(items, name, run.part, rag_retriever(chosen), reason)
        readings = [_with_text(reading, library_of(reading)) for reading in readings]
        inquiries = [_inquiry(reading, library_of(reading)) for reading in readings if reading.reason is None]
        dialogues = (inquire(baseline.method, inquiry) for inquiry in inquiries)
        with run.ask(TABLE, dialogues, len(inquiries), f"answering by {name}") as results:
            answered = {one.outcome.key: one for one in results}
        outcomes = [one.outcome for one in answered.values()]
        read = [_read(reading, answered.get(reading.answer_id)) for reading in readings]
        yield read, outcomes, version_of(*baseline.tasks), list(step_rows(readings, answered, run.part))


def step_rows(readings: Sequence[Reading], answered: dict[str, Answered], answerer: str) -> Iterator[Row]:
    """Rows of `benchmark.rag_steps`."""
    for reading in readings:
        found = answered.get(reading.answer_id)
        for position, step in enumerate(found.steps if found else (), 1):
            yield {
                "answer_id": reading.answer_id,
                "position": position,
                "answerer": answerer,
                "item_id": reading.item["item_id"],
                "setting": reading.setting,
                "kind": step.kind,
                "query": step.query,
                "papers": list(step.papers),
                "scores": [None if np.isnan(score) else score for score in step.scores],
                "text": step.text,
                "number": step.number,
            }


def _libraries(run: StepRun) -> Callable[[Reading], Library]:
    """The library of a reading: one search for all, and texts with tables or without."""
    chosen = run.settings.benchmark
    documents = retrieved_documents(run)
    retriever = Opening(documents, run.encoder, chosen).open(parse(rag_retriever(chosen)))
    search = CorpusSearch(documents, retriever)
    plain, whole = (
        Library(search, PaperTexts(run, documents, tables=tables), limits_of(chosen))
        for tables in (False, True)
    )
    return lambda reading: whole if kind_of(reading.item["variant"]).tables else plain


def _with_text(reading: Reading, library: Library) -> Reading:
    """The reading; without a text of a paper in hand it gets a reason."""
    if reading.reason or all(library.texts(reading.given).values()):
        return reading
    return replace(reading, reason=NO_TEXT)


def _inquiry(reading: Reading, library: Library) -> Inquiry:
    return Inquiry(reading.answer_id, reading.item["question"], reading.given, library)


def _read(reading: Reading, answered: Answered | None) -> Reading:
    return reading if answered is None else replace(reading, found=answered.read)

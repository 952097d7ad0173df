"""HopWeaver as assets: documents with their vectors, attempts at questions, items. Off without kinds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.tokens import token_counts

from aimsciqa_assets.asking.task import Task, version_of
from aimsciqa_assets.hopweaver.bridges import Bridge, bridge
from aimsciqa_assets.hopweaver.comparison.attempts import COMPARES, comparisons
from aimsciqa_assets.hopweaver.comparison.rows import ATTRIBUTES, COMPARISONS, comparison_rows
from aimsciqa_assets.hopweaver.comparison.steps import Synthesis
from aimsciqa_assets.hopweaver.comparison.tasks import SCORES
from aimsciqa_assets.hopweaver.comparison.tasks import TASKS as COMPARISON_TASKS
from aimsciqa_assets.hopweaver.deciding import LastSteps, polished_once, unpolished
from aimsciqa_assets.hopweaver.documents import Document, Limits, drawn_sources, plain
from aimsciqa_assets.hopweaver.drafts import Draft, drafts_by_pair, drafts_of
from aimsciqa_assets.hopweaver.hops import Rules
from aimsciqa_assets.hopweaver.items import (
    EVIDENCE,
    ITEMS,
    READINGS,
    SPLITS,
    VERSIONS,
    divided_versions,
    evidence_rows,
    item_rows,
    reading_rows,
    version_rows,
)
from aimsciqa_assets.hopweaver.polishing import POLISHERS
from aimsciqa_assets.hopweaver.reading import (
    VECTORS,
    aids_among,
    documents_of_part,
    searching_among,
    sources_of_part,
    titles_of,
    usable_documents,
    vector_rows,
)
from aimsciqa_assets.hopweaver.rows import (
    ATTEMPTS,
    BRIDGES,
    CANDIDATES,
    DOCUMENTS,
    REPLIES,
    MadeBy,
    Row,
    bridge_rows,
    document_frame,
)
from aimsciqa_assets.hopweaver.searching import Searching
from aimsciqa_assets.hopweaver.shared_names import leading, without_brackets
from aimsciqa_assets.hopweaver.strict_reading import READERS
from aimsciqa_assets.hopweaver.tasks import ENTITY, FUSION, SUB_QUESTIONS
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.splits import split_items
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

BRIDGE_TASKS = (ENTITY, SUB_QUESTIONS, FUSION)
_ALL_TASKS: tuple[Task[Any], ...] = (*BRIDGE_TASKS, *COMPARISON_TASKS)
BRIDGE_SETTINGS = (
    *("kinds", "documents_per_batch", "seed", "segment_words", "retriever", "fusion", "lambdas", "top_k"),
    *("pool", "source_similarity", "reranker", "tries", "failure", "shortcuts", "unmentioned"),
    *("shared_names", "holders", "first_hop", "masked_rank", "question_rank", "listed_only", "draws"),
)


def _is_on(settings: Settings) -> bool:
    return bool(settings.hopweaver.kinds)


@step_asset(
    Step(
        writes=(DOCUMENTS,),
        reads=("corpus.papers", "corpus.paragraphs", "corpus.sections"),
        settings=tuple(
            f"hopweaver.{name}" for name in ("kinds", "fewest_characters", "most_words", "most_tokens")
        ),
    )
)
def documents(run: StepRun) -> Frames:
    """Says of each document of the batch whether questions may start from it, or why not (section 2.1)."""
    chosen = run.settings.hopweaver
    found = documents_of_part(run) if _is_on(run.settings) else []
    limits = Limits(chosen.fewest_characters, chosen.most_words, chosen.most_tokens)
    tokens = token_counts([document.text for document in found])
    return {DOCUMENTS: document_frame(found, tokens, run.part, limits)}


@step_asset(
    Step(
        writes=(VECTORS,),
        reads=(DOCUMENTS, "corpus.papers", "corpus.paragraphs", "corpus.sections"),
        encodes=True,
    )
)
def document_vectors(run: StepRun) -> Frames:
    """Encodes the text of each document that may be found."""
    usable = set(run.read_part(DOCUMENTS, "status <> 'excluded'")["paper_id"])
    found = [one for one in documents_of_part(run) if one.document_id in usable] if usable else []
    return {VECTORS: vector_rows(found, run)}


@step_asset(
    Step(
        writes=(ATTEMPTS, BRIDGES, COMPARISONS, ATTRIBUTES, CANDIDATES, REPLIES),
        reads=(DOCUMENTS, VECTORS),
        across=(DOCUMENTS, VECTORS, "corpus.papers", "corpus.paragraphs", "corpus.sections"),
        across_if=_is_on,
        settings=tuple(f"hopweaver.{name}" for name in (*BRIDGE_SETTINGS, *COMPARES)),
        encodes=True,
        asks="hopweaver",
        prompts=tuple(task.name for task in _ALL_TASKS),
        prompt_version=version_of(*_ALL_TASKS),
        put_to=((SCORES.name, "filter"),),
    )
)
def attempts(run: StepRun) -> Frames:
    """Tries to make a question from each drawn source of the batch, over all documents (sections 2.2, 2.3).

    Every reply is a row, and so is every document that a search found, with its score and why it failed.
    """
    rows: dict[str, list[Row]] = {
        table: [] for table in (ATTEMPTS, BRIDGES, COMPARISONS, ATTRIBUTES, CANDIDATES, REPLIES)
    }
    kinds = run.settings.hopweaver.kind_names
    if kinds:
        by_id = usable_documents(run)
        search = searching_among(run, by_id)
        # In one stream: the model need not wait for the last dialogues of one kind before the next kind.
        dialogues = [one for kind in kinds for one in _DIALOGUES_OF[kind](run, by_id, search)]
        for made in _made(run, dialogues, f"making {' and '.join(kinds)} questions"):
            for table, some in made.items():
                rows[table] += some
    return {table: frame_of(table, some).sort(*_keys(table)) for table, some in rows.items()}


def _made(run: StepRun, dialogues: "_Dialogues", doing: str) -> Iterator[dict[str, list[Row]]]:
    """The rows of each attempt, as they end."""
    by_bridges = _made_by(run, version_of(*BRIDGE_TASKS))
    by_comparisons, scored_by = _made_by(run, version_of(*COMPARISON_TASKS)), run.model_of(SCORES.name).name
    with run.ask(ATTEMPTS, dialogues, len(dialogues), doing) as results:
        for made in results:
            if isinstance(made, Bridge):
                yield bridge_rows([made], run.part, by_bridges)
            else:
                yield comparison_rows([made], run.part, by_comparisons, scored_by)


def _bridges(run: StepRun, by_id: Mapping[str, Document], search: Searching) -> list[Dialogue[Bridge]]:
    chosen = run.settings.hopweaver
    sources = sources_of_part(run, by_id)
    # Before the dialogues begin: none of them waits for it.
    aids = aids_among(run, by_id, search)
    likely: dict[str, int] = {}
    if aids.names and chosen.draws == "likely" and 0 < chosen.documents_per_batch < len(sources):
        titles = {plain(without_brackets(by_id[one].title)) for one in by_id}
        likely = {source: leading(aids.names(by_id[source]), titles) for source in sources}
    drawn = drawn_sources(sources, "bridge", chosen.documents_per_batch, chosen.seed, likely)
    return [bridge(by_id[source], search.candidates, by_id, Rules.of(chosen), aids) for source in drawn]


_Dialogues = Sequence[Dialogue[Bridge | Synthesis]]
_DIALOGUES_OF: Mapping[str, Callable[[StepRun, Mapping[str, Document], Searching], _Dialogues]] = {
    "bridge": _bridges,
    "comparison": comparisons,
}


def _looks_at_documents(settings: Settings) -> bool:
    return _is_on(settings) and (settings.hopweaver.reader or settings.hopweaver.searches_polished)


_DECIDED_BY: tuple[Task[Any], ...] = (*POLISHERS.values(), *READERS.values())


@step_asset(
    Step(
        writes=(ITEMS, READINGS, EVIDENCE, VERSIONS),
        reads=(ATTEMPTS,),
        across=(DOCUMENTS, VECTORS, "corpus.papers", "corpus.paragraphs", "corpus.sections"),
        across_if=_looks_at_documents,
        settings=tuple(
            f"hopweaver.{name}"
            for name in (
                *("kinds", "polish", "reader", "tries", "evaluated", "question_rank", "retriever"),
                *("fusion", "masked_rank", "compared", "most_years", "repeats"),
            )
        ),
        encodes=True,
        asks="polisher",
        prompts=tuple(task.name for task in _DECIDED_BY),
        prompt_version=version_of(*_DECIDED_BY),
        put_to=tuple((task.name, "reader") for task in READERS.values()),
    )
)
def polished_items(run: StepRun) -> Frames:
    """Has the polisher accept, mend or reject each question, and decides its fate (section 2.4).

    An attempt that gave no question has a row as well, with its reason.
    """
    chosen = run.settings.hopweaver
    made = run.read_part(ATTEMPTS).rows(named=True)
    pairs = drafts_by_pair(made)
    made_by = {kind: _made_by(run, task.version) for kind, task in POLISHERS.items()}
    if (chosen.polish or chosen.reader) and pairs:
        steps = _last_steps(run, list(drafts_of(made)))
        dialogues = (polished_once(drafts, steps) for drafts in pairs)
        with run.ask(ITEMS, dialogues, len(pairs), "polishing questions") as results:
            decided = [one for pair in results for one in pair.polishings]
    else:
        decided = list(map(unpolished, drafts_of(made)))
    rows = item_rows(made, decided, made_by, entities_once=chosen.repeats == "once")
    readings = reading_rows(decided, run.part, {kind: _read_by(run, READERS[kind]) for kind in READERS})
    evidence = evidence_rows(made)
    return {
        ITEMS: frame_of(ITEMS, rows),
        READINGS: frame_of(READINGS, readings).sort("item_id"),
        EVIDENCE: frame_of(EVIDENCE, evidence),
        VERSIONS: frame_of(VERSIONS, version_rows(rows, chosen.evaluated)),
    }


def _last_steps(run: StepRun, drafts: Sequence[Draft]) -> LastSteps:
    """What the questions pass by the settings. Searches are opened where a bridge question may need one."""
    chosen = run.settings.hopweaver
    ids = {paper for draft in drafts for paper in (draft.first_paper_id, draft.second_paper_id)}
    titles = titles_of(run, sorted(ids)) if chosen.reader else {}
    finds: Callable[[Draft], bool] | None = None
    if chosen.searches_polished and any(draft.kind == "bridge" for draft in drafts):
        search = searching_among(run, usable_documents(run))

        def finds(draft: Draft) -> bool:
            return search.finds(
                draft.question, draft.second_paper_id, draft.first_paper_id, chosen.question_rank
            )

    return LastSteps(
        chosen.tries,
        chosen.polish,
        chosen.reader,
        finds,
        titles,
        chosen.compared == "ordered",
        chosen.most_years,
    )


def _read_by(run: StepRun, task: Task[Any]) -> MadeBy:
    model = run.model_of(task.name)
    return {"model": model.name, "model_revision": model.revision, "prompt_version": task.version}


def _made_by(run: StepRun, prompt_version: str) -> MadeBy:
    return {"model": run.model.name, "model_revision": run.model.revision, "prompt_version": prompt_version}


def _keys(table: str) -> tuple[str, ...]:
    return TABLES[table].key


@step_asset(Step(writes=(SPLITS,), reads=(VERSIONS, ITEMS, EVIDENCE), settings=("multi_hop",)))
def versions_in_splits(run: StepRun) -> Frames:
    """Puts the versions of accepted items into dev and test, so that nothing of a test item stands in dev.

    Items of one source, of the same two documents, or with overlapping evidence go together, and so do the
    versions of an item (`multi_hop.kept_apart`).
    """
    settings = run.settings.multi_hop
    versions = run.read(VERSIONS).rows(named=True)
    divided = divided_versions(versions, run.read(ITEMS).iter_rows(named=True), run.read(EVIDENCE))
    parts = split_items(
        divided, settings.split_seed, settings.test_items, settings.test_fraction, settings.kept_apart
    )
    rows = [
        {"version_id": row["version_id"], "item_id": row["item_id"], "split": parts[row["version_id"]]}
        for row in versions
    ]
    return {SPLITS: frame_of(SPLITS, rows)}

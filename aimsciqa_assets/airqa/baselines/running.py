"""A run of a baseline over examples: what it shares among its dialogues, and the dialogues themselves."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.warehouse import Warehouse
from aimsciqa_resources.warehouse.paper_texts import PaperText, paper_texts

from aimsciqa_assets.airqa.agent.carrying_out import Gathering, Keeping
from aimsciqa_assets.airqa.agent.loop import Rules, agent
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.agent.turns import Answered
from aimsciqa_assets.airqa.baselines import reading
from aimsciqa_assets.airqa.baselines.methods import BASELINES, Baseline
from aimsciqa_assets.airqa.baselines.text2sql import text2sql
from aimsciqa_assets.airqa.environment import Found, Pages, Search, StoreEnvironment
from aimsciqa_assets.airqa.sandbox.observations import Query, Shown
from aimsciqa_assets.airqa.store.lexical import FusedSearch, StoreWords
from aimsciqa_assets.airqa.store.publishing import papers_file
from aimsciqa_assets.airqa.store.searching import StoreSearch, refuse_missing
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.reading.isolation import Load
from aimsciqa_assets.settings.airqa import AirqaSettings
from aimsciqa_assets.settings.airqa_runs import OBSERVATION_FORM, Run, runs_of

ACTOR_RUN = "extractor"
"""The run that the actions of EXTRACTOR's actor belong to."""
_RETRIEVED_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Shared:
    """What all dialogues of a run share; what the baseline does not need is not there."""

    papers: dict[str, PaperText]
    passages: dict[str, Sequence[Found]]
    environment: Keeping | None = None


def rules_of(chosen: AirqaSettings, baseline: Baseline) -> Rules:
    """The rules that the settings give an agent."""
    return Rules(
        baseline.actions_with(view=chosen.view),
        chosen.action_format,
        chosen.action_style,
        chosen.turns,
        chosen.window,
        chosen.answer_tokens,
        chosen.images,
    )


def shared_by(run: StepRun, named: Run, questions: Sequence[Question], stack: ExitStack) -> Shared:
    """Open what the baseline needs, until the stack closes. Raises `StoreSearchError` without a store."""
    baseline = BASELINES[named.baseline]
    store = store_of(run)
    if not baseline.reads_papers:
        return Shared({}, {}, environment_of(run, stack, named.run_id, searches=baseline.searches))
    search = _search_of(run, stack) if baseline.searches else None
    passages: dict[str, Sequence[Found]] = {}
    wanted = {paper for question in questions for paper in question.anchors}
    if search:
        passages = retrieved(search, questions, run.settings.airqa.passages)
        wanted |= {one.pdf_id for found in passages.values() for one in found}
    papers = paper_texts(store, sorted(wanted), whole=baseline.reads_texts)
    return Shared(papers, passages)


def store_of(run: StepRun) -> Path:
    """The published paper store. Raises `StoreSearchError` where there is none."""
    store = papers_file(run.home)
    refuse_missing(store)
    return store


def environment_of(run: StepRun, stack: ExitStack, run_id: str, *, searches: bool) -> Keeping:
    """What carries out the actions of agents, until the stack closes; each of them once."""
    search = _search_of(run, stack) if searches else None
    shown = Shown(max_timeout=run.settings.airqa.query_seconds)
    query = stack.enter_context(Query(store_of(run), shown=shown))
    pages = pages_of(run.warehouse, run.files.get) if run.settings.airqa.view else None
    environment = StoreEnvironment(query, search, pages)
    kept = Keeping(environment, observations_file(run.home), _state(run), run_id)
    stack.callback(kept.close)
    return kept


def forget_unused(run: StepRun, environment: Keeping) -> int:
    """Remove what actions gave that no run finds again; how many observations."""
    known = run.warehouse.read("select distinct run_id from airqa.runs")["run_id"]
    return environment.prune({*known, *runs_of(run.settings), ACTOR_RUN})


def _search_of(run: StepRun, stack: ExitStack) -> Search:
    """The search that the settings choose, open until the stack closes."""
    retriever, store = run.settings.airqa.retriever, papers_file(run.home)
    if retriever == "bm25":
        return Gathering(StoreWords(store))
    by_vectors = StoreSearch.of_home(run.home, run.encoder)
    stack.callback(by_vectors.close)
    return Gathering(by_vectors if retriever == "encoder" else FusedSearch(by_vectors, StoreWords(store)))


def retrieved(search: Search, questions: Sequence[Question], limit: int) -> dict[str, Sequence[Found]]:
    """The passages nearest to each question, in the papers that it names; in all, where it names none."""
    found: dict[str, Sequence[Found]] = {}
    for start in range(0, len(questions), _RETRIEVED_AT_ONCE):
        some = questions[start : start + _RETRIEVED_AT_ONCE]
        passages = search.search([one.question for one in some], limit, [one.anchors for one in some])
        found |= {one.example_id: of for one, of in zip(some, passages, strict=True)}
    return found


def dialogues(
    named: Run, questions: Sequence[Question], shared: Shared, chosen: AirqaSettings
) -> Iterator[Dialogue[Answered]]:
    """A dialogue for each example and repeat."""
    baseline = BASELINES[named.baseline]
    for repeat in range(1, chosen.repeats + 1):
        for question in questions:
            key = row_id(named.run_id, repeat, question.example_id)
            if shared.environment is None:
                shown = _shown(question, named.baseline, shared, chosen)
                yield reading.read_once(key, question, shown, repeat, chosen.answer_tokens)
            elif baseline.actions:
                yield agent(key, question, shared.environment, rules_of(chosen, baseline), repeat)
            else:
                yield text2sql(key, question, shared.environment, repeat, chosen.answer_tokens)


def _shown(question: Question, baseline: str, shared: Shared, chosen: AirqaSettings) -> dict[str, Any]:
    papers = shared.papers
    if baseline == "rag":
        return reading.passages(question, papers, shared.passages[question.example_id])
    if baseline == "full_text":
        return reading.beginnings(question, papers, chosen.full_text_tokens)
    return (
        reading.abstracts(question, papers)
        if baseline == "title_abstract"
        else reading.titles(question, papers)
    )


def pages_of(warehouse: Warehouse, load: Load) -> Pages:
    """The stored files of the papers in the store that came as PDF, as the action View shows them."""
    read = warehouse.read(
        "select papers.uuid, papers.file_id from airqa.papers papers join airqa.store store using (uuid) "
        "where papers.batch = store.from_batch and papers.source = 'pdf' order by all"
    )
    return Pages(dict(read.iter_rows()), load)


def observations_file(home: Path) -> Path:
    """Where what actions gave is kept."""
    return home / "airqa" / "observations.sqlite"


def _state(run: StepRun) -> str:
    """What an observation depends on besides its action."""
    chosen = run.settings.airqa
    made_by = f"{chosen.retriever} {run.encoder.name} {run.encoder.revision}"
    return f"{store_mark(run)} {made_by} {chosen.query_seconds:g} {OBSERVATION_FORM}"


def store_mark(run: StepRun) -> str:
    """A mark of the store as it was published."""
    record = "select fingerprint from ops.materializations where table_name = 'airqa.store'"
    return " ".join(run.warehouse.read(record)["fingerprint"].to_list())

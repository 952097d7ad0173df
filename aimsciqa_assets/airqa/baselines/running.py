"""A run of a baseline over examples: what it shares among its dialogues, and the dialogues themselves."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.language_model import Dialogue
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
from aimsciqa_assets.airqa.store.publishing import papers_file
from aimsciqa_assets.airqa.store.searching import StoreSearch, StoreSearchError
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.settings.airqa import AirqaSettings
from aimsciqa_assets.settings.airqa_runs import Run

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
    store = papers_file(run.home)
    if not store.is_file():
        raise StoreSearchError(
            f"There is no paper store at {store}. Set AIMSCIQA_AIRQA_STORE=true, and start `aimsciqa run`."
        )
    search: Search | None = None
    if baseline.searches:
        opened = StoreSearch.of_home(run.home, run.encoder)
        stack.callback(opened.close)
        search = Gathering(opened)
    papers: dict[str, PaperText] = {}
    passages: dict[str, Sequence[Found]] = {}
    if baseline.reads_papers:
        wanted = {paper for question in questions for paper in question.anchors}
        if search:
            passages = retrieved(search, questions, run.settings.airqa.passages)
            wanted |= {one.pdf_id for found in passages.values() for one in found}
        papers = paper_texts(store, sorted(wanted), whole=baseline.reads_texts)
        return Shared(papers, passages)
    query = stack.enter_context(Query(store, shown=Shown(max_timeout=run.settings.airqa.query_seconds)))
    pages = _pages(run) if run.settings.airqa.view else None
    environment = StoreEnvironment(query, search, pages)
    kept = Keeping(environment, run.home / "airqa" / "observations.sqlite", _state(run))
    stack.callback(kept.close)
    return Shared(papers, passages, kept)


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


def _pages(run: StepRun) -> Pages:
    """The stored files of the papers in the store that came as PDF, as the action View shows them."""
    read = run.warehouse.read(
        "select papers.uuid, papers.file_id from airqa.papers papers join airqa.store store using (uuid) "
        "where papers.batch = store.from_batch and papers.source = 'pdf' order by all"
    )
    return Pages(dict(read.iter_rows()), run.files.get)


def _state(run: StepRun) -> str:
    """What an observation depends on besides its action."""
    return f"{store_mark(run)} {run.encoder.name} {run.encoder.revision} {run.settings.airqa.query_seconds:g}"


def store_mark(run: StepRun) -> str:
    """A mark of the store as it was published."""
    record = "select fingerprint from ops.materializations where table_name = 'airqa.store'"
    return " ".join(run.warehouse.read(record)["fingerprint"].to_list())

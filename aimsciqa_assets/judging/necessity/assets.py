"""The necessity ledger as assets: searches and twins, questions to models, verdicts, rates."""

from collections.abc import Iterable

import polars as pl
from aimsciqa_resources.warehouse import tables_in

from aimsciqa.documents import Documents
from aimsciqa.measures.dependence import clusters_of
from aimsciqa_assets.items import kinds_with_tables
from aimsciqa_assets.judging.gates import best_scores
from aimsciqa_assets.judging.necessity.corpus import texts_of
from aimsciqa_assets.judging.necessity.difficulty import difficulty_rows
from aimsciqa_assets.judging.necessity.items import Item, item_of
from aimsciqa_assets.judging.necessity.marking import given, judge_of, mark_dialogues, marked
from aimsciqa_assets.judging.necessity.rates import rate_rows
from aimsciqa_assets.judging.necessity.reading import Text
from aimsciqa_assets.judging.necessity.rules import Rules, Texts, of_last, queries_of, with_answer
from aimsciqa_assets.judging.necessity.searching import Nearest, found_rows, nearest, nearest_of
from aimsciqa_assets.judging.necessity.tasks import ANSWER, COUNTERFACTUAL, MARK, prompt_version
from aimsciqa_assets.judging.necessity.trials import Readings, dialogues, trial_rows, without_text
from aimsciqa_assets.judging.necessity.verdicts import Answered, Verdicts
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.retrieval.notation import parse
from aimsciqa_assets.retrieval.opening import Opening

_ITEMS = query_of("necessity.items")
_FACTS = query_of("necessity.facts")
_CODE = digest({"items": _ITEMS.version, "tables": kinds_with_tables()})[:12]
_SEARCHES, _TWINS, _TRIALS = "quality.searches", "quality.twins", "quality.trials"
_LEDGER, _DIFFICULTY, _RATES = "quality.necessity", "quality.difficulty", "quality.necessity_rates"
_TEXTS = ("corpus.papers", "corpus.sections", "corpus.paragraphs")
_RETRIEVABLE = (
    "not retracted and "
    "(article_type = 'evaluation' or paper_id in (select paper_id from corpus.admitted_papers))"
)
_NAMED = "paper_id in (select unnest($papers))"
_OF_RULES = ("necessity.top_k", "necessity.question_share", "necessity.lead")


@step_asset(
    Step(
        writes=(_SEARCHES, _TWINS),
        reads=(*tables_in(_ITEMS.text), *_TEXTS, "corpus.admitted_papers"),
        settings=(
            *_OF_RULES,
            "necessity.retriever",
            "benchmark.retriever_models",
            "benchmark.retriever_precision",
            "benchmark.rerank_depth",
        ),
        encodes=True,
        code=_CODE,
    )
)
def twins(run: StepRun) -> Frames:
    """Searches the paragraphs of all papers for what could replace an item's documents, and finds a twin for
    each: the nearest paper that lacks the fact of the last document.
    """
    chosen = run.settings.necessity
    items = _items(run)
    texts = _texts(run, _RETRIEVABLE)
    documents = Documents.of({paper: text.passages for paper, text in texts.items()})
    retriever = Opening(documents, run.encoder, run.settings.benchmark).open(parse(chosen.retriever))
    wanted: dict[str, set[str]] = {}
    for item in items:
        for query in queries_of(item):
            wanted.setdefault(query, set()).update(item.papers)
    most = max((len(item.sources) for item in items), default=0)
    with progress("searching for papers that could replace others", len(wanted)) as advance:
        found = nearest(retriever, documents, wanted, chosen.top_k + most, advance)
    near = {one.paper_id for item in items if item.tables for one in found.get(of_last(item), [])}
    whole = _texts(run, _NAMED, tables=True, papers=sorted(near))
    rules = _rules(run, lambda item, paper: (whole if item.tables else texts).get(paper))
    made = [rules.twin(item, found.get(of_last(item), [])) for item in items]
    return {
        _SEARCHES: frame_of(_SEARCHES, found_rows(found)),
        _TWINS: frame_of(_TWINS, [row for row in made if row]),
    }


@step_asset(
    Step(
        writes=(_TRIALS,),
        reads=(
            *tables_in(_ITEMS.text),
            *_TEXTS,
            _SEARCHES,
            _TWINS,
            "benchmark.answers",
            "benchmark.judgements",
        ),
        settings=(
            "necessity.tests",
            "necessity.kinds",
            "necessity.items",
            "necessity.top_k",
            "necessity.document_words",
            "benchmark.seed",
            "benchmark.judges",
            "benchmark.models",
            "benchmark.same_family",
            "judge_model",
        ),
        asks="answering",
        prompts=(ANSWER.name, COUNTERFACTUAL.name, MARK.name),
        recorded=lambda settings: settings.recorded_judges,
        prompt_version=f"{prompt_version()}+{MARK.version}",
        code=_CODE,
    )
)
def trials(run: StepRun) -> Frames:
    """Asks a model the questions of items again: with other documents, names or values, without some.

    What the answering benchmark asked the same model is not asked again. A judge of another family marks the
    answers; without one they are compared by their words.
    """
    chosen = run.settings.necessity
    items = _sampled(run, _items(run))
    answered = _answered(run, run.part)
    readings = Readings(
        _searched(run),
        dict(run.read(_TWINS, columns="item_id, twin_paper_id").iter_rows()),
        chosen.test_names,
        chosen.top_k,
    )
    asked = [
        trial
        for item in items
        for trial in readings.of(item, run.part, answered.get(item.item_id, frozenset()))
    ]
    texts = _texts_of(run, ((trial.item, trial.papers) for trial in asked))
    tried = without_text(asked, texts)
    total = len(asked) - len(tried)
    with run.ask(_TRIALS, dialogues(asked, texts, chosen.document_words), total, "testing") as outcomes:
        tried += outcomes
    rows = trial_rows(tried, run.part, run.model.revision, prompt_version())
    judge, answers = judge_of(run.settings, run.part), given(rows)
    if judge is None:
        rows = marked(rows, (), None)
    else:
        model = run.settings.named_model("judge", judge)
        doing = f"marked by {judge}"
        with run.ask(_TRIALS, mark_dialogues(answers), len(answers), doing, model=model) as marks:
            rows = marked(rows, marks, judge)
    return {_TRIALS: frame_of(_TRIALS, sorted(rows, key=lambda row: row["trial_id"]))}


@step_asset(
    Step(
        writes=(_LEDGER, _DIFFICULTY),
        reads=(
            *tables_in(_ITEMS.text),
            *_TEXTS,
            _SEARCHES,
            _TWINS,
            _TRIALS,
            "benchmark.answers",
            "benchmark.judgements",
        ),
        settings=(
            *_OF_RULES,
            "necessity.tests",
            "necessity.models",
            "necessity.prior_share",
            "necessity.quota",
            "benchmark.answerers",
            "benchmark.seed",
            "answering_model",
        ),
        code=_CODE,
    )
)
def necessity(run: StepRun) -> Frames:
    """Tests by rules, and by what models answered, whether each item needs its documents and its hops.

    A test that needs a model has the verdict unknown, detail no_model, while settings.necessity names none.
    """
    chosen, items, found = run.settings.necessity, _items(run), _searched(run)
    papers = [
        (item, item.papers | {near.paper_id for near in found.get(with_answer(item), [])}) for item in items
    ]
    answerers = {
        name: Answered(
            best_scores(run.read("benchmark.judgements", "answerer = $name", name=name)),
            _rows_by_item(run.read(_TRIALS, "model = $name", name=name)),
        )
        for name in dict.fromkeys([*run.settings.answerer_names, *chosen.model_names])
    }
    solved = {
        item.item_id: [right for one in answerers.values() if (right := one.solved(item)) is not None]
        for item in items
    }
    difficulty = difficulty_rows(items, found, solved, run.settings.benchmark.seed)
    verdicts = Verdicts(
        _rules(run, _texts_of(run, papers)),
        found,
        dict(run.read(_TWINS, columns="item_id, twin_paper_id").iter_rows()),
        {row["item_id"]: row for row in difficulty},
        answerers,
        chosen.test_names,
        tuple(chosen.model_names),
        chosen.quota,
        chosen.prior_share,
    )
    with progress("testing what items need", len(items)) as advance:
        rows = verdicts.of(items, advance)
    return {_LEDGER: frame_of(_LEDGER, rows), _DIFFICULTY: frame_of(_DIFFICULTY, difficulty)}


@step_asset(
    Step(
        writes=(_RATES,),
        reads=(_LEDGER, *tables_in(_FACTS.text)),
        settings=("benchmark.resampled", "benchmark.resamples", "benchmark.seed"),
        code=_FACTS.version,
    )
)
def necessity_rates(run: StepRun) -> Frames:
    """The share of items of each kind that pass each test, with 95 % bootstrap intervals over items that
    share no fact.
    """
    chosen, ledger = run.settings.benchmark, run.read(_LEDGER)
    by_fact = chosen.resampled == "facts"
    facts = dict(run.warehouse.read(_FACTS.text).iter_rows()) if by_fact else {}
    clusters = clusters_of(facts, ledger["item_id"])
    rows = rate_rows(ledger, clusters=clusters, resamples=chosen.resamples, seed=chosen.seed)
    return {_RATES: frame_of(_RATES, rows)}


def _items(run: StepRun) -> list[Item]:
    return [item_of(row) for row in run.warehouse.read(_ITEMS.text).iter_rows(named=True)]


def _sampled(run: StepRun, items: list[Item]) -> list[Item]:
    """The items that models are asked about: so many of each of the chosen kinds, drawn by the seed."""
    number, kinds = run.settings.necessity.items, run.settings.necessity.kind_names
    items = [item for item in items if not kinds or item.variant in kinds]
    if not number:
        return items
    ids = {
        one
        for kind in {item.variant for item in items}
        for one in drawn(
            [item.item_id for item in items if item.variant == kind], number, run.settings.benchmark.seed
        )
    }
    return [item for item in items if item.item_id in ids]


def _rules(run: StepRun, texts: Texts) -> Rules:
    chosen = run.settings.necessity
    return Rules(texts, chosen.question_share, chosen.lead, chosen.top_k)


def _searched(run: StepRun) -> Nearest:
    return nearest_of(run.read(_SEARCHES).iter_rows(named=True))


def _answered(run: StepRun, model: str) -> dict[str, frozenset[str]]:
    """The settings in which the benchmark has marked answers of a model, by item."""
    scores = best_scores(run.read("benchmark.judgements", "answerer = $name", name=model))
    found: dict[str, set[str]] = {}
    for (item, setting), score in scores.items():
        if score.value is not None:
            found.setdefault(item, set()).add(setting)
    return {item: frozenset(settings) for item, settings in found.items()}


def _rows_by_item(rows: pl.DataFrame) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for row in rows.iter_rows(named=True):
        found.setdefault(row["item_id"], []).append(row)
    return found


def _texts_of(run: StepRun, papers: Iterable[tuple[Item, Iterable[str]]]) -> Texts:
    """The texts of the papers of items; with tables where the quotes of an item may stand in them."""
    wanted: dict[bool, set[str]] = {False: set(), True: set()}
    for item, of_item in papers:
        wanted[item.tables].update(of_item)
    texts = {
        tables: _texts(run, _NAMED, tables=tables, papers=sorted(names)) for tables, names in wanted.items()
    }
    return lambda item, paper: texts[item.tables].get(paper)


def _texts(run: StepRun, which: str, *, tables: bool = False, **parameters: object) -> dict[str, Text]:
    """Title and paragraphs of papers, by id; a paper without paragraphs has its abstract."""
    of_papers = "paper_id in (select unnest($ids))"
    papers = run.read("corpus.papers", which, "paper_id, title, abstract", **parameters)
    return texts_of(
        papers,
        run.read("corpus.sections", columns="section_id, position as section"),
        run.read(
            "corpus.paragraphs",
            of_papers if tables else f"{of_papers} and kind = 'text'",
            "paper_id, section_id, position, text",
            ids=papers["paper_id"].to_list(),
        ),
    )

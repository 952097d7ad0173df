"""The answering benchmark as assets: models answer, judges score the answers, and means are taken."""

from collections.abc import Iterator
from itertools import chain

import polars as pl
from aimsciqa_resources.language_model.settings import HUMAN
from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.task import Outcome, version_of
from aimsciqa_assets.benchmark.answering.answers import answer_frame, answers_of, prompt_version
from aimsciqa_assets.benchmark.answering.choosing import is_chosen, realistic_retriever
from aimsciqa_assets.benchmark.answering.evaluators import divided, evaluated_judgements
from aimsciqa_assets.benchmark.answering.excerpts import RetrieverOf, abstracts_of, passage_dialogues
from aimsciqa_assets.benchmark.answering.facts import (
    FACT_JUDGE,
    STATED_FACTS,
    ByRules,
    Stated,
    by_rules,
    fact_dialogues,
    judge_scores,
    refused_scores,
    rule_scores,
)
from aimsciqa_assets.benchmark.answering.judging import (
    judge_dialogues,
    judged_answers,
    lexical_judgements,
    model_judgements,
    refused_judgements,
)
from aimsciqa_assets.benchmark.answering.markers import Citations, citations_of
from aimsciqa_assets.benchmark.answering.measuring import MEASURED
from aimsciqa_assets.benchmark.answering.papers import texts_of
from aimsciqa_assets.benchmark.answering.rag.running import answered_by, step_rows
from aimsciqa_assets.benchmark.answering.rag.tasks import TASKS
from aimsciqa_assets.benchmark.answering.readings import (
    Reading,
    Row,
    answering_dialogues,
    cited_readings,
    first_retrieved,
    marker_dialogues,
    plain_readings,
    with_texts,
)
from aimsciqa_assets.benchmark.answering.scores import score_rows
from aimsciqa_assets.benchmark.answering.segments import ANSWER_SELECTION, segment_dialogues
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE, ANSWERING, CITATION_MARKER
from aimsciqa_assets.benchmark.dependence import FACTS, drawn_clusters
from aimsciqa_assets.benchmark.samples import sampled
from aimsciqa_assets.items import kind_of, kinds_with_tables, long_answer_kinds, settings_of_kinds
from aimsciqa_assets.items.form import gold_papers, papers_in_hand
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.retrieval.notation import parse
from aimsciqa_assets.retrieval.opening import Opening

Made = tuple[list[Reading], list[Outcome[str]], str, list[Row]]
"""Readings, outcomes, prompt version, rows of steps."""

_ANSWERS = "benchmark.answers"
_RAG_STEPS = "benchmark.rag_steps"
_JUDGEMENTS = "benchmark.judgements"
_FACT_SCORES = "benchmark.fact_scores"
_RATINGS = "benchmark.aspect_ratings"
_SCORES = "benchmark.answering_scores"
_EVALUATED = query_of("benchmark.evaluated")


@step_asset(
    Step(
        writes=(_ANSWERS, _RAG_STEPS),
        reads=(
            *tables_in(_EVALUATED.text),
            "benchmark.rankings",
            "corpus.papers",
            "corpus.admitted_papers",
            "single_hop.qa_pairs",
            "corpus.sections",
            "corpus.paragraphs",
            "corpus.citation_mentions",
            "corpus.references",
            "corpus.citation_edges",
        ),
        settings=(
            "benchmark.answering_items",
            "benchmark.answering_settings",
            "benchmark.realistic_retriever",
            "benchmark.retrieval_items",
            "benchmark.retrievers",
            "benchmark.answer_without_citation",
            "benchmark.passages",
            "benchmark.passages_retriever",
            "benchmark.context_tokens",
            "benchmark.chunking",
            "benchmark.bert_score_model",
            "benchmark.bert_score_folder",
            "benchmark.bert_score_rescaled",
            "benchmark.bleurt_folder",
            "benchmark.seed",
            "benchmark.rag",
            "benchmark.rag_reading",
        ),
        encodes=True,
        asks=ANSWERING.name,
        prompts=(ANSWERING.name, CITATION_MARKER.name, ANSWER_SELECTION.name, *(task.name for task in TASKS)),
        prompt_version=version_of(ANSWERING, CITATION_MARKER, ANSWER_SELECTION, *TASKS),
        code=digest(
            {
                "items": _EVALUATED.version,
                "settings": settings_of_kinds(),
                "long": long_answer_kinds(),
                "tables": kinds_with_tables(),
            }
        )[:12],
    )
)
def answers(run: StepRun) -> Frames:
    """Asks a model the questions in the settings of their kind, and measures its answers (section 5.2).

    In the citation setting the model first chooses the marker that leads to the second paper. If the papers
    do not fit into its context, it reads the paragraphs nearest the question. RAG baselines search for papers
    themselves. Exact match and token F1 are SQuAD's and, in columns of their own, those of HopWeaver's
    authors; `rouge_l` is without stemmer. Long answers have ROUGE-1, -2 and -L with it, too (SciDQA). An
    answer that was not given counts as 0.
    """
    chosen = run.settings.benchmark
    evaluated = run.warehouse.read(_EVALUATED.text)
    queries = sampled(evaluated, chosen.answering_items, chosen.seed)
    items = queries.to_dicts()
    retriever = _realistic_retriever(run, evaluated)
    ranked = run.read(
        "benchmark.rankings",
        "setting in ('cluster', 'full') and retriever = $retriever",
        "item_id, setting, papers",
        retriever=retriever,
    )
    readings = [
        reading
        for reading in plain_readings(
            items, run.part, retriever, first_retrieved(ranked), chosen.passages_retriever
        )
        if is_chosen(reading.setting, chosen.answering_settings)
    ]
    if is_chosen("citation", chosen.answering_settings):
        readings += _cited(run, [item for item in items if "citation" in kind_of(item["variant"]).settings])
    rows: list[Row] = []
    steps: list[Row] = []
    of_tables = [reading for reading in readings if kind_of(reading.item["variant"]).tables]
    others = [reading for reading in readings if not kind_of(reading.item["variant"]).tables]
    made = [*_plainly(run, others, tables=False), *answered_by(run, items)]
    if of_tables:
        made += _plainly(run, of_tables, tables=True)
    for read, answered, version, taken in made:
        rows += answers_of(answered, read, run.part, run.model, version)
        steps += taken
    rows.sort(key=lambda row: str(row["answer_id"]))
    return {
        _ANSWERS: answer_frame(rows, queries, chosen),
        _RAG_STEPS: frame_of(_RAG_STEPS, steps),
    }


@step_asset(
    Step(
        writes=(_JUDGEMENTS, _FACT_SCORES),
        reads=(_ANSWERS, *tables_in(_EVALUATED.text), *tables_in(STATED_FACTS.text), "corpus.papers"),
        settings=("benchmark.judges", "benchmark.models", "benchmark.same_family", "judge_model"),
        asks="judge",
        prompts=(ANSWER_JUDGE.name, FACT_JUDGE.name),
        recorded=lambda settings: settings.recorded_judges,
        prompt_version=version_of(ANSWER_JUDGE, FACT_JUDGE),
        code=f"{_EVALUATED.version}+{STATED_FACTS.version}",
    )
)
def judgements(run: StepRun) -> Frames:
    """Scores the answers with 0, 0.5 or 1: by their words, and by the judges that the settings name.

    A judge does not score the answers of its own model family, unless benchmark.same_family lets it. The
    lexical judge only compares words. If an item has its own evaluator, this alone scores the answers. If an
    item has facts, rules say which of those with a number an answer states, and judges say it of the others.
    """
    items = run.warehouse.read(_EVALUATED.text).to_dicts()
    titles = dict(run.read("corpus.papers", columns="paper_id, title").iter_rows())
    given, evaluated = divided(judged_answers(run.read_part(_ANSWERS).to_dicts(), items, titles), items)
    rows = [*lexical_judgements(given), *evaluated_judgements(evaluated)]
    scored = by_rules(given, run.warehouse.read(STATED_FACTS.text).to_dicts())
    facts = [*rule_scores(scored)]
    chosen = run.settings.benchmark
    for judge in run.settings.judge_names:
        if same_family(chosen.called(judge), chosen.called(run.part)) and not chosen.same_family:
            rows += refused_judgements(given, judge)
            facts += refused_scores(scored, judge)
            continue
        count = sum(row["prediction"] is not None for row in given)
        model = run.settings.named_model("judge", judge)
        dialogues = judge_dialogues(given, judge)
        with run.ask(_JUDGEMENTS, dialogues, count, f"judged by {judge}", model=model) as outcomes:
            rows += model_judgements(outcomes, given, judge)
        facts += _facts_judged(run, scored, judge)
    return {
        table: frame_of(table, sorted(of_table, key=lambda row: (row["answer_id"], row["judge"])))
        for table, of_table in ((_JUDGEMENTS, rows), (_FACT_SCORES, facts))
    }


@step_asset(
    Step(
        writes=(_SCORES,),
        reads=(_ANSWERS, _JUDGEMENTS, _FACT_SCORES, _RATINGS, *tables_in(FACTS.text)),
        settings=(
            "benchmark.answering_items",
            "benchmark.unusable",
            "benchmark.resampled",
            "benchmark.resamples",
            "benchmark.seed",
        ),
        code=f"5+{FACTS.version}",
    )
)
def answering_scores(run: StepRun) -> Frames:
    """Takes the mean scores of each answerer, with 95 % bootstrap intervals over items that share no fact.

    Only answerers of all current items count: one that the settings no longer name may have answered others.
    """
    settings = run.settings.benchmark
    queries = run.read("benchmark.queries", columns="item_id, variant")
    asked = set(sampled(queries, settings.answering_items, settings.seed)["item_id"])
    answered = run.read(_ANSWERS, columns="answerer, item_id")
    current = [name for (name,), of in answered.group_by("answerer") if set(of["item_id"]) == asked]
    measured = ", ".join(("answer_id, item_id, answerer, variant, setting, rejection_reason", *MEASURED))
    rows = score_rows(
        run.read(_ANSWERS, "answerer in (select unnest($current))", measured, current=current),
        run.read(_JUDGEMENTS, columns="answer_id, judge, kind, score, rejection_reason"),
        run.read(_RATINGS, columns="answer_id, judge, overall, rejection_reason"),
        run.read(
            _FACT_SCORES,
            columns="answer_id, judge, stated, unscored, fact_recall, fact_precision, rejection_reason",
        ),
        unusable=settings.unusable,
        clusters=drawn_clusters(run, asked),
        resamples=settings.resamples,
        seed=settings.seed,
    )
    return {_SCORES: frame_of(_SCORES, rows)}


answerability = sql_asset("benchmark.answerability")


def _facts_judged(run: StepRun, scored: list[ByRules], judge: str) -> Iterator[Row]:
    """Rows of a judge about facts; it is asked about those without a number, if there are any."""
    count, model = sum(entry.is_asked for entry in scored), run.settings.named_model("judge", judge)
    replies: dict[str, Outcome[Stated]] = {}
    if count:
        dialogues, doing = fact_dialogues(scored, judge), f"facts judged by {judge}"
        with run.ask(_JUDGEMENTS, dialogues, count, doing, model=model) as outcomes:
            replies = {outcome.key: outcome for outcome in outcomes}
    yield from judge_scores(scored, judge, replies)


def _plainly(run: StepRun, readings: list[Reading], *, tables: bool) -> Iterator[Made]:
    """Readings with their outcomes: those whole or in part, and those by segments, which have steps.

    With `tables`, tables and captions of the papers are read, too.
    """
    chosen = run.settings.benchmark
    of_abstracts = [reading for reading in readings if reading.setting == "title_abstract"]
    abstracts = abstracts_of(run, {paper for reading in of_abstracts for paper in reading.papers})
    of_abstracts = with_texts(of_abstracts, abstracts)
    others = [reading for reading in readings if reading.setting != "title_abstract"]
    texts = texts_of(run, {paper for reading in others for paper in reading.papers}, tables=tables)
    others = with_texts(others, texts)
    in_passages = [reading for reading in others if reading.setting == "passages"]
    by_segments = [reading for reading in others if reading.setting == "segments"]
    whole = [reading for reading in others if reading.setting not in ("passages", "segments")]
    dialogues = chain(
        answering_dialogues(whole, texts),
        answering_dialogues(of_abstracts, abstracts),
        passage_dialogues(in_passages, texts, _passages_retriever(run), chosen.passages, chosen.chunking),
    )
    read = [*whole, *of_abstracts, *in_passages]
    count = sum(reading.reason is None for reading in read)
    with run.ask(_ANSWERS, dialogues, count, "answering questions") as outcomes:
        yield read, list(outcomes), prompt_version(), []
    if by_segments:
        # A person reads a paper whole.
        context = None if run.part.startswith(HUMAN) else chosen.context_tokens
        count = sum(reading.reason is None for reading in by_segments)
        with run.ask(
            _ANSWERS,
            segment_dialogues(by_segments, texts, context, chosen.chunking),
            count,
            "answering by segments",
        ) as results:
            answered = {one.outcome.key: one for one in results}
        outcomes_of_segments = [one.outcome for one in answered.values()]
        version = version_of(ANSWERING, ANSWER_SELECTION)
        yield by_segments, outcomes_of_segments, version, list(step_rows(by_segments, answered, run.part))


def _passages_retriever(run: StepRun) -> RetrieverOf:
    notation = parse(run.settings.benchmark.passages_retriever)
    return lambda documents: Opening(documents, run.encoder, run.settings.benchmark).open(notation)


def _realistic_retriever(run: StepRun, evaluated: pl.DataFrame) -> str | None:
    """The retriever whose first paper is read in the realistic setting."""
    chosen = run.settings.benchmark
    ranked = sampled(evaluated, chosen.retrieval_items, chosen.seed)
    searched = ranked.filter(pl.col("query").is_not_null())
    golds = {
        item: papers
        for item, documents in searched.select("item_id", "documents").iter_rows()
        if (papers := gold_papers(documents))
    }
    rankings = run.read("benchmark.rankings", "setting <> 'random'", "retriever, item_id, setting, papers")
    return realistic_retriever(chosen.realistic_retriever, chosen.retriever_names, rankings, golds)


def _cited(run: StepRun, items: list[Row]) -> list[Reading]:
    """The readings of these items in the citation setting."""
    sources = {paper for item in items for paper in papers_in_hand(item["documents"])}
    texts = texts_of(run, sources, tables=False)
    citations = _citations(run, sources)
    asked = [item for item in items if texts.keys() >= {*papers_in_hand(item["documents"])}]
    dialogues = marker_dialogues(asked, citations, texts)
    with run.ask(_ANSWERS, dialogues, len(asked), "choosing citation markers") as outcomes:
        without = run.settings.benchmark.answer_without_citation
        return list(cited_readings(outcomes, items, run.part, citations, without=without))


def _citations(run: StepRun, sources: set[str]) -> dict[str, Citations]:
    of_sources = "paper_id in (select unnest($papers))"
    papers = sorted(sources)
    return citations_of(
        run.read("corpus.citation_mentions", f"is_single and {of_sources}", papers=papers),
        run.read("corpus.references", of_sources, "reference_id, paper_id, position, label", papers=papers),
        run.read(
            "corpus.citation_edges",
            "citing_paper_id in (select unnest($papers))",
            "citing_paper_id, cited_paper_id, reference_ids",
            papers=papers,
        ),
    )

"""Quality of the items as assets."""

from aimsciqa_resources.warehouse import tables_in

from aimsciqa.measures.dependence import clusters_of
from aimsciqa_assets.items import earlier_versions, judged_kinds
from aimsciqa_assets.judging.choosing import choice_rows, choose_judges
from aimsciqa_assets.judging.coverage import coverage_of
from aimsciqa_assets.judging.gates import gate_rows
from aimsciqa_assets.judging.ratings import divided, rating_dialogues, ratings_of
from aimsciqa_assets.judging.reliability import reliability_of
from aimsciqa_assets.judging.scores import rating_score_rows
from aimsciqa_assets.judging.showing import papers_of, shown
from aimsciqa_assets.judging.task import QUALITY
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.tables.quality import NECESSITY

_EVALUATED = query_of("benchmark.evaluated")
_RESTS_ON = query_of("benchmark.facts_of_answers")
_RELABELLED = query_of("benchmark.relabelled")
_RATABLE = query_of("judging.ratable")
_RATED = query_of("judging.rated")
_TEXTS = query_of("judging.texts")
_WRITERS = query_of("judging.writers")
_VARIANTS = query_of("judging.variants")
_FACTS = query_of("necessity.facts")


@step_asset(
    Step(
        writes=("benchmark.gates",),
        reads=(
            *tables_in(_EVALUATED.text),
            *tables_in(_RESTS_ON.text),
            *tables_in(_RELABELLED.text),
            "benchmark.judgements",
            "benchmark.rankings",
            "quality.necessity",
        ),
        settings=(
            "benchmark.duplicate_similarity",
            "benchmark.answerers",
            "answering_model",
            "release.gates",
            "necessity.gating",
        ),
        encodes=True,
        code=f"8+{_EVALUATED.version}+{_RESTS_ON.version}+{_RELABELLED.version}",
    )
)
def gates(run: StepRun) -> Frames:
    """Checks every evaluated item with four quality gates; the first answerer plays the reader.

    Items of Findings have a fifth one, `relabelling`; `necessity` stands if settings.release.gates names it.
    """
    queries = run.warehouse.read(_EVALUATED.text).select("item_id", "variant", "question", "documents")
    judgements = run.read("benchmark.judgements", "answerer = $reader", reader=run.settings.answerer_names[0])
    rankings = run.read("benchmark.rankings", "setting = 'cluster'", "item_id, retriever, rank")
    ledger = None
    if NECESSITY in run.settings.release.gates.split():
        counting = run.settings.necessity.gating.split()
        # The extractive reader fails what it cannot answer from any documents: that says nothing of the item.
        ledger = run.read(
            "quality.necessity",
            "test in (select unnest($counting)) and model <> 'extractive'",
            counting=counting,
        )
    facts = {item: frozenset(of_item) for item, of_item in run.warehouse.read(_RESTS_ON.text).iter_rows()}
    with progress("encoding questions", queries.height) as advance:
        rows = gate_rows(
            queries,
            judgements,
            rankings,
            lambda questions: run.encoder.encode(questions, advance),
            run.settings.benchmark.duplicate_similarity,
            ledger=ledger,
            relabellings=run.warehouse.read(_RELABELLED.text),
            facts=facts,
            earlier=earlier_versions(),
        )
    return {"benchmark.gates": frame_of("benchmark.gates", rows)}


@step_asset(
    Step(
        writes=("benchmark.ratings",),
        reads=tuple(sorted({*tables_in(_RATED.text), *tables_in(_TEXTS.text)})),
        settings=(
            "benchmark.quality_items",
            "benchmark.quality_runs",
            "benchmark.quality_shown",
            "benchmark.quality_document_words",
            "benchmark.seed",
        ),
        asks="judge",
        prompts=(QUALITY.name,),
        prompt_version=QUALITY.version,
        code=digest({"queries": [_RATABLE.version, _RATED.version, _TEXTS.version], "kinds": judged_kinds()})[
            :12
        ],
    )
)
def ratings(run: StepRun) -> Frames:
    """Asks a judge to rate items drawn at random, several times each (HopWeaver, evaluation).

    The judge sees the question, the answer, and of every paper the title and what the settings say. It does
    not rate what a model of its own family wrote, nor an item of more than ten papers: such rows have a
    reason and no score.
    """
    settings = run.settings.benchmark
    ids = run.warehouse.read(_RATABLE.text)["item_id"]
    chosen = drawn(ids, settings.quality_items, settings.seed)
    items = run.warehouse.read(_RATED.text, {"ids": chosen})
    papers = papers_of(items, settings.quality_shown)
    texts = dict(run.warehouse.read(_TEXTS.text, {"papers": papers}).iter_rows()) if papers else {}
    told = shown(items, settings.quality_shown, texts, settings.quality_document_words)
    judge, runs = run.part, settings.quality_runs
    rated, others = divided(told, settings.called(judge))
    table, total = "benchmark.ratings", len(rated) * runs
    with run.ask(table, rating_dialogues(rated, runs), total, "rating items") as outcomes:
        return {table: ratings_of(outcomes, rated, others, runs=runs, judge=judge, model=run.model)}


@step_asset(Step(writes=("benchmark.reliability",), reads=("benchmark.ratings",)))
def reliability(run: StepRun) -> Frames:
    """Compares the runs of each judge, and the judges: spread, Krippendorff's alpha, Fleiss' kappa.

    A coefficient is null where it is not defined: with one rater, or the same rating everywhere (which some
    report as 1).
    """
    return {"benchmark.reliability": reliability_of(run.read("benchmark.ratings"))}


@step_asset(
    Step(
        writes=("benchmark.judge_choice",),
        reads=tuple(sorted({"benchmark.reliability", "benchmark.ratings", *tables_in(_WRITERS.text)})),
        settings=("benchmark.judges_chosen", "benchmark.judges_counting", "benchmark.models"),
        code=_WRITERS.version,
    )
)
def judge_choice(run: StepRun) -> Frames:
    """Ranks the judges by alpha, kappa and spread of their runs, and says which the rule chooses, and why.

    A judge of a family that wrote any of the rated items is never chosen (HopWeaver, evaluation).
    """
    chosen, reliability = run.settings.benchmark, run.read("benchmark.reliability")
    writers = run.warehouse.read(_WRITERS.text)["model"].to_list()
    candidates = choose_judges(
        reliability,
        writers,
        chosen.judges_chosen,
        called=chosen.called,
        unscored=run.read("benchmark.ratings", columns="judge")["judge"].unique().to_list(),
    )
    only = chosen.judges_counting == "chosen"
    rows = choice_rows(reliability, candidates, writers, chosen_only=only)
    return {"benchmark.judge_choice": frame_of("benchmark.judge_choice", rows)}


@step_asset(
    Step(
        writes=("benchmark.rating_scores",),
        reads=(
            "benchmark.ratings",
            "benchmark.judge_choice",
            *sorted({*tables_in(_VARIANTS.text), *tables_in(_FACTS.text)}),
        ),
        settings=("benchmark.resampled", "benchmark.resamples", "benchmark.seed"),
        code=f"{_VARIANTS.version}+{_FACTS.version}",
    )
)
def rating_scores(run: StepRun) -> Frames:
    """What the judges that count say of the items of each kind: means over judges, then over items.

    Intervals are 95 % bootstrap intervals over items that share no fact.
    """
    chosen = run.settings.benchmark
    variants = dict(run.warehouse.read(_VARIANTS.text).iter_rows())
    clusters = {item: item for item in variants}
    if chosen.resampled == "facts":
        clusters = clusters_of(dict(run.warehouse.read(_FACTS.text).iter_rows()), variants)
    rows = rating_score_rows(
        run.read("benchmark.ratings"),
        variants,
        run.read("benchmark.judge_choice", "counts", "judge")["judge"].to_list(),
        clusters=clusters,
        resamples=chosen.resamples,
        seed=chosen.seed,
    )
    return {"benchmark.rating_scores": frame_of("benchmark.rating_scores", rows)}


@step_asset(
    Step(
        writes=("benchmark.evidence_coverage",),
        reads=("corpus.sections", "corpus.paragraphs", "corpus.admitted_papers", "single_hop.qa_pairs"),
        code="2",
    )
)
def evidence_coverage(run: StepRun) -> Frames:
    """Counts the sentences of each section of which kept QA pairs quote at least half.

    Papers that were not admitted do not count: nobody asked about them.
    """
    admitted = "paper_id in (select paper_id from corpus.admitted_papers)"
    sections = run.read("corpus.sections", admitted)
    paragraphs = run.read(
        "corpus.paragraphs", f"{admitted} and kind = 'text'", "paragraph_id, section_id, text"
    )
    kept = run.read("single_hop.qa_pairs", "status = 'kept'", "paragraph_id, evidence_start, evidence_end")
    with progress("looking for sentences that are evidence", paragraphs.height) as advance:
        return {"benchmark.evidence_coverage": coverage_of(sections, paragraphs, kept, advance)}

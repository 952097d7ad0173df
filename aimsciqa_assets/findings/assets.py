"""Findings as assets: readings of papers, vocabulary, neighbourhoods and groups, drafts, trials, items.

A batch sees the papers of its own and of earlier batches: what is made of it depends on what was ingested, in
the order of the batches, and later batches leave it as it is.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import polars as pl
from aimsciqa_resources.language_model.interface import ModelUnavailableError

from aimsciqa_assets.asking.task import Task, version_of
from aimsciqa_assets.findings.drafting import DRAFTING, Wanted, drafted, requests_of
from aimsciqa_assets.findings.groups import group_rows, groups_of
from aimsciqa_assets.findings.inputs import (
    cited_papers,
    comparable,
    marked,
    measured_quantities,
    near_papers,
    papers_of_items,
    shelf,
    shown_groups,
    term_vectors_of,
    vectors_of_papers,
)
from aimsciqa_assets.findings.items import computation_rows, decided, fact_rows, item_row, split_rows
from aimsciqa_assets.findings.neighbourhoods import neighbourhood_rows, neighbourhoods, of_reviews
from aimsciqa_assets.findings.questions import (
    challenge_rows,
    draft_rows,
    drafts_of,
    reading_rows,
    with_doubles_rejected,
)
from aimsciqa_assets.findings.reading import (
    READING,
    finding_rows,
    paper_row,
    quantity_rows,
    read_paper,
    with_status,
)
from aimsciqa_assets.findings.relabelling import RELABELLING, relabelled, relabelling_row, shown_papers
from aimsciqa_assets.findings.seeds import SEEDS, groups_for
from aimsciqa_assets.findings.trials import CHALLENGE, STRICT_READING, Rules, tried
from aimsciqa_assets.findings.vocabulary import NAMING, Names, measure_rows, measured_rows, terms_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.platform.frames import Frames, as_declared, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

Row = dict[str, Any]

PAPERS: Final = "findings.papers"
FINDINGS: Final = "findings.findings"
QUANTITIES: Final = "findings.quantities"
CARD_VECTORS: Final = "findings.card_vectors"
TERM_VECTORS: Final = "findings.term_vectors"
MEASURES: Final = "findings.measures"
MEASURED: Final = "findings.measured"
NEIGHBOURHOODS: Final = "findings.neighbourhoods"
GROUPS: Final = "findings.groups"
GROUP_FINDINGS: Final = "findings.group_findings"
DRAFTS: Final = "findings.drafts"
CHALLENGES: Final = "findings.challenges"
READINGS: Final = "findings.readings"
ITEMS: Final = "findings.items"
FACTS: Final = "findings.facts"
COMPUTATIONS: Final = "findings.computations"
RELABELLINGS: Final = "findings.relabellings"
SPLITS: Final = "findings.splits"
_TEXTS: Final = ("corpus.papers", "corpus.sections", "corpus.paragraphs")


def _is_on(settings: Settings) -> bool:
    return settings.makes_findings


@step_asset(
    Step(
        writes=(PAPERS, FINDINGS),
        reads=_TEXTS,
        settings=("systems.findings", "findings.findings_per_paper", "findings.part_tokens"),
        asks="findings",
        asks_if=_is_on,
        prompts=(READING.name,),
        prompt_version=version_of(READING),
    )
)
def findings_of_papers(run: StepRun) -> Frames:
    """Reads each paper of the batch into a card and findings, each with an exact quote (spec 5, stage 1)."""
    chosen = run.settings.findings
    papers, findings = list[Row](), list[Row]()
    if _is_on(run.settings):
        texts = marked(run, "batch = $part", part=run.part)
        dialogues = (
            read_paper(paper, chosen.findings_per_paper, chosen.part_tokens) for paper in texts.values()
        )
        made_by = _made_by(run, READING)
        with run.ask(PAPERS, dialogues, len(texts), "reading papers") as readings:
            for read in readings:
                rows = finding_rows(read, run.part, chosen.findings_per_paper)
                papers.append(paper_row(with_status(read, rows), run.part, made_by))
                findings += rows
    return _frames({PAPERS: papers, FINDINGS: findings})


@step_asset(Step(writes=(QUANTITIES,), reads=(FINDINGS,)))
def findings_quantities(run: StepRun) -> Frames:
    """Joins findings of a paper that state one quantity, and marks quantities with several values."""
    rows = list[Row]()
    for _, findings in (
        run.read_part(FINDINGS).sort("paper_id", "number").group_by("paper_id", maintain_order=True)
    ):
        rows += quantity_rows(findings.rows(named=True))
    return _frames({QUANTITIES: rows})


@step_asset(Step(writes=(CARD_VECTORS, TERM_VECTORS), reads=(PAPERS, FINDINGS), encodes=True))
def findings_vectors(run: StepRun) -> Frames:
    """Encodes the card of each paper of the batch, and each term by which it calls a measure."""
    cards = run.read_part(PAPERS, "status = 'kept'").sort("paper_id")
    terms = run.read_part(FINDINGS, "status = 'kept'", "paper_id, measure")
    texts = [_card_text(card, terms) for card in cards.iter_rows(named=True)]
    measures = terms["measure"].unique().sort().to_list()
    return {
        CARD_VECTORS: _vectors(run, CARD_VECTORS, cards["paper_id"].to_list(), texts),
        TERM_VECTORS: _vectors(run, TERM_VECTORS, measures, measures),
    }


def _card_text(card: Row, terms: pl.DataFrame) -> str:
    measures = terms.filter(pl.col("paper_id") == card["paper_id"])["measure"].unique(maintain_order=True)
    parts = (card["description"], card["design"], card["population"], "; ".join(card["materials"]))
    return ". ".join(filter(None, (*parts, "; ".join(measures[:12]))))


def _vectors(run: StepRun, table: str, names: list[str], texts: list[str]) -> pl.DataFrame:
    """Return rows of a table of vectors. Without texts the encoder is not asked."""
    if not texts:
        return frame_of(table, [])
    name = TABLES[table].columns[0].name
    rows = pl.DataFrame({name: names, "vector": run.encoder.encode(texts)})
    made_by = {"batch": run.part, "encoder": run.encoder.name, "encoder_revision": run.encoder.revision}
    return as_declared(table, rows.with_columns(pl.lit(text).alias(key) for key, text in made_by.items()))


@step_asset(
    Step(
        writes=(MEASURES, MEASURED),
        reads=(FINDINGS, QUANTITIES, TERM_VECTORS),
        settings=("systems.findings", "findings.measure_similarity", "findings.terms_per_request"),
        asks="findings",
        asks_if=_is_on,
        prompts=(NAMING.name,),
        prompt_version=version_of(NAMING),
    )
)
def findings_vocabulary(run: StepRun) -> Frames:
    """Names measures, batch by batch: terms of a later batch join the names of earlier ones (stage 3)."""
    chosen = run.settings.findings
    if not _is_on(run.settings):
        return _frames({MEASURES: [], MEASURED: []})
    names = Names(chosen.measure_similarity, chosen.terms_per_request, run.model.name)
    measured = list[Row]()
    for batch, rows in measured_quantities(run):
        terms = terms_of(rows)
        clusters = names.clusters(terms, term_vectors_of(run, batch, terms), batch)
        dialogues = (cluster.named() for cluster in clusters)
        # Taken in the order of the clusters: replies come back in any order.
        replies = {}
        with run.ask(MEASURES, dialogues, len(clusters), f"naming measures of {batch}") as namings:
            for naming in namings:
                replies[naming.cluster.key] = naming.vocabulary
        if missing := len(run.accounts[-1].unanswered):
            raise ModelUnavailableError(
                f"{missing:,} of {len(clusters):,} requests that name measures of {batch} had no reply. "
                "A name is never changed, so none was given. The next run asks for the missing replies alone."
            )
        for cluster in clusters:
            names.take(cluster, replies.get(cluster.key), batch)
        measured += measured_rows(terms, names.namings)
    return _frames({MEASURES: list(measure_rows(names.namings)), MEASURED: measured})


@step_asset(
    Step(
        writes=(NEIGHBOURHOODS,),
        reads=(PAPERS, CARD_VECTORS, "corpus.cited_papers"),
        across=(PAPERS, CARD_VECTORS, "corpus.papers", "corpus.citation_edges"),
        across_if=_is_on,
        settings=("findings.largest_neighbourhood",),
    )
)
def findings_neighbourhoods(run: StepRun) -> Frames:
    """Opens neighbourhoods for the papers of the batch, among all papers up to it (stage 4)."""
    papers, vectors, new = vectors_of_papers(run)
    edges = run.read("corpus.citation_edges", columns="citing_paper_id, cited_paper_id")
    cited: dict[str, list[str]] = {}
    for citing, target in edges.iter_rows():
        cited.setdefault(citing, []).append(target)
        cited.setdefault(target, []).append(citing)
    most = run.settings.findings.largest_neighbourhood
    rows = neighbourhood_rows(run.part, list(neighbourhoods(papers, vectors, new, cited, most)))
    for review, opened in of_reviews(cited_papers(run), papers, vectors, new, most):
        rows += neighbourhood_rows(run.part, opened, review)
    return _frames({NEIGHBOURHOODS: rows})


@step_asset(
    Step(
        writes=(GROUPS, GROUP_FINDINGS),
        reads=(NEIGHBOURHOODS, CARD_VECTORS),
        across=(
            PAPERS,
            FINDINGS,
            CARD_VECTORS,
            MEASURES,
            MEASURED,
            "corpus.papers",
            "corpus.citation_mentions",
            "corpus.citation_edges",
        ),
        across_if=_is_on,
        settings=("findings.compared_findings",),
        stale_if="groups",
        stale_why="measures of its findings got other names",
    )
)
def findings_groups(run: StepRun) -> Frames:
    """Puts findings together that may be asked about together, one of them of the batch (stage 5)."""
    opened = run.read_part(NEIGHBOURHOODS).sort("neighbourhood_id", "position")
    papers = {
        str(key[0]): rows["paper_id"].to_list()
        for key, rows in opened.group_by("neighbourhood_id", maintain_order=True)
    }
    new = frozenset(run.read_part(CARD_VECTORS, columns="paper_id")["paper_id"])
    known = comparable(run, [paper for near in papers.values() for paper in near])
    rows, members = group_rows(groups_of(papers, new, known), run.part, known.measure_ids)
    return _frames({GROUPS: rows, GROUP_FINDINGS: members})


seeds = spec_of(
    TABLES[SEEDS],
    Step((SEEDS,)),
    "From outside: `aimsciqa findings ask FILE` brings them.",
)


@step_asset(
    Step(
        writes=(DRAFTS,),
        reads=(GROUPS, GROUP_FINDINGS, SEEDS),
        across=(PAPERS, FINDINGS, QUANTITIES, "corpus.citation_mentions", "corpus.citation_edges"),
        across_if=_is_on,
        settings=(
            "systems.findings",
            *(
                f"findings.{name}"
                for name in ("groups_per_request", "drafts_per_group", "types", "question_words")
            ),
        ),
        encodes=True,
        asks="drafter",
        asks_if=_is_on,
        prompts=(DRAFTING.name,),
        prompt_version=version_of(DRAFTING),
    )
)
def findings_drafts(run: StepRun) -> Frames:
    """Drafts questions on the groups of the batch, and on those that fit questions of users (stage 6)."""
    chosen = run.settings.findings
    rows = list[Row]()
    if _is_on(run.settings):
        listed, cards = shown_groups(run)
        wanted = Wanted(tuple(chosen.types.split()), chosen.drafts_per_group, chosen.question_words)
        asked = run.read(SEEDS, columns="question")["question"].to_list()
        by_seed = groups_for(asked, [group for _, group in listed], run.encoder)
        grouped = {"": listed} | {seed: [("", group) for group in groups] for seed, groups in by_seed.items()}
        requests = [
            (shown, replace(wanted, seed=seed))
            for seed, groups in grouped.items()
            for shown in requests_of(groups, chosen.groups_per_request)
        ]
        dialogues = (drafted(shown, cards, of_seed) for shown, of_seed in requests)
        made_by = _made_by(run, DRAFTING)
        with run.ask(DRAFTS, dialogues, len(requests), "drafting questions") as replies:
            for reply in replies:
                rows += draft_rows(reply, run.part, made_by)
    return _frames({DRAFTS: with_doubles_rejected(rows)})


@step_asset(
    Step(
        writes=(ITEMS, CHALLENGES, READINGS, FACTS, COMPUTATIONS),
        reads=(DRAFTS,),
        across=(*_TEXTS, FINDINGS, QUANTITIES, MEASURED, "corpus.citation_edges", "corpus.references"),
        across_if=_is_on,
        settings=(
            "systems.findings",
            *("findings.rounds", "findings.readers", "findings.passages", "findings.text_tokens"),
            *("findings.question_words", "findings.share_of_paper"),
        ),
        asks="challenger",
        asks_if=_is_on,
        prompts=(CHALLENGE.name, STRICT_READING.name),
        prompt_version=version_of(CHALLENGE, STRICT_READING),
        put_to=((STRICT_READING.name, "strict_reader"),),
    )
)
def findings_items(run: StepRun) -> Frames:
    """Challenges each draft, has it read strictly, and decides its fate by rules (stages 7 to 9)."""
    chosen = run.settings.findings
    rows: dict[str, list[Row]] = {table: [] for table in (CHALLENGES, READINGS, ITEMS, FACTS, COMPUTATIONS)}
    wordings = drafts_of(run.read_part(DRAFTS, "status = 'kept'").sort("draft_id").iter_rows(named=True))
    if _is_on(run.settings) and wordings:
        papers = shelf(run)
        rules = Rules(chosen.rounds, chosen.readers, chosen.question_words)
        dialogues = (tried(draft, wording, papers, rules) for draft, wording in wordings.items())
        with run.ask(ITEMS, dialogues, len(wordings), "challenging and reading questions") as results:
            trials = sorted(results, key=lambda trial: trial.draft_id)
        made_by = {task.name: _made_by(run, task) for task in (CHALLENGE, STRICT_READING)}
        texts = {paper: papers.paper(paper) for trial in trials for paper in trial.wording.papers}
        reasons = decided(trials, texts, chosen.question_words, chosen.share_of_paper)
        for trial in trials:
            rows[CHALLENGES] += challenge_rows(trial, run.part, made_by[CHALLENGE.name])
            rows[READINGS] += reading_rows(trial, run.part, made_by[STRICT_READING.name])
            reason = reasons[trial.draft_id]
            rows[ITEMS].append(item_row(trial, run.part, reason, made_by[CHALLENGE.name]))
            if reason is None:
                rows[FACTS] += fact_rows(trial, run.part, texts)
                rows[COMPUTATIONS] += computation_rows(trial, run.part)
    return _frames(rows)


@step_asset(
    Step(
        writes=(RELABELLINGS,),
        reads=(ITEMS, FACTS),
        across=(PAPERS, CARD_VECTORS),
        across_if=_is_on,
        settings=("systems.findings", "findings.relabelled_papers"),
        asks="strict_reader",
        asks_if=lambda settings: _is_on(settings) and settings.findings.relabelled_papers > 0,
        prompts=(RELABELLING.name,),
        prompt_version=version_of(RELABELLING),
    )
)
def findings_relabellings(run: StepRun) -> Frames:
    """Asks for each accepted item which of some papers it needs, by their cards (a gate of releases)."""
    count = run.settings.findings.relabelled_papers
    accepted = run.read_part(ITEMS, "status = 'accepted'", "item_id, question").rows()
    rows = list[Row]()
    if _is_on(run.settings) and count and accepted:
        of_items = papers_of_items(run)
        near = near_papers(run, {paper for papers in of_items.values() for paper in papers}, count)
        shown = {item: shown_papers(item, of_items[item], near, count) for item, _ in accepted}
        cards = {
            row["paper_id"]: row
            for row in run.read(
                PAPERS,
                "paper_id in (select unnest($shown))",
                shown=sorted({paper for papers in shown.values() for paper in papers}),
            ).iter_rows(named=True)
        }
        dialogues = (relabelled(item, question, shown[item], cards) for item, question in accepted)
        made_by = _made_by(run, RELABELLING)
        with run.ask(RELABELLINGS, dialogues, len(accepted), "asking which papers items need") as replies:
            rows += [relabelling_row(reply, of_items[reply.item_id], run.part, made_by) for reply in replies]
    return _frames({RELABELLINGS: rows})


@step_asset(Step(writes=(SPLITS,), reads=(FACTS,), settings=("multi_hop",)))
def findings_splits(run: StepRun) -> Frames:
    """Puts accepted items into dev and test, so that nothing of a test item stands in dev."""
    chosen = run.settings.multi_hop
    facts = run.read(FACTS).rows(named=True)
    return _frames({SPLITS: split_rows(facts, chosen.split_seed, chosen.test_items, chosen.test_fraction)})


def _frames(rows: Mapping[str, list[Row]]) -> Frames:
    return {table: frame_of(table, some).sort(*TABLES[table].key) for table, some in rows.items()}


def _made_by(run: StepRun, task: Task[Any]) -> dict[str, str]:
    model = run.model_of(task.name)
    return {"model": model.name, "model_revision": model.revision, "prompt_version": task.version}

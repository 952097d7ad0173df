"""How many requests later steps would send at most. What they ask depends on replies that nobody has yet.

A source has at most so many relations, a relation gives one item at most, an item is answered by every
answerer in every setting, and every judge scores every answer. HopWeaver tries every candidate of every
source. Nothing here asks or writes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor
from typing import Any

from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.refusals.judging import REFUSAL_JUDGE
from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.prompts import load_prompt
from aimsciqa_assets.benchmark.answering.choosing import is_chosen
from aimsciqa_assets.benchmark.answering.rag.running import baselines_of, limits_of, not_asked
from aimsciqa_assets.benchmark.answering.segments import ANSWER_SELECTION
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE, ANSWERING, CITATION_MARKER
from aimsciqa_assets.benchmark.aspects.ratings import may_judge
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE
from aimsciqa_assets.cli.later_reviews import OF_REVIEWS, REVIEW_QUESTION, review_questions
from aimsciqa_assets.cli.later_turns import BY_RUN, CHARACTERS_PER_TOKEN, Later
from aimsciqa_assets.findings.drafting import DRAFTING
from aimsciqa_assets.findings.form import FINDINGS
from aimsciqa_assets.findings.relabelling import RELABELLING
from aimsciqa_assets.findings.trials import CHALLENGE, STRICT_READING
from aimsciqa_assets.findings.vocabulary import NAMING
from aimsciqa_assets.hopweaver.comparison.tasks import QUERIES, QUESTION, SCORES
from aimsciqa_assets.hopweaver.polishing import POLISHERS
from aimsciqa_assets.hopweaver.strict_reading import READERS
from aimsciqa_assets.hopweaver.tasks import ENTITY, FUSION, SUB_QUESTIONS
from aimsciqa_assets.items import kind_of, long_answer_kinds
from aimsciqa_assets.judging.necessity.tasks import ANSWER, COUNTERFACTUAL, MARK
from aimsciqa_assets.judging.task import QUALITY
from aimsciqa_assets.platform.phases import in_order
from aimsciqa_assets.platform.plans import Plan
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.text.chunks import RESERVED

_CHARACTERS_PER_WORD = 6
_COMPARED = [kind.name for kind in FINDINGS.kinds]
_DOCUMENTS = 2
_OTHER_READINGS = 8
"""Nothing, all documents, hard negatives, masked, renamed, another value, third documents, twin."""
_PAIRS = 3
"""What an item is made of: a source pair, a target pair, and a retrieval question."""

_QUERIES = 3
"""Of a comparison."""

_NAMINGS_OF_PAPER, _DRAFTINGS_OF_PAPER, _DRAFTS_OF_PAPER, _ITEMS_OF_PAPER = 1, 2, 3, 2
"""Of Findings, for each paper: about as many as on 42 real papers (docs/findings.md)."""

_CHARACTERS_OF_FINDING = 300
_CHARACTERS_OF_CARD = 1_500

PAPERS_READ = {
    **{"oracle": 2, "realistic": 2, "citation": 2, "alone": 1, "closed_book": 0},
    **{"title_abstract": 0, "passages": 0, "segments": 0},
}
"""How many papers a model reads in a setting; title, abstract and passages are next to nothing. By segments
it reads a manuscript."""


@dataclass(frozen=True, slots=True)
class Most:
    """Requests of a task to a model: their number at most, and the characters of all without the prompt."""

    task: str
    model: ModelSettings
    requests: int
    material: float


def later_requests(now: Plan, resources: Mapping[str, Any], *, evaluate: bool) -> list[Later]:
    """What the steps that wait for others would ask at most, by task and model."""
    bounds = Bounds(now, resources["warehouse"], resources["settings"])
    found: dict[tuple[str, str], Later] = {}
    for step in in_order(STEPS.values()):
        if step.writes[0] not in {*_RULES, *_ALONE} or (step.on_request and not evaluate):
            continue
        for part in now.graph.parts_of(step.by):
            if now.of(step, part).state == "current" or now.may_be_made(step, part, ()):
                continue
            run = StepRun.of(step, part, resources)
            for later in _at_most(bounds, run, step.writes[0]):
                label = later.model.label or later.model.backend
                before = found.get((later.task, label), Later(later.task, later.model, 0, 0))
                found[later.task, label] = before.plus(later)
    return [later for later in found.values() if later.to_send]


def _at_most(bounds: "Bounds", run: StepRun, table: str) -> Iterator[Later]:
    if table in _ALONE:
        yield from _ALONE[table](run)
        return
    for most in _RULES[table](bounds, run):
        characters = most.requests * len(load_prompt(most.task).text) + most.material
        yield Later(most.task, most.model, most.requests, ceil(characters / CHARACTERS_PER_TOKEN))


@dataclass(frozen=True, eq=False)
class Bounds:
    """How much there will be at most, by what is there now."""

    now: Plan
    warehouse: Warehouse
    settings: Settings

    @cached_property
    def items_of_batches(self) -> dict[str, Counter[str]]:
        """Items by batch and variant."""
        made: dict[str, Counter[str]] = {}
        if not self.settings.systems.aim_sciqa:
            return made
        for row in self.warehouse.read(query_of("cli.most_items").text).iter_rows(named=True):
            made.setdefault(row["batch"], Counter())[row["variant"]] = self._items(row)
        return made

    def _items(self, row: Mapping[str, Any]) -> int:
        """Items of a variant in a batch: those accepted, else as relations, else as the sources allow."""
        items, relations = STEPS["multi_hop.items"], STEPS["relations.candidate_relations"]
        batch = row["batch"]
        # A batch that this run leaves alone stays as it is.
        if batch not in self.now.graph.parts_of("batch") or self.now.of(items, batch).state == "current":
            return int(row["accepted"])
        if self.now.may_be_made(items, batch, ()):
            return int(row["asked_about"])
        if self.now.of(relations, batch).state == "current":
            return int(row["relations"])
        return int(row["sources"]) * self.settings.relations.relations_per_source

    @cached_property
    def items(self) -> Counter[str]:
        """Items by variant, made or to be made, of all systems that ask models for them."""
        made = self._others.get(REVIEW_QUESTION, (0, 0))[0]
        of_reviews = Counter({REVIEW_QUESTION: max(made, review_questions(self.warehouse))})
        return sum(self.items_of_batches.values(), self.woven + of_reviews + self.compared)

    @cached_property
    def compared(self) -> Counter[str]:
        """Items of Findings by variant; those to be made count as value comparisons."""
        made = {name: items for name, (items, _) in self._others.items() if name in _COMPARED}
        to_make = self.papers_without("findings.items") * _ITEMS_OF_PAPER
        return Counter(made) + Counter({_COMPARED[0]: to_make})

    def papers_without(self, table: str) -> int:
        """Papers of the batches for which Findings still has to make a table."""
        step = STEPS[table]
        parts = self.now.graph.parts_of("batch") if self.settings.makes_findings else ()
        return sum(self.papers(batch) for batch in parts if self.now.of(step, batch).state != "current")

    @cached_property
    def woven(self) -> Counter[str]:
        """HopWeaver's items by variant: those of finished batches, else one of each source."""
        step, chosen = STEPS["hopweaver.items"], self.settings.hopweaver
        batches = self.now.graph.parts_of("batch")
        to_make = [batch for batch in batches if self.now.of(step, batch).state != "current"]
        found: Counter[str] = Counter()
        for batch, variant, items in self.warehouse.read(query_of("cli.woven_items").text).iter_rows():
            if batch not in to_make:
                found[variant] += items
        for kind in chosen.kind_names:
            sources = sum(map(self.sources, to_make))
            found[kind] += sources
            if chosen.evaluated == "both" and chosen.polish:
                found[f"{kind}_original"] += sources
        return found

    @cached_property
    def answered(self) -> Counter[str]:
        """Items by variant that each model answers: of the test split where only that is evaluated."""
        chosen, split = self.settings.benchmark, self.settings.multi_hop
        answered: Counter[str] = Counter()
        for variant, items in self.items.items():
            number = items
            if chosen.split == "test" and variant not in chosen.whole_variants.split():
                number = min(split.test_items, floor(round(split.test_fraction * items, 9)))
            answered[variant] = min(number, chosen.answering_items or number)
        return answered

    @cached_property
    def answers(self) -> Counter[str]:
        """Answers of each model by setting, without those of RAG baselines."""
        return self.answers_of(self.answered)

    def answers_of(self, variants: Iterable[str]) -> Counter[str]:
        """Those to items of these variants."""
        answers: Counter[str] = Counter()
        for variant in variants:
            for setting in kind_of(variant).settings:
                if is_chosen(setting, self.settings.benchmark.answering_settings):
                    documents = self._others.get(variant, (0, _DOCUMENTS))[1]
                    answers[setting] += self.answered[variant] * (documents if setting == "alone" else 1)
        return answers

    def sources(self, batch: str) -> int:
        """Documents of a batch from which HopWeaver tries to make a question of a kind."""
        papers, most = self.papers(batch), self.settings.hopweaver.documents_per_batch
        return min(papers, most) if most else papers

    def papers(self, batch: str) -> int:
        """Papers and documents that were taken in with a batch."""
        files = "select count(*) from corpus.input_files where batch = $batch and retired is null"
        return int(self.warehouse.read(files, {"batch": batch}).item())

    @cached_property
    def _others(self) -> dict[str, tuple[int, int]]:
        """By variant of other systems than AIM-SciQA: the items, and the most documents that one has."""
        rows = self.warehouse.read(query_of("cli.other_items").text).iter_rows()
        return {variant: (items, documents) for variant, items, documents in rows}

    @cached_property
    def lengths(self) -> dict[str, float]:
        """The mean lengths of a `paper`, a `paragraph`, a `manuscript` and a `manuscript_paragraph`, in
        characters.
        """
        return self.warehouse.read(query_of("cli.text_lengths").text).row(0, named=True)


def _composing(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    requests = bounds.items_of_batches.get(run.part, Counter()).total()
    material = requests * _PAIRS * bounds.lengths["paragraph"]
    yield Most(MULTI_HOP.name, run.model_settings, requests, material)


def _weaving(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What attempts go on to ask once their first question is answered, then polisher and reader."""
    chosen, model, paper = run.settings.hopweaver, run.settings.hopweaver_model, bounds.lengths["paper"]
    sources = bounds.sources(run.part)
    passages = _DOCUMENTS * bounds.lengths["paragraph"]
    if "bridge" in chosen.kind_names:
        candidates = sources * chosen.top_k
        yield Most(SUB_QUESTIONS.name, model, candidates, candidates * paper)
        yield Most(FUSION.name, model, candidates, candidates * passages)
    if "comparison" in chosen.kind_names:
        yield Most(SCORES.name, run.settings.filter_model, sources, sources * paper)
        yield Most(QUERIES.name, model, sources, sources * paper)
        candidates = sources * chosen.comparison_top_k * (1 if chosen.merging == "truncated" else _QUERIES)
        yield Most(QUESTION.name, model, candidates, candidates * _DOCUMENTS * paper)
    for kind in chosen.kind_names if chosen.polish else ():
        yield Most(POLISHERS[kind].name, run.model_settings, sources, sources * passages)
    for kind in chosen.kind_names if chosen.reader else ():
        yield Most(READERS[kind].name, run.settings.reader_model, sources, sources * passages)


def _training(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """Candidates on which a reranker is trained."""
    chosen, paper = run.settings.hopweaver, bounds.lengths["paper"]
    if run.settings.reranker_training.base and "bridge" in chosen.kind_names:
        candidates = bounds.sources(run.part) * chosen.top_k
        yield Most(SUB_QUESTIONS.name, run.model_settings, candidates, candidates * paper)


def _comparing(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What the ways to find a second document ask; what they have in common is asked once."""
    chosen, paper = run.settings.hopweaver, bounds.lengths["paper"]
    sources = sum(map(bounds.sources, bounds.now.graph.parts_of("batch"))) if chosen.kinds else 0
    drawn = min(sources, chosen.ablation_documents or sources) if chosen.arms else 0
    candidates = drawn * len(chosen.arms) * chosen.top_k
    passages = _DOCUMENTS * bounds.lengths["paragraph"]
    yield Most(ENTITY.name, run.model_settings, drawn, drawn * paper)
    yield Most(SUB_QUESTIONS.name, run.model_settings, candidates, candidates * paper)
    yield Most(FUSION.name, run.model_settings, candidates, candidates * passages)


def _naming(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What names measures of the findings that are still to be read."""
    requests = bounds.papers_without("findings.papers") * _NAMINGS_OF_PAPER
    shown = run.settings.findings.terms_per_request * _CHARACTERS_OF_FINDING
    yield Most(NAMING.name, run.model_settings, requests, requests * shown)


def _drafting(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What drafts questions of Findings: all findings of a paper with those of others, and small groups."""
    chosen = run.settings.findings
    requests = bounds.papers(run.part) * _DRAFTINGS_OF_PAPER if run.settings.makes_findings else 0
    shown = (chosen.findings_per_paper + chosen.compared_findings) * _CHARACTERS_OF_FINDING
    yield Most(DRAFTING.name, run.model_settings, requests, requests * shown)


def _relabelling(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What says by the cards of papers which of them an item needs."""
    chosen = run.settings.findings
    is_asked = run.settings.makes_findings and chosen.relabelled_papers
    requests = bounds.papers(run.part) * _ITEMS_OF_PAPER if is_asked else 0
    shown = chosen.relabelled_papers * _CHARACTERS_OF_CARD
    yield Most(RELABELLING.name, run.model_settings, requests, requests * shown)


def _trying(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What tries the drafts of Findings, in one round."""
    chosen = run.settings.findings
    drafts = bounds.papers(run.part) * _DRAFTS_OF_PAPER if run.settings.makes_findings else 0
    shown = min(_DOCUMENTS * bounds.lengths["paper"], chosen.text_tokens * CHARACTERS_PER_TOKEN)
    passages = chosen.passages * bounds.lengths["paragraph"]
    yield Most(CHALLENGE.name, run.model_settings, drafts, drafts * (shown + passages))
    readings = drafts * chosen.readers
    reader = run.settings.models["strict_reader"]
    yield Most(STRICT_READING.name, reader, readings, readings * shown)


def _answering(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    paper = bounds.lengths["paper"]
    read = sum(PAPERS_READ[setting] * number for setting, number in bounds.answers.items()) * paper
    model = run.model_settings
    by_segments, manuscript = bounds.answers["segments"], bounds.lengths["manuscript"]
    segments = ceil(manuscript / CHARACTERS_PER_TOKEN / (run.settings.benchmark.context_tokens - RESERVED))
    answers = bounds.answers.total() + by_segments * max(0, segments - 1)
    yield Most(ANSWERING.name, model, answers, read + by_segments * manuscript)
    if segments > 1:
        yield Most(ANSWER_SELECTION.name, model, by_segments, by_segments * bounds.lengths["paragraph"])
    markers = bounds.answers["citation"]
    yield Most(CITATION_MARKER.name, model, markers, markers * paper)
    chosen = run.settings.benchmark
    for baseline in baselines_of(chosen).values():
        if not_asked(run.part, model, baseline) is None:
            requests = bounds.answered.total() * baseline.most_requests(limits_of(chosen))
            # The first task shows the papers: as many characters at most as the settings let it.
            shown = chosen.rag_input_tokens * CHARACTERS_PER_TOKEN
            yield Most(baseline.tasks[0].name, model, requests, requests * shown)


def _judging(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    chosen = run.settings.benchmark
    answers = bounds.answers.total() + _baselines(run) * bounds.answered.total()
    for judge in run.settings.judge_names:
        if chosen.same_family or not same_family(chosen.called(judge), chosen.called(run.part)):
            model = run.settings.named_model("judge", judge)
            yield Most(ANSWER_JUDGE.name, model, answers, answers * bounds.lengths["paragraph"])


def _rating_answers(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    chosen = run.settings.benchmark
    kinds = long_answer_kinds()
    by_rag = _baselines(run) * sum(bounds.answered[kind] for kind in kinds)
    answers = bounds.answers_of(kinds).total() + by_rag
    for judge in run.settings.aspect_judge_names:
        if may_judge(chosen.called(judge), chosen.called(run.part)):
            model = run.settings.named_model("judge", judge)
            yield Most(ASPECT_JUDGE.name, model, answers, answers * bounds.lengths["paragraph"])


def _baselines(run: StepRun) -> int:
    """How many RAG baselines ask the answering model that the part is."""
    answerer = run.settings.named_model("answering", run.part)
    named = baselines_of(run.settings.benchmark).values()
    return sum(not_asked(run.part, answerer, one) is None for one in named)


def _rating(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    chosen = run.settings.benchmark
    requests = min(bounds.items.total(), chosen.quality_items) * chosen.quality_runs
    shown = bounds.lengths["paragraph"]
    if chosen.quality_shown == "documents":
        shown = min(bounds.lengths["paper"], chosen.quality_document_words * _CHARACTERS_PER_WORD)
    material = requests * _DOCUMENTS * shown
    yield Most(QUALITY.name, run.model_settings, requests, material)


def _judging_refusals(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    requests = min(bounds.items.total(), run.settings.benchmark.refusals)
    material = requests * _DOCUMENTS * bounds.lengths["paragraph"]
    yield Most(REFUSAL_JUDGE.name, run.model_settings, requests, material)


def _testing(bounds: Bounds, run: StepRun) -> Iterator[Most]:
    """What the ledger asks a model: each document alone, and eight other readings of an item."""
    chosen = run.settings.necessity
    items = sum(
        min(number, chosen.items or number)
        for kind, number in bounds.items.items()
        if not chosen.kind_names or kind in chosen.kind_names
    )
    requests = items * (_DOCUMENTS + _OTHER_READINGS)
    words = requests * (_DOCUMENTS + chosen.top_k) * chosen.document_words * _CHARACTERS_PER_WORD
    yield Most(ANSWER.name, run.model_settings, requests, words)
    yield Most(COUNTERFACTUAL.name, run.model_settings, items, items * bounds.lengths["paragraph"])
    for judge in run.settings.judge_names[:1]:
        yield Most(MARK.name, run.settings.named_model("judge", judge), requests, 0)


_RULES: Mapping[str, Callable[[Bounds, StepRun], Iterator[Most]]] = {
    "multi_hop.items": _composing,
    "findings.measures": _naming,
    "findings.drafts": _drafting,
    "findings.items": _trying,
    "findings.relabellings": _relabelling,
    "hopweaver.items": _weaving,
    "hopweaver.feedback": _training,
    "hopweaver.ablation": _comparing,
    "benchmark.answers": _answering,
    "benchmark.judgements": _judging,
    "benchmark.aspect_ratings": _rating_answers,
    "benchmark.ratings": _rating,
    "benchmark.refusals": _judging_refusals,
    "quality.trials": _testing,
}
"""What a step that asks a model would ask, by the table that it writes."""

_ALONE: Mapping[str, Callable[[StepRun], Iterator[Later]]] = {**BY_RUN, **OF_REVIEWS}
"""The same for steps that need no bounds of others."""

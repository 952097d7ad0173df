"""What is wrong with a reply to a task, by task: asked of recorded replies before they are taken."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.refusals.judging import REFUSAL_JUDGE
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.airqa.baselines.methods import TASKS as AIRQA_TASKS
from aimsciqa_assets.airqa.evaluation.judged import JUDGE_TASKS
from aimsciqa_assets.airqa.extractor.exploring import EXPLORER, RETRIEVAL
from aimsciqa_assets.airqa.extractor.tracking import TRACKER
from aimsciqa_assets.airqa.summaries.tasks import TASKS as SUMMARY_TASKS
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.benchmark.answering.facts import FACT_JUDGE
from aimsciqa_assets.benchmark.answering.rag.tasks import TASKS as RAG_TASKS
from aimsciqa_assets.benchmark.answering.segments import ANSWER_SELECTION
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE, ANSWERING, CITATION_MARKER
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE
from aimsciqa_assets.findings.drafting import DRAFTING
from aimsciqa_assets.findings.reading import READING
from aimsciqa_assets.findings.relabelling import RELABELLING
from aimsciqa_assets.findings.trials import CHALLENGE, STRICT_READING
from aimsciqa_assets.findings.vocabulary import NAMING
from aimsciqa_assets.hopweaver.comparison.tasks import TASKS as COMPARISON_TASKS
from aimsciqa_assets.hopweaver.polishing import BRIDGE_POLISHER, COMPARISON_POLISHER
from aimsciqa_assets.hopweaver.strict_reading import READERS
from aimsciqa_assets.hopweaver.tasks import ENTITY, FUSION, SUB_QUESTIONS
from aimsciqa_assets.judging.necessity.tasks import ANSWER, COUNTERFACTUAL, MARK
from aimsciqa_assets.judging.task import QUALITY
from aimsciqa_assets.scidqa.manuscripts.evidence import SUPPORT
from aimsciqa_assets.scidqa.pairs.editing import EDITING
from aimsciqa_assets.scidqa.pairs.extraction import EXTRACTION

TASKS: Final[tuple[Task[Any], ...]] = (
    SINGLE_HOP,
    MULTI_HOP,
    READING,
    NAMING,
    DRAFTING,
    CHALLENGE,
    STRICT_READING,
    RELABELLING,
    ENTITY,
    SUB_QUESTIONS,
    FUSION,
    *COMPARISON_TASKS,
    BRIDGE_POLISHER,
    COMPARISON_POLISHER,
    *READERS.values(),
    REFUSAL_JUDGE,
    ANSWERING,
    CITATION_MARKER,
    ANSWER_SELECTION,
    ANSWER_JUDGE,
    FACT_JUDGE,
    QUALITY,
    *RAG_TASKS,
    ANSWER,
    COUNTERFACTUAL,
    MARK,
    *JUDGE_TASKS,
    *AIRQA_TASKS,
    *SUMMARY_TASKS,
    EXPLORER,
    RETRIEVAL,
    TRACKER,
    EXTRACTION,
    EDITING,
    SUPPORT,
    ASPECT_JUDGE,
)
"""Every task whose replies people may record."""


def _fault_of(task: Task[Any], reply: str) -> str | None:
    read = task.read(reply)
    return read.complaint if isinstance(read, Fault) else None


FAULTS: Final[Mapping[str, Callable[[str], str | None]]] = {
    task.name: partial(_fault_of, task) for task in TASKS
}

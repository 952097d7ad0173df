"""The tracker: the evaluator of a question, the form of its answer, and both fitted to each other."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.evaluation.catalogue import catalogue, told
from aimsciqa_assets.airqa.evaluation.functions import asks_a_judge, with_joined
from aimsciqa_assets.airqa.evaluation.literals import NoLiteralError, literal
from aimsciqa_assets.airqa.examples.defects import defects_of
from aimsciqa_assets.airqa.extractor.labels import is_refusal, labelled
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import AMBIGUOUS, clean, fits_in, two_different, whole_value
from aimsciqa_assets.asking.latex import python_with_latex
from aimsciqa_assets.asking.task import Task

_LABELS: Final = ("question", "evaluator", "answer_format", "answer", "tag")
_NEEDED: Final = ("question", "evaluator", "answer_format", "answer")
RELEVANCE: Final = "eval_paper_relevance_with_reference_answer"
_TITLE_FORMAT: Final = (
    "Your answer should be the exact title of the paper, as a text, without any explanation."
)


@dataclass(frozen=True, slots=True)
class Tracked:
    """A question with its answer and its evaluator `{eval_func, eval_kwargs}`."""

    question: str
    answer: Any
    answer_format: str
    evaluator: Mapping[str, Any]

    @property
    def is_subjective(self) -> bool:
        """Whether a judge decides."""
        return asks_a_judge(self.evaluator)


def read_tracked(reply: str) -> Tracked | Fault[Tracked]:
    """What a reply makes of a question; a fault also where its evaluator cannot be used."""
    found = labelled(reply, _LABELS)
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        reason = "tracker_refused" if not found and is_refusal(reply) else "unreadable_example"
        return Fault(reason, f"its block has no {', '.join(f'[{name}]' for name in missing)}")
    empty = [name for name in ("question", "answer") if not found[name]]
    if empty:
        return Fault(f"tracker_empty_{empty[0]}", f"[{empty[0]}] is empty")
    evaluators = fits_in(
        found["evaluator"], lambda value: value if isinstance(value.get("eval_func"), str) else None
    )
    if len(evaluators) > 1:
        return Fault(AMBIGUOUS, two_different("eval_func", "eval_kwargs"))
    if not evaluators:
        return Fault("unreadable_evaluator", "[evaluator] is no JSON object with eval_func and eval_kwargs")
    chosen = _with_question(evaluators[0], found["question"])
    if defects := [told for rule, told in defects_of(chosen) if rule != "never_passes"]:
        unknown = chosen["eval_func"] not in catalogue()
        return Fault("unknown_evaluator" if unknown else "faulty_evaluator", f"[evaluator]: {defects[0]}")
    return Tracked(found["question"], as_answer(found["answer"]), found["answer_format"], chosen)


def as_answer(written: str) -> Any:
    """An answer as a model wrote it: JSON, a literal of Python, or the text itself."""
    for read in (whole_value, lambda text: literal(python_with_latex(text))):
        try:
            # Sets and tuples become lists, as they are once they are written down.
            return clean(json.loads(json.dumps(read(written), allow_nan=False)))
        except (NoLiteralError, TypeError, ValueError, RecursionError):
            continue
    return written


def of_title(question: str, title: str) -> Tracked:
    """The example of a retrieval question: its evaluator and its format are always the same."""
    arguments = {"question": question, "reference_answer": title}
    return Tracked(question, title, _TITLE_FORMAT, {"eval_func": RELEVANCE, "eval_kwargs": arguments})


def _with_question(evaluator: Mapping[str, Any], question: str) -> dict[str, Any]:
    """The evaluator with the question as it is asked now, in every function that takes it."""
    for _, one in with_joined(evaluator):
        arguments = one.get("eval_kwargs")
        entry = catalogue().get(str(one.get("eval_func")))
        takes = entry and any(parameter.name == "question" for parameter in entry.parameters)
        if takes and isinstance(arguments, dict):
            arguments["question"] = question
    return {"eval_func": evaluator.get("eval_func"), "eval_kwargs": evaluator.get("eval_kwargs")}


def _described(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The catalogue as the prompt shows it: it is made of code, and no part of a recording."""
    return {**variables, "described": told(variables["functions"])}


TRACKER: Final = Task[Tracked]("extractor_tracker", None, read_tracked, shown=_described)

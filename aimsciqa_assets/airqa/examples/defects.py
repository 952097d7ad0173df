"""What is wrong with evaluators: mistakes in released data that `score` has to live with, told here.

What is found: names of functions and parameters that there are not, values of another kind than the catalogue
says, thresholds on the wrong scale, and right answers that their own evaluator would not pass.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from aimsciqa_assets.airqa.evaluation.catalogue import Entry, Parameter, catalogue
from aimsciqa_assets.airqa.evaluation.functions import CONVERSIONS, FUNCTIONS, JUDGED, LOGICAL, with_joined
from aimsciqa_assets.airqa.evaluation.fuzzy import FUZZ_METHODS
from aimsciqa_assets.airqa.evaluation.scoring import PASSES, score

Defect = tuple[str, str]
"""The rule in one word, and what is wrong."""

_OF_THE_JUDGE: Final = {"llm_model", "temperature"}
"""Parameters of the benchmark's judged functions that settings say here."""
_STRICT: Final = {"eval_paper_relevance_with_reference_answer", *(one.__name__ for one in LOGICAL)}
"""Functions that fail with a parameter they do not know."""
_UNKNOWN: Final = object()
_ALL_CHOICES: Final = {"fuzz_method": FUZZ_METHODS}
"""Words that a parameter may be, where models are told of some only."""


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS: Final[dict[str, Callable[[Any], bool]]] = {
    "anything": lambda value: True,
    "text": lambda value: isinstance(value, str),
    "word": lambda value: isinstance(value, str),
    "truth value": lambda value: isinstance(value, bool),
    "whole number": _is_whole,
    "whole number or null": lambda value: value is None or _is_whole(value),
    "number": lambda value: _is_whole(value) or (isinstance(value, float) and math.isfinite(value)),
    "list": lambda value: isinstance(value, list),
    "list of texts": _is_text_list,
    "text or list of texts": lambda value: isinstance(value, str) or _is_text_list(value),
    "list of objects": lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
    "object": lambda value: isinstance(value, dict),
}
"""The types that the catalogue names."""


def defects_of(evaluator: Mapping[str, Any]) -> list[Defect]:
    """The defects of an evaluator and of those that it joins."""
    found: list[Defect] = []
    for place, one in with_joined(evaluator):
        where = f"evaluator {place}: " if place else ""
        found += [(rule, where + told) for rule, told in _defects_of_one(one)]
    if not found and never_passes(evaluator):
        found.append(("never_passes", "the right answer does not pass its own evaluator"))
    return found


def never_passes(evaluator: Mapping[str, Any]) -> bool:
    """Whether no way to write the right answer passes, as far as it can be told without a judge."""
    answer = right_answer(evaluator)
    if answer is _UNKNOWN:
        return False
    return all(score(evaluator, one) < PASSES for one in (answer, str(answer)))


def right_answer(evaluator: Mapping[str, Any]) -> Any:
    """An answer that the evaluator should pass; `_UNKNOWN` where nothing but a judge could tell."""
    name, arguments = evaluator["eval_func"], evaluator["eval_kwargs"]
    if name in JUDGED or name == "eval_negation":
        return _UNKNOWN
    if name in {"eval_conjunction", "eval_disjunction"}:
        names, lists = arguments["eval_func_list"], arguments["eval_kwargs_list"]
        pairs = zip(names, lists, strict=False)
        parts = [right_answer({"eval_func": one, "eval_kwargs": more}) for one, more in pairs]
        return _UNKNOWN if any(part is _UNKNOWN for part in parts) else parts
    if name == "eval_paper_relevance_with_reference_answer":
        titles = arguments["reference_answer"]
        return titles if isinstance(titles, str) or not titles else titles[0]
    gold = arguments["gold"]
    return gold[0] if name == "eval_element_included" and gold else gold


def _defects_of_one(evaluator: Mapping[str, Any]) -> Iterator[Defect]:
    name, arguments = evaluator.get("eval_func"), evaluator.get("eval_kwargs")
    if name in CONVERSIONS:
        return
    if name not in FUNCTIONS:
        near = get_close_matches(str(name), FUNCTIONS, n=1, cutoff=0.6)
        yield "unknown_function", f"there is no function {name}{f': {near[0]}?' if near else ''}"
        return
    if not isinstance(arguments, Mapping):
        yield "wrong_kind", "eval_kwargs is no object"
        return
    entry = catalogue()[str(name)]
    parameters = {parameter.name: parameter for parameter in entry.parameters}
    yield from _unknown_parameters(entry, arguments)
    for parameter in entry.parameters:
        if parameter.name in arguments:
            yield from _of_value(parameter, arguments[parameter.name])
        elif parameter.is_required:
            yield "missing_parameter", f"{parameter.name} is missing"
    if "count" in parameters and isinstance(count := arguments.get("count", 1), int):
        yield from _of_count(str(name), count, arguments)
    names, lists = arguments.get("eval_func_list"), arguments.get("eval_kwargs_list")
    if isinstance(names, list) and isinstance(lists, list) and len(names) != len(lists):
        yield "lists_differ", f"{len(names)} functions, and {len(lists)} to call them with"


def _unknown_parameters(entry: Entry, arguments: Mapping[str, Any]) -> Iterator[Defect]:
    known = [parameter.name for parameter in entry.parameters]
    accepted = {*known, *(_OF_THE_JUDGE if entry.name in JUDGED else ())}
    effect = "the function fails with it" if entry.name in _STRICT else "it is ignored"
    for name in arguments:
        if name not in accepted:
            near = get_close_matches(name, known, n=1, cutoff=0.8)
            yield "unknown_parameter", f"{name} is no parameter{f' ({near[0]}?)' if near else ''}: {effect}"


def _of_value(parameter: Parameter, value: Any) -> Iterator[Defect]:
    if not _KINDS[parameter.type](value):
        yield "wrong_kind", f"{parameter.name} is {_kind_of(value)}, and should be {parameter.type}"
    elif parameter.choices and value not in _ALL_CHOICES.get(parameter.name, parameter.choices):
        yield "unknown_choice", f"{parameter.name} is {value!r}, and none of {', '.join(parameter.choices)}"
    elif parameter.name == "threshold" and 0 < value <= 1:
        yield "wrong_scale", f"threshold is {value} on a scale from 0 to 100: nearly everything passes"
    elif parameter.name == "threshold" and value > 100:
        yield "wrong_scale", f"threshold is {value} on a scale from 0 to 100: nothing passes"


def _of_count(name: str, count: int, arguments: Mapping[str, Any]) -> Iterator[Defect]:
    elements = arguments.get("scoring_points", arguments.get("gold"))
    if not isinstance(elements, list):
        return
    most = len(elements) - (1 if "scoring_points" in arguments else 0)
    if count < 1 or (count > most and name == "eval_partial_scoring_points_with_llm"):
        yield "count_out_of_range", f"count is {count}, and should be from 1 to {most}"


def _kind_of(value: Any) -> str:
    names = {str: "text", bool: "a truth value", int: "a whole number", float: "a number", list: "a list"}
    return names.get(type(value), "null" if value is None else "an object")

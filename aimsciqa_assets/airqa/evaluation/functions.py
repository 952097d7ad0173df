"""The 19 functions by name, and the three that join others: all, any, not.

A function is a dialogue that ends with 1 or 0. Most ask nobody.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from aimsciqa_assets.airqa.evaluation import inclusion, judged, matching
from aimsciqa_assets.airqa.evaluation.judged import Asking
from aimsciqa_assets.airqa.evaluation.literals import as_list

Function = Callable[..., Asking | float]


class UnknownFunctionError(ValueError):
    """An evaluator names a function that there is not."""


def run(name: str, pred: Any, arguments: Mapping[str, Any]) -> Asking:
    """The function of this name on an answer; raises what the function raises."""
    function = FUNCTIONS.get(name) or CONVERSIONS.get(name)
    if function is None:
        raise UnknownFunctionError(f"there is no evaluation function {name!r}")
    verdict = function(pred, **arguments)
    return verdict if isinstance(verdict, float) else (yield from verdict)


def eval_conjunction(
    pred: Any, eval_func_list: Sequence[str], eval_kwargs_list: Sequence[Mapping[str, Any]]
) -> Asking:
    """Whether each element of the answer passes the function in its place."""
    elements = as_list(pred)
    if len(elements) != len(eval_func_list):
        return 0.0
    for element, name, arguments in zip(elements, eval_func_list, eval_kwargs_list, strict=False):
        if (yield from run(name, element, arguments)) < 0.5:
            return 0.0
    return 1.0


def eval_disjunction(
    pred: Any, eval_func_list: Sequence[str], eval_kwargs_list: Sequence[Mapping[str, Any]]
) -> Asking:
    """Whether any element of the answer passes the function in its place."""
    elements = as_list(pred)
    if len(elements) != len(eval_func_list):
        return 0.0
    for element, name, arguments in zip(elements, eval_func_list, eval_kwargs_list, strict=False):
        if (yield from run(name, element, arguments)) > 0.5:
            return 1.0
    return 0.0


def eval_negation(pred: Any, eval_func: str, eval_kwargs: Mapping[str, Any]) -> Asking:
    """Whether the answer fails a function. One that cannot be read fails most functions, and so passes."""
    return 1.0 - (yield from run(eval_func, pred, eval_kwargs))


MATCH: Final[tuple[Function, ...]] = (
    matching.eval_string_exact_match,
    matching.eval_string_fuzzy_match,
    matching.eval_bool_exact_match,
    matching.eval_int_exact_match,
    matching.eval_float_exact_match,
    matching.eval_structured_object_exact_match,
)
SET: Final[tuple[Function, ...]] = (
    inclusion.eval_element_included,
    inclusion.eval_element_list_included,
    inclusion.eval_element_list_overlap,
)
RETRIEVAL: Final[tuple[Function, ...]] = (matching.eval_paper_relevance_with_reference_answer,)
SEMANTIC: Final[tuple[Function, ...]] = (
    judged.eval_reference_answer_with_llm,
    judged.eval_candidate_reference_answer_with_llm,
    judged.eval_scoring_points_with_llm,
    judged.eval_partial_scoring_points_with_llm,
    judged.eval_reference_answer_and_scoring_points_with_llm,
)
FORMULA: Final[tuple[Function, ...]] = (judged.eval_complex_math_formula_with_llm,)
LOGICAL: Final[tuple[Function, ...]] = (eval_conjunction, eval_disjunction, eval_negation)

GROUPS: Final[dict[str, tuple[Function, ...]]] = {
    "match": MATCH,
    "set": SET,
    "retrieval": RETRIEVAL,
    "semantic": SEMANTIC,
    "formula": FORMULA,
    "logical": LOGICAL,
}
FUNCTIONS: Final[dict[str, Function]] = {
    function.__name__: function for functions in GROUPS.values() for function in functions
}
"""Every evaluation function by its name."""
_OF_CONVERSIONS: Final[tuple[Function, ...]] = (judged.eval_scidqa, judged.eval_m3sciqa)
CONVERSIONS: Final[dict[str, Function]] = {function.__name__: function for function in _OF_CONVERSIONS}
"""Functions that only converted examples name. They are not in the catalogue: nobody chooses them."""
JUDGED: Final = frozenset(function.__name__ for function in SEMANTIC + FORMULA + _OF_CONVERSIONS)


def asks_a_judge(evaluator: Mapping[str, Any]) -> bool:
    """Whether an evaluator, or one that it joins, may ask a judge."""
    return any(one.get("eval_func") in JUDGED for _, one in with_joined(evaluator))


def with_joined(evaluator: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """An evaluator and all that it joins, each with its place: "", "[0]", "[1][0]", "[not]"."""
    yield place, evaluator
    arguments = evaluator.get("eval_kwargs")
    if not isinstance(arguments, Mapping):
        return
    joined = (
        [("[not]", arguments["eval_func"], arguments.get("eval_kwargs"))] if "eval_func" in arguments else []
    )
    names, lists = arguments.get("eval_func_list"), arguments.get("eval_kwargs_list")
    if isinstance(names, list) and isinstance(lists, list):
        pairs = zip(names, lists, strict=False)
        joined += [(f"[{number}]", name, one) for number, (name, one) in enumerate(pairs)]
    for step, name, one in joined:
        if isinstance(name, str):
            yield from with_joined({"eval_func": name, "eval_kwargs": one}, place + step)

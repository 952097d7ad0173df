"""Three functions that look for an answer, or the elements of one, among right elements."""

from typing import Any

from aimsciqa_assets.airqa.evaluation.literals import as_list
from aimsciqa_assets.airqa.evaluation.matching import (
    eval_float_exact_match,
    eval_int_exact_match,
    eval_string_exact_match,
    eval_string_fuzzy_match,
    eval_structured_object_exact_match,
)


def eval_element_included(
    pred: Any,
    gold: Any,
    *,
    element_type: str = "str",
    ndigits: int | None = 2,
    tolerance: float = 1e-6,
    fuzz_method: str = "ratio",
    threshold: float = -1,
    lowercase: bool = False,
    ignore_blank: bool = False,
    **more: Any,
) -> float:
    """Whether the answer is one of the right elements, compared as `element_type` says."""
    texts: dict[str, Any] = {"lowercase": lowercase, "ignore_blank": ignore_blank}
    fuzzy = {**texts, "fuzz_method": fuzz_method, "threshold": threshold}
    numbers: dict[str, Any] = {"ndigits": ndigits, "tolerance": tolerance}
    if element_type == "int":
        return float(any(eval_int_exact_match(pred, one) for one in gold))
    if element_type == "float":
        return float(any(eval_float_exact_match(pred, one, **numbers) for one in gold))
    if element_type != "str":
        options = {**more, **numbers, **fuzzy}
        return float(any(eval_structured_object_exact_match(pred, one, **options) for one in gold))
    if threshold > 0:
        return float(any(eval_string_fuzzy_match(pred, one, **fuzzy) for one in gold))
    return float(any(eval_string_exact_match(pred, one, **texts) for one in gold))


def eval_element_list_included(pred: Any, gold: Any, **options: Any) -> float:
    """Whether every element of the answer is one of the right ones. An empty list passes."""
    return float(all(eval_element_included(one, gold, **options) for one in as_list(pred)))


def eval_element_list_overlap(pred: Any, gold: Any, *, count: float = 1, **options: Any) -> float:
    """Whether at least `count` elements of the answer, told apart as texts, are right; never without one."""
    found: set[str] = set()
    for one in as_list(pred):
        if eval_element_included(one, gold, **options) > 0.5:
            found.add(str(one))
            if len(found) >= count:
                return 1.0
    return 0.0

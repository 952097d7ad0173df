"""Six functions that compare an answer with the right one, and one that compares a paper's title.

Names, parameters and verdicts are those of the benchmark, oddities included: data was written against them.
`pred` is the answer. Parameters that a function does not know are ignored, because released examples have
misspelt ones. An exception means 0 (`scoring`).
"""

import math
import re
from typing import Any, Final

from aimsciqa_assets.airqa.evaluation.fuzzy import FUZZ_METHODS, ratio
from aimsciqa_assets.airqa.evaluation.literals import as_list, as_object

_BLANKS: Final = re.compile(r"\s+")
_TRUE: Final = frozenset({"true", "1", "yes", "y", "t"})
_FALSE: Final = frozenset({"false", "0", "no", "n", "f"})
_MOST_DIGITS: Final = 5_000
"""Rounding to more digits than a number can have changes nothing, but may take for ever."""


def eval_string_exact_match(
    pred: Any, gold: Any, *, lowercase: bool = False, ignore_blank: bool = False, **_unknown: Any
) -> float:
    """Whether both are the same text, apart from white space at the ends.

    A right answer that is a list is compared as Python writes it.
    """
    pred, gold = str(pred).strip(), str(gold).strip()
    if ignore_blank:
        pred, gold = _BLANKS.sub("", pred), _BLANKS.sub("", gold)
    return float(pred.lower() == gold.lower() if lowercase else pred == gold)


def eval_string_fuzzy_match(
    pred: Any,
    gold: Any,
    *,
    fuzz_method: str = "ratio",
    threshold: float = 95,
    ignore_blank: bool = False,
    lowercase: bool = False,
    **_unknown: Any,
) -> float:
    """Whether the fuzzy score of both texts reaches the threshold."""
    pred, gold = str(pred).strip(), str(gold).strip()
    similarity = FUZZ_METHODS[fuzz_method]
    if ignore_blank:
        blank = " " if fuzz_method.startswith("token_") else ""
        pred, gold = _BLANKS.sub(blank, pred), _BLANKS.sub(blank, gold)
    if lowercase:
        pred, gold = pred.lower(), gold.lower()
    return float(similarity(pred, gold) >= threshold)


def eval_bool_exact_match(pred: Any, gold: Any, **_unknown: Any) -> float:
    """Whether the answer says yes or no as the right one does; white space around it is not forgiven."""
    if isinstance(pred, int | float):
        return float(pred in {0, 1} and bool(pred) == bool(gold))
    word = str(pred).lower()
    return float(word in _TRUE | _FALSE and (word in _TRUE) == bool(gold))


def eval_int_exact_match(pred: Any, gold: Any, **_unknown: Any) -> float:
    """Whether both are the same whole number, as `int()` reads them: 42.9 is 42, and "42.0" is none."""
    try:
        return float(int(pred) == int(gold))
    except (TypeError, ValueError, OverflowError):
        return 0.0


def eval_float_exact_match(
    pred: Any, gold: Any, *, ndigits: int | None = None, tolerance: float = 1e-6, **_unknown: Any
) -> float:
    """Whether both are the same number, up to a relative tolerance; with `ndigits`, both are rounded."""
    try:
        number = float(pred)
        if ndigits is not None:
            ndigits = max(-_MOST_DIGITS, min(ndigits, _MOST_DIGITS))
            number, gold = round(number, ndigits), round(gold, ndigits)
        return float(math.isclose(number, gold, rel_tol=tolerance))
    except (TypeError, ValueError, OverflowError):
        return 0.0


def eval_structured_object_exact_match(pred: Any, gold: Any, **options: Any) -> float:
    """Whether a list or an object has the same elements as the right one, at every depth.

    Elements are compared by what the right one is: a number, a truth value (as a whole number), or a text.
    `ignore_order` sorts both lists as they are written, before small letters and blanks are made the same.
    """
    if isinstance(gold, list):
        return _same_list(as_list(pred), gold, options)
    if isinstance(gold, dict):
        return _same_object(as_object(pred), gold, options)
    if isinstance(gold, int):
        return eval_int_exact_match(pred, gold, **options)
    if isinstance(gold, float):
        return eval_float_exact_match(pred, gold, **options)
    if options.get("threshold", -1) > 0:
        return eval_string_fuzzy_match(pred, gold, **options)
    return eval_string_exact_match(pred, gold, **options)


def eval_paper_relevance_with_reference_answer(
    pred: Any, question: str, reference_answer: str | list[str], *, threshold: float = 95
) -> float:
    """Whether the answer is the title of the paper, or of one of the papers, that the question is about."""
    titles = [reference_answer] if isinstance(reference_answer, str) else reference_answer
    if not isinstance(titles, list):
        return 0.0
    return float(any(ratio(pred.lower(), title.lower()) >= threshold for title in titles))


def _same_list(pred: list[Any], gold: list[Any], options: dict[str, Any]) -> float:
    if len(pred) != len(gold):
        return 0.0
    if options.get("ignore_order", False):
        pred, gold = sorted(pred, key=str), sorted(gold, key=str)
    pairs = zip(pred, gold, strict=True)
    return float(
        all(eval_structured_object_exact_match(one, right, **options) >= 0.5 for one, right in pairs)
    )


def _same_object(pred: Any, gold: dict[Any, Any], options: dict[str, Any]) -> float:
    if not isinstance(pred, dict) or len(pred) != len(gold):
        return 0.0
    if options.get("lowercase", False):
        gold = {key.lower(): value for key, value in gold.items()}
        pred = {key.lower(): value for key, value in pred.items()}
    for key, right in gold.items():
        if not isinstance(key, str) and key in pred:
            found = pred[key]
        elif str(key) in pred:
            found = pred[str(key)]
        else:
            return 0.0
        if eval_structured_object_exact_match(found, right, **options) < 0.5:
            return 0.0
    return 1.0

"""Expressions over the facts of an item: f1 - f2, rank(f1, f2, f3), within(f2, f1). Nothing else is run.

An answer states numbers that no quote has, orders and verdicts. Each of them is stored with the expression
that gives it, so that anybody can compute it again from the facts alone.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from aimsciqa.measures.numbers import interval_of, number_of, numbers_in

Result = float | str

_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_LONGEST: Final = 500


class ComputationError(ValueError):
    """An expression that is not one over the facts of its item."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a fact: its value, and the ends of its interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, value: str, quote: str) -> "Known":
        """Return the only number of a value, and its interval, which may stand in the quote alone."""
        low, high = interval_of(value) or interval_of(quote) or (None, None)
        return cls(number_of(value), low, high)


def computed(expression: str, facts: Sequence[Known]) -> Result:
    """Return what an expression over facts f1, f2, ... gives: a number, an order, a fact's name, yes or no.

    Raise `ComputationError` for anything but numbers, facts, + - * /, and the functions rank, highest,
    lowest, minimum, maximum, mean, total, count, within and overlap.
    """
    if len(expression) > _LONGEST:
        raise ComputationError(f"The expression has more than {_LONGEST} characters.")
    named = {f"f{number}": fact for number, fact in enumerate(facts, start=1)}
    try:
        return _result(ast.parse(expression.strip(), mode="eval").body, named)
    except ComputationError:
        raise
    except ArithmeticError:
        raise ComputationError("The expression divides by zero or gives too large a number.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ComputationError(f"{expression!r} is not an expression.") from None


def agrees(result: Result, stated: str) -> bool:
    """Say whether a stated result is what was computed, rounded to the decimals that are stated."""
    if isinstance(result, str):
        return _plain(stated) == _plain(result)
    numbers = list(numbers_in(stated))
    return len(numbers) == 1 and numbers[0].rounds(result)


def sql_of(expression: str, item_id: str) -> str | None:
    """Return SQL over the table `stated_facts` that gives what an expression over facts of an item gives.

    It has one row with one column, the number or the order. None: within, overlap, or an aggregate of
    anything but different facts, for which there is no such query.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
        query = _sql(tree, item_id)
    except (ComputationError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return query[1:-1] if isinstance(tree, ast.Call) else f"select {query}"


def names_in(expression: str) -> set[str]:
    """Return the facts that an expression names: f1, f2, ...; nothing if it is no expression."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {name for name in names if name[:1] == "f" and name[1:].isdigit()}


def _result(node: ast.expr, named: Mapping[str, Known]) -> Result:
    if isinstance(node, ast.Call) and _name(node.func) in _VERDICTS:
        return _VERDICTS[_name(node.func)](_facts(node, named))
    return _number(node, named)


def _sql(node: ast.expr, item_id: str) -> str:
    match node:
        case ast.Constant(value=int() | float() as value):
            return str(value)
        case ast.Name(id=name):
            return _query_of("value", [name], item_id)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_sql(operand, item_id)}"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return f"({_sql(left, item_id)} {_SIGNS[type(op)]} {_sql(right, item_id)})"
        case ast.Call(func=func, args=arguments) if _name(func) in _OF_SETS:
            return _query_of(_OF_SETS[_name(func)], list(map(_name, arguments)), item_id)
    raise ComputationError(f"{ast.unparse(node)} has no query.")


def _query_of(selected: str, names: Sequence[str], item_id: str) -> str:
    numbers = [name.removeprefix("f") for name in names]
    if len(set(names)) < len(names) or not all(number.isdecimal() for number in numbers):
        raise ComputationError("A query is about different facts.")
    listed, item = ", ".join(numbers), item_id.replace("'", "''")
    rows = f"stated_facts where item_id = '{item}' and position in ({listed})"
    if selected == _OF_SETS["rank"]:
        equal = f"string_agg('f' || position, ' = ' order by list_position([{listed}], position)) as names"
        rows = f"(select {equal}, value from {rows} group by value)"
    return f"(select {selected} from {rows})"


def _number(node: ast.expr, named: Mapping[str, Known]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _finite(float(value))
        case ast.Name(id=name):
            return _value(_fact(name, named), name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, named)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _finite(_ARITHMETIC[type(op)](_number(left, named), _number(right, named)))
        case ast.Call(func=func, args=arguments, keywords=[]) if _name(func) in _AGGREGATES and arguments:
            return _finite(_AGGREGATES[_name(func)]([_number(argument, named) for argument in arguments]))
    raise ComputationError(f"{ast.unparse(node)} is neither a number, a fact nor a known function.")


def _finite(value: float) -> float:
    """Return a finite number, or raise: every stated result would agree with infinity."""
    if not math.isfinite(value):
        raise OverflowError
    return value


def _facts(call: ast.Call, named: Mapping[str, Known]) -> dict[str, Known]:
    if call.keywords or not call.args or not all(isinstance(part, ast.Name) for part in call.args):
        raise ComputationError(f"{ast.unparse(call)} must have facts as its arguments.")
    return {_name(part): _fact(_name(part), named) for part in call.args}


def _fact(name: str, named: Mapping[str, Known]) -> Known:
    if name not in named:
        raise ComputationError(f"{name} is not one of the {len(named)} facts.")
    return named[name]


def _value(fact: Known, name: str) -> float:
    if fact.value is None:
        raise ComputationError(f"{name} has no number.")
    return fact.value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _rank(facts: Mapping[str, Known]) -> str:
    values = {name: _value(fact, name) for name, fact in facts.items()}
    order = sorted(values, key=lambda name: -values[name])
    joined = order[0]
    for above, name in pairwise(order):
        joined += f" {'=' if values[above] == values[name] else '>'} {name}"
    return joined


def _extreme(facts: Mapping[str, Known], sign: float) -> str:
    values = {name: sign * _value(fact, name) for name, fact in facts.items()}
    top = max(values.values())
    names = [name for name, value in values.items() if value == top]
    if len(names) > 1:
        raise ComputationError(f"{', '.join(names)} are equal: none of them is the extreme.")
    return names[0]


def _ends(fact: Known, name: str) -> tuple[float, float]:
    if fact.low is None or fact.high is None:
        raise ComputationError(f"{name} has no interval.")
    return fact.low, fact.high


def _within(facts: Mapping[str, Known]) -> str:
    (first, inner), (second, outer) = _two(facts)
    low, high = _ends(outer, second)
    return "yes" if low <= _value(inner, first) <= high else "no"


def _overlap(facts: Mapping[str, Known]) -> str:
    (first, one_side), (second, other_side) = _two(facts)
    low, high = _ends(one_side, first)
    least, most = _ends(other_side, second)
    return "yes" if low <= most and least <= high else "no"


def _two(facts: Mapping[str, Known]) -> list[tuple[str, Known]]:
    if len(facts) != 2:
        raise ComputationError("within and overlap take two facts.")
    return list(facts.items())


def _plain(text: str) -> str:
    return "".join(text.lower().split())


_AGGREGATES: Final[Mapping[str, Callable[[Sequence[float]], float]]] = {
    "minimum": min,
    "maximum": max,
    "mean": lambda values: sum(values) / len(values),
    "total": sum,
    "count": lambda values: float(len(values)),
}
_SIGNS: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_OF_SETS: Final = {
    "minimum": "min(value)",
    "maximum": "max(value)",
    "mean": "avg(value)",
    "total": "sum(value)",
    "count": "count(value)",
    "highest": "'f' || arg_max(position, value)",
    "lowest": "'f' || arg_min(position, value)",
    "rank": "string_agg(names, ' > ' order by value desc)",
}
_VERDICTS: Final[Mapping[str, Callable[[Mapping[str, Known]], str]]] = {
    "rank": _rank,
    "highest": lambda facts: _extreme(facts, 1.0),
    "lowest": lambda facts: _extreme(facts, -1.0),
    "within": _within,
    "overlap": _overlap,
}

"""Which statements may run: a SELECT, or an EXPLAIN of one. DuckDB's own parser says what a text is.

What is parsed is what runs: nobody parses the text again. The parser recurses: a text with ten thousand
brackets may end the process that parses it.
"""

import re
from collections.abc import Sequence

import duckdb

_ONLY = "Only a SELECT may run here, or an EXPLAIN of one"


class ForbiddenStatementError(ValueError):
    """The text holds something else than statements that only read."""


def only_reading(text: str, *, analyze: bool = False) -> list[duckdb.Statement]:
    """The statements of a text, each a SELECT or an EXPLAIN of a SELECT; with `analyze`, EXPLAIN ANALYZE too.

    Raises `ForbiddenStatementError` for any other, and the errors of DuckDB's parser.
    """
    if re.search("[\0\ud800-\udfff]", text):
        raise ForbiddenStatementError("The text holds a NUL or half a character.")
    statements = duckdb.extract_statements(text)
    if not statements:
        raise ForbiddenStatementError("There is no statement.")
    for statement in statements:
        explained = explained_text(statement, analyze=analyze)
        if explained is None and statement.type != duckdb.StatementType.SELECT:
            if statement.type == duckdb.StatementType.MULTI:
                raise ForbiddenStatementError(
                    "PIVOT must name its values: PIVOT table ON column IN (value, ...) USING count(*)."
                )
            raise ForbiddenStatementError(f"{_ONLY}; this is {_kind(statement)}.")
    return [_without_end(statement) for statement in statements]


def explained_text(statement: duckdb.Statement, *, analyze: bool = False) -> str | None:
    """The SELECT that an EXPLAIN is about; None for a statement that is no EXPLAIN.

    EXPLAIN ANALYZE runs what it explains, and its options have many spellings. So without `analyze` the text
    after the first word must be a SELECT; with it, the first rest that is a statement must be one.
    """
    if statement.type != duckdb.StatementType.EXPLAIN:
        return None
    text = statement.query.encode()
    words = [start for start, kind in duckdb.tokenize(statement.query) if kind != _COMMENT]
    for start in words[1:] if analyze else words[1:2]:
        rest = text[start:].decode(errors="replace")
        if (found := _parsed(rest)) and len(found) == 1:
            if found[0].type == duckdb.StatementType.SELECT:
                return rest
            break
    raise ForbiddenStatementError(f"{_ONLY}: write EXPLAIN SELECT, without options.")


def _without_end(statement: duckdb.Statement) -> duckdb.Statement:
    """The statement without the semicolons at its end, and comments behind them.

    A statement that is cut to some rows stands in brackets: there no semicolon may be.
    """
    text = statement.query.encode()
    end = len(text)
    for start, kind in reversed(duckdb.tokenize(statement.query)):
        if kind != _COMMENT and text[start : start + 1] != b";":
            break
        end = start
    if b";" not in text[end:]:
        return statement
    (bare,) = duckdb.extract_statements(text[:end].decode())
    return bare


_COMMENT = duckdb.token_type.comment


def _parsed(text: str) -> Sequence[duckdb.Statement] | None:
    try:
        return duckdb.extract_statements(text)
    except duckdb.Error:
        return None


def _kind(statement: duckdb.Statement) -> str:
    return "a statement of another kind" if statement.type is None else f"{statement.type.name}"

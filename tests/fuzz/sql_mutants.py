"""Broken and disguised SQL: the hostile statements, cut, spliced, wrapped and respelled at random."""

from collections.abc import Iterator, Sequence
from random import Random

_SPACES = (" ", "\t", "\n", "/**/", "/* ; */", "-- x\n", "\u00a0", "\u200b", "\ufeff", "\0", "")
_AROUND = (
    ("EXPLAIN ", ""),
    ("EXPLAIN ANALYZE ", ""),
    ("EXPLAIN (ANALYZE) ", ""),
    ("(", ")"),
    ("SELECT * FROM (", ")"),
    ("WITH x AS (", ") SELECT * FROM x"),
    ("SELECT (", ")"),
    ("SELECT EXISTS (", ")"),
    ("PREPARE p AS ", "; EXECUTE p"),
    ("SELECT 1; ", ""),
    ("", "; SELECT 1"),
    ("FROM query($$", "$$)"),
    ("COPY (", ") TO 'x'"),
    ("CREATE TEMP TABLE t AS ", ""),
    ("DESCRIBE ", ""),
    ("SUMMARIZE ", ""),
    ("SELECT json_serialize_sql($$", "$$)"),
    ("FROM pages, LATERAL (", ") t"),
    ("/*", "*/"),
    ("'", "'"),
    ('"', '"'),
)


def mutants(statements: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """So many texts, each made of one or two of the statements by up to four changes."""
    random = Random(seed)
    for _ in range(count):
        text = random.choice(statements)
        for _ in range(random.randint(1, 4)):
            text = random.choice(_CHANGES)(text, statements, random)
        yield text


def _wrap(text: str, _statements: Sequence[str], random: Random) -> str:
    before, after = random.choice(_AROUND)
    return f"{before}{text}{after}"


def _splice(text: str, statements: Sequence[str], random: Random) -> str:
    words, others = text.split(" "), random.choice(statements).split(" ")
    return " ".join(words[: random.randint(0, len(words))] + others[random.randint(0, len(others)) :])


def _cut(text: str, _statements: Sequence[str], random: Random) -> str:
    start, end = sorted(random.randint(0, len(text)) for _ in range(2))
    return text[:start] + text[end:]


def _respace(text: str, _statements: Sequence[str], random: Random) -> str:
    return "".join(random.choice(_SPACES) if one == " " and random.random() < 0.5 else one for one in text)


def _respell(text: str, _statements: Sequence[str], random: Random) -> str:
    return "".join(random.choice((one.upper(), one.lower())) for one in text)


def _repeat(text: str, _statements: Sequence[str], random: Random) -> str:
    start, end = sorted(random.randint(0, len(text)) for _ in range(2))
    return text[:start] + text[start:end] * random.choice((2, 3, 50)) + text[end:]


def _swap_character(text: str, _statements: Sequence[str], random: Random) -> str:
    place = random.randint(0, len(text))
    return text[:place] + chr(random.choice((0, 34, 39, 59, 36, 92, 233, 0x2028, 0xFF33))) + text[place + 1 :]


_CHANGES = (_wrap, _wrap, _splice, _cut, _respace, _respell, _repeat, _swap_character)

# ruff: noqa: E501 (tables are easier to read with long lines)
"""Text that readers trip over."""

import random

_PIECES = (
    "x", " ", "1", "9", "(", "[1", "1,", "1-", "10.1010.", "10.1234/a", "PMC ", "a_", "a.", "A. ", "e.g. ", "α",
    "a\u0301", "\u0315\u0300", "\u202e", "\u00a0", "\u200b", "😀", "\ufdfa", ".", "?!", "“", "'", "-", "–", "\n",
    "Rao A, ", "cc by ", "http://", "pubmed ", "et al. ", ";", "%", "%25", "_", "^", "|", "#", "IV. ", "&amp;#",
)  # fmt: skip
_SHORT = (
    "", " ", "0", "13", "31", "99999999999", "²", "٣", "3.5", "-1", "NaN", "null", "\u00ad", "\u2028", "\ufffd",
    "10.1/", "PMC0", "PMC123.45.6", "PMCID: PMC", "2010-13-45", "doi:10.1234/(((", "retracted:", "[1]", "a\u0300",
    "1–", "..", "&#1114112;", "&#" + "9" * 5000 + ";", "9" * 5000, "٣" * 5000, "i.e. e.g.", "Fig. 1. (a) (b)",
)  # fmt: skip


def nasty_text(chance: random.Random) -> str:
    """Some text of up to a few thousand characters, without what XML forbids."""
    if chance.random() < 0.5:
        return chance.choice(_SHORT)
    pieces = chance.choices(_PIECES, k=chance.choice((1, 2, 5)))
    return "".join(pieces) * chance.choice((1, 10, 1000))


def long_text(chance: random.Random, length: int) -> str:
    """Text of about this many bytes, as it may stand in an XML file: one short piece repeated."""
    piece = "".join(chance.choices(_PIECES, k=chance.choice((1, 1, 2, 3)))).replace('"', "'")
    end = chance.choice(("", "!", " end", "1"))
    return piece * (length // len(piece.encode())) + end

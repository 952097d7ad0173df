"""Statements that report another one: "the results showed that ..."."""

import re
from collections.abc import Iterator
from typing import Final

_THAT_FRAME: Final = re.compile(
    r"^(?P<frame>(?:(?!\bthat\b)[^,])*?\b(?P<verb>show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|indicate[sd]?"
    r"|confirm(?:s|ed)?|found|report(?:s|ed)?|observed?|suggest(?:s|ed)?|noted|estimated|known|established"
    r"|evident|clear)),? that (?P<content>.+)$"
)
# ", with an average distance of 0.17 cM between adjacent markers": what comes last says of what it is.
_MEAN_WITHIN: Final = re.compile(
    r"(?:,| and) (?:with|and|had|showing|having|at) an? (?P<mean>(?:overall )?(?:mean|average|median)"
    r"(?: (?!values?\b|numbers?\b|of\b)[A-Za-z][\w-]*){1,4}) of (?P<value>\d[\d,]*(?:\.\d+)?"
    r"(?: ?(?:%|[A-Za-zµμ°][\w/µμ^·−-]{0,9}))?)"
    r"(?P<of>(?: (?:between|of|for|per|across|among) [A-Za-z](?:(?! and )[\w -]){2,60}))(?=\.?$|, | and )"
)
_THERE: Final = re.compile(
    r"^There (?:was|is|were|are) (?P<what>an? [^,]{3,60}?(?:correlation|association)) (?P<rest>between .+)$"
)
_HEDGED: Final = frozenset("suggest suggests suggested indicate indicates indicated estimated".split())


def reported_content(statement: str) -> tuple[str, bool] | None:
    """The clause behind "... showed that", and whether the answer may be that clause alone.

    A hedged report ("suggests that") must stay in the answer.
    """
    found = _THAT_FRAME.match(statement)
    if found is None or len(found["frame"].split()) > 16:
        return None
    content = found["content"]
    if " not " in f" {found['frame']} ":
        return None
    return content[0].upper() + content[1:], found["verb"] not in _HEDGED


def stated_within(statement: str) -> Iterator[tuple[str, str]]:
    """Statements that stand within another one, as statements of their own, each with its answer."""
    if found := _MEAN_WITHIN.search(statement):
        told = f"The {found['mean']}{found['of']} was {found['value']}"
        yield told, told
    if (there := _THERE.match(statement)) is not None:
        yield f"{there['what'].capitalize()} was found {there['rest']}", statement

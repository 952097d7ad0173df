"""Statements that report another one: "the results showed that ..."."""

import re
from typing import Final

_THAT_FRAME: Final = re.compile(
    r"^(?P<frame>(?:(?!\bthat\b)[^,])*?\b(?P<verb>show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|indicate[sd]?"
    r"|confirm(?:s|ed)?|found|report(?:s|ed)?|observed?|suggest(?:s|ed)?|noted|estimated|known|established"
    r"|evident|clear)),? that (?P<content>.+)$"
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

r"""Makes text that others wrote (servers, file names) safe for terminals, logs and tables.

A terminal obeys control characters: they clear the screen, rename the window or hide earlier text. Here they
become visible escapes such as `\x1b`.
"""

import re

# C0 and C1 controls, line and paragraph separators, marks that change the direction of writing, and lone
# halves of surrogate pairs, which stand for bytes of a file name that is not UTF-8 and cannot be stored.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str, keep: str = "\n\t") -> str:
    """The text with a visible escape in place of each control character.

    Characters in `keep` stay: line breaks and tabs in running text; `keep=""` gives one line, for names.
    """
    return _UNFIT.sub(lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")

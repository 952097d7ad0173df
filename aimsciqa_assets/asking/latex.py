r"""Backslashes of LaTeX in JSON and Python: undoubled, `\beta` becomes a backspace and "eta"."""

import re
from typing import Final

# A line feed before an English word, or before a mark of a list: `one.\nu is`, `one\nless`, `one\ne) five`.
_LINE_FEED = (
    r"(?:(?<=[.:!?])|(?<=\\[nr]))\\n(?=[uei]\b)|(?<=[^\s$({])\\n(?=(?:less|mid|parallel|exists)\b)"
    r"|\\n(?=[ei][.)])"
)
_ESCAPE = re.compile(
    rf"{_LINE_FEED}|\\(?:u[0-9a-fA-F]{{4}}|x(?P<byte>[0-9a-fA-F]{{2}})|(?P<run>[A-Za-z]+)|(?P<sign>.))",
    re.DOTALL,
)
# Commands that begin with JSON's escapes of line feed, carriage return and tab. Models never mean backspace
# and form feed, so letters behind these escapes are always LaTeX.
_COMMANDS: Final = frozenset(
    """
    nabla natural ncong ne nearrow neg neq newcommand newline nexists ngeq ngeqslant ngtr ni nleftarrow
    nLeftarrow nleftrightarrow nleq nleqslant nless nmid nobreakspace noindent nolimits nonumber normalsize
    not notag notin nparallel nprec npreceq nrightarrow nRightarrow nsim nsubseteq nsucc nsucceq nsupseteq nu
    nwarrow rangle rbrace rbrack rceil ref relax rfloor rho right rightarrow rightharpoondown rightharpoonup
    rightleftarrows rightleftharpoons rightsquigarrow rm rmfamily root rtimes rule rvert rVert
    tag tan tanh tau tbinom text textasciitilde textbackslash textbar textbf textbullet textcelsius textcolor
    textdegree textemdash textendash textgreater textit textless textmd textmu textnormal textohm
    textonehalf textperiodcentered textpm textquotedblleft textquotedblright textquoteleft textquoteright
    textregistered textrm textsc textsf textsl textstyle textsubscript textsuperscript texttildelow texttimes
    texttrademark texttt textunderscore textup tfrac therefore theta thickapprox thicksim thinspace tilde
    times tiny to top triangle triangledown triangleleft triangleq triangleright tt ttfamily twoheadrightarrow
    """.split()
)


_RAW_STRING = re.compile(r"\b[rR]['\"]")


def with_latex(text: str) -> str:
    """Return the text of JSON with those backslashes doubled that begin no escape, or a command of LaTeX."""
    return _ESCAPE.sub(_as_meant, text) if "\\" in text else text


def python_with_latex(text: str) -> str:
    """Return the text of a Python literal with backslashes as in `with_latex`, unless a string is raw."""
    return text if _RAW_STRING.search(text) else with_latex(text)


def _as_meant(escape: re.Match[str]) -> str:
    byte, run, sign = escape["byte"], escape["run"], escape["sign"]
    if byte or sign == "'":
        # Python's escapes, which JSON lacks.
        return f"\\u00{byte or 27}"
    if run is None:
        return escape[0] if sign is None or sign in '"\\/' else f"\\{escape[0]}"
    is_escape = (run[0] in "nrt" and run not in _COMMANDS) or run in ("b", "f")
    return escape[0] if is_escape else f"\\{escape[0]}"

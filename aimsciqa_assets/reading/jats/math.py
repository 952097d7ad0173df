"""Formulas as one line of readable text: MathML (`x_i^2 = a/b`), else TeX without its preamble."""

import re
import unicodedata
from collections.abc import Callable
from html.entities import html5

from lxml import etree

from aimsciqa_assets.reading.jats.tree import local_name
from aimsciqa_assets.text.combining import unstacked

_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\ufeff"))
_SPACED = frozenset("=<>≤≥≠≈≃≅∼~±∓+−-–×÷∈∉⊂⊆∪∩∧∨→←↔⇒⇔∝≡≪≫∗*⋅·")
_SIMPLE = re.compile(r"[^\W_]+(?:[.,'′][^\W_]+)*|[^\s()]|\(.*\)|\[.*\]")
_DROPPED = frozenset(
    ("annotation", "annotation-xml", "mphantom", "malignmark", "maligngroup", "none", "mprescripts")
)


def linear_mathml(math: etree._Element) -> str:
    """One line for a MathML element; powers as `^`, indices as `_`, fractions as `/`."""
    text = _math(math)
    if not _is_ascii_math(math):
        text = unicodedata.normalize("NFKC", unstacked(text))
    return " ".join(text.split()).strip()


def _is_ascii_math(math: etree._Element) -> bool:
    return all(not element.text or element.text.isascii() for element in math.iter())


def _math(element: etree._Element) -> str:
    name = local_name(element)
    if name in _DROPPED:
        return ""
    handler = _LAYOUTS.get(name)
    return handler(element) if handler else _row(element)


def _row(element: etree._Element) -> str:
    """Children side by side: blanks around relations, between words, and after commas; none elsewhere."""
    pieces: list[str] = []
    previous = ""
    for child in element:
        piece = _math(child)
        if not piece:
            continue
        if previous and _are_two_words(previous, piece):
            pieces.append(" ")
        pieces.append(piece)
        previous = piece
    return "".join(pieces)


def _are_two_words(left: str, right: str) -> bool:
    """Whether a blank must keep two neighbours apart: words and numbers, but neither `2x` nor l-o-g."""
    if not (left[-1].isalnum() and right[0].isalnum()):
        return False
    if left[-1].isdigit() and right[0].isdigit():
        return True
    head, tail = re.match(r"[^\W_]+", right[:9]), re.search(r"[^\W_]+$", left[-9:])
    return left[-1].isalpha() and max(len(head.group()) if head else 0, len(tail.group()) if tail else 0) > 1


def _token(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).translate(_INVISIBLE).split())


def _operator(element: etree._Element) -> str:
    sign = _token(element)
    parent = element.getparent()
    alone = parent is not None and local_name(parent) in {"msup", "msub", "msubsup"}
    if sign in _SPACED and not alone and element.getprevious() is not None:
        return f" {sign} "
    return sign + " " if sign in {",", ";"} else sign


def _words(element: etree._Element) -> str:
    raw = "".join(map(str, element.itertext()))
    text = " ".join(raw.split())
    if not text:
        return " " if raw else ""
    return f"{' ' if raw[0].isspace() else ''}{text}{' ' if raw[-1].isspace() else ''}"


def _children(element: etree._Element, count: int) -> list[str]:
    parts = [_math(child).strip() for child in element if local_name(child) not in _DROPPED]
    return (parts + [""] * count)[:count]


def _grouped(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _superscript(element: etree._Element) -> str:
    base, power = _children(element, 2)
    return f"{base}^{_grouped(power)}" if power not in {"", "′", "'", "″"} else base + power


def _subscript(element: etree._Element) -> str:
    base, index = _children(element, 2)
    return f"{base}_{_grouped(index)}" if index else base


def _both_scripts(element: etree._Element) -> str:
    base, index, power = _children(element, 3)
    return base + (f"_{_grouped(index)}" if index else "") + (f"^{_grouped(power)}" if power else "")


def _over(element: etree._Element) -> str:
    base, above = _children(element, 2)
    return base if not above or above in "¯‾ˆ^~˜→⃗.˙⏞" else f"{base}^{_grouped(above)}"


def _under(element: etree._Element) -> str:
    base, below = _children(element, 2)
    return base if not below or below in "_̲⏟" else f"{base}_{_grouped(below)}"


def _fraction(element: etree._Element) -> str:
    above, below = _children(element, 2)
    return f"{_grouped(above)}/{_grouped(below)}"


def _square_root(element: etree._Element) -> str:
    return f"√{_grouped(_row(element).strip())}"


def _root(element: etree._Element) -> str:
    base, degree = _children(element, 2)
    return f"{_grouped(base)}^(1/{degree})"


def _fenced(element: etree._Element) -> str:
    inner = ", ".join(part for part in (_math(child).strip() for child in element) if part)
    return f"{element.get('open', '(')}{inner}{element.get('close', ')')}"


def _table(element: etree._Element) -> str:
    rows = [" ".join(filter(None, (_math(cell).strip() for cell in _cells(row)))) for row in element]
    return "; ".join(filter(None, rows))


def _cells(row: etree._Element) -> list[etree._Element]:
    """Return the cells of a row of a `mtable`, without the number of an equation."""
    return list(row)[1:] if local_name(row) == "mlabeledtr" else list(row)


def _semantics(element: etree._Element) -> str:
    return _math(element[0]) if len(element) else ""


_LAYOUTS: dict[str, Callable[[etree._Element], str]] = {
    "mi": _token,
    "mn": _token,
    "mo": _operator,
    "ms": _token,
    "mtext": _words,
    "mspace": lambda _: " ",
    "msup": _superscript,
    "msub": _subscript,
    "msubsup": _both_scripts,
    "munderover": _both_scripts,
    "mover": _over,
    "munder": _under,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _table,
    "semantics": _semantics,
}

_LONGEST_TEX = 20_000
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.S)
_TEX_PREAMBLE = re.compile(r"\\(?:documentclass|usepackage|setlength|newcommand|DeclareMathOperator)\b[^\n]*")
_TEX_NOISE = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[^{}]*\})?|\\(?:label|tag)\s*\{[^{}]*\}"
    r"|\\(?:displaystyle|textstyle|limits|nolimits|nonumber|left|right|[bB]igg?[lrm]?|hfill|hline)(?![A-Za-z])\.?"
    r"|\\(?:rm|bf|it|sf|cal|mathrm|mathbf|mathit|mathsf|mathcal|mathbb|mathfrak|boldsymbol|bm|text|textrm|textit|textbf|textsf"
    r"|operatorname|mbox|hbox|upmu|overline|bar|hat|tilde|vec|widehat|dot|underline|ensuremath|pmb)(?![A-Za-z])\*?"
)
_TEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_TEX_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_TEX_SCRIPT = re.compile(r"([\^_])\s*\{([^{}]*)\}")
_TEX_GROUP = re.compile(r"\{([^{}]*)\}")
_TEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_TEX_NAMES = {
    "cdot": "·", "cdots": "…", "ldots": "…", "dots": "…", "infty": "∞", "to": "→", "neq": "≠",
    "leqslant": "≤", "geqslant": "≥", "quad": " ", "qquad": " ", "partial": "∂", "varepsilon": "ε",
    "epsilon": "ε", "varphi": "φ", "phi": "φ", "prime": "′", "circ": "°", "ast": "*",
    "mid": "|", "vert": "|", "lbrace": "{", "rbrace": "}",
    "backslash": "\\", "log": "log", "ln": "ln", "exp": "exp", "max": "max", "min": "min", "sin": "sin",
    "cos": "cos", "tan": "tan", "lim": "lim", "Pr": "Pr", "det": "det", "int": "∫", "sum": "∑",
    "prod": "∏", "over": "/",
}  # fmt: skip


def tex_body(tex: str) -> str:
    """The formula of a `tex-math` element as LaTeX, without the preamble around it."""
    document = _TEX_BODY.search(tex[:_LONGEST_TEX])
    return (document.group(1) if document else _TEX_PREAMBLE.sub(" ", tex[:_LONGEST_TEX])).strip()


def readable_tex(tex: str) -> str:
    """The formula of a `tex-math` element as text: no preamble, no layout commands, signs as characters."""
    tex = tex_body(tex)
    tex = (
        tex.replace("\\$", "\x00")
        .replace("$", " ")
        .replace("\x00", "$")
        .replace("\\\\", "; ")
        .replace("&", " ")
    )
    tex = _TEX_NOISE.sub(" ", tex)
    tex = re.sub(r"\\[,;:!> ]", " ", tex).replace("~", " ").replace("\\(", " ").replace("\\)", " ")
    tex = re.sub(r"\\([%#&_{}$|])", lambda found: {"{": "(", "}": ")"}.get(found[1], found[1]), tex)
    for _ in range(12):
        before = tex
        tex = _TEX_SCRIPT.sub(lambda found: found[1] + _grouped(found[2].strip()), tex)
        tex = _TEX_ROOT.sub(lambda found: "√" + _grouped(found[1].strip()), tex)
        tex = _TEX_FRACTION.sub(
            lambda found: f"{_grouped(found[1].strip())}/{_grouped(found[2].strip())}", tex
        )
        tex = re.sub(r"(?<![\^_A-Za-z}])\{([^{}]*)\}", r"\1", tex)
        if tex == before:
            break
    tex = _TEX_GROUP.sub(r"\1", tex)
    tex = _TEX_COMMAND.sub(_tex_sign, tex)
    return " ".join(tex.replace("\\", " ").split())


def _tex_sign(found: re.Match[str]) -> str:
    name = found.group(1)
    sign = _TEX_NAMES.get(name) or html5.get(name + ";", "")
    if not sign:
        return name + " "
    return f" {sign} " if len(sign) > 1 or sign in _SPACED else sign

"""The short name of a licence (`CC BY`, `CC BY-NC-ND`, `CC0`, ...) from its URL or its wording."""

import re

_LICENCE_URL = re.compile(
    r"creativecommons\.org/licen[sc]es?/(by(?:-nc)?(?:-nd|-sa)?|by-(?:nd|sa)-nc)\b", re.I
)
_ZERO = re.compile(
    r"creativecommons\.org/(?:publicdomain|licen[sc]es?|about)/(?:zero|cc0)|\bcc[\s-]?(?:0|zero)\b"
    r"|free of all copyright",
    re.I,
)
_PUBLIC_DOMAIN = re.compile(
    r"creativecommons\.org/(?:publicdomain/mark|licenses/publicdomain)|\bpublic[\s-]domain\b"
    r"|\b(?:us|u\.s\.) government work\b",
    re.I,
)
_SHORT = re.compile(r"\bcc[\s_-]*by((?:[\s_-]*(?:nc|nd|sa)\b)*)", re.I)
_SPELLED = re.compile(r"creative\s*commons|creativecommons", re.I)
_ATTRIBUTION = re.compile(r"attribution|commons-?\s*by", re.I)
_LIMITS = (
    ("NC", re.compile(r"non-?\s?commercial", re.I)),
    ("ND", re.compile(r"no-?\s?deriv", re.I)),
    ("SA", re.compile(r"share-?\s?alike", re.I)),
)
_WORDING = 200
_VERSION = re.compile(r"\b[1-4]\.\d\b")


def licence_name(text: str) -> str:
    """`CC BY` with its limits (`CC BY-NC-ND`), `CC0`, `public domain`, or "".

    `text` is a URL, a `license-type`, or the words of a licence paragraph; the first licence it names counts.
    """
    found = _LICENCE_URL.search(text)
    if found:
        return _named(found.group(1).lower())
    found = _SHORT.search(text)
    if found:
        return _named(found.group(1).lower())
    spelled = _SPELLED.search(text)
    if spelled:
        # The limits are part of the name; further on, "commercial" may stand in what the licence permits.
        wording = text[spelled.start() : spelled.start() + _WORDING]
        name = re.split(
            r"licen[sc]e|which permits|\bto view\b|\(", wording[len(spelled.group()) :], maxsplit=1
        )[0]
        if _ATTRIBUTION.search(spelled.group() + name):
            return "CC BY" + "".join(f"-{short}" for short, pattern in _LIMITS if pattern.search(name))
    if _ZERO.search(text):
        return "CC0"
    return "public domain" if _PUBLIC_DOMAIN.search(text) else ""


def licence_address(text: str) -> str:
    """The URL of the licence that `text` names: the text itself if it is one, or that of a Creative Commons
    licence with its version ("CC BY-SA 4.0"); otherwise "".
    """
    if re.fullmatch(r"https?://\S+", text):
        return text
    name, version = licence_name(text), _VERSION.search(text)
    if name == "CC0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    if name.startswith("CC BY") and version:
        return f"https://creativecommons.org/licenses/{name[3:].lower()}/{version[0]}/"
    return ""


def _named(limits: str) -> str:
    return "CC BY" + "".join(f"-{short}" for short in ("NC", "ND", "SA") if short.lower() in limits)

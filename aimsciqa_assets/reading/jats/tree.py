"""From bytes to the `article` element: safely, in any encoding, with mending where that loses nothing.

No DTD and no external entity is ever loaded. Depth, text length and entity expansion are bounded by
libxml2's own limits (`huge_tree` stays off); size and number of nodes are bounded here.
"""

import codecs
import re
import unicodedata
from html.entities import html5
from typing import Any

from lxml import etree

from aimsciqa_assets.reading.paper import RejectedFileError

MAX_BYTES = 64 * 2**20
MAX_NODES = 2_000_000
"""Upper bound for tags plus attributes; at about 120 bytes each, what keeps memory in bounds."""

_DECLARED_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_ODD_AMPERSAND = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    rb"|&(?:([A-Za-z][A-Za-z0-9._-]{0,40});|(#\d{1,8};|#[xX][0-9A-Fa-f]{1,8};))?",
    re.S,
)
_NEEDS_AMPERSAND_CARE = re.compile(rb"&(?!amp;|lt;|gt;|quot;|apos;|#)")
_OWN_ENTITY = re.compile(rb"""<!ENTITY\s+([A-Za-z][A-Za-z0-9._-]{0,40})\s+["']""")
_ILLEGAL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ARTICLE_START = re.compile(rb"<(?:[\w.-]{1,40}:)?article[\s>]")
_ARTICLE_END = re.compile(rb"</(?:[\w.-]{1,40}:)?article\s*>")
_REFERENCE = re.compile(r"&#(?:[xX]([0-9A-Fa-f]{1,8})|(\d{1,8}));")
_PREDEFINED = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_OTHER_SCRIPTS = frozenset("ar be bg el fa he hi hy ja ka ko mk ru sr th uk ur zh".split())
"""Languages that are not written in Latin script."""
_THREE_LETTERS = dict(
    zip(
        "eng spa por fra fre deu ger ita rus zho chi jpn kor ara fas per tur pol ukr".split(),
        "en es pt fr fr de de it ru zh zh ja ko ar fa fa tr pl uk".split(),
        strict=True,
    )
)
"""ISO 639-2 codes that some publishers write for those of ISO 639-1."""
_NAMES = {
    "contrib": ("name", "string-name"),
    "name-alternatives": ("name", "string-name", "collab"),
    "collab-alternatives": ("collab",),
}
_COUNTED_TAGS = ("p", "sec", "ref", "title", "body", "back")

# ISO 8879 "Greek Letters" (ISOgrk1), the one ISO set whose names HTML does not know.
_ISO_GREEK = dict(
    zip(
        ("agr bgr ggr dgr egr zgr eegr thgr igr kgr lgr mgr ngr "
         "xgr ogr pgr rgr sfgr sgr tgr ugr phgr khgr psgr ohgr").split(),
        "αβγδεζηθικλμνξοπρςστυφχψω",
        strict=True,
    )
)  # fmt: skip


def read_article(data: bytes) -> tuple[etree._Element, list[str]]:
    """The only `article` of a JATS file, its tags without namespace, and what had to be mended.

    Raises `RejectedFileError`: `empty_file`, `too_large`, `too_complex` (depth, text length, entity growth),
    `truncated`, `not_well_formed`, `no_article`, `several_articles`.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise RejectedFileError("empty_file")
    if len(data) > MAX_BYTES:
        raise RejectedFileError("too_large", f"{len(data)} bytes, {MAX_BYTES} are read")
    if len(data) > MAX_NODES and data.count(b"<") + data.count(b"=") > MAX_NODES:
        raise RejectedFileError("too_large", f"more than {MAX_NODES} tags and attributes")
    data, repairs = _as_utf8(data)
    if _NEEDS_AMPERSAND_CARE.search(data):
        if data.count(b"&") > MAX_NODES // 2:
            raise RejectedFileError("too_large", f"more than {MAX_NODES // 2} references to entities")
        data = _with_known_entities(data, repairs)
    parser = _parser(recover=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        _check_limits(parser, error)
        root = _recovered(data, error, repairs)
    return _only_article(root), repairs


def _parser(*, recover: bool) -> etree.XMLParser:
    # Entities declared inside the file are resolved (lxml's default), within libxml2's limit on their growth.
    # `collect_ids` must stay on: lxml turns it off by asking libxml2 for the DTD.
    return etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _as_utf8(data: bytes) -> tuple[bytes, list[str]]:
    """`data` in UTF-8. Bytes that are valid UTF-8 are UTF-8, whatever the XML declaration says."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            if encoding == "utf-8":
                data = data[len(mark) :]
                break
            return _recoded(data, encoding), []
    if data[:2] == b"<\x00":
        return _recoded(data, "utf-16-le"), []
    if data[:2] == b"\x00<":
        return _recoded(data, "utf-16-be"), []
    try:
        if not data.isascii():
            data.decode("utf-8")
    except UnicodeDecodeError:
        return _recoded_from_declaration(data)
    return data.lstrip(), []


def _recoded(data: bytes, encoding: str) -> bytes:
    return data.decode(encoding, "replace").lstrip("\ufeff \t\r\n").encode("utf-8", "replace")


def _recoded_from_declaration(data: bytes) -> tuple[bytes, list[str]]:
    declared = _DECLARED_ENCODING.search(data[:300])
    name = declared.group(1).decode("ascii").lower() if declared else "utf-8"
    if name not in {"utf-8", "utf8", "ascii", "us-ascii"}:
        try:
            return _recoded(data.decode(name).encode("utf-8"), "utf-8"), []
        except (UnicodeDecodeError, LookupError, TypeError, ValueError):
            pass
    replaced = data.decode("utf-8", "replace")
    broken = replaced.count("\ufffd")
    if broken * 4 < sum(1 for byte in data if byte >= 0x80) // 2:
        return _recoded(data, "utf-8"), [f"{broken} byte sequences that are not {name} were replaced"]
    return _recoded(data, "latin-1" if b"\x81" in data else "cp1252"), [
        f"read as Windows-1252, declared {name}"
    ]


def _with_known_entities(data: bytes, repairs: list[str]) -> bytes:
    """Named entities become their characters; unknown ones and bare ampersands stay as they look."""
    own = set(_OWN_ENTITY.findall(data[:100_000])) if b"<!ENTITY" in data[:100_000] else set()
    unknown: dict[str, None] = {}

    def replacement(found: re.Match[bytes]) -> bytes:
        whole = found.group()
        name: bytes | None = found.group(1)
        if not whole.startswith(b"&") or found.group(2) or name in _PREDEFINED or name in own:
            return whole
        text = name.decode("ascii") if name else ""
        character = html5.get(text + ";") or _ISO_GREEK.get(text) or _ISO_GREEK.get(text.lower(), "").upper()
        if character:
            return character.replace("&", "&amp;").replace("<", "&lt;").encode("utf-8")
        unknown[f"&{text};" if text else "bare &"] = None
        return b"&amp;" + whole[1:]

    data = _ODD_AMPERSAND.sub(replacement, data)
    if unknown:
        repairs.append("kept as written: " + ", ".join(list(unknown)[:10]))
    return data


def _errors(parser: etree.XMLParser) -> list[Any]:
    """What the parser complained about. (The log of its exception also holds what other files did wrong.)"""
    log: Any = parser.error_log
    return list(log)  # the stubs do not know that an error log is a sequence


def _check_limits(parser: etree.XMLParser, error: etree.XMLSyntaxError) -> None:
    """Raise what a parser calls a broken file when it was memory, or a limit of its own, that ended it."""
    met = {entry.type_name for entry in _errors(parser)}
    if "ERR_NO_MEMORY" in met:
        raise MemoryError
    if "ERR_RESOURCE_LIMIT" in met:
        raise RejectedFileError("too_complex", _message(error))


def _recovered(data: bytes, error: etree.XMLSyntaxError, repairs: list[str]) -> etree._Element:
    """The tree of a file that is not well-formed, if nothing of its structure was lost on the way."""
    if b"<" not in data:
        raise RejectedFileError("not_well_formed", "no markup in it")
    text = data.decode("utf-8", "replace")
    mended = _ILLEGAL_CHARACTERS.sub(" ", _REFERENCE.sub(_legal_reference, text)).encode("utf-8")
    parser = _parser(recover=True)
    try:
        root = etree.fromstring(mended, parser)
    except (etree.XMLSyntaxError, ValueError) as second:
        _check_limits(parser, error)
        raise RejectedFileError("not_well_formed", str(second)) from None
    if root is None:
        raise RejectedFileError("not_well_formed", _message(error))
    _check_limits(parser, error)
    serious = [entry for entry in _errors(parser) if entry.domain_name != "NAMESPACE"]
    if serious:
        if _ARTICLE_START.search(mended) and not _ARTICLE_END.search(mended):
            raise RejectedFileError("truncated", _message(error))
        for tag in _COUNTED_TAGS:
            written = len(re.findall(rb"<(?:[\w.-]{1,40}:)?%b[\s>]" % tag.encode(), mended))
            kept = sum(1 for _ in root.iter(tag, f"{{*}}{tag}"))
            if kept < written:
                raise RejectedFileError(
                    "not_well_formed", f"{_message(error)}; {written - kept} <{tag}> lost"
                )
    repairs.append(f"not well-formed, recovered: {_message(error)}")
    return root


def _legal_reference(found: re.Match[str]) -> str:
    """A character reference as it is, or a blank for one to a character that XML forbids."""
    code = int(found[1], 16) if found[1] else int(found[2])
    legal = code < 0x110000 and not 0xD800 <= code < 0xE000 and not _ILLEGAL_CHARACTERS.match(chr(code))
    return found[0] if legal else " "


def _message(error: etree.XMLSyntaxError) -> str:
    return " ".join(str(error.msg).split())[:300]


def _only_article(root: etree._Element) -> etree._Element:
    if local_name(root) == "article":
        article = root
    else:
        articles = root.iter("article", "{*}article")
        first = next(articles, None)
        if first is None or local_name(root) == "html":
            raise RejectedFileError("no_article", f"the root is {local_name(root)!r}")
        article = first
        if next(articles, None) is not None:
            raise RejectedFileError("several_articles", "one file must hold one article; split it first")
    if article.tag.startswith("{"):
        namespace = article.tag.partition("}")[0] + "}"
        for element in article.iter(namespace + "*"):
            element.tag = element.tag.removeprefix(namespace)
    return article


def local_name(element: etree._Element) -> str:
    """The tag without namespace or unbound prefix; empty for entity references."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2] if isinstance(tag, str) else ""


def language_of(element: etree._Element) -> str:
    """Return the language of an element in two letters without its region ("en"); "" if it names none."""
    tag = element.get("{http://www.w3.org/XML/1998/namespace}lang", "") or element.get("xml:lang", "")
    language = tag.replace("_", "-").partition("-")[0].strip().lower()
    return _THREE_LETTERS.get(language, language)


def link_target(element: etree._Element) -> str:
    """The `xlink:href` of an element, whatever prefix or namespace it was given."""
    for name, value in element.attrib.items():
        if str(name).endswith("href"):
            return str(value)
    return ""


def keep_names_of_language(article: etree._Element) -> None:
    """Keep of a person's or group's names the one in the script and the language of the article."""
    language = language_of(article)
    latin = language not in _OTHER_SCRIPTS
    for parent in list(article.iter(*_NAMES)):
        names = list(parent.iterchildren(*_NAMES[parent.tag]))
        fitting = [(_is_latin(name) is latin, language_of(name) == language) for name in names]
        for position, name in enumerate(names):
            if position != fitting.index(max(fitting)):
                parent.remove(name)


def _is_latin(name: etree._Element) -> bool:
    letter = next((letter for letter in "".join(map(str, name.itertext())) if letter.isalpha()), "")
    return unicodedata.name(letter, "").startswith("LATIN") if letter else False

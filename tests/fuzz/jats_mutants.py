# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Broken, hostile and monstrous JATS files, each determined by its seed.

One file in a hundred is a monster (`jats_monsters.py`); the others are sound papers with one to three damages.
"""

import codecs
import gzip
import random
import re
from collections.abc import Callable, Sequence

from lxml import etree

from tests.fuzz.jats_monsters import MONSTERS
from tests.fuzz.jats_names import ATTRIBUTES, NAMES
from tests.fuzz.mutation import Damage, mutant
from tests.fuzz.nasty import nasty_text

_TAG = re.compile(rb"<[^<>]*>")
_END_TAG = re.compile(rb"</[^<>]*>")
_ID = re.compile(rb'(?<=\b(?:id)=")[^"]*(?=")')
_RID = re.compile(rb'(?<=\brid=")[^"]*(?=")')
_DECLARATION = re.compile(rb"<\?xml[^>]*\?>")


def jats_mutant(seed: int, papers: Sequence[bytes]) -> tuple[str, bytes]:
    """What was done, and the file."""
    return mutant(random.Random(f"jats {seed}"), papers, DAMAGES, MONSTERS, 0.01)


# Damage to the bytes


def flip_bytes(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(chance.choice((1, 3, 30))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def flip_bits(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(chance.choice((1, 3, 30))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut_out(chance: random.Random, data: bytes) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:start] + data[min(end, start + chance.choice((1, 20, 5000))) :]


def truncate(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def cut_inside_tag(chance: random.Random, data: bytes) -> bytes:
    tag = _some(chance, _TAG, data)
    at = chance.randrange(tag[0], tag[1] + 1)
    return data[:at] + data[at + chance.randrange(1, 15) :]


def remove_end_tags(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 2, 8))):
        start, end = _some(chance, _END_TAG, data)
        data = data[:start] + data[end:]
    return data


def duplicate_block(chance: random.Random, data: bytes) -> bytes:
    start, end = sorted((_some(chance, _TAG, data)[0], _some(chance, _TAG, data)[1]))
    return data[:end] + data[start:end] + data[end:]


def swap_blocks(chance: random.Random, data: bytes) -> bytes:
    a, b, c, d = sorted(_some(chance, _TAG, data)[0] for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def insert_controls(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 20))):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + bytes((chance.choice((0, 1, 2, 3, 4, 8, 11, 12, 27, 127, 133, 255)),)) + data[at:]
    return data


def change_case_of_tags(chance: random.Random, data: bytes) -> bytes:
    return _TAG.sub(lambda tag: tag[0].upper() if chance.random() < 0.2 else tag[0], data)


# Damage to ids, entities and encodings


def collide_ids(chance: random.Random, data: bytes) -> bytes:
    return _ID.sub(lambda found: b"r1" if chance.random() < 0.7 else found[0], data)


def scatter_rids(chance: random.Random, data: bytes) -> bytes:
    ids = [found[0] for found in _ID.finditer(data)] or [b"r1"]
    return _RID.sub(lambda _: b" ".join(chance.choices(ids, k=chance.choice((0, 1, 2, 40)))), data)


def refer_to_characters(chance: random.Random, data: bytes) -> bytes:
    references = (
        "&#0; &#x1; &#xD800; &#xDFFF; &#xFFFE; &#xFFFF; &#x110000; &#99999999999; &#x; &; &amp; &lt; &nbsp; "
        "&nosuch; &alpha; &Agr; &#x1F600; &#x202E; &#x300; &#133; &" + "x" * 60 + ";"
    ).split()
    for _ in range(chance.choice((1, 5, 50))):
        start, end = _some(chance, _TAG, data)
        at = chance.choice((start, end))
        data = data[:at] + chance.choice(references).encode() + data[at:]
    return data


def declare_entities(chance: random.Random, data: bytes) -> bytes:
    entities = chance.choice((
        '<!ENTITY a "x"><!ENTITY b "&a;&a;">',
        '<!ENTITY a "&b;"><!ENTITY b "&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b SYSTEM "http://127.0.0.1:9/b">',
        '<!ENTITY % p SYSTEM "file:///etc/passwd">%p;<!ENTITY a "x">',
        '<!ENTITY a "<sec><title>In</title><p>In an entity.</p></sec>"><!ENTITY b "<p>open">',
        '<!ENTITY a "' + "x" * 100_000 + '"><!ENTITY b "' + "&a;" * 100 + '">',
        '<!ATTLIST p id CDATA "same"><!ENTITY a "&#60;p>">',
    ))  # fmt: skip
    data = re.sub(rb"<!DOCTYPE[^>\[]*(?:\[[^\]]*\])?>", b"", data)
    end = _some(chance, _TAG, data)[1]
    data = data[:end] + b"&a;&b;" + data[end:]
    doctype = f"<!DOCTYPE article [{entities}]>".encode()
    declaration = _DECLARATION.match(data)
    at = declaration.end() if declaration else 0
    return data[:at] + doctype + data[at:]


def recode(chance: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    encoding = chance.choice(
        "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-be latin-1 cp1252 shift_jis gb18030 utf-7 "
        "cp037 ascii koi8-r".split()
    )
    return text.encode(encoding, "replace")


def declare_encoding(chance: random.Random, data: bytes) -> bytes:
    name = chance.choice(
        "utf-8 utf-16 latin-1 us-ascii shift_jis utf-7 punycode idna unicode_escape raw_unicode_escape rot13 "
        "base64 zlib undefined no-such-encoding ebcdic-cp-us UTF-32 mbcs".split()
    )
    body = _DECLARATION.sub(b"", data, count=1)
    odd = chance.choice((b"", b"", b"\xe9\xa0", b"\x81\xff", b"\\ud800 \xff", b"\xed\xa0\x80"))
    at = chance.randrange(len(body) + 1)
    return f'<?xml version="1.0" encoding="{name}"?>'.encode() + body[:at] + odd + body[at:]


def put_in_front(chance: random.Random, data: bytes) -> bytes:
    marks = (
        codecs.BOM_UTF8,
        codecs.BOM_UTF16_LE,
        codecs.BOM_UTF32_BE,
        b"\x00",
        b"\x1f\x8b\x08",
        b" \n",
        b"<",
    )
    return chance.choice((*marks, b"<!-- -->", b"<?xml version='1.1'?>", b"PK\x03\x04", b"%PDF-1.4 ")) + data


def compress(chance: random.Random, data: bytes) -> bytes:
    packed = gzip.compress(data, mtime=0)
    return packed[chance.choice((0, 2, 10)) : chance.randrange(10, len(packed))]


def empty(chance: random.Random, _data: bytes) -> bytes:
    return chance.choice(
        (b"", b" \n", b"\x00" * 5000, b"<", b"<article/>", b"<article>", b"<a/>", b"\xff" * 99)
    )


def several(chance: random.Random, data: bytes) -> bytes:
    bare = re.sub(rb"<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", b"", data)
    return chance.choice((bare + bare, b"<a>" + bare + bare + b"</a>", b"<x:a>" + bare + b"</x:a>"))


# Damage to the tree, which stays well-formed


def _in_tree(change: Callable[[random.Random, etree._Element, list[etree._Element]], None]) -> Damage:
    def damage(chance: random.Random, data: bytes) -> bytes:
        try:
            root = etree.fromstring(data, etree.XMLParser(recover=True, resolve_entities=False))
        except (etree.XMLSyntaxError, ValueError):
            root = None
        if root is None:
            return data
        elements = [element for element in root.iter() if isinstance(element.tag, str)]
        for _ in range(chance.choice((1, 5, 25))):
            change(chance, chance.choice(elements), elements)
        return etree.tostring(root, encoding="utf-8")

    damage.__name__ = change.__name__
    return damage


@_in_tree
def remove(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


@_in_tree
def move(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    target = chance.choice(elements)
    if element not in (target, *target.iterancestors()):
        target.insert(chance.randrange(len(target) + 1), element)


@_in_tree
def rename(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    element.tag = chance.choice(NAMES)


@_in_tree
def rename_all(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    old, new = element.tag, chance.choice(NAMES)
    for other in elements:
        if other.tag == old:
            other.tag = new


@_in_tree
def wrap(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    parent = element.getparent()
    if parent is None:
        return
    at, name = parent.index(element), chance.choice((*NAMES, str(element.tag)))
    for _ in range(chance.choice((1, 3, 30))):
        wrapper = etree.Element(name)
        wrapper.append(element)
        element = wrapper
    parent.insert(at, element)


@_in_tree
def replace_text(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    if chance.random() < 0.5:
        element.text = nasty_text(chance)
    else:
        element.tail = nasty_text(chance)


@_in_tree
def replace_attribute(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    element.set(chance.choice((*element.attrib, *ATTRIBUTES)), nasty_text(chance))


@_in_tree
def insert(chance: random.Random, element: etree._Element, elements: list[etree._Element]) -> None:
    new = etree.Element(chance.choice(NAMES), {chance.choice(ATTRIBUTES): nasty_text(chance)})
    new.text = nasty_text(chance)
    element.insert(chance.randrange(len(element) + 1), new)


DAMAGES: tuple[Damage, ...] = (
    flip_bytes, flip_bits, cut_out, truncate, cut_inside_tag, remove_end_tags, duplicate_block, swap_blocks,
    insert_controls, change_case_of_tags, collide_ids, scatter_rids, refer_to_characters, declare_entities,
    recode, declare_encoding, put_in_front, compress, empty, several, remove, move, rename, rename_all, wrap,
    replace_text, replace_attribute, insert,
)  # fmt: skip


def _some(chance: random.Random, pattern: re.Pattern[bytes], data: bytes) -> tuple[int, int]:
    """Where the pattern stands behind a random place; the whole file if it does not."""
    found = pattern.search(data, chance.randrange(len(data) + 1)) or pattern.search(data)
    return found.span() if found else (0, len(data))

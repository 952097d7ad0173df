# ruff: noqa: E501 (tables are easier to read with long lines)
"""Broken, hostile and monstrous PDFs, each determined by its seed.

Three files in a hundred are monsters, built anew; the others are typeset papers with one to three damages.
"""

import random
import re
import zlib
from collections.abc import Callable, Sequence

import pymupdf

from tests.fuzz.mutation import Damage, Monster, mutant

_OBJECT = re.compile(rb"\b\d+ \d+ obj\b")
_REFERENCE = re.compile(rb"\b\d+ \d+ R\b")
_LENGTH = re.compile(rb"/Length \d+")
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_NAME = re.compile(rb"/[A-Za-z]+")
_STREAM = re.compile(rb"stream\r?\n")
_SAVINGS: tuple[dict[str, int], ...] = (
    {},
    {"deflate": 1},
    {"garbage": 4, "deflate": 1, "use_objstms": 1},
    {"ascii": 1, "pretty": 1},
)


def typeset(title: str, paragraphs: Sequence[str], seed: int) -> bytes:
    """A paper as a PDF, saved in one of the ways that programs save."""
    chance = random.Random(f"typeset {seed}")
    document = pymupdf.open()
    for first in range(0, len(paragraphs), 6):
        page = document.new_page(width=595, height=842)
        if not first:
            page.insert_textbox((60, 60, 540, 110), title, fontsize=16)
        page.insert_textbox((60, 120, 540, 800), "\n\n".join(paragraphs[first : first + 6]), fontsize=9)
    return document.tobytes(no_new_id=1, **chance.choice(_SAVINGS))


def pdf_mutant(seed: int, papers: Sequence[bytes]) -> tuple[str, bytes]:
    """What was done, and the file."""
    return mutant(random.Random(f"pdf {seed}"), papers, DAMAGES, MONSTERS, 0.03)


def flip_bytes(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 5, 100))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def truncate(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(100, len(data))] if len(data) > 100 else data


def cut_out(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.choice((1, 30, 3000)) :]


def cut_cross_references(_chance: random.Random, data: bytes) -> bytes:
    return data[: max(data.rfind(b"\nxref"), len(data) // 2)]


def repeat_block(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at : at + 2000] * chance.choice((2, 50)) + data[at:]


def embed_garbage(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(chance.choice((10, 1000, 100_000))) + data[at:]


def renumber_objects(chance: random.Random, data: bytes) -> bytes:
    return _changed(chance, _OBJECT, data, lambda: b"%d 0 obj" % chance.choice((0, 1, 2, 3, 99, 2**31)))


def redirect_references(chance: random.Random, data: bytes) -> bytes:
    return _changed(chance, _REFERENCE, data, lambda: b"%d 0 R" % chance.choice((0, 1, 2, 3, 4, 5, 6, 99999)))


def change_lengths(chance: random.Random, data: bytes) -> bytes:
    return _changed(
        chance, _LENGTH, data, lambda: b"/Length %d" % chance.choice((0, 1, -5, 10**6, 2**31, 2**62))
    )


def change_numbers(chance: random.Random, data: bytes) -> bytes:
    values = (
        b"0",
        b"-1",
        b"65536",
        b"2147483648",
        b"1e38",
        b"-99999999999999999999",
        b"0.0000001",
        b"nan",
        b"1.7",
    )
    return _changed(chance, _NUMBER, data, lambda: chance.choice(values))


def swap_names(chance: random.Random, data: bytes) -> bytes:
    names = _NAME.findall(data) or [b"/X"]
    return _changed(chance, _NAME, data, lambda: chance.choice(names))


def damage_a_stream(chance: random.Random, data: bytes) -> bytes:
    """What a stream unpacks to is changed, not only its packed bytes."""
    streams = list(_STREAM.finditer(data))
    if not streams:
        return data
    start = chance.choice(streams).end()
    end = data.find(b"endstream", start)
    try:
        content = bytearray(zlib.decompressobj().decompress(data[start:end]) or b" ")
    except zlib.error:
        content = bytearray(data[start:end] or b" ")
        pack: Callable[[bytes], bytes] = bytes
    else:
        pack = zlib.compress
    for _ in range(chance.choice((1, 10, 100))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return data[:start] + pack(bytes(content)) + data[end:]


DAMAGES: tuple[Damage, ...] = (
    flip_bytes, flip_bytes, truncate, cut_out, cut_cross_references, repeat_block, embed_garbage,
    renumber_objects, redirect_references, change_lengths, change_numbers, change_numbers, swap_names,
    damage_a_stream, damage_a_stream,
)  # fmt: skip


def _changed(
    chance: random.Random, pattern: re.Pattern[bytes], data: bytes, replacement: Callable[[], bytes]
) -> bytes:
    """Some of the matches replaced: one, a few, or many."""
    share = chance.choice((0.01, 0.1, 0.5))
    return pattern.sub(lambda found: replacement() if chance.random() < share else found[0], data)


# Monsters


def loop_of_pages(chance: random.Random) -> bytes:
    kids = chance.choice(("3 0 R 2 0 R", "2 0 R", "3 0 R " * 1000, "3 0 R 5 0 R"))
    other = chance.choice(
        ("<</Type/Pages/Kids[2 0 R]/Count 9>>", "<</Type/Pages/Kids[5 0 R]/Parent 5 0 R/Count 9>>")
    )
    return _document(f"<</Type/Pages/Kids[{kids}]/Count {chance.choice((1, 9, 2**31 - 1))}>>", WORDS, other)


def many_pages(chance: random.Random) -> bytes:
    count = chance.choice((290, 301, 5000, 100_000))
    return _document(f"<</Type/Pages/Kids[{'3 0 R ' * count}]/Count {count}>>", WORDS * 20)


def huge_page_box(chance: random.Random) -> bytes:
    box = chance.choice(
        ("0 0 1e38 1e38", "-2147483648 -2147483648 2147483647 2147483647", "0 0 0 0", "nan 0 9 9")
    )
    return _document(PAGES, WORDS, box=box)


def long_text(chance: random.Random) -> bytes:
    """Very much text on a page: in one line, in very many, or all in one place."""
    line = chance.choice((
        b"(Millet feeds many people in dry lands.) Tj 0 -2 Td ", b"(a) Tj ", b"[(b) -9000 (c) 1e9] TJ ",
        b"1 0 0 1 %d 0 Tm (In one row.) Tj " % chance.randrange(99), b"(10.1010.1010.) Tj ", b"( - ) Tj T* ",
        b"(Table 1) Tj T* ", b"([1] x \\255) Tj T* ",
    ))  # fmt: skip
    count = chance.choice((1000, 20_000, 300_000))
    return _document(PAGES, b"BT /F 9 Tf 50 700 Td " + line * count + b"ET")


def odd_text(chance: random.Random) -> bytes:
    """Text in sizes, places and directions that no page has."""
    matrix = chance.choice((
        b"0 0 0 0 0 0", b"1e38 0 0 1e38 0 0", b"-1 0 0 -1 300 300", b"1e-30 0 0 1e-30 50 50", b"0 1 -1 0 99 99",
        b"nan 0 0 nan 0 0",
    ))  # fmt: skip
    size = chance.choice((b"0", b"-9", b"1e38", b"0.00001", b"9"))
    return _document(
        PAGES, b"BT /F %s Tf %s Tm %s ET" % (size, matrix, b"(Millet feeds many people.) Tj T* " * 50)
    )


def odd_characters(chance: random.Random) -> bytes:
    """A font that maps its letters to surrogates, to nothing, or to what is no character."""
    target = chance.choice(
        ("D800", "DC00", "0000", "FFFF", "DBFFDFFF", "D800D800", "0041" * 200, "00AD", "202E", "1")
    )
    cmap = f"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <00> <FF> <{target}> endbfrange"
    text = b"BT /F 9 Tf 50 700 Td " + b"(Millet feeds many people in dry lands.) Tj 0 -12 Td " * 40 + b"ET"
    return _document(PAGES, text, _stream(cmap.encode()), font="/ToUnicode 5 0 R")


def bomb(chance: random.Random) -> bytes:
    """A content stream that unpacks to very much more."""
    megabytes = chance.choice((10, 300, 2000))
    filler = chance.choice((b" ", b"\x00", b"q ", b"[", b"0 ", b"(", b"/A "))
    packer = zlib.compressobj(9)
    packed = (
        b"".join(packer.compress(filler * (2**20 // len(filler))) for _ in range(megabytes)) + packer.flush()
    )
    if chance.random() < 0.3:
        packed = zlib.compress(packed)
        return _document(PAGES, packed, filters="/FlateDecode /FlateDecode")
    return _document(PAGES, packed, filters="/FlateDecode")


def forms_in_forms(chance: random.Random) -> bytes:
    """A billion laughs of form objects, or one that draws itself."""
    levels, width = chance.choice(((1, 1), (4, 10), (9, 10), (60, 2)))
    forms = []
    for level in range(levels):
        following = 5 + (level + 1) % levels if levels == 1 or level + 1 < levels else 0
        draws = b"/X Do " * width if following else b"BT /F 9 Tf 50 700 Td (Ha.) Tj ET"
        resources = f"/Resources<</Font<</F 6 0 R>>/XObject<</X {following} 0 R>>>>"
        forms.append(_stream(draws, f"/Type/XObject/Subtype/Form/BBox[0 0 600 800]{resources}"))
    return _document(PAGES, b"/X Do " + WORDS, *forms, resources="/XObject<</X 5 0 R>>")


def deep_objects(chance: random.Random) -> bytes:
    depth = chance.choice((100, 10_000, 1_000_000))
    opening, closing = chance.choice((("[", "]"), ("<</A ", ">>"), ("(", ")"), ("<<", ">>")))
    return _document(PAGES, WORDS, opening * depth + closing * depth, page="/Annots 5 0 R /A 5 0 R")


def many_filters(chance: random.Random) -> bytes:
    name = chance.choice(
        ("FlateDecode", "LZWDecode", "ASCII85Decode", "RunLengthDecode", "JBIG2Decode", "JPXDecode")
    )
    return _document(PAGES, chance.randbytes(5000), filters=f"/{name} " * chance.choice((1, 5, 1000)))


def many_images(chance: random.Random) -> bytes:
    shape = chance.choice(("/Width 99999/Height 99999", "/Width -1/Height 5", "/Width 2147483647/Height 1"))
    image = _stream(
        b"x" * 1000, f"/Type/XObject/Subtype/Image{shape}/BitsPerComponent 8/ColorSpace/DeviceRGB"
    )
    return _document(PAGES, b"/X Do " * 1000 + WORDS, image, resources="/XObject<</X 5 0 R>>")


def locked(chance: random.Random) -> bytes:
    """Encrypted, as the trailer says, in one way or another."""
    length = chance.choice((5, 16, 32, 0, -1, 2**31))
    version = chance.choice(("V 1/R 2", "V 2/R 3", "V 4/R 4", "V 5/R 6", "V 9/R 9", "R 2"))
    keys = f"/O<{chance.randbytes(32).hex()}>/U<{chance.randbytes(32).hex()}>/P -4/Length {length}"
    entry = f"/ID[<00><00>]/Encrypt<</Filter/Standard/{version}{keys}>>/Root"
    return WHOLE.replace(b"/Root", entry.encode())


def loop_of_cross_references(chance: random.Random) -> bytes:
    previous = chance.choice((0, 9, 2**31, 10**15))
    return WHOLE.replace(b"/Root", b"/Prev %d /Root" % (previous or WHOLE.rfind(b"xref\n")))


MONSTERS: tuple[Monster, ...] = (
    loop_of_pages, many_pages, huge_page_box, long_text, long_text, odd_text, odd_characters, odd_characters, bomb,
    forms_in_forms, deep_objects, many_filters, many_images, locked, loop_of_cross_references,
)  # fmt: skip

PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
WORDS = b"BT /F 9 Tf 50 700 Td " + b"(Pearl millet feeds many people in dry lands.) Tj 0 -12 Td " * 9 + b"ET"


def _document(
    pages: str,
    content: bytes,
    *others: str | bytes,
    box: str = "0 0 595 842",
    font: str = "",
    filters: str = "",
    resources: str = "",
    page: str = "",
) -> bytes:
    """A PDF of one page (object 3) with this content (object 4); the `others` are objects 5, 6, ..."""
    dictionary = f"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica{font}>>>>{resources}>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        pages,
        f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]/Contents 4 0 R/Resources{dictionary}{page}>>",
        _stream(content, f"/Filter[{filters}]" if filters else ""),
        *others,
    ]
    data, places = b"%PDF-1.7\n", []
    for number, content_of in enumerate(objects, start=1):
        places.append(len(data))
        body = content_of.encode() if isinstance(content_of, str) else content_of
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(data))
    return data + head + table + trailer


def _stream(content: bytes, entries: str = "") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(content), entries.encode(), content)


WHOLE = _document(PAGES, WORDS)

# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Monstrous JATS files: deep, long, or with masses of one thing, each built anew."""

import random

from tests.fuzz.jats_names import ATTRIBUTES, NAMES
from tests.fuzz.mutation import Monster
from tests.fuzz.nasty import long_text


def deep(chance: random.Random) -> bytes:
    """Elements in elements: up to the parser's limit, and far beyond it."""
    names = [chance.choice(NAMES)] if chance.random() < 0.7 else chance.choices(NAMES, k=4)
    depth = chance.choice((100, 200, 250, 1000, 2000, 100_000))
    chain = [names[i % len(names)] for i in range(depth)]
    inner = "<p>Deep <sup>2</sup> text 10.1 here [1].</p>" * chance.choice((1, 1, 100, 2000))
    opening = "".join(f"<{name}>t" for name in chain)
    closing = "".join(f"</{name}>t" for name in reversed(chain)) if chance.random() < 0.9 else ""
    return _article(opening + inner + closing, place=chance.choice(("body", "front", "p", "back", "formula")))


def long_attribute(chance: random.Random) -> bytes:
    value = long_text(chance, chance.choice((100_000, 3_000_000, 9_000_000, 11_000_000)))
    name = chance.choice(NAMES)
    return _article(f'<{name} {chance.choice(ATTRIBUTES)}="{value}">in it</{name}>')


def many_attributes(chance: random.Random) -> bytes:
    attributes = "".join(f' a{i}="v"' for i in range(chance.choice((1000, 100_000))))
    spaces = "".join(f' xmlns:n{i}="u{i}"' for i in range(chance.choice((10, 10_000))))
    return _article(f"<sec{attributes}{spaces}><p>One sentence.</p></sec>")


def long_node(chance: random.Random) -> bytes:
    """Megabytes of text in one element, anywhere."""
    text = long_text(chance, chance.choice((100_000, 1_000_000, 5_000_000, 9_500_000, 12_000_000)))
    name = chance.choice((*NAMES, "mi", "mtext", "td", "email", "collab", "journal-title", "subtitle"))
    return _article(
        f"<{name}>{text}</{name}>", place=chance.choice(("body", "front", "p", "back", "formula"))
    )


def many_elements(chance: random.Random) -> bytes:
    """The same element again and again, in one paragraph, section or list."""
    name = chance.choice((*NAMES, "break", "mi", "td", "unknown", "x:y"))
    inner = chance.choice(
        ("", "1", "text", "A sentence. ", "<sup>2</sup>", "<xref ref-type='bibr' rid='r1'>1</xref>")
    )
    count = chance.choice((1000, 20_000, 100_000, 700_000))
    return _article(
        f"<{name}>{inner}</{name}>{chance.choice(('', ' ', ', '))}" * count,
        place=chance.choice(("body", "front", "p", "back", "formula")),
    )


def many_citations(chance: random.Random) -> bytes:
    """Thousands of references, and one sentence that cites them all."""
    count = chance.choice((1000, 20_000, 60_000))
    ids = chance.choice(("r{i}", "r1", "r{i}"))
    label = chance.choice(("<label>{i}</label>", "<label>1</label>", ""))
    refs = "".join(
        f"<ref id='{ids}'>{label}<mixed-citation>Rao A. Millet {{i}}. J Mill 2010;5:1. 10.1/{{i}}</mixed-citation></ref>"
        .format(i=i) for i in range(count)
    )  # fmt: skip
    shown = chance.choice(("{i}", "[{i}]", "1-99", "Rao, 2010", "<sup>{i}</sup>"))
    gap = chance.choice(("", ",", "-", "</p><p>", ", and ", " text "))
    cited = gap.join(f"<xref ref-type='bibr' rid='{ids}'>{shown}</xref>".format(i=i) for i in range(count))
    return _article(f"<p>It grew {cited}.</p>", back=f"<ref-list>{refs}</ref-list>")


def long_range(chance: random.Random) -> bytes:
    refs = "".join(
        f"<ref id='r{i}'><label>{i}</label><mixed-citation>R</mixed-citation></ref>" for i in range(200)
    )
    shown = chance.choice(("1-99,", "1 ", "[1]", "1–2–3–", "100-1,")) * chance.choice(
        (1000, 100_000, 1_000_000)
    )
    rids = " ".join(f"r{i % 200}" for i in range(chance.choice((1, 1000, 300_000))))
    return _article(
        f"<p>It <xref ref-type='bibr' rid='{rids}'>{shown}</xref>.</p>", back=f"<ref-list>{refs}</ref-list>"
    )


def cycles(chance: random.Random) -> bytes:
    """References that hold references and cite each other, captions in captions, figures in figures."""
    depth = chance.choice((5, 60, 200))
    refs = "".join(
        f"<ref id='r{i}'><label>{i}</label><note><mixed-citation id='r{i + 1}'>See "
        f"<xref ref-type='bibr' rid='r{depth - i}'>{i}</xref>" for i in range(depth)
    ) + "</mixed-citation></note></ref>" * depth  # fmt: skip
    figures = "<fig id='f'><label>1</label><caption><p>In <xref ref-type='fig' rid='f'>1</xref>" * depth
    return _article(
        f"<p>See <xref ref-type='fig' rid='f'>1</xref> {figures}{'</p></caption></fig>' * depth}.</p>",
        back=f"<ref-list>{refs}</ref-list>",
    )


def laughs(chance: random.Random) -> bytes:
    """Entities that grow: a billion laughs, or one long entity many times."""
    if chance.random() < 0.5:
        levels = chance.choice((5, 10, 30))
        declared = '<!ENTITY l0 "ha">' + "".join(
            f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, levels)
        )
        use = f"&l{levels - 1};"
    else:
        declared = f'<!ENTITY big "{"x" * chance.choice((1000, 500_000))}">'
        use = "&big;" * chance.choice((100, 10_000))
    text = _article(chance.choice((f"<p>{use}</p>", f'<p id="{use}">A sentence.</p>')))
    return f"<!DOCTYPE article [{declared}]>".encode() + text


def unknown_entities(chance: random.Random) -> bytes:
    many = "".join(f"&e{i};" for i in range(chance.choice((1000, 400_000))))
    return _article(f"<p>{many}</p>")


def errors_everywhere(chance: random.Random) -> bytes:
    """Hundreds of thousands of complaints for the parser to keep."""
    error = chance.choice(
        ("<x:y/>", "<p a=1/>", "</q>", "<p id='1' id='2'>x</p>", "&#0;", "<<", "\x01", "<p>")
    )
    return _article(error * chance.choice((1000, 50_000, 600_000)))


def long_comment(chance: random.Random) -> bytes:
    filler = chance.choice(("<!--{}-->", "<![CDATA[{}]]>", "<?x {}?>")).format("<&" * 2_000_000)
    return _article(f"<p>Before {filler} and after.</p>" * chance.choice((1, 3)))


def long_math(chance: random.Random) -> bytes:
    piece = chance.choice((
        "<msup><mi>x</mi><mn>2</mn></msup>", "<mo>=</mo>", "<mi>{}</mi>".format("x" * 50), "<mtext> a_b </mtext>",
        "<mfrac><mrow><mi>a</mi></mrow><mrow/></mfrac>", "<mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable>",
    ))  # fmt: skip
    depth = chance.choice((1, 30, 120))
    rows = "<mrow>" * depth + piece * chance.choice((1000, 100_000)) + "</mrow>" * depth
    return _article(rows, place="formula")


def long_tex(chance: random.Random) -> bytes:
    piece = chance.choice(
        ("\\frac{a}{b}", "{", "}", "\\", "_{", "\\begin{document}", "\\sqrt{x", "^", "$", "\\text")
    )
    return _article(f"<p><inline-formula><tex-math>{piece * 500_000}</tex-math></inline-formula></p>")


def large(chance: random.Random) -> bytes:
    """Sound, but as long as a book shelf: around the limits of size and of tags."""
    section = "<sec><title>Part</title>" + "<p>Millet grows in dry lands and feeds many.</p>" * 200 + "</sec>"
    return _article(section * chance.choice((500, 2000, 6500)))


MONSTERS: tuple[Monster, ...] = (
    deep, deep, deep, long_attribute, many_attributes, long_node, long_node, long_node, many_elements,
    many_elements, many_elements, many_citations, many_citations, long_range, cycles, laughs, unknown_entities,
    errors_everywhere, long_comment, long_math, long_tex, large,
)  # fmt: skip


def _article(content: str, place: str = "body", back: str = "") -> bytes:
    """An article with this content in its body, front matter, back matter, a paragraph or a formula."""
    body = {
        "body": content,
        "p": f"<p>Before {content} after.</p>",
        "formula": f"<p>So <inline-formula><math>{content}</math></inline-formula> holds.</p>",
    }.get(place, "")
    front, back = (content if place == "front" else ""), (content if place == "back" else back)
    return (
        "<article><front><article-meta><title-group><article-title>A monster</article-title></title-group>"
        f"{front}</article-meta></front><body><p>Millet feeds many people.</p>{body}</body>"
        f"<back>{back}</back></article>"
    ).encode()

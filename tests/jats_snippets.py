# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Small made-up JATS articles for the reader's tests."""

from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.paper import Marker, Paper, Paragraph

FIVE_REFERENCES = "".join(
    f'<ref id="B{n}"><label>{n}.</label><mixed-citation>Author{n} A. Title {n}. 200{n}.</mixed-citation></ref>'
    for n in range(1, 10)
)


def article(
    body: str = "<p>Some text.</p>",
    *,
    meta: str = "<title-group><article-title>A title</article-title></title-group>",
    journal: str = "",
    back: str = f"<ref-list>{FIVE_REFERENCES}</ref-list>",
    attributes: str = "",
    after: str = "",
) -> bytes:
    return (
        f'<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"{attributes}>'
        f"<front><journal-meta>{journal}</journal-meta><article-meta>{meta}</article-meta></front>"
        f"<body>{body}</body><back>{back}</back>{after}</article>"
    ).encode()


def paper_of(body: str = "<p>Some text.</p>", **parts: str) -> Paper:
    return parse_jats(article(body, **parts))


def paragraph_of(content: str, **parts: str) -> Paragraph:
    """The first paragraph of a body that holds only `<p>content</p>`."""
    return paper_of(f"<p>{content}</p>", **parts).sections[0].paragraphs[0]


def text_of(content: str) -> str:
    return paragraph_of(content).text


def shown_markers(content: str, **parts: str) -> list[tuple[str, list[str]]]:
    """What each marker of a paragraph shows, and the keys it names."""
    paragraph = paragraph_of(content, **parts)
    return [(shown(paragraph, marker), list(marker.reference_keys)) for marker in paragraph.markers]


def shown(paragraph: Paragraph, marker: Marker) -> str:
    return paragraph.text[marker.start : marker.end]

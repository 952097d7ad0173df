"""Papers in many layouts, drawn as PDF, each with the truth about what stands in it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from typing import Any

import pymupdf

Rect = tuple[float, float, float, float]
TITLE = "Rooting Depth and the Yield of Finger Millet on Sandy Soils: Results of a Trial over Three Dry Years"
AUTHORS = ("Asha Rao", "Jonas Weber", "Mei-Ling Chen", "Pedro Alves")
_SUBJECTS = (
    "The seedlings", "Most varieties", "Deep roots", "The plots near the river", "Early plants", "Our probes",
    "The second harvest", "Both observers", "Sandy soils", "Farmers in the region", "The control plots",
    "Leaves of the upper third", "Weekly readings", "The mixed model",
)  # fmt: skip
_VERBS = (
    "needed less water than", "were measured before", "explained more of the yield than",
    "differed clearly from", "reached the same height as", "were compared with",
    "suffered earlier than", "kept more leaves than",
    "gave a better estimate than", "were sown beside", "agreed well with",
)  # fmt: skip
_OBJECTS = (
    "those of the first season", "plants on clay", "the readings of the station", "a simple linear fit",
    "what earlier work had reported", "all other treatments", "the average of the district",
    "rows at the border", "the shallow types", "the plants that we had watered", "our own expectation",
)  # fmt: skip
_ENDS = (
    "in every year", "although rain was scarce", "when nights were cool", "after the fourth week",
    "on both farms", "with few exceptions", "as the dry spell went on", "at the end of the season",
)  # fmt: skip
ROWS = (
    ("Variety", "Depth (cm)", "Height (cm)", "Yield (t)"),
    ("Early brown", "41.2", "88.0", "2.31"),
    ("Late white", "57.9", "91.5", "2.94"),
    ("Deep root", "83.4", "93.1", "3.12"),
    ("Local mix", "49.0", "87.7", "2.05"),
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the paper; `run_in` stands at the start of its paragraph."""

    title: str
    level: int = 1
    run_in: bool = False


@dataclass(frozen=True, slots=True)
class Float:
    """A table or a figure on a page (from 0), in a frame, with its caption above or below."""

    kind: str
    page: int
    frame: Rect
    caption: str
    above: bool = True
    style: str = "ruled"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a paper looks. `columns` gives the frames for text on a page (from 0)."""

    columns: Callable[[int], Sequence[Rect]]
    headings: Sequence[Heading]
    css: str = ""
    title: str = TITLE
    authors: Sequence[str] = AUTHORS
    head: str = ""
    head_frame: Rect = (60, 60, 535, 500)
    abstract: str = "<h2>Abstract</h2><p>{}</p>"
    references: str = "References"
    entry: str = (
        "<p class='entry'>[{number}] {author} and B. Writer. {title}. <i>Journal of Soils</i>, "
        "{volume}(2):1{number}-2{number}, {year}.</p>"
    )
    entries: int = 14
    floats: Sequence[Float] = ()
    over: Callable[[pymupdf.Page, int], None] | None = None
    after: Sequence[Heading] = ()
    size: tuple[float, float] = (595, 842)
    paragraphs: int = 3
    plain: Callable[[str], str] = str


@dataclass(slots=True)
class Drawn:
    """The PDF, the truth about it (as in `truth.jsonl`), and the words of each section."""

    data: bytes
    truth: dict[str, Any]
    texts: dict[str, str] = field(default_factory=dict)
    abstract: str = ""


def sentences(random: Random, count: int) -> str:
    """So many sentences."""
    parts = (_SUBJECTS, _VERBS, _OBJECTS, _ENDS)
    return " ".join(" ".join(random.choice(part) for part in parts) + "." for _ in range(count))


_CSS = """
* { font-family: serif; font-size: 10px; line-height: 1.2; }
h1 { font-size: 18px; font-weight: bold; text-align: center; margin: 0 0 8px 0; }
h2 { font-size: 12px; font-weight: bold; margin: 10px 0 4px 0; }
h3 { font-size: 10.5px; font-weight: bold; margin: 8px 0 3px 0; }
p { margin: 0 0 5px 0; text-align: justify; }
p.authors { text-align: center; font-size: 11px; }
p.place { text-align: center; font-size: 8px; }
p.entry { font-size: 8px; margin: 0 0 2px 0; }
"""


def drawn(name: str, layout: Layout, seed: int = 1) -> Drawn:
    """Draw a paper in a layout."""
    random = Random(seed)
    abstract = sentences(random, 6)
    names = ", ".join(layout.authors[:-1]) + f" and {layout.authors[-1]}"
    head = layout.head or (
        f"<h1>{layout.title}</h1><p class='authors'>{names}</p>"
        "<p class='place'>Department of Agronomy, University of Drawn Plains</p>"
    )
    head = head.format(title=layout.title, authors=names) + layout.abstract.format(layout.plain(abstract))
    texts: dict[str, str] = {}
    body = "".join(_section(random, one, layout, texts) for one in layout.headings)
    body += f"<h2>{layout.references}</h2>" + "".join(_entries(random, layout))
    body += "".join(_section(random, one, layout, texts) for one in layout.after)
    document = _flowed(f"<body>{head}</body>", f"<body>{body}</body>", layout)
    told = _letters(" ".join(page.get_text() for page in document))
    for title, text in texts.items():
        assert _letters(title) in told, f"{title} was not drawn: take another seed"
        assert _letters(layout.plain(text))[-60:] in told, f"text of {title} was not drawn: take another seed"
    for one in layout.floats:
        _draw(document[one.page], one)
    for number, page in enumerate(document) if layout.over else ():
        layout.over(page, number)
    truth = {
        "file": name,
        "title": layout.title,
        "sections": [{"title": one.title} for one in (*layout.headings, *layout.after)],
        "n_tables": sum(one.kind == "table" for one in layout.floats),
        "n_figures": sum(one.kind == "figure" for one in layout.floats),
        "n_references": layout.entries,
    }
    return Drawn(document.tobytes(garbage=3, deflate=True), truth, texts, abstract)


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text)


def _section(random: Random, one: Heading, layout: Layout, texts: dict[str, str]) -> str:
    said = [sentences(random, random.randint(4, 7)) for _ in range(layout.paragraphs)]
    texts[one.title] = " ".join(said)
    said = [layout.plain(text) for text in said]
    if one.run_in:
        said[0] = f"<b>{one.title}.</b> {said[0]}"
        return "".join(f"<p>{text}</p>" for text in said)
    tag = f"h{one.level + 1}"
    return f"<{tag}>{one.title}</{tag}>" + "".join(f"<p>{text}</p>" for text in said)


def _entries(random: Random, layout: Layout) -> Iterator[str]:
    for number in range(1, layout.entries + 1):
        title = sentences(random, 1)[:-1]
        yield layout.entry.format(
            number=number, author=f"{chr(64 + number)}. Author{chr(96 + number)}", title=title,
            surname=f"{chr(64 + number)}uthor", volume=number + 3, year=2000 + number,
        )  # fmt: skip


def _flowed(head: str, body: str, layout: Layout) -> pymupdf.Document:
    """The head in its frame, the body down the columns, page by page."""
    stream = BytesIO()
    writer = pymupdf.DocumentWriter(stream)
    story = pymupdf.Story(body, user_css=_CSS + layout.css)
    page, more, bottom = 0, True, 0.0
    while more:
        device = writer.begin_page(pymupdf.Rect(0, 0, *layout.size))
        if page == 0:
            first = pymupdf.Story(head, user_css=_CSS + layout.css)
            _, filled = first.place(pymupdf.Rect(layout.head_frame))
            first.draw(device)
            bottom = filled[3] + 14
        for x0, top, x1, foot in layout.columns(page):
            more, _ = story.place(pymupdf.Rect(x0, max(top, 0 if page else bottom), x1, foot))
            story.draw(device)
            if not more:
                break
        writer.end_page()
        page += 1
    writer.close()
    return pymupdf.open(stream=stream.getvalue(), filetype="pdf")


def _draw(page: pymupdf.Page, one: Float) -> None:
    x0, y0, x1, y1 = one.frame
    if one.above:
        page.insert_textbox((x0, y0, x1, y0 + 24), one.caption, fontsize=8.5, fontname="tiro")
        y0 += 26
    else:
        page.insert_textbox((x0, y1 - 22, x1, y1 + 4), one.caption, fontsize=8.5, fontname="tiro")
        y1 -= 26
    if one.kind == "table":
        _table(page, (x0, y0, x1, y1), one.style)
    else:
        _figure(page, (x0, y0, x1, y1), one.style)


def _table(page: pymupdf.Page, frame: Rect, style: str) -> None:
    x0, y0, x1, y1 = frame
    high, wide = (y1 - y0) / len(ROWS), (x1 - x0) / len(ROWS[0])
    for row, cells in enumerate(ROWS):
        for column, cell in enumerate(cells):
            page.insert_text((x0 + 4 + column * wide, y0 + (row + 0.7) * high), cell, fontsize=8)
    across = {"ruled": range(len(ROWS) + 1), "booktabs": (0, 1, len(ROWS)), "bare": ()}[style]
    for row in across:
        page.draw_line((x0, y0 + row * high), (x1, y0 + row * high), width=0.6)
    for column in range(len(ROWS[0]) + 1) if style == "ruled" else ():
        page.draw_line((x0 + column * wide, y0), (x0 + column * wide, y1), width=0.6)


def _figure(page: pymupdf.Page, frame: Rect, style: str) -> None:
    x0, y0, x1, y1 = frame
    if style == "vector":
        page.draw_line((x0 + 30, y0 + 5), (x0 + 30, y1 - 20))
        page.draw_line((x0 + 30, y1 - 20), (x1 - 5, y1 - 20))
        points = [
            (x0 + 30 + n * (x1 - x0 - 40) / 20, y1 - 20 - (y1 - y0 - 30) * ((n * 7) % 20) / 20)
            for n in range(21)
        ]
        page.draw_polyline(points, color=(0.1, 0.2, 0.7), width=1.2)
        for n in range(0, 21, 5):
            page.insert_text((points[n][0], y1 - 10), str(n), fontsize=7)
        page.insert_text(((x0 + x1) / 2, y1 - 2), "Week of the season", fontsize=7)
        return
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 110), False)
    picture.clear_with(220)
    for x in range(10, 190):
        for y in range(100 - (x * x) // 400, 100):
            picture.set_pixel(x, y, (60, 90, 140))
    page.insert_image(pymupdf.Rect(frame), pixmap=picture, keep_proportion=False)

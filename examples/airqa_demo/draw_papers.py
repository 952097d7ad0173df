"""A dozen of the demo's papers as PDFs, for AirQA's paper store: two pages, two columns, a ruled table, a
figure, an equation. `python examples/airqa_demo/draw_papers.py FOLDER` writes them.

The text comes from the JATS files of `examples/demo_corpus`; `papers.toml` adds the figures and equations.
pymupdf's Story sets the text; the figures are drawn into the places that it leaves for them. The same
versions write the same bytes.
"""

import argparse
import io
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

import pymupdf

from aimsciqa_assets.airqa.store.jats import contents_of_jats
from aimsciqa_assets.reading.contents import Contents, SectionText
from aimsciqa_assets.reading.jats.reader import read_paper
from aimsciqa_assets.reading.jats.tree import read_article

HERE: Final = Path(__file__).parent
_CORPUS: Final = HERE.parent / "demo_corpus"
_PAGE: Final = pymupdf.Rect(0, 0, 595, 842)
_TOP, _BOTTOM = 60, 788
_LEFT, _RIGHT, _WIDTH = 46, 307, 242
_FIGURE_HEIGHT: Final = 118
_INK: Final = (0.20, 0.33, 0.50)
_GAP: Final = "&#160;" * 16
_CSS: Final = """
body { margin: 0; }
* { font-family: Times; font-size: 10.2pt; line-height: 1.25; }
h1 { font-size: 18pt; margin: 0 0 6pt 0; }
h2 { font-size: 11.5pt; margin: 9pt 0 4pt 0; }
p { text-align: justify; margin: 0 0 5pt 0; }
sub { font-size: 7pt; }
table { border-collapse: collapse; border-bottom: 0.6pt solid black; margin: 2pt 0 8pt 0; }
td, th { border: 0.6pt solid black; padding: 2pt 3pt; font-size: 8.5pt; text-align: left; }
.authors { font-size: 11pt; text-align: left; margin: 0 0 3pt 0; }
.small { font-size: 8pt; text-align: left; margin: 0 0 3pt 0; }
.reference { font-size: 8pt; text-align: left; margin: 0 0 3pt 14pt; text-indent: -14pt; }
.caption { font-size: 8.5pt; text-align: left; margin: 6pt 0 5pt 0; }
.equation { text-align: right; margin: 12pt 0 14pt 0; }
.formula { font-size: 11.5pt; font-style: italic; }
"""


@dataclass(frozen=True, slots=True)
class Extra:
    """What the PDF of a paper has beside the text of its JATS file."""

    file: str
    caption: str
    unit: str
    bars: Mapping[str, float]
    before: str
    equation: str
    line: float | None = None


def extras() -> list[Extra]:
    """The papers of which there are PDFs."""
    return [Extra(**one) for one in tomllib.loads((HERE / "papers.toml").read_text("utf-8"))["papers"]]


def drawn(data: bytes, extra: Extra) -> bytes:
    """The PDF of a paper that came as JATS."""
    contents = contents_of_jats(data)
    printed = read_paper(read_article(data)[0])
    front = _front(contents, f"© {printed.year} The aimsciqa project. doi: {printed.doi}")
    document, figure = _set(front, "".join(_body(contents, extra)), _table(contents), _caption(extra.caption))
    for number, page in enumerate(document, 1):
        running_head = f"{printed.journal} {printed.volume} ({printed.year})"
        page.insert_text((_LEFT, 38), running_head, fontsize=8, fontname="tiro")
        page.insert_text((_PAGE.width - 100, 812), f"Page {number} of {len(document)}", fontsize=8)
    _draw_bars(document[1], figure, extra)
    document.set_metadata({"title": contents.title, "author": ", ".join(contents.authors)})
    document.subset_fonts()
    written: bytes = document.tobytes(garbage=4, deflate=True, no_new_id=True)
    return written


def _front(contents: Contents, imprint: str) -> str:
    return (
        f"<h1>{escape(contents.title)}</h1>"
        f'<p class="authors">{escape(", ".join(contents.authors))}</p>'
        f'<p class="small">{escape(imprint)}. Fictional: no such study took place.</p>'
        f"<h2>Abstract</h2>{_paragraphs(contents.abstract)}"
    )


def _body(contents: Contents, extra: Extra) -> Iterator[str]:
    methods = _end_of(contents.sections, "ethods")
    for position, section in enumerate(contents.sections):
        yield f"<h2>{escape(section.title)}</h2>{_paragraphs(section.text)}"
        if position == methods:
            yield _paragraphs(extra.before)
            yield f'<p class="equation"><span class="formula">{extra.equation}</span>{_GAP}(1)</p>'
    yield "<h2>References</h2>"
    for reference in contents.references:
        yield f'<p class="reference">{escape(reference.text)}</p>'


def _table(contents: Contents) -> str:
    table = contents.tables[0]
    return f"{_caption(table.caption)}{table.content}"


def _caption(text: str) -> str:
    return f'<p class="caption">{escape(text.rstrip("."))}.</p>'


def _end_of(sections: Sequence[SectionText], title: str) -> int:
    """The position of the section with this in its title, or of its last subsection."""
    first = next(at for at, one in enumerate(sections) if title in one.title)
    after = (at for at in range(first + 1, len(sections)) if sections[at].level == 1)
    return next(after, len(sections)) - 1


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(one)}</p>" for one in text.split("\n\n") if one)


def _set(front: str, body: str, table: str, caption: str) -> tuple[Any, pymupdf.Rect]:
    """Set the front over the whole width and the body in two columns; the table stands at the top of the
    second page's left column, and the figure, whose place is returned, at that of the right.
    """
    file = io.BytesIO()
    writer = pymupdf.DocumentWriter(file)
    text = pymupdf.Story(body, user_css=_CSS)
    device = writer.begin_page(_PAGE)
    top = _placed(front, device, pymupdf.Rect(_LEFT, _TOP, _RIGHT + _WIDTH, _BOTTOM)) + 8
    for left in (_LEFT, _RIGHT):
        text.place(pymupdf.Rect(left, top, left + _WIDTH, _BOTTOM))
        text.draw(device)
    writer.end_page()
    device = writer.begin_page(_PAGE)
    figure = pymupdf.Rect(_RIGHT, _TOP, _RIGHT + _WIDTH, _TOP + _FIGURE_HEIGHT)
    tops = {
        _LEFT: _placed(table, device, pymupdf.Rect(_LEFT, _TOP, _LEFT + _WIDTH, _BOTTOM)),
        _RIGHT: _placed(caption, device, pymupdf.Rect(_RIGHT, figure.y1, _RIGHT + _WIDTH, _BOTTOM)),
    }
    more = 1
    for left, top in tops.items():
        if more:
            more, _ = text.place(pymupdf.Rect(left, top + 10, left + _WIDTH, _BOTTOM))
            text.draw(device)
    writer.end_page()
    writer.close()
    if more:
        raise ValueError("the paper is longer than two pages")
    return pymupdf.open("pdf", file.getvalue()), figure


def _placed(html: str, device: Any, where: pymupdf.Rect) -> float:
    """Set text that is not divided; where it ends."""
    story = pymupdf.Story(html, user_css=_CSS)
    _, filled = story.place(where)
    story.draw(device)
    return float(filled[3])


def _draw_bars(page: Any, place: pymupdf.Rect, extra: Extra) -> None:
    """Bars with their values above and their names below; a dashed line where there is one."""
    left, right = place.x0 + 24, place.x1 - 30
    top, bottom = place.y0 + 22, place.y1 - 20
    scale = (bottom - top) / max(extra.bars.values())
    step = (right - left) / len(extra.bars)
    page.insert_text((left + 3, place.y0 + 8), extra.unit, fontsize=7)
    page.draw_line((left, bottom), (right, bottom), width=0.8)
    page.draw_line((left, bottom), (left, top - 6), width=0.8)
    for number, (name, value) in enumerate(extra.bars.items()):
        middle = left + step * (number + 0.5)
        box = pymupdf.Rect(middle - step / 4, bottom - value * scale, middle + step / 4, bottom)
        page.draw_rect(box, color=_INK, fill=_INK, width=0.5)
        _centred(page, middle, box.y0 - 2, f"{value:g}")
        for row, words in enumerate(name.split(", ")):
            _centred(page, middle, bottom + 9 + 8 * row, words)
    if extra.line is not None:
        y = bottom - extra.line * scale
        page.draw_line((left, y), (right, y), width=0.8, dashes="[3 2] 0")


def _centred(page: Any, x: float, y: float, text: str) -> None:
    page.insert_text((x - pymupdf.get_text_length(text, fontsize=7) / 2, y), text, fontsize=7)


def main() -> None:
    """Write the PDFs into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for extra in extras():
        data = (_CORPUS / f"{extra.file}.xml").read_bytes()
        (folder / f"{extra.file}.pdf").write_bytes(drawn(data, extra))


if __name__ == "__main__":
    main()

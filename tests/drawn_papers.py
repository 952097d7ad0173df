"""A paper of two columns as PDF, drawn for the tests: all that the paper store's reader must tell apart."""

import pymupdf

TITLE = "Growth of Millet Seedlings under Mild Drought: A Field Study"
ABSTRACT = (
    "Pearl millet feeds many families in dry regions. We grew seedlings on two fields for three seasons and "
    "measured height, leaf area and yield. Plants with deep roots kept a third more of their leaves. Yield "
    "fell by seven percent only, which is less than earlier work had let us expect of such a dry year."
)
_SENTENCES = (
    "Seedlings were watered every second morning until the fourth leaf had opened fully.",
    "Soil moisture was read at three depths with probes that we had calibrated in the laboratory.",
    "Each plot held forty plants in rows, and the rows at the border were not harvested.",
    "Leaf area was taken from photographs, which two observers measured independently of each other.",
    "Weather data came from a station close to the fields and were complete for all seasons.",
    "We compared varieties by a mixed model with plot and season as random effects.",
)
_WIDTH, _HEIGHT = 595, 842
_LEFT, _RIGHT, _COLUMN = 54, 308, 234
_SIZE, _LEADING = 10, 12


class _Writer:
    """Writes down a column, and goes on in the next."""

    def __init__(self, document: pymupdf.Document) -> None:
        self.document = document
        self.number = 0
        self.columns: list[tuple[int, int]] = []
        self.y = 0.0
        self.page: pymupdf.Page = None
        self.x = _LEFT

    def new_page(self, top: int) -> None:
        self.number += 1
        self.page = self.document.new_page(width=_WIDTH, height=_HEIGHT)
        head = "Journal of Drawn Crops 2021, 7:12"
        self.page.insert_text((_LEFT, 36), head, fontsize=8)
        self.page.insert_text((_WIDTH - 90, 806), f"Page {self.number} of 2", fontsize=8)
        self.columns = [(_LEFT, top), (_RIGHT, top)]
        self.next_column()

    def next_column(self) -> None:
        if not self.columns:
            self.new_page(64)
            return
        self.x, self.y = self.columns.pop(0)

    def room(self, height: float) -> None:
        if self.y + height > 780:
            self.next_column()

    def line(self, text: str, font: str = "helv", size: float = _SIZE, x: float = 0) -> None:
        self.room(_LEADING)
        self.y += _LEADING
        self.page.insert_text((self.x + x, self.y), text, fontname=font, fontsize=size)

    def heading(self, text: str) -> None:
        self.room(50)
        self.y += 10
        self.line(text, "hebo", 12)
        self.y += 4

    def paragraph(self, text: str, size: float = _SIZE, hang: float = 0) -> None:
        for number, line in enumerate(_broken(text, size, _COLUMN - hang)):
            self.line(line, size=size, x=hang if number else 0)
        self.y += 5


def _broken(text: str, size: float, width: float) -> list[str]:
    """Lines that fit; the word "measured" is cut with a hyphen wherever it would begin a new line."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if pymupdf.get_text_length(longer, fontsize=size) <= width:
            line = longer
            continue
        if word == "measured":
            lines.append(f"{line} mea-")
            line = "sured"
            continue
        lines.append(line)
        line = word
    return [*lines, line]


def drawn_paper() -> bytes:
    """The paper: two pages, two columns, a ruled table, a figure, an equation, six references."""
    document = pymupdf.open()
    writer = _Writer(document)
    writer.new_page(250)
    page = writer.page
    page.insert_text(
        (_LEFT, 80), "Growth of Millet Seedlings under Mild Drought:", fontname="hebo", fontsize=18
    )
    page.insert_text((_LEFT, 102), "A Field Study", fontname="hebo", fontsize=18)
    page.insert_text((_LEFT, 126), "Asha Rao, Jonas Weber and Mei-Ling Chen", fontsize=11)
    page.insert_text((_LEFT, 142), "Department of Agronomy, University of Drawn Plains", fontsize=8)
    page.insert_text((_LEFT, 166), "Abstract", fontname="hebo", fontsize=11)
    for number, line in enumerate(_broken(ABSTRACT, _SIZE, 480)):
        page.insert_text((_LEFT, 182 + 12 * number), line, fontsize=_SIZE)
    writer.heading("1 Introduction")
    for start in range(4):
        writer.paragraph(sentences(start, 5))
    writer.heading("2 Methods")
    writer.paragraph(sentences(1, 6))
    writer.heading("2.1 Fields and plants")
    writer.paragraph(sentences(3, 6))
    writer.paragraph("The index of growth was computed from height and leaf area as follows:")
    writer.room(30)
    writer.y += 20
    writer.page.insert_text((writer.x + 60, writer.y), "G = h / (a + b) + c", fontname="tiit", fontsize=11)
    writer.page.insert_text((writer.x + _COLUMN - 16, writer.y), "(1)", fontsize=10)
    writer.y += 12
    writer.paragraph("where h is the height of a plant in the last week and a and b are leaf areas.")
    writer.new_page(64)
    _table(writer)
    writer.heading("3 Results")
    writer.paragraph(sentences(2, 6))
    _figure(writer)
    writer.paragraph(sentences(4, 6))
    writer.heading("4 Discussion")
    for start in range(3):
        writer.paragraph(sentences(start, 6))
    writer.heading("References")
    for number in range(1, 7):
        writer.paragraph(
            f"[{number}] A. Author{number} and B. Writer. Roots of crop number {number} in dry soil. "
            f"Journal of Soils, {number + 3}(2):1{number}-2{number}, 201{number}.",
            8.5,
            14,
        )
    data: bytes = document.tobytes()
    return data


def sentences(start: int, count: int) -> str:
    """So many sentences of the paper's few, from one of them on."""
    return " ".join(_SENTENCES[(start + number) % len(_SENTENCES)] for number in range(count))


CELLS = (
    ("Variety", "Height", "Yield"),
    ("Early", "41", "2.3"),
    ("Late", "57", "2.9"),
    ("Deep root", "62", "3.1"),
)


def _table(writer: _Writer) -> None:
    writer.line("Table 1: Height and yield of three varieties.", size=9)
    top = writer.y + 6
    for row, cells in enumerate(CELLS):
        for column, cell in enumerate(cells):
            place = (writer.x + 8 + 76 * column, top + 13 + 18 * row)
            writer.page.insert_text(place, cell, fontsize=9)
    for row in range(5):
        y = top + 18 * row
        writer.page.draw_line((writer.x, y), (writer.x + 228, y), width=0.5)
    for column in range(4):
        x = writer.x + 76 * column
        writer.page.draw_line((x, top), (x, top + 72), width=0.5)
    writer.y = top + 84


def _figure(writer: _Writer) -> None:
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 110), False)
    picture.clear_with(210)
    for x in range(20, 180):
        for y in range(100 - x // 3, 100):
            picture.set_pixel(x, y, (60, 90, 140))
    writer.room(150)
    frame = pymupdf.Rect(writer.x + 10, writer.y + 6, writer.x + 210, writer.y + 116)
    writer.page.insert_image(frame, pixmap=picture)
    writer.y += 118
    writer.line("Figure 1: Height of seedlings over the season.", size=9)
    writer.y += 12

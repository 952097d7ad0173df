"""The PDF reader, on PDFs made here."""

from typing import ClassVar

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf import pages
from aimsciqa_assets.reading.pdf.reader import parse_pdf

pytestmark = pytest.mark.slow

TITLE = "Iron in the grain of pearl millet"
PROSE = (
    "Pearl millet grows in dry lands and feeds many people there.",
    "Its grain holds more iron than that of wheat or rice.",
    "Farmers keep the seed of their best plants for the next year.",
    "Heat does it little harm, which matters more each decade.",
)


class Press:
    """Sets lines of text on pages, one below the other, in one or two columns."""

    COLUMNS: ClassVar = {1: ((72, 500),), 2: ((50, 285), (310, 545))}

    def __init__(self, columns: int = 1, footer: str = "") -> None:
        self.document = pymupdf.open()
        self.footer = footer
        self.columns = self.COLUMNS[columns]
        self.column = len(self.columns)
        self.y = 0.0

    def line(self, text: str, size: float = 10, bold: bool = False, indent: float = 0) -> None:
        """One line in the current column."""
        if not len(self.document) or self.y > 730:
            self.next_column()
        self.page.insert_text(
            (self.columns[self.column][0] + indent, self.y),
            text,
            fontsize=size,
            fontname="hebo" if bold else "helv",
        )
        self.y += 1.3 * size

    def next_column(self) -> None:
        self.column += 1
        if self.column >= len(self.columns):
            self.column = 0
            self.page = self.document.new_page(width=595, height=842)
            number = len(self.document)
            if self.footer:
                self.page.insert_text((50, 800), self.footer, fontsize=8)
                self.page.insert_text((520, 800), f"Page {number}", fontsize=8)
        self.y = 90.0

    def heading(self, text: str, size: float = 13) -> None:
        self.y += 8
        self.line(text, size=size, bold=True)
        self.y += 4

    def paragraph(self, text: str, size: float = 10) -> None:
        """Set in full lines, the first one indented, as papers are."""
        left, right = self.columns[self.column % len(self.columns)]
        words, line, indent = text.split(), "", 12.0
        for word in words:
            wider = f"{line} {word}".strip()
            if pymupdf.get_text_length(wider, fontsize=size) > right - left - indent:
                self.line(line, size=size, indent=indent)
                line, indent = word, 0.0
            else:
                line = wider
        self.line(line, size=size, indent=indent)

    def bytes(self, **options: object) -> bytes:
        return self.document.tobytes(**options)


def paper(columns: int) -> Press:
    press = Press(columns, footer="Journal of Millets 5, 2017")
    press.line("Iron in the grain", size=18)
    press.line("of pearl millet", size=18)
    press.line("Asha Rao and John Doe, Institute of Millets", size=9)
    press.line("doi: 10.1234/millet.2017.5  Published 3 May 2017", size=9)
    press.heading("Abstract")
    press.paragraph(" ".join(PROSE))
    press.line("Keywords: pearl millet; iron; heat", size=10)
    press.heading("1. Introduction")
    for _ in range(12):
        press.paragraph(" ".join(PROSE))
    press.heading("2. Materials and methods")
    press.heading("2.1 Plants", size=11)
    press.paragraph(" ".join(PROSE[1:]))
    press.y += 10
    press.line("Figure 1. Grain of two lines.", size=8)
    press.y += 10
    press.heading("2.2 Soils", size=11)
    for _ in range(12):
        press.paragraph(" ".join(PROSE[2:]))
    press.heading("Acknowledgements")
    press.paragraph("We thank everyone who helped us in the field and in the laboratory.")
    press.heading("References")
    press.line("1. Rao A (2010) Millets of the world.")
    press.line("J Mill 5:12-19. doi:10.1234/mill.5")
    press.line("2. Doe J. Grain and heat. Grain 2001;7:1.")
    return press


@pytest.mark.parametrize("columns", [1, 2])
def test_a_paper_comes_out_in_its_parts(columns: int) -> None:
    found = parse_pdf(paper(columns).bytes())
    assert (found.source, found.title, found.doi, found.year) == ("pdf", TITLE, "10.1234/millet.2017.5", 2017)
    assert [(section.title, section.kind) for section in found.sections] == [
        ("Abstract", "abstract"),
        ("1. Introduction", "introduction"),
        ("2. Materials and methods", "methods"),
    ]
    abstract, introduction, methods = found.sections
    assert [paragraph.text for paragraph in abstract.paragraphs] == [" ".join(PROSE)]
    assert [paragraph.text for paragraph in introduction.paragraphs] == [" ".join(PROSE)] * 12
    assert [paragraph.subsection for paragraph in methods.paragraphs] == ["2.1 Plants"] + ["2.2 Soils"] * 12
    assert {paragraph.text for paragraph in methods.paragraphs} == {" ".join(PROSE[1:]), " ".join(PROSE[2:])}
    assert [(keyword.text, keyword.origin) for keyword in found.keywords] == [
        ("pearl millet", "author"),
        ("iron", "author"),
        ("heat", "author"),
    ]
    assert [(caption.label, caption.text, caption.section_position) for caption in found.captions] == [
        ("Figure 1", "Grain of two lines.", 2)
    ]
    assert [
        (entry.key, entry.position, entry.label, entry.year, entry.doi, entry.text)
        for entry in found.references
    ] == [
        (
            "ref1",
            0,
            "1",
            2010,
            "10.1234/mill.5",
            "Rao A (2010) Millets of the world. J Mill 5:12-19. doi:10.1234/mill.5",
        ),
        ("ref2", 1, "2", 2001, None, "Doe J. Grain and heat. Grain 2001;7:1."),
    ]


def test_columns_are_read_one_after_the_other_between_lines_across_the_page() -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text(
        (60, 80), "Notes from the field across both of the columns of this page, set wide.", fontsize=12
    )
    for row in range(6):
        page.insert_text((50, 120 + 13 * row), f"Left line {row} goes on with words", fontsize=10)
        page.insert_text((310, 120 + 13 * row), f"right line {row} goes on with words", fontsize=10)
    (section,) = parse_pdf(document.tobytes()).sections
    text = " ".join(paragraph.text for paragraph in section.paragraphs)
    assert text.index("Left line 5") < text.index("right line 0")


def test_words_cut_at_line_ends_are_made_whole() -> None:
    press = Press()
    for text in (
        "The biofortifi-",
        "cation of millet is a well-known way to bring iron, and a well-",
        "known one to bring zinc, for people in sub-",
        "Saharan lands where plain flour is eaten every day.",
    ):
        press.line(text)
    (section,) = parse_pdf(press.bytes()).sections
    assert [paragraph.text for paragraph in section.paragraphs] == [
        "The biofortification of millet is a well-known way to bring iron, and a well-known one to bring "
        "zinc, for people in sub-Saharan lands where plain flour is eaten every day."
    ]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    texts = [
        paragraph.text for section in parse_pdf(paper(1).bytes()).sections for paragraph in section.paragraphs
    ]
    assert not any("Journal of Millets" in text or "Page" in text for text in texts)


def test_an_abstract_that_runs_in_is_found() -> None:
    press = Press()
    press.line(TITLE, size=18)
    press.paragraph("Abstract: " + " ".join(PROSE))
    press.heading("Introduction")
    press.paragraph(" ".join(PROSE))
    found = parse_pdf(press.bytes())
    assert found.abstract == " ".join(PROSE)
    assert [section.kind for section in found.sections] == ["abstract", "introduction"]


def test_a_structured_abstract_stays_one_section() -> None:
    press = Press()
    press.line(TITLE, size=18)
    press.heading("Abstract")
    for part in ("Background", "Methods", "Results"):
        press.heading(part)
        press.paragraph(" ".join(PROSE))
    for part in ("Introduction", "Methods", "Results"):
        press.heading(part)
        press.paragraph(" ".join(PROSE[1:]))
    found = parse_pdf(press.bytes())
    assert [section.title for section in found.sections] == ["Abstract", "Introduction", "Methods", "Results"]
    assert [paragraph.subsection for paragraph in found.sections[0].paragraphs] == [
        "Background",
        "Methods",
        "Results",
    ]


def test_the_title_is_that_of_the_page_whatever_the_metadata_tells() -> None:
    press = paper(1)
    press.document.set_metadata({"title": "Microsoft Word - draft7.docx"})
    assert parse_pdf(press.bytes()).title == TITLE
    press.document.set_metadata({"title": "Iron in the Grain of Pearl Millet"})
    assert parse_pdf(press.bytes()).title == TITLE


def test_two_years_are_no_certain_year() -> None:
    press = Press()
    press.line("Copyright 2015 The Authors. Published 3 May 2017 by Millet Press.", size=9)
    press.paragraph(" ".join(PROSE))
    assert parse_pdf(press.bytes()).year is None


def rejection(data: bytes) -> str:
    with pytest.raises(RejectedFileError) as caught:
        parse_pdf(data)
    return caught.value.reason


def test_an_encrypted_file_is_rejected() -> None:
    locked = paper(1).bytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="user")
    assert rejection(locked) == "encrypted_pdf"


def test_page_images_without_text_are_rejected_as_scanned() -> None:
    picture = paper(1).document[0].get_pixmap(dpi=40)
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, pixmap=picture)
    assert rejection(document.tobytes()) == "scanned_pdf"


def test_pages_without_paragraphs_are_rejected() -> None:
    blank, lone = Press(), Press()
    blank.next_column()
    lone.line("One line")
    assert rejection(blank.bytes()) == "no_text"
    assert rejection(lone.bytes()) == "no_text"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"<html></html>", "not_pdf"),
        (b"%PDF-1.7\n", "damaged_pdf"),
        (b"\x00" * 1000, "not_pdf"),
    ],
)
def test_what_is_no_pdf_is_rejected(data: bytes, reason: str) -> None:
    assert rejection(data) == reason


def test_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    data = paper(1).bytes()
    monkeypatch.setattr(pages, "MAX_PAGES", 1)
    assert rejection(data) == "too_large"
    monkeypatch.setattr(pages, "MAX_BYTES", 1000)
    assert rejection(data) == "too_large"


def one_page() -> bytes:
    press = Press()
    press.line(TITLE, size=18)
    press.heading("Abstract")
    press.paragraph(" ".join(PROSE))
    return press.bytes()


WHOLE = one_page()
REASONS = {"empty_file", "not_pdf", "damaged_pdf", "no_text", "scanned_pdf", "encrypted_pdf", "too_large"}


def outcome(data: bytes) -> str:
    try:
        return "read" if any(section.paragraphs for section in parse_pdf(data).sections) else "empty"
    except RejectedFileError as rejected:
        return rejected.reason


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=30),
    st.integers(0, len(WHOLE)),
)
def test_damage_never_crashes(changes: list[tuple[int, int]], keep: int) -> None:
    damaged = bytearray(WHOLE)
    for at, value in changes:
        damaged[at] = value
    for data in (bytes(damaged), bytes(damaged[:keep])):
        assert outcome(data) in REASONS | {"read"}


def test_damage_is_not_reported_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RejectedFileError):
        parse_pdf(b"%PDF-1.7\n1 0 obj <<")
    parse_pdf(WHOLE.replace(b"xref", b"xrxx"))
    assert capfd.readouterr() == ("", "")


def test_the_same_bytes_give_the_same_paper() -> None:
    assert parse_pdf(WHOLE) == parse_pdf(WHOLE)

"""A JATS article -> the contents of the paper store.

XML has no printed pages: all of the paper stands on page 1, which has neither width nor height.
"""

from collections.abc import Iterator
from html import escape

from lxml import etree

from aimsciqa_assets.reading.contents import Contents, Element, Entry, PageText, SectionText
from aimsciqa_assets.reading.jats.inline import InlineText
from aimsciqa_assets.reading.jats.markers import Bibliography
from aimsciqa_assets.reading.jats.math import linear_mathml, tex_body
from aimsciqa_assets.reading.jats.reader import read_paper
from aimsciqa_assets.reading.jats.tree import local_name, read_article
from aimsciqa_assets.reading.paper import Paper, Section

_PAGE = 1
_OTHERS = frozenset(("sub-article", "response"))
_ROWS = {"thead": "thead", "tbody": "tbody", "tfoot": "tfoot", "tr": "tr", "td": "td", "th": "th"}
_SPANS = ("rowspan", "colspan")


def contents_of_jats(data: bytes) -> Contents:
    """The paper in a JATS file. Raises `RejectedFileError`, as `parse_jats` does."""
    article, _ = read_article(data)
    paper = read_paper(article)
    inline = InlineText(Bibliography([], {}))
    sections = [
        part for section in paper.sections for part in _sections(section) if section.kind != "abstract"
    ]
    tables = [_table(wrap, inline) for wrap in _own(article, "table-wrap")]
    images = [
        Element(_PAGE, "", f"{caption.label}. {caption.text}".strip(". ")) for caption in paper.captions
    ]
    equations = [
        Element(_PAGE, content) for one in _own(article, "disp-formula") if (content := _equation(one))
    ]
    references = [Entry(" ".join(filter(None, (one.label, one.text))), _PAGE) for one in paper.references]
    return Contents(
        title=paper.title,
        abstract=paper.abstract,
        authors=list(_authors(article)),
        year=paper.year,
        doi=paper.doi,
        keywords=[keyword.text for keyword in paper.keywords if keyword.origin == "author"],
        pages=[PageText(_PAGE, _whole_text(paper, sections, tables, images, references))],
        sections=sections,
        tables=tables,
        images=images,
        equations=equations,
        references=references,
    )


def _own(article: etree._Element, name: str) -> Iterator[etree._Element]:
    """Elements of the article itself, not of letters and replies printed with it."""
    for element in article.iter(name):
        if not any(local_name(above) in _OTHERS for above in element.iterancestors()):
            yield element


def _sections(section: Section) -> Iterator[SectionText]:
    """A section and its subsections, each with the text that stands directly under its title."""
    current = SectionText(section.title, "", [_PAGE], 1)
    path = ""
    texts: list[str] = []
    for paragraph in section.paragraphs:
        if paragraph.subsection != path:
            current.text = "\n\n".join(texts)
            if current.text or current.title:
                yield current
            path, texts = paragraph.subsection, []
            title = path.split(" > ")[-1] if path else section.title
            current = SectionText(title, "", [_PAGE], 1 + (path.count(" > ") + 1 if path else 0))
        texts.append(paragraph.text)
    current.text = "\n\n".join(texts)
    if current.text or current.title:
        yield current


def _table(wrap: etree._Element, inline: InlineText) -> Element:
    label = inline.plain(wrap.find("label")).rstrip(" .:")
    caption = " ".join(filter(None, (inline.plain(part) for part in wrap.iterchildren("caption"))))
    html = "".join(
        f"<table>{''.join(_html(part, inline) for part in table)}</table>" for table in wrap.iter("table")
    )
    notes = " ".join(filter(None, (inline.plain(foot) for foot in wrap.iterchildren("table-wrap-foot"))))
    if notes:
        html += f"<p>{escape(notes)}</p>"
    return Element(_PAGE, html, f"{label}. {caption}".strip(". "))


def _html(element: etree._Element, inline: InlineText) -> str:
    """Rows and cells without anything of their look."""
    name = local_name(element)
    if name in ("td", "th"):
        spans = "".join(
            f' {span}="{escape(value)}"' for span in _SPANS if (value := element.get(span, "1")) != "1"
        )
        return f"<{name}{spans}>{escape(inline.plain(element))}</{name}>"
    inside = "".join(_html(child, inline) for child in element)
    return f"<{name}>{inside}</{name}>" if name in _ROWS else inside


def _equation(formula: etree._Element) -> str:
    """LaTeX where the article has it, else the formula on one line."""
    tex = next(formula.iter("tex-math"), None)
    if tex is not None and tex.text:
        return tex_body(tex.text)
    math = next((one for one in formula.iter() if local_name(one) == "math"), None)
    return linear_mathml(math) if math is not None else ""


def _authors(article: etree._Element) -> Iterator[str]:
    for contributor in article.iterfind("front/article-meta/contrib-group/contrib"):
        if contributor.get("contrib-type", "author") != "author":
            continue
        given, surname = contributor.find(".//given-names"), contributor.find(".//surname")
        parts = ["".join(map(str, part.itertext())) for part in (given, surname) if part is not None]
        if not parts:
            group = contributor.find("collab")
            parts = [] if group is None else [group.text or ""]
        if name := " ".join(" ".join(parts).split()):
            yield name


def _whole_text(
    paper: Paper,
    sections: list[SectionText],
    tables: list[Element],
    images: list[Element],
    references: list[Entry],
) -> str:
    parts = [paper.title, paper.abstract]
    for section in sections:
        parts += [section.title, section.text]
    parts += [one.caption for one in (*images, *tables)]
    parts += [entry.text for entry in references]
    return "\n\n".join(filter(None, parts))

"""The JATS reader: one XML file in, one `Paper` out.

How a file becomes a tree is in `tree.py`, running text in `inline.py` and `math.py`, citations in
`markers.py`, the bibliography in `references.py`, metadata in `front.py`, sections in `body.py`.
"""

from lxml import etree

from aimsciqa_assets.reading.jats.body import BodyReader
from aimsciqa_assets.reading.jats.front import read_front, read_keywords
from aimsciqa_assets.reading.jats.inline import InlineText
from aimsciqa_assets.reading.jats.markers import Bibliography
from aimsciqa_assets.reading.jats.references import read_references
from aimsciqa_assets.reading.jats.tree import keep_names_of_language, read_article
from aimsciqa_assets.reading.paper import Paper, RejectedFileError


def parse_jats(data: bytes) -> Paper:
    """The paper in a JATS (or NLM, TaxPub, PMC article set) file.

    Nothing outside `data` is read. Raises `RejectedFileError` with the reasons of `jats_tree.read_article`,
    and `no_text` for an article with neither title nor text.
    """
    try:
        article, repairs = read_article(data)
        paper = read_paper(article)
    except RecursionError:
        raise RejectedFileError("too_complex", "nested too deeply") from None
    if not paper.title and not paper.sections:
        raise RejectedFileError("no_text", "neither title nor text")
    paper.repairs = repairs
    return paper


def read_paper(article: etree._Element) -> Paper:
    """The paper of an article that was parsed (`tree.read_article`)."""
    paper = Paper(source="jats", title="")
    keep_names_of_language(article)
    paper.references, keys_by_id = read_references(article)
    inline = InlineText(Bibliography(paper.references, keys_by_id))
    read_front(article, paper, inline)
    body = BodyReader(inline)
    body.read(article)
    paper.sections, paper.captions, paper.tables = body.sections, body.captions, body.tables
    paper.keywords = read_keywords(article, paper, inline)
    return paper

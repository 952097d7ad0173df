"""Manuscripts of two versions for the tests, as JATS and as drawn PDFs."""

from pathlib import Path

import pymupdf

from tests.jats_snippets import article

DOI = '<article-id pub-id-type="doi">10.1234/one.and.the.same</article-id>'
_META = (
    f"{DOI}<title-group><article-title>Sparse attention for long documents</article-title></title-group>"
    "<abstract><p>We study sparse attention.</p></abstract>"
)
_REFERENCES = (
    '<ref id="B1"><label>1.</label><mixed-citation><article-title>Dense attention over very long documents'
    "</article-title>. Journal A. 2019.</mixed-citation></ref>"
)
_INITIAL = """
<sec><title>1 Introduction</title><p>Attention is costly for long documents.</p>
<p>Earlier work was limited to four thousand tokens, as memory grows with the square of it.</p></sec>
<sec><title>2 Experiments</title><p>We trained on eight thousand documents for three epochs.</p>
<p>The learning rate was found on held-out documents and then kept for all runs that we report here.</p>
<fig id="F1"><label>Figure 1</label><caption><p>Loss over steps for both models.</p></caption></fig>
<table-wrap id="T1"><label>Table 1</label><caption><p>Accuracy of four models on three tasks.</p></caption>
<table><tr><td>1</td></tr></table></table-wrap></sec>
<sec><title>3 Limitations</title><p>Nothing is known about other languages.</p></sec>
"""
_FINAL = """
<sec><title>1 Introduction</title><p>Attention is costly for long documents.</p>
<p>Earlier work was limited to eight thousand tokens, as memory grows with the square of it.</p></sec>
<sec><title>2 Training</title><p>A word about seeds: every run was repeated with five random seeds.</p></sec>
<sec><title>3 Experiments</title><p>We trained on eight thousand documents for three epochs.</p>
<p>The learning rate was found on held-out documents and then kept for all runs that we report here.</p>
<fig id="F1"><label>Figure 1</label><caption><p>Loss over steps for both models.</p></caption></fig>
<fig id="F2"><label>Figure 2</label><caption><p>Memory that each head takes.</p></caption></fig>
<table-wrap id="T1"><label>Table 1</label><caption><p>Accuracy of five models on three tasks.</p></caption>
<table><tr><td>1</td></tr></table></table-wrap></sec>
"""


def jats(body: str) -> bytes:
    return article(body, meta=_META, back=f"<ref-list>{_REFERENCES}</ref-list>")


INITIAL, FINAL = jats(_INITIAL), jats(_FINAL)


def drawn(*paragraphs: str) -> bytes:
    """A one-column PDF with a title, a heading and these paragraphs."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((54, 80), "Drawn Manuscript about Sparse Attention", fontname="hebo", fontsize=18)
    page.insert_text((54, 130), "1 Introduction", fontname="hebo", fontsize=12)
    y = 150
    for paragraph in paragraphs:
        page.insert_textbox(pymupdf.Rect(54, y, 540, y + 60), paragraph, fontsize=10)
        y += 60
    data: bytes = document.tobytes()
    return data


def write(folder: Path, **files: bytes) -> Path:
    """Files in a folder; `__` stands for the dots of a name: abc__initial__xml."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder

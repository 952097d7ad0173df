"""How well the PDF reader reads real papers: `python -m benchmarks.pdf_reading FOLDER`.

FOLDER holds PDFs, `truth.jsonl` (from their JATS or LaTeX) and a folder bad with files that must be rejected.
A line of the table is a paper; titles are compared after case and white space, headings without numbers.
Where the JATS lies beside the PDF, the paper of the corpus is compared with that of the JATS, and the cells
of each table with those of the same label. Text is compared by its sequences of five words.
"""

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree, html

from aimsciqa_assets.airqa.store.reading import read_paths
from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.paper import Paper, RejectedFileError
from aimsciqa_assets.reading.pdf.reader import paper_of

_LONG = 60
_LONG_TITLE = 25
"""Letters of a paragraph, and of a title, that is looked for."""
_NUMBER = re.compile(r"^(?:(?:\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})*)[.)]?\s+(?=\S))")


@dataclass(frozen=True, slots=True)
class Measured:
    """One paper beside its truth."""

    file: str
    pages: int
    title_is_right: bool
    headings: int
    found: int
    made: int
    made_up: int
    tables: tuple[int, int]
    figures: tuple[int, int]
    references: tuple[int, int]
    year_is_right: bool | None
    authors_are_right: bool | None

    @property
    def floats_are_near(self) -> bool:
        """Tables and figures are counted within one of the truth."""
        return all(abs(counted - true) <= 1 for counted, true in (self.tables, self.figures))

    @property
    def references_are_near(self) -> bool:
        """References are counted within a tenth of the truth."""
        counted, true = self.references
        return abs(counted - true) <= 0.1 * true


def measure(contents: Contents, truth: Mapping[str, Any]) -> Measured:
    """Compare what was read with what is true."""
    wanted = [_key(one["title"]) for one in truth["sections"]]
    allowed = {*wanted, *(_key(title) for title in truth.get("back_sections", ())), "abstract", "references"}
    made = [_key(section.title) for section in contents.sections]
    return Measured(
        truth["file"],
        len(contents.pages),
        _plain(contents.title) == _plain(truth["title"]),
        len(wanted),
        sum(one in made for one in wanted),
        len(made),
        sum(one not in allowed for one in made),
        (len(contents.tables), truth["n_tables"]),
        (len(contents.images), truth["n_figures"]),
        (len(contents.references), truth["n_references"]),
        str(contents.year) == str(truth["year"]) if truth.get("year") else None,
        len(contents.authors) == truth["n_authors"] if "n_authors" in truth else None,
    )


Shares = dict[str, tuple[int, int]]
"""What was counted, and out of how many, by its name in the table."""


def shares(paper: Paper, truth: Paper) -> Shares:
    """Compare a paper as it was read from its PDF with that of its JATS."""
    own, true = _paragraphs(paper), _paragraphs(truth)
    words, true_words = _sequences(own), _sequences(true)
    abstract, true_abstract = (_sequences(read.abstract.split("\n")) for read in (paper, truth))
    begins = _letters(paper.abstract)[:_LONG] == _letters(truth.abstract)[:_LONG]
    keywords = {_letters(keyword.text) for keyword in paper.keywords}
    true_keywords = [_letters(keyword.text) for keyword in truth.keywords if keyword.origin == "author"]
    kept = _shared(true_words, words)
    return {
        "DOIs exactly right": (paper.doi == truth.doi, 1),
        "abstracts begin right": (bool(true_abstract) and begins, bool(true_abstract)),
        "words of abstracts kept": (_shared(true_abstract, abstract), len(true_abstract)),
        "keywords found": (_shared(true_keywords, list(keywords)), len(true_keywords)),
        "captions counted right": (len(paper.captions) == len(truth.captions), 1),
        "paragraphs whole": _whole(own, true),
        "words of bodies kept": (kept, len(true_words)),
        "words in their section": (_in_section(paper, truth), len(true_words)),
        "words of bodies foreign": (len(words) - _shared(words, true_words), len(words)),
        "references in the body": _leaked(own, true, [entry.title for entry in truth.references]),
    }


def _paragraphs(paper: Paper) -> list[str]:
    body = [section for section in paper.sections if section.kind != "abstract"]
    return [paragraph.text for section in body for paragraph in section.paragraphs]


def _sequences(texts: Sequence[str]) -> list[str]:
    """All sequences of five words."""
    words = [re.findall(r"[^\W_]+", text.casefold()) for text in texts]
    return [" ".join(listed[at : at + 5]) for listed in words for at in range(len(listed) - 4)]


def _shared(texts: Sequence[str], known: Sequence[str]) -> int:
    """How many of the texts are known."""
    known_texts = set(known)
    return sum(text in known_texts for text in texts)


def _whole(own: Sequence[str], true: Sequence[str]) -> tuple[int, int]:
    """How many true paragraphs begin and end where a paragraph does that was read."""
    edges = {(text[:30], text[-30:]) for text in map(_letters, own)}
    longer = [text for text in map(_letters, true) if len(text) >= _LONG]
    return sum((text[:30], text[-30:]) in edges for text in longer), len(longer)


def _leaked(own: Sequence[str], true: Sequence[str], titles: Sequence[str]) -> tuple[int, int]:
    """How many titles of cited papers stand in the body that was read, and not in the true one."""
    body, true_body = (" ".join(map(_letters, texts)) for texts in (own, true))
    longer = [title for title in map(_letters, titles) if len(title) >= _LONG_TITLE]
    return sum(title in body and title not in true_body for title in longer), len(longer)


def _in_section(paper: Paper, truth: Paper) -> int:
    """How many sequences of words stand in the section of the same title."""
    kept = 0
    for section in truth.sections:
        if section.kind != "abstract":
            same = [own for own in paper.sections if _key(own.title) == _key(section.title)]
            texts = [paragraph.text for own in same for paragraph in own.paragraphs]
            true = [paragraph.text for paragraph in section.paragraphs]
            kept += _shared(_sequences(true), _sequences(texts))
    return kept


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells with text of the tables of a paper: true ones, those that were read, and those that are both."""

    true: int = 0
    read: int = 0
    same: int = 0

    def __add__(self, other: "Cells") -> "Cells":
        return Cells(self.true + other.true, self.read + other.read, self.same + other.same)


def cells(contents: Contents, jats: bytes) -> Cells:
    """Compare the cells of the tables that have the same label; a table that was not read has none."""
    read = {_letters(one.caption): one.content for one in contents.tables}
    found = Cells()
    for wrap in etree.fromstring(jats, etree.XMLParser(load_dtd=False, recover=True)).iter("table-wrap"):
        label = _letters("".join(wrap.find("label").itertext())) if wrap.find("label") is not None else ""
        true = _cells_of(wrap)
        if not label or not true:
            continue
        content = next((one for caption, one in read.items() if re.match(rf"{label}(?!\d)", caption)), "")
        own = re.sub(r"<tfoot>.*?</tfoot>", "", content)
        made = _cells_of(html.fromstring(own)) if own else Counter[str]()
        found += Cells(true.total(), made.total(), (true & made).total())
    return found


def _cells_of(table: Any) -> Counter[str]:
    return Counter(text for cell in table.iter("td", "th") if (text := _letters("".join(cell.itertext()))))


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def table(rows: Sequence[Measured]) -> str:
    """All papers, and the shares that count."""
    lines = [f"{'paper':34} title  headings  made up   tables  figures  references"]
    lines += [_line(one) for one in rows]
    count = len(rows)
    years = [one.year_is_right for one in rows if one.year_is_right is not None]
    authors = [one.authors_are_right for one in rows if one.authors_are_right is not None]
    lines += [
        f"titles exactly right          {_share(sum(one.title_is_right for one in rows), count)}",
        f"true section titles found     {_share(sum(r.found for r in rows), sum(r.headings for r in rows))}",
        f"section titles made up        {_share(sum(r.made_up for r in rows), sum(r.made for r in rows))}",
        f"floats within one             {_share(sum(r.floats_are_near for r in rows), count)}",
        f"references within a tenth     {_share(sum(r.references_are_near for r in rows), count)}",
        f"years exactly right           {_share(years.count(True), len(years))}",
        f"authors counted right         {_share(authors.count(True), len(authors))}",
    ]
    return "\n".join(lines)


def _line(one: Measured) -> str:
    counted = {"floats": one.floats_are_near, "references": one.references_are_near}
    doubts = [word for word, near in counted.items() if not near]
    return (
        f"{one.file[:33]:34} {'yes' if one.title_is_right else 'NO ':5}  {one.found:3}/{one.headings:<3}"
        f"  {one.made_up:3}/{one.made:<3}   {one.tables[0]:2}/{one.tables[1]:<2}    "
        f"{one.figures[0]:2}/{one.figures[1]:<2}    {one.references[0]:3}/{one.references[1]:<3}"
        f"  {' '.join(doubts)}"
    ).rstrip()


def _share(part: int, whole: int) -> str:
    return f"{part:5} of {whole:5}  {100 * part / max(1, whole):5.1f} %"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _key(title: str) -> str:
    return re.sub(r"[\W_]+", "", _NUMBER.sub("", " ".join(title.split())).casefold())


def main() -> None:
    """Read the PDFs of a folder, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--beside", action="store_true", help="time pymupdf4llm alone on the same files, too")
    asked = parser.parse_args()
    truths = [json.loads(line) for line in (asked.folder / "truth.jsonl").read_text().splitlines()]
    by_file = {truth["file"]: truth for truth in truths}
    files = [*sorted(asked.folder.glob("*.pdf")), *sorted((asked.folder / "bad").glob("*.pdf"))]
    rows, pages, rejected, of_tables = [], 0, [], Cells()
    counted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    start = time.perf_counter()
    for file, read in zip(files, read_paths(files), strict=True):
        if isinstance(read, RejectedFileError):
            rejected.append(f"rejected  {file.name:34} {read}")
            continue
        _, contents = read
        pages += len(contents.pages)
        if file.name in by_file:
            rows.append(measure(contents, by_file[file.name]))
        if (jats := file.with_suffix(".jats.xml")).exists():
            of_tables += cells(contents, jats.read_bytes())
            for name, share in shares(paper_of(contents), parse_jats(jats.read_bytes())).items():
                counted[name].append(share)
    seconds = time.perf_counter() - start
    print(table(rows), *rejected, sep="\n")
    for name, some in counted.items():
        print(f"{name:30}{_share(sum(part for part, _ in some), sum(whole for _, whole in some))}")
    print(f"true cells of tables found    {_share(of_tables.same, of_tables.true)}")
    print(f"cells of tables made up       {_share(of_tables.read - of_tables.same, of_tables.read)}")
    print(f"pages per second              {pages / seconds:.2f}")
    if asked.beside:
        print(f"pymupdf4llm alone             {_alone(files):.2f}")


def _alone(files: Sequence[Path]) -> float:
    """Pages per second of pymupdf4llm, on the files that it can read."""
    import pymupdf
    import pymupdf4llm

    pages, seconds = 0, 0.0
    for file in files:
        if file.parent.name == "bad":
            continue
        start = time.perf_counter()
        with pymupdf.open(file) as document:
            pymupdf4llm.to_json(document)
            pages += document.page_count
        seconds += time.perf_counter() - start
    return pages / seconds


if __name__ == "__main__":
    main()

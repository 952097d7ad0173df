"""What the environment gives for an agent's actions; many examples share one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pymupdf
import pytest

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.environment import Pages, StoreEnvironment
from aimsciqa_assets.airqa.sandbox.observations import Query, Shown
from tests.airqa_store import PAPER, store_at

pytestmark = pytest.mark.slow

OTHER = "10000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class Cell:
    pdf_id: str
    page_number: int
    table: str
    column: str
    primary_key: str
    text: str
    score: float
    title: str = ""


class WordSearch:
    """A second search: the cells that hold a word of the query."""

    def __init__(self, cells):
        self.cells = cells

    def unknown(self, papers):
        return [paper for paper in papers if paper not in {cell.pdf_id for cell in self.cells}]

    def search(self, queries, limit, papers=None):
        filters = papers or [()] * len(queries)
        return [
            [
                cell
                for cell in self.cells
                if (not wanted or cell.pdf_id in wanted) and set(query.split()) & set(cell.text.split())
            ][:limit]
            for query, wanted in zip(queries, filters, strict=True)
        ]


def cell(number, text, paper=PAPER):
    title = "Zinc" + " of wheat" * 30 if paper == PAPER else "Iron of rice"
    return Cell(paper, number, "chunks", "text_content", f"key-{number}", text, 1 / (number + 2), title)


def words(texts):
    return [len(text.split()) for text in texts]


def pdf():
    with pymupdf.open() as document:
        for colour in ((1, 0, 0), (0, 1, 0)):
            page = document.new_page(width=200, height=400)
            page.draw_rect(page.rect, fill=colour, color=colour)
            page.draw_rect(pymupdf.Rect(50, 100, 150, 150), fill=(0, 0, 1), color=(0, 0, 1))
        return document.tobytes()


FILES = {"pdf": pdf(), "jats": b"<article/>", "bad": b"%PDF-1.7 nothing"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    store = store_at(tmp_path_factory.mktemp("store") / "papers.duckdb")
    cells = [cell(number, f"word{number} all") for number in range(1, 13)] + [cell(13, "all", OTHER)]
    pages = Pages({PAPER: "pdf", OTHER: "jats", "bad": "bad"}, lambda file, most: FILES[file][:most])
    with Query(store, processes=2, count_tokens=words) as query:
        yield StoreEnvironment(query, WordSearch(cells), pages, count_tokens=words)


def test_a_query(environment):
    found = environment.carry_out(Call("Query", {"sql": "SELECT title FROM metadata"}), [])
    assert found.text == '{"title":"Title one"}\n\nIn total, 1 rows are displayed in JSON format.'
    assert found.error is None
    assert environment.carry_out(Call("RetrieveFromDatabase", {"sql": "SELECT 1"}), []).error is None
    wrong = environment.carry_out(Call("Query", {"sql": "DROP TABLE pages"}), [])
    assert wrong.error == "sql"
    assert wrong.text.startswith("[Error]: ")


def test_retrieval_within_the_papers_that_travel_with_the_call(environment):
    call = Call("Retrieve", {"query": "all", "limit": 1})
    assert environment.carry_out(call, [OTHER]).text == (
        '{"pdf_id":"10000000-0000-0000-0000-000000000000","title":"Iron of rice","page_number":13,'
        '"table_name":"chunks","column_name":"text_content","primary_key":"key-13","score":0.0667,"text":"all"}\n\n'
        "In total, 1 rows are displayed in JSON format."
    )
    cut = f"Zinc{' of wheat' * 21} of..."
    first = f'{{"pdf_id":"{PAPER}","title":"{cut}","page_number":1,'
    assert environment.carry_out(call, []).text.startswith(first)
    nothing = environment.carry_out(Call("Retrieve", {"query": "none", "limit": 5}), [])
    assert nothing.text == "[Warning]: Nothing was found. Use other words, or other papers."
    assert environment.carry_out(Call("Retrieve", {"query": " ", "limit": 5}), []).error == "arguments"


def test_an_agent_may_choose_the_papers_to_search(environment):
    def papers(*chosen):
        call = Call("Retrieve", {"query": "all", "limit": 20, "papers": list(chosen)})
        found = environment.carry_out(call, [OTHER])
        return found.error, [paper for paper in (PAPER, OTHER) if f'"pdf_id":"{paper}"' in found.text]

    assert papers(PAPER.upper()) == (None, [PAPER])
    assert papers(OTHER) == (None, [OTHER])
    assert papers("all") == (None, [PAPER])  # its ten pieces are nearer
    assert papers(PAPER, "20000000-0000-0000-0000-000000000000") == ("no_such_paper", [])
    call = Call("Retrieve", {"query": "all", "limit": 1, "papers": ["Zinc of wheat", PAPER]})
    assert environment.carry_out(call, []).text == (
        "[Error]: The database has no papers with these ids: Zinc of wheat. Give ids that the task or an "
        'observation has shown, ["all"] to search every paper, or leave papers out.'
    )


def test_ten_pieces_of_text_are_shown_at_most_and_as_many_as_fit(environment):
    call = Call("Retrieve", {"query": "all", "limit": 10**30})
    *rows, trailer = environment.carry_out(call, [PAPER]).text.splitlines()
    assert len(rows) == 11  # the last is empty
    assert trailer.endswith("based on max_rows (10)")
    small = StoreEnvironment(
        environment._query, environment._search, shown=Shown(max_tokens=130), count_tokens=words
    )
    # A row has 61 words.
    assert small.carry_out(call, [PAPER]).text.endswith("based on max_tokens (130)")


def test_a_thousand_calls_of_many_threads_keep_their_papers_apart(environment):
    def ask(number):
        paper = (PAPER, OTHER)[number % 2]
        found = environment.carry_out(Call("Retrieve", {"query": "all", "limit": 20}), [paper])
        return paper in found.text and (PAPER, OTHER)[1 - number % 2] not in found.text

    with ThreadPoolExecutor(32) as threads:
        assert all(threads.map(ask, range(1000)))


def colours(png):
    pixels = pymupdf.Pixmap(png)
    ends = [(0, 0), (pixels.width - 1, pixels.height - 1)]
    return (pixels.width, pixels.height), [pixels.pixel(*end) for end in ends]


def test_a_page_and_a_box_on_it_are_seen(environment):
    seen = environment.carry_out(
        Call("View", {"paper_id": PAPER.upper(), "page_number": 2, "bounding_box": []}), []
    )
    assert seen.text == f"The picture shows page 2 of {PAPER}."
    assert colours(seen.image) == ((768, 1536), [(0, 255, 0), (0, 255, 0)])
    call = Call("View", {"paper_id": PAPER, "page_number": 1, "bounding_box": [60, 110, 80, 30]})
    seen = environment.carry_out(call, [])
    assert seen.text == f"The picture shows the box [60, 110, 80, 30] on page 1 of {PAPER}."
    assert colours(seen.image) == ((320, 120), [(0, 0, 255), (0, 0, 255)])


@pytest.mark.parametrize(
    ("paper", "page", "box", "error", "told"),
    [
        (PAPER, 3, [], "no_such_page", "the paper has pages 1 to 2"),
        (PAPER, 10**30, [], "no_such_page", "the paper has pages 1 to 2"),
        (PAPER, 1, [500, 0, 10, 10], "outside_page", "the page is 200 points wide and 400 high"),
        (OTHER, 1, [], "no_pages", "came without pages"),
        ("nobody", 1, [], "no_such_paper", "metadata.paper_id has the ids"),
        ("bad", 1, [], "damaged_pdf", ""),
    ],
)
def test_what_cannot_be_seen_is_said(environment, paper, page, box, error, told):
    call = Call("View", {"paper_id": paper, "page_number": page, "bounding_box": box})
    seen = environment.carry_out(call, [])
    assert (seen.error, seen.image) == (error, None)
    assert seen.text.startswith(f"[Error]: Page {page} of {paper} cannot be shown ({error}): ")
    assert told in seen.text


def test_actions_that_are_not_at_hand(environment):
    alone = StoreEnvironment(environment._query)
    for call in (
        Call("Retrieve", {"query": "a", "limit": 5}),
        Call("View", {"paper_id": PAPER, "page_number": 1, "bounding_box": []}),
        Call("CalculateExpr", {"expr": "1"}),
    ):
        assert alone.carry_out(call, []).error == "unavailable"
    with pytest.raises(ValueError, match="it ends the dialogue"):
        alone.carry_out(Call("Answer", {"answer": 1}), [])

"""Replies of the three tasks, the prompts that ask for them, and what they are shown of a paper."""

import json

import polars as pl
import pytest
from aimsciqa_resources.language_model import Image, ModelReply

from aimsciqa_assets.airqa.store.batches import batch_rows
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.summaries.cells import empty_cells
from aimsciqa_assets.airqa.summaries.rows import filled, summary_row, written_cells
from aimsciqa_assets.airqa.summaries.tasks import read_summary, read_tags, read_tldr
from aimsciqa_assets.airqa.summaries.writing import write_cell
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.reading.contents import Contents, Element, PageText, SectionText

MADE_BY = {"model": "m", "model_revision": "1", "prompt_version": "p"}
FIVE = ["drip irrigation", "maize yield", "nitrate leaching", "field trial", "silt loam"]


def kept(contents: Contents) -> pl.DataFrame:
    file = {"file_id": "f", "file_name": "f.pdf", "batch": "b", "paper_id": None}
    return pl.DataFrame(batch_rows([file], [("pdf", contents)], {}, characters, 100)["airqa.rows"])


def a_paper(**more) -> Contents:
    contents = {
        "abstract": "We watered maize.",
        "pages": [PageText(1, "Maize was watered twice a week.", 612, 792)],
        "sections": [SectionText("1 Methods", "  "), SectionText("2 Results", "Yield rose by 9 %.", [1])],
        "tables": [Element(1, "<table><tr><td>9</td></tr></table>", "Table 1. Yield.")],
        "images": [Element(1, "", "", (10.0, 20.0, 110.0, 220.0))],
    }
    return Contents("Water of maize", **contents | more)


def words(count: int) -> str:
    return " ".join(["maize"] * count)


@pytest.mark.parametrize(("read", "field", "most"), [(read_summary, "summary", 50), (read_tldr, "tldr", 80)])
def test_a_text_has_so_many_words_at_most(read, field, most):
    assert read(f'Here it is: {{"{field}": " Maize\\n yield "}}') == "Maize yield"
    assert read(json.dumps({field: words(most)})) == words(most)
    too_long = read(json.dumps({field: words(most + 1)}))
    assert (too_long.reason, too_long.complaint) == (
        "too_many_words",
        f"its text has {most + 1} words, and at most {most} are allowed",
    )
    assert read(json.dumps({field: " "})).reason == "empty_text"
    assert read("I cannot help with that.").reason == "malformed_reply"


def test_tags_are_five_different_ones():
    assert json.loads(read_tags(json.dumps({"tags": [*FIVE[:4], " Silt  loam ", "silt loam"]}))) == [
        *FIVE[:4],
        "Silt loam",
    ]
    four = read_tags(json.dumps({"tags": [*FIVE[:4], FIVE[0].upper(), ""]}))
    assert (four.reason, four.complaint) == ("not_five_tags", "it has 4 different tags, and 5 are asked for")
    assert isinstance(read_tags('{"tags": "maize"}'), Fault)


def test_every_empty_cell_is_shown_what_it_sums_up():
    found = list(empty_cells(kept(a_paper()), 100))
    cells = {(cell.table, cell.column): cell for cell in found}
    assert {
        name: (cell.page, cell.shown.get("kind"), cell.shown["text"]) for name, cell in cells.items()
    } == {
        ("metadata", "tldr"): (-1, None, "Maize was watered twice a week."),
        ("metadata", "tags"): (-1, None, "Maize was watered twice a week."),
        ("pages", "page_summary"): (1, "page", "Maize was watered twice a week."),
        ("sections", "section_summary"): (-1, "section", "Yield rose by 9 %."),
        ("tables", "table_summary"): (1, "table", "<table><tr><td>9</td></tr></table>"),
        ("images", "image_summary"): (1, "figure", ""),
    }
    assert cells["images", "image_summary"].box == (10, 20, 100, 200)
    unreadable = [(cell.table, cell.shown["heading"]) for cell in found if not cell.is_readable]
    assert unreadable == [("sections", "1 Methods"), ("images", "")]


def test_what_somebody_wrote_is_left_alone():
    contents = a_paper(pages=[PageText(1, "Text.", summary="Known.")], sections=[], tables=[], images=[])
    contents.keywords = ["maize"]
    assert [cell.column for cell in empty_cells(kept(contents), 100)] == ["tldr"]
    assert list(empty_cells(kept(contents).clear(), 100)) == []


def test_a_long_text_is_cut_and_says_so():
    contents = a_paper(pages=[PageText(1, "one two three four five", 612, 792)])
    page = next(cell for cell in empty_cells(kept(contents), 3) if cell.table == "pages")
    assert (page.shown["text"], page.was_cut) == ("one two three\n[...]", True)


def outcome_of(dialogue, *replies):
    """What a dialogue ends with that hears these replies, and what it asked."""
    asked = []
    heard = iter(replies)
    try:
        asked.append(next(dialogue))
        while True:
            asked.append(dialogue.send(ModelReply(asked[-1].key, next(heard))))
    except StopIteration as end:
        return end.value, asked


def cell_of(table, **more):
    return next(cell for cell in empty_cells(kept(a_paper(**more)), 100) if cell.table == table)


def test_the_prompt_says_what_the_text_is():
    done, (request,) = outcome_of(write_cell(cell_of("tables")), '{"summary": "Yield."}')
    system, user = (message.text for message in request.messages)
    assert "the caption and the content of one table, as HTML" in system
    assert user.splitlines() == [
        "Paper: Water of maize",
        "Table on page 1. Caption: Table 1. Yield.",
        "",
        "<table><tr><td>9</td></tr></table>",
    ]
    assert summary_row(done, "b", MADE_BY)["text"] == "Yield."


def test_a_figure_is_shown_as_a_picture_or_left_out():
    figure = cell_of("images")
    done, asked = outcome_of(write_cell(figure))
    row = summary_row(done, "b", MADE_BY)
    assert (asked, row["status"], row["rejection_reason"]) == ([], "left_out", "nothing_to_read")
    done, (request,) = outcome_of(write_cell(figure, b"png"), '{"summary": "A bar chart."}')
    assert request.messages[-1].content[1] == Image(b"png", "image/png")
    assert "the figure itself as a picture" in request.messages[0].text
    assert summary_row(done, "b", MADE_BY)["has_image"] is True
    captioned = cell_of("images", images=[Element(1, "", "Figure 1. Yield.", (0.0, 0.0, 9.0, 9.0))])
    _, (request,) = outcome_of(write_cell(captioned), '{"summary": "Yield."}')
    assert "You do not see the figure" in request.messages[0].text


def test_a_reply_over_the_limit_goes_back_once_and_is_then_rejected():
    long = json.dumps({"summary": words(51)})
    done, asked = outcome_of(write_cell(cell_of("pages")), long, '{"summary": "Maize."}')
    assert "at most 50 are allowed" in asked[1].messages[-1].text
    assert summary_row(done, "b", MADE_BY)["text"] == "Maize."
    done, _ = outcome_of(write_cell(cell_of("pages")), long, long)
    row = summary_row(done, "b", MADE_BY)
    assert (row["status"], row["rejection_reason"], row["text"], row["reply"]) == (
        "rejected",
        "too_many_words",
        None,
        long,
    )


def test_what_was_written_stands_in_the_rows_and_is_encoded():
    rows = kept(a_paper())
    replies = {
        "tldr": '{"tldr": "Watered maize yields more."}',
        "tags": json.dumps({"tags": FIVE}),
        "page_summary": '{"summary": "Watering."}',
    }
    made = [
        summary_row(outcome_of(write_cell(cell), replies[cell.column])[0], "b", MADE_BY)
        for cell in empty_cells(rows, 100)
        if cell.column in replies
    ]
    found = [json.loads(row) for row in filled(rows, frame_of("airqa.summaries", made))["row"]]
    assert [(row["tldr"], row["tags"]) for row in found if "tldr" in row] == [
        ("Watered maize yields more.", FIVE)
    ]
    assert [row["page_summary"] for row in found if "page_summary" in row] == ["Watering."]
    assert [(one["column_name"], one["page_number"], text) for one, text in written_cells(made)] == [
        ("tldr", -1, "Watered maize yields more."),
        ("page_summary", 1, "Watering."),
    ]
    assert filled(rows, frame_of("airqa.summaries", [])).equals(rows)

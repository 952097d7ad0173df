"""The items of SciDQA: a reviewer asks about a manuscript, which the reader has, and the authors answer."""

from typing import TYPE_CHECKING, Final

from aimsciqa_assets.items.form import LIKERT, Criterion, ItemForm, Kind, SheetForm

if TYPE_CHECKING:
    from aimsciqa_assets.items.published import Published


def _published() -> "Published":
    from aimsciqa_assets.items.scidqa_published import PUBLISHED

    return PUBLISHED


_SHEET: Final = SheetForm(
    "Each row is a question that a reviewer asked about a manuscript, rewritten so that it stands by itself, "
    "with what the authors answered. The evidence, where there is any, was quoted from that manuscript.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion(
            "self_contained",
            "Can the question be understood without the review and the discussion?",
            {0.0: "no", 0.5: "partly", 1.0: "yes"},
        ),
        Criterion("completeness", "Does the answer say all that the question asks for?", LIKERT),
        Criterion(
            "document_necessity",
            "Does it take the manuscript to answer? Very poor: common knowledge is enough.",
            LIKERT,
        ),
    ),
)

SCIDQA: Final = ItemForm(
    "scidqa",
    kinds=(
        Kind(
            "review_question",
            "Question of a review",
            settings=("oracle", "closed_book", "title_abstract", "passages", "segments"),
            long_answers=True,
        ),
    ),
    sheet=_SHEET,
    published=_published,
    about="A reviewer asked about a manuscript, which the reader has, and its authors answered; a language "
    "model found question and answer in their notes, judged them and rewrote them in the third person. "
    "`question_quote` and `answer_quote` say where they stand in the notes of OpenReview, by characters of "
    "the note's text (`https://openreview.net/forum?id=FORUM_ID&noteId=NOTE_ID`), and under which licence: "
    "it holds for question and answer, beside that of the manuscript, and attribution goes to the writers of "
    "the notes. `answerable` is a model's verdict on each version of the manuscript. All questions of a "
    "forum are in one split.",
)

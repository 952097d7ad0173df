"""Recall and precision of extracted and accepted pairs against labelled reviews, and alignment of replies.

    AIMSCIQA_HOME=HOME python -m benchmarks.scidqa_extraction

The home holds threads of `../shared/corpora/reviews` and the pairs that were made of them. A labelled
request is recalled when the question's quote of a pair overlaps it; a pair is right when its question's quote
overlaps a labelled request of any kind. A pair that is right is aligned when its answer's quote overlaps the
reply sentences that people aligned to one of these requests; requests without such sentences do not count.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.home import Home
from tests.reviews import ASKED, Labelled, LabelledReview, labelled_reviews

Pair = dict[str, Any]
_FEWEST_WORDS = 4
"""Words in a row that an answer's quote and the aligned sentences must share."""

_PAIRS = """
select qa_pairs.* replace (
    question_start - (notes.fields ->> '$.review[0]')::integer as question_start,
    question_end - (notes.fields ->> '$.review[0]')::integer as question_end
)
from scidqa.qa_pairs
join scidqa.notes on qa_pairs.review_note_id = notes.note_id
order by qa_id
"""
"""Pairs with the offsets of their questions in the review itself, as the labels have them."""


def figures(reviews: Sequence[LabelledReview], pairs: Sequence[Pair]) -> str:
    """Recall by kind of request, precision and alignment, as lines."""
    by_review: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_review.setdefault(pair["review_note_id"], []).append(pair)
    labelled, found = Counter[str](), Counter[str]()
    right = aligned = alignable = 0
    for one in reviews:
        of_review = by_review.get(one.note_id, [])
        for label in one.requests:
            labelled[label.kind] += 1
            found[label.kind] += any(_asks(pair, label) for pair in of_review)
        for pair in of_review:
            asked = [label for label in one.requests if _asks(pair, label)]
            answered = [label.aligned for label in asked if label.aligned.strip()]
            right += bool(asked)
            alignable += bool(answered)
            aligned += any(_overlap(pair["answer_quote"], text) for text in answered)
    kinds = [*((kind,) for kind in sorted(labelled)), ASKED, tuple(labelled)]
    lines = [
        _line(
            f"recall: {', '.join(kind) if len(kind) < 3 else 'all kinds'}", sum(found[k] for k in kind), total
        )
        for kind in kinds
        if (total := sum(labelled[k] for k in kind))
    ]
    return "\n".join(
        [*lines, _line("precision", right, len(pairs)), _line("answers aligned", aligned, alignable)]
    )


def _asks(pair: Pair, label: Labelled) -> bool:
    return label.overlaps(pair["question_start"], pair["question_end"])


def _overlap(quote: str, aligned: str) -> bool:
    """Whether they share some words in a row; of a shorter quote, all."""
    words, others = quote.split(), f" {' '.join(aligned.split())} "
    length = min(_FEWEST_WORDS, len(words))
    runs = (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
    return any(run in others for run in runs)


def _line(name: str, part: int, whole: int) -> str:
    share = f"{part / whole:.3f}" if whole else "none"
    return f"{name:45}{part:5} of {whole:4}  {share}"


def main() -> None:
    """Print the figures of pairs with exact quotes, of accepted ones, and the reasons of the others."""
    warehouse = Warehouse(database=str(Home.from_environment().database))
    noted = set(warehouse.read("select note_id from scidqa.notes")["note_id"])
    reviews = [one for one in labelled_reviews() if one.note_id in noted]
    requests = sum(len(one.requests) for one in reviews)
    answered = sum(bool(label.aligned.strip()) for one in reviews for label in one.requests)
    print(f"{len(reviews)} reviews, {requests} labelled requests, {answered} of them with aligned replies\n")
    rows = warehouse.read(_PAIRS).rows(named=True)
    exact = [row for row in rows if row["question_start"] is not None and row["answer_start"] is not None]
    accepted = [row for row in rows if row["status"] == "accepted"]
    replied = [_answered(one) for one in reviews]
    for name, some in (("extracted, with exact quotes", exact), ("accepted", accepted)):
        print(f"{name}: all labelled requests\n{figures(reviews, some)}\n")
        print(f"{name}: labelled requests with aligned replies\n{figures(replied, some)}\n")
    reasons = Counter(row["rejection_reason"] for row in rows if row["rejection_reason"])
    print("\n".join(f"rejected: {reason:40}{count:5}" for reason, count in reasons.most_common()))


def _answered(review: LabelledReview) -> LabelledReview:
    """The review with those requests that a reply answers: only these can become pairs."""
    kept = tuple(label for label in review.requests if label.aligned.strip())
    return replace(review, requests=kept)


if __name__ == "__main__":
    main()

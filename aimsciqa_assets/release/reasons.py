"""Why accepted items are not in a release, in sentences: for the report and the dataset card.

`release.items` has the reasons. An item with several has the first of them: a paper, a text, a gate, a
review, a leak.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from aimsciqa.release import WITHOUT_TEXT

GATES: Final = {
    "single_document": ("was answered right", "were answered right", "from one paper alone"),
    "closed_book": ("was answered right", "were answered right", "without any paper"),
    "unique_retrieval": (
        "has a target",
        "have a target",
        "that fewer than two retrievers rank first in its cluster",
    ),
    "no_duplicate": ("asks", "ask", "nearly the same as an earlier item, or of the same facts"),
    "relabelling": ("does", "do", "not lead a reader of the papers' cards to its papers"),
    "necessity": ("does", "do", "not need all documents or hops, by the necessity ledger"),
}
"""What items that fail a gate have in common: the verb for one item, that for several, and the rest."""

_ITEMS: Final = {f"failed_{gate}": said for gate, said in GATES.items()} | {
    "rejected_in_review": ("was", "were", "rejected in review"),
    "disputed_in_review": ("is", "are", "disputed among reviewers"),
    "not_accepted_in_review": ("was", "were", "not accepted by a reviewer"),
    "leaks_into_test": ("is a dev item", "are dev items", "that would give away parts of the test split"),
    "not_considered": ("is", "are", "not decided on yet"),
}
_PAPERS: Final = {
    "no_derivatives": "whose licence forbids derivatives",
    "text_mining_only": "whose licence allows text mining only",
    "licence_unknown": "whose licence is not known",
    "retracted": "that was retracted",
    "withdrawn": "that was withdrawn",
    "expression_of_concern": "that is under an expression of concern",
    "gone": "that is not in the corpus any more",
}
_TEXTS: Final = {f"text_{reason}": about for reason, about in _PAPERS.items()} | {
    "text_gone": "that may not be read any more"
}
"""The same of texts outside the corpus, such as the notes of a review."""


def said(counts: Iterable[tuple[str, int]]) -> list[str]:
    """A sentence for each reason with its number of items, the most frequent first.

    "2 ask nearly the same as an earlier item". The reasons that concern a paper or a text are one, whatever
    its role in the item.
    """
    items: Counter[str] = Counter()
    for reason, number in counts:
        items[_without_role(reason)] += number
    listed = sorted(items.items(), key=lambda item: (-item[1], item[0]))
    return [_sentence(reason, number) for reason, number in listed]


def is_of_a_licence(reason: str) -> bool:
    """Whether a reason is the licence of a paper or of a text."""
    return reason.endswith(("_no_derivatives", "_text_mining_only", "_licence_unknown"))


def named_without_text(count: int) -> str:
    """Where the card finds items whose text may not be in the release; "" where there is none."""
    if not count:
        return ""
    return (
        f"\nOf {count:,} of these items, `{WITHOUT_TEXT}` says where their texts stand, because a licence "
        "forbids to publish these here: ids, offsets and licences of texts, documents and quotes, with the "
        "reason. No gate or reviewer is against them. For questions of reviews, `text_id` is the id of a "
        "note of OpenReview.\n"
    )


def left_out_by_gates(gates: str, counts: Mapping[str, int]) -> str:
    """Which gates a release applies, and how many items each left out."""
    if not gates.split():
        return "No quality gate was applied: items that fail one are in the release."
    numbers = "; ".join(f"`{gate}` left out {counts.get(f'failed_{gate}', 0):,}" for gate in gates.split())
    return (
        f"Quality gates that no item here failed, with the accepted items that each left out: {numbers}. "
        "What a gate could not decide passed."
    )


def _without_role(reason: str) -> str:
    """A paper's or text's reason without its role: `source_retracted` is `retracted`."""
    of_source = (about for about in (*_TEXTS, *_PAPERS) if reason.endswith(f"_{about}"))
    return reason if reason in _ITEMS else next(of_source, reason)


def _sentence(reason: str, number: int) -> str:
    if reason in _TEXTS:
        return f"{number:,} {_verb(number, 'was', 'were')} made from a text {_TEXTS[reason]}"
    if reason in _PAPERS:
        return f"{number:,} {_verb(number, 'rests', 'rest')} on a paper {_PAPERS[reason]}"
    if reason in _ITEMS:
        one, several, rest = _ITEMS[reason]
        return f"{number:,} {_verb(number, one, several)} {rest}"
    return f"{number:,}: {reason.replace('_', ' ')}"


def _verb(number: int, one: str, several: str) -> str:
    return one if number == 1 else several

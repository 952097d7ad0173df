"""Recall and precision of the discussion filter on labelled reviews (`../shared/corpora/reviews`).

    python -m benchmarks.review_requests

The cues were tuned on the threads at even places of the file; those at odd places are held out. A labelled
request is found when a sentence that was taken overlaps it; a taken sentence is right when it overlaps a
labelled request of any kind.
"""

from collections import Counter
from collections.abc import Iterable

from aimsciqa_assets.scidqa.pairs.requests import requests_of
from tests.reviews import ASKED, LabelledReview, labelled_reviews


def figures(reviews: Iterable[LabelledReview]) -> str:
    """Recall by kind of request, and precision by cue, as lines."""
    labelled, found, taken, right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for one in reviews:
        requests = requests_of(one.review)
        for label in one.requests:
            labelled[label.kind] += 1
            found[label.kind] += any(label.overlaps(each.start, each.end) for each in requests)
        for each in requests:
            taken[each.cue] += 1
            right[each.cue] += any(label.overlaps(each.start, each.end) for label in one.requests)
    asked = sum(found[kind] for kind in ASKED), sum(labelled[kind] for kind in ASKED)
    lines = [_line("recall of clarifications and explanations", *asked)]
    lines += [_line(f"  recall: {kind}", found[kind], labelled[kind]) for kind in sorted(labelled)]
    lines += [_line("precision", right.total(), taken.total())]
    lines += [_line(f"  precision: {cue}", right[cue], taken[cue]) for cue in sorted(taken)]
    return "\n".join(lines)


def _line(name: str, part: int, whole: int) -> str:
    return f"{name:45}{part:5} of {whole:4}  {part / whole:.3f}"


def main() -> None:
    """Print the figures of both halves and of all."""
    reviews = list(labelled_reviews())
    for name, some in (
        ("tuning", [one for one in reviews if one.thread % 2 == 0]),
        ("held out", [one for one in reviews if one.thread % 2]),
        ("all", reviews),
    ):
        print(f"{name}\n{figures(some)}\n")


if __name__ == "__main__":
    main()

"""The items of the page: each with its papers side by side, the evidence marked."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from aimsciqa_assets.release.report.evidence import Piece, Span, pieces_of, shortened
from aimsciqa_assets.release.report.exhibits import score

ROLES = {"core": "Core QA pair", "retrieval": "Retrieval QA"}
MOST_OF_A_REPLY = 1600
_PMCID = re.compile(r"PMC\d+")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph that holds evidence: its place in the paper, and its text in pieces."""

    place: str
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Pair:
    """A QA pair whose evidence is marked."""

    role: str
    name: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper of an item and its `side`; `withheld` says why its text is not shown, or is empty."""

    side: str
    title: str
    address: str
    published: str
    withheld: str
    pairs: Sequence[Pair]
    paragraphs: Sequence[Paragraph]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model answered."""

    answerer: str
    setting: str
    found: str
    text: str
    reason: str
    token_f1: str | None
    judged: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a reviewer says of an item: `words` tell decision, rating and edits; the `note` is as written."""

    reviewer: str
    words: str
    note: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item as the page shows it; without its questions where they may not be passed on.

    `fate` says why it was not accepted, or is not released; it may be empty. `original` are question and
    answer as they were made, where reviewers edited them.
    """

    item_id: str
    variant: str
    split: str
    model: str
    status: str
    fate: str
    shown: bool
    question: str
    answer: str
    original: tuple[str, str] | None
    steps: Sequence[tuple[str, str, str]]
    verdicts: Sequence[tuple[str, str]]
    gates: Sequence[tuple[str, str, str]]
    ranks: Sequence[tuple[str, int, int]]
    predictions: Sequence[Prediction]
    reviews: Sequence[Said]
    papers: Sequence[Paper]

    @property
    def anchor(self) -> str:
        """The fragment of the page's address that leads to the item."""
        return anchor_of(self.item_id)


def anchor_of(item_id: str) -> str:
    """The fragment of the page's address that leads to an item."""
    return f"item-{re.sub(r'[^A-Za-z0-9_-]', '-', item_id)}"


def item_of(row: Mapping[str, Any]) -> Item:
    """An item of a row of `browse.articles`."""
    evidence = row["evidence"] or []
    made = (_text(row["question"]), _text(row["answer"]))
    edited = (_text(row["edited_question"]) or made[0], _text(row["edited_answer"]) or made[1])
    return Item(
        item_id=row["item_id"],
        variant=row["variant"],
        split=row["split"] or "none",
        model=row["model"],
        status=row["status"].replace("_", "-"),
        fate=_fate(row),
        shown=row["shown"],
        question=edited[0],
        answer=edited[1],
        original=made if edited != made else None,
        steps=[
            (step["title"] or step["name"], _text(step["question"]), _text(step["answer"]))
            for step in row["steps"] or []
            if step["question"]
        ],
        verdicts=[
            (one["name"].replace("_", " "), one["verdict"]) for one in row["verdicts"] or [] if one["verdict"]
        ],
        gates=[
            (gate["gate"].replace("_", " "), gate["verdict"], gate["detail"]) for gate in row["gates"] or []
        ],
        ranks=[(rank["retriever"], rank["rank"], rank["candidates"]) for rank in row["ranks"] or []],
        predictions=[_prediction_of(answer) for answer in row["answers"] or []],
        reviews=[_said(review) for review in row["reviews"] or []],
        papers=[
            _paper_of(paper["side"], paper, [pair for pair in evidence if pair["side"] == paper["side"]])
            for paper in row["papers"] or []
        ],
    )


def address_of(doi: str | None, pmcid: str | None) -> str:
    """The web address of a paper; empty if it is unknown."""
    if pmcid and _PMCID.fullmatch(pmcid):
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return f"https://doi.org/{quote(doi, safe='/')}" if doi else ""


def _paper_of(side: str, paper: Mapping[str, Any], evidence: Sequence[Mapping[str, Any]]) -> Paper:
    published = [paper["journal"], str(paper["year"] or ""), paper["licence"] or "licence unknown"]
    return Paper(
        side=side,
        title=paper["title"] or paper["paper_id"],
        address=address_of(paper["doi"], paper["pmcid"]),
        published=" · ".join(part for part in published if part),
        withheld="" if paper["releasable"] else (paper["reason"] or "not decided yet").replace("_", " "),
        pairs=[
            Pair(pair["role"], _role(pair["role"]), _text(pair["question"]), _text(pair["answer"]))
            for pair in evidence
            if pair["question"]
        ],
        paragraphs=_paragraphs_of(evidence),
    )


def _paragraphs_of(evidence: Iterable[Mapping[str, Any]]) -> list[Paragraph]:
    """Each paragraph once, with all the evidence in it."""
    first: dict[str, Mapping[str, Any]] = {}
    spans: dict[str, list[Span]] = {}
    for pair in evidence:
        first.setdefault(pair["paragraph_id"], pair)
        of_paragraph = spans.setdefault(pair["paragraph_id"], [])
        if pair["start"] is not None and pair["end"] is not None:
            of_paragraph.append(Span(pair["start"], pair["end"], pair["role"]))
    return [
        Paragraph(
            " › ".join(part for part in (pair["section"] or pair["kind"], pair["subsection"]) if part),
            pieces_of(pair["text"], spans[paragraph]),
        )
        for paragraph, pair in first.items()
    ]


def _fate(row: Mapping[str, Any]) -> str:
    if row["status"] != "accepted":
        return _reason(row["rejection_reason"] or "no reason is recorded")
    return f"not released: {_reason(row['why_not_released'])}" if row["why_not_released"] else ""


def _reason(reason: str) -> str:
    return shortened(reason.replace("_", " "), 300)


def _said(review: Mapping[str, Any]) -> Said:
    words = [
        {"accept": "accepts it", "reject": "rejects it", None: ""}[review["decision"]],
        f"rates it {review['score']} of 5" if review["score"] else "",
        "edited the " + " and ".join(name for name in ("question", "answer") if review[name])
        if review["question"] or review["answer"]
        else "",
    ]
    return Said(review["reviewer"], ", ".join(filter(None, words)) or "undecided", _text(review["note"]))


def _role(name: str) -> str:
    return ROLES.get(name, name.replace("_", " ").capitalize())


def _prediction_of(answer: Mapping[str, Any]) -> Prediction:
    found = {True: "all targets found", False: "not all targets found", None: ""}[answer["found_target"]]
    judged = [
        f"{judgement['judge']} {'none' if judgement['score'] is None else format(judgement['score'], 'g')}"
        for judgement in answer["judged"] or []
    ]
    return Prediction(
        answerer=answer["answerer"],
        setting=answer["setting"],
        found=found,
        text=_text(answer["prediction"]),
        reason=(answer["reason"] or "").replace("_", " "),
        token_f1=score(answer["token_f1"]),
        judged=", ".join(judged),
    )


def _text(text: str | None) -> str:
    return shortened(text or "", MOST_OF_A_REPLY)

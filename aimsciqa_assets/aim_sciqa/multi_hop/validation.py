"""Decides by rules whether a reply becomes an accepted multi-hop item, or why it does not.

The model's verdicts are taken as they are (AIM-SciQA, table 4). Its overall decision is not used: an
item needs all of them. It must also name the right paper, and its questions must not contain the title.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa_resources.language_model.thinking import without_control

from aimsciqa_assets.aim_sciqa.multi_hop.replies import (
    Composition,
    Malformed,
    QuestionAnswer,
    Refusal,
    Reply,
    identified_title,
)

Status = Literal["accepted", "pre_rejected", "rejected", "invalid"]

# A shorter title ("Zika virus") is an ordinary phrase: a question that contains it leaks nothing.
LEAKABLE_TITLE_WORDS: Final = 4

_QUOTES_AND_DASHES: Final = str.maketrans(
    {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
)
_ENDINGS: Final = " .,;:!?'\"*_"


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of an item.

    `rejection_reason` is empty for accepted items. `decision` is the AND of the verdicts, None when the
    reply has none; `decision_agrees` says whether the model's own decision is the same, None when it gave
    none.
    """

    status: Status
    rejection_reason: str = ""
    decision: bool | None = None
    decision_agrees: bool | None = None


def decide(reply: Reply, target_title: str, source_title: str) -> Fate:
    """Decide the fate of the item that `reply` was written for.

    - `pre_rejected` (`refused`): the model saw no relation.
    - `invalid`: unreadable (the reader's reason), `empty:<component>.<part>`, `ambiguous_title` (source and
      target are titled alike, so that naming the target proves nothing), `wrong_target_title`.
    - `rejected`: `title_leak` (a question to be used for retrieval holds the target's title), `not_merged`
      (the merged question repeats one of the two it should join, and so lacks a hop), or `rejected:` and
      the criteria that the model rejects, in the prompt's order.
    - `accepted`: everything else.
    """
    if isinstance(reply, Malformed):
        return Fate("invalid", reply.reason)
    if isinstance(reply, Refusal):
        return Fate("pre_rejected", "refused")
    decision = all(reply.verdicts.values())
    agrees = None if reply.decision is None else reply.decision == decision
    if reason := _invalidity(reply, target_title, source_title):
        return Fate("invalid", reason, decision, agrees)
    if reason := _shortcoming(reply, target_title):
        return Fate("rejected", reason, decision, agrees)
    return Fate("accepted", "", decision, agrees)


def same_title(one: str, other: str) -> bool:
    """Whether two titles are equal, ignoring white space, Unicode variants, case and outer punctuation."""
    return _plain(without_control(one)) == _plain(without_control(other))


def _invalidity(reply: Composition, target_title: str, source_title: str) -> str:
    for component, pair in _pairs(reply):
        for part, text in (("question", pair.question), ("answer", pair.answer)):
            if not any(map(str.isalnum, text)):
                return f"empty:{component}.{part}"
    if same_title(source_title, target_title):
        return "ambiguous_title"
    named = identified_title(reply.retrieval.answer)
    return "" if named is not None and same_title(named, target_title) else "wrong_target_title"


def _shortcoming(reply: Composition, target_title: str) -> str:
    retrieval, inter_document, merged = (_words(pair.question) for _, pair in _pairs(reply))
    title = _words(target_title)
    if len(title.split()) >= LEAKABLE_TITLE_WORDS and any(
        f" {title} " in f" {question} " for question in (retrieval, merged)
    ):
        return "title_leak"
    if merged in (retrieval, inter_document):
        return "not_merged"
    failed = [criterion for criterion, accepted in reply.verdicts.items() if not accepted]
    return f"rejected:{'+'.join(failed)}" if failed else ""


def _pairs(reply: Composition) -> tuple[tuple[str, QuestionAnswer], ...]:
    return (
        ("retrieval", reply.retrieval),
        ("inter_document", reply.inter_document),
        ("merged", reply.merged),
    )


def _plain(title: str) -> str:
    folded = unicodedata.normalize("NFKC", title).translate(_QUOTES_AND_DASHES).casefold()
    return " ".join(folded.split()).strip(_ENDINGS)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))

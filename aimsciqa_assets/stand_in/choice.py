"""The extractive model's choice among core pairs: the first that its own verdicts accept.

It judges neither links nor retrieval questions as a model would. Every pair is composed with the first
retrieval question; the link is named after what the composed answer does with the two facts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from aimsciqa_assets.stand_in import multi_hop


def compose(variables: Mapping[str, Any]) -> str:
    """Write the reply to a multi-hop request with a choice: the XML, or the refusal sentence."""
    composed = list(_composed(variables))
    accepted = (reply for reply in composed if ">Reject<" not in reply)
    return next(accepted, composed[0] if composed else multi_hop.REFUSAL)


def _composed(variables: Mapping[str, Any]) -> Iterator[str]:
    """The replies to the core pairs that are not refused, in their order."""
    retrieval = variables["retrieval_pairs"][0]
    papers = {f"{side}_title": variables[f"{side}_title"] for side in ("source", "target")}
    for pair in variables["core_pairs"]:
        told = papers | {name: value for name, value in pair.items() if name != "number"}
        told |= {f"retrieval_{name}": retrieval[name] for name in ("question", "answer")}
        reply = multi_hop.compose(told)
        if reply != multi_hop.REFUSAL:
            yield _with_choice(reply, pair["number"], retrieval["number"])


def _with_choice(reply: str, core_pair: str, retrieval: str) -> str:
    link = "Contrast" if " whereas " in reply else "Agreement"
    choice = (
        '<component type="Choice">\n'
        f'<score type="Core Pair">{core_pair}</score>\n'
        f'<score type="Unique QA">{retrieval}</score>\n'
        f'<score type="Link">{link}</score>\n</component>'
    )
    return reply.replace("<outputs>", f"<outputs>\n{choice}", 1).replace(
        '<score type="Decision">', '<score type="Identifiability">Accept</score>\n<score type="Decision">', 1
    )

"""A small warehouse whose items were evaluated: two retrievers ranked papers, and a model answered.

Four items may be released. `i5` may not: its target has no licence, but its paper P10 is in every cluster.
"""

from pathlib import Path
from typing import Any

from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus, item, pair

ABSTRACTS = {
    1: "Iron stores of infants after late clamping of the cord.",
    2: "Sleep duration and blood pressure in shift workers.",
    4: "Cord clamping and iron stores at six months.",
    6: "Night shifts, sleepiness and blood pressure of steelworkers.",
    8: "Vitamin D and falls in nursing homes.",
    10: "Blood pressure after a night shift with little sleep.",
}
ITEMS = [
    item(1, source=1, target=2, retrieval_question="Which paper is about the sleep of shift workers?"),
    item(2, source=3, target=4, split="test", retrieval_question="Which paper has iron at six months?"),
    item(3, source=5, target=6, variant="cim", retrieval_question="Which paper is about pressure at night?"),
    # The same core pairs as item 1: the two are one fact.
    item(
        6,
        source=1,
        target=2,
        core_source=pair(1, 0, 1),
        core_target=pair(2, 1, 1),
        retrieval_question="Which paper is about vitamin D?",
    ),
    item(5, source=7, target=10),
]
JUDGES = (("lexical", "lexical", 0.5), ("judge-a", "model", 1.0), ("b", "model", 0.5))
UNMEASURED = ("exact_match", "token_f1", "rouge_l", "bert_score")
GIVEN = {
    ("i1", "oracle"): "merged answer of 1",
    ("i2", "oracle"): "something else",
    ("i3", "oracle"): None,
    ("i6", "oracle"): "merged_answer of 6, and more",
    ("i5", "oracle"): "merged_answer of 5",
    ("i1", "realistic"): "merged_answer of 1",
    ("i2", "realistic"): "a sentence of a paper that may not be passed on",
    ("i3", "realistic"): "merged_answer of 3",
    ("i6", "realistic"): "I cannot tell.",
    ("i5", "realistic"): "merged_answer of 5",
    ("i3", "citation"): "merged_answer of 3, from the source alone",
    ("i1", "source_only"): None,
    ("i2", "source_only"): None,
    ("i6", "source_only"): None,
}
REASONS = {
    ("i1", "source_only"): "no_text",
    ("i2", "source_only"): "not_recorded",
}


def evaluated() -> Corpus:
    """The corpus."""
    variants = {f"i{of['number']}": of["variant"] for of in ITEMS}
    queries = [
        {
            "item_id": f"i{of['number']}",
            "variant": of["variant"],
            "split": of["split"],
            "source_paper_id": f"P{of['source']}",
            "target_paper_id": f"P{of['target']}",
        }
        for of in ITEMS
    ]
    rankings = [
        {
            "retriever": retriever,
            "item_id": f"i{of['number']}",
            "variant": of["variant"],
            "setting": setting,
            "papers": _ranked(of, setting),
        }
        for of in ITEMS
        for setting in ("cluster", "random", "full")
        for retriever in ("bm25", "org/words", "partly")
        if (retriever, of["number"]) != ("partly", 3)
    ]
    answers = [
        {
            "answer_id": f"{item_id} {setting}",
            "answerer": "some model@http://10.0.0.1/v1",
            "item_id": item_id,
            "variant": variants[item_id],
            "setting": setting,
            "read_paper_id": _read(item_id, setting),
            "found_target": item_id != "i2" if setting == "realistic" else None,
            "prediction": None if text == "I cannot tell." else text,
            "rejection_reason": None if text else REASONS.get((item_id, setting), "empty_answer"),
            "exact_match": 0.0,
            "token_f1": 0.25 if (item_id, setting) == ("i2", "realistic") else 0.0,
            "rouge_l": 0.125,
            "bert_score": 0.5,
        }
        | (dict.fromkeys(UNMEASURED) if (item_id, setting) in REASONS else {})
        for (item_id, setting), text in GIVEN.items()
    ]
    judgements = [
        {
            "answer_id": answer["answer_id"],
            "judge": judge,
            "answerer": answer["answerer"],
            "item_id": answer["item_id"],
            "setting": answer["setting"],
            "kind": kind,
            "score": None if answer["token_f1"] is None else score,
            "rejection_reason": "no_text" if answer["token_f1"] is None else None,
        }
        for answer in answers
        for judge, kind, score in (
            ("lexical", "lexical", 0.5),
            ("judge-a", "model", 1.0),
            ("b", "model", 0.5),
        )
    ]
    return Corpus(
        items=ITEMS,
        abstracts=ABSTRACTS,
        evaluation={
            "benchmark.queries": queries,
            "benchmark.rankings": rankings,
            "benchmark.answers": answers,
            "benchmark.judgements": judgements,
        },
    )


def _ranked(of: dict[str, Any], setting: str) -> list[str]:
    """P9 may be published by no licence and is in no cluster, so that a release does not have it."""
    target, source = f"P{of['target']}", f"P{of['source']}"
    if setting == "full":
        return [paper for paper in ("P9", "P10", target, "P8", "P7", "P3") if paper != source]
    return ["P10", target, "P8"]


def _read(item_id: str, setting: str) -> str | None:
    if setting == "citation":
        return None
    return "P10" if (item_id, setting) == ("i2", "realistic") else "P2"


def write_evaluated_release(folder: Path) -> None:
    """Write the release into `folder/release`."""
    warehouse, settings = evaluated().write(folder)
    write_release(warehouse, settings, folder / "release")

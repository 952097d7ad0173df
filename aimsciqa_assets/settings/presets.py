"""The presets: what they set beside the defaults of the sections."""

from typing import Any, Final, Literal, get_args

Preset = Literal["default", "aim-sciqa", "paper", "demo"]
PRESETS: Final[tuple[Preset, ...]] = get_args(Preset)

# The models that the paper names.
ENCODER: Final = "abhinand/MedEmbed-large-v0.1"
PAIRS: Final = "Qwen/Qwen2.5-7B-Instruct"

_AIM_SCIQA: Final = {"systems": {"systems": "aim-sciqa"}}
_SMALL: Final[dict[str, dict[str, Any]]] = {
    # In a small corpus few papers cite each other, and the similarity variant needs no citations.
    "selection": {"min_accessible_citations": 0},
    "relations": {"section_pairs_per_document_pair": 10},
}
_PAPER: Final[dict[str, dict[str, Any]]] = _AIM_SCIQA | {
    "selection": {"min_accessible_citations": 3, "corpus": "eligible"},
    "single_hop": {"alignment_fraction": 0.1, "alignment_scope": "corpus"},
    "relations": {
        "core_as_retrieval_question": True,
        "all_citations_in_corpus": True,
        "mirrors": "both",
        "keyword_order": "count",
    },
    "multi_hop": {"kept_apart": "facts"},
    # HopWeaver's own numbers; its kinds stay off.
    "hopweaver": {
        "most_words": 4096,
        "shortcuts": "document",
        "unmentioned": "asked",
        "listed_only": "asked",
        "shared_names": "off",
        "holders": False,
        "first_hop": "segment",
        "masked_rank": 0,
        "question_rank": 0,
        "compared": "all",
        "most_years": 0,
        "kin": "asked",
        "in_common": "unasked",
        "direction": "free",
        "repeats": "any",
        "draws": "any",
    },
    "benchmark": {
        "split": "test",
        "whole_variants": "cim",
        "answer_without_citation": True,
        "realistic_retriever": "best",
        "answering_items": 100,
        "answering_settings": "oracle realistic citation",
        "same_family": True,
    },
    "audit": {"split": "test"},
    # The paper has no gates.
    "release": {"gates": ""},
    "pmc": {"years": "2019-2024", "limit": 20_281},
}
VALUES: dict[Preset, dict[str, dict[str, Any]]] = {
    "default": _SMALL,
    "aim-sciqa": _PAPER,
    "paper": _PAPER
    | {
        "reproduction": {"named_models": "required"},
        "encoder": {"model": ENCODER},
        "single_hop_model": {"name": PAIRS},
        "hopweaver": _PAPER["hopweaver"] | {"reranker": "BAAI/bge-reranker-v2-m3"},
        "benchmark": _PAPER["benchmark"] | {"bert_score_model": "microsoft/deberta-xlarge-mnli"},
    },
    "demo": _SMALL | _AIM_SCIQA,
}

"""The items of published sets, as baselines beside ours. Their documents are there for evaluation only."""

from typing import Final

from aimsciqa_assets.items.form import ItemForm, Kind

BASELINE_SETS: Final = ItemForm(
    "baseline_sets",
    kinds=(
        Kind("hotpotqa_bridge", "HotpotQA: bridge"),
        Kind("hotpotqa_comparison", "HotpotQA: comparison"),
        Kind("2wiki_bridge", "2WikiMultihopQA: compositional (bridge)"),
        Kind("2wiki_comparison", "2WikiMultihopQA: comparison"),
        Kind("musique_2hop", "MuSiQue: two hops"),
    ),
)

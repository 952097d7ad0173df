"""The extractive reader of AirQA's baselines: of what is shown, the sentence that fits the question best."""

import json
from collections.abc import Mapping
from typing import Any

from aimsciqa_assets.stand_in.answering import DECLINED, best_sentence


def compose(variables: Mapping[str, Any]) -> str:
    """Write the reply to a request of `airqa_answer`; raises KeyError when a variable is missing."""
    texts = [shown["text"] for shown in (*variables["papers"], *variables["passages"])]
    answer = best_sentence(texts, variables["question"]) or DECLINED
    return json.dumps({"answer": answer}, ensure_ascii=False)

"""What the rule-based model says about the demo's papers is frozen: a change of the rules shows in a diff.

After a change that is meant, `python -m benchmarks.stand_in_gate compare --file FILE` lists what is lost, and
`renew` freezes the replies of today; `docs/stand-in-changes.md` keeps the list.
"""

import gzip
import json
from pathlib import Path

import pytest
from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.stand_in import StandInModel

pytestmark = pytest.mark.slow

FROZEN = Path(__file__).parents[2] / "data" / "stand_in" / "demo.jsonl.gz"


@pytest.mark.parametrize("task", ["single_hop", "multi_hop"])
def test_the_replies_on_the_demo_are_the_frozen_ones(task):
    rows = [json.loads(line) for line in gzip.decompress(FROZEN.read_bytes()).splitlines()]
    asked = [row for row in rows if row["task"] == task]
    assert len(asked) > 800
    requests = [ModelRequest(task, str(at), row["variables"], ()) for at, row in enumerate(asked)]
    replies = [reply.text for reply in StandInModel().replies(requests)]
    assert [(row["variables"], reply) for row, reply in zip(asked, replies, strict=True)] == [
        (row["variables"], row["reply"]) for row in asked
    ]

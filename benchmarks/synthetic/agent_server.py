"""The model of made-up agents behind the loopback server: four actions, then the answer.

`python -m benchmarks.synthetic.agent_server --slots 64 --latency 0.05 0.05`: prints its URL, then, when it is
told to end (SIGTERM), how busy it was as one JSON line.
"""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.synthetic.hop_server import serve

ACTIONS = (
    "Retrieve(query='mean zinc intake of {topic}', limit=3)",
    "Query(sql='select title, num_pages, {number} as asked from metadata order by title limit 5')",
    "Query(sql='select page_number, page_content, {number} as asked from pages order by page_id limit 3')",
    "Retrieve(query='growth of {topic}', limit=5)",
    "Answer(answer=['zinc', {number}])",
)
TURNS = len(ACTIONS)
_TOPIC = re.compile(r"cohort (\d+)")


def next_action(body: Mapping[str, Any]) -> str:
    """The action behind those that the dialogue shows, about its question; no two examples take the same one.

    Plain requests get the first one.
    """
    done = sum(message["role"] == "assistant" for message in body["messages"])
    found = _TOPIC.search(body["messages"][1]["content"])
    number = found[1] if found else "0"
    action = ACTIONS[done].format(topic=f"cohort {number}", number=number)
    return f"[Thought]: I need more of the papers.\n[Action]: {action}"


if __name__ == "__main__":
    serve(__doc__, next_action)

"""A home with three small papers in a published paper store, and three examples about them.

`python -m tests.airqa_home FOLDER URL NAME=VALUE ...` has the run of these settings answer the examples.
"""

import json
import sys
from pathlib import Path
from typing import Any

from aimsciqa_assets.airqa.baselines import assets as _assets
from aimsciqa_assets.airqa.store.publishing import papers_file
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.reading.contents import Contents, PageText
from aimsciqa_assets.settings.airqa_runs import runs_of
from tests.fakes import WordEncoder
from tests.paper_stores import insert, publish_store, resources_of

assert _assets
PAPERS = {
    "Zinc of wheat": ("Grain zinc fell.", ["Grain zinc fell by 3 mg in wheat.", "Pots held ten litres."]),
    "Iron of rice": ("Grain iron rose.", ["Grain iron rose by 5 mg in rice.", "Fields were flooded."]),
    "Lead of barley": ("Lead was not there.", ["Leaf lead was not measured in barley.", "Rain fell."]),
}


def publish(home: Path, encoder: WordEncoder) -> list[dict[str, Any]]:
    """Publish the three papers; what stands in the store, by paper."""
    contents = [
        Contents(
            title,
            abstract=abstract,
            pages=[PageText(n, text, 612, 792) for n, text in enumerate(pages, 1)],
        )
        for title, (abstract, pages) in PAPERS.items()
    ]
    told, _ = publish_store(home, {"b1": dict(enumerate(contents))}, encoder, 100)
    return told


def uuids(home: Path) -> dict[str, str]:
    """The ids of the papers, by title."""
    import duckdb

    with duckdb.connect(str(papers_file(home)), read_only=True) as connection:
        return dict(connection.execute("select title, paper_id::varchar from metadata").fetchall())


def examples(ids: dict[str, str]) -> list[dict[str, Any]]:
    """About one paper, about two, and about one that must be found."""
    wheat, rice = ids["Zinc of wheat"], ids["Iron of rice"]
    asked = [
        ("e1", "By how much did grain zinc fall in wheat?", [wheat], []),
        ("e2", "By how much did grain iron rise in rice, and grain zinc fall in wheat?", [wheat, rice], []),
        ("e3", "Which paper did not measure lead?", [], ["uncategorized"]),
    ]
    evaluator = {"eval_func": "eval_string_exact_match", "eval_kwargs": {"gold": "3 mg"}}
    return [
        {
            "example_id": example,
            "question": question,
            "answer_format": "A text.",
            "tags": ["single", "text", "objective"],
            "anchor_pdf": anchors,
            "reference_pdf": [],
            "conference": conference,
            "eval_func": "eval_string_exact_match",
            "evaluator": json.dumps(evaluator),
            "annotator": None,
            "shape": json.dumps({"uuid": example, "question": question, "evaluator": evaluator}),
            "file_name": "test.jsonl:1",
            "file_id": "f",
        }
        for example, question, anchors, conference in asked
    ]


def resources_at(folder: Path, url: str = "", model: str = "m", **settings: Any) -> dict[str, Any]:
    """A home, filled the first time; with the model at `url`, or the rules."""
    environment = {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    if url:
        environment |= {
            "AIMSCIQA_AIRQA_MODEL_BACKEND": "server",
            "AIMSCIQA_AIRQA_MODEL_NAME": model,
            "AIMSCIQA_AIRQA_MODEL_BASE_URL": url,
        }
    encoder = WordEncoder()
    resources = resources_of(Home(folder), encoder, environment)
    if resources["warehouse"].read("from airqa.examples").is_empty():
        told = publish(folder, encoder)
        insert(resources["warehouse"], {"airqa.store": told, "airqa.examples": examples(uuids(folder))})
    return resources


def answer(resources: dict[str, Any]) -> str:
    """Make the only run that the settings name; its id."""
    (run_id,) = runs_of(resources["settings"])
    step = STEPS["airqa.answers"]
    bring_up_to_date(step, StepRun.of(step, run_id, resources))
    return run_id


if __name__ == "__main__":
    folder, url, *chosen = sys.argv[1:]
    answer(resources_at(Path(folder), url, **dict(one.split("=", 1) for one in chosen)))

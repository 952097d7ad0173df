"""A home with manuscripts of two forums, questions and answers about them, and a paper that is cited."""

from pathlib import Path

from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests.answering_home import full_row
from tests.fakes import WordEncoder

MANUSCRIPTS = {
    "M.initial": ("Sparse attention", "We make it sparse.", ["Runs took a day.", "We used one seed."]),
    "M.final": (
        "Sparse attention",
        "We make it sparse.",
        ["Runs took a day.", "Each run had five seeds.", "Memory fell by half."],
    ),
    "N.initial": ("Dense retrieval", "", ["It is dense."]),
    "C": ("Long documents", "They are long.", ["Books are long."]),
}
PAIRS = [
    {"qa_id": "q1", "forum_id": "M", "version": "revised", "question": "How many seeds?", "answer": "Five."},
    {"qa_id": "q2", "forum_id": "M", "version": "initial", "question": "How long?", "answer": "A day."},
    {"qa_id": "q3", "forum_id": "M", "version": "initial", "question": "No?", "status": "rejected"},
    {"qa_id": "q4", "forum_id": "N", "version": "revised", "question": "Is it dense?", "answer": "Yes."},
    {"qa_id": "q5", "forum_id": "O", "version": "initial", "question": "Where is it?", "answer": "Nowhere."},
]


def rows_of_the_home():
    yield (
        "corpus.papers",
        [
            {"paper_id": paper, "title": title, "abstract": abstract, "article_type": "manuscript"}
            for paper, (title, abstract, _) in MANUSCRIPTS.items()
        ],
    )
    yield (
        "corpus.sections",
        [{"section_id": f"{paper}s", "paper_id": paper, "title": "Results"} for paper in MANUSCRIPTS],
    )
    yield (
        "corpus.paragraphs",
        [
            {
                "paragraph_id": f"{paper}{n}",
                "paper_id": paper,
                "section_id": f"{paper}s",
                "position": n,
                "text": text,
            }
            for paper, (_, _, texts) in MANUSCRIPTS.items()
            for n, text in enumerate(texts)
        ],
    )
    yield (
        "scidqa.manuscripts",
        [
            {"forum_id": paper[0], "version": paper[2:], "paper_id": paper}
            for paper in MANUSCRIPTS
            if paper != "C"
        ],
    )
    yield "scidqa.qa_pairs", [{"cited_references": "{}"} | pair for pair in PAIRS]
    yield (
        "scidqa.evidence",
        [
            {
                "qa_id": "q1",
                "version": version,
                "position": 1,
                "paper_id": f"M.{version}",
                "paragraph_id": f"M.{version}1",
                "evidence": evidence,
                "evidence_start": 0,
                "evidence_end": len(evidence),
            }
            for version, evidence in (("initial", "We used one seed."), ("final", "Each run had five seeds."))
        ],
    )
    yield "scidqa.cited", [{"qa_id": "q1", "forum_id": "M", "paper_id": "C", "citing_paper_id": "M.final"}]


def review_questions(folder: Path, model=None, **settings):
    """The resources of the home, with the questions among the items of the benchmark."""
    environment = {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    overrides = {"language_models": OneModel(model)} if model else {}
    resources = build_resources(
        Home(folder), Settings.preset_of("demo", environment), encoder=WordEncoder(), **overrides
    )
    create_tables(resources["warehouse"])
    with resources["warehouse"].get_connection() as connection:
        for table, rows in rows_of_the_home():
            connection.register("incoming", frame_of(table, map(full_row(table), rows)).to_arrow())
            connection.execute(f"insert into {table} by name from incoming")
            connection.unregister("incoming")
    for table in ("scidqa.documents", "benchmark.queries"):
        make(resources, table)
    return resources


def make(resources, table: str, part: str = "") -> None:
    step = STEPS[table]
    bring_up_to_date(step, StepRun.of(step, part, resources))

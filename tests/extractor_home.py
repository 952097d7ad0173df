"""A home with papers that have everything that an explorer asks about, for the model of `extractor_model`.

`python -m tests.extractor_home FOLDER URL NAME=VALUE ...` makes examples and trajectories of these settings.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aimsciqa_assets.airqa.extractor import assets as _assets
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.reading.contents import Contents, Element, PageText, SectionText
from tests.extractor_model import number_of, title_of
from tests.fakes import WordEncoder
from tests.paper_stores import insert, publish_store, resources_of

assert _assets
BATCHES = ("b1", "b2")
_FILLER = "Nothing else of this part counts for anybody who reads it. " * 6


def paper(number: int) -> Contents:
    """A paper with three sections, a table, a figure and a formula, each about a name of its own."""

    def said(kind: str) -> str:
        name = f"q{number}{kind}"
        return f"The yield of {name} was {number_of(name)} kg on a plot."

    sections = [SectionText(f"Part {n}", f"{said(f's{n}')} {_FILLER}", [1]) for n in range(3)]
    return Contents(
        title_of(f"q{number}"),
        abstract=f"We follow q{number}p0 for days. Rain was rare.",
        sections=sections,
        pages=[PageText(1, "\n\n".join(one.text for one in sections), 612, 792)],
        tables=[Element(1, f"<table><tr><td>{said('t0')}</td></tr></table>", "Yields")],
        images=[Element(1, "", f"Figure 1. {said('i0')}")],
        equations=[Element(1, f"y = x + {said('f0')}")],
    )


def write_jats(folder: Path, papers: int) -> None:
    """Write so many of these papers as JATS, with what XML can have of them."""
    folder.mkdir()
    for number in range(papers):
        made = paper(number)
        sections = "".join(f"<sec><title>{one.title}</title><p>{one.text}</p></sec>" for one in made.sections)
        (folder / f"{number}.xml").write_text(
            f"<article><front><article-meta><title-group><article-title>{made.title}</article-title>"
            f"</title-group><abstract><p>{made.abstract}</p></abstract></article-meta></front><body>{sections}"
            f"<table-wrap><label>Table 1</label><caption><p>Yields</p></caption>{made.tables[0].content}"
            "</table-wrap></body></article>"
        )


def publish(
    home: Path, encoder: WordEncoder, papers: int, batches: Sequence[str] = BATCHES
) -> list[dict[str, Any]]:
    """Publish so many papers, as many of each batch; what stands in the store."""
    of_batches = {
        batch: {n: paper(n) for n in range(place, papers, len(batches))}
        for place, batch in enumerate(batches)
    }
    told, _ = publish_store(home, of_batches, encoder, 5000, 2 * papers)
    return told


def resources_at(
    folder: Path, url: str, papers: int = 20, batches: Sequence[str] = BATCHES, **settings: Any
) -> dict[str, Any]:
    """A home, filled the first time, with the model at `url`; settings are those of `extractor`."""
    environment = {
        name if name.isupper() else f"AIMSCIQA_EXTRACTOR_{name}".upper(): str(value)
        for name, value in settings.items()
    }
    environment |= {
        "AIMSCIQA_EXTRACTOR_MODEL_BACKEND": "server",
        "AIMSCIQA_EXTRACTOR_MODEL_NAME": "m",
        "AIMSCIQA_EXTRACTOR_MODEL_BASE_URL": url,
    }
    encoder = WordEncoder()
    resources = resources_of(Home(folder), encoder, environment)
    if resources["warehouse"].read("from airqa.store").is_empty():
        insert(resources["warehouse"], {"airqa.store": publish(folder, encoder, papers, batches)})
    return resources


def make(resources: dict[str, Any]) -> None:
    """Make the examples, and the trajectories of both batches."""
    for table, parts in {"extractor.examples": ("",), "extractor.trajectories": BATCHES}.items():
        for part in parts:
            bring_up_to_date(STEPS[table], StepRun.of(STEPS[table], part, resources))


if __name__ == "__main__":
    folder, url, *chosen = sys.argv[1:]
    make(resources_at(Path(folder), url, **dict(one.split("=", 1) for one in chosen)))

"""A home with papers that have everything that an explorer asks about, for the model of `extractor_model`.

`python -m tests.extractor_home FOLDER URL NAME=VALUE ...` makes examples and trajectories of these settings.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.language_model.opening import LanguageModels

from aimsciqa_assets.airqa.extractor import assets as _assets
from aimsciqa_assets.airqa.store.batches import batch_rows, encodable_cells
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.contents import Contents, Element, PageText, SectionText
from aimsciqa_assets.airqa.store.publishing import papers_file, publish_papers, publish_vectors, vectors_file
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.stand_in import StandInModel
from tests.extractor_model import number_of, title_of
from tests.fakes import WordEncoder

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
    batched = []
    for place, batch in enumerate(batches):
        numbers = range(place, papers, len(batches))
        files = [
            {"file_id": f"f{n}", "file_name": f"{n}.pdf", "batch": batch, "paper_id": None} for n in numbers
        ]
        found = batch_rows(files, [("pdf", paper(n)) for n in numbers], {}, characters, 5000)
        batched.append(pl.DataFrame(found["airqa.rows"]))
    told = publish_papers(papers_file(home), batched)
    cells = [cell for rows in batched for cell in encodable_cells(rows.iter_rows(named=True))][: 2 * papers]
    vectors = encoder.encode_documents([text for _, text in cells])
    made_by = {"encoder": encoder.name, "encoder_revision": encoder.revision}
    rows = [
        {**names, "vector": vector.tolist(), **made_by}
        for (names, _), vector in zip(cells, vectors, strict=True)
    ]
    publish_vectors(vectors_file(home), told, lambda: [pl.DataFrame(rows)])
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
    home, encoder = Home(folder), WordEncoder()
    models = LanguageModels(home.journal, stand_in=StandInModel, recordings=home.recordings)
    resources = build_resources(
        home, Settings.preset_of("demo", environment), encoder=encoder, language_models=models
    )
    warehouse = resources["warehouse"]
    create_tables(warehouse)
    if warehouse.read("from airqa.store").is_empty():
        told = publish(folder, encoder, papers, batches)
        with warehouse.get_connection() as connection:
            connection.register("incoming", frame_of("airqa.store", told).to_arrow())
            connection.execute("insert into airqa.store by name from incoming")
            connection.unregister("incoming")
    return resources


def make(resources: dict[str, Any]) -> None:
    """Make the examples, and the trajectories of both batches."""
    for table, parts in {"extractor.examples": ("",), "extractor.trajectories": BATCHES}.items():
        for part in parts:
            bring_up_to_date(STEPS[table], StepRun.of(STEPS[table], part, resources))


def rows(resources: dict[str, Any], query: str) -> list[tuple[Any, ...]]:
    """What a query gives."""
    found: list[tuple[Any, ...]] = resources["warehouse"].read(query).rows()
    return found


if __name__ == "__main__":
    folder, url, *chosen = sys.argv[1:]
    make(resources_at(Path(folder), url, **dict(one.split("=", 1) for one in chosen)))

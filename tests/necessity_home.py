"""A warehouse with the planted documents; their items reach the ledger through a made-up system's form."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.language_model.opening import OneModel
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.items import FORMS, ItemForm, Kind
from aimsciqa_assets.judging.necessity import assets
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests import planted_items
from tests.fakes import WordEncoder
from tests.release_corpus import written

assert assets
MADE_UP = {"bridge": "bridge", "comparison": "comparison", "im": "similar", "cim": "citing"}


def declare(folder: Path, monkeypatch: Any, items: Sequence[str] | None = None) -> None:
    """Declare a system whose items are the planted ones, or those of `items`."""
    rows = [row for row in planted_items.rows() if items is None or row["item_id"] in items]
    folder.mkdir()
    selects = {
        "questions": [
            (row["item_id"], MADE_UP[row["variant"]], "dev", row["question"], row["answer"], "a model")
            for row in rows
        ],
        "documents": [
            (row["item_id"], place, one["role"], one["paper_id"], one["in_hand"], one["gold"])
            for row in rows
            for place, one in enumerate(row["documents"], start=1)
        ],
        "quotes": [
            (
                *(row["item_id"], place, one["role"], one["question"], one["answer"], "fact"),
                *(f"{_paper(row, one['role'])}-0", one["evidence"], 0, len(one["evidence"])),
            )
            for row in rows
            for place, one in enumerate(row["quotes"], start=1)
        ],
        "hops": [
            (row["item_id"], place, one["role"], one["question"], one["answer"], one["bridge"])
            for row in rows
            for place, one in enumerate(row["hops"] or [], start=1)
        ],
    }
    columns = {
        "questions": "item_id, variant, split, question, answer, model",
        "documents": "item_id, position, role, paper_id, in_hand, gold",
        "quotes": "item_id, position, role, question, answer, name, paragraph_id, evidence, evidence_start, "
        "evidence_end",
        "hops": "item_id, position, role, question, answer, bridge",
    }
    for part, values in selects.items():
        lines = ",\n".join(f"({', '.join(map(_literal, row))})" for row in values)
        if values:
            select = f"-- One row: it.\nselect * from (values\n{lines}\n) as given({columns[part]})\n"
            (folder / f"{part}.sql").write_text(select)
    kinds = tuple(Kind(name, name) for name in MADE_UP.values())
    monkeypatch.setitem(FORMS, "made_up", ItemForm("made_up", kinds=kinds, folder=folder))


def warehouse_at(home: Path, more: Sequence[str] = (), **tables: list[dict[str, Any]]) -> Warehouse:
    """The planted documents as papers, each with these paragraphs `more`.

    `tables` are rows of tables of the benchmark, by their short names.
    """
    warehouse = Warehouse(database=str(home / "warehouse.duckdb"))
    create_tables(warehouse)
    texts = planted_items.texts().values()
    rows: dict[str, list[dict[str, Any]]] = {
        "corpus.papers": [{"paper_id": one.paper_id, "title": one.title, "abstract": ""} for one in texts],
        "corpus.admitted_papers": [{"paper_id": one.paper_id} for one in texts],
        "corpus.sections": [{"section_id": one.paper_id, "paper_id": one.paper_id} for one in texts],
        "corpus.paragraphs": [
            {"paragraph_id": f"{one.paper_id}-{place}", "paper_id": one.paper_id}
            | {"section_id": one.paper_id, "position": place, "text": text}
            for one in texts
            for place, text in enumerate([*one.paragraphs, *more])
        ],
    } | {f"benchmark.{name}": given for name, given in tables.items()}
    warehouse.replace([written(table, of) for table, of in rows.items()])
    return warehouse


def made(home: Path, model: Any = None, **settings: str) -> Mapping[str, pl.DataFrame]:
    """The ledger of a home under these settings: its tables by their short names."""
    resources = _resources(home, model, settings)
    for table, parts in (
        ("quality.searches", [""]),
        ("quality.trials", resources["settings"].necessity.model_names),
        ("quality.necessity", [""]),
        ("quality.necessity_rates", [""]),
    ):
        for part in parts:
            bring_up_to_date(STEPS[table], StepRun.of(STEPS[table], part, resources))
    names = ("searches", "twins", "trials", "necessity", "difficulty", "necessity_rates")
    warehouse = resources["warehouse"]
    return {name: warehouse.read(f"select * from quality.{name} order by all") for name in names}


def computed(home: Path, table: str, **settings: str) -> pl.DataFrame:
    """What the step of a table that is written whole makes under these settings; no row changes."""
    run = StepRun.of(STEPS[table], "", _resources(home, None, settings))
    return STEPS[table].compute(run)[table]


def _resources(home: Path, model: Any, settings: Mapping[str, str]) -> Mapping[str, Any]:
    chosen = Settings.preset_of("demo", {f"AIMSCIQA_{name}": value for name, value in settings.items()})
    return build_resources(Home(home), chosen, language_models=OneModel(model), encoder=WordEncoder())


def verdicts(ledger: pl.DataFrame, item: str, model: str) -> dict[str, str]:
    """The verdicts on an item by test."""
    rows = ledger.filter((pl.col("item_id") == item) & (pl.col("model") == model))
    return dict(rows.select("test", "verdict").iter_rows())


def _paper(row: Mapping[str, Any], role: str) -> str:
    return next(one["paper_id"] for one in row["documents"] if one["role"] == role)


def _literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).lower()

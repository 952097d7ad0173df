"""Every query of `dbt_like_sql/`: it runs on empty tables, and says what it is."""

import pytest

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.parts import PARTS
from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.queries import Query, form_query, query_of, sql_folder
from aimsciqa_assets.tables import TABLES
from tests.unit.sql.querying import plotted, run

# Those of `verify/` ask the files of a release: tests/unit/release.
QUERIES = sorted(
    path for path in sql_folder().rglob("*.sql") if not {"verify", "slices", "items"} & {*path.parts[:-1]}
)

# The queries of `export/` are asked slice by slice.
EVERYTHING = {"first": "", "before": "~"}

NEEDED = {
    "audit.items": {"ids": ["none"]},
    "audit.single_hop": {"ids": ["none"]},
    "audit.subjects": {"kinds": ["im"]},
    "cli.items": dict.fromkeys(("gate", "paper", "reason", "split", "status", "text", "variant"))
    | {"most": 5},
    "cli.reply_tokens": {"model": "m", "task": "t"},
    "findings.comparison": {"measures": ["none"]},
    "findings.nearest_terms": {"vector": [1.0], "encoder": "e", "revision": "1"},
    "judging.rated": {"ids": ["none"]},
    "judging.texts": {"papers": ["none"]},
    "show": {"id": "none"},
    "shown": {"batch": "x"},
    "browse.articles": {"ids": ["none"]},
    "browse.index": {"most": 20},
    "review.subjects": {"ids": ["none"]},
    "vectors": {"level": "qa", "batches": ["x"]},
    "vectors.of_papers": {"papers": ["none"], "encoder": "e", "revision": "1"},
    "vectors.of_rows": {"rows": [0, 1]},
}


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_every_query_runs_on_empty_tables_and_says_what_it_is(connection, path):
    name = f"{path.parent.name}.{path.stem}"
    folder = path.parent.name
    needed = (
        NEEDED.get(folder, {})
        | NEEDED.get(name, {})
        | (EVERYTHING if "$first" in query_of(name).text else {})
    )
    rows = plotted(connection, name) if folder == "plots" else run(connection, name, **needed)
    assert query_of(name).comment
    if folder == "tests":
        assert rows.is_empty()
        assert query_of(name).table in TABLES
        assert len(query_of(name).advice) > 40
    elif folder == "plots":
        assert 2 <= len(rows.columns) <= 3
        assert "rows" in rows.columns[1:]
    elif folder == "stale":
        assert rows.columns == ["batch"]
    elif name in ("audit.items", "audit.single_hop"):
        assert rows.columns[:3] == ["subject_id", "question", "answer"]
    elif folder == "vectors":
        assert rows.columns[0] == "row"
    elif name in TABLES:
        as_declared(name, rows)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", FORMS)
def test_what_a_system_says_of_its_items_has_the_declared_columns(connection, form, part):
    query = form_query(FORMS[form], part)
    if query is None:
        assert part not in ("questions", "documents")
        return
    given = connection.sql(query.text).pl()
    assert set(given.columns) <= {column.name for column in PARTS[part].columns}
    assert {column.name for column in PARTS[part].columns if not column.null} <= set(given.columns)
    assert query.comment.startswith("One row:")
    asked = Query("a.b", f"-- One row: it.\nselect * from item_{part}\n")
    columns = ["form", *(column.name for column in PARTS[part].columns)]
    assert connection.sql(asked.text).pl().columns == columns

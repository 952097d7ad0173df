"""A home with three literal papers and two queries, and the answering benchmark over it."""

import dagster as dg
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.judging import assets as quality
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES
from tests.fakes import WordEncoder

DEFAULTS = {
    "VARCHAR": "x",
    "VARCHAR[]": [],
    "DOUBLE[]": [],
    "INTEGER": 0,
    "BIGINT": 0,
    "DOUBLE": 0.5,
    "BOOLEAN": False,
}
PAPERS = {
    "S": (
        "Zinc of wheat",
        ["Grain zinc fell by 3 mg.", "Iron rose in rice [1].", "Copper stayed in oat [2]."],
    ),
    "T": ("Iron of rice", ["Grain iron rose by 5 mg.", "Pots held ten litres."]),
    "D": ("Lead of barley", ["Leaf lead was not measured."]),
}
QUERIES = [
    {
        "item_id": item_id,
        "variant": variant,
        "source_paper_id": "S",
        "target_paper_id": "T",
        "query": "Which paper reports that iron rose in rice?",
        "question": f"By how many mg did grain iron rise, and by how many mg did grain zinc fall? ({n})",
        "answer": "Grain iron rose by 5 mg. Grain zinc fell by 3 mg.",
        "cluster": ["D", "T"],
        "random_cluster": ["D", "T"],
    }
    for n, (item_id, variant) in enumerate([("i1", "im"), ("i2", "cim")])
]

READ = {"source_paper": "S", "second_paper": "T"}


def rows_of_the_corpus():
    yield "corpus.papers", [{"paper_id": paper, "title": title} for paper, (title, _) in PAPERS.items()]
    yield "corpus.sections", [{"section_id": f"{paper}s", "paper_id": paper} for paper in PAPERS]
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
            for paper, (_, texts) in PAPERS.items()
            for n, text in enumerate(texts)
        ],
    )
    yield (
        "corpus.citation_mentions",
        [
            {
                "mention_id": f"m{n}",
                "paper_id": "S",
                "paragraph_id": f"S{n}",
                "sentence": PAPERS["S"][1][n],
                "markers": [f"[{n}]"],
                "reference_ids": [f"r{n}"],
                "is_single": True,
            }
            for n in (1, 2)
        ],
    )
    yield (
        "corpus.references",
        [{"reference_id": f"r{n}", "paper_id": "S", "position": n, "label": f"[{n}]"} for n in (1, 2)],
    )
    yield (
        "corpus.citation_edges",
        [{"citing_paper_id": "S", "cited_paper_id": "T", "reference_ids": ["r1"], "method": "doi"}],
    )
    yield (
        "multi_hop.items",
        [
            {name: query[name] for name in ("item_id", "variant", "source_paper_id", "target_paper_id")}
            for query in QUERIES
        ],
    )
    yield "benchmark.queries", QUERIES
    yield (
        "benchmark.rankings",
        [
            {
                "retriever": retriever,
                "item_id": item_id,
                "setting": "cluster",
                "rank": papers.index("T") + 1,
                "papers": papers,
                "scores": [2.0, 1.0],
            }
            for retriever in ("bm25", "other")
            for item_id, papers in (("i1", ["D", "T"]), ("i2", ["T", "D"]))
        ],
    )


def resources_at(folder, *, model=None, **settings):
    environment = {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    overrides = {"language_models": OneModel(model)} if model else {}
    resources = build_resources(
        Home(folder), Settings.preset_of("demo", environment), encoder=WordEncoder(), **overrides
    )
    create_tables(resources["warehouse"])
    if resources["warehouse"].read("from corpus.papers").is_empty():
        with resources["warehouse"].get_connection() as connection:
            for table, rows in rows_of_the_corpus():
                connection.register("incoming", frame_of(table, map(full_row(table), rows)).to_arrow())
                connection.execute(f"insert into {table} by name from incoming")
                connection.unregister("incoming")
    return resources


def full_row(table):
    def default(column):
        return None if column.null else column.values[0] if column.values else DEFAULTS[column.type]

    return lambda row: {
        column.name: row.get(column.name, default(column)) for column in TABLES[table].columns
    }


def benchmark(resources, answerer):
    """Run the benchmark for an answerer, and what is made of all answerers."""
    instance = dg.DagsterInstance.ephemeral()
    instance.add_dynamic_partitions("answerer", [answerer])
    for assets, part in (
        ([answering.answers, answering.judgements], answerer),
        ([answering.answering_scores, quality.gates], None),
    ):
        assert dg.materialize(assets, resources=resources, instance=instance, partition_key=part).success


def rows(resources, query):
    return resources["warehouse"].read(query).rows()


def scores(resources, measure, judge=""):
    found = rows(
        resources,
        f"select variant, setting, value from benchmark.answering_scores where measure = '{measure}' "
        f"and judge = '{judge}'",
    )
    return {(variant, setting): value for variant, setting, value in found}

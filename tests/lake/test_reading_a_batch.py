"""A step of one batch fetches what it needs from a lake: no files of other batches, no other columns."""

import re
from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
import polars as pl
import pytest
from aimsciqa_resources.warehouse import VectorLengthError, Warehouse, Write

from aimsciqa_assets.aim_sciqa.single_hop.assets import _alignments_of
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.kept_rows import in_memory
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import declared_as
from aimsciqa_assets.tables import TABLES
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import write_corpus
from tests.lake.fetching import fetched_from
from tests.lake.servers import new_database
from tests.s3_server import access_to
from tests.two_batches import pipeline_at

pytestmark = pytest.mark.slow
FIRST, SECOND, THIRD = (f"batch-{number:04d}" for number in (1, 2, 3))
EMBEDDINGS, PAIRS = "relations.embeddings", "single_hop.qa_pairs"
SETTINGS = AIM_SCIQA | {
    "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "3",
    "AIMSCIQA_SINGLE_HOP_ALIGNMENT_SCOPE": "corpus",
    "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "4",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Pipeline:
    """A home with three batches in a file; papers of the third share no keyword with others."""
    folder = tmp_path_factory.mktemp("made")
    write_corpus(folder / "papers", 9)
    for paper in sorted((folder / "papers").iterdir())[6:]:
        keywords = "<kwd-group><kwd>copper</kwd></kwd-group>"
        paper.write_text(re.sub("<kwd-group>.*</kwd-group>", keywords, paper.read_text()))
    pipeline = pipeline_at(folder / "home", environment=SETTINGS)
    pipeline.ingest(folder / "papers")
    assert pipeline.run(evaluate=False) == []
    return pipeline


@pytest.fixture(scope="module")
def lake(made, postgres, s3, tmp_path_factory) -> Iterator[Warehouse]:
    """The same tables on S3."""
    folder = tmp_path_factory.mktemp("lake")
    with new_database(postgres, "read") as catalogue, pytest.MonkeyPatch.context() as patched:
        for name, value in access_to(s3[0]).items():
            patched.setenv(name, value)
        filled = Warehouse(f"ducklake:postgres:{catalogue}", "s3://rows/read", str(folder))
        assert list(made.warehouse.copy_to(filled, declared_as))
        yield filled


def run_of(made: Pipeline, lake: Warehouse, table: str) -> StepRun:
    other = pipeline_at(made.home.folder, environment=SETTINGS)
    return StepRun.of(STEPS[table], FIRST, other.resources | {"warehouse": lake})


def computed(made: Pipeline, lake: Warehouse, table: str) -> dict[str, pl.DataFrame]:
    rows = STEPS[table].compute(run_of(made, lake, table))
    return {name: in_memory(frame).sort(TABLES[name].key) for name, frame in rows.items()}


@pytest.mark.parametrize(
    ("table", "level"),
    [
        ("relations.section_pairs", "question"),
        ("relations.candidate_relations", ""),
        ("relations.retrieval_questions", "qa"),
        ("multi_hop.items", ""),
    ],
)
def test_vectors_and_texts_of_batches_that_a_step_does_not_need_stay_unread(made, lake, table, level):
    with fetched_from(lake) as fetched:
        on_the_lake = computed(made, lake, table)
    on_the_file = computed(made, made.warehouse, table)
    assert all(rows.equals(on_the_file[name]) for name, rows in on_the_lake.items())
    assert not all(rows.is_empty() for rows in on_the_lake.values())
    needed = {f"batch={batch}/level={level}" for batch in (FIRST, SECOND)}
    vectors = {piece.partition for piece in fetched if piece.table == EMBEDDINGS}
    assert vectors == (needed if level else set())
    texts = {
        piece.partition for piece in fetched if piece.table in ("corpus.paragraphs", "corpus.references")
    }
    assert texts <= {f"batch={FIRST}"}


def test_a_batch_that_is_made_for_the_first_time_asks_for_its_records_alone(made, lake):
    step = STEPS["relations.section_pairs"]
    with fetched_from(lake) as fetched:
        ledger = Ledger.read(lake, [step], made.settings, part="batch-9999")
    assert ledger.stale == {}
    assert {piece.table for piece in fetched} == {"ops.materializations", "ops.schema_versions"}


def test_whether_a_batch_is_stale_is_asked_of_its_own_rows(made, lake):
    step = STEPS["relations.section_pairs"]
    with fetched_from(lake) as fetched:
        ledger = Ledger.read(lake, [step], made.settings, part=FIRST)
    assert ledger.stale == {"section_pairs": frozenset()}
    own = {piece.partition for piece in fetched if piece.table == "relations.section_pairs"}
    assert own == {f"batch={FIRST}"}


def test_alignments_of_other_batches_come_without_their_ids(made, on_s3):
    of_batch = 20_000
    alignments = np.random.default_rng(1).random(2 * of_batch)
    ids = [blake2b(str(number).encode(), digest_size=16).hexdigest() for number in range(2 * of_batch)]
    rows = pl.DataFrame(
        {
            "qa_id": ids,
            "batch": [SECOND] * of_batch + [THIRD] * of_batch,
            "question_answer_similarity": 0.5,
            "question_evidence_similarity": 0.5,
            "alignment": alignments,
            "encoder": "e",
            "encoder_revision": "1",
        }
    )
    table = TABLES["single_hop.similarities"]
    on_s3.replace([Write(table.name, table.ddl(), rows, {})])
    run = run_of(made, on_s3, PAIRS)
    with fetched_from(on_s3) as fetched:
        others = _alignments_of(run, pl.Series([SECOND]))
    assert sorted(others.differences) == sorted(alignments[:of_batch])
    assert list(others.ids_at(alignments[7])) == [ids[7]]
    assert {piece.partition for piece in fetched} == {f"batch={SECOND}"}
    assert 8 * of_batch < sum(piece.bytes for piece in fetched) < 9 * of_batch


def test_vectors_are_published_without_a_look_at_those_that_are_there(on_s3):
    def write(batch: str, length: int) -> Write:
        rows = pl.DataFrame(
            {"batch": [batch], "vector": np.ones((1, length), np.float32)},
            schema_overrides={"vector": pl.Array(pl.Float32, length)},
        )
        ddl = f"create table if not exists s.v (batch varchar not null, vector float[{length}] not null)"
        return Write("s.v", ddl, rows, {"batch": batch})

    on_s3.replace([write("a", 3)])
    with fetched_from(on_s3) as fetched:
        on_s3.replace([write("b", 3)])
        with pytest.raises(VectorLengthError, match=r"FLOAT\[3\] vectors, the encoder gives 4"):
            on_s3.replace([write("c", 4)])
    assert fetched == []
    assert on_s3.read("select batch from s.v order by batch")["batch"].to_list() == ["a", "b"]

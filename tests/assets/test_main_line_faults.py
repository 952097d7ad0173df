"""The main line with wrong replies, broken files, failing batches and damaged tables."""

import dagster as dg
import pytest

from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.settings import SettingsError
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, content, count, pipeline_at

pytestmark = pytest.mark.slow


def test_what_a_model_says_wrong_is_kept_with_its_reason(tmp_path, corpus):
    def spoil(request, text):
        if request.task == "multi_hop":
            return {"0": "Cannot generate inter-document multi-hop question.", "1": "<outputs>"}.get(
                request.key[0],
                text.replace('Fluency">Accept', 'Fluency">Reject') if request.key[0] == "2" else text,
            )
        paragraph = request.variables["paragraph"]
        if paragraph.startswith("Zinc"):
            return None if "cohort 1." in paragraph else "I found nothing to ask."
        return text.replace('"evidence": "The mean', '"evidence": "The  mean')

    pipeline = pipeline_at(tmp_path / "home", model=SentenceModel(spoil))
    pipeline.ingest(corpus)
    assert run_some(pipeline, "multi_hop.items", alone=("ops.rejections",)) == []
    reasons = dict(
        pipeline.warehouse.read(
            "select table_name || ' ' || rejection_reason, rows from ops.rejections"
        ).rows()
    )
    assert reasons["single_hop.extractions malformed_reply"] == 11
    assert reasons["single_hop.extractions refused_by_server"] == 1
    assert reasons["single_hop.qa_pairs evidence_not_found"] == 12
    assert count(pipeline, "single_hop.qa_pairs", "evidence_start is null and normalised_match") == 12
    assert count(pipeline, "single_hop.extractions", "reply = 'I found nothing to ask.'") == 11
    fates = dict(pipeline.warehouse.read("select status, count(*) from multi_hop.items group by 1").rows())
    assert set(fates) == {"accepted", "pre_rejected", "rejected", "invalid"}


def test_a_failed_batch_does_not_hold_up_the_others(tmp_path, corpus, finished):
    class Broken(SentenceModel):
        def replies(self, requests):
            requests = list(requests)
            if any("cohort 3 " in request.variables.get("paragraph", "") for request in requests):
                raise ConnectionError("the model server is away")
            return super().replies(requests)

    pipeline = pipeline_at(tmp_path / "home", model=Broken())
    pipeline.ingest(corpus)
    failures = pipeline.run(evaluate=False)
    assert [(failure.step, failure.part) for failure in failures] == [
        ("single_hop.extractions", "batch-0001")
    ]
    assert "the model server is away" in failures[0].message
    assert count(pipeline, "single_hop.qa_pairs", "batch = 'batch-0002' and status = 'kept'") > 0
    mended = pipeline_at(tmp_path / "home")
    assert mended.run(evaluate=False) == []
    assert content(mended) == content(pipeline_at(finished))


ALONE = {name: value for name, value in CLUSTER.items() if name != "AIMSCIQA_CORPUS_PAPERS_PER_BATCH"}


def test_what_failed_for_a_batch_alone_is_told_once_and_the_next_run_goes_on(tmp_path, corpus):
    class Broken(WordEncoder):
        def encode(self, texts, advance=lambda _texts: None):
            raise OSError("the disk is full")

    pipeline = pipeline_at(tmp_path / "home", encoder=Broken(), environment=ALONE)
    pipeline.ingest(corpus)
    (failure,) = pipeline.run(evaluate=False)
    assert (failure.step, failure.part) == ("single_hop.similarities", "batch-0001")
    assert "the disk is full" in failure.message
    assert count(pipeline, "corpus.source_papers") == 12
    mended = pipeline_at(tmp_path / "home", environment=ALONE)
    assert run_some(mended, "multi_hop.items") == []
    assert count(mended, "multi_hop.items", "status = 'accepted'") > 0


def test_a_run_that_reproduces_the_paper_wants_its_models_before_anything_is_made(tmp_path, corpus):
    environment = CLUSTER | {"AIMSCIQA_REPRODUCTION_NAMED_MODELS": "required"}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    assert pipeline.ingest(corpus).new_files == 12
    with pytest.raises(SettingsError, match="take the preset aim-sciqa"):
        pipeline.run()
    with pytest.raises(SettingsError, match="take the preset aim-sciqa"):
        dg.materialize(
            [single_hop.extractions],
            partition_key="batch-0001",
            resources=pipeline.resources,
            instance=pipeline.instance,
        )
    assert count(pipeline, "single_hop.extractions") == 0


def test_broken_files_are_rejected_by_name_and_reason_and_a_pdf_becomes_a_paper(tmp_path):
    import pymupdf

    corpus = tmp_path / "papers"
    write_corpus(corpus, 1)
    (corpus / "empty.xml").write_bytes(b"")
    (corpus / "page.xml").write_text("<html><body>Not found</body></html>")
    (corpus / "copy.xml").write_bytes((corpus / "paper-001.xml").read_bytes() + b"\n")
    (corpus / "notes.txt").write_text("ignored")
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 80), "Iron in hospital meals of three wards", fontsize=20)
        page.insert_text((72, 120), "Abstract", fontsize=14)
        text = "Meals of the three wards had a mean iron content of 6 mg. Zinc content was not measured. "
        page.insert_textbox(pymupdf.Rect(72, 130, 520, 220), text * 3, fontsize=10)
        page.insert_text((72, 250), "Results", fontsize=14)
        page.insert_textbox(pymupdf.Rect(72, 260, 520, 400), text * 4, fontsize=10)
        document.save(corpus / "meals.pdf")
    (corpus / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    pipeline = pipeline_at(tmp_path / "home")
    assert pipeline.ingest(corpus).new_files == 6
    assert run_some(pipeline, "multi_hop.items") == []
    papers = pipeline.warehouse.read("select source, title from corpus.papers where source = 'pdf'")
    assert papers.rows() == [("pdf", "Iron in hospital meals of three wards")]
    rejected = pipeline.warehouse.read("select file_name, rejection_reason from corpus.rejected_files")
    assert sorted(rejected.rows()) == [
        ("broken.pdf", "damaged_pdf"),
        ("empty.xml", "empty_file"),
        ("page.xml", "html"),
        ("paper-001.xml", "duplicate_paper"),
    ]


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("insert into relations.clusters select * from relations.clusters limit 1", "schema_and_key"),
        ("update single_hop.qa_pairs set evidence = 'made up' where status = 'kept'", "is_an_exact_quote"),
        ("update relations.clusters set paper_id = source_paper_id where role = 'target'", "its_own_cluster"),
    ],
)
def test_the_checks_find_damage(tmp_path, finished, damage, check):
    copy_of(finished, tmp_path / "home")
    pipeline = pipeline_at(tmp_path / "home")
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(damage)
    messages = [failure.message for failure in pipeline.run(evaluate=False)]
    assert any(check in message for message in messages)

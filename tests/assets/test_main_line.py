"""The assets of the main line on a small corpus, with a model and an encoder of the tests' own."""

import shutil

import dagster as dg
import pytest

from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.cli.phases import PHASES, plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_definitions
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.settings import SettingsError
from tests.fakes import SentenceModel, WordEncoder, write_corpus, write_id_map
from tests.plain_refinement import UNREFINED
from tests.small_home import copy_of
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow


def content(pipeline: Pipeline) -> dict[str, list[tuple]]:
    """All rows of all tables, but the records of who looked at what."""
    tables = pipeline.warehouse.read(
        "select schema_name || '.' || table_name as name from duckdb_tables() order by 1"
    )["name"].to_list()
    return {
        table: pipeline.warehouse.read(f"select * from {table} order by all").rows()
        for table in tables
        if table != "ops.materializations"
    }


def count(pipeline: Pipeline, table: str, where: str = "true") -> int:
    return pipeline.warehouse.read(f"select count(*) as n from {table} where {where}")["n"][0]


@pytest.fixture
def corpus(tmp_path):
    write_corpus(tmp_path / "papers", 12)
    return tmp_path / "papers"


def test_the_phases_cover_every_asset_once():
    written = [table for phase in PHASES for step in phase.steps for table in step.writes]
    in_phases = [dg.AssetKey(table.split(".")) for table in written]
    graph = build_definitions().resolve_asset_graph()
    ingested = {dg.AssetKey(["corpus", name]) for name in ("input_files", "pmc_articles")}
    assert len(in_phases) == len(set(in_phases))
    assert set(in_phases) == graph.materializable_asset_keys - ingested


def test_the_id_map_comes_from_outside_and_leads_to_the_source_papers():
    graph = build_definitions().resolve_asset_graph()
    pmc_ids = dg.AssetKey(["corpus", "pmc_ids"])
    by_people = {dg.AssetKey(["benchmark", name]) for name in ("audit_ratings", "reviews")}
    by_others = {dg.AssetKey(["baseline_sets", name]) for name in ("records", "supports", "contexts", "hops")}
    by_others |= {dg.AssetKey(["airqa", name]) for name in ("examples", "rejected_examples")}
    assert graph.external_asset_keys == {pmc_ids, *by_people, *by_others}
    assert pmc_ids in graph.get(dg.AssetKey(["corpus", "source_papers"])).parent_keys


def test_the_definitions_load_as_the_server_loads_them():
    dg.Definitions.validate_loadable(build_definitions())


def test_the_main_line(tmp_path, evaluated):
    home = copy_of(evaluated, tmp_path / "home")
    pipeline = pipeline_at(home)
    assert count(pipeline, "corpus.input_files") == count(pipeline, "corpus.papers") == 12
    assert count(pipeline, "corpus.citation_edges") == 30
    assert count(pipeline, "corpus.source_papers", "eligible") == 11
    assert count(pipeline, "single_hop.qa_pairs", "status = 'rejected'") > 0
    assert count(pipeline, "relations.clusters", "variant = 'im'") == 5 * count(
        pipeline, "relations.candidate_relations", "variant = 'im'"
    )
    assert count(pipeline, "multi_hop.items", "status = 'accepted' and variant = 'im'") == 28
    assert count(pipeline, "multi_hop.items", "status = 'accepted' and variant = 'cim'") > 10
    assert count(pipeline, "multi_hop.splits") == count(pipeline, "multi_hop.items", "status = 'accepted'")
    assert count(pipeline, "benchmark.retrieval_scores") > 0
    assert (home / "inspect.duckdb").exists()
    assert list((home / "unfinished").iterdir()) == []


def test_a_second_run_asks_and_encodes_nothing_and_changes_nothing(tmp_path, corpus, evaluated):
    first = pipeline_at(copy_of(evaluated, tmp_path / "home"))
    before = content(first)
    model, encoder = SentenceModel(), WordEncoder()
    second = pipeline_at(tmp_path / "home", model=model, encoder=encoder)
    assert second.ingest(corpus).new_files == 0
    assert second.run() == []
    assert model.asked == []
    assert encoder.encoded == 0
    assert content(second) == before


def test_new_papers_leave_finished_batches_alone_until_they_are_refreshed(tmp_path, finished):
    copy_of(finished, tmp_path / "home")
    pipeline = pipeline_at(tmp_path / "home")
    before = pipeline.warehouse.read("select * from multi_hop.items order by all")
    write_corpus(tmp_path / "more", 6, first=13)
    pipeline.ingest(tmp_path / "more")
    assert pipeline.run(evaluate=False) == []
    old = pipeline.warehouse.read("select * from multi_hop.items where batch <= 'batch-0002' order by all")
    assert old.equals(before)
    assert count(pipeline, "multi_hop.items", "batch = 'batch-0003'") > 0
    new_targets = "batch = 'batch-0001' and target_paper_id in ('doi:10.5555/test.13', 'doi:10.5555/test.16')"
    assert count(pipeline, "relations.section_pairs", new_targets) == 0
    of_new = "select * from multi_hop.items where batch = 'batch-0003' order by all"
    paid = pipeline.warehouse.read(of_new)
    assert pipeline_at(tmp_path / "home", refresh=True).run(evaluate=False) == []
    assert count(pipeline, "relations.section_pairs", new_targets) > 0
    assert count(pipeline, "relations.mirrors", new_targets.replace("batch = 'batch-0001' and ", "")) > 0
    assert pipeline.warehouse.read(of_new).equals(paid), (
        "what finds them now is the mirror of what they found"
    )


def test_no_model_is_asked_about_a_mirror_and_all_others_give_an_item(tmp_path, finished):
    core_pairs = """select count(*) as items, count(distinct (
        variant, least(core_source_qa_id, core_target_qa_id), greatest(core_source_qa_id, core_target_qa_id)
    )) as facts from multi_hop.items"""
    copy_of(finished, tmp_path / "home")
    pipeline = pipeline_at(tmp_path / "home")
    relations, mirrors = (
        count(pipeline, "relations.candidate_relations"),
        count(pipeline, "relations.mirrors"),
    )
    ((items, facts),) = pipeline.warehouse.read(core_pairs).rows()
    assert items == facts == relations - mirrors
    assert mirrors > 0
    assert count(pipeline, "ops.rejections", f"rejection_reason = 'mirror' and rows = {mirrors}") == 1
    both = pipeline_at(
        tmp_path / "home",
        model=(model := SentenceModel()),
        environment=CLUSTER | {"AIMSCIQA_RELATIONS_MIRRORS": "both"},
    )
    assert both.run(evaluate=False) == []
    assert both.warehouse.read(core_pairs).rows() == [(relations, facts)]
    assert {request.task for request in model.asked} == {"multi_hop"}


def test_the_order_of_batches_does_not_matter(tmp_path, corpus, finished):
    ahead = pipeline_at(finished)
    behind = pipeline_at(tmp_path / "behind")
    behind.ingest(corpus)
    behind.run(["batch-0002"], evaluate=False)
    behind.run(["batch-0001"], evaluate=False)
    assert count(behind, "multi_hop.items", "batch = 'batch-0002'") > 0
    behind.run(evaluate=False)
    assert content(behind) == content(ahead)


def test_the_lowest_tenth_over_the_corpus_does_not_depend_on_the_order_either(tmp_path, corpus):
    environment = CLUSTER | {"AIMSCIQA_SINGLE_HOP_ALIGNMENT_SCOPE": "corpus"}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    pipeline.ingest(corpus)
    pipeline.run(evaluate=False)
    measured = count(pipeline, "single_hop.similarities")
    low = "rejection_reason = 'low_alignment'"
    assert count(pipeline, "single_hop.qa_pairs", low) == measured // 10
    before = pipeline.warehouse.read("select * from single_hop.qa_pairs order by all")

    write_corpus(tmp_path / "more", 5, first=13)
    pipeline.ingest(tmp_path / "more")
    pipeline.run(evaluate=False)
    assert (more := count(pipeline, "single_hop.similarities")) % 10 > measured % 10 > 0
    assert count(pipeline, "single_hop.qa_pairs", low) == more // 10
    after = pipeline.warehouse.read(
        "select * from single_hop.qa_pairs where batch < 'batch-0003' order by all"
    )
    assert after.equals(before)


def test_a_changed_setting_redoes_what_depends_on_it_and_no_more(tmp_path, finished):
    copy_of(finished, tmp_path / "home")
    model, encoder = SentenceModel(), WordEncoder()
    strict = CLUSTER | {"AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1"}
    second = pipeline_at(tmp_path / "home", model=model, encoder=encoder, environment=strict)
    assert second.run(evaluate=False) == []
    assert encoder.encoded == 0
    assert {request.task for request in model.asked} == {"multi_hop"}
    assert count(second, "relations.candidate_relations", "variant = 'im'") == 11
    by_subject = CLUSTER | {"AIMSCIQA_RELATIONS_KEYWORD_ORIGINS": "subject"}
    third = pipeline_at(tmp_path / "home", environment=by_subject)
    assert third.run(evaluate=False) == []
    assert count(third, "relations.candidate_relations", "variant = 'im'") == 0, (
        "all keywords are the authors'"
    )


def why(pipeline: Pipeline, table: str, part: str = "") -> tuple[str, tuple[str, ...]]:
    verdict = plan_of_a_run(pipeline.resources).of(STEPS[table], part)
    return verdict.state, verdict.why


def test_what_a_run_would_make_is_told_with_the_reason(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "home")
    assert why(pipeline_at(tmp_path / "home"), "multi_hop.items", "batch-0002") == ("current", ())
    strict = CLUSTER | {"AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1"}
    pipeline = pipeline_at(tmp_path / "home", environment=strict)
    changed = "setting relations.relations_per_source was 3, is 1"
    assert why(pipeline, "relations.section_pairs", "batch-0001") == ("due", (changed,))
    assert why(pipeline, "relations.candidate_relations", "batch-0001") == (
        "waits",
        ("waits for relations.section_pairs", changed),
    )
    assert why(pipeline, "multi_hop.splits") == ("waits", ("waits for multi_hop.items",))
    assert why(pipeline, "single_hop.qa_pairs", "batch-0001") == ("current", ())
    assert why(pipeline, "benchmark.evidence_coverage") == ("due", ("it was never made",))

    write_corpus(tmp_path / "more", 6, first=13)
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(tmp_path / "more")
    assert why(pipeline, "corpus.papers", "batch-0003") == ("due", ("it was never made",))
    assert why(pipeline, "corpus.citation_edges") == (
        "waits",
        ("waits for corpus.papers, corpus.references",),
    )
    assert why(pipeline, "relations.section_pairs", "batch-0001") == ("current", ())
    assert pipeline.run(["batch-0003"], evaluate=False) == []
    refreshed = pipeline_at(tmp_path / "home", refresh=True)
    assert why(refreshed, "relations.section_pairs", "batch-0001") == ("due", ("batch-0003 is new",))


def test_a_step_that_failed_says_so_until_it_succeeds(tmp_path, finished):
    class Broken(SentenceModel):
        revision = "2"

        def replies(self, requests):
            raise OSError("the disk is full")

    shutil.copytree(finished, tmp_path / "home")
    broken = pipeline_at(tmp_path / "home", model=Broken())
    assert {failure.part for failure in broken.run(evaluate=False)} == {"batch-0001", "batch-0002"}
    changed = "revision of model sentences was 1, is 2"
    assert why(broken, "single_hop.extractions", "batch-0001") == (
        "failed",
        ("OSError: the disk is full", changed),
    )
    held_up = ("waits", ("waits for single_hop.extractions, which failed",))
    assert why(broken, "single_hop.triplets", "batch-0001") == held_up
    assert why(pipeline_at(tmp_path / "home"), "single_hop.extractions", "batch-0001") == ("current", ())


def test_a_home_of_an_earlier_version_is_taken_over_and_nothing_is_made_again(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "home")
    model, encoder = SentenceModel(), WordEncoder()
    pipeline = pipeline_at(tmp_path / "home", model=model, encoder=encoder)
    before = content(pipeline)
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("alter table ops.materializations drop column determinants")
        connection.execute("alter table ops.materializations rename column part to batch")
        connection.execute("alter table ops.llm_calls rename column part to batch")
        connection.execute("drop table ops.failures")
    assert pipeline.run(evaluate=False) == []
    assert (model.asked, encoder.encoded) == ([], 0)
    assert content(pipeline) == before
    refreshed = pipeline_at(tmp_path / "home", environment=CLUSTER | {"AIMSCIQA_RELATIONS_TAU": "0.4"})
    assert why(refreshed, "relations.section_pairs", "batch-0001") == (
        "due",
        ("something changed since an earlier version of this program made its rows",),
    )


def test_a_loaded_id_map_redoes_the_source_papers_where_it_counts(tmp_path, corpus):
    def citations(pipeline: Pipeline) -> int:
        return pipeline.warehouse.read("select sum(accessible_citations) as n from corpus.source_papers")[
            "n"
        ][0]

    def fingerprint(pipeline: Pipeline) -> str:
        query = "select fingerprint from ops.materializations where table_name = 'corpus.source_papers'"
        return pipeline.warehouse.read(query)["fingerprint"][0]

    # The first paper of the corpus cites one that is not in it.
    first = corpus / "paper-001.xml"
    entry = '<ref id="x"><element-citation><pub-id pub-id-type="pmid">77</pub-id></element-citation></ref>'
    first.write_text(first.read_text().replace("</ref-list>", f"{entry}</ref-list>"))
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(corpus)
    pipeline.run(evaluate=False)
    before = fingerprint(pipeline)
    write_id_map(tmp_path / "ids.csv.gz", "PMC1,77,")
    assert pipeline.load_ids(tmp_path / "ids.csv.gz").articles == 1
    assert pipeline.run(evaluate=False) == []
    assert (citations(pipeline), fingerprint(pipeline)) == (30, before)

    in_pmc = pipeline_at(tmp_path / "home", environment=CLUSTER | {"AIMSCIQA_SELECTION_SCOPE": "pmc"})
    assert in_pmc.run(evaluate=False) == []
    assert citations(in_pmc) == 31
    write_id_map(tmp_path / "ids.csv.gz", "PMC2,78,")
    in_pmc.load_ids(tmp_path / "ids.csv.gz")
    assert in_pmc.run(evaluate=False) == []
    assert citations(in_pmc) == 30
    event = in_pmc.instance.get_latest_materialization_event(dg.AssetKey(["corpus", "pmc_ids"]))
    assert event.asset_materialization.metadata["dagster/row_count"].value == 1


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
    assert pipeline.run(evaluate=False) == []
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
    assert mended.run(evaluate=False) == []
    assert count(mended, "multi_hop.items", "status = 'accepted'") > 0


def test_a_small_corpus_gives_small_clusters(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(tmp_path / "home", environment=UNREFINED)
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run(evaluate=False) == []
    sizes = "select distinct cluster_size from relations.clusters where variant = 'im'"
    assert pipeline.warehouse.read(sizes).rows() == [(2,)]
    assert count(pipeline, "multi_hop.items", "status = 'accepted'") > 0


def test_one_paper_alone_has_no_relations_and_no_failure(tmp_path):
    write_corpus(tmp_path / "papers", 1)
    pipeline = pipeline_at(tmp_path / "home", environment={})
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run() == []
    assert count(pipeline, "single_hop.qa_pairs", "status = 'kept'") > 0
    assert count(pipeline, "multi_hop.items") == 0


def test_a_run_that_reproduces_the_paper_wants_its_models_before_anything_is_made(tmp_path, corpus):
    environment = CLUSTER | {"AIMSCIQA_REPRODUCTION_NAMED_MODELS": "required"}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    assert pipeline.ingest(corpus).new_files == 12
    with pytest.raises(SettingsError, match="take the preset paper-local"):
        pipeline.run()
    with pytest.raises(SettingsError, match="take the preset paper-local"):
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
    assert pipeline.run(evaluate=False) == []
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

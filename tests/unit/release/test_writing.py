"""What stands in a release folder, and that it is replaced whole or not at all."""

import csv
import hashlib
import json
import threading

import pyarrow.parquet as pq
import pytest

from aimsciqa_assets.platform.folders import in_place_of
from aimsciqa_assets.release.exporting import ReleaseError
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.provenance import public
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.release.writing import is_as_written, write_release
from aimsciqa_assets.settings import Settings
from tests.release_corpus import Corpus, item, pair, sentence

pytestmark = pytest.mark.slow


def json_lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def bytes_of(folder) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_item_has_all_its_parts(release):
    (found,) = json_lines(release / "data/multi_hop/test.jsonl")
    assert found == pq.read_table(release / "data/multi_hop/test.parquet").to_pylist()[0]
    assert found["question"] == "merged_question of 2"
    assert found["find_target_paper"] == {
        "question": "retrieval_question of 2",
        "answer": "retrieval_answer of 2",
    }
    assert found["source"]["core_qa"] == {
        "qa_id": pair(3, 0, 2),
        "section": "Results",
        "section_kind": found["source"]["core_qa"]["section_kind"],
        "question": "What did paper 3 give?",
        "answer": "02 mg",
        "evidence": sentence(3, 0, 2),
        "paragraph_id": "t3-0",
        "evidence_start": 78,
        "evidence_end": 116,
    }
    assert (found["target"]["paper_id"], found["target"]["retrieval_qa"]["qa_id"]) == ("P4", pair(4, 2, 2))
    assert found["cluster"] == ["P10", "P4", "P8"]
    assert found["citations"] == []
    assert found["gates"]["closed_book"] is None
    assert [row["item_id"] for row in json_lines(release / "data/multi_hop/dev.jsonl")] == ["i1", "i3"]


def test_a_citation_guided_item_has_its_citing_sentence(release):
    citations = json_lines(release / "data/multi_hop/dev.jsonl")[1]["citations"]
    assert citations == [
        {
            "paragraph_id": "t5-3",
            "sentence": sentence(5, 3, 0),
            "sentence_start": 0,
            "sentence_end": 38,
            "markers": ["[1]"],
        }
    ]


def test_text_is_of_papers_that_allow_it_and_others_are_named_only(release):
    papers = pq.read_table(release / "data/papers/papers.parquet").to_pylist()
    assert {row["paper_id"]: row["abstract"] for row in papers if not row["has_text"]} == {"P10": None}
    assert len(papers) == 9
    documents = {row["_id"]: row for row in json_lines(release / "beir/corpus.jsonl")}
    assert (documents["P10"]["title"], documents["P10"]["text"]) == ("Paper 10", "")
    paragraphs = pq.read_table(release / "data/papers/paragraphs.parquet")["paper_id"].to_pylist()
    assert set(paragraphs) == {f"P{n}" for n in range(1, 9)}
    with (release / "ATTRIBUTION.csv").open() as file:
        attributed = {row["paper_id"]: row["licence"] for row in csv.DictReader(file)}
    assert attributed == {f"P{n}": "CC BY" for n in range(1, 8)} | {"P8": "CC0"}


def test_single_hop_pairs_that_a_test_item_rests_on_are_in_test(release):
    test = pq.read_table(release / "data/single_hop/test.parquet")["qa_id"].to_pylist()
    assert sorted(test) == [pair(3, 0, 2), pair(4, 1, 2), pair(4, 2, 2)]
    assert pq.read_metadata(release / "data/single_hop/dev.parquet").num_rows == 8 * 12 - 3


def test_squad_says_where_an_answer_stands_and_where_the_evidence(release):
    squad = json.loads((release / "squad/test.json").read_text())
    (paragraph,) = squad["data"][0]["paragraphs"]
    (question,) = paragraph["qas"]
    assert question["answers"] == [{"text": "merged_answer of 2", "answer_start": -1}]
    spans = [paragraph["context"][span["start"] :][: len(span["text"])] for span in question["evidence"]]
    assert spans == [sentence(3, 0, 2), sentence(4, 1, 2), sentence(4, 2, 2)]
    single = json.loads((release / "squad/single_hop_test.json").read_text())
    (paragraph,) = single["data"][0]["paragraphs"]
    (answer,) = paragraph["qas"][0]["answers"]
    assert answer["answer_start"] > 78
    assert paragraph["context"][answer["answer_start"] :].startswith("02 mg – daily.")


def test_the_same_rows_give_the_same_bytes(tmp_path):
    warehouse, settings = Corpus().write(tmp_path)
    for name in ("a", "b"):
        write_release(warehouse, settings, tmp_path / name)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert str(tmp_path) not in (tmp_path / "a" / "PROVENANCE.json").read_text()


def test_slices_make_no_difference(tmp_path, monkeypatch):
    warehouse, settings = Corpus().write(tmp_path)
    write_release(warehouse, settings, tmp_path / "at once")
    from aimsciqa_assets.release import exporting, verifying

    small = {names: (query, 2) for names, (query, _) in exporting._SLICES.items()}
    monkeypatch.setattr(exporting, "_SLICES", small)
    monkeypatch.setattr(verifying, "_ITEMS_OF_A_SLICE", 1)
    monkeypatch.setattr(verifying, "_PARAGRAPHS_OF_A_SLICE", 3)
    write_release(warehouse, settings, tmp_path / "sliced")
    assert bytes_of(tmp_path / "at once") == bytes_of(tmp_path / "sliced")
    assert verify(tmp_path / "sliced").problems == ()


@pytest.mark.parametrize("items", [[], [item(1, source=9, target=10)]])
def test_a_release_without_items_is_sound(tmp_path, items):
    warehouse, settings = Corpus(items=items).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    verdict = verify(tmp_path / "release")
    assert verdict.problems == ()
    assert verdict.manifest["rows"]["multi_hop"] == {"dev": 0, "test": 0}


def test_items_older_than_their_pairs_are_not_released(tmp_path, release):
    warehouse, settings = Corpus().write(tmp_path)
    before = bytes_of(release)
    with warehouse.get_connection() as connection:
        connection.execute(f"delete from single_hop.qa_pairs where qa_id = '{pair(1, 0, 1)}'")
    with pytest.raises(ReleaseError, match="item i1 lacks its source_core quote"):
        write_release(warehouse, settings, release)
    assert bytes_of(release) == before
    assert sorted(path.name for path in release.parent.iterdir()) == [f".{release.name}.lock", release.name]


def test_a_killed_run_leaves_the_old_folder_and_the_next_one_clears_up(tmp_path):
    folder = tmp_path / "release"
    with in_place_of(folder) as (fresh, _):
        (fresh / "file").write_text("old")
    # Killed while it wrote, then between the two renames.
    (tmp_path / ".release.new" / "release").mkdir(parents=True)
    (tmp_path / ".release.new" / "release" / "half").write_text("half")
    folder.rename(tmp_path / ".release.old")

    def go_wrong():
        with in_place_of(folder) as (fresh, scratch):
            assert (list(fresh.iterdir()), list(scratch.iterdir())) == ([], [])
            raise RuntimeError("went wrong")

    with pytest.raises(RuntimeError, match="went wrong"):
        go_wrong()
    assert (folder / "file").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".release.lock", "release"]


def test_two_at_once_do_not_mix(tmp_path):
    folder = tmp_path / "release"

    def write(number: int) -> None:
        with in_place_of(folder) as (fresh, _):
            for name in ("a", "b"):
                (fresh / name).write_text(str(number))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (folder / "a").read_text() == (folder / "b").read_text()


def test_it_is_known_when_a_folder_was_changed(tmp_path):
    warehouse, settings = Corpus().write(tmp_path)
    folder = releases_in(tmp_path) / settings.release.name
    files = {file.path: file.sha256 for file in write_release(warehouse, settings, folder)}
    assert is_as_written(folder, files)
    (folder / "README.md").write_text("mine")
    assert not is_as_written(folder, files)
    assert not is_as_written(tmp_path / "gone", files)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {},
            "`single_document` left out 0; `closed_book` left out 1; `no_duplicate` left out 0; "
            "`relabelling` left out 0. What a gate",
        ),
        ({"AIMSCIQA_RELEASE_GATES": ""}, "No quality gate was applied"),
    ],
    ids=["default", "none"],
)
def test_the_card_says_which_gates_were_applied_and_what_each_left_out(tmp_path, environment, said):
    gates = [{"item_id": "i1", "gate": "closed_book", "verdict": "fail"}]
    warehouse, settings = Corpus(gates=gates).write(tmp_path, environment)
    write_release(warehouse, settings, tmp_path / "release")
    assert said in (tmp_path / "release" / "README.md").read_text()
    assert verify(tmp_path / "release").problems == ()


def test_addresses_and_folders_stay_private(tmp_path):
    environment = {
        "AIMSCIQA_BENCHMARK_ANSWERERS": "qwen@http://10.0.0.7:8000/v1",
        "AIMSCIQA_ENCODER_MODEL": "/secret/models/my-encoder",
        "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25 bm25+/secret/e5",
        "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS": '{"my-e5": {"base_url": "http://10.0.0.7:8001/v1"}}',
    }
    warehouse, settings = Corpus().write(tmp_path, environment)
    write_release(warehouse, settings, tmp_path / "release")
    told = "".join(path.read_text() for path in (tmp_path / "release").iterdir() if path.is_file())
    assert "my-encoder" in told
    assert "10.0.0.7" not in told
    assert "secret" not in told
    assert public("BAAI/bge-small A>cross/encoder") == "BAAI/bge-small A>cross/encoder"


def test_the_provenance_says_how_replies_were_drawn_and_nothing_of_calls_without_one(tmp_path):
    call = {"table_name": "multi_hop.items", "model": "a model"}
    calls = [
        {"call_id": "1", "outcome": "ok", "sampling": '{"seed": 7}'},
        {"call_id": "2", "outcome": "http_400", "sampling": '{"seed": 7, "temperature": 0.0}'},
    ]
    warehouse, settings = Corpus(evaluation={"ops.llm_calls": [call | row for row in calls]}).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    models = json.loads((tmp_path / "release" / "PROVENANCE.json").read_text())["models"]
    assert [row["sampling"] for row in models if row["what"] == "multi-hop items"] == ['{"seed": 7}']


def test_the_files_are_told_with_their_rows(tmp_path):
    warehouse, settings = Corpus().write(tmp_path)
    written = {file.path: file for file in write_release(warehouse, settings, tmp_path / "release")}
    assert written["data/multi_hop/dev.jsonl"].rows == 2
    assert written["squad/single_hop_test.json"].rows == 3
    assert written["README.md"].rows is None
    assert set(written) == set(bytes_of(tmp_path / "release"))


def test_unanswerable_twins_are_released_on_request_where_their_other_paper_may_be(tmp_path):
    twins = [
        {"item_id": item, "role": "target", "paper_id": paper, "twin_paper_id": twin}
        for item, paper, twin in (("i1", "P2", "P7"), ("i2", "P4", "P9"), ("i4", "P2", "P6"))
    ]
    warehouse, settings = Corpus(evaluation={"quality.twins": twins}).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "without")
    assert not (tmp_path / "without" / "unanswerable.jsonl").exists()
    asked = Settings.preset_of("demo", {"AIMSCIQA_NECESSITY_TWINS_RELEASED": "true"})
    write_release(warehouse, asked, tmp_path / "release")
    assert json_lines(tmp_path / "release" / "unanswerable.jsonl") == [
        {
            "item_id": "i1",
            "variant": "im",
            "split": "dev",
            "question": "merged_question of 1",
            "replaced": "target",
            "replaced_paper_id": "P2",
            "twin_paper_id": "P7",
            "papers": ["P1", "P7"],
        }
    ], "P9 forbids derivatives, and i4 is not released"
    assert verify(tmp_path / "release").problems == ()


def test_the_card_has_the_rates_of_the_necessity_ledger(tmp_path):
    rates = {"variant": "im", "test": "shortcut", "model": "rules", "passed": 9, "failed": 1, "value": 0.9}
    warehouse, settings = Corpus(evaluation={"quality.necessity_rates": [rates]}).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    card = (tmp_path / "release" / "README.md").read_text()
    assert "| im | shortcut | rules | 9 | 1 | 1 | 0.9 | – | – |" in card

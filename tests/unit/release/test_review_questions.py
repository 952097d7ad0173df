"""Questions of reviews in the common release: text by the licences of notes and manuscripts, else places."""

import json

import pyarrow.parquet as pq
import pytest

import aimsciqa
from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.release.layout import configs
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import LICENCES, sentence
from tests.reviewed_corpus import Reviewed

pytestmark = pytest.mark.slow


@pytest.fixture
def release(tmp_path):
    warehouse, settings = Reviewed().write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    return tmp_path / "release"


def fates(folder, environment=None):
    warehouse, _ = Reviewed().write(folder, environment)
    return warehouse.read(
        "select item_id, split, rejection_reason, place_only from release.items "
        "where variant = 'review_question' order by item_id"
    ).rows()


def test_the_licences_of_both_notes_and_of_the_manuscript_decide(tmp_path):
    assert fates(tmp_path / "a") == [
        ("v1", "dev", None, False),
        ("v2", "test", None, False),
        ("v3", "dev", "answer_text_licence_unknown", True),
        ("v4", "dev", "manuscript_licence_unknown", True),
        ("v5", "dev", "answer_text_gone", False),
        ("v6", "dev", "answer_text_licence_unknown", False),
    ]
    any_licence = fates(tmp_path / "b", {"AIMSCIQA_RELEASE_ANY_LICENCE": "true"})
    assert [(item, reason) for item, _, reason, _ in any_licence if reason] == [
        ("v5", "answer_text_gone"),
        ("v6", "failed_closed_book"),
    ]


def test_the_light_package_loads_them_beside_the_others(release):
    assert verify(release).problems == ()
    loaded = aimsciqa.load(release)
    assert [item.item_id for item in loaded.items] == ["i1", "i3", "v1", "i2", "v2"]
    asked = next(item for item in loaded.items if item.item_id == "v2")
    assert (asked.variant, asked.split, asked.question, asked.answer) == (
        *("review_question", "test", "Question v2?", "Answer v2."),
    )
    assert asked.row["question_quote"] == {"note_id": "F-r", "start": 3, "end": 20, "licence": "CC0"}
    assert asked.row["answer_quote"]["licence"] == "CC BY"
    assert asked.row["answerable"] == {"initial": "partly", "final": "answerable"}
    (document,) = asked.row["documents"]
    assert (document["role"], document["licence"], document["in_hand"]) == ("manuscript", "CC BY-NC", True)
    assert document["quotes"][0]["evidence"] == sentence(12, 0, 0)
    found = loaded.evaluate_answers({"v2": "Answer v2."}, variant="review_question", split="test")
    assert found.mean("token_f1") == 1


def test_where_a_licence_forbids_the_text_ids_and_offsets_are_there(release):
    first, second = aimsciqa.load(release).without_text
    assert first == {
        "item_id": "v3",
        "variant": "review_question",
        "split": "dev",
        "reason": "answer_text_licence_unknown",
        "texts": [
            {"name": "question", "text_id": "D-r", "licence": "CC BY", "start": 3, "end": 20},
            {"name": "answer", "text_id": "D-b", "licence": None, "start": 0, "end": 9},
        ],
        "documents": [{"role": "manuscript", "paper_id": "P11", "licence": "CC BY"}],
        "quotes": [
            {"role": "manuscript", "paragraph_id": "t11-0", "start": 0, "end": len(sentence(11, 0, 0))}
        ],
    }
    assert (second["item_id"], second["reason"]) == ("v4", "manuscript_licence_unknown")
    for path in files_in(release):
        content = (release / path).read_bytes()
        assert not any(f"Question v{n}?".encode() in content for n in (3, 4, 5, 6)), path
    card = (release / "README.md").read_text()
    assert "`scidqa`: A reviewer asked about a manuscript" in card
    assert "Of 2 of these items, `without_text.jsonl` says where their texts stand" in card
    assert "| accepted items | review_question | dev | answer_text_gone | 1 |" in card


def test_the_other_forms_hold_them(release):
    (entry,) = json.loads((release / "squad/scidqa_test.json").read_text())["data"]
    assert entry["paragraphs"][0]["qas"][0]["question"] == "Question v2?"
    assert "v2" not in (release / "beir/queries.jsonl").read_text(), "nothing is searched for"
    croissant = json.loads((release / "croissant.json").read_text())
    fields = {field["@id"] for records in croissant["recordSet"] for field in records["field"]}
    assert {"scidqa_dev/question_quote/note_id", "scidqa_test/answer_quote/licence"} <= fields


def test_a_release_may_hold_places_alone(tmp_path):
    corpus = Reviewed(items=[], licences=LICENCES | dict.fromkeys((11, 12, 13), ""))
    warehouse, settings = corpus.write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    assert verify(tmp_path / "release").problems == ()
    loaded = aimsciqa.load(tmp_path / "release")
    assert (loaded.items, [line["item_id"] for line in loaded.without_text]) == ([], ["v1", "v3", "v4", "v2"])


def resigned(folder):
    paths = [path for path in files_in(folder) if path != "SHA256SUMS"]
    (folder / "SHA256SUMS").write_text("".join(f"{sha256_of(folder / path)}  {path}\n" for path in paths))
    return verify(folder).problems


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda line: line | {"question": "What?"}, "question: Extra inputs are not permitted"),
        (lambda line: line | {"item_id": "v1"}, "the item is released with its text (1): v1"),
        (lambda line: line | {"reason": "failed_closed_book"}, "no licence is in the way (1): v3"),
        (lambda line: line | {"texts": [line["texts"][0] | {"end": 2}]}, "a place ends before it begins (1)"),
    ],
)
def test_what_is_wrong_with_the_places_is_found(release, change, found):
    first, *others = (release / "without_text.jsonl").read_text().splitlines()
    lines = [json.dumps(change(json.loads(first))), *others]
    (release / "without_text.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert any(found in problem for problem in resigned(release))


def test_the_report_shows_no_text_that_may_not_be_passed_on(tmp_path):
    warehouse, _ = Reviewed().write(tmp_path)
    rows = warehouse.read(query_of("browse.index").text, {"most": 20}).to_dicts()
    shown = {row["item_id"]: row["question"] for row in rows if row["item_id"].startswith("v")}
    assert {item for item, question in shown.items() if question} == {"v1", "v2"}
    article = warehouse.read(query_of("browse.articles").text, {"ids": ["v3"]}).row(0, named=True)
    assert (article["shown"], article["question"]) == (False, None)


@pytest.mark.parametrize(
    "damage",
    [
        "update release.items set released = true, rejection_reason = null where item_id = 'v3'",
        "update release.items set place_only = true where item_id = 'v1'",
    ],
)
def test_the_sql_check_knows_the_licences_of_notes(tmp_path, damage):
    warehouse, settings = Reviewed().write(tmp_path)
    query = query_of("tests.released_items_come_from_releasable_papers")
    assert warehouse.read(query.text, query.parameters(settings)).is_empty()
    with warehouse.get_connection() as connection:
        connection.execute(damage)
    assert warehouse.read(query.text, query.parameters(settings)).height == 1


def test_lines_that_are_gone_are_missed(release):
    (release / "without_text.jsonl").unlink()
    assert "without_text.jsonl has 0 lines, PROVENANCE.json says 2" in resigned(release)


def test_a_note_whose_licence_allows_nothing_is_found_in_a_release(release):
    schema, paths = configs(["scidqa"])["scidqa"]
    (row,) = pq.read_table(release / paths["test"]).to_pylist()
    row["answer_quote"]["licence"] = "CC BY-ND"
    pq.write_table(
        pq.read_table(release / paths["test"]).from_pylist([row], schema=schema), release / paths["test"]
    )
    problem = (
        "items are what they claim (scidqa): this rule is broken (1): v2 · the licence of note F-a: CC BY-ND"
    )
    assert problem in resigned(release)

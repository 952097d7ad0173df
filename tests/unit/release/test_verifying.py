"""What is wrong with a release is found, also by somebody who made the checksums fit again."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.release.layout import configs
from aimsciqa_assets.release.verifying import NoReleaseError, verify
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus

pytestmark = pytest.mark.slow

CONFIGS = configs(["multi_hop"])


def resign(folder: Path) -> None:
    """Make checksums, numbers and sizes fit what is there."""
    manifest = json.loads((folder / "PROVENANCE.json").read_text())
    for config, (_, paths) in CONFIGS.items():
        for split, path in paths.items():
            manifest["rows"][config][split] = pq.read_metadata(folder / path).num_rows
    (folder / "PROVENANCE.json").write_text(json.dumps(manifest))
    described = json.loads((folder / "croissant.json").read_text())
    for file in described["distribution"]:
        file["sha256"] = sha256_of(folder / file["@id"])
    (folder / "croissant.json").write_text(json.dumps(described))
    paths = [path for path in files_in(folder) if path != "SHA256SUMS"]
    (folder / "SHA256SUMS").write_text("".join(f"{sha256_of(folder / path)}  {path}\n" for path in paths))


def change_rows(folder: Path, config: str, split: str, change: Callable[[list[dict]], list[dict]]) -> None:
    schema, paths = CONFIGS[config]
    rows = change(pq.read_table(folder / paths[split]).to_pylist())
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), folder / paths[split])


def test_an_untouched_release_is_sound(release):
    assert verify(release).problems == ()


def test_there_must_be_a_release(tmp_path):
    with pytest.raises(NoReleaseError, match=r"There is no folder /.*/none: `aimsciqa run` writes"):
        verify(tmp_path / "none")
    (tmp_path / "other" / "deep").mkdir(parents=True)
    (tmp_path / "other" / "deep" / "file.txt").touch()
    with pytest.raises(NoReleaseError, match=r"other is no release: .* releases/NAME") as refused:
        verify(tmp_path / "other")
    assert "file.txt" not in str(refused.value)


def test_many_files_that_nobody_listed_are_counted_and_three_are_named(release):
    for number in range(50):
        (release / f"note-{number:02}.txt").touch()
    problem = "not listed in SHA256SUMS (50): note-00.txt; note-01.txt; note-02.txt"
    assert verify(release).problems == (problem,)


def test_a_release_of_an_earlier_version_is_told_with_what_to_do(release):
    manifest = json.loads((release / "PROVENANCE.json").read_text())
    (release / "PROVENANCE.json").write_text(json.dumps(manifest | {"format": "1"}))
    *_, problem = verify(release).problems
    assert "has format 1, and this version of aimsciqa reads format 2. `aimsciqa run` writes" in problem


def test_a_release_without_provenance_is_none_of_a_known_format(release):
    (release / "PROVENANCE.json").unlink()
    assert verify(release).problems == (
        "listed in SHA256SUMS, but missing (1): PROVENANCE.json",
        "PROVENANCE.json is missing, or of another format",
    )


def test_a_title_that_is_a_formula_is_text_in_the_attribution_and_the_release_is_sound(tmp_path):
    warehouse, settings = Corpus().write(tmp_path)
    with warehouse.get_connection() as connection:
        connection.execute("update corpus.papers set title = '=1+1' where paper_id = 'P1'")
    write_release(warehouse, settings, tmp_path / "release")
    with (tmp_path / "release" / "ATTRIBUTION.csv").open(newline="") as file:
        (row,) = (row for row in csv.reader(file) if row[0] == "P1")
    assert "'=1+1" in row
    assert verify(tmp_path / "release").problems == ()


@pytest.mark.parametrize("path", ["README.md", "data/multi_hop/dev.parquet", "beir/corpus.jsonl"])
def test_a_flipped_byte(release, path):
    content = bytearray((release / path).read_bytes())
    content[len(content) // 2] ^= 1
    (release / path).write_bytes(content)
    assert f"checksum differs from SHA256SUMS (1): {path}" in verify(release).problems


def test_missing_and_added_files(release):
    (release / "squad/dev.json").unlink()
    (release / "notes.txt").write_text("mine")
    (release / ".gitattributes").write_text("of a clone")
    problems = verify(release).problems
    assert "listed in SHA256SUMS, but missing (1): squad/dev.json" in problems
    assert "not listed in SHA256SUMS (1): notes.txt" in problems
    assert any(problem.startswith("squad/dev.json differs") for problem in problems)


def test_every_file_may_be_cut_short_or_emptied(release):
    for path in files_in(release):
        content = (release / path).read_bytes()
        for cut in (content[: len(content) // 2], b""):
            (release / path).write_bytes(cut)
            assert (cut == content) == (not verify(release).problems), path
        (release / path).write_bytes(content)
    assert verify(release).problems == ()


def first(**changes):
    """Changes the first row: a value, or a function of the value."""

    def change(rows: list[dict]) -> list[dict]:
        for name, value in changes.items():
            rows[0][name] = value(rows[0][name]) if callable(value) else value
        return rows

    return change


def evidence_edited(item: dict) -> dict:
    return item | {"core_qa": item["core_qa"] | {"evidence": item["core_qa"]["evidence"].upper()}}


@pytest.mark.parametrize(
    ("config", "split", "change", "found"),
    [
        ("multi_hop", "dev", lambda rows: rows[1:], "data/multi_hop/dev.jsonl differs"),
        ("multi_hop", "dev", lambda rows: rows[:1], "data/multi_hop/dev.jsonl goes on after row 1"),
        ("multi_hop", "dev", lambda rows: [*rows, rows[0]], "ids are unique"),
        ("multi_hop", "dev", lambda rows: rows[::-1], "beir/qrels/dev.tsv differs"),
        ("multi_hop", "dev", first(source=evidence_edited), "evidence is an exact quote"),
        ("single_hop", "dev", first(evidence_start=1), "evidence is an exact quote"),
        ("paragraphs", "corpus", first(text="Another text."), "evidence is an exact quote"),
        ("paragraphs", "corpus", first(paper_id="P10"), "text comes from papers that are listed with text"),
        ("multi_hop", "dev", first(split="test"), "rows are in the file of their split"),
        ("multi_hop", "dev", first(cluster=["P8"]), "clusters hold their target"),
        ("multi_hop", "dev", first(cluster=lambda cluster: [*cluster, "P1"]), "clusters hold their target"),
        ("multi_hop", "dev", first(cluster=lambda cluster: [*cluster, "P99"]), "clusters hold their target"),
        ("multi_hop", "dev", first(question=""), "items are what they claim"),
        ("multi_hop", "dev", first(variant="cim"), "items are what they claim"),
        ("papers", "corpus", first(licence="CC BY-ND"), "papers with text may be released"),
        ("papers", "corpus", first(retracted=True), "papers with text may be released"),
        ("papers", "corpus", first(abstract=None), "text comes from papers that are listed with text"),
        ("papers", "corpus", first(title="Another"), "beir/corpus.jsonl differs"),
    ],
)
def test_changed_rows_with_checksums_that_fit(release, config, split, change, found):
    change_rows(release, config, split, change)
    resign(release)
    assert any(problem.startswith(found) for problem in verify(release).problems), verify(release).problems


def test_a_dropped_row_does_not_fit_the_numbers(release):
    change_rows(release, "single_hop", "dev", lambda rows: rows[1:])
    assert "data/single_hop/dev.parquet has 92 rows, PROVENANCE.json says 93" in verify(release).problems


def test_an_item_moved_from_test_to_dev_with_everything_that_tells(release):
    """The files of the splits are swapped, the rows say so, and what they have in common is a leak."""
    dev, test = (CONFIGS["multi_hop"][1][split] for split in ("dev", "test"))
    rows = {path: pq.read_table(release / path).to_pylist() for path in (dev, test)}
    moved = rows[test][0] | {"split": "dev", "item_id": "i7"}
    schema = CONFIGS["multi_hop"][0]
    pq.write_table(pa.Table.from_pylist([*rows[dev], moved], schema=schema), release / dev)
    resign(release)
    (problem,) = [problem for problem in verify(release).problems if problem.startswith("dev does not leak")]
    assert "i7 · the source of a test item" in problem
    assert "i7 · evidence of a test item" in problem


def test_swapped_files_of_two_splits(release):
    dev, test = (release / CONFIGS["multi_hop"][1][split] for split in ("dev", "test"))
    content = dev.read_bytes()
    dev.write_bytes(test.read_bytes())
    test.write_bytes(content)
    resign(release)
    problems = verify(release).problems
    assert any(problem.startswith("rows are in the file of their split") for problem in problems)


def test_a_failed_gate_that_the_settings_ask_for(release):
    gates = dict.fromkeys(("single_document", "closed_book", "no_duplicate"))
    change_rows(release, "multi_hop", "dev", first(gates=gates | {"unique_retrieval": "fail"}))
    resign(release)
    assert not any("gate" in problem for problem in verify(release).problems)
    manifest = json.loads((release / "PROVENANCE.json").read_text())
    manifest["settings"]["release"]["gates"] = "no_duplicate unique_retrieval"
    (release / "PROVENANCE.json").write_text(json.dumps(manifest))
    resign(release)
    assert "no item failed a gate: this rule is broken (1): i1 · unique_retrieval" in verify(release).problems


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("data/multi_hop/dev.jsonl", "merged_answer of 1", "another answer"),
        ("beir/queries.jsonl", "retrieval_question of 1", "another question"),
        ("beir/qrels/test.tsv", "P4", "P8"),
        ("beir/qrels/dev.tsv", "query-id", "query"),
        ("beir/corpus.jsonl", "Abstract of 1.", ""),
        ("squad/dev.json", "gave", "took"),
        ("squad/dev.json", "]}", ""),
        ("squad/single_hop_dev.json", '"answer_start":', '"answer_start":1'),
        ("squad/test.json", '"data": [', '"data": [['),
        ("ATTRIBUTION.csv", "CC BY", "CC0"),
        ("README.md", "num_examples: 2", "num_examples: 3"),
        ("croissant.json", "{", "["),
    ],
)
def test_other_forms_that_say_something_else(release, path, old, new):
    text = (release / path).read_text()
    assert old in text
    resign(release)
    (release / path).write_text(text.replace(old, new))
    sums = [line for line in (release / "SHA256SUMS").read_text().splitlines() if not line.endswith(path)]
    (release / "SHA256SUMS").write_text("\n".join([*sums, f"{sha256_of(release / path)}  {path}"]) + "\n")
    problems = verify(release).problems
    assert [problem for problem in problems if problem.startswith(path)], problems


def test_another_column_is_told_by_name(release):
    path = release / "data/multi_hop/dev.parquet"
    pq.write_table(pq.read_table(path).append_column("more", pa.array([1, 2])), path)
    problems = verify(release).problems
    assert "data/multi_hop/dev.parquet has other columns (1): more" in problems


def test_a_manifest_with_settings_that_do_not_exist_is_no_crash(release):
    manifest = json.loads((release / "PROVENANCE.json").read_text())
    manifest["settings"]["release"]["any_licence"] = "perhaps"
    (release / "PROVENANCE.json").write_text(json.dumps(manifest))
    assert "PROVENANCE.json is missing, or of another format" in verify(release).problems

"""`aimsciqa ingest` on files of documents, as users type it."""

import gzip
import json

import pytest

from tests.shell import QuickShell

pytestmark = pytest.mark.slow
DOCUMENTS = [
    {"id": number, "title": f"Zinc {number}", "contents": f"Zinc {number}\nZinc {number} is a metal."}
    for number in range(3)
]


@pytest.fixture
def shell(tmp_path):
    return QuickShell(tmp_path / "home")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "wiki.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    return path


def test_documents_are_taken_in_once_and_told(shell, file):
    output = shell("ingest", str(file), "--licence", "CC BY-SA 4.0")
    assert "3 new documents, 0 known already." in output
    assert "3 files and documents in 1 paper batches." in output
    assert "aimsciqa run" in output
    packed = file.with_name("again.jsonl.gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert "0 new documents, 3 known already." in shell("ingest", str(packed))
    assert shell.rows("select paper_id, file_name, licence from corpus.input_files order by place") == [
        {"paper_id": f"doc:{number}", "file_name": f"wiki.jsonl:{number + 1}", "licence": "CC BY-SA 4.0"}
        for number in range(3)
    ]


def test_lines_that_are_no_documents_are_told_with_their_reasons(shell, file):
    with file.open("a") as lines:
        lines.write('{"id": 9}\nno json\n{"id": 1, "contents": "Another one."}\n')
    output = shell("ingest", str(file))
    assert "2 new lines hold no document:" in output
    assert "wiki.jsonl:4: no_contents: there is no key contents, or it is null" in output
    assert "wiki.jsonl:5: not_json" in output
    assert "1 new documents have the id of another one" in output
    assert 'aimsciqa sql "from corpus.rejected_files"' in output


def test_a_file_that_is_cut_is_told_and_the_command_fails(shell, file, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    file.rename(folder / "wiki.jsonl")
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": 7}\n' * 999)[:-9])
    output = shell("ingest", str(folder), fails=1)
    assert "not read cut.jsonl.gz: no whole gzip file" in output
    assert "3 new documents" in output


@pytest.mark.parametrize(
    ("words", "told", "fails"),
    [
        (("--licence", "mine"), "'mine' names no licence that is known here", 1),
        (("--years", "2019"), "narrow a search", 2),
    ],
)
def test_options_that_do_not_fit_are_refused(shell, file, words, told, fails):
    assert told in shell("ingest", str(file), *words, fails=fails)


def test_the_limit_of_a_line_is_a_setting(file, tmp_path):
    shell = QuickShell(tmp_path / "home", corpus_document_bytes="1000")
    with file.open("a") as lines:
        lines.write(json.dumps({"id": "long", "contents": "word " * 1000}) + "\n")
    output = shell("ingest", str(file))
    assert "line_too_long: 5,030 bytes are more than AIMSCIQA_CORPUS_DOCUMENT_BYTES" in output

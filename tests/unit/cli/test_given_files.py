"""Files that people give to commands: ids of articles, and sheets of answers."""

import json

import pytest
from aimsciqa_resources.language_model.recordings import Recordings

from aimsciqa_assets.cli.answer_sheets import Question, take_answers
from aimsciqa_assets.cli.intake import ids_in
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
from aimsciqa_assets.judging.audit.sheet import AuditError

QUESTION = Question("a1", "i1", "closed_book", "Why?", (), "0" * 32)


@pytest.mark.parametrize(
    "content",
    [
        b"PMC13901\nPMC13902\n",
        b"\xef\xbb\xbfPMC13901\r\n# PMC1\r\n\r\n PMC13902",
        b"PMC13901\n\xef\xbb\xbfPMC13902\n",
        b"# One\xe2\x80\xa8two\xc2\x85PMC3\nPMC13902\nPMC13901\n",
    ],
)
def test_ids_stand_one_to_a_line(tmp_path, content):
    (tmp_path / "ids.txt").write_bytes(content)
    assert ids_in(tmp_path / "ids.txt", None) == ["PMC13901", "PMC13902"]


def test_ids_that_are_not_utf8_are_named_by_their_line(tmp_path):
    (tmp_path / "ids.txt").write_bytes(b"PMC13901\n# caf\xe9\n")
    with pytest.raises(NothingToIngestError, match=r"ids.txt, line 2: it is not UTF-8 \(byte 6\)"):
        ids_in(tmp_path / "ids.txt", None)


@pytest.mark.parametrize("mark", ["", "\u2028", "\u2029", "\x85"])
def test_answers_of_a_sheet_hold_any_mark(tmp_path, mark):
    row = {"answer_id": "a1", "answer": f"One{mark}two"}
    (tmp_path / "sheet.jsonl").write_text("\ufeff" + json.dumps(row, ensure_ascii=False), encoding="utf-8")
    recordings = Recordings(tmp_path / "recordings.jsonl")
    returned = take_answers(tmp_path / "sheet.jsonl", "human:ann", [QUESTION], recordings)
    assert (returned.new, returned.problems) == (1, [])
    recording = recordings.find(QUESTION.key, ["human:ann"])
    assert json.loads(recording.reply) == {"answer": f"One{mark}two"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"answer_id": "a1", "answer": NaN}', "NaN is not a finite number"),
        (b'{"answer_id": "a1", "answer": "x", "answer": "y"}', "an object has the key 'answer' twice"),
        (b'{"answer_id": "a1", "answer": "\xe9"}', r"it is not UTF-8 \(byte 32\)"),
    ],
)
def test_answers_of_a_sheet_that_are_not_json_say_why(tmp_path, line, why):
    (tmp_path / "sheet.jsonl").write_bytes(b'{"answer_id": "a1", "answer": ""}\n' + line)
    with pytest.raises(AuditError, match=f"line 2 is no JSON: {why}"):
        take_answers(tmp_path / "sheet.jsonl", "human:ann", [QUESTION], Recordings(tmp_path / "r.jsonl"))

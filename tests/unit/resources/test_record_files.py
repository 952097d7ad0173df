"""Files of requests and replies: what goes out, and what is taken of what comes back."""

import gzip
import json
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import Image, Message, ModelRequest
from aimsciqa_resources.language_model import record_files as files
from aimsciqa_resources.language_model.record_files import RequestsFile, take_replies
from aimsciqa_resources.language_model.recordings import Recordings, RecordingsError, key_of_request

REQUEST = ModelRequest("t", "row", {"a": "ä"}, (Message("user", "Say ä."),), reply_schema={"type": "object"})
FAULTS = {"t": lambda reply: "it says no" if reply == "no" else None, "u": lambda _reply: None}


@pytest.fixture
def recordings(tmp_path):
    return Recordings(tmp_path / "recordings.jsonl")


def line_of(request: ModelRequest = REQUEST, **changed: object) -> dict:
    return {
        "key": key_of_request(request),
        "task": request.task,
        "run": request.run,
        "turns": [],
        "variables": dict(request.variables),
        "reply": "yes",
    } | changed


def taken_from(tmp_path, recordings, *lines: object, by: str = "jane", replacing: bool = False):
    source = tmp_path / "replies.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    source.write_bytes(b"\n".join(texts) + b"\n")
    return take_replies(source, recordings, FAULTS, by=by, replace=replacing)


def reply_of(recordings, request=REQUEST, by="jane") -> str | None:
    found = recordings.find(key_of_request(request), [by])
    return found and found.reply


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_request_goes_out_with_all_that_whoever_replies_needs(tmp_path, name):
    with RequestsFile(tmp_path / name) as out:
        assert out.write(REQUEST, "jane")
        assert not out.write(replace(REQUEST, key="another row"), "jane")
        assert out.write(REQUEST, "bob")
        assert not (tmp_path / name).exists()
    content = (tmp_path / name).read_bytes()
    lines = (gzip.decompress(content) if name.endswith("gz") else content).decode().splitlines()
    assert json.loads(lines[0]) == {
        "key": key_of_request(REQUEST),
        "task": "t",
        "asked_of": "jane",
        "run": 1,
        "turns": [],
        "variables": {"a": "ä"},
        "messages": [{"role": "user", "content": "Say ä."}],
        "reply_schema": {"type": "object"},
        "reply_grammar": None,
        "by": "",
        "reply": "",
    }
    assert '"ä"' in lines[0]
    assert [json.loads(line)["asked_of"] for line in lines] == ["jane", "bob"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_that_is_there_is_never_written_over(tmp_path):
    (tmp_path / "out.jsonl").write_text("replies of weeks")
    with pytest.raises(RecordingsError, match="exists already"), RequestsFile(tmp_path / "out.jsonl"):
        pass
    assert (tmp_path / "out.jsonl").read_text() == "replies of weeks"


def test_no_request_and_no_half_file_leaves_a_file(tmp_path):
    with RequestsFile(tmp_path / "none.jsonl"):
        pass
    broken = replace(REQUEST, reply_schema={"type": object()})
    with pytest.raises(TypeError), RequestsFile(tmp_path / "half.jsonl") as out:
        [out.write(request, "jane") for request in (REQUEST, broken, replace(broken, run=2))]
    assert list(tmp_path.iterdir()) == []


def test_what_went_out_comes_back(tmp_path, recordings):
    turn = replace(REQUEST, messages=(*REQUEST.messages, Message("assistant", "x"), Message("user", "Again")))
    odd = replace(REQUEST, variables={"a": "\ud800"}, run=3)
    seen = replace(REQUEST, messages=(Message("user", ("What is it?", Image(b"zinc", "image/png"))),))
    with RequestsFile(tmp_path / "out.jsonl.gz") as out:
        for request in (REQUEST, turn, odd, seen):
            out.write(request, "jane")
    lines = gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).splitlines()
    filled = [line.replace(b'"reply": ""', b'"reply": "yes"') for line in lines]
    taken = taken_from(tmp_path, recordings, *filled)
    assert (taken.new, taken.problems) == (4, [])
    assert [reply_of(recordings, request) for request in (REQUEST, turn, odd, seen)] == ["yes"] * 4
    url = "data:image/png;base64,emluYw=="
    assert json.loads(lines[3])["messages"][0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": url}},
    ]


def test_a_half_filled_file_gives_what_it_has_and_nothing_is_lost(tmp_path, recordings):
    other = line_of(replace(REQUEST, run=2))
    taken = taken_from(tmp_path, recordings, line_of(), b"", other | {"reply": " "}, other | {"reply": None})
    assert (taken.new, taken.without_reply, taken.problems) == (1, [3, 4], [])
    taken = taken_from(tmp_path, recordings, line_of(), other)
    assert (taken.new, taken.known) == (1, 1)


def test_an_object_is_as_good_as_its_text(tmp_path, recordings):
    taken_from(tmp_path, recordings, line_of(reply={"answer": "ä"}))
    assert reply_of(recordings) == '{"answer": "ä"}'


def test_another_reply_is_taken_only_to_replace(tmp_path, recordings):
    taken_from(tmp_path, recordings, line_of())
    refused = taken_from(tmp_path, recordings, line_of(reply="other"))
    assert refused.problems == [
        "line 1: jane gave another reply to this request before; --replace takes the new one"
    ]
    assert reply_of(recordings) == "yes"
    assert taken_from(tmp_path, recordings, line_of(reply="other"), by="bob").new == 1
    taken = taken_from(tmp_path, recordings, line_of(reply="other"), replacing=True)
    assert (taken.new, taken.replaced, reply_of(recordings)) == (0, 1, "other")


def test_a_file_that_contradicts_itself_is_told(tmp_path, recordings):
    taken = taken_from(tmp_path, recordings, line_of(), line_of(reply="other"), line_of())
    assert (taken.new, taken.known, taken.not_taken) == (1, 1, 1)


def test_the_name_of_a_line_comes_before_that_of_the_command(tmp_path, recordings):
    line = line_of(by="bob", recorded_at="2026-01-31T12:00+02:00")
    assert taken_from(tmp_path, recordings, line).names == {"bob"}
    assert recordings.find(key_of_request(REQUEST), ["bob"]).recorded_at == "2026-01-31T10:00:00+00:00"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b'{"run": ' + b"9" * 5000 + b"}", "it is no JSON"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"[]", "it is no JSON object"),
        (b"7", "it is no JSON object"),
        ({}, "it has no field reply"),
        (line_of(key="short"), "it has no key of 32 hexadecimal digits"),
        (line_of(key=7), "it has no key of 32 hexadecimal digits"),
        (line_of(key="0" * 32), "its key is unknown"),
        (line_of(variables={"a": "changed"}), "its key is unknown"),
        (line_of(turns=["changed"]), "its key is unknown"),
        (line_of(run=2), "its key is unknown"),
        (line_of(task="v"), "it names no task; there are t, u"),
        (line_of(task=["t"]), "it names no task"),
        (line_of(variables=None), "it has no variables"),
        (line_of(variables={"a": 1}), "its key is unknown"),
        (line_of(run=True), "its run is no number"),
        (line_of(run=0), "its run is no number"),
        (line_of(turns="x"), "its turns are no list of texts"),
        (line_of(turns=[1]), "its turns are no list of texts"),
        (line_of(images=[1]), "its images are no list of texts"),
        (line_of(images=["changed"]), "its key is unknown"),
        (line_of(reply=7), "its reply is neither text nor a JSON object"),
        (line_of(reply="x" * 1_000_001), "its reply has more than 1,000,000 characters"),
        (line_of(reply="a\x00b"), "its reply holds U+0000"),
        (line_of(reply="\x1b]0;x\x07"), "its reply holds U+001B"),
        (line_of(reply="\x9b31m"), "its reply holds U+009B"),
        (line_of(reply="half \ud800"), "its reply holds U+D800"),
        (line_of(reply="no"), "its reply cannot be used: it says no"),
        (line_of(by="jane doe"), "its field by is no name"),
        (line_of(by="jane@example.org"), "its field by is no name"),
        (line_of(by="\x1b[31mjane"), "its field by is no name"),
        (line_of(by=7), "its field by is no name"),
        (line_of(recorded_at="yesterday"), "its field recorded_at is no date"),
        (line_of(recorded_at=7), "its field recorded_at is no date"),
        (line_of(recorded_at="0001-01-01T00:00+23:00"), "its field recorded_at is no date"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_the_others_are_taken(tmp_path, recordings, line, problem):
    good = line_of(replace(REQUEST, task="u"))
    taken = taken_from(tmp_path, recordings, line, good)
    assert (taken.new, taken.not_taken) == (1, 1)
    (told,) = taken.problems
    assert told.startswith(f"line 1: {problem}")
    assert all(character.isprintable() for character in told)
    assert Recordings(recordings.path).names() == ["jane"]


def test_nobody_knows_who_replied(tmp_path, recordings):
    taken = taken_from(tmp_path, recordings, line_of(), line_of(by=""), by="")
    assert taken.problems[0] == "line 1: it does not say who replied: give --by NAME, or fill in its field by"
    assert (taken.new, taken.not_taken) == (0, 2)


def test_an_editor_may_leave_its_marks(tmp_path, recordings):
    line = b"\xef\xbb\xbf" + json.dumps(line_of()).encode() + b"\r"
    assert taken_from(tmp_path, recordings, line).new == 1


def test_a_line_without_end_is_refused_and_not_kept_in_memory(tmp_path, recordings, monkeypatch):
    monkeypatch.setattr(files, "_MOST_LINE_BYTES", 1 << 10)
    taken = taken_from(tmp_path, recordings, b"x" * 5000, line_of(), b"y" * 1024, line_of())
    assert (taken.new, taken.known) == (1, 1)
    assert [problem.split(":")[0] for problem in taken.problems] == ["line 1", "line 3"]


def test_of_ten_thousand_bad_lines_a_thousand_are_named(tmp_path, recordings):
    taken = taken_from(tmp_path, recordings, *[b"{"] * 10_000)
    assert (taken.not_taken, len(taken.problems)) == (10_000, 1000)


def test_a_zip_that_is_cut_off_gives_what_it_has(tmp_path, recordings):
    lines = [json.dumps(line_of(replace(REQUEST, run=run))) for run in range(1, 2000)]
    whole = gzip.compress("\n".join(lines).encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    taken = take_replies(tmp_path / "cut.gz", recordings, FAULTS, by="jane")
    assert 0 < taken.new < 1999
    assert "cannot be unpacked from here on" in taken.problems[-1]
    (tmp_path / "none.gz").write_bytes(b"no zip")
    assert take_replies(tmp_path / "none.gz", recordings, FAULTS, by="jane").not_taken == 1

"""Recorded replies: keys, the file that keeps them, and the model over them."""

import json
from dataclasses import asdict, replace

import pytest
from aimsciqa_resources.language_model import Image, Message, ModelRequest, converse, once
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.recordings import (
    Recording,
    Recordings,
    RecordingsError,
    key_of,
    key_of_request,
)
from aimsciqa_resources.language_model.settings import ModelSettings

REQUEST = ModelRequest("t", "row", {"a": "1", "b": "2"}, (Message("system", "Do."), Message("user", "1 2")))


def recording(reply: str, by: str = "jane", request: ModelRequest = REQUEST) -> Recording:
    return Recording(key_of_request(request), request.task, by, "2026-01-31T12:00:00+00:00", reply)


def after(request: ModelRequest, reply: str, complaint: str = "Again.") -> ModelRequest:
    """The next turn of a conversation."""
    messages = (*request.messages, Message("assistant", reply), Message("user", complaint))
    return replace(request, messages=messages)


def model_of(recordings: Recordings, by: str = "jane", tasks: tuple[str, ...] = ()):
    settings = ModelSettings(backend="recorded", name=by, recordings=str(recordings.path))
    return LanguageModels(recordings.path.with_name("journal")).open(settings, tasks)


DOUBLED = json.dumps(asdict(recording("a"))).replace("{", '{"reply": "b", ')


@pytest.fixture
def recordings(tmp_path):
    return Recordings(tmp_path / "home" / "recordings.jsonl")


def test_a_key_depends_on_what_is_asked_and_on_no_word_of_the_prompt():
    key = key_of_request(REQUEST)
    reworded = (Message("system", "Please do."), Message("user", "Of 1 and 2"))
    schema = {"type": "object"}
    assert key_of_request(replace(REQUEST, messages=reworded, reply_schema=schema, key="other")) == key
    assert key_of_request(replace(REQUEST, variables={"b": "2", "a": "1"})) == key
    others = [
        replace(REQUEST, task="u"),
        replace(REQUEST, variables={"a": "1", "b": "3"}),
        replace(REQUEST, variables={"a": "1"}),
        replace(REQUEST, run=2),
        after(REQUEST, "x"),
        after(REQUEST, "y"),
        after(after(REQUEST, "x"), "y"),
    ]
    assert len({key, *map(key_of_request, others)}) == len(others) + 1
    assert key_of_request(after(REQUEST, "x", "Once more!")) == key_of_request(after(REQUEST, "x"))


def test_recordings_of_earlier_versions_are_found_again():
    assert key_of_request(REQUEST) == "0e38d8269478643032e8d7fd94587b91"
    assert key_of("t", {"x": "\ud800"}) != key_of("t", {"x": "?"})


def test_a_reply_is_found_by_the_first_name_that_gave_one(recordings):
    recordings.add([recording("mine"), recording("his", by="bob")])
    key = key_of_request(REQUEST)
    read = Recordings(recordings.path)
    assert read.find(key, ["bob", "jane"]).reply == "his"
    assert read.find(key, ["ann", "jane"]).reply == "mine"
    assert read.find(key, ["ann"]) is None
    assert read.names() == ["bob", "jane"]


def test_a_later_reply_holds_and_the_earlier_one_stays_in_the_file(recordings):
    recordings.add([recording("first")])
    recordings.add([recording("second")])
    assert recordings.find(key_of_request(REQUEST), ["jane"]).reply == "second"
    assert [json.loads(line)["reply"] for line in recordings.path.open()] == ["first", "second"]


def test_a_file_that_another_process_changes_is_read_again(recordings):
    reader = Recordings(recordings.path)
    assert reader.find(key_of_request(REQUEST), ["jane"]) is None
    recordings.add([recording("now")])
    assert reader.find(key_of_request(REQUEST), ["jane"]).reply == "now"
    recordings.path.unlink()
    assert reader.find(key_of_request(REQUEST), ["jane"]) is None


def test_what_a_kill_cut_off_is_no_reply_and_makes_room_for_the_next(recordings):
    recordings.add([recording("whole")])
    whole = recordings.path.read_bytes()
    for cut in (1, 40, len(whole) - 1):
        recordings.path.write_bytes(whole + whole.replace(b"whole", b"other")[:cut])
        assert Recordings(recordings.path).find(key_of_request(REQUEST), ["jane"]) is not None
    recordings.path.write_bytes(whole + whole[:40])
    Recordings(recordings.path).add([recording("next", by="bob")])
    assert [json.loads(line)["reply"] for line in recordings.path.open()] == ["whole", "next"]


def test_a_last_line_without_its_end_counts_if_it_is_whole(recordings):
    recordings.add([recording("whole")])
    recordings.path.write_bytes(recordings.path.read_bytes().rstrip(b"\n"))
    again = Recordings(recordings.path)
    assert again.find(key_of_request(REQUEST), ["jane"]).reply == "whole"
    again.add([recording("next", by="bob")])
    assert [json.loads(line)["reply"] for line in recordings.path.open()] == ["whole", "next"]


@pytest.mark.parametrize("line", ["", "[]", "{}", "\xff", '{"key": 1}', "[" * 100_000, DOUBLED])
def test_a_line_that_is_no_recording_is_named(recordings, line):
    recordings.add([recording("whole")])
    with recordings.path.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(RecordingsError, match=r"Line 2 of .* is no recording"):
        Recordings(recordings.path).names()


def test_recordings_may_begin_with_a_byte_order_mark_and_hold_any_mark(recordings):
    recordings.add([recording("One\u2028two"), recording("one\x85two", by="john")])
    recordings.path.write_bytes(b"\xef\xbb\xbf" + recordings.path.read_bytes())
    key = key_of_request(REQUEST)
    assert Recordings(recordings.path).find(key, ["jane"]).reply == "One\u2028two"
    assert Recordings(recordings.path).find(key, ["john"]).reply == "one\x85two"


def test_a_folder_in_place_of_the_file_is_told(tmp_path):
    with pytest.raises(RecordingsError, match="cannot be read: Is a directory"):
        Recordings(tmp_path).names()
    with pytest.raises(RecordingsError, match="Is a directory"):
        Recordings(tmp_path).add([recording("x")])


def test_the_revision_follows_the_replies_of_these_names_to_these_tasks(recordings):
    def revisions():
        return [
            recordings.revision(("jane",)),
            recordings.revision(("jane",), ("t",)),
            recordings.revision(("jane",), ("u",)),
        ]

    recordings.add([recording("x")])
    first = revisions()
    recordings.add([recording("x", by="bob")])
    assert revisions() == first
    recordings.add([recording("y", request=replace(REQUEST, task="u"))])
    of_all, of_t, of_u = revisions()
    assert (of_all != first[0], of_t == first[1], of_u != first[2]) == (True, True, True)
    recordings.add([recording("z")])
    assert recordings.revision(("jane",), ("t",)) != of_t
    assert Recordings(recordings.path).revision(("jane",), ("u",)) == of_u


def test_the_model_says_by_whom_its_replies_are(recordings):
    recordings.add([recording("<think>Or 8?</think>Seven.", by="bob")])
    model = model_of(recordings, "jane, bob")
    assert (model.name, model.sampling) == ("recorded:jane,bob", "")
    reply, missing = model.replies([REQUEST, replace(REQUEST, key="other", run=2)])
    assert (reply.key, reply.text, reply.failure) == ("row", "Seven.", None)
    (call,) = reply.calls
    assert (call.fingerprint, call.outcome, call.from_journal) == (key_of_request(REQUEST), "ok", True)
    assert (call.detail, call.answered_at) == ("recorded by bob", "2026-01-31T12:00:00+00:00")
    assert (missing.key, missing.text, missing.failure) == ("other", None, "not_recorded")
    assert [call.outcome for call in missing.calls] == ["not_recorded"]
    assert not missing.calls[0].passing


def strict(request: ModelRequest):
    """A dialogue that takes one reply only, and complains once about another."""
    first = yield request
    if first.text in ("good", None):
        return [first]
    return [first, (yield replace(after(request, first.text), purpose="repair"))]


def test_a_reply_that_cannot_be_read_any_more_is_asked_about_in_the_next_turn(recordings):
    recordings.add([recording("bad")])
    noted = []
    model = model_of(recordings).noting(noted.append)
    ((first, missing),) = converse(model, [strict(REQUEST)])
    assert (first.text, missing.text, missing.failure) == ("bad", None, "not_recorded")
    assert [call.purpose for call in (*first.calls, *missing.calls)] == ["answer", "repair"]
    (turn,) = noted
    assert [message.content for message in turn.messages][-2:] == ["bad", "Again."]
    recordings.add([recording("good", request=turn)])
    ((_, second),) = converse(model, [strict(REQUEST)])
    assert (second.text, len(noted)) == ("good", 1)


def test_a_question_about_an_image_has_a_recording_of_its_own(recordings):
    def about(png: bytes) -> ModelRequest:
        return replace(REQUEST, messages=(Message("user", ("What is it?", Image(png, "image/png"))),))

    keys = {key_of_request(request) for request in (REQUEST, about(b"zinc"), about(b"iron"))}
    assert len(keys) == 3
    recordings.add([recording("zinc", request=about(b"zinc"))])
    (reply,) = converse(model_of(recordings), [once(about(b"zinc"))])
    assert reply.text == "zinc"


def test_a_task_that_no_declaration_names_is_an_error(recordings):
    with pytest.raises(ValueError, match="asks for t, but its declaration names u"):
        list(model_of(recordings, tasks=("u",)).replies([REQUEST]))

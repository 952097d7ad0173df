"""Notes in the shapes of both versions of the API, and wild ones."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.scidqa.notes import (
    RejectedNoteError,
    Told,
    kind_of,
    read_line,
    read_note,
    text_of,
    writer_of,
)

THREADS = Path(__file__).parents[4] / "shared" / "corpora" / "reviews" / "threads.jsonl"

V1 = {
    "id": "R1",
    "forum": "F",
    "replyto": "F",
    "invitation": "ICLR.cc/2020/Conference/Paper7/-/Official_Review",
    "signatures": ["ICLR.cc/2020/Conference/Paper7/AnonReviewer2"],
    "readers": ["everyone"],
    "cdate": 1_571_000_000_000,
    "tmdate": 1_572_000_000_000,
    "content": {
        "title": "Official Blind Review #2",
        "rating": "6: Weak Accept",
        "review": "Why seven?\r\nAnd why not eight?",
        "pdf": "/pdf/1234.pdf",
        "_bibtex": "@misc{x}",
    },
}
V2 = {
    "id": "R1",
    "forum": "F",
    "replyto": "F",
    "invitations": [
        "NeurIPS.cc/2023/Conference/-/Edit",
        "NeurIPS.cc/2023/Conference/Submission9/-/Official_Review",
    ],
    "signatures": ["NeurIPS.cc/2023/Conference/Submission9/Reviewer_aB3d"],
    "readers": ["everyone"],
    "license": "CC BY 4.0",
    "tcdate": 1_689_000_000_000,
    "content": {
        "summary": {"value": "A sampler."},
        "review": {"value": "How many seeds?"},
        "confidential": {"value": "Reject it.", "readers": ["NeurIPS.cc/2023/Conference/Program_Chairs"]},
        "soundness": {"value": 3},
    },
}


def test_a_review_of_the_first_api():
    note = read_note(V1)
    assert (note.kind, note.writer, note.venue, note.year) == ("review", "reviewer", "ICLR", 2020)
    assert note.text == "rating:\n6: Weak Accept\n\nWhy seven?\nAnd why not eight?"
    start, end = note.fields["review"]
    assert note.text[start:end] == "Why seven?\nAnd why not eight?"
    assert (note.title, note.replyto, note.licence) == ("Official Blind Review #2", "F", None)
    assert (note.created, note.modified) == (
        "2019-10-13T20:53:20.000+00:00",
        "2019-10-25T10:40:00.000+00:00",
    )
    assert (note.stamp, note.deleted, note.rejection_reason) == (1_572_000_000_000, False, None)


def test_a_review_of_the_second_api_without_what_only_chairs_may_read():
    note = read_note(V2)
    assert (note.kind, note.writer, note.venue, note.year) == ("review", "reviewer", "NeurIPS", 2023)
    assert note.invitation.endswith("Official_Review")
    assert note.text == "summary:\nA sampler.\n\nHow many seeds?\n\nsoundness:\n3"
    assert (note.licence, note.modified) == ("CC BY", None)


@pytest.mark.parametrize(
    ("invitation", "kind"),
    [
        ("ICLR.cc/2020/Conference/-/Blind_Submission", "submission"),
        ("ICLR.cc/2017/conference/-/paper100/official/review", "review"),
        ("ICLR.cc/2017/conference/-/paper100/pre-review/question", "review"),
        ("ICLR.cc/2017/conference/-/paper100/public/comment", "comment"),
        ("TMLR/Paper1/-/Review", "review"),
        ("TMLR/Paper1/-/Decision", "decision"),
        ("ICLR.cc/2019/Conference/-/Paper1/Meta_Review", "meta_review"),
        ("NeurIPS.cc/2023/Conference/Submission1/-/Rebuttal", "response"),
        ("NeurIPS.cc/2023/Conference/Submission1/-/Ethics_Review", "other"),
        ("ICLR.cc/2018/Conference/-/Acceptance_Decision", "decision"),
        ("ICLR.cc/2022/Conference/-/Paper1/Withdraw", "other"),
    ],
)
def test_invitations_tell_what_a_note_is(invitation, kind):
    assert kind_of(invitation) == kind


@pytest.mark.parametrize(
    ("signature", "writer"),
    [
        ("ICLR.cc/2020/Conference/Paper0/Authors", "authors"),
        ("ICLR.cc/2018/Conference/Paper0/AnonReviewer3", "reviewer"),
        ("NeurIPS.cc/2022/Conference/Paper0/Reviewer_x1Yz", "reviewer"),
        ("ICLR.cc/2020/Conference/Paper0/Area_Chair1", "area_chair"),
        ("TMLR/Paper1/Action_Editors", "area_chair"),
        ("ICLR.cc/2020/Conference/Program_Chairs", "chairs"),
        ("NeurIPS.cc/2022/Conference/Paper0/Senior_Area_Chairs", "chairs"),
        ("ICLR.cc/2020/Conference", "chairs"),
        ("~Ada_Lovelace1", "public"),
        ("(anonymous)", "public"),
        ("", "unknown"),
    ],
)
def test_signatures_tell_who_wrote_it(signature, writer):
    assert writer_of(signature) == writer


def test_what_may_not_be_read_keeps_no_text():
    restricted = read_note(V1 | {"readers": ["ICLR.cc/2020/Conference/Program_Chairs"]})
    deleted = read_note(V1 | {"ddate": 1_573_000_000_000})
    assert (restricted.rejection_reason, restricted.text, restricted.title) == ("restricted", "", None)
    assert (deleted.rejection_reason, deleted.text, deleted.deleted) == ("deleted", "", True)
    assert deleted.stamp == 1_573_000_000_000
    assert read_note(V1 | {"content": {"title": "No words"}}).rejection_reason == "no_text"


def test_comments_of_authors_are_responses_and_the_first_note_is_the_submission():
    comment = V1 | {"invitation": "X.cc/2020/Conference/Paper7/-/Official_Comment"}
    assert read_note(comment).kind == "comment"
    signed = {"signatures": ["X.cc/2020/Conference/Paper7/Authors"]}
    assert read_note(comment | signed).kind == "response"
    told = Told("F", "A sampler", "ICLR", 2020, "Accept (Poster)")
    root = read_note({"id": "F"}, told)
    assert (root.kind, root.title, root.decision, root.rejection_reason) == (
        *("submission", "A sampler"),
        *("Accept (Poster)", None),
    )


def test_only_the_note_itself_counts_for_its_hash():
    assert read_note(V1).raw_hash == read_note(V1 | {"details": {"replies": []}}).raw_hash
    assert read_note(V1).raw_hash != read_note(V1 | {"tmdate": 1}).raw_hash


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff", "not_utf8"),
        (b"{", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"[]", "not_an_object"),
        (b'{"forum": "F", "notes": []}', "no_notes"),
        (b'{"forum": "F", "notes": {"id": "a"}}', "no_notes"),
    ],
)
def test_a_line_that_holds_no_notes_says_why(line, reason):
    with pytest.raises(RejectedNoteError) as told:
        read_line(line)
    assert told.value.reason == reason


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "not_a_note"),
        ([], "not_a_note"),
        ({}, "no_id"),
        ({"id": 7}, "no_id"),
        ({"id": "x" * 501}, "no_id"),
        ({"id": "a", "replyto": "b"}, "no_forum"),
    ],
)
def test_what_is_no_note_says_why(raw, reason):
    with pytest.raises(RejectedNoteError) as told:
        read_note(raw)
    assert told.value.reason == reason


# Half a surrogate pair, a line end of Unicode, and what no terminal can show.
TEXT = st.text("ab 1~/\x00\n\u2028\ud800\u00e9", max_size=6)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = (
    *("id", "forum", "replyto", "invitation", "invitations", "signatures", "readers", "content"),
    *("cdate", "tcdate", "mdate", "tmdate", "ddate", "license"),
)
CONTENT = st.dictionaries(st.sampled_from(["title", "review", "\ud800", "a b"]) | TEXT, ANY)
WILD = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, ANY) | {"content": ANY | CONTENT})


@given(WILD)
def test_a_wild_note_becomes_a_row_or_says_why_not(raw):
    try:
        note = read_note({"id": "a", "forum": "F"} | raw)
    except RejectedNoteError:
        return
    frame_of("scidqa.notes", [note.row | {"batch": "batch-0001"}])
    for start, end in note.fields.values():
        assert 0 <= start < end <= len(note.text)
    assert (note.rejection_reason is None) or not note.text or note.text.isspace()


@given(st.dictionaries(st.sampled_from(["review", "rating", "summary_of_it", "comment", "title"]), TEXT))
def test_offsets_give_back_the_fields(content):
    text, fields = text_of(content)
    for name, (start, end) in fields.items():
        assert text[start:end] == content[name]


def test_a_huge_field_is_kept_whole():
    note = read_note(V1 | {"content": {"review": "word " * 1_000_000}})
    assert len(note.text) == 5_000_000


@pytest.mark.skipif(not THREADS.exists(), reason="needs ../shared/corpora/reviews")
def test_the_threads_of_the_corpora():
    notes = []
    for line in THREADS.read_bytes().splitlines():
        told, raws = read_line(line)
        notes += [read_note(raw, told) for raw in raws]
    kinds = [note.kind for note in notes]
    counted = {kind: kinds.count(kind) for kind in set(kinds)}
    assert counted == {"submission": 40, "review": 109, "response": 109}
    assert {note.rejection_reason for note in notes} == {None}
    assert {note.venue for note in notes} == {"ICLR"}

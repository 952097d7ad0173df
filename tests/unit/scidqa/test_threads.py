"""Trees of forums, whatever is missing or wrong in them."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.scidqa.threads import thread_of


@dataclass(frozen=True)
class Post:
    note_id: str
    replyto: str | None = None
    created: str | None = None


def ids(notes):
    return [note.note_id for note in notes]


def test_a_thread_is_ordered_by_date_then_id_and_unknown_dates_come_last():
    notes = [
        Post("z", "F"),
        Post("b", "F", "2020-02-01"),
        Post("a", "F", "2020-02-01"),
        Post("late", "a", "2020-01-01"),
        Post("F"),
    ]
    thread = thread_of("F", notes)
    assert thread.root == Post("F")
    assert ids(thread.below("F")) == ["a", "late", "b", "z"]
    assert ids(thread.below("a")) == ["late"]
    assert thread.told_problems == []


def test_orphans_and_cycles_hang_below_the_submission_and_are_told():
    notes = [
        Post("F"),
        Post("orphan", "gone"),
        Post("below", "orphan"),
        Post("b", "a", "2020-02-01"),
        Post("a", "b", "2020-01-01"),
        Post("self", "self"),
        Post("lone"),
    ]
    thread = thread_of("F", notes)
    assert thread.told_problems == ["cycle a", "orphan lone", "orphan orphan", "cycle self"]
    assert thread.parents == {
        **{"orphan": "F", "below": "orphan", "lone": "F"},
        **{"a": "F", "b": "a", "self": "F"},
    }
    assert ids(thread.below("F")) == ["a", "b", "lone", "orphan", "below", "self"]


def test_without_a_submission_the_notes_are_kept():
    thread = thread_of("F", [Post("a", "F")])
    assert (thread.root, ids(thread.below("F")), thread.told_problems) == (None, ["a"], ["root_missing"])


NAMES = st.sampled_from("FABCDEGH")


@given(st.lists(st.builds(Post, NAMES, st.none() | NAMES | st.just("gone"), st.none() | st.dates().map(str))))
def test_every_note_stands_below_the_submission_once(notes):
    thread = thread_of("F", notes)
    assert sorted(ids(thread.below("F"))) == sorted({note.note_id for note in notes} - {"F"})
    assert thread_of("F", list(dict.fromkeys(notes))).parents == thread.parents


def test_a_chain_as_long_as_it_likes():
    notes = [Post(str(number), str(number - 1)) for number in range(1, 20_000)]
    thread = thread_of("0", [Post("0"), *notes])
    assert len(list(thread.below("0"))) == 19_999

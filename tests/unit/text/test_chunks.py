import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.text.chunks import (
    repository_chunks,
    repository_pieces,
    segment_chunks,
    window_chunks,
)

pytestmark = pytest.mark.slow  # NLTK takes seconds to load.

CASES = Path(__file__).parents[4] / "shared/reference-cases/scidqa-chunks.jsonl"


def words(text: str) -> int:
    return len(text.split())


def texts(chunks) -> list[str]:
    return [chunk.text for chunk in chunks]


@pytest.mark.skipif(not CASES.exists(), reason="needs ../shared/reference-cases/scidqa-chunks.jsonl")
def test_the_chunks_of_the_authors_code_come_out_the_same():
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    for row in rows:
        text = row["text"]
        assert texts(window_chunks(text)) == row["paper_alg1_rag_chunks"]
        for name, chunks in row["paper_alg2_flushed"].items():
            context = int(name.removeprefix("ws-"))
            assert texts(segment_chunks(text, context, words)) == chunks
        for peer in row["peer"].values():
            pieces = repository_pieces(text, peer["max_tokens"], words)
            assert [[piece, words(piece)] for piece in pieces] == peer["pieces"]
            assert repository_chunks(text, peer["max_tokens"], words) == peer["merged"]


def numbered(count: int) -> str:
    return " ".join(
        f"Sentence {n} ends." for n in map("abcdefghijklmnopqrstuvwxyz".__getitem__, range(count))
    )


def test_windows_share_one_sentence_and_none_only_repeats():
    assert [words(text) // 3 for text in texts(window_chunks(numbered(10)))] == [10]
    assert texts(window_chunks(numbered(10), as_printed=True))[1:] == ["Sentence j ends."]
    first, second = window_chunks(numbered(11))
    assert (first.text[-16:], second.text) == ("Sentence j ends.", "Sentence j ends. Sentence k ends.")
    assert texts(window_chunks("One. \n\nTwo.")) == ["One.", "Two."]


def test_a_step_that_leaves_sentences_out_is_refused():
    with pytest.raises(ValueError, match="a step of 11 sentences does not fit a window of 10"):
        window_chunks("One.", step=11)


def test_segments_as_meant_and_as_printed():
    text = "A short line.\n\nThis one is far too long for it. Two words. Two more. The end is here."
    assert texts(segment_chunks(text, 506, words)) == [
        "A short line.",
        "This one is far too long for it.",
        "Two words. Two more.",
        "The end is here.",
    ]
    assert texts(segment_chunks(text, 506, words, as_printed=True)) == [
        "A short line.",
        "",
        "",
        "This one is far too long for it.",
        "Two words. Two more.",
    ]


def test_the_authors_code_loses_long_sentences_and_the_last_chunk():
    text = "One two. Three four five six seven eight.\n\nNine ten. \\\\ Eleven twelve."
    assert repository_pieces(text, 505, words) == ["One two.", "Nine ten. ", " Eleven twelve."]
    assert repository_chunks("All of it fits.", 600, words) == []


documents = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            ["A sentence ends. ", "Does it? ", "\n", "\n\n", " e.g. this (Fig. 2). ", "\\\\", "\r\n"]
        ),
    ),
    max_size=40,
).map("".join)


@given(documents, st.integers(1, 12), st.integers(0, 11), st.booleans())
def test_no_window_loses_a_character(text, window, overlap, as_printed):
    step = max(1, window - overlap)
    chunks = window_chunks(text, window=window, step=step, as_printed=as_printed)
    assert_whole(text, chunks)


@given(documents, st.integers(1, 40))
def test_no_segment_loses_a_character(text, room):
    chunks = segment_chunks(text, 500 + room, words)
    assert_whole(text, chunks)
    assert "".join("".join(texts(chunks)).split()) == "".join(text.split())


def assert_whole(text, chunks):
    covered = set()
    for chunk in chunks:
        assert chunk.text.split() == text[chunk.start : chunk.end].split()
        covered |= set(range(chunk.start, chunk.end))
    assert "".join(text[n] for n in range(len(text)) if n not in covered).strip() == ""

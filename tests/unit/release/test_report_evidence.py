from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.release.report.evidence import MOST_CHARACTERS, Piece, Span, pieces_of, shortened

SPANS = st.lists(
    st.builds(Span, st.integers(-5, 40), st.integers(-5, 40), st.sampled_from(["core", "retrieval"]))
)


def test_evidence_is_marked_where_it_stands():
    assert pieces_of("Zinc rose. Iron fell.", [Span(0, 10, "core")]) == [
        Piece("Zinc rose.", ("core",)),
        Piece(" Iron fell.", ()),
    ]


def test_overlapping_evidence_is_marked_as_both():
    assert pieces_of("abcdef", [Span(0, 4, "core"), Span(2, 6, "retrieval")]) == [
        Piece("ab", ("core",)),
        Piece("cd", ("core", "retrieval")),
        Piece("ef", ("retrieval",)),
    ]


def test_offsets_count_characters_not_bytes():
    assert pieces_of("15 µg 𝛼 rose", [Span(6, 7, "core")])[1] == Piece("𝛼", ("core",))


@given(st.text(max_size=40), SPANS)
def test_no_character_is_lost_or_doubled(text, spans):
    assert "".join(piece.text for piece in pieces_of(text, spans)) == text


def test_of_a_long_paragraph_what_stands_by_the_evidence_is_kept():
    text = "a" * 10_000 + "EVIDENCE" + "b" * 10_000
    before, evidence, after = pieces_of(text, [Span(10_000, 10_008, "core")])
    assert evidence == Piece("EVIDENCE", ("core",))
    assert before.text.endswith("a" * 1_000)
    assert len(before.text) == len(after.text) < MOST_CHARACTERS + 10


def test_a_text_that_is_long_enough_is_left_alone():
    assert shortened("abcd", 4) == "abcd"
    assert shortened("abcdefgh", 4) == "ab […] gh"

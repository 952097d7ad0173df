"""Citing sentences and the references that they name."""

import re

from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.corpus.citation_mentions import CitationMention, citation_mentions
from aimsciqa_assets.reading.paper import Marker, Paragraph


def paragraph(text: str) -> Paragraph:
    """A paragraph from text with markers written as <shown|key key>."""
    plain, markers = "", []
    for piece in re.split(r"(<[^<>]*>)", text):
        if piece.startswith("<"):
            shown, _, keys = piece[1:-1].partition("|")
            markers.append(Marker(len(plain), len(plain) + len(shown), tuple(keys.split())))
            plain += shown
        else:
            plain += piece
    return Paragraph(text=plain, markers=markers)


def test_one_marker_makes_a_single_citation() -> None:
    text = paragraph("Rice grew. Millet was richer in iron <[3]|b3>. Wheat was not.")
    assert citation_mentions(text) == [
        CitationMention(
            start=11,
            end=41,
            sentence="Millet was richer in iron [3].",
            markers=("[3]",),
            reference_keys=("b3",),
            is_single=True,
        )
    ]


def test_a_repeated_marker_is_still_single() -> None:
    (mention,) = citation_mentions(paragraph("Rao <[3]|b3> saw it and Rao <[3]|b3> saw it again."))
    assert mention.markers == ("[3]", "[3]")
    assert mention.reference_keys == ("b3",)
    assert mention.is_single


def test_several_references_are_not_single() -> None:
    text = "A range <[3]-[5]|b3 b4 b5> it is. Two are <[3]|b3>, <[1]|b1>."
    ranged, two = citation_mentions(paragraph(text))
    assert (ranged.reference_keys, ranged.is_single) == (("b3", "b4", "b5"), False)
    assert (two.reference_keys, two.is_single) == (("b3", "b1"), False)


def test_a_list_that_leads_nowhere_in_part_is_not_single() -> None:
    for shown in ("[1–400]", "[8, 12]", "(8 to 12)", "8-12"):
        (mention,) = citation_mentions(paragraph(f"It is <{shown}|b8> so."))
        assert (mention.reference_keys, mention.is_single) == (("b8",), False)
    (mention,) = citation_mentions(paragraph("It is so (<Rao, 2010: 22–23|b8>)."))
    assert mention.is_single


def test_a_marker_without_reference_makes_the_sentence_not_single() -> None:
    known_and_not, unknown = citation_mentions(paragraph("Both <[3]|b3> and <[9]|> say so. It is <[9]|>."))
    assert (known_and_not.reference_keys, known_and_not.is_single) == (("b3",), False)
    assert (unknown.reference_keys, unknown.is_single) == ((), False)


def test_a_marker_behind_the_stop_belongs_to_the_sentence_before() -> None:
    for text, first in [
        ("It grew.<[3]|b3> It died.", "It grew.[3]"),
        ("It grew. <[3]|b3> It died.", "It grew. [3]"),
        ("It grew.<3|b3> It died.", "It grew.3"),
        ("It grew. <3|b3> It died.", "It grew. 3"),
        ("It grew. (<3|b3>) It died.", "It grew. (3)"),
        ("It grew. <(3)|b3> It died.", "It grew. (3)"),
        ("It grew. <[3 to 3]|b3 b4> It died.", "It grew. [3 to 3]"),
        ("It grew. <3 through 5|b3 b4> It died.", "It grew. 3 through 5"),
        ("It grew. <(3 to 5)|b3 b4> It died.", "It grew. (3 to 5)"),
        ("It grew. <[3, 4 and 7]|b3 b4> It died.", "It grew. [3, 4 and 7]"),
        ("It grew. (<Rao et al., 2010|b3>) It died.", "It grew. (Rao et al., 2010)"),
        ("It grew by 5 %. <3|b3>", "It grew by 5 %. 3"),
    ]:
        (mention,) = citation_mentions(paragraph(text))
        assert mention.sentence == first
        assert mention.is_single == (len(mention.reference_keys) == 1)


def test_a_marker_that_opens_a_sentence_stays_in_it() -> None:
    (mention,) = citation_mentions(paragraph("It grew. <Rao et al. (2010)|b1> saw it die."))
    assert mention.sentence == "Rao et al. (2010) saw it die."
    (mention,) = citation_mentions(paragraph("It grew. <[3]|b3> saw it die."))
    assert mention.sentence == "[3] saw it die."


def test_a_marker_across_two_sentences_belongs_to_the_first() -> None:
    text = "It grew well here. It died there."
    crossing = Paragraph(text=text, markers=[Marker(13, 22, ("b1",))])
    (mention,) = citation_mentions(crossing)
    assert mention.sentence == "It grew well here."
    assert mention.markers == ("here. It ",)


def test_markers_in_any_order_give_sentences_in_order() -> None:
    text = paragraph("One <[1]|b1>. Two <[2]|b2>. Three <[3]|b3>.")
    text.markers.reverse()
    assert [mention.sentence for mention in citation_mentions(text)] == ["One [1].", "Two [2].", "Three [3]."]


def test_no_markers_no_mentions() -> None:
    assert citation_mentions(Paragraph(text="Nobody said so.")) == []
    assert citation_mentions(Paragraph(text="  ", markers=[Marker(0, 1, ("b1",))])) == []


@given(
    st.text(alphabet="Ab. 3[]()\n", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9), st.sampled_from([(), ("b1",), ("b1", "b2")]))),
)
def test_every_marker_in_visible_text_is_in_one_mention(
    text: str, places: list[tuple[int, int, tuple[str, ...]]]
) -> None:
    markers = [
        Marker(min(start, len(text)), min(start + length, len(text)), keys) for start, length, keys in places
    ]
    mentions = citation_mentions(Paragraph(text=text, markers=markers))
    assert sum(len(mention.markers) for mention in mentions) == (len(markers) if text.strip() else 0)
    end_before = 0
    for mention in mentions:
        assert end_before <= mention.start < mention.end <= len(text)
        assert mention.sentence == text[mention.start : mention.end]
        end_before = mention.end

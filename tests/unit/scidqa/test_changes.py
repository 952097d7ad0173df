"""Two versions of a manuscript aligned: what was added, removed, altered, and what stayed."""

from collections import Counter

import pytest

from aimsciqa_assets.corpus.rows import paper_rows
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.pdf.reader import parse_pdf
from aimsciqa_assets.scidqa.manuscripts.changes import aligned, change_rows
from aimsciqa_assets.scidqa.manuscripts.parts import Part, both_versions, parts_of
from tests.drawn_papers import drawn_paper
from tests.manuscripts import FINAL, INITIAL

TABLES = ("corpus.sections", "corpus.paragraphs", "corpus.references")


def changes(*papers) -> list[dict]:
    rows = [
        paper_rows(paper, file_id="0" * 64, file_name="a", batch="b", given_id=f"f.{version}")
        for paper, version in zip(papers, ("initial", "final"), strict=True)
    ]
    frames = [frame_of(table, [row for of in rows for row in of[table]]) for table in TABLES]
    return list(change_rows("b", "f", ("f.initial", "f.final"), parts_of(*frames)))


def test_each_part_of_two_versions_is_told():
    found = changes(parse_jats(INITIAL), parse_jats(FINAL))
    told = [(row["kind"], row["name"][:24], row["change"]) for row in found]
    assert told == [
        ("section", "Abstract", "same"),
        ("section", "1 Introduction", "changed"),
        ("section", "3 Experiments", "same"),
        ("section", "3 Limitations", "removed"),
        ("section", "2 Training", "added"),
        ("paragraph", "We study sparse attentio", "same"),
        ("paragraph", "Attention is costly for ", "same"),
        ("paragraph", "Earlier work was limited", "changed"),
        ("paragraph", "We trained on eight thou", "same"),
        ("paragraph", "The learning rate was fo", "same"),
        ("paragraph", "Nothing is known about o", "removed"),
        ("paragraph", "A word about seeds: ever", "added"),
        ("figure", "Figure 1. Loss over step", "same"),
        ("figure", "Figure 2. Memory that ea", "added"),
        ("table", "Table 1. Accuracy of fiv", "changed"),
        ("reference", "Dense attention over ver", "same"),
    ]
    similar = {row["name"][:12]: row["similarity"] for row in found if row["change"] == "changed"}
    assert 0.9 < similar["Earlier work"] < 1
    assert len({row["change_id"] for row in found}) == len(found)


def test_a_pdf_compared_with_itself_is_the_same_in_every_kind():
    paper = parse_pdf(drawn_paper())
    found = Counter((row["kind"], row["change"]) for row in changes(paper, paper))
    assert {change for _, change in found} == {"same"}
    assert found["figure", "same"] == found["table", "same"] == 1
    assert found["reference", "same"] == 6


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a b c d"], ["a  b\nc d"], [(0, 0)]),
        (["same", "same"], ["same"], [(0, 0), (1, None)]),
        (["alpha beta gamma", "alpha beta delta"], ["alpha beta delta!"], [(1, 0), (0, None)]),
        ([], ["new"], [(None, 0)]),
        (["12345"], ["abcde"], [(0, None), (None, 0)]),
    ],
)
def test_equal_texts_go_first_then_the_most_similar_ones(before, after, expected):
    old = [Part(str(place), "", text) for place, text in enumerate(before)]
    new = [Part(str(place), "", text) for place, text in enumerate(after)]
    found = [
        (old.index(one) if one else None, new.index(other) if other else None)
        for one, other, _ in aligned(old, new, "paragraph")
    ]
    assert found == expected


def test_forums_with_one_version_are_not_compared():
    row = {"batch": "b", "file_id": "x", "file_name": "x", "same_as_initial": False, "uploaded": None}
    rows = [
        row | {"forum_id": forum, "version": version, "paper_id": f"{forum}.{version}"}
        for forum, version in (("a", "initial"), ("b", "final"), ("c", "final"), ("c", "initial"))
    ]
    assert both_versions(frame_of("scidqa.manuscripts", rows)) == {"c": ("c.initial", "c.final")}

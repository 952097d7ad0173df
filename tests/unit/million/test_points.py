"""Measured points become drivers and quantities; rules that laws rest on are those of the code."""

import polars as pl
import pytest

from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory
from benchmarks.million.growth import Point
from benchmarks.million.points import divided, keywords_point, more_parts, most_questions, parts_of, reached


@pytest.mark.parametrize("most", [7, 100, 1_000, 10_000])
def test_parts_by_the_rule_are_those_that_the_step_makes(most):
    papers, sources, questions = 400, 20, 5
    names = [f"p{number:03}" for number in range(papers)]
    # Every second paper is a candidate of a source.
    targets = names[::2]
    candidates = pl.DataFrame(
        [(source, target) for source in names[:sources] for target in targets if source != target],
        schema=["source_paper_id", "target_paper_id"],
        orient="row",
    )
    counted = pl.DataFrame({"paper_id": names, "questions": [questions] * papers})
    made = sum(1 for _ in parts_in_memory(candidates, counted, most))
    share = 1 - 0.5 ** (1 / sources)  # so that half of the papers are candidates of some source
    by_the_rule = parts_of(papers, papers / sources, questions, share, most) / (papers / sources)
    assert by_the_rule == pytest.approx(made, rel=0.05)


def test_memory_has_room_for_so_many_vectors():
    assert most_questions(128, 384) == pytest.approx(87_381, abs=1)


def test_candidates_of_a_batch_stand_for_those_of_all():
    point = keywords_point(
        {
            "papers": 1000,
            "sources": 50,
            "candidates": 150,
            "questions": 4000,
            "questions_at_once": 100,
            "parts": 6,
            "peak_memory_mb": 2,
        }
    )
    assert point.quantities == {"candidates": 3000, "parts": 20 * 6, "bytes of memory": 2e6}
    assert (point.drivers["batches"], point.drivers["candidates of a batch"]) == (20, 150)
    # Of 950 targets 14 % are reached, with 4 questions each.
    assert point.drivers["parts by the rule"] == 20 * 6


def test_the_first_part_of_a_batch_reads_nothing_again():
    assert more_parts(100, 10, 10) == {"more parts": 0, "papers read again": 0}
    assert more_parts(100, 10, 13) == {"more parts": 3, "papers read again": 30}


def test_batches_are_reached_if_one_of_their_papers_is_a_candidate():
    assert reached(100, 10, 1.0) == {"batches reached": 100, "papers reached": 1000}
    assert reached(100, 10, 0.0) == {"batches reached": 10, "papers reached": 100}
    few = reached(8, 4, 0.5)["batches reached"]
    assert few == pytest.approx(4 + 4 * 3 * (1 - 0.5**4))


def test_points_with_more_papers_or_more_batches_are_the_larger_ones():
    few, many_papers, many_batches, elsewhere = (
        Point({"papers": 10.0, "batches": 2.0}, {}),
        Point({"papers": 11.0, "batches": 2.0}, {}),
        Point({"papers": 10.0, "batches": 3.0}, {}),
        Point({"papers": 9.0}, {}),
    )
    points = [few, many_papers, many_batches, elsewhere]
    assert divided(points, 10, 2) == ([few, elsewhere], [many_papers, many_batches])
    assert divided(points, 10) == ([few, many_batches, elsewhere], [many_papers])

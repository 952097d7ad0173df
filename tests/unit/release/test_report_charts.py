from lxml import etree

from aimsciqa_assets.release.report.charts import UNIT, axis, bar, dumbbell, scale_of, stack


def drawn(markup) -> list[tuple[str, dict]]:
    """The parts of a picture, without its title and grid."""
    parts = etree.fromstring(str(markup))
    return [(part.tag, dict(part.attrib)) for part in parts if part.get("class") not in {None, "grid"}]


def test_an_axis_has_round_ticks_and_holds_zero_and_all_values():
    assert scale_of([2.33, 0.19]).ticks == (0.0, 1.0, 2.0, 3.0)
    assert scale_of([100, 5]).ticks == (0.0, 25.0, 50.0, 75.0, 100.0)
    assert scale_of([-0.25, 0.625]).ticks == (-0.25, 0.0, 0.25, 0.5, 0.75)
    assert scale_of([1e-9]).high >= 1e-9
    assert scale_of([]) == scale_of([None, float("nan"), 0.0]) == UNIT


def test_bars_begin_at_zero_and_intervals_lie_over_them():
    scale = scale_of([-0.25, 0.625])
    assert drawn(bar(0.5, scale, "b"))[0][1] | {"y": ""} == {
        "class": "bar",
        "x": "25.0%",
        "y": "",
        "width": "50.0%",
        "height": "12",
    }
    assert drawn(bar(-0.25, scale, "b"))[0][1]["x"] == "0.0%"
    across = drawn(bar(0.5, UNIT, "b", 0.25, 0.75))[1][1]
    assert (across["x1"], across["x2"]) == ("25.0%", "75.0%")


def test_what_is_not_known_is_not_drawn():
    assert drawn(bar(None, UNIT, "b")) == drawn(bar(float("nan"), UNIT, "b")) == []
    assert [part["class"] for _, part in drawn(dumbbell(0.5, None, UNIT, "d"))] == ["dot"]
    assert [part["class"] for _, part in drawn(dumbbell(0.5, 0.25, UNIT, "d"))] == ["link", "dot", "ring"]
    assert [part["width"] for _, part in drawn(stack([("good", 0), ("bad", 0)], "s"))] == ["0.0%", "0.0%"]


def test_what_lies_beyond_the_axis_stands_at_its_edge():
    assert UNIT.place(1.5) == 100
    assert UNIT.place(-1) == 0


def test_a_stack_is_divided_in_proportion():
    parts = drawn(stack([("good", 1), ("bad", 3)], "s"))
    assert [(part["class"], part["x"], part["width"]) for _, part in parts] == [
        ("good", "0.0%", "25.0%"),
        ("bad", "25.0%", "75.0%"),
    ]


def test_every_picture_says_what_it_shows_and_texts_are_escaped():
    picture = bar(0.5, UNIT, "</title><script>a & b")
    assert etree.fromstring(str(picture)).findtext("title") == "</title><script>a & b"
    assert "<script" not in picture
    assert etree.fromstring(str(axis(UNIT))).xpath("string()") == "00.250.50.751"

from aimsciqa_assets.airqa.extractor.quotas import Plan, Quota, planned, shares
from aimsciqa_assets.settings.extractor import ExtractorSettings

PLENTY = dict.fromkeys(("text", "table", "image", "formula", "sections"), 1000)


def test_shares_add_up_and_follow_the_weights():
    assert shares(10, {"a": 6, "b": 3, "c": 1}) == {"a": 6, "b": 3, "c": 1}
    assert shares(3, {"a": 1, "b": 1}) == {"a": 2, "b": 1}
    assert shares(5, {"a": 1, "b": 0}) == {"a": 5, "b": 0}
    assert shares(0, {"a": 1}) == {"a": 0}


def test_what_has_no_room_goes_to_the_others_and_stays_wanted_where_nothing_has():
    assert shares(10, {"a": 1, "b": 1}, {"a": 2, "b": 100}) == {"a": 2, "b": 8}
    assert shares(10, {"a": 1, "b": 1}, {"a": 2, "b": 2}) == {"a": 5, "b": 5}


def test_a_multiple_example_needs_two_more_singles():
    chosen = ExtractorSettings(examples=12, elements="text:1 table:1")
    assert planned(chosen, PLENTY) == Plan(
        (
            Quota("single", "text", 2, 3),
            Quota("single", "table", 1, 3),
            Quota("comprehensive", "text", 2),
            Quota("comprehensive", "table", 1),
            Quota("retrieval", None, 3),
        ),
        3,
    )


def test_an_element_that_the_store_lacks_is_not_wanted():
    chosen = ExtractorSettings(examples=4, kinds="single:1", elements="text:1 formula:1")
    assert planned(chosen, {"text": 50}).quotas == (Quota("single", "text", 4),)


def test_without_examples_nothing_is_wanted():
    assert planned(ExtractorSettings(), PLENTY) == Plan((), 0)

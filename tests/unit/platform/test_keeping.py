from aimsciqa_assets.platform.keeping import Kept


def test_what_is_kept_is_read_again_in_any_order_and_leaves_no_file(tmp_path):
    kept = Kept[object](tmp_path)
    assert [kept.add(one) for one in ({"a": [1, None]}, "half a pair \ud83d", 3.5)] == [0, 1, 2]
    assert kept[2] == 3.5
    assert kept.add((True,)) == 3
    assert (kept[3], kept[1], kept[0]) == ((True,), "half a pair \ud83d", {"a": [1, None]})
    assert list(tmp_path.iterdir()) == []

from aimsciqa_assets.platform.fingerprints import Record, Records, digest, is_current

from aimsciqa_assets.platform.frames import frame_of

RECORD = Record("t", "b1", fingerprint="f", own="o", inputs="i", seen=frozenset({"b1"}), rows=3)


def current(record=RECORD, *, fingerprint="f", own="o", needed=(), refresh=False) -> bool:
    return is_current(record, fingerprint=fingerprint, own=own, needed=frozenset(needed), refresh=refresh)


def test_what_was_never_written_is_not_current():
    assert not current(None)


def test_the_same_determinants_are_current():
    assert current()
    assert current(refresh=True)


def test_papers_ingested_later_leave_a_finished_batch_alone_unless_it_is_refreshed():
    assert current(fingerprint="more targets", needed={"b1"})
    assert not current(fingerprint="more targets", needed={"b1"}, refresh=True)


def test_a_batch_that_missed_a_sibling_is_unfinished():
    assert not current(fingerprint="more targets", needed={"b1", "b2"})


def test_a_change_of_its_own_makes_a_batch_stale():
    assert not current(fingerprint="g", own="p", needed={"b1"})


def test_the_digest_is_the_same_for_every_order_of_keys():
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_records_are_found_by_batch_or_for_the_whole_table():
    rows = [
        {
            "table_name": "t",
            "batch": "b1",
            "fingerprint": "f1",
            "own": "o",
            "inputs": "i",
            "seen": ["b1"],
            "rows": 1,
        },
        {
            "table_name": "u",
            "batch": "",
            "fingerprint": "f2",
            "own": "o",
            "inputs": "i",
            "seen": [],
            "rows": 1,
        },
    ]
    records = Records(frame_of("ops.materializations", rows))
    assert records.get("t", "b1").fingerprint == "f1"
    assert records.get("t", "b2") is None
    assert records.get("u", "b2").fingerprint == "f2"
    assert records.fingerprints("t", "") == {"b1": "f1"}
    assert records.fingerprints("t", "b2") == {}

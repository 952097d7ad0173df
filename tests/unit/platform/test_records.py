"""The records of what was written, found by table and part."""

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.records import Records


def test_records_are_found_by_part_or_for_the_whole_table():
    common = {"own": "o", "inputs": "i", "rows": 1, "determinants": None, "lacking": None}
    rows = [
        {"table_name": "t", "part": "b1", "fingerprint": "f1", "seen": ["b1"], **common},
        {"table_name": "u", "part": "", "fingerprint": "f2", "seen": [], **common},
    ]
    records = Records(frame_of("ops.materializations", rows))
    assert records.get("t", "b1").fingerprint == "f1"
    assert records.get("t", "b1").determinants == ""
    assert records.get("t", "b2") is None
    assert records.get("u", "b2").fingerprint == "f2"
    assert records.fingerprints("t", "") == {"b1": "f1"}
    assert records.fingerprints("t", "b2") == {}
    assert records.any_of(["u", "t"], "b1")
    assert not records.any_of(["t"], "b2")
    assert not records.any_of(["t"], "")

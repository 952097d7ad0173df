import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.kept_rows import KeptRows, in_memory
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, write_rows

TABLE = "extractor.verdicts"


def row(number: int, batch: str = "b1") -> dict[str, str | None]:
    return {
        "example_id": f"{number:04d}",
        "batch": batch,
        "filter": "keeps_the_title",
        "verdict": "none" if number % 2 else "passed",
        "detail": "half a pair \ud83d" if number == 3 else None,
    }


def test_rows_come_back_in_the_order_of_their_key_and_leave_no_file(tmp_path):
    kept = KeptRows(TABLE, tmp_path / "unfinished")
    assert kept.frame().equals(frame_of(TABLE, []))
    numbers = [(7 * number) % 1201 for number in range(1201)]
    kept.add(row(number) for number in numbers[:700])
    assert kept.frame()["example_id"].to_list() == sorted(f"{number:04d}" for number in numbers[:700])
    kept.add(row(number) for number in numbers[700:])
    assert kept.height == 1201
    assert [frame.height for frame in kept.frames()] == [500, 500, 201]
    expected = frame_of(TABLE, [row(number) for number in range(1201)])
    assert in_memory(kept).equals(expected)
    assert in_memory(expected) is expected
    assert kept.frame()["detail"][3] == "half a pair \\ud83d"
    assert list((tmp_path / "unfinished").iterdir()) == []


def test_a_kept_row_with_other_columns_is_an_error(tmp_path):
    kept = KeptRows(TABLE, tmp_path)
    kept.add([row(1) | {"more": "text"}])
    with pytest.raises(ValueError, match=r"extractor.verdicts: columns differ: \['more'\]"):
        kept.frame()


def test_kept_rows_take_the_place_of_those_of_their_part(tmp_path):
    warehouse = Warehouse(database=str(tmp_path / "w.duckdb"))
    create_tables(warehouse)

    def write(batch: str, *numbers: int) -> None:
        kept = KeptRows(TABLE, tmp_path)
        kept.add(row(number, batch) for number in numbers)
        record = Record(TABLE, batch, "f", "f", "", frozenset(), kept.height)
        write_rows(warehouse, {TABLE: kept}, batch, [record])

    write("b1", *range(800))
    write("b2", 900)
    write("b1", 3, 1)
    assert warehouse.read(f"select batch, example_id from {TABLE}").rows() == [
        ("b2", "0900"),
        ("b1", "0001"),
        ("b1", "0003"),
    ]
    write("b1")
    assert warehouse.read("select part, rows from ops.materializations order by part").rows() == [
        ("b1", 0),
        ("b2", 1),
    ]
    assert warehouse.read(f"select batch from {TABLE}")["batch"].to_list() == ["b2"]

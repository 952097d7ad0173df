"""Which items may be released."""

import pytest
from aimsciqa_resources.warehouse import Write

from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings import Settings, SettingsError
from aimsciqa_assets.tables import TABLES
from tests.release_corpus import Corpus, item, pair

pytestmark = pytest.mark.slow


def fates(home, corpus: Corpus, environment=None) -> dict[str, str | None]:
    warehouse, _ = corpus.write(home, environment)
    rows = warehouse.read("select item_id, rejection_reason, released from release.items order by item_id")
    assert rows.filter(rows["released"] != rows["rejection_reason"].is_null()).is_empty()
    return dict(rows.select("item_id", "rejection_reason").iter_rows())


def test_licences_of_source_and_target_decide(tmp_path):
    assert fates(tmp_path, Corpus()) == {
        "i1": None,
        "i2": None,
        "i3": None,
        "i4": "source_no_derivatives",
        "i5": "target_licence_unknown",
    }
    assert set(fates(tmp_path, Corpus(), {"AIMSCIQA_RELEASE_ANY_LICENCE": "true"}).values()) == {None}


def test_a_paper_that_is_gone_takes_its_items_with_it(tmp_path):
    corpus = Corpus()
    del corpus.licences[4]
    assert fates(tmp_path, corpus)["i2"] == "target_gone"


GATES = [
    {"item_id": "i1", "gate": "closed_book", "verdict": "fail"},
    {"item_id": "i2", "gate": "unique_retrieval", "verdict": "fail"},
    {"item_id": "i3", "gate": "single_document", "verdict": "unknown"},
    {"item_id": "i3", "gate": "closed_book", "verdict": "unknown"},
    {"item_id": "i4", "gate": "no_duplicate", "verdict": "fail"},
]


@pytest.mark.parametrize(
    ("environment", "failed"),
    [
        ({}, {"i1": "failed_closed_book"}),
        ({"AIMSCIQA_RELEASE_GATES": ""}, {}),
        ({"AIMSCIQA_RELEASE_GATES": "unique_retrieval"}, {"i2": "failed_unique_retrieval"}),
    ],
    ids=["default", "none", "another"],
)
def test_only_the_gates_of_the_settings_count_and_what_is_unknown_passes(tmp_path, environment, failed):
    refused = {"i4": "source_no_derivatives", "i5": "target_licence_unknown"}
    expected = {"i1": None, "i2": None, "i3": None} | refused | failed
    assert fates(tmp_path, Corpus(gates=GATES), environment) == expected


def test_an_item_that_failed_several_gates_has_the_first_as_its_reason(tmp_path):
    gates = [
        {"item_id": "i1", "gate": gate, "verdict": "fail"}
        for gate in ("single_document", "no_duplicate", "closed_book")
    ]
    assert fates(tmp_path, Corpus(gates=gates))["i1"] == "failed_closed_book"


def test_a_misspelt_gate_is_no_gate_that_lets_everything_pass():
    with pytest.raises(SettingsError, match="AIMSCIQA_RELEASE_GATES='closed-book'"):
        Settings.preset_of("demo", {"AIMSCIQA_RELEASE_GATES": "closed-book"})


TEST_ITEM = item(1, source=1, target=2, split="test")


@pytest.mark.parametrize(
    "dev",
    [
        item(2, source=1, target=5, variant="cim"),
        item(2, source=2, target=1),
        item(2, source=4, target=2, core_target=TEST_ITEM["core_target"]),
        item(2, source=4, target=2, core_target=TEST_ITEM["retrieval"]),
        item(2, source=4, target=1, retrieval=TEST_ITEM["core_source"]),
    ],
    ids=["source, other variant", "both papers", "core pair", "its retrieval pair", "in another role"],
)
def test_what_a_test_item_rests_on_keeps_dev_items_out(tmp_path, dev):
    assert fates(tmp_path, Corpus(items=[TEST_ITEM, dev])) == {"i1": None, "i2": "leaks_into_test"}


def test_the_same_target_by_other_evidence_is_no_leak(tmp_path):
    other = item(2, source=4, target=2, core_target=pair(2, 3, 0), retrieval=pair(2, 3, 1))
    assert fates(tmp_path, Corpus(items=[TEST_ITEM, other])) == {"i1": None, "i2": None}


def test_evidence_that_overlaps_is_the_same_evidence(tmp_path):
    other = item(2, source=4, target=2, core_target=pair(2, 3, 0), retrieval=pair(2, 3, 1))
    corpus = Corpus(items=[TEST_ITEM, other])
    warehouse, _ = corpus.write(tmp_path)
    paragraph = "'t2-1'"
    with warehouse.get_connection() as connection:
        # A pair of the dev item that ends one character inside the test item's evidence, then just before it.
        (start,) = connection.execute(
            f"select evidence_start from single_hop.qa_pairs where qa_id = '{TEST_ITEM['core_target']}'"
        ).fetchall()[0]
        for end, expected in ((start + 1, 1), (start, 0)):
            connection.execute(
                f"update single_hop.qa_pairs set paragraph_id = {paragraph}, evidence_start = 0, "
                f"evidence_end = {end} where qa_id = '{pair(2, 3, 0)}'"
            )
            assert leaking(connection) == expected


def leaking(connection) -> int:
    query = query_of("release.items")
    rows = connection.sql(query.text, params=dict(query.parameters(Settings.preset_of("demo", {})))).pl()
    return rows["rejection_reason"].to_list().count("leaks_into_test")


def test_a_test_item_that_is_not_released_keeps_nobody_out(tmp_path):
    unreleased = item(1, source=1, target=9, split="test")
    dev = item(2, source=1, target=5, variant="cim")
    assert fates(tmp_path, Corpus(items=[unreleased, dev])) == {"i1": "target_no_derivatives", "i2": None}


def test_a_sentence_of_evidence_may_be_shared_where_only_facts_are_kept_apart(tmp_path):
    test, dev = item(1, source=1, target=2, split="test"), item(4, source=3, target=2)
    corpus = Corpus(items=[test, dev])
    assert fates(tmp_path / "evidence", corpus) == {"i1": None, "i4": "leaks_into_test"}
    facts = {"AIMSCIQA_MULTI_HOP_KEPT_APART": "facts"}
    assert fates(tmp_path / "facts", corpus, facts) == {"i1": None, "i4": None}


RECORDS = """
insert into ops.materializations by name
select *, '' as part, '' as own, '' as inputs, []::varchar[] as seen, 0 as rows
from (values
    ('multi_hop.splits', 'abcdefghij', '{}'),
    ('multi_hop.statistics', 'uvwxyz', '{"multi_hop.splits": "abcdefgh"}'),
    ('release.items', 'klmnopqrst', '{"multi_hop.splits": "abcdefgh"}')
) as made(table_name, fingerprint, determinants)
"""


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("", []),
        (
            "delete from multi_hop.splits where item_id = 'i1'",
            ["another number in Table 3", "an accepted item"],
        ),
        ("update release.items set split = 'dev' where item_id = 'i2'", ["another split in the release"]),
        (
            "update release.items set rejection_reason = 'leaks_into_test' where item_id = 'i2'",
            ["another split"],
        ),
        ("update multi_hop.statistics set items = items + 1", ["another number"] * 3),
    ],
)
def test_splits_table_3_and_release_are_compared(tmp_path, damage, found):
    warehouse, settings = Corpus().write(tmp_path)
    table = query_of("multi_hop.statistics")
    rows = as_declared("multi_hop.statistics", warehouse.read(table.text, table.parameters(settings)))
    warehouse.replace([Write("multi_hop.statistics", TABLES["multi_hop.statistics"].ddl(), rows, {})])
    with warehouse.get_connection() as connection:
        connection.execute(RECORDS)
        connection.execute(damage or "select 1")
    query = query_of("tests.splits_table_3_and_release_count_the_same_items")
    problems = warehouse.read(query.text, query.parameters(settings))["what"].to_list()
    assert len(problems) == len(found)
    assert all(any(problem.startswith(one) for problem in problems) for one in found)


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        (
            "update release.items set released = true, rejection_reason = null where item_id = 'i4'",
            "released_items_come_from_releasable_papers",
        ),
        (
            "update release.items set released = false where item_id = 'i1'",
            "released_items_come_from_releasable_papers",
        ),
        (
            "update release.items set split = 'test' where item_id = 'i6'",
            "released_dev_items_do_not_leak_into_test",
        ),
    ],
)
def test_the_sql_checks_find_damage(tmp_path, damage, check):
    corpus = Corpus()
    corpus.items.append(item(6, source=1, target=8))
    warehouse, settings = corpus.write(tmp_path)
    query = query_of(f"tests.{check}")
    assert warehouse.read(query.text, query.parameters(settings)).is_empty()
    with warehouse.get_connection() as connection:
        connection.execute(damage)
    assert warehouse.read(query.text, query.parameters(settings)).height == 1

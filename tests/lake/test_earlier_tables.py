"""Tables that an earlier version made in a lake are altered as those of a file are."""

# ruff: noqa: F401
import pytest
from aimsciqa_resources.warehouse import Warehouse

from tests.unit.resources.test_earlier_tables import (
    prepared,
    test_a_column_of_another_type_keeps_the_values_that_fit,
    test_a_column_that_is_declared_no_more_goes_or_is_kept_where_it_cannot_be_made_again,
    test_a_column_with_another_name_keeps_its_values,
    test_a_missing_table_is_made_but_for_one_that_waits_for_its_rows,
    test_a_new_column_is_null_and_the_records_of_all_parts_name_it,
    test_a_program_that_was_there_before_the_upgrade_writes_no_more,
    test_a_second_upgrade_adds_to_what_the_rows_lack,
    test_a_value_that_cannot_be_made_again_is_not_lost_and_nothing_is_altered,
    test_a_wider_set_of_words_is_another_form,
    test_an_older_program_is_told_and_alters_nothing,
    test_every_form_of_the_tables_is_counted_once,
    test_rows_that_cannot_be_made_again_are_never_due,
    test_tables_from_before_they_were_counted_are_of_the_first_form,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def warehouse(lake) -> Warehouse:
    return prepared(lake)

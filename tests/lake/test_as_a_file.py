"""A lake does what a file does: the same tests, with a lake in the place of the file."""

# ruff: noqa: F401
import pytest

from tests.unit.resources.test_warehouse import (
    test_a_failed_write_changes_nothing_and_frees_the_lock,
    test_a_file_takes_the_place_of_a_table_or_nothing_does,
    test_a_long_result_comes_in_small_frames,
    test_a_partition_is_replaced_and_the_others_stay,
    test_a_snapshot_is_whole_and_an_open_reader_keeps_the_old_one,
    test_a_variable_of_the_program_is_no_table,
    test_parameters_are_named,
    test_reading_before_anything_was_ingested_says_what_to_do,
    test_reading_cannot_change_anything,
    test_rows_of_a_file_take_the_place_of_those_they_agree_with,
    test_threads_take_turns,
    test_vectors_keep_their_length,
    test_vectors_of_another_length_are_refused_with_advice,
)

pytestmark = pytest.mark.slow

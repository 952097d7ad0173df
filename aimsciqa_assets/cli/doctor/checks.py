"""All checks, in the order in which they are told: what others rest on stands first."""

from typing import Final

from aimsciqa_assets.cli.doctor.configured import prompts_are_whole, settings_are_valid
from aimsciqa_assets.cli.doctor.data import (
    journal_is_sound,
    stored_files_are_sound,
    warehouse_is_sound,
    warehouse_opens,
)
from aimsciqa_assets.cli.doctor.findings import Check
from aimsciqa_assets.cli.doctor.folders import (
    disk_has_room,
    files_are_ours,
    home_is_writable,
    nothing_is_left_over,
)
from aimsciqa_assets.cli.doctor.installed import (
    duckdb_fits,
    encoders_are_there,
    gpu_is_there,
    packages_fit,
    python_fits,
)
from aimsciqa_assets.cli.doctor.lake import catalogue_answers, lock_can_be_taken, rows_can_be_written
from aimsciqa_assets.cli.doctor.records import dagster_records_can_be_used
from aimsciqa_assets.cli.doctor.services import (
    clock_agrees,
    embedding_servers_answer,
    files_of_models_are_there,
    model_servers_answer,
)
from aimsciqa_assets.cli.doctor.shared import shared_place_works

CHECKS: Final[tuple[Check, ...]] = (
    Check("python", python_fits),
    Check("packages", packages_fit),
    Check("settings", settings_are_valid),
    Check("prompts", prompts_are_whole),
    Check("home", home_is_writable),
    Check("disk", disk_has_room),
    Check("owners", files_are_ours),
    Check("leftovers", nothing_is_left_over),
    Check("catalogue", catalogue_answers),
    Check("warehouse", warehouse_opens),
    Check("lock", lock_can_be_taken),
    Check("rows", rows_can_be_written),
    Check("duckdb", duckdb_fits),
    Check("blocks", warehouse_is_sound, reads_much=True),
    Check("journal", journal_is_sound, reads_much=True),
    Check("shared", shared_place_works),
    Check("files", stored_files_are_sound, reads_much=True),
    Check("dagster", dagster_records_can_be_used),
    Check("encoders", encoders_are_there),
    Check("gpu", gpu_is_there),
    Check("recordings", files_of_models_are_there),
    Check("models", model_servers_answer),
    Check("embedding", embedding_servers_answer),
    Check("clock", clock_agrees),
)

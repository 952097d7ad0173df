"""Notes and forums as assets, which come from outside: a file of threads, or OpenReview."""

from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.scidqa.intake.writing import FORUMS, NOTES, REJECTED
from aimsciqa_assets.tables import TABLES

_FROM = "From outside: `aimsciqa reviews import FILE` and `aimsciqa reviews fetch` bring them."

notes, forums, rejected_lines = (
    spec_of(TABLES[table], Step((table,)), _FROM) for table in (NOTES, FORUMS, REJECTED)
)

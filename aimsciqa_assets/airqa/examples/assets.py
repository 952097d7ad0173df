"""Examples as assets, which come from outside: `aimsciqa airqa examples FILE` brings them."""

from aimsciqa_assets.airqa.examples.taking import EXAMPLES, REJECTED
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.tables import TABLES

_FROM = "From outside: `aimsciqa airqa examples FILE` brings them from a file of AirQA's form."

examples, rejected_examples = (
    spec_of(TABLES[table], Step((table,)), _FROM) for table in (EXAMPLES, REJECTED)
)

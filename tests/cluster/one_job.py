"""A code location with a job of nothing, and one whose step asks a model in its own process."""

import dagster as dg

from aimsciqa_assets.orchestration.routing import gpu_tags


@dg.job
def nothing():
    pass


@dg.op(tags=gpu_tags("single_hop", {"AIMSCIQA_MODEL_BACKEND": "vllm"}))
def asks():
    pass


@dg.job
def asking():
    asks()


defs = dg.Definitions(jobs=[nothing, asking])

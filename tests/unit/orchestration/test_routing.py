import json

import dagster as dg

from aimsciqa_assets.aim_sciqa.multi_hop import assets as multi_hop
from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.orchestration.routing import gpu_run_tags, gpu_tags

GPU = {"container_config": {"resources": {"limits": {"nvidia.com/gpu": "1"}}}}


def test_only_a_step_with_the_model_in_process_needs_a_gpu():
    assert gpu_tags("", {"AIMSCIQA_MODEL_BACKEND": "vllm"}) == {}
    assert "dagster-k8s/config" not in gpu_tags("multi_hop", {})
    assert "dagster-k8s/config" not in gpu_tags("multi_hop", {"AIMSCIQA_MODEL_BACKEND": "server"})
    assert gpu_tags("multi_hop", {"AIMSCIQA_MODEL_BACKEND": "vllm"})["dagster-k8s/config"] == GPU
    mixed = {"AIMSCIQA_MODEL_BACKEND": "vllm", "AIMSCIQA_MULTI_HOP_MODEL_BACKEND": "server"}
    assert "dagster-k8s/config" not in gpu_tags("multi_hop", mixed)
    assert gpu_tags("single_hop", mixed)["dagster-k8s/config"] == GPU


def test_a_run_that_is_one_container_is_tagged_as_a_whole():
    assert gpu_run_tags("multi_hop", {"AIMSCIQA_MODEL_BACKEND": "server"}) == {}
    tags = gpu_run_tags("multi_hop", {"AIMSCIQA_MODEL_BACKEND": "vllm"})
    assert json.loads(tags["dagster-k8s/config"]) == GPU


def test_there_is_a_job_for_each_model():
    from aimsciqa_assets.definitions import build_definitions

    for task, table in (("single_hop", "single_hop/extractions"), ("multi_hop", "multi_hop/items")):
        job = build_definitions().resolve_job_def(f"ask_{task}_model")
        assert {key.to_user_string() for key in job.asset_layer.selected_asset_keys} == {table}


def test_steps_that_ask_a_model_are_in_the_gpu_pool():
    for asset in (single_hop.extractions, multi_hop.items):
        assert isinstance(asset, dg.AssetsDefinition)
        assert asset.op.pool == "gpu"
        assert asset.op.tags["aimsciqa/model"] in ("single_hop", "multi_hop")
    assert single_hop.encoded_pairs.op.pool is None


def test_the_backend_may_stand_in_the_settings_file(tmp_path):
    environment = {"AIMSCIQA_HOME": str(tmp_path)}
    (tmp_path / "aimsciqa.toml").write_text('[model]\nbackend = "vllm"\n[judge_model]\nbackend = "server"\n')
    assert gpu_run_tags("multi_hop", environment) != {}
    assert gpu_run_tags("judge", environment) == {}
    assert gpu_run_tags("multi_hop", environment | {"AIMSCIQA_MODEL_BACKEND": "server"}) == {}

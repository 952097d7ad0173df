"""`aimsciqa doctor` on what is installed: encoders, the GPU, packages, extensions of DuckDB."""

from dataclasses import dataclass

import pytest

from aimsciqa_assets.cli.doctor import installed
from aimsciqa_assets.cli.doctor.findings import Finding
from tests.doctor_home import found_by, the_fault

pytestmark = pytest.mark.slow


def test_an_encoder_that_is_not_there(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_ENCODER_MODEL", "nobody/has-this")
    monkeypatch.setenv("AIMSCIQA_ENCODER_REVISION", "abc")
    assert the_fault("encoders", home) == Finding(
        "problem",
        "nobody/has-this is not on this machine, and HF_HUB_OFFLINE=1 forbids to fetch it",
        "Fetch it where there is a network: `HF_HUB_OFFLINE=0 hf download nobody/has-this --revision abc`.",
    )


def test_an_encoder_without_its_weights(home, monkeypatch, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("AIMSCIQA_ENCODER_MODEL", str(tmp_path))
    fault = the_fault("encoders", home)
    assert fault.said == f"{tmp_path} holds no whole model: config.json or the weights are missing"


def test_a_gpu_that_torch_does_not_see(home, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(installed, "find_spec", lambda _: object())
    monkeypatch.setenv("AIMSCIQA_MODEL_BACKEND", "vllm")
    monkeypatch.setenv("AIMSCIQA_MODEL_NAME", "Qwen/Qwen2.5-7B-Instruct")
    fault = the_fault("gpu", home)
    assert fault.said.startswith("Qwen/Qwen2.5-7B-Instruct is to run in this process, and torch 2")
    assert fault.advice == (
        "Look at `nvidia-smi`; install a torch that is built for CUDA; give a container its GPU. Or ask a "
        "server: AIMSCIQA_MODEL_BACKEND=server."
    )


def test_a_gpu_that_only_vectors_would_take(home, monkeypatch):
    import torch

    monkeypatch.setattr(installed, "has_gpu_driver", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    fault = the_fault("gpu", home)
    assert fault.state == "warning"
    assert fault.said.startswith("a GPU driver is there, and torch 2")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: f"Card {number}")
    assert found_by("gpu", home) == [Finding("ok", "Card 0, Card 1, for vectors, similarities and training")]

    monkeypatch.setattr(installed, "has_gpu_driver", lambda: False)
    assert found_by("gpu", home) == [Finding("ok", "no setting asks for one")]


def test_a_package_of_another_version(home, monkeypatch):
    true = installed.version
    monkeypatch.setattr(installed, "version", lambda name: "0.10.0" if name == "duckdb" else true(name))
    assert the_fault("packages", home) == Finding(
        "problem",
        "duckdb is 0.10.0; <3,>=1.5.5 is needed",
        'Install what fits: `pip install --upgrade ".[platform]"`.',
    )


def test_an_extension_of_another_duckdb(home, monkeypatch):
    @dataclass
    class Wheel:
        version: str
        metadata: dict

    wheels = [Wheel("1.5.4", {"Name": "duckdb_extension_ducklake"})]
    monkeypatch.setattr(installed, "distributions", lambda: wheels)
    monkeypatch.setattr(installed, "version", lambda _: "1.5.5")
    assert the_fault("duckdb", home) == Finding(
        "problem",
        "DuckDB 1.5.5 loads no extension of another version: duckdb-extension-ducklake 1.5.4",
        'Install both as the extra says: `pip install ".[cluster]"`.',
    )

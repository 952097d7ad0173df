"""docker/kubernetes/: objects that Kubernetes knows, names that agree, the job that Dagster would submit."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import dagster
import pytest
import yaml

from aimsciqa_assets.orchestration.executors import chosen_executor
from aimsciqa_assets.orchestration.routing import gpu_run_tags
from aimsciqa_assets.settings import Settings
from tests.cluster import one_job
from tests.cluster.manifests import (
    FOLDER,
    documents,
    instance,
    misfits,
    must_pass_schemas,
    named,
    pods,
    settings,
)

ROOT = Path(__file__).parents[2]
NO_KUBERNETES = "needs dagster-k8s: `make test-cluster`, or pip install '.[kubernetes]'"
RUN_ID = "4b5a7a14-4d7a-4c0c-9d0e-3a1f4f1b0a5e"
OURS = {"code-location", "webserver", "daemon", "metrics"}
TYPES = {
    "Namespace": "V1Namespace",
    "ServiceAccount": "V1ServiceAccount",
    "Role": "V1Role",
    "RoleBinding": "V1RoleBinding",
    "PersistentVolumeClaim": "V1PersistentVolumeClaim",
    "Service": "V1Service",
    "Deployment": "V1Deployment",
    "StatefulSet": "V1StatefulSet",
    "NetworkPolicy": "V1NetworkPolicy",
    "Secret": "V1Secret",
}


def container(name: str) -> dict:
    (only,) = pods()[name]["spec"]["containers"]
    return only


def test_every_object_fits_the_types_of_kubernetes():
    pytest.importorskip("kubernetes", reason=NO_KUBERNETES)
    bad = [
        fault
        for one in documents()
        for fault in misfits(one, TYPES[one["kind"]], f"{one['kind']} {one['metadata']['name']}")
    ]
    assert bad == []
    assert len(documents()) == 24


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"replica": 2}, "it.spec.replica is unknown"),
        ({"replicas": "2"}, "it.spec.replicas is no int: '2'"),
        ({"selector": None}, "it.spec.selector is no V1LabelSelector"),
    ],
)
def test_a_manifest_with_a_fault_is_found(change, fault):
    pytest.importorskip("kubernetes", reason=NO_KUBERNETES)
    deployment = named("Deployment", "daemon")
    assert misfits(deployment | {"spec": deployment["spec"] | change}, "V1Deployment", "it") == [fault]


def test_every_object_passes_the_schemas_of_kubernetes():
    assert len(documents()) == 24
    must_pass_schemas(documents())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"replica": 2}, "'replica' was unexpected"),
        ({"replicas": "2"}, "'2' is not of type 'integer'"),
        ({"template": {"spec": {"containers": [{"image": "x"}]}}}, "'name' is a required property"),
    ],
)
def test_a_manifest_that_the_schemas_refuse_is_found(change, said):
    checking = pytest.importorskip("kubernetes_validate", reason=NO_KUBERNETES)
    deployment = named("Deployment", "daemon")
    with pytest.raises(checking.ValidationError, match=said):
        must_pass_schemas([deployment | {"spec": deployment["spec"] | change}])


def test_kustomize_takes_every_file_but_the_example_of_secrets():
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    files = {path.name for path in FOLDER.iterdir()}
    generated = {
        file for one in listed["configMapGenerator"] for file in [*one.get("files", []), *one.get("envs", [])]
    }
    assert files == {*listed["resources"], *generated, "kustomization.yaml", "secrets.example.yaml"}


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_renders_all_objects_in_one_namespace_with_one_image():
    rendered = subprocess.run(
        ["kubectl", "kustomize", str(FOLDER)], capture_output=True, text=True, check=True, timeout=60
    )
    made = list(yaml.safe_load_all(rendered.stdout))
    assert len(made) == 24 - 2 + 3  # without the secrets, with the maps
    must_pass_schemas(made)
    assert {one["metadata"].get("namespace", "aimsciqa") for one in made} == {"aimsciqa"}
    images = {
        one["metadata"]["name"]: one["spec"]["template"]["spec"]["containers"][0]["image"]
        for one in made
        if one["kind"] in ("Deployment", "StatefulSet")
    }
    assert images == dict.fromkeys(OURS, settings()["DAGSTER_JOB_IMAGE"]) | {
        "postgres": "postgres:17-alpine",
        "vllm": "vllm/vllm-openai:v0.32.0",
    }


def test_services_lead_to_ports_of_pods_that_are_there():
    services = [one for one in documents() if one["kind"] == "Service"]
    assert {one["metadata"]["name"] for one in services} == {
        *("code-location", "webserver", "metrics", "postgres", "vllm")
    }
    for service in services:
        name = service["metadata"]["name"]
        assert pods()[name]["metadata"]["labels"].items() >= service["spec"]["selector"].items()
        (port,) = service["spec"]["ports"]
        (open_port,) = container(name)["ports"]
        assert (port["targetPort"], port["port"]) == (open_port["name"], open_port["containerPort"])


def test_programs_and_settings_name_services_and_ports_that_are_there():
    ports = {
        one["metadata"]["name"]: one["spec"]["ports"][0]["port"]
        for one in documents()
        if one["kind"] == "Service"
    }
    (server,) = yaml.safe_load((FOLDER / "workspace.yaml").read_text())["load_from"]
    assert ports[server["grpc_server"]["host"]] == server["grpc_server"]["port"]
    assert settings()["DAGSTER_POSTGRES_HOST"] in ports
    host, port = re.fullmatch(r"http://([a-z-]+):(\d+)/v1", settings()["AIMSCIQA_MODEL_BASE_URL"]).groups()
    assert ports[host] == int(port)
    for name in OURS - {"daemon"}:
        assert str(ports[name]) in container(name)["command"]
    for one in documents():
        if one["kind"] == "NetworkPolicy" and (labels := one["spec"]["podSelector"].get("matchLabels")):
            (opened,) = one["spec"]["ingress"]
            assert opened["ports"] == [{"port": ports[labels["aimsciqa/role"]]}]


def test_every_secret_map_volume_and_account_that_is_named_is_there():
    maps = {
        one["name"]
        for one in yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["configMapGenerator"]
    }
    there = {(one["kind"], one["metadata"]["name"]) for one in documents()} | {
        ("ConfigMap", name) for name in maps
    }
    launcher = instance()["run_launcher"]["config"]
    wanted = {
        *(("Secret", name) for name in launcher["env_secrets"]),
        *(("ConfigMap", name) for name in (*launcher["env_config_maps"], launcher["instance_config_map"])),
        *(("ConfigMap", one["config_map"]["name"]) for one in launcher["volumes"] if "config_map" in one),
        ("PersistentVolumeClaim", launcher["volumes"][0]["persistent_volume_claim"]["claim_name"]),
        ("ServiceAccount", launcher["service_account_name"]),
        ("Namespace", launcher["job_namespace"]),
    }
    for pod in pods().values():
        spec = pod["spec"]
        wanted |= {("ServiceAccount", spec["serviceAccountName"])} if "serviceAccountName" in spec else set()
        for volume in spec.get("volumes", []):
            wanted |= {("ConfigMap", volume["configMap"]["name"])} if "configMap" in volume else set()
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            wanted |= {("PersistentVolumeClaim", claim)} if claim else set()
        for source in spec["containers"][0].get("envFrom", []):
            wanted |= {("ConfigMap", one["name"]) for kind, one in source.items() if kind == "configMapRef"}
            wanted |= {("Secret", one["name"]) for kind, one in source.items() if kind == "secretRef"}
        for variable in spec["containers"][0].get("env", []):
            for kind, one in variable.get("valueFrom", {}).items():
                secret = kind == "secretKeyRef"
                wanted |= {("Secret" if secret else "ConfigMap", one["name"])}
                held = named("Secret", one["name"])["stringData"] if secret else settings()
                assert one["key"] in held
    assert wanted <= there


def test_settings_exist_and_hold_no_secret():
    chosen = Settings.preset_of("paper", settings())
    assert chosen.single_hop_model.name == "Qwen/Qwen2.5-7B-Instruct"
    held = {name for one in documents() if one["kind"] == "Secret" for name in one["stringData"]}
    assert held.isdisjoint(settings())
    assert chosen.single_hop_model.api_key_variable in held
    assert {
        value for one in documents() if one["kind"] == "Secret" for value in one["stringData"].values()
    } == {""}
    assert set(re.findall(r"env: (\w+)", (FOLDER / "dagster.yaml").read_text())) <= held | set(settings())


def test_pods_run_as_users_without_rights():
    users = {name: pod["spec"]["securityContext"]["runAsUser"] for name, pod in pods().items()}
    assert users == dict.fromkeys(OURS, 10001) | {"postgres": 70, "vllm": 2000}
    for name, pod in pods().items():
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["enableServiceLinks"] is False
        assert container(name)["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "memory" in container(name)["resources"]["limits"]


def test_what_mounts_the_home_stays_on_its_node():
    near = {
        "topologyKey": "kubernetes.io/hostname",
        "labelSelector": {"matchLabels": {"aimsciqa/home": "mounted"}},
    }
    for name, pod in pods().items():
        mounts = any(one["mountPath"] == "/data" for one in container(name)["volumeMounts"])
        assert mounts == (name in OURS) == ("aimsciqa/home" in pod["metadata"]["labels"])
        if mounts:
            affinity = pod["spec"]["affinity"]["podAffinity"]
            assert affinity == {"requiredDuringSchedulingIgnoredDuringExecution": [near]}


def test_only_vllm_has_a_gpu():
    limits = {name: container(name)["resources"]["limits"].get("nvidia.com/gpu") for name in pods()}
    assert limits == dict.fromkeys((*OURS, "postgres")) | {"vllm": "1"}


@contextmanager
def launching(folder: Path, monkeypatch) -> Iterator[tuple[dagster.DagsterInstance, mock.Mock]]:
    """An instance with the launcher of dagster.yaml, and what stands in for the API of jobs."""
    pytest.importorskip("dagster_k8s", reason=NO_KUBERNETES)
    from dagster._core.test_utils import instance_for_test

    for name, value in settings().items():
        if name.startswith("DAGSTER_"):
            monkeypatch.setenv(name, value)
    monkeypatch.setattr("dagster_k8s.launcher.load_kubernetes_config", mock.Mock())
    launcher = {"run_launcher": instance()["run_launcher"]}
    with instance_for_test(launcher, temp_dir=str(folder)) as opened:
        opened.run_launcher._api_client.batch_api = api = mock.Mock()
        yield opened, api


def submitted(api: mock.Mock) -> dict:
    """The body of the only job that was submitted."""
    from kubernetes.client import ApiClient

    (call,) = api.create_namespaced_job.call_args_list
    assert call.kwargs["namespace"] == "aimsciqa"
    return ApiClient().sanitize_for_serialization(call.kwargs["body"])


def launched(folder: Path, monkeypatch, **tags: str) -> dict:
    """The job that the launcher would submit for a run with these tags."""
    with launching(folder, monkeypatch) as (opened, api):
        from dagster._core.launcher import LaunchRunContext
        from dagster._core.test_utils import create_run_for_test, in_process_test_workspace
        from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

        target = LoadableTargetOrigin(python_file=one_job.__file__, attribute="defs")
        with in_process_test_workspace(opened, target) as workspace:
            job = workspace.code_locations[0].get_repository("__repository__").get_full_job("nothing")
            run = create_run_for_test(
                opened,
                job_name="nothing",
                tags=tags,
                remote_job_origin=job.get_remote_origin(),
                job_code_origin=job.get_python_origin(),
                run_id=RUN_ID,
            )
            opened.run_launcher.launch_run(LaunchRunContext(run, workspace))
        return submitted(api)


def step_launched(folder: Path, monkeypatch) -> dict:
    """The job that the executor would submit for a step with a model in its own process."""
    with launching(folder, monkeypatch) as (opened, api):
        from dagster._core.execution.api import create_execution_plan
        from dagster._core.execution.context.system import PlanData, PlanOrchestrationContext
        from dagster._core.execution.context_creation_job import create_context_free_log_manager
        from dagster._core.execution.retries import RetryMode
        from dagster._core.executor.step_delegating.step_handler.base import StepHandlerContext
        from dagster._core.test_utils import create_run_for_test
        from dagster._grpc.types import ExecuteStepArgs
        from dagster_k8s.container_context import K8sContainerContext
        from dagster_k8s.executor import K8sStepHandler

        monkeypatch.setattr("kubernetes.config.load_incluster_config", mock.Mock())
        job = dagster.reconstructable(one_job.asking)
        origin = job.get_python_origin()
        run = create_run_for_test(opened, job_name="asking", job_code_origin=origin, run_id=RUN_ID)
        plan = create_execution_plan(job)
        data = PlanData(
            job=job,
            dagster_run=run,
            instance=opened,
            execution_plan=plan,
            raise_on_error=True,
            retry_mode=RetryMode.DISABLED,
        )
        context = StepHandlerContext(
            instance=opened,
            plan_context=PlanOrchestrationContext(
                plan_data=data,
                log_manager=create_context_free_log_manager(opened, run),
                executor=mock.Mock(),
                output_capture=None,
            ),
            steps=plan.steps,
            execute_step_args=ExecuteStepArgs(origin, RUN_ID, ["asks"], print_serialized_events=False),
        )
        handler = K8sStepHandler(None, K8sContainerContext(), True, None, k8s_client_batch_api=api)
        list(handler.launch_step(context))
        return submitted(api)


def test_the_launcher_submits_this_job_for_a_run(tmp_path, monkeypatch):
    body = launched(tmp_path, monkeypatch)
    assert (body["apiVersion"], body["kind"]) == ("batch/v1", "Job")
    assert body["metadata"]["name"] == f"dagster-run-{RUN_ID}"
    assert body["spec"]["ttlSecondsAfterFinished"] == 86400
    assert body["spec"]["backoffLimit"] == 0
    pod = body["spec"]["template"]
    assert pod["metadata"]["labels"] == {
        "app.kubernetes.io/name": "dagster",
        "app.kubernetes.io/instance": "dagster",
        "app.kubernetes.io/version": dagster.__version__,
        "app.kubernetes.io/part-of": "dagster",
        "app.kubernetes.io/component": "run_worker",
        "dagster/job": "nothing",
        "dagster/run-id": RUN_ID,
        "dagster/code-location": "in_process",
        "aimsciqa/role": "run",
        "aimsciqa/home": "mounted",
    }
    (run,) = pod["spec"].pop("containers")
    assert run["args"][:3] == ["dagster", "api", "execute_run"]
    del run["args"]
    assert run == {
        "name": "dagster",
        "image": "aimsciqa:0.1.0",
        "imagePullPolicy": "IfNotPresent",
        "env": [
            {"name": "DAGSTER_RUN_JOB_NAME", "value": "nothing"},
            {"name": "DAGSTER_HOME", "value": "/data/dagster"},
        ],
        "envFrom": [
            {"configMapRef": {"name": "aimsciqa-settings"}},
            {"secretRef": {"name": "aimsciqa-postgres"}},
            {"secretRef": {"name": "aimsciqa-keys"}},
        ],
        "resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"memory": "16Gi"}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "home", "mountPath": "/data"},
            {"name": "instance", "mountPath": "/data/dagster/dagster.yaml", "subPath": "dagster.yaml"},
        ],
    }
    near = {
        "topologyKey": "kubernetes.io/hostname",
        "labelSelector": {"matchLabels": {"aimsciqa/home": "mounted"}},
    }
    assert pod["spec"] == {
        "serviceAccountName": "aimsciqa",
        "automountServiceAccountToken": True,
        "enableServiceLinks": False,
        "imagePullSecrets": [],
        "restartPolicy": "Never",
        "securityContext": {
            "runAsUser": 10001,
            "runAsGroup": 10001,
            "fsGroup": 10001,
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [near]}},
        "volumes": [
            {"name": "home", "persistentVolumeClaim": {"claimName": "aimsciqa-home"}},
            {"name": "instance", "configMap": {"name": "aimsciqa-instance"}},
        ],
    }


def test_a_run_of_a_model_in_process_gets_a_gpu_beside_its_memory(tmp_path, monkeypatch):
    tags = gpu_run_tags("single_hop", {"AIMSCIQA_MODEL_BACKEND": "vllm"})
    body = launched(tmp_path, monkeypatch, **tags)
    (run,) = body["spec"]["template"]["spec"]["containers"]
    assert run["resources"] == {
        "requests": {"cpu": "1", "memory": "4Gi"},
        "limits": {"memory": "16Gi", "nvidia.com/gpu": "1"},
    }


def test_the_job_fits_the_types_and_schemas_of_kubernetes(tmp_path, monkeypatch):
    body = launched(tmp_path, monkeypatch)
    assert misfits(body, "V1Job", "job") == []
    must_pass_schemas([body])


def test_the_executor_submits_a_job_for_a_step_with_a_gpu_from_its_tags(tmp_path, monkeypatch):
    body = step_launched(tmp_path, monkeypatch)
    pod = body["spec"]["template"]
    assert pod["metadata"]["labels"]["app.kubernetes.io/component"] == "step_worker"
    assert pod["metadata"]["labels"]["dagster/op"] == "asks"
    assert pod["metadata"]["labels"]["aimsciqa/role"] == "run"
    (step,) = pod["spec"]["containers"]
    assert step["image"] == "aimsciqa:0.1.0"
    assert step["args"][:3] == ["dagster", "api", "execute_step"]
    assert step["resources"] == {
        "requests": {"cpu": "1", "memory": "4Gi"},
        "limits": {"memory": "16Gi", "nvidia.com/gpu": "1"},
    }
    assert [next(iter(one.values()))["name"] for one in step["envFrom"]] == [
        "aimsciqa-settings",
        "aimsciqa-postgres",
        "aimsciqa-keys",
    ]
    assert [one["mountPath"] for one in step["volumeMounts"]] == ["/data", "/data/dagster/dagster.yaml"]
    assert pod["spec"]["securityContext"]["runAsUser"] == 10001
    assert misfits(body, "V1Job", "job") == []
    must_pass_schemas([body])


def test_the_executor_is_that_of_kubernetes_where_the_settings_say_so():
    pytest.importorskip("dagster_k8s", reason=NO_KUBERNETES)
    from dagster_k8s import k8s_job_executor

    assert chosen_executor(settings()) is k8s_job_executor
    assert chosen_executor({}) is None

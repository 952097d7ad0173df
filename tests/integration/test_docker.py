"""The deployment in docker/, as far as it can be checked without a Docker engine."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path, PurePosixPath

import dagster as dg
import pytest
import yaml
from aimsciqa_resources.settings import Settings
from dagster._core.instance.config import dagster_instance_config

from aimsciqa_assets.home import Home

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
SERVICES = yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"]
APP = {"code-location", "webserver", "daemon"}
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
INTERPOLATION = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def with_defaults(value: object) -> str:
    """A value of compose.yaml where the environment has nothing but the password."""
    return INTERPOLATION.sub(lambda found: found[3] if found[2] == "-" else "given", str(value))


def environment_of(service: str) -> dict[str, str]:
    """What a container sees, without the names that are only passed on when they are set outside."""
    given = SERVICES[service]["environment"]
    return {name: with_defaults(value) for name, value in given.items() if value is not None}


def dagster_settings() -> dict:
    return yaml.safe_load((DOCKER / "dagster.yaml").read_text())


def test_the_readme_names_every_service():
    named = re.findall(r"^\| `([a-z-]+)` \|", (DOCKER / "README.md").read_text(), flags=re.MULTILINE)
    assert set(named) == set(SERVICES) == APP | {"postgres", "vllm"}


def test_every_dependency_is_a_service_that_tells_its_health():
    for service in SERVICES.values():
        for name, dependency in service.get("depends_on", {}).items():
            assert dependency == {"condition": "service_healthy"}
            assert "healthcheck" in SERVICES[name]


def test_vllm_serves_the_model_that_the_pipeline_asks_for():
    model, *options = [with_defaults(word) for word in SERVICES["vllm"]["command"]]
    served = options[options.index("--served-model-name") + 1]
    for service in APP:
        settings = Settings.preset_of("paper", environment_of(service))
        for asked in (settings.single_hop_model, settings.multi_hop_model):
            assert asked.backend == "server"
            assert asked.name == model == served == "Qwen/Qwen2.5-7B-Instruct"
            assert asked.base_url == "http://vllm:8000/v1"


@pytest.mark.parametrize("service", sorted(APP))
def test_every_setting_exists(service):
    outside = {
        "AIMSCIQA_PRESET": "demo",
        "AIMSCIQA_MULTI_HOP_MODEL_NAME": "stronger",
        "AIMSCIQA_MULTI_HOP_MODEL_BASE_URL": "https://models.example/v1",
        "AIMSCIQA_MULTI_HOP_MODEL_API_KEY_VARIABLE": "OPENAI_API_KEY",
    }
    names = {name for name in SERVICES[service]["environment"] if name.startswith("AIMSCIQA_")}
    assert set(outside) == names - set(environment_of(service))
    settings = Settings.preset_of("demo", environment_of(service) | outside)
    assert settings.single_hop_model.name != settings.multi_hop_model.name == "stronger"
    own = (DOCKER / "settings.env").read_text().splitlines()
    Settings.preset_of("demo", dict(line.split("=", 1) for line in own if line and line[0] != "#"))


def test_only_this_machine_can_reach_the_web_ui_and_nothing_else_has_a_port():
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert {name: [with_defaults(port) for port in given] for name, given in ports.items()} == {
        "webserver": ["127.0.0.1:3000:3000"]
    }


def test_no_secret_is_written_down():
    secret = re.compile(r"(PASSWORD|TOKEN|KEY|SECRET)$", re.IGNORECASE)
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if secret.search(name):
                assert value is None or re.fullmatch(r"\$\{\w+:\?[^}]*\}", value), name
    assert set(dagster_settings()["storage"]["postgres"]["postgres_db"]["password"]) == {"env"}
    assert not re.search(r"^(ARG|ENV)\b.*(PASSWORD|TOKEN|KEY|SECRET)", DOCKERFILE, flags=re.MULTILINE)
    for file in DOCKER.iterdir():
        if file.name != ".env":
            assert not re.search(r"\b(sk-|hf_|ghp_)\w{8,}", file.read_text()), file.name


def test_secrets_reach_only_who_needs_them():
    holders = {
        secret: {name for name, service in SERVICES.items() if secret in service["environment"]}
        for secret in ("HF_TOKEN", "OPENAI_API_KEY", "VLLM_API_KEY", "POSTGRES_PASSWORD")
    }
    assert holders == {
        "HF_TOKEN": {"vllm"},
        "OPENAI_API_KEY": {"code-location"},
        "VLLM_API_KEY": {"code-location", "vllm"},
        "POSTGRES_PASSWORD": {"postgres"},
    }


def test_the_settings_of_the_dagster_instance_fit_its_schema():
    dagster_instance_config(str(DOCKER))


def test_the_dagster_instance_limits_the_gpu_and_sends_no_telemetry(tmp_path):
    settings = dagster_settings()
    settings["storage"] = {"sqlite": {"base_dir": str(tmp_path)}}
    (tmp_path / "dagster.yaml").write_text(yaml.safe_dump(settings))
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        concurrency = instance.get_concurrency_config()
        assert concurrency.pool_config.default_pool_limit == 1
        assert concurrency.pool_config.pool_granularity.value == "op"
        assert concurrency.run_queue_config.max_concurrent_runs == 4
        assert type(instance.run_launcher).__name__ == "DefaultRunLauncher"
        assert instance.run_monitoring_max_runtime_seconds == 86400
        assert not instance.telemetry_enabled


@pytest.mark.parametrize("service", sorted(APP))
def test_every_container_sees_the_same_dagster_instance_as_the_command_line(service):
    environment = environment_of(service)
    home = Home(Path(environment["AIMSCIQA_HOME"]))
    assert environment["DAGSTER_HOME"] == str(home.dagster)
    assert f"./dagster.yaml:{home.dagster / 'dagster.yaml'}:ro" in SERVICES[service]["volumes"]
    assert f"data:{home.folder}" in SERVICES[service]["volumes"]
    database = dagster_settings()["storage"]["postgres"]["postgres_db"]
    assert {value["env"] for value in database.values() if isinstance(value, dict)} <= set(environment)


def test_the_workspace_leads_to_the_code_location():
    [location] = yaml.safe_load((DOCKER / "workspace.yaml").read_text())["load_from"]
    command = SERVICES[location["grpc_server"]["host"]]["command"]
    assert str(location["grpc_server"]["port"]) == command[command.index("--port") + 1]
    module = command[command.index("--module-name") + 1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["dg"]["project"]
    assert module == project["code_location_target_module"]


def test_the_image_gets_all_of_the_package_and_nothing_else():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    packaged = {PurePosixPath(path).parts[0] for path in [*wheel["packages"], *wheel["force-include"]]}
    copied = set()
    for words in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, flags=re.MULTILINE):
        copied |= set(words.split()[:-1])
    assert copied == packaged | {"constraints.txt", "pyproject.toml", "README.md", "LICENSE"}
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {line[1:] for line in ignored if line[0] == "!"} == copied


def test_the_postgres_library_is_of_the_release_of_the_others():
    constraints = (ROOT / "constraints.txt").read_text()
    release = re.search(r"^dagster-duckdb==(\S+)$", constraints, flags=re.MULTILINE)
    assert f"dagster-postgres=={release[1]} " in DOCKERFILE


def compose(folder: Path, **environment: str) -> subprocess.CompletedProcess:
    plugin = shutil.which("docker") and subprocess.run(
        ["docker", "compose", "version"], capture_output=True, check=False
    )
    program = ["docker", "compose"] if plugin and plugin.returncode == 0 else ["docker-compose"]
    if shutil.which(program[0]) is None:
        pytest.skip("neither `docker compose` nor `docker-compose` is installed")
    return subprocess.run(
        [*program, "--file", folder / "compose.yaml", "config"],
        env={"PATH": os.environ["PATH"], "HOME": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_compose_takes_the_file_and_asks_for_a_password(tmp_path):
    folder = tmp_path / "docker"
    shutil.copytree(DOCKER, folder, ignore=shutil.ignore_patterns(".env"))
    good = compose(folder, POSTGRES_PASSWORD="given", HF_TOKEN="passed on")
    assert good.returncode == 0, good.stderr
    resolved = yaml.safe_load(good.stdout)["services"]
    assert set(resolved) == set(SERVICES)
    assert resolved["vllm"]["environment"]["HF_TOKEN"] == "passed on"
    assert resolved["webserver"]["environment"]["DAGSTER_POSTGRES_PASSWORD"] == "given"
    bad = compose(folder)
    assert bad.returncode != 0
    assert "set POSTGRES_PASSWORD" in bad.stderr

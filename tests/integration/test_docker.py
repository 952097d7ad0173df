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
from dagster._core.instance.config import dagster_instance_config

from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings
from tests.compose_file import APP, DOCKER, SERVICES, environment_of, with_defaults

ROOT = Path(__file__).parents[2]
DOCKERFILE = (DOCKER / "Dockerfile").read_text()


def dagster_settings() -> dict:
    return yaml.safe_load((DOCKER / "dagster.yaml").read_text())


def test_the_readme_names_every_service():
    named = re.findall(r"^\| `([a-z-]+)` \|", (DOCKER / "README.md").read_text(), flags=re.MULTILINE)
    assert set(named) == set(SERVICES) == APP | {"postgres", "vllm", "vllm-is-asked"}


def test_every_service_that_stays_tells_its_health_and_others_wait_for_it():
    stay = {name for name, service in SERVICES.items() if service["restart"] == "unless-stopped"}
    assert stay == {name for name, service in SERVICES.items() if "healthcheck" in service}
    assert stay == set(SERVICES) - {"vllm-is-asked"}
    waits = [(name, of) for name, service in SERVICES.items() for of in service.get("depends_on", {}).items()]
    assert {name for name, _ in waits} == {"code-location", "webserver", "daemon", "vllm"}
    for _, (name, dependency) in waits:
        healthy = "service_healthy" if name in stay else "service_completed_successfully"
        assert dependency["condition"] == healthy


def test_only_the_profile_vllm_brings_vllm_and_the_daemon_waits_for_it_where_it_is():
    profiles = {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service}
    assert profiles == {"vllm": ["vllm"], "vllm-is-asked": ["vllm"]}
    optional = {
        (name, on)
        for name, service in SERVICES.items()
        for on, dependency in service.get("depends_on", {}).items()
        if not dependency.get("required", True)
    }
    assert optional == {("daemon", "vllm")}


@pytest.mark.parametrize(("backend", "ends"), [("scripted", 1), ("server", 0)])
def test_vllm_is_not_started_for_nobody(backend, ends):
    command = [word.replace("$$", "$") for word in SERVICES["vllm-is-asked"]["command"]]
    check = subprocess.run(
        command, env={"AIMSCIQA_MODEL_BACKEND": backend}, capture_output=True, text=True, check=False
    )
    assert check.returncode == ends
    assert ("AIMSCIQA_MODEL_BACKEND=server" in check.stderr) == (ends == 1)


def test_without_any_variable_no_model_is_asked():
    for service in APP:
        settings = Settings.preset_of("demo", environment_of(service))
        assert settings.single_hop_model.backend == settings.multi_hop_model.backend == "scripted"


def test_nothing_runs_as_root():
    [*_, user] = re.findall(r"^USER (\S+)$", DOCKERFILE, flags=re.MULTILINE)
    assert f"useradd --uid {user} " in DOCKERFILE
    assert user == "10001"
    users = {name: service["user"] for name, service in SERVICES.items() if "user" in service}
    assert users == {"postgres": "postgres", "vllm": "2000:0"}
    for name, service in SERVICES.items():
        assert name in users or service["image"] == "aimsciqa"
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_what_must_last_lies_in_volumes():
    volumes = yaml.safe_load((DOCKER / "compose.yaml").read_text())["volumes"]
    kept = {
        name: [volume for volume in service.get("volumes", []) if volume.split(":")[0] in volumes]
        for name, service in SERVICES.items()
    }
    assert kept == {
        **{service: ["data:/data"] for service in APP},
        "postgres": ["postgres:/var/lib/postgresql/data"],
        "vllm": ["models:/home/vllm/.cache"],
        "vllm-is-asked": [],
    }


def test_vllm_serves_the_model_that_the_pipeline_asks_for():
    model, *options = [with_defaults(word) for word in SERVICES["vllm"]["command"]]
    served = options[options.index("--served-model-name") + 1]
    for service in APP:
        chosen = environment_of(service) | {"AIMSCIQA_MODEL_BACKEND": "server"}
        settings = Settings.preset_of("paper", chosen)
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
    for file in DOCKER.rglob("*"):
        if file.is_file() and file.name != ".env":
            assert not re.search(r"\b(sk-|hf_|ghp_)\w{8,}", file.read_text()), file.name


def test_secrets_reach_only_who_needs_them():
    holders = {
        secret: {name for name, service in SERVICES.items() if secret in service["environment"]}
        for secret in ("HF_TOKEN", "OPENAI_API_KEY", "VLLM_API_KEY", "NCBI_API_KEY", "POSTGRES_PASSWORD")
    }
    assert holders == {
        "HF_TOKEN": {"vllm"},
        "OPENAI_API_KEY": {"code-location"},
        "VLLM_API_KEY": {"code-location", "vllm"},
        "NCBI_API_KEY": {"code-location"},
        "POSTGRES_PASSWORD": {"postgres"},
    }


def test_the_settings_of_the_dagster_instance_fit_its_schema():
    dagster_instance_config(str(DOCKER))


@pytest.mark.slow
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
    releases = re.findall(r"^dagster-(?:duckdb|postgres)==(\S+)$", constraints, flags=re.MULTILINE)
    assert len(releases) == 2
    assert len(set(releases)) == 1


def compose_program() -> list[str]:
    """Docker Compose as a plugin or as a program, when it is new enough for `required: false`."""
    for program in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(program[0]) is None:
            continue
        told = subprocess.run([*program, "version", "--short"], capture_output=True, text=True, check=False)
        version = re.match(r"v?(\d+)\.(\d+)\.(\d+)", told.stdout)
        if version and tuple(map(int, version.groups())) >= (2, 20, 2):
            return program
    pytest.skip("no Docker Compose 2.20.2 or newer is installed")


def compose(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*compose_program(), "--file", folder / "compose.yaml", *options, "config"],
        env={"PATH": os.environ["PATH"], "HOME": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def folder(tmp_path) -> Path:
    """A copy of docker/ without anybody's passwords."""
    return Path(shutil.copytree(DOCKER, tmp_path / "docker", ignore=shutil.ignore_patterns(".env", ".env.*")))


def services(folder: Path, *options: str, **environment: str) -> dict[str, dict]:
    """The services that Compose would start."""
    resolved = compose(folder, *options, POSTGRES_PASSWORD="given", **environment)
    assert resolved.returncode == 0, resolved.stderr
    return yaml.safe_load(resolved.stdout)["services"]


def test_compose_starts_the_platform_without_vllm(folder):
    started = services(folder)
    assert set(started) == APP | {"postgres"}
    for service in APP:
        assert started[service]["environment"]["AIMSCIQA_MODEL_BACKEND"] == "scripted"
        assert started[service]["environment"]["DAGSTER_POSTGRES_PASSWORD"] == "given"
    [port] = started["webserver"]["ports"]
    assert port["host_ip"] == "127.0.0.1"


def test_compose_starts_vllm_with_its_profile(folder):
    (folder / ".env").write_text("COMPOSE_PROFILES=vllm\nAIMSCIQA_MODEL_BACKEND=server\nHF_TOKEN=passed on\n")
    started = services(folder)
    assert started == services(folder, "--profile", "vllm")
    assert set(started) == set(SERVICES)
    assert started["daemon"]["depends_on"]["vllm"] == {"condition": "service_healthy", "required": False}
    assert started["vllm"]["environment"]["HF_TOKEN"] == "passed on"
    for service in (*APP, "vllm-is-asked"):
        assert started[service]["environment"]["AIMSCIQA_MODEL_BACKEND"] == "server"


def test_compose_passes_on_the_settings_of_nightly_runs(folder):
    with (folder / "settings.env").open("a") as settings:
        settings.write("AIMSCIQA_PMC_EMAIL=somebody@example.org\nAIMSCIQA_NIGHTLY_ANYTHING=02:30\n")
    started = services(folder, NCBI_API_KEY="key")
    for service in APP:
        assert started[service]["environment"]["AIMSCIQA_PMC_EMAIL"] == "somebody@example.org"
        assert started[service]["environment"]["AIMSCIQA_NIGHTLY_ANYTHING"] == "02:30"
    assert started["code-location"]["environment"]["NCBI_API_KEY"] == "key"


def test_compose_asks_for_a_password(folder):
    refused = compose(folder)
    assert refused.returncode != 0
    assert "set POSTGRES_PASSWORD" in refused.stderr

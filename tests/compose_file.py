"""docker/compose.yaml as tests read it: what its services run, with the defaults of its variables."""

import re
from pathlib import Path

import yaml

DOCKER = Path(__file__).parents[1] / "docker"
SERVICES = yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"]
APP = {"code-location", "webserver", "daemon"}
INTERPOLATION = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def with_defaults(value: object) -> str:
    """A value of compose.yaml where the environment has nothing but the password."""
    return INTERPOLATION.sub(lambda found: found[3] if found[2] == "-" else "given", str(value))


def environment_of(service: str) -> dict[str, str]:
    """What a container sees, without the names that are only passed on when they are set outside."""
    given = SERVICES[service]["environment"]
    return {name: with_defaults(value) for name, value in given.items() if value is not None}

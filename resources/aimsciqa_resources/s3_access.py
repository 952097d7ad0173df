"""How S3 is reached, from the variables that every client of S3 reads."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_ENDPOINT = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")


@dataclass(frozen=True, slots=True)
class S3Access:
    """Keys, region and server of S3; "" where the environment names none.

    A server of one's own has an endpoint, with its protocol; its buckets are taken for folders, as all
    servers can.
    """

    key_id: str
    secret: str = field(repr=False)
    session_token: str = field(repr=False)
    region: str
    endpoint: str

    @property
    def is_plain(self) -> bool:
        """Whether the endpoint is asked without TLS, as it says itself."""
        return urlsplit(self.endpoint).scheme == "http"


def s3_access(environment: Mapping[str, str] = os.environ) -> S3Access:
    """The access that an environment gives."""
    return S3Access(
        _first(("AWS_ACCESS_KEY_ID",), environment),
        _first(("AWS_SECRET_ACCESS_KEY",), environment),
        _first(("AWS_SESSION_TOKEN",), environment),
        _first(("AWS_REGION", "AWS_DEFAULT_REGION"), environment),
        _first(_ENDPOINT, environment),
    )


def _first(variables: tuple[str, ...], environment: Mapping[str, str]) -> str:
    return next((environment[name] for name in variables if environment.get(name)), "")

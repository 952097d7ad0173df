"""Access to S3 for DuckDB, from the variables that every client of S3 reads."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from aimsciqa_resources.warehouse.opening import quoted

_KEYS = {
    "key_id": ("AWS_ACCESS_KEY_ID",),
    "secret": ("AWS_SECRET_ACCESS_KEY",),
    "session_token": ("AWS_SESSION_TOKEN",),
    "region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
}
_ENDPOINT = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")


def secret(data: str, environment: Mapping[str, str] = os.environ) -> str:
    """The `create secret` for a bucket and prefix.

    A server of one's own is named in AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, with its protocol; its buckets
    are taken for folders, as all servers can.
    """
    options = {name: _first(variables, environment) for name, variables in _KEYS.items()}
    lines = [f"{name} '{quoted(value)}'" for name, value in options.items() if value]
    if endpoint := _first(_ENDPOINT, environment):
        parts = urlsplit(endpoint)
        lines += [
            f"endpoint '{quoted(parts.netloc)}'",
            "url_style 'path'",
            f"use_ssl {parts.scheme == 'https'}",
        ]
    return f"create secret lake (type s3, provider config, scope '{quoted(data)}', {', '.join(lines)})"


def _first(variables: tuple[str, ...], environment: Mapping[str, str]) -> str:
    return next((environment[name] for name in variables if environment.get(name)), "")

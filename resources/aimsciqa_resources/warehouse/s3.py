"""Access to S3 for DuckDB, from the variables that every client of S3 reads."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from aimsciqa_resources.s3_access import s3_access
from aimsciqa_resources.warehouse.opening import quoted


def secret(data: str, environment: Mapping[str, str] = os.environ) -> str:
    """The `create secret` for a bucket and prefix."""
    access = s3_access(environment)
    options = {name: getattr(access, name) for name in ("key_id", "secret", "session_token", "region")}
    lines = [f"{name} '{quoted(value)}'" for name, value in options.items() if value]
    if access.endpoint:
        lines += [
            f"endpoint '{quoted(urlsplit(access.endpoint).netloc)}'",
            "url_style 'path'",
            f"use_ssl {not access.is_plain}",
        ]
    return f"create secret lake (type s3, provider config, scope '{quoted(data)}', {', '.join(lines)})"

from datetime import UTC, datetime

import pytest
from aimsciqa_resources.language_model.server_faults import fault_of_status
from aimsciqa_resources.retry_after import retry_after

NOW = datetime(2026, 1, 2, 3, 4, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "detail", "kind", "reason"),
    [
        (400, "Bad Request", "permanent", "http_400"),
        (413, "", "permanent", "http_413"),
        (422, "unknown field", "permanent", "http_422"),
        (405, "", "permanent", "http_405"),
        (408, "", "passing", "http_408"),
        (409, "", "passing", "http_409"),
        (429, "", "rate_limited", "rate_limited"),
        (500, "", "passing", "http_500"),
        (503, "", "passing", "http_503"),
        (529, "overloaded", "passing", "http_529"),
        (400, "This model's maximum context length is 4096 tokens.", "too_long", "too_long"),
        (400, "error code: context_length_exceeded", "too_long", "too_long"),
        (400, "the request exceeds the available context size", "too_long", "too_long"),
        (413, "Input is too long for requested model.", "too_long", "too_long"),
        (500, "maximum context length", "passing", "http_500"),
    ],
)
def test_what_a_status_means(status, detail, kind, reason):
    fault = fault_of_status(status, detail, {})
    assert (fault.kind, fault.reason, fault.detail) == (kind, reason, detail)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:30 -0000"}, 30.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "1e9"}, 3600.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers, seconds):
    assert retry_after(headers, NOW) == seconds

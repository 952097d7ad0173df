"""The error for an HTTP status of PubMed Central: not there, try later, go slower, or never try again."""

from collections.abc import Mapping

from aimsciqa_resources.pmc.errors import (
    NoSuchObjectError,
    PmcError,
    RequestRefusedError,
    ServiceUnavailableError,
    TooManyRequestsError,
)
from aimsciqa_resources.retry_after import retry_after

_SLOWER = frozenset({429, 503})
_LONGEST_DETAIL = 300


def fault_of_status(name: str, status: int, complaint: str, headers: Mapping[str, str]) -> PmcError:
    """The error for a status other than 200; `complaint` is the body.

    Only the bucket's own NoSuchKey means that an object is not there: any other 404 may come from a wrong
    address, and no article may be retired for it.
    """
    detail = f"{name}: HTTP {status}: {' '.join(complaint.split())[:_LONGEST_DETAIL]}"
    if status == 404 and "<Code>NoSuchKey</Code>" in complaint:
        return NoSuchObjectError(detail)
    if status in _SLOWER:
        return TooManyRequestsError(detail, retry_after(headers))
    if status == 408 or status >= 500:
        return ServiceUnavailableError(detail, retry_after(headers))
    return RequestRefusedError(detail)

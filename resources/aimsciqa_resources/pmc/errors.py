"""What can go wrong with PubMed Central, each error named after the rule that was broken.

A listing that failed is always one of these errors, never an empty listing. No message holds the API key.
"""

from aimsciqa_resources.service_errors import (
    DeadlineError,
    RequestRefusedError,
    ServiceError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnexpectedAnswerError,
)

__all__ = [
    "DeadlineError",
    "IncompleteListingError",
    "MetadataError",
    "NoContactError",
    "NoSuchObjectError",
    "PmcError",
    "RequestRefusedError",
    "SearchNotUnderstoodError",
    "ServiceUnavailableError",
    "TooManyRequestsError",
    "UnexpectedAnswerError",
    "WrongDigestError",
]

PmcError = ServiceError


class NoContactError(PmcError):
    """NLM wants to know who is calling; the message says what to set."""


class WrongDigestError(PmcError):
    """The downloaded bytes do not have their MD5."""

    passing = True


class NoSuchObjectError(PmcError):
    """The bucket says that it has no object with this key."""


class SearchNotUnderstoodError(PmcError):
    """The service would search for something else than was asked."""


class IncompleteListingError(PmcError):
    """A listing ended too early, or contradicts itself."""


class MetadataError(PmcError):
    """The metadata of an article lack fields that matter, or belong to another article."""

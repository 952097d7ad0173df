"""What can go wrong with PubMed Central, each error named after the rule that was broken.

A listing that failed is always one of these errors, never an empty listing. No message holds the API key.
"""

from typing import ClassVar

from aimsciqa_resources.printable import printable


class PmcError(RuntimeError):
    """A request to PubMed Central failed. `passing`: the error is transient, so the request may be repeated.

    `wait` is how many seconds the server asks to wait. Messages quote servers, in printable characters.
    """

    passing: ClassVar[bool] = False

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(printable(message))
        self.wait = wait


class NoContactError(PmcError):
    """NLM wants to know who is calling; the message says what to set."""


class ServiceUnavailableError(PmcError):
    """The service does not answer at present: failed connections, timeouts, other 5xx."""

    passing = True


class DeadlineError(PmcError):
    """A request took longer than one object may take."""

    passing = True


class TooManyRequestsError(PmcError):
    """The service asks for fewer requests (429, and 503, which is the bucket's SlowDown)."""

    passing = True


class UnexpectedAnswerError(PmcError):
    """The answer does not have the form of the protocol; it may be cut, or come from another server."""

    passing = True


class WrongDigestError(PmcError):
    """The downloaded bytes do not have their MD5."""

    passing = True


class RequestRefusedError(PmcError):
    """The service refuses the request itself; repeating it would not help."""


class NoSuchObjectError(PmcError):
    """The bucket says that it has no object with this key."""


class SearchNotUnderstoodError(PmcError):
    """The service would search for something else than was asked."""


class IncompleteListingError(PmcError):
    """A listing ended too early, or contradicts itself."""


class MetadataError(PmcError):
    """The metadata of an article lack fields that matter, or belong to another article."""

"""What can go wrong with PubMed Central, each error named after the rule that was broken.

A listing that failed is always one of these errors, never an empty listing. No message holds the API key.
"""

from typing import ClassVar

from aimsciqa_resources.printable import printable


class PmcError(RuntimeError):
    """Something of PubMed Central could not be had. `passing`: the same request may succeed another time.

    `wait` is how many seconds the server asked for. Messages quote servers, in printable characters.
    """

    passing: ClassVar[bool] = False

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(printable(message))
        self.wait = wait


class NoContactError(PmcError):
    """NLM asks who is calling; the message says what to set."""


class ServiceUnavailableError(PmcError):
    """No answer, or the answer that there is none now: connections, timeouts, other 5xx."""

    passing = True


class DeadlineError(PmcError):
    """Something was not had in the time that one object may take."""

    passing = True


class TooManyRequestsError(PmcError):
    """The service asks for fewer requests (429, and 503, which is the bucket's SlowDown)."""

    passing = True


class UnexpectedAnswerError(PmcError):
    """The answer has another form than the protocol says; it may be cut, or come from somebody else."""

    passing = True


class WrongDigestError(PmcError):
    """What was downloaded is not what its MD5 says."""

    passing = True


class RequestRefusedError(PmcError):
    """The service refuses the request itself; asking again is of no use."""


class NoSuchObjectError(PmcError):
    """The bucket says that it has no object with this key."""


class SearchNotUnderstoodError(PmcError):
    """The search would mean something else than was asked."""


class IncompleteListingError(PmcError):
    """A listing ended before all was told, or contradicts itself."""


class MetadataError(PmcError):
    """The metadata of an article lack what matters, or are those of another one."""
